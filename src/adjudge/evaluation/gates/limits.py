"""The limit that a gate believes: for each kind of number the method that seldom lets a bad system pass.

docs/validation/decisions.md has how seldom. Where no method is to be trusted there is a reason instead of a limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.evaluation.measuring.rows import FLAT, TOO_FEW, Measured
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.regression import rows_in_effect
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.inference.reach import (
    Ends,
    Reach,
    drawn_reach,
    guarded_reach,
    guarded_variance,
    mean_sequence_reach,
    on_either_side,
    share_reach,
    share_sequence_reach,
    unseen_loss,
    with_unseen,
    worth_reach,
)
from adjudge.inference.replicate_values import centred, replicate_values, variance_of
from adjudge.inference.resampling import RESAMPLED, Replicates
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.intervals import Quantity, Tail
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion

# A sequence for any number of looks is known of shares, means and differences of these.
NOT_ANY = "no limits are known that hold at any number of looks; plan a number of them"
# Coefficients of agreement whose first limits are believed, not smoothed draws: docs/validation/heldout.md.
OF_ITEMS = ("wilson_of_items", "scheffe")
NO_INTERVAL = "no interval is known that holds of it"


class NoLimit(Exception):
    """There is no limit to be trusted; the message says why."""


@dataclass(frozen=True)
class Number:
    """One number of one system in one slice: a metric, and the category it is about."""

    measured: Measured
    metric: Metric
    category: str = ""

    @property
    def statistic(self) -> Any:  # of the kind that the metric is over
        """What the metric divides."""
        return self.measured.statistics[self.metric.over]

    @property
    def place(self) -> int | None:
        """Where the category stands; None for a metric of all."""
        return self.statistic.categories.index(self.category) if self.metric.by_category else None

    def at(self, values: Array) -> Array:
        """This number's part of an array whose last axis is categories."""
        return values if self.place is None else values[..., self.place]

    @property
    def value(self) -> float:
        """The estimate; NaN where undefined or refused."""
        if self.refused:
            return math.nan
        return float(self.at(self.metric.values(self.statistic)))

    @property
    def refused(self) -> str:
        """Why the metric cannot be said of this system at all."""
        return self.measured.refusal(self.metric)

    @property
    def plain(self) -> bool:
        """Whether rows are independent and weigh the same."""
        rows, effective = self.statistic.rows, getattr(self.statistic, "effective_rows", None)
        return not self.measured.clustered and (effective is None or abs(float(effective) - rows) <= 1e-6 * rows)

    @property
    def units(self) -> float:
        """How many units are behind the number: those of a share, clusters where rows belong together."""
        units = self.measured.units_of(self.metric)
        if self.measured.clustered or self.metric.share is None or self.metric.average is not None:
            return units
        share = self.share
        return units if share is None else share[1]

    @property
    def share(self) -> tuple[float, float] | None:
        """The share that the number is, as part and whole in effective rows; None where it is none as it stands."""
        if self.metric.share is None or self.metric.average is not None:
            return None
        if self.metric.over is not Confusion and self.metric.by_category:
            return None
        share = self.metric.share(self.statistic, **self.metric.settings)
        if share is None or share.through is not None or np.ndim(share.part) != (self.place is not None):
            return None
        part, whole = (float(self.at(np.asarray(one))) for one in (share.part, share.whole))
        squares = np.asarray(share.squares)
        square = float(self.at(squares) if squares.ndim else squares)
        if not (whole > 0 and square > 0):
            return None
        return part / whole * whole**2 / square, whole**2 / square

    def draws(self, kind: str = "bootstrap") -> tuple[Array, Replicates] | None:
        """The number in every replicate, and what was drawn; None without replicates."""
        for replicates in getattr(self.measured, kind):
            if self.metric.over in replicates.base:
                (values,) = replicate_values(replicates, [self.metric])
                if kind != "bayesian":
                    point = self.metric.values(self.statistic)
                    values = centred(self.metric, values, point, replicates, self.statistic)
                return np.asarray(self.at(values)), replicates
        return None

    @property
    def bounded(self) -> Ends | None:
        """The ends of the metric's scale, where it has both."""
        return self.metric.range if all(map(math.isfinite, self.metric.range)) else None


