"""The jackknife of any metric: its spread when one unit is left out, and what a unit that was not seen might do.

It asks nothing of the distribution of values, so it stands where formulas for normal ones fail: docs/validation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.tailed_means import beyond_largest
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.rater_differences import mean_difference
from adjudge.metrics.rater_numbers import difference_spread, in_effective_items
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.kinds import LEFT_OUT_GROUPS, MOST_LEFT_OUT, Kinds
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.uplift_cells import UpliftCells

Limits = tuple[Array, Array]
Scale = tuple[Callable[[Array], Array], Callable[[Array], Array]]
Gross = tuple[float, float]  # what gross errors not seen may do, below and above

# A standard error below this is what rounding leaves of none.
NO_SPREAD = 1e-12
# With fewer degrees of freedom one unit or two make nearly all of a spread, which then tells nothing.
FEW_TELL = 3.0
# Clusters times rows up to which clusters are left out one by one; beyond, what each adds is told by slopes.
MOST_WEIGHED = 2**21
# … and a value this near to an end of its range is there.
AT_END = 1e-10
# How much of an unseen unit counts, by the logarithm of how many were seen: chosen on tuning designs, docs/validation.
UNSEEN = 0.25
# What gross errors that no unit shows add, in sizes of what a unit adds, of a coefficient and of a spread; from so many
# units on, below which they count for less; and at most in terms of the largest: docs/validation/heldout.md.
GROSS, GROSS_SPREAD, GROSS_FROM, GROSS_MOST = 45.0, 60.0, 50.0, 9.0


def jackknife_hill(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """The jackknife on a scale without ends, with Student's quantile, widened by one unit that was not seen.

    Tukey's standard error (1958) comes with Satterthwaite's degrees of freedom from the fourth moment of what units add
    (Hinkley 1977): where few units make most of the spread, it is itself uncertain. An unseen unit adds on either side
    what lies beyond the largest there in a Pareto tail with Hill's index (1975), as in `tailed_means`. Where what units
    add is skewed, error and value go together, and the end on that side reaches further by Johnson's term (1978).
    A coefficient that is best at the end of its range allows on the other side for gross errors that no unit shows.

    >>> from adjudge.metrics import pearson
    >>> vectors = RatingVectors.of_arrays([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 7])
    >>> low, high = jackknife_hill(pearson, vectors, 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.09, 0.99)
    """
    judged, point = _judged(statistic), metric.values(statistic)
    spoilt = metric.direction is Direction.HIGHER and metric.best == metric.range[1] and np.isfinite(metric.best)
    scale, gross = _scale(*metric.range), GROSS if spoilt else 0.0
    if metric.slopes is not None:
        assert isinstance(judged, Kinds), "what a metric with slopes is over"
        if judged.by_cluster and judged.cluster_places[1] * len(judged.counts) > MOST_WEIGHED:
            left = point - judged.by_clusters(metric.slopes(judged) * judged.counts)
            return _limits(point, left, np.ones(len(left)), level, (scale, (gross, 0.0)))
        if not judged.by_cluster and len(judged.counts) > MOST_LEFT_OUT:
            left = point - metric.slopes(judged) * ratio(judged.squares, judged.counts)
            return _limits(point, left, weighed(judged).counts, level, (scale, (gross, 0.0)))
    without_one, units = weighed(judged).without_one()
    if len(units) < 2:  # units are not kept: nothing tells what one of them adds
        return None
    return _limits(point, metric.values(without_one), units, level, (scale, (gross * _in_groups(judged), 0.0)))


def johnson(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """Student's interval of a mean whose values are skewed: the end on that side reaches further (Johnson 1978).

    Degrees of freedom are Satterthwaite's, as in `jackknife_hill`: few where few units make most of the spread. Of so
    many kinds of units that they are left out in groups, or of units that are not kept, there is no interval.

    >>> from adjudge.metrics import mean_bias_error
    >>> pairs = mean_bias_error.statistic_of([0] * 8, [0, 0, 1, 1, 1, 2, 3, 8])
    >>> low, high = johnson(mean_bias_error, pairs, 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.48, 5.6)
    """
    return _student_of_units(metric, statistic, level, skewed=True)


def tukey(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """The jackknife on a scale without ends (Tukey 1958), with Satterthwaite's degrees of freedom (Hinkley 1977).

    >>> from adjudge.metrics import rmse
    >>> low, high = tukey(rmse, rmse.statistic_of([0] * 8, [0, 0, 1, 1, 1, 2, 3, 8]), 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (0.37, 27.09)
    """
    return _student_of_units(metric, statistic, level, skewed=False)


def _student_of_units(metric: Metric, statistic: AnyStatistic, level: float, *, skewed: bool) -> Limits | None:
    judged = _judged(statistic)
    if _in_groups(judged) < 1:
        return None
    (left, units), (there, back) = weighed(judged).without_one(), _scale(*metric.range)
    with np.errstate(all="ignore"):
        value, values = float(there(metric.values(statistic))), np.asarray(there(metric.values(left)))
    n = float(units.sum())
    if not (n > 2 and np.isfinite(value) and np.isfinite(values).all()):
        return None
    adds = _added(values, units)
    squares = float(units @ adds**2)
    if not squares > (NO_SPREAD * max(1.0, abs(value))) ** 2:
        return None
    error, freedom = float(np.sqrt((n - 1) / n * squares)), _freedom(adds, units)
    if not skewed and freedom < FEW_TELL:  # one row or two make all of it, and its logarithm has no such spread
        return None
    reach, further = student_quantile(level, max(freedom, FEW_TELL)) * error, 0.0
    if skewed:
        further = _johnson(adds, units, error, level)
    with np.errstate(over="ignore"):  # at levels near 1 an end may be infinite
        low, high = back(np.array([value - reach - max(-further, 0.0), value + reach + max(further, 0.0)]))
        return np.asarray(low), np.asarray(high)


def skewed_further(
    metric: Metric, first: AnyStatistic, other: AnyStatistic, ends: tuple[float, float], level: float
) -> tuple[float, float]:
    """Ends of the other's value less the first's on the same rows, at least `jackknife_hill`'s on the skewed side.

    Where one of two systems avoids rare large errors, most of what they differ by is in few rows. Draws of these reach
    too short a way to the side where more of them would be; of other statistics than `NumberPairs` ends stay.

    >>> from adjudge.metrics import rmse
    >>> one, two = (rmse.statistic_of([0] * 6, errors) for errors in ([1, 1, 1, 1, 2, 9], [1, 1, 1, 2, 1, 1]))
    >>> [round(end, 1) for end in skewed_further(rmse, one, two, (-3.0, 0.0), 0.95)]
    [-13.9, 0.0]
    """
    if not (isinstance(first, NumberPairs) and isinstance(other, NumberPairs) and first.same_rows_as(other)):
        return ends
    (left, units), (others, _) = first.without_one(), other.without_one()
    apart, without = metric.values(other) - metric.values(first), metric.values(others) - metric.values(left)
    limits = _limits(apart, without, units, level, (_scale(-np.inf, np.inf), (0.0, 0.0)))
    if limits is None:
        return ends
    adds = _added(without, units)
    below = float(units @ adds**3) < 0
    return (min(ends[0], float(limits[0])), ends[1]) if below else (ends[0], max(ends[1], float(limits[1])))


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
    assert isinstance(left, RatingVectors), "of the same kind as what was judged"
    about = _scale(0.0, np.inf), (0.0, _in_groups(vectors) * GROSS_SPREAD)
    ends = _limits(np.asarray(spread), difference_spread(left), units, level, about)
    if ends is None or not np.isfinite(value):
        return None
    mean = student_quantile(level, n - 1) * spread / np.sqrt(n)
    wide = normal_quantile(0.95)
    nearer, further = (np.hypot(mean, wide * (spread - ends[0])), np.hypot(mean, wide * (ends[1] - spread)))
    above = value > float(mean_difference.values(vectors))
    below, beyond = (nearer, further) if above else (further, nearer)
    return np.asarray(value - below), np.asarray(value + beyond)


def _in_groups(statistic: AnyStatistic) -> float:
    """How much less gross units count where many are left out in groups: a group adds more than one of its units."""
    if not isinstance(statistic, Kinds) or statistic.by_cluster:
        return 1.0
    if np.count_nonzero(statistic.counts) <= MOST_LEFT_OUT:
        return 1.0
    return float(np.sqrt(LEFT_OUT_GROUPS / statistic.counts.sum()))


def _judged(statistic: AnyStatistic) -> AnyStatistic:
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
        clusters=None if statistic.clusters is None else statistic.clusters[kept],
    )


def _limits(point: Array, left: Array, units: Array, level: float, about: tuple[Scale, Gross]) -> Limits | None:
    """Limits of a value, from the values without one unit of each kind and how many units are of it."""
    (there, back), gross = about
    with np.errstate(all="ignore"):
        value, values = float(there(point)), np.asarray(there(left))
    n = float(units.sum())
    if not (n > 2 and np.isfinite(value) and np.isfinite(values).all()):
        return None
    adds = _added(values, units)
    squares = float(units @ adds**2)
    error = np.sqrt((n - 1) / n * squares)
    if not error > NO_SPREAD * max(1.0, abs(value)) or not np.isfinite(squares * squares):
        return None
    reach = student_quantile(level, _freedom(adds, units)) * error
    further, typical = _johnson(adds, units, error, level), _typical(adds, units)
    # Each end reaches towards what an unseen unit would do to the value there.
    below, above = (
        np.hypot(
            reach,
            max(
                UNSEEN * np.log(n) * _unseen(side * adds, units, n),
                min(many * typical, GROSS_MOST * max(float((side * adds).max()), 0.0)),
            ),
        )
        + max(side * further, 0.0)
        for side, many in zip((-1.0, 1.0), gross, strict=True)
    )
    return np.asarray(back(value - below)), np.asarray(back(value + above))


def _added(values: Array, units: Array) -> Array:
    """What each unit adds to a value, from the values without it."""
    return np.asarray(float(units @ values) / float(units.sum()) - values)


def _freedom(adds: Array, units: Array) -> float:
    """Satterthwaite's degrees of freedom of the jackknife's variance: as many as its own variance leaves."""
    n, sizes = float(units.sum()), adds / np.abs(adds).max()
    peaked = n * float(units @ sizes**4) / float(units @ sizes**2) ** 2
    return float(np.clip(2 * n / max(peaked - 1, 1e-9), 1.0, n - 1))


def _johnson(adds: Array, units: Array, error: float, level: float) -> float:
    """How much further the end reaches on the side to which what units add is skewed; below 0 on the lower side."""
    skewness = float(units @ adds**3) / float(units @ adds**2) ** 1.5
    return float(skewness * (1 + 2 * student_quantile(level, float(units.sum()) - 1) ** 2) / 6 * error)


def _typical(adds: Array, units: Array) -> float:
    """The mean size of what a unit adds, without the largest, as many as the root of their number; less of few units.

    Gross errors are told from other errors by this, and so do not widen an interval further once they were seen.
    """
    order, n = np.argsort(np.abs(adds), kind="stable"), float(units.sum())
    sizes, times = np.abs(adds)[order], units[order]
    kept = np.clip(n - round(n**0.5) - (np.cumsum(times) - times), 0.0, times)
    return float(kept @ sizes / kept.sum()) * min(n / GROSS_FROM, 1.0)


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


def _fisher(value: Array) -> Array:
    """Fisher's z; what rounding leaves between a value and ±1 is nothing."""
    return np.where(1 - np.abs(value) < AT_END, np.inf, np.arctanh(value))


def _unseen(adds: Array, units: Array, n: float) -> float:
    """The mean of what lies beyond the largest that a unit adds."""
    falling = np.argsort(-adds, kind="stable")
    most = round(n**0.5) + 6
    times = np.maximum(np.rint(units[falling][:most]), 1).astype(np.int64)
    return beyond_largest(np.repeat(adds[falling][:most], np.minimum(times, most))[:most], n)
