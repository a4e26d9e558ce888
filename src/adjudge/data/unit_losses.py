"""What each of several systems lost on each unit, the same units for all, and what it said there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.labels import Labels

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitLosses:
    """One row for each unit, one column for each system; less is better, NaN is not known."""

    losses: Array  # (units, systems)
    answers: Array  # (units, systems), what was said, equal where it is the same
    groups: Labels | None = None  # units whose systems are compared apart too: those of one label
    names: Labels | None = None  # of units
    told: Callable[[int, int], str] = lambda unit, system: (
        ""
    )  # what a system said of a unit, as text; -1: the reference

    def of_rows(self, rows: Rows) -> UnitLosses:
        """Some of the units."""
        told = self.told
        return replace(
            self,
            losses=self.losses[rows],
            answers=self.answers[rows],
            groups=None if self.groups is None else self.groups.of_rows(rows),
            names=None if self.names is None else self.names.of_rows(rows),
            told=lambda unit, system: told(int(rows[unit]), system),
        )
