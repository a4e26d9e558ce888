"""The interval of a mean of losses of which a few rows make most: what was not seen may be larger than all that was."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Unseen
from adjudge.statistics.base import Array, steady_product
from adjudge.statistics.losses import Losses

Limits = tuple[Array, Array]

# A tail is told from as many rows as the root of their number, but from five at least …
FEWEST = 5
# … and is not taken for heavier than this: the mean of what lies beyond the largest is then five times the largest.
HEAVIEST = 1.25
# Rows in effect that differ by less are the same.
ROUNDING = 1e-9
# Gross errors of a kind that no row shows, of fewer rows than this as of so many, may be so many times as far off as
# errors usually are, but not so much further than the largest: as requirements have it, bench/gate_errors.py.
GROSS_FROM, GROSS, GROSS_MOST = 50.0, 6.5, 2.0
# The same of a spread: how far off errors usually are is told by all but the largest seventh.
GROSS_SPREAD, GROSS_SPREAD_MOST, USUAL_WITHOUT = 7.75, 2.75, 7


def rubin_hill_limits(
    value: float, error: float, n: float, largest: Array, level: float, *, of_squares: bool = False
) -> Limits | None:
    """Limits of a mean of n losses, with the standard error of the mean and the largest losses, falling.

    Low: Student's reach on the scale of logarithms. High: the quantile of Rubin's Bayesian bootstrap of the losses and
    one more, a row not seen, whose loss is the mean of what lies beyond the largest in a Pareto tail with Hill's index
    (1975). That distribution is a mean under Dirichlet weights, read from its first three moments (Pearson's type III).
    Of squares the mean is one of few rows most of all, and the limit allows for a few gross errors that no row shows.

    >>> losses = np.arange(20.0, 0.0, -1.0)
    >>> low, high = rubin_hill_limits(10.5, float(losses.std(ddof=1) / 20**0.5), 20.0, losses, 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (8.07, 14.05)
    """
    if not (n > 1 and np.isfinite(value) and np.isfinite(error)):
        return None
    if not (value > 0 and error > 0):
        return np.asarray(value), np.asarray(value)
    reach = student_quantile(level, n - 1)
    low = value * np.exp(-reach * error / value)
    unseen = beyond_largest(largest, n)
    mean = (n * value + unseen) / (n + 1)
    squares = n * (n - 1) * error**2 + n * (value - mean) ** 2 + (unseen - mean) ** 2
    thirds = float(((largest[largest > 0] - mean) ** 3).sum()) + (unseen - mean) ** 3
    high = _with_one_more(n, mean, (squares, thirds), level)
    if of_squares:
        far = min(GROSS**2 * typical_loss(value, largest, n), GROSS_MOST**2 * float(largest[0]))
        high = max(high, value + (1 - (0.5 - level / 2) ** (1 / max(n, GROSS_FROM))) * far)
    return np.asarray(low), np.asarray(max(high, value))


def variance_at_most(squares: Array, times: Array, level: float) -> float:
    """The upper limit of a variance, from squares about the mean that have it for a mean, and how often each is there.

    `rubin_hill`'s, or what gross errors of a kind that no row shows would make of it, if that is more: of as many rows
    as may show none but for half of what the level leaves. Where gross errors were seen, it is the first.

    >>> squares = np.random.default_rng(1).standard_normal(50) ** 2
    >>> round(float(squares.mean()), 2), round(variance_at_most(squares, np.ones(50), 0.95), 2)
    (0.78, 3.04)
    """
    falling = np.argsort(-squares, kind="stable")
    squares, times = squares[falling], times[falling]
    n = float(times.sum())
    value = float(steady_product(times, squares)) / n
    error = float(np.sqrt(steady_product(times, (squares - value) ** 2) / (n * (n - 1))))
    largest = np.repeat(squares, np.maximum(np.rint(times), 1).astype(np.int64))
    limits = rubin_hill_limits(value, error, n, largest, level)
    if limits is None:
        return np.nan
    kept = np.clip(np.cumsum(times) - n / USUAL_WITHOUT, 0.0, times)
    usual = float(steady_product(kept, squares) / kept.sum())
    far = min(GROSS_SPREAD**2 * usual, GROSS_SPREAD_MOST**2 * float(squares[0]))
    unseen = float(1 - (0.5 - level / 2) ** (1 / max(n, GROSS_FROM)))
    return max(float(limits[1]), value + unseen * far)


def typical_loss(value: float, largest: Array, n: float) -> float:
    """The mean of n losses without the largest of them, as many as the root of their number.

    >>> typical_loss(2.0, np.array([9.0, 3.0, 2.0, 1.0]), 9.0)
    0.6666666666666666
    """
    count = min(round(n**0.5), len(largest))
    return float(max(n * value - float(largest[:count].sum()), 0.0) / max(n - count, 1.0))


def rubin(metric: Metric, losses: Losses, level: float) -> Limits | None:
    """Limits of a mean of n losses that allow for a row not seen: what a row costs if another category happens.

    Low: Student's. High: the quantile of Rubin's Bayesian bootstrap (1981) of the losses and one more, which is as
    large as the mean of what all rows were if another category than theirs had happened: probabilities tell it. Rows of
    different weight are worth as many as the linearised variance says, and no more than Kish says.

    >>> from adjudge.metrics import brier_score
    >>> scores = [0.9, 0.8, 0.2, 0.1, 0.6, 0.7, 0.3, 0.1, 0.9, 0.2]
    >>> low, high = rubin(brier_score, Losses.of_arrays([1, 1, 0, 0, 0, 1, 0, 0, 1, 1], scores, positive=1), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.0, 0.339)
    """
    assert metric.mean is not None
    assert metric.tail is not None
    moments, tail = metric.mean(losses), metric.tail(losses)
    assert isinstance(tail, Unseen)
    n, value = float(moments.effective_rows), float(moments.average)
    n = tail.rows if tail.rows < n * (1 - ROUNDING) else n
    if not (n > 1 and np.isfinite(value)):
        return None
    variance, cubes = float(moments.variance), tail.cubes / float(losses.total)
    low = value - student_quantile(level, n - 1) * np.sqrt(variance / (n - 1))
    mean = (n * value + tail.loss) / (n + 1)
    squares = n * variance + n * (value - mean) ** 2 + (tail.loss - mean) ** 2
    third = cubes - 3 * value * variance - value**3
    off = value - mean
    thirds = n * (third + 3 * variance * off + off**3) + (tail.loss - mean) ** 3
    high = _with_one_more(n, mean, (squares, thirds), level)
    return np.asarray(max(low, 0.0)), np.asarray(max(high, value))


def _with_one_more(n: float, mean: float, sums: tuple[float, float], level: float) -> float:
    """The upper quantile of the mean of n + 1 losses under Dirichlet weights, from their squares and cubes about it."""
    variance = sums[0] / ((n + 1) * (n + 2))
    if not variance > 0:
        return mean
    skewness = max(2 * sums[1] / ((n + 1) * (n + 2) * (n + 3)) / variance**1.5, 0.0)
    normal = student_quantile(level, np.inf)
    few = student_quantile(level, n - 1) / normal if normal > 0 else 1.0  # a level of nothing reaches nowhere
    return float(mean + few * np.sqrt(variance) * _pearson_three(0.5 + level / 2, skewness))


def beyond_largest(largest: Array, n: float) -> float:
    """The mean of what lies beyond the largest loss, were the tail of losses Pareto's.

    >>> round(beyond_largest(np.array([8.0, 4.0, 4.0, 2.0, 2.0, 1.0]), 50.0), 2)
    40.0
    """
    positive = largest[largest > 0]
    count = int(min(max(FEWEST, round(n**0.5)), len(positive) - 1))
    if count < 1:
        return float(positive[0]) if len(positive) else 0.0
    logarithm = float(np.log(positive[:count]).mean() - np.log(positive[count]))
    index = max(1 / logarithm, HEAVIEST) if logarithm > 0 else np.inf
    return float(positive[0] / (1 - 1 / index))


def _pearson_three(share: float, skewness: float) -> float:
    """The quantile of the standardized distribution of type III, which is a gamma distribution moved."""
    from scipy.special import gammaincinv, ndtri

    if skewness < 1e-6:
        return float(ndtri(share))
    shape = 4 / skewness**2
    return float((gammaincinv(shape, share) - shape) / np.sqrt(shape))
