"""Limits at any level, and the p-value that belongs to them: what a gate asks of a number.

A gate's limit is one end of a two-sided interval; the p-value of "the number is at least the bound" is the smallest
error at which that end lies beyond the bound. Both come from the same formula, so that they never disagree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from adjudge.errors import noted
from adjudge.inference.intervals import tailed_means
from adjudge.inference.intervals.closed_form import clopper_pearson
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.inference.intervals.tailed_means import typical_loss
from adjudge.inference.many.looks import mean_sequence, share_e_value
from adjudge.inference.resampling import percentile
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array

Ends = tuple[float, float]
# The smallest error that limits by formula are asked for.
SMALLEST = 1e-12
HALVINGS = 60
HALVINGS_OF_P = 40
# How far off an error that was not seen may be, in terms of the largest that was, and of how far off errors usually
# are, the largest left out: bench/gate_errors.py chose both.
FURTHER, GROSS = tailed_means.GROSS_MOST, tailed_means.GROSS
# Said where that is what makes the limit.
UNSEEN_ERRORS = "the limit allows for rare errors, far larger than these, that so few rows may not show"
# From as many units on the sequence for means holds.
FIRST_LOOK = 30


@dataclass(frozen=True)
class Reach:
    """A number and how far it may be off, by one method, at any level."""

    method: str
    value: float
    limits: Callable[[float], Ends]
    units: float
    note: str = ""
    smallest: float = SMALLEST  # the smallest error on one side that the method can tell

    def at(self, level: float) -> Ends:
        """The limits at a level, around the value; NaN where the method cannot tell."""
        if (1 - level) / 2 < self.smallest * (1 - 1e-9):
            return math.nan, math.nan
        low, high = self.limits(level)
        return min(low, self.value), max(high, self.value)

    def p(self, bound: float, *, lower: bool) -> float:
        """The p-value of the number being at least the bound (or at most), 1 where it is not even so itself.

        >>> reach = share_reach(182, 200)
        >>> round(reach.p(0.85, lower=True), 6)
        0.008247
        """
        if not (self.value >= bound if lower else self.value <= bound):
            return 1.0

        def shown(error: float) -> bool:
            low, high = self.limits(1 - 2 * error)
            return low >= bound if lower else high <= bound

        if shown(self.smallest):
            return self.smallest
        if not shown(0.5 - 1e-9):
            return 1.0
        small, large = math.log(self.smallest), math.log(0.5)
        for _ in range(HALVINGS_OF_P):
            middle = (small + large) / 2
            small, large = (small, middle) if shown(math.exp(middle)) else (middle, large)
        return math.exp(large)


def share_reach(part: float, whole: float) -> Reach:
    """A share of independent rows: Clopper and Pearson's limits, which never err more often than they say.

    >>> [round(end, 6) for end in share_reach(45, 50).at(0.90)]
    [0.801167, 0.959763]
    """

    def limits(level: float) -> Ends:
        low, high = clopper_pearson(Share(np.asarray(part), np.asarray(whole), np.asarray(whole)), level)
        return float(low), float(high)

    return Reach("clopper_pearson", part / whole, limits, whole)


def worth_reach(value: float, variance: float, ends: Ends, *, units: float, rows: float) -> Reach:
    """A number between two ends as a share of as many rows as its variance is worth (Korn and Graubard 1998).

    For rows that weigh differently or come in clusters: `units` vary by themselves, `rows` are there in effect.
    Without any variance each unit counts as one row.

    >>> reach = worth_reach(0.07, 0.040276819912**2, (0.0, 1.0), units=10, rows=200)
    >>> [round(end, 4) for end in reach.at(0.95)]
    [0.0095, 0.2236]
    """
    from scipy.special import stdtrit

    span = ends[1] - ends[0]
    share = min(max((value - ends[0]) / span, 0.0), 1.0)
    spread = variance / span**2

    def limits(level: float) -> Ends:
        tail = 0.5 + level / 2
        few = float((stdtrit(max(rows - 1, 1), tail) / stdtrit(max(units - 1, 1), tail)) ** 2) if level > 0 else 1.0
        worth = share * (1 - share) / spread * few if spread > 0 and 0 < share < 1 else min(units, rows)
        worth = max(min(worth, rows), 1.0)
        whole = np.asarray(worth)
        low, high = clopper_pearson(Share(share * whole, whole, whole), level)
        return ends[0] + span * float(low), ends[0] + span * float(high)

    return Reach("korn_graubard", value, limits, units)


def guarded_variance(variance: float, units: float, rows: float, bound: float) -> float:
    """The variance of a mean, from draws of its units: a little larger, and with one imagined row more on either side.

    >>> guarded_variance(0.0, 10, 100, 1.0)
    0.002
    """
    return variance * units / (units - 1) + 2 * bound**2 / (units * rows)


def guarded_reach(value: float, variance: float, units: float, rows: float, bound: float) -> Reach:
    """A mean, or a difference, of units that differ by at most `bound`: Student's limits with the guarded error."""
    return student_reach("guarded", value, guarded_error(variance, units, rows, bound), units)


