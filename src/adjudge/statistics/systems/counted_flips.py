"""What becomes of units from one system to another: both do them well, only one does, neither does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.statistics.base import Array, Codes, Judgements_contra, Pilot_contra, check_same_pilot, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_linear_sums import OfLinearSums

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
