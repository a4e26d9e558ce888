"""A quantile of a column of numbers, with limits that are values of the column."""

from __future__ import annotations

import math

import numpy as np

from adjudge.inference.reach import Ends, Reach
from adjudge.statistics.base import Array


def quantile_reach(values: Array, share: float) -> Reach:
    """The ⌈np⌉-th smallest value; its limits are order statistics, which hold whatever the distribution.

    Where so few values cannot bound it on a side, that limit is infinite.

    >>> reach = quantile_reach(np.arange(1.0, 101.0), 0.5)
    >>> reach.value, reach.at(0.95)
    (50.0, (40.0, 61.0))
    """
    from scipy.special import bdtr, bdtrc

    ranked = np.sort(values)
    n = len(ranked)

    def limits(level: float) -> Ends:
        error = (1 - level) / 2
        ranks = np.arange(1, n + 1)
        below = ranks[bdtr(ranks - 1.0, n, share) <= error]
        above = ranks[bdtrc(ranks - 1.0, n, share) <= error]
        low = float(ranked[below[-1] - 1]) if len(below) else -math.inf
        return low, float(ranked[above[0] - 1]) if len(above) else math.inf

    point = float(ranked[max(math.ceil(n * share - 1e-9), 1) - 1])
    return Reach("order_statistics", point, limits, n)


def values_for_limit(share: float, error: float) -> int:
    """How many values it takes for a quantile to have an upper limit.

    >>> values_for_limit(0.95, 0.05), values_for_limit(0.99, 0.05)
    (59, 299)
    """
    return math.ceil(math.log(error) / math.log(share) - 1e-9)
