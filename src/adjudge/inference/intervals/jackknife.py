"""The jackknife of any metric: its spread when one unit is left out, and what a unit that was not seen might do.

It asks nothing of the distribution of values, so it stands where formulas for normal ones fail: docs/validation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.left_out import (
    FEW_TELL,
    GROSS,
    MANY_ENOUGH,
    MOST_TOLD,
    NO_SPREAD,
    About,
    added_by_units,
    endless_scale,
    few_that_carry,
    freedom_of_weights,
    furthest_of,
    heavy_unit_unseen,
    johnson_term,
    limits_without_one,
    satterthwaite,
    weights_of,
)
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.tailed_means import variance_at_most
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.intervals import Quantity
from adjudge.metrics.rater_differences import mean_difference
from adjudge.metrics.rater_numbers import difference_spread, in_effective_items, two_raters
from adjudge.statistics.base import AnyStatistic, Array, ratio, steady_product
from adjudge.statistics.kinds import LEFT_OUT_GROUPS, MOST_LEFT_OUT, Kinds
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.uplift_cells import UpliftCells

Limits = tuple[Array, Array]

# Clusters times rows up to which clusters are left out one by one; beyond, what each adds is told by slopes.
MOST_WEIGHED = 2**21


def jackknife_hill(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """The jackknife on a scale without ends, with Student's quantile, widened by one unit that was not seen.

    Tukey's standard error (1958) comes with Satterthwaite's degrees of freedom from the fourth moment of what units add
    (Hinkley 1977): where few units make most of the spread, it is itself uncertain. An unseen unit adds on either side
    what lies beyond the largest there in a Pareto tail with Hill's index (1975), as in `tailed_means`. Where what units
    add is skewed, error and value go together, and the end on that side reaches further by Johnson's term (1978).
    A coefficient that is best at the end of its range allows on the other side for gross errors that no unit shows; not
    Kendall's tau, in which an item counts by the order of pairs alone, however far it is off.

    >>> from adjudge.metrics import pearson
    >>> vectors = RatingVectors.of_arrays([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 7])
    >>> low, high = jackknife_hill(pearson, vectors, 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.09, 0.99)
    """
    judged = _judged(statistic)
    left_out = None if metric.slopes is not None else weighed(judged).without_one()
    if left_out is not None and len(left_out[1]) < 2:  # units are not kept: nothing tells what one of them adds
        return None
    point = metric.values(statistic)
    gross = GROSS if _best_at_end(metric) and metric.quantity is not Quantity.TAU else 0.0
    power = 2.0 if metric.quantity is Quantity.ROOT_MEAN_SQUARE else 1.0
    furthest = furthest_of(*metric.range, level, power)
    about = About(endless_scale(*metric.range), (gross, 0.0), furthest=furthest)
    if metric.slopes is not None:
        assert isinstance(judged, Kinds), "what a metric with slopes is over"
        if judged.by_cluster and judged.cluster_places[1] * len(judged.counts) > MOST_WEIGHED:
            left = point - judged.by_clusters(metric.slopes(judged) * judged.counts)
            return limits_without_one(point, left, np.ones(len(left)), level, about)
        if not judged.by_cluster and len(judged.counts) > MOST_LEFT_OUT:
            left = point - metric.slopes(judged) * ratio(judged.squares, judged.counts)
            return limits_without_one(point, left, weighed(judged).counts, level, about)
    without_one, units = weighed(judged).without_one() if left_out is None else left_out
    if len(units) < 2:
        return None
    freedom = freedom_of_weights(weights_of(judged, units), units)
    about = replace(about, gross=(gross * _in_groups(judged), 0.0), freedom=freedom)
    return limits_without_one(point, metric.values(without_one), units, level, about)


def carried_by(metric: Metric, statistic: AnyStatistic) -> tuple[int, int] | None:
    """How many units, of how many, make most of the doubt about a coefficient; None where it is not in a few of them.

    Such a figure is one of these units: had they not been in the sample, it would be another, and its interval short.

    >>> from adjudge.metrics import correlation
    >>> first = [*range(-10, 11), *range(-10, 11), 400]
    >>> second = [(-1) ** k * k for k in first[:-1]] + [400]
    >>> carried_by(correlation, correlation.statistic_of(first, second))
    (1, 43)
    """
    if not ("jackknife_hill" in metric.intervals and _best_at_end(metric)):
        return None
    judged = _judged(statistic)
    if not MANY_ENOUGH <= judged.rows <= MOST_TOLD:
        return None
    left, units = weighed(judged).without_one()
    return few_that_carry(metric.values(left), units)


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
    (left, units), (there, back) = weighed(judged).without_one(), endless_scale(*metric.range)
    with np.errstate(all="ignore"):
        value, values = float(there(metric.values(statistic))), np.asarray(there(metric.values(left)))
    n = float(units.sum())
    if not (n > 2 and np.isfinite(value) and np.isfinite(values).all()):
        return None
    adds, weights = added_by_units(values, units), weights_of(judged, units)
    squares = float(steady_product(units, adds**2))
    if not squares > (NO_SPREAD * max(1.0, abs(value))) ** 2:
        return None
    error, freedom = float(np.sqrt((n - 1) / n * squares)), satterthwaite(adds, units)
    if not skewed and freedom < FEW_TELL:  # one row or two make all of it, and its logarithm has no such spread
        return None
    reach = student_quantile(level, max(min(freedom, freedom_of_weights(weights, units)), FEW_TELL)) * error
    below = above = reach
    if skewed:
        further = johnson_term(adds, units, error, level)
        below, above = (
            np.hypot(reach, heavy_unit_unseen(side * adds, weights, units)) + max(side * further, 0.0)
            for side in (-1, 1)
        )
    with np.errstate(over="ignore"):  # at levels near 1 an end may be infinite
        low, high = back(np.array([value - below, value + above]))
        return np.asarray(low), np.asarray(high)


def mover_hill(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """A limit of agreement from intervals of its parts, squared and added (Zou and Donner 2008, Zou 2013).

    Student's interval of the mean difference; of the standard deviation, `jackknife_hill`'s lower limit on a scale of
    logarithms and the root of `variance_at_most`. Where items belong together, of both what they are without each
    cluster.

    >>> from adjudge.metrics import upper_limit_of_agreement
    >>> vectors = RatingVectors.of_arrays([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 8])
    >>> low, high = mover_hill(upper_limit_of_agreement, vectors, 0.95)
    >>> bool(low < upper_limit_of_agreement([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 8]) < high)
    True
    """
    effective = in_effective_items(vectors)
    value, centre = float(metric.values(vectors)), float(mean_difference.values(vectors))
    left, units = weighed(_judged(vectors)).without_one()
    if not np.isfinite(value) or len(units) < 2:
        return None
    assert isinstance(left, RatingVectors), "of the same kind as what was judged"
    spread, spreads = difference_spread(effective), difference_spread(left)
    about = About(endless_scale(0.0, np.inf), furthest=furthest_of(0.0, np.inf, level, 2.0))
    ends = limits_without_one(spread, spreads, units, level, about)
    if ends is None:
        return None
    if vectors.by_cluster:
        centres = limits_without_one(
            np.asarray(centre), mean_difference.values(left), units, level, About(endless_scale(-np.inf, np.inf))
        )
        if centres is None:
            return None
        below, above, widest = centre - float(centres[0]), float(centres[1]) - centre, float(ends[1])
    else:
        n = float(effective.counts.sum())
        x, y, w = two_raters(effective)
        widest = float(np.sqrt(variance_at_most((y - x - centre) ** 2 * n / (n - 1), w, level)))
        below = above = student_quantile(level, n - 1) * float(spread) / np.sqrt(n)
    wide = normal_quantile(0.95)
    nearer, further = wide * (float(spread) - float(ends[0])), wide * (widest - float(spread))
    if value < centre:
        nearer, further = further, nearer
    return np.asarray(value - np.hypot(below, nearer)), np.asarray(value + np.hypot(above, further))


def _best_at_end(metric: Metric) -> bool:
    """Whether nothing is better than the end of the scale, so that gross errors can only make it worse."""
    return metric.direction is Direction.HIGHER and metric.best == metric.range[1] and bool(np.isfinite(metric.best))


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
