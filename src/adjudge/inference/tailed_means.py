"""The interval of a mean of losses of which a few rows make most: what was not seen may be larger than all that was."""

from __future__ import annotations

import numpy as np

from adjudge.inference.number_intervals import student_quantile
from adjudge.statistics.base import Array

Limits = tuple[Array, Array]

# A tail is told from as many rows as the root of their number, but from five at least …
FEWEST = 5
# … and is not taken for heavier than this: the mean of what lies beyond the largest is then five times the largest.
HEAVIEST = 1.25


def rubin_hill_limits(value: float, error: float, n: float, largest: Array, level: float) -> Limits | None:
    """Limits of a mean of n losses, with the standard error of the mean and the largest losses, falling.

    Low: Student's reach on the scale of logarithms. High: the quantile of Rubin's Bayesian bootstrap of the losses and
    one more, a row not seen, whose loss is the mean of what lies beyond the largest in a Pareto tail with Hill's index
    (1975). That distribution is a mean under Dirichlet weights, read from its first three moments (Pearson's type III).

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
    variance = (n * (n - 1) * error**2 + n * (value - mean) ** 2 + (unseen - mean) ** 2) / ((n + 1) * (n + 2))
    thirds = ((largest[largest > 0] - mean) ** 3).sum() + (unseen - mean) ** 3
    skewness = max(2 * thirds / ((n + 1) * (n + 2) * (n + 3)) / variance**1.5, 0.0)
    few = reach / student_quantile(level, np.inf)
    high = mean + few * np.sqrt(variance) * _pearson_three(0.5 + level / 2, skewness)
    return np.asarray(low), np.asarray(max(high, value))


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
