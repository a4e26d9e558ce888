"""Intervals by formula for coefficients of agreement.

Weights enter as effective items. Where items show no spread at all there is no interval rather than a point.
Forms for raters' numbers are in `number_intervals`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile, through_z
from adjudge.metrics.base import Metric
from adjudge.metrics.disagreements import guessing, shares_of_categories, steps
from adjudge.metrics.intervals import Quantity
from adjudge.metrics.plain_agreement import beyond_tolerance
from adjudge.metrics.weightings import Measurement, Weighting, disagreement
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.kinds import AnyKinds
from adjudge.statistics.ratings.patterns import Patterns

Limits = tuple[Array, Array]
Influence = tuple[NDArray[np.int64], Array, float]

# Leaving out each of more distinct items than this would cost more than resampling.
MOST_LEFT_OUT = 2_000
# A standard error below this is what rounding leaves of none.
NO_SPREAD = 1e-12


def gwet(metric: Metric, patterns: Patterns, level: float) -> Limits | None:
    """Gwet's interval: the spread of what each item adds to the coefficient, and Student's quantile.

    >>> from adjudge.metrics import gwet_ac1
    >>> first, second = ["a"] * 30 + ["b"] * 10, ["a"] * 26 + ["b"] * 14
    >>> low, high = gwet(gwet_ac1, Patterns.of_arrays(first, second), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.652, 1.003)
    """
    value = float(metric.values(patterns))
    error, items = gwet_error(metric, patterns)
    if not (np.isfinite(value) and error > NO_SPREAD):
        return None
    reach = student_quantile(level, items - 1) * error
    return np.asarray(value - reach), np.asarray(value + reach)


def gwet_error(metric: Metric, patterns: Patterns) -> tuple[float, float]:
    """Gwet's standard error, and the effective number of items it rests on."""
    used, adds, mean = influence(metric, patterns)
    total, squares = patterns.counts[used].sum(), patterns.squares[used]
    items = float(ratio(total**2, squares.sum()))
    if not items > 1:
        return np.nan, items
    spread = (squares * (adds - mean) ** 2).sum() / total**2
    return float(np.sqrt(spread * items / (items - 1))), items


def influence(metric: Metric, patterns: Patterns) -> Influence:
    """Which patterns count, what an item of each adds to the coefficient, and their mean: Gwet's κ*_i and κ."""
    if metric.quantity is Quantity.COINCIDENCES:
        return _influence_on_alpha(patterns, **metric.settings)
    r = patterns.patterns.sum(1)
    used = np.flatnonzero((r >= 1) & (patterns.counts > 0))
    weighting = _weighting(metric, patterns)
    d = disagreement(patterns.categories, weighting)
    own = _own_disagreement(patterns.patterns[used], r[used], d)
    paired = r[used] >= 2
    w = patterns.counts[used]
    both = ratio(w.sum(), w[paired].sum())
    observed = ratio(w[paired] @ own[paired], w[paired].sum())
    if metric.quantity is Quantity.PERCENT_AGREEMENT:
        return used, both * np.where(paired, 1 - own, 0.0), float(1 - observed)
    expected, of_item = _expected_disagreement(metric, patterns, weighting)
    value = 1 - ratio(observed, expected)
    adds = both * np.where(paired, expected - own, 0.0) / expected if expected > 0 else np.full(len(used), np.nan)
    return used, adds + 2 * (1 - value) * (of_item[used] - expected) / np.maximum(expected, 1e-300), float(value)


def _weighting(metric: Metric, patterns: Patterns) -> Weighting:
    """The weighting of a metric as it stands; those without the parameter count exact agreement."""
    if metric.quantity is Quantity.PERCENT_AGREEMENT:
        return beyond_tolerance(patterns, **metric.settings)
    weighting: Weighting = metric.settings.get("weighting", "none")
    return weighting


def _own_disagreement(counts: Array, r: Array, d: Array) -> Array:
    """Mean disagreement of the pairs of ratings in an item of each pattern; 0 where there is no pair."""
    return np.asarray(np.nan_to_num(ratio(np.einsum("pk,kl,pl->p", counts, d, counts), r * (r - 1))))


def _expected_disagreement(metric: Metric, patterns: Patterns, weighting: Weighting) -> tuple[Array, Array]:
    """Expected disagreement, and that of one rating of an item of each pattern with one of all ratings."""
    shares = shares_of_categories(patterns)
    own = np.nan_to_num(ratio(patterns.patterns, patterns.patterns.sum(1, keepdims=True)))
    d, size = disagreement(patterns.categories, weighting), len(patterns.categories)
    if metric.quantity is Quantity.COMMON_HABITS:
        return np.asarray(shares @ d @ shares), own @ (d @ shares)
    if metric.quantity is Quantity.HARD_ITEMS:
        factor = guessing(patterns.categories, weighting) if size > 1 else 0.0
        expected = 1 - factor * (shares @ (1 - shares)) if size > 1 else np.zeros(())
        return np.asarray(expected), 1 - factor * (own @ (1 - shares))
    even = d.sum() / max(size, 1) ** 2
    return np.asarray(even), np.full(len(own), even)