def limit_of(number: Number, *, any_looks: bool = False) -> Reach:
    """The limits of one number, by the method that gates use for its kind; raises `NoLimit` where there is none."""
    value, share = number.value, number.share
    if not math.isfinite(value):
        raise NoLimit(number.refused or "undefined")
    if number.metric.intervals == ("none",):
        raise NoLimit(NO_INTERVAL)
    if flat := number.measured.flat(number.metric):
        raise NoLimit(flat)
    if any_looks:
        return _at_any_look(number)
    if number.plain and share is not None:
        return share_reach(*share)
    for limit in (_by_formula, _smoothed, _guarded, _from_replicates):
        if (reach := limit(number)) is not None:
            return reach
    few = number.measured.telling(number.metric)
    raise NoLimit(f"{TOO_FEW}: {few:.3g}" if few < 20 else FLAT)


def _at_any_look(number: Number) -> Reach:
    """Limits that hold however often one looks."""
    if number.share is not None and number.plain:
        return share_sequence_reach(*number.share)
    if number.metric.mean is None or number.bounded is None or not number.plain:
        raise NoLimit(NOT_ANY)
    moments = number.metric.mean(number.statistic, **number.metric.settings)
    n, variance = float(moments.effective_rows), float(moments.variance)
    error = guarded_error(variance / n, n, n, number.bounded[1] - number.bounded[0])
    return mean_sequence_reach(number.value, error, n)


def _by_formula(number: Number) -> Reach | None:
    """The first closed form that the metric names, applies and gives limits; none of what is drawn or guarded."""
    metric, measured = number.metric, number.measured
    if "bayesian" in metric.intervals and metric.share is None and metric.intervals[0] not in OF_ITEMS:
        return None
    if metric.mean is not None and number.bounded is not None and metric.intervals[0] not in ("rubin", "student"):
        return None
    is_share = metric.share is not None and metric.quantity is not Quantity.PR_AREA
    if is_share and not number.plain:
        return None
    names = ["clopper_pearson", "mover"] if is_share else [*metric.intervals]
    for name in names:
        if name in RESAMPLED or name == "none" or not measured.allows(name, number.statistic):
            continue
        if not measured.has_units_for(name, metric) or (name == "mover" and "mover" not in metric.intervals):
            continue
        limits = _ends_by(name, number)
        ends = limits(0.9)
        if any(map(math.isfinite, ends)) and ends[0] < ends[1]:
            return _with_unseen(Reach(name, number.value, limits, number.units), number)
    return None


def _with_unseen(reach: Reach, number: Number) -> Reach:
    """Of a mean of losses, what rare large errors that no row shows would make of the limit; others as they are."""
    metric, statistic = number.metric, number.statistic
    explained = metric.quantity is Quantity.EXPLAINED
    if metric.tail is None or not (explained or metric.direction is Direction.LOWER):
        return reach
    tail, largest = metric.tail(statistic, **metric.settings), getattr(statistic, "largest", None)
    if largest is None or not isinstance(tail, Tail):
        return reach
    with np.errstate(over="ignore"):  # squares of the largest numbers are infinite
        falling = largest.of(tail.largest) ** tail.power
    mean = float(statistic.mean_of(tail.values))
    rows = rows_in_effect(statistic, tail.values, mean, falling)
    far = unseen_loss(mean, falling, rows, tail.power)
    if explained:  # one less the mean, in terms of the variance of the reference
        left = 1 - number.value
        return with_unseen(reach, left, (far * left / mean if mean > 0 else 0.0, rows), lambda share: 1 - share)
    root = metric.quantity is Quantity.ROOT_MEAN_SQUARE
    return with_unseen(reach, mean, (far, rows), math.sqrt if root else float)


