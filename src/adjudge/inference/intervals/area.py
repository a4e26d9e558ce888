"""Closed-form intervals of areas under curves. Weights enter through the effective numbers of rows."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.statistics.base import Array
from adjudge.statistics.curves.curve import Curve

NOTHING = (math.nan, math.nan)
# An area this close to 0 or 1 is 0 or 1, summed in another order.
ROUNDING = 1e-12
# Rows of each kind that were not seen and may stand anywhere: a missed positive is seldom among twenty.
UNSEEN = 0.25


def effective_sizes(curve: Curve) -> tuple[float, float]:
    """Kish's effective numbers of positives and of negatives."""
    totals = (float(curve.positive_total), float(curve.negative_total))
    positives, negatives = (
        total**2 / square if square > 0 else 0.0 for total, square in zip(totals, curve.squared_weights, strict=True)
    )
    return positives, negatives


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
    """DeLong, DeLong and Clarke-Pearson (1988), as R's pROC has it; none at 0 or 1, where it has no width."""
    a = float(area)
    if not ROUNDING < a < 1 - ROUNDING:
        return NOTHING
    reach = normal_quantile(level) * math.sqrt(_delong_variance(curve, a))
    return a - reach, a + reach


def delong_logit(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """DeLong's error on the logit scale, so that the limits stay inside [0, 1]; none at exactly 0 or 1."""
    a = float(area)
    if not ROUNDING < a < 1 - ROUNDING:
        return NOTHING
    return _on_logit_scale(a, math.sqrt(_delong_variance(curve, a)), level)


def newcombe(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Newcombe (2006), method 5: all areas whose own Hanley-McNeil error reaches the observed one."""
    return _all_that_reach(curve, float(area), level)


def newcombe_delong(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Newcombe's method 5, its variance raised where DeLong's is larger: scores may be spread otherwise than its model.

    Hanley and McNeil's variance follows from the area alone, which is too little where one kind of row is spread wider
    than the other or some are missed altogether, in any number of rows.
    """
    a, (m, n) = float(area), effective_sizes(curve)
    usual = _method_five_variance(a, m, n) if min(m, n) > 1 and ROUNDING < a < 1 - ROUNDING else 0.0
    raised = _delong_variance(curve, a, UNSEEN) / usual if usual > 0 else 1.0
    return _all_that_reach(curve, a, level, max(raised, 1.0))


def _delong_variance(curve: Curve, a: float, unseen: float = 0.0) -> float:
    """DeLong's variance: how the share of other rows that a row beats varies, over rows of each kind.

    `unseen` is how many rows of each kind are added that may stand anywhere. NaN for a single row of a kind.
    """
    anywhere, variance = (a - 0.5) ** 2 + 1 / 12, 0.0
    sizes = effective_sizes(curve)
    if min(sizes) <= 1:
        return math.nan
    for size, spread in zip(sizes, curve.once(_spreads, area=a), strict=True):
        variance += (size * spread + unseen * anywhere) / (size - 1 + unseen) / size
    return variance


def _spreads(curve: Curve, area: float) -> tuple[float, float]:
    """The mean squared distance from the area of the share of other rows that a positive, and a negative, beats."""
    positives, negatives = curve.counts
    tie = curve.within.concordance
    beaten = tie * negatives
    beaten += curve.negative_total - curve.false_positives
    beaten /= curve.negative_total
    beating = tie * positives
    beating += curve.true_positives - positives
    beating /= curve.positive_total
    # Heavy rows vary the area more: squared weights, not weights, say how much.
    spreads = []
    for squares, places, weight in zip(curve.squares, (beaten, beating), curve.squared_weights, strict=True):
        np.square(np.subtract(places, area, out=places), out=places)
        spreads.append(float(np.multiply(squares, places, out=places).sum() / weight))
    return spreads[0], spreads[1]


def _method_five_variance(t: float, m: float, n: float) -> float:
    """Hanley and McNeil's variance of an area t, with (m + n) / 2 − 1 for both numbers of rows."""
    extra = (m + n) / 2 - 1
    return t * (1 - t) * (1 + extra * (1 - t) / (2 - t) + extra * t / (1 + t)) / (m * n)


def _all_that_reach(curve: Curve, a: float, level: float, raised: float = 1.0) -> tuple[float, float]:
    """The ends of all areas from which the observed one is within reach of their own error."""
    m, n = effective_sizes(curve)
    if not math.isfinite(a) or min(m, n) <= 0:
        return NOTHING
    z = normal_quantile(level)

    def reaches(t: float) -> bool:
        return abs(a - t) <= z * math.sqrt(max(raised * _method_five_variance(t, m, n), 0.0))

    return _last_that_reaches(reaches, a, 0.0), _last_that_reaches(reaches, a, 1.0)


def logit(curve: Curve, area: Array, level: float) -> tuple[float, float]:
    """Boyd, Eng and Page (2013): a share of the positives on the logit scale. None at exactly 0 or 1."""
    a, (m, _) = float(area), effective_sizes(curve)
    return _on_logit_scale(a, math.sqrt(max(a * (1 - a), 0.0) / m), level) if m > 0 else NOTHING


def _on_logit_scale(a: float, error: float, level: float) -> tuple[float, float]:
    if not ROUNDING < a < 1 - ROUNDING:
        return NOTHING
    middle, reach = math.log(a / (1 - a)), normal_quantile(level) * error / (a * (1 - a))
    low, high = (float(1 / (1 + np.exp(-(middle + side * reach)))) for side in (-1, 1))
    return low, high


def _last_that_reaches(reaches: Callable[[float], bool], inner: float, outer: float) -> float:
    """Bisection between a value that reaches the area and the end of the scale."""
    for _ in range(60):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if reaches(middle) else (inner, middle)
    return inner
