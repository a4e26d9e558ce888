"""Intervals by formula for raters' numbers: intraclass and other correlations, differences and their limits.

Weights enter as effective items, counted among those that every rater rated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_numbers import difference_spread, in_effective_items, mean_squares, moments_of_two
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors

Limits = tuple[Array, Array]


def student_quantile(level: float, freedom: float) -> float:
    """How many standard errors Student's two-sided interval reaches."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2)) if freedom > 0 else np.nan


def through_z(value: float, error: float, level: float) -> Limits | None:
    """An interval on the scale of Fisher's z, with a standard error on that scale; none for a value of ±1."""
    if not (abs(value) < 1 and np.isfinite(error)):
        return None
    middle, reach = np.arctanh(value), normal_quantile(level) * error
    return np.tanh(middle - reach), np.tanh(middle + reach)


def fisher_z(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """Fisher's interval of a correlation: 1 / √(n − 3) on the scale of z.

    >>> from adjudge.metrics import pearson
    >>> low, high = fisher_z(pearson, RatingVectors.of_arrays([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (-0.28, 0.986)
    """
    return _correlation(metric, statistic, level, lambda r, n: ratio(1, n - 3))


def bonett_wright(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """Bonett and Wright's interval of Spearman's correlation: √((1 + ρ²/2) / (n − 3)) on the scale of z."""
    return _correlation(metric, vectors, level, lambda r, n: ratio(1 + r**2 / 2, n - 3))


def fieller(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """Fieller, Hartley and Pearson's interval of Kendall's tau: √(0.437 / (n − 4)) on the scale of z."""
    return _correlation(metric, vectors, level, lambda r, n: ratio(0.437, n - 4))


def _correlation(
    metric: Metric, statistic: AnyStatistic, level: float, variance: Callable[[float, float], Array]
) -> Limits | None:
    value, pairs = float(metric.values(statistic)), _pairs(metric, statistic)
    spread = float(variance(value, pairs)) if pairs > 0 else np.nan
    return through_z(value, float(np.sqrt(spread)), level) if spread > 0 else None


def lin(metric: Metric, numbers: RatingVectors | NumberPairs, level: float) -> Limits | None:
    """Lin's interval of the concordance correlation, on the scale of Fisher's z."""
    mx, my, vx, vy, cov = (float(m) for m in moments_of_two(numbers))
    n = _pairs(metric, numbers)
    value, r = float(metric.values(numbers)), float(ratio(cov, np.sqrt(vx * vy)))
    if not (n > 2 and abs(value) < 1 and r != 0 and np.isfinite(r)):
        return None
    shift = (mx - my) ** 2 / np.sqrt(vx * vy)
    rest = 1 - value**2
    spread = (
        (1 - r**2) * value**2 / (rest * r**2)
        + 2 * value**3 * (1 - value) * shift / (r * rest**2)
        - value**4 * shift**2 / (2 * r**2 * rest**2)
    )
    return through_z(value, float(np.sqrt(max(spread, 0.0) / (n - 2))), level)


def _pairs(metric: Metric, statistic: AnyStatistic) -> float:
    assert metric.pairs is not None
    return float(metric.pairs(statistic))


def bland_altman(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """Bland and Altman's interval of a limit of agreement: s² (1/n + 1.96² / (2 (n − 1))), Student's quantile."""
    effective = in_effective_items(vectors)
    n, value = float(effective.counts.sum()), float(metric.values(vectors))
    if not (n > 1 and np.isfinite(value)):
        return None
    variance = 1 / n + normal_quantile(0.95) ** 2 / (2 * (n - 1))
    reach = student_quantile(level, n - 1) * float(difference_spread(effective)) * np.sqrt(variance)
    return np.asarray(value - reach), np.asarray(value + reach)


def f_exact(metric: Metric, vectors: RatingVectors, level: float) -> Limits | None:
    """The interval of an intraclass correlation from the F distribution; McGraw and Wong's for absolute agreement.

    >>> from adjudge.metrics import icc
    >>> rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> low, high = f_exact(icc.using(form="C,1"), RatingVectors.of_arrays(rows, None), 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (0.34, 0.95)
    """
    if metric.settings["missing"] != "complete":
        return None
    kind, judged = metric.settings["form"].split(",")
    squares = tuple(float(square) for square in mean_squares(in_effective_items(vectors)))
    k = len(vectors.raters)
    items, noise = squares[1], squares[3 if kind == "1" else 4]
    if not (squares[0] > 1 and k > 1 and items > 0 and noise > 0):
        return None
    limits = _absolute(squares, k, level) if kind == "A" else _by_ratio(squares, k, level, kind)
    if limits is None:
        return None
    low, high = limits if judged == "1" else (_of_mean_rating(end, k) for end in limits)
    # With a handful of items the approximation may leave its own estimate out, or cross: then it says nothing.
    value = float(metric.values(vectors))
    return (np.asarray(low), np.asarray(high)) if low <= value <= high else None


def _of_mean_rating(single: float, k: int) -> float:
    """The intraclass correlation of the mean of k ratings, from that of one; no lower end where one rating has none."""
    return k * single / (1 + (k - 1) * single) if single > -1 / (k - 1) else -np.inf


def _by_ratio(squares: tuple[float, ...], k: int, level: float, kind: str) -> tuple[float, float]:
    """One-way and consistency, single rating."""
    from scipy.special import fdtri

    n, items, _, within, residual = squares
    noise, freedom = (within, n * (k - 1)) if kind == "1" else (residual, (n - 1) * (k - 1))
    tail = 0.5 + level / 2
    low = items / noise / float(fdtri(n - 1, freedom, tail))
    high = items / noise * float(fdtri(freedom, n - 1, tail))
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _absolute(squares: tuple[float, ...], k: int, level: float) -> tuple[float, float] | None:
    """Absolute agreement, single rating, with Satterthwaite's degrees of freedom."""
    from scipy.special import fdtri

    n, items, raters, _, residual = squares
    rho = float(ratio(items - residual, items + (k - 1) * residual + k * (raters - residual) / n))
    if not np.isfinite(rho):
        return None
    of_raters, rest = raters / residual, n * (1 + (k - 1) * rho) - k * rho
    freedom = float(
        ratio(
            (n - 1) * (k - 1) * (k * rho * of_raters + rest) ** 2,
            (n - 1) * (k * rho * of_raters) ** 2 + rest**2,
        )
    )
    if not freedom > 0:
        return None
    tail, level_of_raters = 0.5 + level / 2, k * raters + (k * n - k - n) * residual
    first, second = float(fdtri(n - 1, freedom, tail)), float(fdtri(freedom, n - 1, tail))
    return (
        n * (items - first * residual) / (first * level_of_raters + n * items),
        n * (second * items - residual) / (level_of_raters + n * second * items),
    )
