"""One metric of a statistic that is already summed, with its doubt."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjudge.errors import SettingError
from adjudge.evaluation.measure import Measured, rows_of
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.interval import Estimate, checked_level
from adjudge.inference.resampling import Bootstrap, drawn_on_cells
from adjudge.metrics.base import Metric


def estimate_of(metric: Metric, statistic: Any, *, level: float = 0.95, settings: Bootstrap | None = None) -> Estimate:
    """The metric of a statistic with its interval, by the metric's default method; units count one each.

    A metric that is one number for each category must be averaged first.

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
    return rows_of_statistic(metric, statistic, level=level, settings=settings)[0].as_estimate()


def rows_of_statistic(
    metric: Metric, statistic: Any, *, name: str = WHOLE_NAME, level: float = 0.95, settings: Bootstrap | None = None
) -> list[Row]:
    """Every estimate of a metric of a statistic: each category by each method, the default method first."""
    if not np.allclose(statistic.squares, statistic.counts):
        raise SettingError("Units must count one each here: replicates are drawn on whole units.")
    settings = settings or Bootstrap()

    def alone(value: Any) -> dict[type[Any], Any]:
        return {metric.over: value}

    drawn = drawn_on_cells(statistic, alone, settings.weights, settings, name)
    smooth = drawn_on_cells(statistic, alone, "bayesian", settings, name)
    measured = Measured("", name, statistic.rows, alone(statistic), (drawn,), (smooth,), None, {}, {})
    return list(rows_of(measured, [metric], checked_level(level), settings))
