"""Two shares of different rows: limits of their difference by the score test, and tests of none."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from adjudge.inference.intervals.interval import normal_below, normal_quantile

BISECTIONS = 80


def miettinen_nurminen(first: tuple[float, float], second: tuple[float, float], level: float) -> tuple[float, float]:
    """Two shares (right, rows) of different rows: all differences that the score test does not reject (1985).

    >>> [round(end, 4) for end in miettinen_nurminen((56, 70), (48, 80), 0.95)]
    [0.0528, 0.3382]
    """
    z, difference = normal_quantile(level), first[0] / first[1] - second[0] / second[1]

    def kept(tried: float) -> bool:
        return abs(difference - tried) <= z * math.sqrt(_restricted_variance(first, second, tried))

    return _last_kept(kept, difference, -1.0), _last_kept(kept, difference, 1.0)


def score_p(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The two-sided p-value of two shares (right, rows) of different rows being the same, by their score test.

    It is below 1 − level exactly where the interval of Miettinen and Nurminen leaves out 0.

    >>> round(score_p((56, 70), (48, 80)), 5)
    0.00826
    """
    difference = first[0] / first[1] - second[0] / second[1]
    variance = _restricted_variance(first, second, 0.0)
    return 2 * normal_below(-abs(difference) / math.sqrt(variance)) if variance > 0 else 1.0


def _restricted_variance(first: tuple[float, float], second: tuple[float, float], difference: float) -> float:
    """The variance of a difference of shares at the likeliest shares that differ by this much: a root of a cubic."""
    (x1, n1), (x2, n2) = first, second
    total = n1 + n2
    l2 = (n1 + 2 * n2) * difference - total - (x1 + x2)
    l1 = (n2 * difference - total - 2 * x2) * difference + x1 + x2
    l0 = x2 * difference * (1 - difference)
    q = l2**3 / (3 * total) ** 3 - l1 * l2 / (6 * total**2) + l0 / (2 * total)
    p = math.copysign(math.sqrt(max(l2**2 / (3 * total) ** 2 - l1 / (3 * total), 0.0)), q)
    angle = (math.pi + math.acos(max(-1.0, min(1.0, q / p**3)))) / 3 if p else 0.0
    share_2 = min(max(2 * p * math.cos(angle) - l2 / (3 * total), 0.0), 1.0)
    share_1 = min(max(share_2 + difference, 0.0), 1.0)
    return (share_1 * (1 - share_1) / n1 + share_2 * (1 - share_2) / n2) * total / (total - 1)


def _last_kept(kept: Callable[[float], bool], inner: float, outer: float) -> float:
    """The furthest value from `inner` towards `outer` that is kept, by bisection."""
    if kept(outer):
        return outer
    for _ in range(BISECTIONS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if kept(middle) else (inner, middle)
    return inner


def fisher_p(share: float, n: int, rest: float, rest_n: int) -> float:
    """Fisher's exact test of two shares of different rows, mid-p, two-sided.

    >>> round(fisher_p(0.5, 10, 0.5, 10), 3), fisher_p(0.2, 50, 0.8, 500) < 1e-6
    (1.0, True)
    """
    from scipy.special import gammaln

    right, others = round(share * n), round(rest * rest_n)
    low, high = max(0, right + others - rest_n), min(n, right + others)
    counts = np.arange(low, high + 1)

    def chosen(of: int, k: np.ndarray) -> np.ndarray:
        return np.asarray(gammaln(of + 1) - gammaln(k + 1) - gammaln(of - k + 1))

    logs = chosen(n, counts) + chosen(rest_n, right + others - counts)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    own = float(weights[right - low]) if low <= right <= high else 0.0
    below = float(weights[: right - low].sum()) + own / 2
    return min(1.0, 2 * min(below, 1 - below))
