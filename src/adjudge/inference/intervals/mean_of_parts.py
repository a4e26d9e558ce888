"""The interval of a mean over categories from the limits of each, and from how they move together in replicates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.categories import has_categories
from adjudge.statistics.curves.curve import Curves


def mean_of_areas(metric: Metric, curves: Curves, replicates: Array, level: float) -> Bounds | None:
    """Limits of a mean of categories' areas from the limits of each by formula.

    `replicates` are the areas of each category, (replicates, K).
    """
    of_each = metric.by_itself
    limits = closed_form(of_each.intervals[0], of_each, curves, level)
    assert limits is not None
    return _mean(metric, curves, replicates, limits, "mover_bootstrap")


def mean_of_labels(metric: Metric, statistic: AnyStatistic, replicates: Array, limits: Bounds) -> Bounds | None:
    """Limits of a mean over labels from those of each by draws, which are to reach to either side of its value.

    Prior mass and few items pull the draws of every label the same way. In a label's own draws that is little beside
    their spread; in the mean of many, which spreads less, it is not. Nor is the mean of K
    labels as skewed as each is, but 1 / √K as much: the shorter end reaches further by the rest of what it falls short
    of both on (quadratic) average.
    """
    value = metric.by_itself.values(statistic)
    below, above = value - limits.low, limits.high - value
    even = np.sqrt((below**2 + above**2) / 2)
    rest = 1 - 1 / np.sqrt(max(np.isfinite(value).sum(), 1))
    low, high = (end + rest * np.maximum(even - end, 0.0) for end in (below, above))
    limits = replace(limits, low=value - low, high=value + high)
    mean = _mean(metric, statistic, replicates, limits, "mover_bayesian")
    return None if mean is None else Bounds(mean.method, mean.low, mean.high, limits.defined, limits.replicates)


def _mean(metric: Metric, statistic: AnyStatistic, replicates: Array, limits: Bounds, method: str) -> Bounds | None:
    """Zou and Donner's MOVER (2008): distances of the limits from the values, squared and added with correlations."""
    assert has_categories(statistic), "what a mean over categories is of"
    value = metric.by_itself.values(statistic)
    weight = np.where(np.isnan(value), 0.0, statistic.category_weight if metric.average == "weighted" else 1.0)
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
        distance = share * np.maximum(side * (limit - value)[known], 0.0)
        ends.append((share * value[known]).sum() + side * np.sqrt(max(float(distance @ together @ distance), 0.0)))
    return Bounds(method, np.asarray(ends[0]), np.asarray(ends[1]))
