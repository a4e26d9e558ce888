"""Residuals and references as distributions: what is no sum, such as the median error and the best constant answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Self

import numpy as np

from adjudge.data.judgements.numbers import PredictedNumbers, predicted_numbers
from adjudge.statistics.base import Array, Codes, check_same_pilot, ratio
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.numbers.distribution import Distribution
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights

# Replicates have at most about this many cells: as fine as the rows near the median, coarser further off.
MOST_CELLS = 1_024
# Around the median, cells of a tenth of its standard error, as far as this many standard errors.
REACH = 12
# Cells in which explicit draws are counted.
GRID_CELLS = 512


@dataclass(frozen=True)
class Residuals(OfArrays[PredictedNumbers, Array]):
    """Reference less prediction, and the reference itself, each by its size, with the sign told apart.

    Exact up to as many distinct values as a curve is, and grouped by leading bits beyond; the largest error always is.
    Replicates are of absolute errors alone, in few cells where there are many values.

    Laws: those of `Curve`.

    >>> residuals = Residuals.of_arrays([1, 2, 6], [1, 3, 4])
    >>> residuals.sizes.values.tolist(), float(residuals.signed.quantile(0.5)), float(residuals.labels.quantile(0.5))
    ([0.0, 1.0, 2.0], 0.0, 2.0)
    """

    residuals: Curve
    references: Curve
    largest: float  # absolute error
    draws: Distribution | None = None  # of absolute errors; None when these are no replicates

    replicated: ClassVar[tuple[str, ...]] = ("draws",)
    read_arrays = staticmethod(predicted_numbers)

    @classmethod
    def grid(cls, numbers: PredictedNumbers) -> Array:
        """Cells for explicit draws, from the first rows: absolute errors that about equally many rows lie between."""
        sizes = np.abs(numbers.residuals)
        if not sizes.size:
            return np.zeros(1)
        cuts = np.quantile(sizes, np.arange(1, GRID_CELLS) / GRID_CELLS, method="higher")
        return np.unique(np.append(0.0, cuts))[::-1]

    @classmethod
    def summing(cls, judgements: PredictedNumbers, pilot: Array | None = None) -> Callable[[Weights], Self]:
        """What turns weights into the distributions of these rows: by value, or in the cells of a grid."""
        left, labels = _scored(judgements.residuals), _scored(judgements.reference)
        return partial(cls._summed, left, labels, pilot)

    @classmethod
    def _summed(cls, left: Scored, labels: Scored, grid: Array | None, weights: Weights) -> Self:
        plain = replace(weights, draws=None)
        counted = left.score if weights.case is None else left.score[weights.case > 0]
        largest = float(counted.max(initial=-np.inf))
        if weights.draws is None and grid is None:
            return cls(Curve.collect(left, plain), Curve.collect(labels, plain), largest)
        cells = np.unique(left.score)[::-1] if grid is None else grid
        counts = Curve.summing(left, cells)(weights)
        return cls(Curve.empty(), Curve.empty(), largest, Distribution.of_sizes(counts.points))

    def __add__(self, other: Self) -> Self:
        largest = max(self.largest, other.largest)
        if (self.draws is None) != (other.draws is None):
            plain, binned = (self, other) if self.draws is None else (other, self)
            check_same_pilot("Whether errors are in the cells of a grid", plain.rows > 0, False)
            return replace(binned, largest=largest)
        if self.draws is None or other.draws is None:
            residuals, references = self.residuals + other.residuals, self.references + other.references
            return replace(self, residuals=residuals, references=references, largest=largest)
        return replace(self, draws=self.draws + other.draws, largest=largest)

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.residuals.rows

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return self.residuals.effective_rows

    @property
    def total(self) -> Array:
        """The weight of all rows, (…)."""
        return self.sizes.total

    @cached_property
    def sizes(self) -> Distribution:
        """Absolute errors."""
        return Distribution.of_sizes(self.residuals.points) if self.draws is None else self.draws

    @cached_property
    def signed(self) -> Distribution:
        """Residuals: reference less prediction."""
        return Distribution.of_signed(self.residuals.points)

    @cached_property
    def labels(self) -> Distribution:
        """The references."""
        return Distribution.of_signed(self.references.points)

    @cached_property
    def coarse(self) -> Distribution:
        """Absolute errors in few cells, for replicates."""
        sizes = self.sizes
        if len(sizes.values) <= MOST_CELLS:
            return sizes
        return sizes.in_cells(_fine_at_the_median(sizes.counts, float(sizes.effective_rows)))

    def scaled(self, unit: float) -> Self:
        """The same values with all weights multiplied."""
        return replace(self, residuals=self.residuals.scaled(unit), references=self.references.scaled(unit))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of the absolute errors."""
        return replace(self, draws=self.coarse.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Self, Array]:
        """The absolute errors without one row of each cell, and how many rows the cell has."""
        left, rows = self.coarse.without_one()
        return replace(self, draws=left), rows

    def in_cells_of(self, draws: Self) -> Self:
        """The absolute errors in the cells of draws, each at the mean of its rows."""
        assert draws.draws is not None, "draws are counted in cells"
        sizes, lowest = self.sizes, draws.draws.values
        starts = np.searchsorted(sizes.values, lowest)
        ends = np.append(starts[1:], len(sizes.values))
        starts[0] = 0  # what lies below the first cell counts as in it
        weight, total = (np.append(0.0, np.cumsum(of)) for of in (sizes.counts, sizes.counts * sizes.values))
        counts = weight[ends] - weight[starts]
        values = np.where(counts > 0, ratio(total[ends] - total[starts], counts), lowest)
        return replace(self, draws=replace(draws.draws, values=values, counts=counts))

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were counted in these cells."""
        base = (self.in_cells_of(draws) if self.draws is None else self).draws
        assert base is not None
        assert draws.draws is not None, "draws are counted in cells"
        return replace(self, draws=replace(base, counts=draws.draws.counts))


def _scored(values: Array) -> Scored:
    """PredictedNumbers by their size, and whether they lie from 0 up."""
    return Scored(values >= 0, np.abs(values))


def _fine_at_the_median(counts: Array, rows: float) -> Codes:
    """Where cells begin: at equal steps of the rank, and at tenths of the median's standard error around it."""
    below = np.cumsum(counts)
    error = 0.5 / np.sqrt(max(rows, 1.0))
    near = 0.5 + error * np.arange(-10 * REACH, 10 * REACH + 1) / 10
    steps = MOST_CELLS - len(near)
    shares = np.concatenate([np.arange(steps) / steps, np.clip(near, 0.0, 1.0)])
    return np.unique(np.searchsorted(below, shares * below[-1]).clip(0, len(counts) - 1))
