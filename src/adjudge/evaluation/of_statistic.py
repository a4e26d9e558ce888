"""One metric of a statistic that is already summed, with its doubt."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from adjudge.errors import SettingError
from adjudge.evaluation.measure import Measured, rows_of
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.interval import Estimate, checked_level
from adjudge.inference.resampling import Bootstrap, drawn_on_cells
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics.base import Metric


def estimate_of(metric: Metric, statistic: Any, *, level: float = 0.95, settings: Bootstrap | None = None) -> Estimate:
    """The metric of a statistic with its interval, by the metric's default method.

    Units that were summed with case weights are drawn with them. A metric that is one number for each category must
    be averaged first.

    >>> from adjudge.metrics import span_f_score
    >>> from adjudge.metrics.arrays import spans_of_arrays
    >>> a = [["B-PER", "O", "B-LOC"]] * 20
    >>> b = [["B-PER", "O", "B-LOC"]] * 15 + [["B-PER", "O", "O"]] * 5
    >>> found = estimate_of(span_f_score.averaged("micro"), spans_of_arrays(a, b))
    >>> round(found.value, 3), 0.8 < found.interval.low < 0.9, found.method, found.n
    (0.933, True, 'bootstrap', 20)
    """
    if metric.by_category:
        raise SettingError(f'`{metric.name}` is one number for each category. Use {metric.name}.averaged("macro").')
    row = row_of_statistic(metric, statistic, level=level, settings=settings)
    assert row is not None
    return row.as_estimate()


def row_of_statistic(
    metric: Metric,
    statistic: Any,
    method: str | None = None,
    *,
    level: float = 0.95,
    settings: Bootstrap | None = None,
) -> Row | None:
    """The estimate by one method, or by the first that gives an interval; None if the metric does not offer it.

    Other methods are not carried out: a closed form needs no replicates.
    """
    settings = settings or Bootstrap()
    wanted = metric.intervals[0] if method is None else "bootstrap" if method == settings.method else method
    if wanted in metric.intervals:
        (row, *_) = rows_of_statistic(replace(metric, intervals=(wanted,)), statistic, level=level, settings=settings)
        if math.isnan(row.estimate) or (row.low < row.high if method is None else row.method == method):
            return row
    rows = rows_of_statistic(metric, statistic, level=level, settings=settings)
    return next((row for row in rows if method in (None, row.method) or math.isnan(row.estimate)), None)


def rows_of_statistic(
    metric: Metric, statistic: Any, *, name: str = WHOLE_NAME, level: float = 0.95, settings: Bootstrap | None = None
) -> list[Row]:
    """Every estimate of a metric of a statistic: each category by each method, the default method first."""
    settings = settings or Bootstrap()
    cells = weighed(statistic)

    def alone(value: Any) -> dict[type[Any], Any]:
        return {metric.over: statistic if value is cells else value}

    drawn = drawn_on_cells(cells, alone, settings.weights, settings, name)
    smooth = drawn_on_cells(cells, alone, "bayesian", settings, name)
    measured = Measured("", name, statistic.rows, alone(statistic), (drawn,), (smooth,), None, {}, {})
    return list(rows_of(measured, [metric], checked_level(level), settings))
