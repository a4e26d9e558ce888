"""What lies where: predictions and residuals by bins of the reference and of the prediction, and a histogram.

Aggregates only, for pictures: bins are chosen from the first rows, and everything beyond them goes to the outer bins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.numbers import PredictedNumbers, predicted_numbers
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Replicated, ratio
from adjudge.statistics.numbers.two_numbers import Centred, middle
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights

BINS = 30
# PairBins reach this many quartile ranges beyond the quartiles, or to the ends of the first rows if these are nearer.
FENCE = 3.0

Cells = NDArray[np.int64]


@dataclass(frozen=True)
class PairBins:
    """Where the bins of the reference, the prediction and the residual begin, and what to sum about."""

    edges: tuple[Array, Array, Array]  # (bins + 1,) each, rising
    centres: tuple[float, float, float]

    @classmethod
    def of(cls, numbers: PredictedNumbers) -> PairBins:
        """From the first rows."""
        x, y, residual = numbers.reference, numbers.prediction, numbers.residuals
        return cls((edges_of(x), edges_of(y), edges_of(residual)), (middle(x), middle(y), middle(residual)))

    def same(self, other: PairBins) -> bool:
        """Whether two parts have the same bins."""
        return self.centres == other.centres and all(map(np.array_equal, self.edges, other.edges))


@dataclass(frozen=True)
class BinSums(Replicated):
    """Sums in bins of one number: of itself, of the other one and of the residual, about constants."""

    counts: Array  # (…, bins)
    own: Array
    other: Array
    other_squared: Array
    residual: Array
    residual_squared: Array
    squares: Array  # (bins,), squared case weights

    replicated: ClassVar[tuple[str, ...]] = (
        "counts",
        "own",
        "other",
        "other_squared",
        "residual",
        "residual_squared",
    )

    def __add__(self, other: Self) -> Self:
        return replace(self, **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    def joined(self, least: float) -> Self:
        """Neighbouring bins put together until each has this many effective rows; all in one where there are fewer."""
        starts, total, squares = [0], 0.0, 0.0
        for place, (count, square) in enumerate(zip(self.counts, self.squares, strict=True)):
            if total**2 >= least * squares > 0:
                starts.append(place)
                total = squares = 0.0
            total, squares = total + count, squares + square
        if len(starts) > 1 and not total**2 >= least * squares > 0:
            starts.pop()
        return replace(self, **{f.name: np.add.reduceat(getattr(self, f.name), starts) for f in fields(self)})

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        scaled = {f.name: getattr(self, f.name) * unit for f in fields(self)}
        return replace(self, **scaled | {"squares": self.squares * unit**2})


@dataclass(frozen=True)
class Conditional:
    """One number within bins of another: where the rows of a bin lie, and the mean and spread of the number there."""

    position: Array  # (…, bins), mean of the number that is binned
    number: Centred
    effective_rows: Array


@dataclass(frozen=True)
class ConditionalCells(OfArrays[PredictedNumbers, PairBins]):
    """Sums within bins of the reference and of the prediction, and a histogram of residuals.

    Laws: two parts with the same bins, added, equal the whole, in any order; parts with other bins are refused.
    Replicates come from explicit weights alone: the intervals of means in bins are by formula.

    >>> cells = ConditionalCells.of_arrays([1, 2, 3, 4], [1, 2, 3, 5])
    >>> cells.by_reference.counts.sum().tolist(), cells.prediction_by_reference.number.mean[-1].tolist()
    (4.0, 5.0)
    """

    bins: PairBins
    by_reference: BinSums
    by_prediction: BinSums
    histogram: Array  # (…, bins) of residuals
    rows: int

    replicated: ClassVar[tuple[str, ...]] = ("by_reference", "by_prediction", "histogram")
    read_arrays = staticmethod(predicted_numbers)

    @classmethod
    def pilot(cls, numbers: PredictedNumbers) -> PairBins:
        """The bins, from the first rows."""
        return PairBins.of(numbers)

    @classmethod
    def summing(cls, judgements: PredictedNumbers, pilot: PairBins | None = None) -> Callable[[Weights], Self]:
        """What turns weights into the sums of these rows."""
        bins = cls.pilot(judgements) if pilot is None else pilot
        columns = (judgements.reference, judgements.prediction, judgements.residuals)
        places = [bin_of(edges, column) for edges, column in zip(bins.edges, columns, strict=True)]
        centred = [column - centre for column, centre in zip(columns, bins.centres, strict=True)]
        return partial(cls._summed, bins, places, centred)

    @classmethod
    def _summed(cls, bins: PairBins, places: Sequence[Cells], columns: Sequence[Array], weights: Weights) -> Self:
        x, y, residual = columns
        sizes = [len(edges) - 1 for edges in bins.edges]
        return cls(
            bins,
            _sums(places[0], sizes[0], (x, y, residual), weights),
            _sums(places[1], sizes[1], (y, x, residual), weights),
            weights.sum_by(places[2], sizes[2]),
            weights.rows,
        )

    def __add__(self, other: Self) -> Self:
        if not self.bins.same(other.bins):
            raise SettingError("Sums in bins can be added only where the bins are the same, but they differ.")
        return replace(
            self,
            by_reference=self.by_reference + other.by_reference,
            by_prediction=self.by_prediction + other.by_prediction,
            histogram=self.histogram + other.histogram,
            rows=self.rows + other.rows,
        )

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.by_reference.counts.sum(-1) ** 2, self.by_reference.squares.sum()))

    @property
    def prediction_by_reference(self) -> Conditional:
        """Predictions within bins of the reference."""
        return self._other(self.by_reference, 0, 1)

    @property
    def reference_by_prediction(self) -> Conditional:
        """References within bins of the prediction."""
        return self._other(self.by_prediction, 1, 0)

    @property
    def residual_by_reference(self) -> Conditional:
        """Residuals within bins of the reference."""
        return self._residual(self.by_reference, 0)

    @property
    def residual_by_prediction(self) -> Conditional:
        """Residuals within bins of the prediction."""
        return self._residual(self.by_prediction, 1)

    def _other(self, sums: BinSums, own: int, other: int) -> Conditional:
        number = Centred(sums.counts, sums.other, sums.other_squared, self.bins.centres[other])
        return self._conditional(sums, own, number)

    def _residual(self, sums: BinSums, own: int) -> Conditional:
        number = Centred(sums.counts, sums.residual, sums.residual_squared, self.bins.centres[2])
        return self._conditional(sums, own, number)

    def _conditional(self, sums: BinSums, own: int, number: Centred) -> Conditional:
        position = self.bins.centres[own] + ratio(sums.own, sums.counts)
        return Conditional(position, number, ratio(sums.counts**2, sums.squares))

    def joined(self, least: float) -> Self:
        """Neighbouring bins put together until each has this many effective rows.

        >>> ConditionalCells.of_arrays([1, 2, 3, 4], [1, 2, 3, 5]).joined(2).by_reference.counts.tolist()
        [2.0, 2.0]
        """
        by_reference, by_prediction = self.by_reference.joined(least), self.by_prediction.joined(least)
        return replace(self, by_reference=by_reference, by_prediction=by_prediction)

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        by_reference, by_prediction = self.by_reference.scaled(unit), self.by_prediction.scaled(unit)
        return replace(self, by_reference=by_reference, by_prediction=by_prediction, histogram=self.histogram * unit)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Refused: what a bin holds is summed up, and its rows cannot be drawn from the sums."""
        raise SettingError("Sums in bins have no replicates of their own: their intervals are by formula.")

    def without_one(self) -> tuple[Self, Array]:
        """Refused, as replicates are."""
        raise SettingError("Sums in bins cannot leave out one row: its numbers are summed up.")


