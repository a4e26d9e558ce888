"""The delete-a-group jackknife: limits from the values of a metric without each bag of units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.intervals.left_out import NO_SPREAD, added_by_units, endless_scale, satterthwaite
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array

BAGS = "bags"  # what the method is called


def without_each_bag(metric: Metric, point: Array, left: Array, filled: NDArray[np.bool_], level: float) -> Bounds:
    """Limits of each value from those without each bag, (bags, …), of which some are `filled` and others empty.

    The variance is (G − 1) / G Σ (θ₍g₎ − θ)² over G bags (Kott 2001), on a scale on which the metric has no ends, with
    Student's quantile. Its degrees of freedom are Satterthwaite's, from what each bag adds, not G − 1: of clusters that
    differ much in size a few bags make most of it. Where a value without a bag is undefined, or at an end, none.

    >>> from adjudge.metrics import accuracy
    >>> left = np.array([0.70, 0.72, 0.74, 0.76, 0.73])
    >>> bounds = without_each_bag(accuracy, np.array(0.73), left, np.array([True, True, True, True, False]), 0.95)
    >>> round(float(bounds.low), 3), round(float(bounds.high), 3)
    (0.591, 0.835)
    """
    there, back = endless_scale(*metric.range)
    with np.errstate(all="ignore"):
        values = np.atleast_2d(np.asarray(there(left[filled])).T)
        points = np.atleast_1d(np.asarray(there(point)))
        reach = [_reach(one, others, level) for one, others in zip(points, values, strict=True)]
        low, high = (np.asarray(back(points + side * np.array(reach))) for side in (-1.0, 1.0))
    return Bounds(BAGS, low.reshape(point.shape), high.reshape(point.shape))


def _reach(point: float, values: Array, level: float) -> float:
    """How far limits lie from a value; NaN where nothing tells."""
    bags = len(values)
    if bags < 3 or not (np.isfinite(point) and np.isfinite(values).all()):
        return np.nan
    one_each = np.ones(bags)
    adds, error = added_by_units(values, one_each), np.sqrt((bags - 1) / bags * ((values - point) ** 2).sum())
    if not error > NO_SPREAD * max(1.0, abs(point)) or not np.abs(adds).max() > 0:
        return np.nan
    return float(student_quantile(level, satterthwaite(adds, one_each)) * error)
