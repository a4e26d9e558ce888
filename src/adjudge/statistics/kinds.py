"""What statistics of kinds of units share: a row for each kind, and how many units are of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import numpy as np

from adjudge.statistics.base import Array, ratio


@dataclass(frozen=True, slots=True)
class View:
    """The same units as seen by some of the raters: the statistic, and what turns a replicate of all into one of it."""

    statistic: Any
    of: Callable[[Any], Any]


class Kinds:
    """Units that are alike counted together: replicates are other counts of the same kinds. For frozen dataclasses."""

    counts: Array  # (…, kinds), weight of the units of each kind
    squares: Array  # (kinds,), squared case weights
    rows: int

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same units, one after another."""
        return parts[0].with_counts(np.concatenate([part.counts for part in parts]))

    def with_counts(self, counts: Array) -> Self:
        """The same kinds, counted otherwise."""
        changed: Self = replace(cast(Any, self), counts=counts)
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
    def one_item(self) -> float:
        """What one of the effective units weighs; 0 when there are none."""
        return float(np.nan_to_num(ratio(self.squares.sum(), self.counts.sum())))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units."""
        return np.asarray(ratio(self.counts.sum(-1) ** 2, self.squares.sum()))
