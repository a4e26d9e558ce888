"""A p-value and the limits of one difference, so that both say the same of it."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from adjudge.inference.intervals.interval import normal_below, normal_quantile

Ends = tuple[float, float]


def p_by_limits(value: float, limits: Ends, level: float) -> float:
    """The two-sided p-value of no difference that limits of a level say, were they normal towards 0; NaN without any.

    It is below 1 − level exactly where they leave out 0.

    >>> round(p_by_limits(0.2, (0.0, 0.5), 0.95), 3), round(p_by_limits(-0.2, (-0.3, -0.1), 0.95), 5)
    (0.05, 9e-05)
    """
    reach = value - limits[0] if value > 0 else limits[1] - value
    if math.isnan(reach):
        return math.nan
    return 2 * normal_below(-abs(value) / reach * normal_quantile(level)) if reach > 0 else 1.0


def further(one: Ends, other: Ends) -> Ends:
    """The ends that are further out; one that is not known says nothing.

    >>> further((0.0, 2.0), (math.nan, 3.0))
    (0.0, 3.0)
    """
    return float(np.fmin(one[0], other[0])), float(np.fmax(one[1], other[1]))


def same_verdict(value: float, p: float, limits: Ends, level: float) -> tuple[float, Ends]:
    """A p-value and limits that are both as doubtful as the more doubtful of the two, where they do not agree.

    Limits that leave out 0 reach beyond it where the test does not tell the difference from none: as far as its p-value
    says. A p-value below 1 − level is that of the limits where these hold 0.

    >>> same_verdict(0.2, 0.06, (0.01, 0.4), 0.95)[1][0] < 0, same_verdict(0.2, 0.04, (-0.02, 0.4), 0.95)[0] > 0.05
    (True, True)
    """
    low, high = limits
    if math.isnan(p) or math.isnan(low) or math.isnan(high) or (p < 1 - level) != (low <= 0 <= high):
        return p, limits
    if p < 1 - level:
        return max(p_by_limits(value, limits, level), 1 - level), limits
    usual = -NormalDist().inv_cdf(p / 2)  # how many standard errors p says
    end = value * (1 - normal_quantile(level) / usual) if usual > 0 else 0.0
    end = math.copysign(min(abs(end), high - low), end)
    return p, ((min(low, end), high) if value > 0 else (low, max(high, end)))
