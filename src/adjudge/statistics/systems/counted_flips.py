"""What becomes of units from one system to another: both do them well, only one does, neither does.

Counted alike, or by what units weigh and lose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Self

import numpy as np

from adjudge.data.judgements.unit_losses import Losing, UnitLosses, as_losses
from adjudge.data.reading import Units
from adjudge.statistics.base import (
    Array,
    Codes,
    Judgements_contra,
    Pilot_contra,
    check_same_pilot,
    ratio,
    steady_product,
)
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.systems.joint_rows import distinct_kinds
from adjudge.statistics.weights import Weights

# Done well by both, only by the other, only by the system that flips are counted from, by neither; and whether their
# answers differ, right or wrong.
BOTH, FIXED, BROKEN, NEITHER, DIFFERING = "both", "fixed", "broken", "neither", "differing"
FLIPS = (BOTH, FIXED, BROKEN, NEITHER, DIFFERING)


@dataclass(frozen=True)
class CountedFlips(OfLinearSums[Judgements_contra, Pilot_contra]):
    """Flips from one system to every other, in linear sums whose units may be clusters.

    Laws: those of `LinearSums`.
    """

    squares: float  # of the weights of rows
    kept: int  # the place of the system that flips are counted from

    def __add__(self, other: Self) -> Self:
        check_same_pilot("The system that flips are counted from", self.kept, other.kept)
        return replace(self, sums=self.sums + other.sums, squares=self.squares + other.squares)

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit), squares=self.squares * unit**2)

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares))

    @property
    def row(self) -> float:
        """What a row weighs, in effective ones."""
        return float(ratio(self.squares, self.total))

    def flips(self, place: int) -> LinearSums:
        """What became of units from the system that flips are counted from to another."""
        return replace(self.sums.only(flip_names(place)), names=FLIPS)


def flip_names(place: int) -> tuple[str, ...]:
    """What the sums of flips to a system are called."""
    return tuple(of_place(what, place) for what in FLIPS)


def of_place(what: str, place: int) -> str:
    """What a sum of one system is called."""
    return f"{what} {place}"


def flip_columns(losses: Array, answers: Array | Codes, kept: int, place: int, right_or_wrong: bool) -> list[Array]:
    """What each unit adds to the flips from one system to another.

    A unit that is right or wrong may be done well by neither; otherwise it is done as well, better or worse.
    """
    before, now = losses[:, kept], losses[:, place]
    fixed, broken = now < before, now > before
    neither = ~fixed & ~broken & (now > 0) if right_or_wrong else np.zeros(len(now), dtype=np.bool_)
    differ = answers[:, kept] != answers[:, place]
    return [part.astype(np.float64) for part in (~fixed & ~broken & ~neither, fixed, broken, neither, differ)]


@dataclass(frozen=True)
class DrawnSums(LinearSums):
    """Sums whose units are not kept, but were drawn: what a unit adds varies in the draws as much as it is squared.

    A unit's multiplicity has variance 1, so Σ u² is the variance of the drawn sums of u.
    """

    replicates: Array = field(kw_only=True)  # (replicates, D)

    def squared(self, values: Mapping[str, float]) -> Array:
        """The sum over units of the square of what a unit adds to a combination of totals."""
        factors = np.array([values.get(name, 0.0) for name in self.names])
        return np.asarray((self.replicates @ factors).var())


@dataclass(frozen=True)
class FlipSums(CountedFlips[Units, tuple[Losing, int, bool]]):
    """The weight of units that both systems do well, only this one, only the first, neither, and differently.

    The pilot is what turns judgements into losses, the place of the system that flips are counted from, and whether a
    unit is right or wrong; otherwise it is done as well, better or worse, and never by neither.

    Laws: those of `LinearSums`.

    >>> losses = UnitLosses(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 2], [2, 1], [1, 2]]))
    >>> sums = FlipSums.collect(losses, Weights(3, np.array([1.0, 2.0, 1.0])), (lambda one: one, 0, True))
    >>> sums.flips(1).totals.tolist()
    [0.0, 2.0, 2.0, 0.0, 4.0]
    """

    draws_by_level = True

    @classmethod
    def summing(cls, judgements: Units, pilot: tuple[Losing, int, bool] | None = None) -> Callable[[Weights], FlipSums]:
        """What turns weights into sums of these units."""
        losing, kept, right_or_wrong = pilot or (None, 0, True)
        losses = as_losses(judgements) if losing is None else losing(judgements)
        names, values = _values(losses, kept, right_or_wrong)

        def sums(weights: Weights) -> FlipSums:
            linear = LinearSums.collect(names, values, weights, losses.together)
            return cls(linear, float(len(values) if weights.case is None else (weights.case**2).sum()), kept)

        return sums

    @classmethod
    def summing_by(
        cls, judgements: Units, levels: Codes, size: int, pilot: tuple[Losing, int, bool] | None = None
    ) -> Callable[[Weights], list[Self | None]]:
        """The same of each level under draws, by kind of unit: few are not alike. Of draws, totals alone are asked."""
        losing, kept, right_or_wrong = pilot or (None, 0, True)
        losses = as_losses(judgements) if losing is None else losing(judgements)
        names, values = _values(losses, kept, right_or_wrong)
        kinds, kind = distinct_kinds(values.astype(np.int64))
        cells, nothing = levels * len(kinds) + kind, np.zeros((len(names), len(names)))

        def sums(weights: Weights) -> list[Self | None]:
            counts = weights.sum_by(cells, size * len(kinds))
            totals = steady_product(counts.reshape(-1, len(kinds)), kinds).reshape(*counts.shape[:-1], size, len(names))
            squares = np.bincount(levels, None if weights.case is None else weights.case**2, size)
            return [
                cls(LinearSums(tuple(names), totals[..., level, :], nothing, None, many, many), float(square), kept)
                if many
                else None
                for level, (many, square) in enumerate(zip(weights.rows_by(levels, size), squares, strict=True))
            ]

        return sums

    def flips(self, place: int, draws: Self | None = None) -> LinearSums:
        """What became of units from the first system to another; with draws, how that varies with what was drawn."""
        kept = super().flips(place)
        if draws is None:
            return kept
        totals = draws.flips(place).totals
        total = totals[:, : len(FLIPS) - 1].sum(axis=1)
        units = max(round(float(np.nan_to_num(ratio(total.mean() ** 2, total.var())))), 1)
        return DrawnSums(FLIPS, kept.totals, kept.products, None, kept.rows, units, replicates=totals)

    @property
    def total(self) -> Array:
        """The weight of all units, (…)."""
        return np.asarray(self.sums.totals[..., : len(FLIPS) - 1].sum(axis=-1))


def _values(losses: UnitLosses, kept: int, right_or_wrong: bool) -> tuple[list[str], Array]:
    """What each unit adds to each sum."""
    places = range(losses.losses.shape[1])
    columns = [flip_columns(losses.losses, losses.answers, kept, place, right_or_wrong) for place in places]
    return [name for place in places for name in flip_names(place)], np.stack([*chain(*columns)], axis=1)
