"""Intervals by formula for predicted numbers. Weights enter as effective rows."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import Array
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.residuals import Residuals

Limits = tuple[Array, Array]


def chi2(metric: Metric, pairs: NumberPairs, level: float) -> Limits | None:
    """The interval of a root mean squared error when errors are normal about zero: n freedom, none lost to a mean.

    √(n / χ²) RMSE at both tails of the chi-square distribution; without the root for the mean squared error.

    >>> from adjudge.metrics import rmse
    >>> low, high = chi2(rmse, NumberPairs.of_arrays([0] * 10, [4] * 10), 0.95)
    >>> round(float(low), 5), round(float(high), 5)
    (2.79487, 7.01973)
    """
    from scipy.special import gammaincinv

    n, value = float(pairs.effective_rows), float(metric.values(pairs))
    if not (n > 0 and np.isfinite(value)):
        return None
    factors = [n / (2 * float(gammaincinv(n / 2, tail))) for tail in (0.5 + level / 2, 0.5 - level / 2)]
    power = 0.5 if metric.quantity is Quantity.ROOT_MEAN_SQUARE else 1.0
    return np.asarray(value * factors[0] ** power), np.asarray(value * factors[1] ** power)


def order_statistics(metric: Metric, residuals: Residuals, level: float) -> Limits | None:
    """The interval of a median between two of the values themselves: holds its level whatever their distribution.

    The values of ranks l and n + 1 − l, with l the highest for which a median lies below with at most half of what the
    level leaves (Thompson 1936); with weights, ranks are shares of the weight of effective rows (Woodruff 1952).

    >>> from adjudge.metrics import median_absolute_error
    >>> low, high = order_statistics(median_absolute_error, Residuals.of_arrays([0] * 20, range(1, 21)), 0.95)
    >>> float(low), float(high)
    (6.0, 15.0)
    """
    n = float(residuals.effective_rows)
    rank = _lowest_rank(n, (1 - level) / 2) if n > 0 else 0.0
    if rank < 1:
        return None
    ends = [residuals.sizes.reaching(place / n) for place in (rank, n + 1 - rank)]
    return ends[0], ends[1]


def _lowest_rank(n: float, tail: float) -> float:
    """The highest l with P(Binomial(n, ½) < l) ≤ tail, for whole or effective n."""
    from scipy.special import bdtrik, betainc

    if betainc(n, 1.0, 0.5) > tail:  # even no row below is likelier
        return 0.0
    return float(np.floor(bdtrik(tail, n, 0.5)) + 1)
