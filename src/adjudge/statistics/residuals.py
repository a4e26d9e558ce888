"""Residuals and references as distributions: what is no sum, such as the median error and the best constant answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.numbers import Numbers, numbers_of
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Statistic
from adjudge.statistics.distribution import Distribution
from adjudge.statistics.weights import Weights

# Replicates have at most about this many cells: as fine as the rows near the median, coarser further off.
MOST_CELLS = 1_024
# Around the median, cells of a tenth of its standard error, as far as this many standard errors.
REACH = 12
# Cells in which explicit draws are counted.
PILOT_CELLS = 512


@dataclass(frozen=True)
class Residuals(Statistic):
    """Reference less prediction, and the reference itself, each at its distinct values.

    Replicates are of the sizes of residuals, without their sign, and of few cells where there are many values; explicit
    draws are counted in the cells of the pilot, which is carried along.

    Laws: those of `Distribution`.

    >>> residuals = Residuals.of_arrays([1, 2, 6], [1, 3, 4])
    >>> residuals.residuals.values.tolist(), residuals.sizes.values.tolist(), float(residuals.references.quantile(0.5))
    ([-1.0, 0.0, 2.0], [0.0, 1.0, 2.0], 2.0)
    """

    residuals: Distribution
    references: Distribution
    cuts: Array | None = None  # where the cells of explicit draws begin

    @classmethod
    def summing_arrays(
        cls, first: Any, second: Any = None, *, positive: Any = None, categories: Any = None
    ) -> tuple[int, Callable[[Weights], Self]]:
        """The distributions of two arrays of numbers."""
        numbers = numbers_of(first, second)
        return len(numbers), cls.summing(numbers)

    @classmethod
    def pilot(cls, numbers: Numbers) -> Array:
        """Where the cells of explicit draws begin: sizes of residuals that about equally many rows lie between."""
        sizes = np.abs(numbers.residuals)
        if not sizes.size:
            return np.zeros(1)
        return np.unique(np.append(0.0, np.quantile(sizes, np.arange(1, PILOT_CELLS) / PILOT_CELLS, method="higher")))

    @classmethod
    def summing(cls, judgements: Numbers, pilot: Array | None = None) -> Callable[[Weights], Self]:
        """What turns weights into the distributions of these rows."""
        return partial(cls._summed, judgements, pilot)

    @classmethod
    def _summed(cls, numbers: Numbers, cuts: Array | None, weights: Weights) -> Self:
        references = Distribution.collect(numbers.reference, replace(weights, draws=None))
        if weights.draws is None:
            return cls(Distribution.collect(numbers.residuals, weights), references, cuts)
        return cls(_drawn(np.abs(numbers.residuals), weights, cuts), references, cuts)

    def __add__(self, other: Self) -> Self:
        if self.cuts is not None and other.cuts is not None and not np.array_equal(self.cuts, other.cuts):
            raise SettingError("Residuals of parts must be counted in the same cells, but theirs differ.")
        cuts = other.cuts if self.cuts is None else self.cuts
        return replace(
            self, residuals=self.residuals + other.residuals, references=self.references + other.references, cuts=cuts
        )

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.residuals.rows

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return self.residuals.effective_rows

    @cached_property
    def sizes(self) -> Distribution:
        """The residuals without their sign: absolute errors."""
        return self.residuals.sizes

    @cached_property
    def coarse(self) -> Distribution:
        """The absolute errors in few cells, for replicates."""
        sizes = self.sizes
        if len(sizes.values) <= MOST_CELLS:
            return sizes
        return sizes.in_cells(_fine_at_the_median(sizes.counts, float(sizes.effective_rows)))

    def scaled(self, unit: float) -> Self:
        """The same values with all weights multiplied."""
        return replace(self, residuals=self.residuals.scaled(unit), references=self.references.scaled(unit))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of the absolute errors."""
        return replace(self, residuals=self.coarse.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Self, Array]:
        """The absolute errors without one row of each cell, and how many rows the cell has."""
        left, rows = self.coarse.without_one()
        return replace(self, residuals=left), rows

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were counted in the cells of the pilot, each cell at the mean of its own rows."""
        if draws.cuts is None:
            return draws
        sizes = self.sizes
        place = np.searchsorted(sizes.values, draws.cuts)
        weight, sums = (np.append(0.0, np.cumsum(of)) for of in (sizes.counts, sizes.counts * sizes.values))
        ends = np.append(place[1:], len(sizes.values))
        count, total = weight[ends] - weight[place], sums[ends] - sums[place]
        values = np.where(count > 0, total / np.where(count > 0, count, 1.0), draws.cuts)
        return replace(draws, residuals=replace(draws.residuals, values=values))

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return replace(parts[0], residuals=Distribution.stacked([part.residuals for part in parts]))

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, residuals=self.residuals.tile(start, stop))


def _drawn(sizes: Array, weights: Weights, cuts: Array | None) -> Distribution:
    """Explicit draws of absolute errors, at their distinct values or in the cells of the pilot."""
    if cuts is None:
        return Distribution.collect(sizes, weights)
    cells = np.maximum(np.searchsorted(cuts, sizes, side="right") - 1, 0)
    counts, squares = weights.sums_by(cells, len(cuts))
    ends = (float(sizes.min()), float(sizes.max())) if sizes.size else (np.inf, -np.inf)
    return Distribution(cuts, counts, squares, len(sizes), ends)


def _fine_at_the_median(counts: Array, rows: float) -> NDArray[np.int64]:
    """Where cells begin: at equal steps of the rank, and at tenths of the median's standard error around it."""
    below = np.cumsum(counts)
    error = 0.5 / np.sqrt(max(rows, 1.0))
    near = 0.5 + error * np.arange(-10 * REACH, 10 * REACH + 1) / 10
    shares = np.concatenate([np.arange(MOST_CELLS - len(near)) / (MOST_CELLS - len(near)), np.clip(near, 0.0, 1.0)])
    return np.unique(np.searchsorted(below, shares * below[-1]).clip(0, len(counts) - 1))