def unbounded_error(variance: float, units: float) -> float:
    """The standard error of a difference of means whose units have no bound, from the variance of draws of its units.

    Two more units are imagined, as far out on either side as the largest, which is taken to hold 1/√n of all squares:
    few units seldom hold the ones that matter most.

    >>> round(unbounded_error(0.01, 100), 4), round(unbounded_error(0.01, 10_000), 4)
    (0.1085, 0.101)
    """
    imagined = 1 + 2 / math.sqrt(units)
    return math.sqrt(variance * units / (units - 1) * imagined * units**2 / ((units + 1) * (units + 2)))


def unseen_loss(mean: float, largest: Array, rows: float, power: float) -> float:
    """What an error that was not seen may cost: losses are errors to a power, of which these are the largest.

    `FURTHER` times as far off as the largest seen, or `GROSS` times as far as errors usually are, whichever is more.

    >>> unseen_loss(1.0, np.array([9.0, 5.0, 4.0]), 9.0, 2.0)
    36.0
    """
    return float(max(FURTHER**power * largest[0], GROSS**power * typical_loss(mean, largest, rows)))


def with_unseen(reach: Reach, mean: float, unseen: tuple[float, float], back: Callable[[float], float]) -> Reach:
    """Limits of a mean of losses, or of what `back` makes of one, that also allow for rare ones which were not seen.

    Rows of a kind that is 1 − α^(1/n) of all (about 3 in n) may show none in n. `unseen` is what each costs, and n,
    rows in effect. The limit is at least what such rows would make of the mean.

    >>> reach = with_unseen(Reach("a", 1.0, lambda level: (0.8, 1.2), 100.0), 1.0, (56.25, 100.0), math.sqrt)
    >>> [round(end, 3) for end in reach.at(0.90)]
    [0.8, 1.631]
    """

    far, rows = unseen

    def limits(level: float) -> Ends:
        low, high = reach.limits(level)
        end = back(mean + unseen_share(max((1 - level) / 2, SMALLEST), rows) * far)
        return min(low, end), max(high, end)

    note = "" if limits(0.9) == reach.limits(0.9) else UNSEEN_ERRORS
    return replace(reach, limits=limits, note=noted(reach.note, note))


def unseen_share(error: float, units: float) -> float:
    """The largest share of rows of some kind that may show none in so many units, but for this error.

    >>> round(unseen_share(0.05, 100), 4)
    0.0295
    """
    return float(1 - error ** (1 / max(units, 1.0)))


def student_reach(method: str, value: float, error: float, units: float) -> Reach:
    """Student's limits."""
    from scipy.special import stdtrit

    def limits(level: float) -> Ends:
        reach = float(stdtrit(max(units - 1, 1e-9), 0.5 + level / 2)) * error if units > 1 else math.nan
        return value - reach, value + reach

    return Reach(method, value, limits, units)


