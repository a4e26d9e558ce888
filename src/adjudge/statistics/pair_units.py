"""Pairs of answers: what is summed of their lengths, and the pairs themselves where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.pair_votes import PairVotes
from adjudge.data.votes import A, B
from adjudge.statistics.base import Array, Undrawn, ratio
from adjudge.statistics.weights import Weights

# What is summed of the pairs in which a column chose: how many, which answer, and how long the answers are.
SUMMED = ("pairs", "chose_a", "measured", "length_a", "length_b", "chosen", "rejected", "unequal", "longer")


@dataclass(frozen=True)
class PairTotals(Undrawn):
    """Sums and squared sums of `SUMMED`, for each column that is measured against."""

    sums: Array  # (columns, values)
    squares: Array
    weights: Array  # (columns, values): squared weights of the pairs behind a value
    rows: int

    @classmethod
    def summing(cls, judgements: PairVotes, pilot: object = None) -> Callable[[Weights], PairTotals]:
        """What turns weights into these sums."""
        values = np.stack([_values(judgements, column) for column in range(judgements.columns)])

        def sums(weights: Weights) -> PairTotals:
            case = np.ones(weights.rows) if weights.case is None else weights.case
            known = np.isfinite(values)
            plain = np.where(known, values, 0.0)
            weighted = plain * case[:, None]
            squared = (known * (case**2)[:, None]).sum(1)
            return cls(weighted.sum(1), (weighted * plain).sum(1), squared, weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            sums=self.sums + other.sums,
            squares=self.squares + other.squares,
            weights=self.weights + other.weights,
            rows=self.rows + other.rows,
        )

    def scaled(self, unit: float) -> Self:
        """The same pairs with all weights multiplied."""
        return replace(self, sums=self.sums * unit, squares=self.squares * unit, weights=self.weights * unit**2)

    def mean(self, column: int, name: str, over: str) -> tuple[float, float, float]:
        """The mean of a value over the pairs that `over` counts, its variance, and the effective number of pairs."""
        value, count = SUMMED.index(name), SUMMED.index(over)
        total = self.sums[column, count]
        mean = float(ratio(self.sums[column, value], total))
        variance = float(ratio(self.squares[column, value], total)) - mean**2
        return mean, max(variance, 0.0), float(ratio(total**2, self.weights[column, value]))


def _values(pairs: PairVotes, column: int) -> Array:
    """The values of each pair; those of a pair in which the column did not choose are unknown."""
    vote = pairs.votes[:, column]
    chose_a, chose = vote == A, (vote == A) | (vote == B)
    first, second = np.where(chose, pairs.lengths[:, 0], np.nan), np.where(chose, pairs.lengths[:, 1], np.nan)
    known = np.isfinite(first) & np.isfinite(second)
    chosen, rejected = np.where(chose_a, first, second), np.where(chose_a, second, first)
    unequal = np.where(known & (first != second), 1.0, np.nan)
    one = np.where(chose, 1.0, np.nan)
    longer = np.where(np.isnan(unequal), np.nan, chosen > rejected)
    measured = np.where(known, 1.0, np.nan)
    texts = [np.where(known, length, np.nan) for length in (first, second, chosen, rejected)]
    return np.stack([one, np.where(chose, chose_a, np.nan), measured, *texts, unequal, longer], axis=-1)


@dataclass(frozen=True)
class PairUnits(Undrawn):
    """Every pair with its weight, in the order of the table: as large as the table."""

    parts: tuple[PairVotes, ...]
    case: tuple[Array | None, ...]  # weights of the pairs of each part
    rows: int
    unit: float = 1.0

    @classmethod
    def summing(cls, judgements: PairVotes, pilot: object = None) -> Callable[[Weights], Self]:
        """What turns weights into these pairs with them."""
        return lambda weights: cls((judgements,), (weights.case,), weights.rows)

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
