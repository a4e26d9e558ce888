"""Shares of rows that belong together in units: how many independent rows they are worth, and limits from that."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from adjudge.inference.intervals.left_out import satterthwaite
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import NO_SPREAD, Array, steady_product
from adjudge.statistics.linear_sums import LinearSums

Sum = tuple[str, ...]  # names of values that are added
Interval = Callable[[Share, float], tuple[Array, Array]]


def unit_share_limits(
    sums: LinearSums,
    part: Sum,
    whole: Sum,
    level: float,
    interval: Interval,
    *,
    row: float = 1.0,
    unseen: bool = False,
) -> tuple[float, float, float]:
    """A share of totals with its limits by some interval, as one of as many rows as the units are worth.

    With `unseen`, of as many as they and one more are worth that was not seen. Where every unit is a row that counts
    one this is the interval itself; where there is one unit there is none.

    >>> from adjudge.statistics.weights import Weights
    >>> failed = np.array([0, 0, 3, 1, 0, 8, 0, 2, 0, 0])
    >>> units = np.stack([np.full(10, 20.0), failed], axis=1)
    >>> sums = LinearSums.collect(("cases", "failed"), units, Weights(10))
    >>> from adjudge.inference.intervals.closed_form import clopper_pearson
    >>> [round(number, 6) for number in unit_share_limits(sums, ("failed",), ("cases",), 0.95, clopper_pearson)]
    [0.07, 0.009496, 0.223566]
    """
    hits, all_rows = (float(sum(sums.of(name) for name in names)) for names in (part, whole))
    if not all_rows > 0:
        return math.nan, math.nan, math.nan
    share = min(max(hits / all_rows, 0.0), 1.0)
    rows = rows_worth(sums, part, whole, level, row=row, unseen=unseen)
    if math.isnan(rows):
        return share, math.nan, math.nan
    low, high = interval(Share(np.asarray(share * rows), np.asarray(rows), np.asarray(rows)), level)
    return share, float(low), float(high)


def rows_worth(
    sums: LinearSums, part: Sum, whole: Sum, level: float, *, row: float = 1.0, unseen: bool = False
) -> float:
    """How many independent rows a share of totals is worth (Korn and Graubard 1998).

    n over the design effect, which the variance between units gives (G/(G−1) times the squares of what each adds to
    the residual), times (t(n − 1) / t(G − 1))²; at most n. Where the share is 0 or 1 there is no variance to see: it
    is worth as many rows as there are units. One unit tells nothing: NaN. `row` is what a row weighs, where they are
    weighted: Σ w² / Σ w.

    Where few units make most of that variance, a sample with fewer of them has a smaller share and a smaller variance.
    `unseen` counts one more unit, as far off as the furthest, with Satterthwaite's degrees of freedom (1946) of what
    units add; but then no fewer rows than if all rows of a unit were alike, which is the most that they can vary.
    """
    hits, rows = (float(sum(sums.of(name) for name in names)) for names in (part, whole))
    units, squares = _units(sums, whole), float(sums.squared(dict.fromkeys(whole, 1.0)))
    if units < 2:
        return math.nan
    n = rows / row
    # Every unit is a row, and all weigh alike.
    if abs(n - units) <= NO_SPREAD * n and abs(squares * units - rows**2) <= NO_SPREAD * rows**2:
        return n
    share = hits / rows
    factors = {**dict.fromkeys(whole, -share), **_more(part, whole, share)}
    each_square = float(sums.squared(factors))
    scale = float(sums.squared(dict.fromkeys(part, 1.0)))
    if not 0 < share < 1 or each_square <= NO_SPREAD * scale:
        return min(float(units), n)

    from scipy.special import stdtrit

    def worth(residuals: float, freedom: float) -> float:
        variance, tail = units / (units - 1) * residuals / rows**2, 0.5 + level / 2
        few = (stdtrit(max(n - 1, 1e-9), tail) / stdtrit(freedom, tail)) ** 2
        return min(n, share * (1 - share) / variance * float(few))

    alone = worth(each_square, units - 1)
    if not unseen or sums.kept is None:
        return alone
    adds = steady_product(sums.kept[:, [sums.places[name] for name in factors]], np.array([*factors.values()]))
    freedom = min(satterthwaite(adds, np.ones(len(adds))), units - 1)
    return max(worth(each_square + float((adds**2).max()), freedom), min(alone, rows**2 / squares))


def _more(part: Sum, whole: Sum, share: float) -> dict[str, float]:
    """What each value adds to the residual: 1 where it is of the part, less the share where it is of the whole."""
    return {name: 1.0 - (share if name in whole else 0.0) for name in part}


def _units(sums: LinearSums, whole: Sum) -> int:
    """How many units have anything of the whole; all of them where they are too many to be kept."""
    if sums.kept is None:
        return sums.units
    return int((sums.kept[:, [sums.places[name] for name in whole]].sum(axis=1) > 0).sum())
