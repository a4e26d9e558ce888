"""What statistics of kinds of units share: a row for each kind, and how many units are of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, Statistic, ratio
from adjudge.statistics.weights import summed_by


@dataclass(frozen=True, slots=True)
class View:
    """The same units as seen by some of the raters: the statistic, and what turns a replicate of all into one of it."""

    statistic: Any
    of: Callable[[Any], Any]


class Kinds(Statistic):
    """Units that are alike counted together: replicates are other counts of the same kinds. For frozen dataclasses."""

    counts: Array  # (…, kinds), weight of the units of each kind
    squares: Array  # (kinds,), squared case weights
    rows: int

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same units, one after another."""
        return parts[0].with_counts(np.concatenate([part.counts for part in parts]))

    def counted_with(self, other: Self, place: NDArray[np.int64], size: int) -> dict[str, Any]:
        """The counts of both parts' kinds, this one's first, each added at its place among `size` kinds."""
        cut = self.counts.shape[-1]
        return {
            "counts": summed_by(self.counts, place[:cut], size) + summed_by(other.counts, place[cut:], size),
            "squares": summed_by(np.concatenate([self.squares, other.squares]), place, size),
            "rows": self.rows + other.rows,
        }

    def with_counts(self, counts: Array) -> Self:
        """The same kinds, counted otherwise."""
        changed: Self = replace(cast(Any, self), counts=counts)
        return changed

    def scaled(self, unit: float) -> Self:
        """The same units with all weights multiplied."""
        changed: Self = replace(cast(Any, self), counts=self.counts * unit, squares=self.squares * unit**2)
        return changed

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return self.with_counts(self.counts[start:stop])

    def without_one(self) -> tuple[Self, Array]:
        """The counts without one unit of each kind, and how many units there are of it."""
        occupied = np.flatnonzero(self.counts)
        left = self.counts - np.eye(len(self.counts))[occupied]
        return self.with_counts(left), self.counts[occupied]

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return np.asarray(self.counts.sum(-1))

    @property
    def one_item(self) -> float:
        """What one of the effective units weighs; 0 when there are none."""
        return float(np.nan_to_num(ratio(self.squares.sum(), self.counts.sum())))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units."""
        return np.asarray(ratio(self.counts.sum(-1) ** 2, self.squares.sum()))
