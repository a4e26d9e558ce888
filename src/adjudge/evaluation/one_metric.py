"""One metric of a statistic that is already summed, with its doubt."""

from __future__ import annotations

import math
from typing import TypedDict, Unpack

from adjudge.evaluation.measure import PROBABILITIES, Measured, rows_of
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.drawing import UnitsToDraw, replicates_of
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.calibration import NOT_PROBABILITIES
from adjudge.statistics.base import AnyStatistic


class MeasureOptions(TypedDict, total=False):
    """How a statistic is measured: keywords of `rows_of_statistic`."""

    name: str
    level: float
    units: UnitsToDraw | None
    stream: str | None


def row_of_statistic(
    metric: Metric,
    statistic: AnyStatistic,
    method: str | None = None,
    *,
    category: str = "",
    settings: Bootstrap | None = None,
    **how: Unpack[MeasureOptions],
) -> Row | None:
    """The estimate by one method, or by the first that gives an interval; None if there is none by that method.

    Other methods are not carried out: a closed form needs no replicates.
    """
    settings = settings or Bootstrap()
    named = metric.intervals if method is None else ("bootstrap" if method == settings.method else method,)
    for methods in (*((one,) for one in named), None):
        rows = rows_of_statistic(metric, statistic, methods=methods, settings=settings, **how)
        rows = [row for row in rows if row.metric == repr(metric) and row.category == category]
        for row in rows:
            if math.isnan(row.estimate) or (method is None and (methods is None or row.low < row.high)):
                return row
            if method is not None and row.method == method:
                return row
        if method is not None:
            return None
    return None


def rows_of_statistic(
    metric: Metric,
    statistic: AnyStatistic,
    *,
    name: str = WHOLE_NAME,
    level: float = 0.95,
    settings: Bootstrap | None = None,
    methods: tuple[str, ...] | None = None,
    units: UnitsToDraw | None = None,
    stream: str | None = None,
) -> list[Row]:
    """Every estimate of a metric of a statistic: each category by each method, the default method first.

    `methods` are the only ones to carry out. `units` are drawn where the statistic's cells do not hold them; `stream`
    names the random numbers.
    """
    settings, stream = settings or Bootstrap(), stream or name
    measured = Measured(
        system="",
        slice=name,
        rows=statistic.rows,
        statistics={metric.over: statistic},
        bootstrap=(replicates_of(statistic, units, settings.weights, settings, stream),),
        bayesian=(replicates_of(statistic, units, "bayesian", settings, stream),),
        positive=None,
        notes={},
        refused={PROBABILITIES: f"undefined: {NOT_PROBABILITIES}"} if _improper(statistic) else {},
        methods=methods,
    )
    return list(rows_of(measured, [metric], checked_level(level), settings))


def _improper(statistic: object) -> bool:
    """Whether scores are not probabilities."""
    curves = getattr(statistic, "curves", ())
    return getattr(statistic, "improper", 0) > 0 or not all(curve.are_probabilities for curve in curves)
