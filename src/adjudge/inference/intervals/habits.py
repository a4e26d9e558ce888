"""The interval of the largest possible kappa: how far apart two sides' habits are, which never looks like nothing."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.confusion import Confusion

Limits = tuple[Array, Array]


def scheffe(metric: Metric, table: Confusion, level: float) -> Limits | None:
    """Limits of what the differences of two sides' shares of categories leave of kappa.

    These are added whatever their sign, so that chance alone keeps the value below 1, and below the truth. The upper
    end allows for any signs (Scheffé 1953), as tests of equal margins do (Stuart 1955); the lower one, to which chance
    leads by itself, is Student's. Both have the error of a mean of differences, with one item more on either side.

    >>> from adjudge.metrics import kappa_max
    >>> alike = kappa_max.statistic_of(["a"] * 30 + ["b"] * 30, ["a"] * 20 + ["b"] * 12 + ["a"] * 8 + ["b"] * 20)
    >>> low, high = scheffe(kappa_max, alike, 0.95)
    >>> round(float(low), 3), round(min(float(high), 1.0), 3)
    (0.642, 1.0)
    """
    from scipy.special import chdtri

    pairs, total = table.listed, float(table.total)
    (first, second), share = pairs.pairs, ratio(pairs.counts, table.total)
    one, other = (ratio(margin, table.total) for margin in (table.reference_total, table.prediction_total))
    n, rest = float(ratio(total**2, table.squares.sum())), 1 - float((one * other).sum())
    if not (n > 1 and rest > 0):
        return None
    value, more = float(metric.values(table)), np.where(one >= other, 0.5, -0.5)
    # What each item adds to the difference of habits, and by how much it changes what kappa is divided by.
    apart = more[first] - more[second]
    adds = (apart - float(steady_product(share, apart)) - (1 - value) * (other[first] + one[second])) / rest
    adds = adds - float(steady_product(share, adds))
    error = guarded_error(float(steady_product(share, adds**2)) / n, n, n, 1 / rest)
    used = int(np.count_nonzero((one > 0) | (other > 0)))
    above = float(np.sqrt(chdtri(max(used - 1, 1), 1 - level)))
    return np.asarray(value - student_quantile(level, n - 1) * error), np.asarray(value + above * error)
