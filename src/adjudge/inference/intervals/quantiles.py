"""A quantile of a column of numbers, with limits that are values of the column."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.reach import Ends, Reach, guarded_variance, worth_reach
from adjudge.statistics.base import Array


def woodruff_reach(
    values: Array, share: float, weights: Array | None = None, clusters: NDArray[np.int64] | None = None
) -> Reach:
    """A quantile of rows that weigh differently or belong together: where limits of the share below it reach it.

    Woodruff's interval (1952): the upper limit is the smallest value below which the share is shown to lie, by Korn and
    Graubard's limits of a share with two imagined rows, as gates hold any share of such rows. Of rows that are alike
    these are order statistics.

    >>> reach = woodruff_reach(np.arange(1.0, 101.0), 0.5, clusters=np.arange(100) // 2)
    >>> reach.value, reach.at(0.95)
    (50.0, (35.0, 66.0))
    """
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    weight = np.ones(len(ranked)) if weights is None else weights[order]
    total = float(weight.sum())
    groups = np.arange(len(ranked)) if clusters is None else np.unique(clusters[order], return_inverse=True)[1]
    units, rows = float(groups.max() + 1), total**2 / float((weight**2).sum())
    below = np.cumsum(weight) / total
    owned = np.bincount(groups, weights=weight)

    def ends_of_share(place: int, level: float) -> Ends:
        """The limits of the share of values up to one of them, ties with it included."""
        place = int(np.searchsorted(ranked, ranked[place], side="right")) - 1
        seen = float(min(below[place], 1.0))
        held = np.bincount(groups[: place + 1], weights=weight[: place + 1], minlength=len(owned))
        variance = float(((held - seen * owned) ** 2).sum()) / total**2
        spread = guarded_variance(variance, units, rows, 1.0)
        return worth_reach(seen, spread, (0.0, 1.0), units=units, rows=rows).limits(level)

    def limits(level: float) -> Ends:
        high = _first(len(ranked), lambda place: ends_of_share(place, level)[0] >= share)
        # What lies below the lower limit is too small a share: it is the first value that is not shown to.
        low = _first(len(ranked), lambda place: ends_of_share(place, level)[1] >= share)
        lowest = low == 0 and (1 - share) ** units > (1 - level) / 2
        return -math.inf if lowest else float(ranked[low]), float(ranked[high]) if high < len(ranked) else math.inf

    point = float(ranked[min(int(np.searchsorted(below, share - 1e-12)), len(ranked) - 1)])
    return Reach("woodruff", point, limits, units)


def _first(places: int, holds: Callable[[int], bool]) -> int:
    """The first place from which on a condition holds; as many as there are places if it never does."""
    low, high = 0, places
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def values_for_limit(share: float, error: float) -> int:
    """How many values it takes for a quantile to have an upper limit.

    >>> values_for_limit(0.95, 0.05), values_for_limit(0.99, 0.05)
    (59, 299)
    """
    return math.ceil(math.log(error) / math.log(share) - 1e-9)