def drawn_reach(method: str, value: float, draws: Array, units: float | None, rows: float) -> Reach:
    """The percentiles of draws, further out where units are few; beyond the number of draws nothing can be told."""
    known = draws[~np.isnan(draws)]

    def limits(level: float) -> Ends:
        bounds = percentile(method, known, level, units)
        return float(bounds.low), float(bounds.high)

    return Reach(method, value, limits, rows, smallest=1 / (len(known) + 1))


def on_either_side(reach: Reach, draws: Array) -> Reach:
    """Limits from draws, reaching also as far as they would were draws not off the value on average.

    Prior mass spread over many categories pulls a coefficient of agreement towards none; a limit on one side, which
    has no other to make up for it, would then err more often than it says.

    >>> reach = on_either_side(Reach("a", 0.7, lambda level: (0.5, 0.8), 100.0), np.array([0.6, 0.7]))
    >>> [round(end, 3) for end in reach.at(0.90)]
    [0.5, 0.85]
    """
    known = draws[~np.isnan(draws)]
    off = float(known.mean()) - reach.value if len(known) else 0.0

    def limits(level: float) -> Ends:
        low, high = reach.limits(level)
        return min(low, low - off), max(high, high - off)

    return replace(reach, limits=limits)


def added_reach(first: Reach, second: Reach, correlation: float, share: float = 1.0) -> Reach:
    """A difference, from the limits of its two parts, squared and added (Zou and Donner 2008)."""
    value = first.value - share * second.value

    def limits(level: float) -> Ends:
        (low_1, high_1), (low_2, high_2) = first.at(level), second.at(level)

        def distance(this: float, other: float) -> float:
            return math.sqrt(max(this**2 - 2 * correlation * this * other + other**2, 0.0))

        below = distance(first.value - low_1, share * (high_2 - second.value))
        above = distance(high_1 - first.value, share * (second.value - low_2))
        return value - below, value + above

    units, smallest = min(first.units, second.units), max(first.smallest, second.smallest)
    return Reach("square_and_add", value, limits, units, smallest=smallest)


def share_sequence_reach(part: float, whole: float) -> Reach:
    """A share that is looked at however often: all bounds whose evidence against has not reached 1/α.

    >>> reach = share_sequence_reach(290, 300)
    >>> round(reach.at(0.90)[0], 3), reach.p(0.85, lower=True) < 0.05
    (0.929, True)
    """
    right, rows = round(part), round(whole)

    def limits(level: float) -> Ends:
        error = (1 - level) / 2
        low = _furthest(lambda bound: share_e_value(right, rows, bound) >= 1 / error, right / rows, 0.0)
        high = _furthest(lambda bound: share_e_value(rows - right, rows, 1 - bound) >= 1 / error, right / rows, 1.0)
        return low, high

    return Reach("e_value", part / whole, limits, whole)


def mean_sequence_reach(value: float, error: float, units: float) -> Reach:
    """A mean, or a difference, that is looked at however often: the sequence of Waudby-Smith and others (2024)."""

    def limits(level: float) -> Ends:
        if units < FIRST_LOOK:
            return math.nan, math.nan
        # One side of a sequence at 2α errs at most α.
        reach = mean_sequence(error * math.sqrt(units), int(units), min(1 - level, 0.999))
        return value - reach, value + reach

    return Reach("mean_sequence", value, limits, units)


def _furthest(shown: Callable[[float], bool], inner: float, outer: float) -> float:
    """The bound nearest to the value that is shown, by bisection between the value and the end of the scale."""
    step = 1e-9 if outer > inner else -1e-9
    if inner == outer or not shown(outer - step):
        return outer
    inner, outer = inner + step, outer - step
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inner, outer = (inner, middle) if shown(middle) else (middle, outer)
    return outer
