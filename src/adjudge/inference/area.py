"""Closed-form intervals of areas under curves. Weights enter through the effective numbers of rows."""

from __future__ import annotations

import math

import numpy as np

from adjudge.inference.interval import normal_quantile
from adjudge.statistics.base import Array
from adjudge.statistics.curve import Curve

NOTHING = (math.nan, math.nan)
# An area this close to 0 or 1 is 0 or 1, summed in another order.
ROUNDING = 1e-12


def effective_sizes(curve: Curve) -> tuple[float, float]:
    """Kish's effective numbers of positives and of negatives."""
    squares = curve.squares.sum(-1)
    totals = (float(curve.positive_total), float(curve.negative_total))
    return tuple(total**2 / square if square > 0 else 0.0 for total, square in zip(totals, squares, strict=True))  # type: ignore[return-value]


def hanley(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Hanley and McNeil (1982): the variance of an area under negative-exponential scores."""
    a, (m, n) = float(area), effective_sizes(curve)
    if not math.isfinite(a) or min(m, n) <= 0:
        return NOTHING
    first, second = a / (2 - a), 2 * a**2 / (1 + a)
    variance = (a * (1 - a) + (m - 1) * (first - a**2) + (n - 1) * (second - a**2)) / (m * n)
    reach = normal_quantile(level) * math.sqrt(max(variance, 0.0))
    return a - reach, a + reach


def delong(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """DeLong, DeLong and Clarke-Pearson (1988), on the logit scale so that it stays inside [0, 1]."""
    a, (m, n) = float(area), effective_sizes(curve)
    if not math.isfinite(a) or min(m, n) <= 1:
        return NOTHING
    positives, negatives = curve.counts
    tie = curve.within.concordance
    beaten = (curve.negative_total - curve.false_positives + tie * negatives) / curve.negative_total
    beating = (curve.true_positives - positives + tie * positives) / curve.positive_total
    of_positives = float((positives * (beaten - a) ** 2).sum() / curve.positive_total)
    of_negatives = float((negatives * (beating - a) ** 2).sum() / curve.negative_total)
    error = math.sqrt(of_positives / (m - 1) + of_negatives / (n - 1))
    return _on_logit_scale(a, error, level)


def newcombe(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Newcombe (2006), method 5: all areas whose own Hanley-McNeil error reaches the observed one."""
    a, (m, n) = float(area), effective_sizes(curve)
    if not math.isfinite(a) or min(m, n) <= 0:
        return NOTHING
    z, extra = normal_quantile(level), (m + n) / 2 - 1

    def reaches(t: float) -> bool:
        variance = t * (1 - t) * (1 + extra * (1 - t) / (2 - t) + extra * t / (1 + t)) / (m * n)
        return abs(a - t) <= z * math.sqrt(max(variance, 0.0))

    return _last_that_reaches(reaches, a, 0.0), _last_that_reaches(reaches, a, 1.0)


def logit(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Boyd, Eng and Page (2013): a share of the positives on the logit scale. None at exactly 0 or 1."""
    a, (m, _) = float(area), effective_sizes(curve)
    if not ROUNDING < a < 1 - ROUNDING or m <= 0:
        return NOTHING
    return _on_logit_scale(a, math.sqrt(a * (1 - a) / m), level)


def _on_logit_scale(a: float, error: float, level: float) -> tuple[float, float]:
    if not ROUNDING < a < 1 - ROUNDING:
        return NOTHING
    middle, reach = math.log(a / (1 - a)), normal_quantile(level) * error / (a * (1 - a))
    return tuple(float(1 / (1 + np.exp(-(middle + side * reach)))) for side in (-1, 1))  # type: ignore[return-value]


def _last_that_reaches(reaches: object, inner: float, outer: float) -> float:
    """Bisection between a value that reaches the area and the end of the scale."""
    for _ in range(60):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if reaches(middle) else (inner, middle)  # type: ignore[operator]
    return inner
