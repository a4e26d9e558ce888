"""Statistics whose numbers are linear sums: what they share, whatever they sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from adjudge.statistics.base import Array, Judgements_contra, Pilot_contra, Statistic, ratio
from adjudge.statistics.linear_sums import LinearSums


@dataclass(frozen=True)
class OfLinearSums(Statistic[Judgements_contra, Pilot_contra]):
    """A statistic whose numbers are linear sums: it is scaled and drawn as they are."""

    sums: LinearSums

    replicated: ClassVar[tuple[str, ...]] = ("sums",)

    @property
    def rows(self) -> int:
        """How many rows were summed, whatever they weigh."""
        return self.sums.rows

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of all sums together: what was summed as one unit is drawn as one."""
        return replace(self, sums=self.sums.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Self, Array]:
        """The sums without each unit in turn."""
        return self._without_each

    @cached_property
    def _without_each(self) -> tuple[Self, Array]:
        left, units = self.sums.without_one()
        return replace(self, sums=left), units


@dataclass(frozen=True)
class OfWeightedRows(OfLinearSums[Judgements_contra, Pilot_contra]):
    """Linear sums whose units may be clusters, with the squared weights of the rows themselves."""

    squares: float  # of the weights of rows

    def __add__(self, other: Self) -> Self:
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
