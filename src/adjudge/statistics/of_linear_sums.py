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
    counting: ClassVar[str] = "n"  # the sum to which every unit adds one

    @property
    def rows(self) -> int:
        """How many rows were summed, whatever they weigh."""
        return self.sums.rows

    @property
    def total(self) -> Array:
        """The weight of all units, (…)."""
        return self.sums.of(self.counting)

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units."""
        return np.asarray(ratio(self.total**2, self.sums.squares_of(self.counting)))

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
