"""Pairs of answers themselves, where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.errors import SettingError
from adjudge.statistics.base import Array
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class PairUnits(Undrawn[PairVotes, None]):
    """Every pair with its weight, in the order of the table: as large as the table."""

    fitted: ClassVar[bool] = True  # metrics of it are rows that a study makes, those of requirements, too
    parts: tuple[PairVotes, ...]
    case: tuple[Array | None, ...]  # weights of the pairs of each part
    rows: int
    unit: float = 1.0

    @classmethod
    def summing(cls, judgements: PairVotes, pilot: None = None) -> Callable[[Weights], Self]:
        """What turns weights into these pairs with them."""
        return lambda weights: cls((judgements,), (weights.case,), weights.rows)

    @classmethod
    def summing_arrays(
        cls, first: object, second: object = None, *, positive: object = None, categories: object = None
    ) -> tuple[int, Callable[[Weights], Self]]:
        """Two arrays are not enough."""
        raise SettingError(
            "This number must be fitted on whole pairs, with prompts, texts or models, not on arrays. "
            "Give the table to `adjudge.preference`."
        )

    def __add__(self, other: Self) -> Self:
        return replace(self, parts=self.parts + other.parts, case=self.case + other.case, rows=self.rows + other.rows)

    def scaled(self, unit: float) -> Self:
        """The same pairs with all weights multiplied."""
        return replace(self, unit=self.unit * unit)

    @cached_property
    def pairs(self) -> PairVotes:
        """All pairs."""
        return PairVotes.joined(self.parts)

    @cached_property
    def weight(self) -> Array:
        """The weight of each pair."""
        ones = [np.ones(len(part)) if case is None else case for part, case in zip(self.parts, self.case, strict=True)]
        return np.concatenate(ones) * self.unit
