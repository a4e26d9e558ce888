"""Statistics without replicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Judgements_contra, Pilot_contra, Statistic


class Undrawn(Statistic[Judgements_contra, Pilot_contra]):
    """A statistic without replicates: what follows from it has intervals by formula, or none."""

    @property
    def effective_rows(self) -> Array:
        """Every unit counts one."""
        return np.asarray(float(self.rows))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Refused."""
        raise SettingError(f"{type(self).__name__} has no replicates: it is shown without intervals, or by formula.")

    def without_one(self) -> tuple[Self, Array]:
        """Refused, as replicates are."""
        raise SettingError(f"{type(self).__name__} cannot leave out one unit: it has no replicates.")

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """The one there is: explicit weights make no replicates of it."""
        return parts[0]

    def tile(self, start: int, stop: int) -> Self:
        """The same."""
        return self