def _ends_by(name: str, number: Number) -> Callable[[float], Ends]:
    def limits(level: float) -> Ends:
        bounds = closed_form(name, number.metric, number.statistic, level)
        if bounds is None:
            return math.nan, math.nan
        low, high = np.asarray(bounds.low), np.asarray(bounds.high)
        if number.place is not None and low.ndim:
            low, high = low[..., number.place], high[..., number.place]
        if low.ndim:  # one for each part of a mean
            return math.nan, math.nan
        return float(low), float(high)

    return limits


def _smoothed(number: Number) -> Reach | None:
    """Bayesian draws with prior mass, of coefficients of agreement."""
    if "bayesian" not in number.metric.intervals or number.metric.share is not None:
        return None
    draws = number.draws("bayesian")
    if draws is None or not number.measured.has_units_for("bayesian", number.metric):
        return None
    values, replicates = draws
    reach = drawn_reach("bayesian", number.value, values, replicates.units_of(number.metric.over), number.units)
    return _cut(on_either_side(reach, values), number)


def _guarded(number: Number) -> Reach | None:
    """A mean of values in a known range, of rows that are alike."""
    if number.metric.mean is None or number.bounded is None or not number.plain:
        return None
    moments = number.metric.mean(number.statistic, **number.metric.settings)
    n, variance = float(moments.effective_rows), float(moments.variance)
    if not n > 1:
        raise NoLimit(f"{TOO_FEW}: {n:.3g}")
    # The mean, as a share of as many rows as its variance is worth, knows how near the end of its scale it is;
    # Student's limits with the guard know its spread. What both allow is believed.
    guarded = guarded_reach(number.value, variance / n, n, n, number.bounded[1] - number.bounded[0])
    worth = replace(guarded, limits=_ends_by("worth", number))
    return _cut(_wider(guarded, worth), number)


def _wider(first: Reach, second: Reach) -> Reach:
    """The limits that hold in both."""

    def limits(level: float) -> Ends:
        (low_1, high_1), (low_2, high_2) = first.limits(level), second.limits(level)
        return min(low_1, low_2), max(high_1, high_2)

    return replace(first, limits=limits)


def _from_replicates(number: Number) -> Reach | None:
    """From replicates: of a known range as many rows as the variance is worth, otherwise their percentiles."""
    draws = number.draws()
    if draws is None or not number.measured.has_units_for("bootstrap", number.metric):
        return None
    values, _ = draws
    units, variance = drawn_units(number), variance_of(values)
    if number.bounded is not None:
        # Few units show too little of their variance; two imagined rows make up for it (docs/validation/decisions.md).
        rows, span = effective_rows(number), number.bounded[1] - number.bounded[0]
        spread = guarded_variance(variance, units, rows, span)
        reach = worth_reach(number.value, spread, number.bounded, units=units, rows=rows)
        return replace(reach, units=number.units)
    if variance <= 0:
        return None
    return _cut(drawn_reach("bootstrap", number.value, values, units, number.units), number)


def drawn_units(number: Number) -> float:
    """What varies by itself: clusters, or rows in effect."""
    return max(number.units if number.measured.clustered else effective_rows(number), 2.0)


def effective_rows(number: Number) -> float:
    """Rows in effect behind a number."""
    if (share := number.share) is not None:
        return max(share[1], 2.0)
    if number.metric.assisted is not None and number.metric.pairs is not None:  # rows that only a judge saw are none
        return max(float(number.metric.pairs(number.statistic)), 2.0)
    effective = getattr(number.statistic, "effective_rows", number.statistic.rows)
    return max(float(np.min(effective)), 2.0)


def _cut(reach: Reach, number: Number) -> Reach:
    """The same limits, not beyond the metric's scale."""
    low_end, high_end = number.metric.range

    def limits(level: float) -> Ends:
        low, high = reach.limits(level)
        return max(low, low_end), min(high, high_end)

    return replace(reach, limits=limits)