def _influence_on_alpha(patterns: Patterns, *, measurement: Measurement = "nominal") -> Influence:
    """What an item with two ratings or more adds to alpha, before its small-sample factor."""
    r = patterns.patterns.sum(1)
    used = np.flatnonzero((r >= 2) & (patterns.counts > 0))
    counts, r, w = patterns.patterns[used], r[used], patterns.counts[used]
    ratings, items = w @ r, w.sum()
    shares = ratio(w @ counts, ratings)
    d = steps(patterns.categories, measurement, shares)
    times = r * ratio(items, ratings)  # an item counts by its ratings
    own, share = _own_disagreement(counts, r, d), counts / np.maximum(r, 1)[:, None]
    observed, expected = ratio((w * r) @ own, ratings), shares @ d @ shares
    if not expected > 0:
        return used, np.full(len(used), np.nan), np.nan
    in_observed, in_expected = own - observed, 2 * (share @ (d @ shares) - expected)
    if isinstance(measurement, str) and measurement == "ordinal":
        pairs = np.einsum("p,pkl->kl", w / (r - 1), _ordered_pairs(counts)) / ratings
        in_observed = in_observed + (share - shares) @ _as_ranks_move(pairs, shares)
        in_expected = in_expected + (share - shares) @ _as_ranks_move(np.outer(shares, shares), shares)
    value = float(1 - observed / expected)
    return used, value - times * (in_observed - (1 - value) * in_expected) / expected, value


def _ordered_pairs(counts: Array) -> Array:
    """Ordered pairs of ratings in an item of each pattern, (P, K, K)."""
    return np.asarray(counts[:, :, None] * (counts[:, None, :] - np.eye(counts.shape[1])))


def _as_ranks_move(pairs: Array, shares: Array) -> Array:
    """How squared differences of mid-ranks, averaged over pairs, change with the share of each category."""
    size = len(shares)
    moves = np.tril(np.ones((size, size)), -1) + np.eye(size) / 2  # of a category's mid-rank with each share
    middle = moves @ shares
    apart = middle[:, None] - middle
    return np.asarray(2 * ((pairs * apart).sum(1) @ moves - (pairs * apart).sum(0) @ moves))


def jackknife_error(metric: Metric, statistic: AnyKinds) -> float:
    """The standard error from leaving out one item of each kind; NaN when there are too many kinds or too few items."""
    occupied = np.flatnonzero(statistic.counts > 0)
    if len(occupied) > MOST_LEFT_OUT:
        return np.nan
    counts, squares = statistic.counts[occupied], statistic.squares[occupied]
    one, items = squares / counts, counts**2 / squares  # what one item weighs, and how many there are
    left = np.tile(statistic.counts, (len(occupied), 1))
    left[np.arange(len(occupied)), occupied] = np.maximum(counts - one, 0.0)
    values = metric.values(replace(statistic, counts=left))
    total = items.sum()
    if not total > 1 or np.isnan(values).any():
        return np.nan
    mean = (items @ values) / total
    return float(np.sqrt((total - 1) / total * (items @ (values - mean) ** 2)))


def fisher(metric: Metric, statistic: AnyKinds, level: float) -> Limits | None:
    """Fisher's z with the jackknife's standard error; none for a value of ±1.

    >>> from adjudge.metrics import fleiss_kappa
    >>> first, second = ["a"] * 30 + ["b"] * 10, ["a"] * 26 + ["b"] * 14
    >>> low, high = fisher(fleiss_kappa, Patterns.of_arrays(first, second), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.43, 0.912)
    """
    value = float(metric.values(statistic))
    if not abs(value) < 1 - NO_SPREAD:
        return None
    error = jackknife_error(metric, statistic)
    return through_z(value, error / (1 - value**2), level) if error > NO_SPREAD else None


def gof(metric: Metric, statistic: Confusion | Patterns, level: float) -> Limits | None:
    """Donner and Eliasziw's goodness-of-fit interval of kappa, for two raters and two categories.

    The values of kappa at which a common-margins model is not rejected: roots of a cubic in 1 − kappa.
    """
    counted = _split_pairs(statistic)
    if counted is None or metric.settings.get("weighting", "none") != "none":
        return None
    both, split, neither = counted
    n = both + split + neither
    share = (both + split / 2) / n
    a = share * (1 - share)
    if not a > 0:
        return None
    x = normal_quantile(level) ** 2
    cubic = [
        -4 * n * a**2 * (n + x),
        4 * n * a * (2 * n * a + split + x),
        -8 * n * split * a - split**2 - 4 * n * a * x,
        2 * split**2,
    ]
    least, most, _ = np.sort(np.roots(cubic).real)
    low, high = max(1 - most, -1.0), min(1 - least, 1.0)
    value = float(metric.values(statistic))
    return (np.asarray(low), np.asarray(high)) if low <= value + 1e-9 and value - 1e-9 <= high else None


def _split_pairs(statistic: Confusion | Patterns) -> tuple[float, float, float] | None:
    """Effective items that both raters, one and neither put in the first of two categories; None in other cases."""
    if len(statistic.categories) != 2:
        return None
    if isinstance(statistic, Confusion):
        (both, one), (other, neither) = statistic.counts
        cells, squares = (both, one + other, neither), statistic.squares.sum()
    else:
        rated = statistic.counts > 0
        patterns, counts = statistic.patterns[rated], statistic.counts[rated]
        if not (patterns.sum(1) == 2).all():
            return None
        cells = tuple(counts[patterns[:, 0] == k].sum() for k in (2, 1, 0))
        squares = statistic.squares[rated].sum()
    total = sum(cells)
    if not total > 0:
        return None
    both, split, neither = (float(cell * total / squares) for cell in cells)
    return both, split, neither
