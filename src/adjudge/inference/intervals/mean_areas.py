"""The interval of a mean over categories of areas under their curves."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.curve import Curves


def mean_of_areas(metric: Metric, curves: Curves, replicates: Array, level: float) -> Bounds | None:
    """Limits of a mean of categories' areas from the limits of each, by MOVER; how they move together is drawn.

    `replicates` are the areas of each category, (replicates, K).
    """
    of_each = metric.by_itself
    limits = closed_form(of_each.intervals[0], of_each, curves, level)
    assert limits is not None
    value = of_each.values(curves)
    weight = np.where(np.isnan(value), 0.0, 1.0 if metric.average == "macro" else curves.category_weight)
    known = (weight > 0) & ~np.isnan(limits.low)
    if not known.any() or not np.array_equal(known, weight > 0):
        return None
    draws = replicates[:, known]
    draws = draws[~np.isnan(draws).any(1)]
    steps = draws - draws.mean(0) if len(draws) else draws
    spread = np.sqrt((steps**2).sum(0))
    together = np.clip(np.nan_to_num(ratio(steps.T @ steps, np.outer(spread, spread)), nan=1.0), -1.0, 1.0)
    np.fill_diagonal(together, 1.0)
    share = weight[known] / weight.sum()
    ends = []
    for side, limit in ((-1, limits.low), (1, limits.high)):
        distance = share * np.abs(limit - value)[known]
        ends.append((share * value[known]).sum() + side * np.sqrt(max(float(distance @ together @ distance), 0.0)))
    return Bounds("mover_bootstrap", np.asarray(ends[0]), np.asarray(ends[1]))
