"""A part of the rows beside the rest: does it cost more?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.intervals.closed_form import clopper_pearson
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, steady_product


@dataclass(frozen=True)
class PartLoss:
    """The mean loss of a part with its limits, that of the rest, and the p of no more than there."""

    rows: int
    mean: float
    low: float
    high: float
    rest: float
    share: float  # of all that was lost
    p: float

    @property
    def lift(self) -> float:
        """The mean beside that of the rest."""
        return self.mean / self.rest if self.rest > 0 else math.nan

    @property
    def excess(self) -> float:
        """What the part costs beyond what its rows would cost in the rest."""
        return self.rows * (self.mean - self.rest)


def chances_of_shares(hits: Array, counts: Array, all_hits: float, rows: int) -> Array:
    """The probability of as many hits in a part, or more, were they dealt to rows by chance (hypergeometric).

    >>> chances_of_shares(np.array([3.0]), np.array([4.0]), 4.0, 8).round(4).tolist()
    [0.2429]
    """
    from scipy.stats import hypergeom

    return np.asarray(hypergeom.sf(hits - 1, rows, all_hits, counts), dtype=np.float64)


def beside_rest(
    losses: Array, inside: NDArray[np.bool_], groups: NDArray[np.int64] | None, weights: Array | None, level: float
) -> PartLoss:
    """A part beside the rest, one-sided: exact where rows are right or wrong, independent and count one each.

    Otherwise Student's t of the difference of two means, from what each row, or each cluster, adds to it: its own
    deviation over the weight of its side (CR1).

    >>> part = beside_rest(np.array([1.0, 1, 1, 0, 1, 0, 0, 0]), np.arange(8) < 4, None, None, 0.95)
    >>> part.mean, part.rest, round(part.p, 4)
    (0.75, 0.25, 0.2429)
    """
    rows = int(inside.sum())
    weight = np.ones(len(losses)) if weights is None else weights
    sides = [np.where(side, weight, 0.0) for side in (inside, ~inside)]
    totals = [float(side.sum()) for side in sides]
    if not min(totals) > 0:
        return PartLoss(rows, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)
    means = [float(steady_product(side, losses)) / total for side, total in zip(sides, totals, strict=True)]
    share = (
        float(steady_product(sides[0], losses)) / cost
        if (cost := float(steady_product(weight, losses))) > 0
        else math.nan
    )
    if groups is None and weights is None and bool(((losses == 0) | (losses == 1)).all()):
        hits = round(means[0] * rows)
        ends = clopper_pearson(Share(np.asarray(hits), np.asarray(rows), np.asarray(rows)), level)
        p = chances_of_shares(np.array([hits]), np.array([rows]), float(losses.sum()), len(losses))[0]
        return PartLoss(rows, means[0], float(ends[0]), float(ends[1]), means[1], share, float(p))
    own, other = (side * (losses - mean) / all_ for side, mean, all_ in zip(sides, means, totals, strict=True))
    freedom = (rows if groups is None else len(np.unique(groups[inside]))) - 1
    low, high = _limits(_error(own, groups, freedom), freedom, means[0], level)
    limits = max(low, float(losses.min())), min(high, float(losses.max()))
    return PartLoss(rows, means[0], *limits, means[1], share, _p(_error(own - other, groups, freedom), freedom, means))


def _error(each: Array, groups: NDArray[np.int64] | None, freedom: int) -> float:
    """The standard error of what rows or clusters add up to."""
    sums: Array = each if groups is None else np.bincount(groups, weights=each).astype(np.float64)
    return math.sqrt((freedom + 1) / freedom * float(steady_product(sums, sums))) if freedom > 0 else math.nan


def _limits(error: float, freedom: int, mean: float, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    if freedom < 1:
        return math.nan, math.nan
    reach = float(stdtrit(freedom, 0.5 + level / 2)) * error
    return mean - reach, mean + reach


def _p(error: float, freedom: int, means: list[float]) -> float:
    """One-sided, with as many degrees of freedom as the part has units but one: it is the smaller side."""
    from scipy.special import stdtr

    gap = means[0] - means[1]
    if freedom < 1 or not error > 0:
        return math.nan if freedom < 1 or gap > 0 else 1.0
    return float(stdtr(freedom, -gap / error))
