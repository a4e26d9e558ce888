"""How many plain items a share is worth, when items weigh differently or belong together."""

from __future__ import annotations

import numpy as np

from adjudge.inference.distinct_ratings import DistinctRatings
from adjudge.inference.interval import normal_quantile
from adjudge.statistics.base import Array, ratio


def effective_sizes(table: DistinctRatings, part: Array, whole: Array, level: float) -> Array:
    """What Wilson and the binomial may count as items, for shares with `part` and `whole` of a row, (V, shares).

    p (1 - p) over the variance of the share between units, as Korn and Graubard (1998), at most what the items weigh;
    with few units less, by the square of z over Student's t. A share of 0 or 1 shows no variance: then all
    items of a unit are taken to say the same. Plain items are worth one each.

    >>> from adjudge.data.ratings import ratings_of
    >>> from adjudge.inference.distinct_ratings import distinct
    >>> table = distinct(ratings_of([["a"], ["a"], ["b"], ["b"]]), clusters=[1, 1, 2, 3])
    >>> said_a = (table.rows == 0).astype(float)
    >>> bool(effective_sizes(table, said_a, np.ones_like(said_a), 0.95)[0] < 3)
    True
    """
    n = table.counts @ whole
    if not table.explicit:
        return np.asarray(n)
    from scipy.special import stdtrit

    p = np.nan_to_num(ratio(table.counts @ part, n))
    units = _units(table, whole)
    apart = (table.unit_totals(part - p * whole) ** 2).sum(0) * np.nan_to_num(ratio(units, units - 1))
    alike = np.nan_to_num(ratio(n**2, (table.unit_totals(whole) ** 2).sum(0)))
    # What rounding leaves of no variance would be worth a million items.
    seen = np.where(apart > 1e-12 * n**2, np.nan_to_num(ratio(p * (1 - p) * n**2, apart)), alike)
    few = normal_quantile(level) / stdtrit(np.maximum(units - 1, 1), 0.5 + level / 2)
    return np.asarray(np.minimum(seen, n) * few**2)


def _units(table: DistinctRatings, whole: Array) -> Array:
    """Units with anything in each share."""
    if table.cluster is None:
        return np.asarray(table.members @ (whole > 0))
    return np.asarray(((table.by_cluster.T @ whole) > 0).sum(0), dtype=np.float64)
