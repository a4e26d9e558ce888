"""The jackknife of any metric: its spread when one unit is left out, and what a unit that was not seen might do.

It asks nothing of the distribution of values, so it stands where formulas for normal ones fail: docs/validation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from adjudge.inference.interval import normal_quantile
from adjudge.inference.number_intervals import student_quantile
from adjudge.inference.tailed_means import beyond_largest
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_differences import mean_difference
from adjudge.metrics.rater_numbers import difference_spread, in_effective_items
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.kinds import MOST_LEFT_OUT
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.uplift_cells import UpliftCells

Limits = tuple[Array, Array]
Scale = tuple[Callable[[Any], Any], Callable[[Any], Any]]

# A standard error below this is what rounding leaves of none.
NO_SPREAD = 1e-12
# … and a value this near to an end of its range is there.
AT_END = 1e-10
# How much of an unseen unit counts, by the logarithm of how many were seen: chosen on tuning designs, docs/validation.
UNSEEN = 0.25


def jackknife_hill(metric: Metric, statistic: Any, level: float) -> Limits | None:
    """The jackknife on a scale without ends, with Student's quantile, widened by one unit that was not seen.

    Tukey's standard error (1958) comes with Satterthwaite's degrees of freedom from the fourth moment of what units add
    (Hinkley 1977): where few units make most of the spread, it is itself uncertain. An unseen unit adds on either side
    what lies beyond the largest there in a Pareto tail with Hill's index (1975), as in `tailed_means`. Where what units
    add is skewed, error and value go together, and the end on that side reaches further by Johnson's term (1978).

    >>> from adjudge.metrics import pearson
    >>> vectors = RatingVectors.of_arrays([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 7])
    >>> low, high = jackknife_hill(pearson, vectors, 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.04, 0.99)
    """
    point, judged = metric.values(statistic), _judged(statistic)
    if metric.slopes is not None and len(judged.counts) > MOST_LEFT_OUT:
        left = point - metric.slopes(judged) * ratio(judged.squares, judged.counts)
        return _limits(point, left, weighed(judged).counts, level, _scale(*metric.range))
    left, units = weighed(judged).without_one()
    return _limits(point, metric.values(left), units, level, _scale(*metric.range))


def mover_hill(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """A limit of agreement from intervals of its parts, squared and added (Zou and Donner 2008, Zou 2013).

    Student's interval of the mean difference, and `jackknife_hill` of the standard deviation on a logarithmic scale.

    >>> from adjudge.metrics import upper_limit_of_agreement
    >>> vectors = RatingVectors.of_arrays([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 8])
    >>> low, high = mover_hill(upper_limit_of_agreement, vectors, 0.95)
    >>> bool(low < upper_limit_of_agreement([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 8]) < high)
    True
    """
    effective = in_effective_items(vectors)
    n, value = float(effective.counts.sum()), float(metric.values(vectors))
    left, units = weighed(_judged(vectors)).without_one()
    spread = float(difference_spread(effective))
    ends = _limits(np.asarray(spread), difference_spread(left), units, level, _scale(0.0, np.inf))
    if ends is None or not np.isfinite(value):
        return None
    mean = student_quantile(level, n - 1) * spread / np.sqrt(n)
    wide = normal_quantile(0.95)
    nearer, further = (np.hypot(mean, wide * (spread - ends[0])), np.hypot(mean, wide * (ends[1] - spread)))
    above = value > float(mean_difference.values(vectors))
    below, beyond = (nearer, further) if above else (further, nearer)
    return np.asarray(value - below), np.asarray(value + beyond)


def _judged(statistic: Any) -> Any:
    """Ratings without the items that say nothing of raters: those with fewer than two; treated rows in few cells."""
    if isinstance(statistic, UpliftCells):
        return statistic.coarse()
    if not isinstance(statistic, RatingVectors):
        return statistic
    kept = (statistic.vectors >= 0).sum(axis=1) >= 2
    if kept.all():
        return statistic
    return replace(
        statistic,
        vectors=statistic.vectors[kept],
        counts=statistic.counts[..., kept],
        squares=statistic.squares[kept],
    )


def _limits(point: Array, left: Array, units: Array, level: float, scale: Scale) -> Limits | None:
    """Limits of a value, from the values without one unit of each kind and how many units are of it."""
    there, back = scale
    with np.errstate(all="ignore"):
        value, values = float(there(point)), np.asarray(there(left))
    n = float(units.sum())
    if not (n > 2 and np.isfinite(value) and np.isfinite(values).all()):
        return None
    adds = float(units @ values) / n - values
    squares = float(units @ adds**2)
    error = np.sqrt((n - 1) / n * squares)
    if not error > NO_SPREAD * max(1.0, abs(value)):
        return None
    peaked = n * float(units @ adds**4) / squares**2
    freedom = float(np.clip(2 * n / max(peaked - 1, 1e-9), 1.0, n - 1))
    reach = student_quantile(level, freedom) * error
    t = student_quantile(level, n - 1)
    further = float(units @ adds**3) / squares**1.5 * (1 + 2 * t**2) / 6 * error
    # Each end reaches towards what an unseen unit would do to the value there.
    below, above = (
        np.hypot(reach, UNSEEN * np.log(n) * _unseen(side * adds, units, n)) + max(side * further, 0.0)
        for side in (-1.0, 1.0)
    )
    return np.asarray(back(value - below)), np.asarray(back(value + above))


def _scale(low: float, high: float) -> Scale:
    """A scale on which a range has no ends, and the way back: Fisher's z between two ends, a logarithm from one."""
    if np.isfinite(low) and np.isfinite(high):
        middle, half = (low + high) / 2, (high - low) / 2
        return (lambda value: _fisher((value - middle) / half)), (lambda end: middle + half * np.tanh(end))
    if np.isfinite(high):
        return (lambda value: -np.log(high - value)), (lambda end: high - np.exp(-end))
    if np.isfinite(low):
        return (lambda value: np.log(value - low)), (lambda end: low + np.exp(end))
    return np.asarray, np.asarray


def _fisher(value: Any) -> Any:
    """Fisher's z; what rounding leaves between a value and ±1 is nothing."""
    return np.where(1 - np.abs(value) < AT_END, np.inf, np.arctanh(value))


def _unseen(adds: Array, units: Array, n: float) -> float:
    """The mean of what lies beyond the largest that a unit adds."""
    falling = np.argsort(-adds, kind="stable")
    most = round(n**0.5) + 6
    times = np.maximum(np.rint(units[falling][:most]), 1).astype(np.int64)
    return beyond_largest(np.repeat(adds[falling][:most], np.minimum(times, most))[:most], n)