def edges_of(values: Array) -> Array:
    """Where bins of equal width begin and the last one ends: over the values, but not far beyond most of them.

    >>> edges_of(np.arange(31.0))[[0, 1, -1]].tolist()
    [0.0, 1.0, 30.0]
    """
    if not values.size:
        return np.linspace(0.0, 1.0, BINS + 1)
    lower, upper = np.quantile(values, [0.25, 0.75])
    reach = FENCE * (upper - lower)
    low, high = max(values.min(), lower - reach), min(values.max(), upper + reach)
    if not high > low:
        low, high = values.min(), values.max()
    if not high > low:
        half = max(abs(low), 1.0) / 2
        low, high = low - half, high + half
    return np.linspace(low, high, BINS + 1)


def bin_of(edges: Array, values: Array) -> Cells:
    """The bin of each value; one on an edge belongs to the bin above, and those beyond the ends to the outer bins."""
    return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)


def _sums(cells: Cells, size: int, columns: tuple[Array, Array, Array], weights: Weights) -> BinSums:
    own, other, residual = columns

    def summed(values: Array) -> Array:
        case = values if weights.case is None else values * weights.case
        return replace(weights, case=case).sum_by(cells, size)

    counts, squares = weights.sums_by(cells, size)
    with np.errstate(over="ignore", invalid="ignore"):  # squares of the largest numbers are infinite
        return BinSums(
            counts, summed(own), summed(other), summed(other**2), summed(residual), summed(residual**2), squares + 0.0
        )
