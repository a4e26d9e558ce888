"""Errors of a system summed by slice level and human score: what the fairness regressions are worked out from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import distinct_numbers
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.data.judgements.responses import Responses
from adjudge.statistics.base import Array, Sums
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights

# Of a human score that is as good as continuous.
BINS = 10
# Human scores of more values than this are binned as they are summed.
MOST_VALUES = 1_000

SUMMED = ("counts", "first", "second")

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CellSums(Sums):
    """One value by cell: what the responses weigh, the sum, and the sum of squares about a constant."""

    counts: Array  # (groups, values)
    first: Array
    second: Array
    centre: float

    @classmethod
    def collect(cls, values: Array, weights: Array | None, cell: Places, shape: tuple[int, int]) -> Self:
        """Sum a value of each response."""
        centre = float(values.mean()) if len(values) else 0.0
        apart = values - centre
        w = np.ones(len(values)) if weights is None else weights
        counts, first, second = (
            np.bincount(cell, weights=amount, minlength=shape[0] * shape[1]).astype(np.float64).reshape(shape)
            for amount in (w, w * apart, w * apart**2)
        )
        return cls(counts, first, second, centre)

    def about(self, centre: float) -> Self:
        """The same sums about another constant."""
        by = self.centre - centre
        second = self.second + 2 * by * self.first + by**2 * self.counts
        return replace(self, first=self.first + by * self.counts, second=second, centre=centre)

    def placed(self, rows: Places, columns: Places, shape: tuple[int, int]) -> Self:
        """The same sums in the cells of another grid; cells that meet are added."""
        counts, first, second = (_placed(part, rows, columns, shape) for part in (self.counts, self.first, self.second))
        return replace(self, counts=counts, first=first, second=second)

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """The cells of several parts, groups one after another, about the constant of the first."""
        alike = [part.about(parts[0].centre) for part in parts]
        counts, first, second = (np.concatenate([getattr(part, name) for part in alike]) for name in SUMMED)
        return replace(parts[0], counts=counts, first=first, second=second)

    def of_group(self, place: int) -> Self:
        """One of the groups."""
        return replace(self, **{name: getattr(self, name)[place : place + 1] for name in SUMMED})

    def of_columns(self, columns: Places) -> Self:
        """Some of the human scores."""
        return replace(self, **{name: getattr(self, name)[:, columns] for name in SUMMED})

    def __add__(self, other: Self) -> Self:
        other = other.about(self.centre)
        return replace(self, **{n: getattr(self, n) + getattr(other, n) for n in SUMMED})

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        return replace(self, **{name: getattr(self, name) * unit for name in SUMMED})


@dataclass(frozen=True, slots=True)
class ErrorCells(Undrawn[Responses, Array]):
    """Errors and squared errors of a system (system less human) in cells of group × human score.

    Summed over the responses of one slice there is one group, without a name. Intervals of what follows are by formula;
    there are no replicates.

    Laws: two parts, added, equal the whole, and their order does not matter, if they have the same cuts.

    >>> cells = ErrorCells.of_groups(np.array([1.0, 2, 2]), np.array([1.0, 2, 3]), np.array([0, 0, 1]), ("a", "b"))
    >>> cells.levels, cells.errors.counts.tolist()
    (('1', '2'), [[1.0, 1.0], [0.0, 1.0]])
    """

    groups: tuple[str, ...]
    values: Array  # of the human score, or the numbers of its bins
    cuts: Array | None  # where bins begin, should there be too many values
    binned: bool
    times: Array  # (groups, values), responses
    squares: float  # of their weights
    errors: CellSums
    squared: CellSums

    @classmethod
    def summing(cls, judgements: Responses, pilot: Array | None = None) -> Callable[[Weights], ErrorCells]:
        """What turns weights into the cells of these responses; the pilot is where bins begin."""
        first, second = judgements.first, judgements.second
        group = np.zeros(len(first), dtype=np.int64)
        return lambda weights: cls.of_groups(first, second, group, ("",), cuts=pilot, weights=weights.case)

    @classmethod
    def collect_by(
        cls, judgements: Responses, weights: Weights, levels: Places, size: int, pilot: Array | None = None
    ) -> list[Self | None]:
        """Sum the cells of all levels at once."""
        names = tuple(map(str, range(size)))
        cells = cls.of_groups(judgements.first, judgements.second, levels, names, cuts=pilot, weights=weights.case)
        _, squares = weights.sums_by(levels, size)
        known = np.bincount(levels, minlength=size)
        return [cells._of_group(level, float(squares[level])) if known[level] else None for level in range(size)]

    def _of_group(self, place: int, squares: float) -> Self:
        """One of the groups, without its name."""
        errors, squared = (part.of_group(place) for part in (self.errors, self.squared))
        times = self.times[place : place + 1]
        return replace(self, groups=("",), times=times, squares=squares, errors=errors, squared=squared)

    @classmethod
    def by_level(cls, parts: Mapping[str, Self]) -> Self:
        """The cells of several levels of a slice, each a group under its name."""
        groups = ordered_labels(parts)
        binned = any(part.binned for part in parts.values())
        alike = [parts[group].in_bins() if binned else parts[group] for group in groups]
        values = np.unique(np.concatenate([part.values for part in alike]))
        placed = [part._placed(("",), values) for part in alike]
        joined = replace(
            placed[0],
            groups=groups,
            times=np.concatenate([part.times for part in placed]),
            squares=sum(part.squares for part in placed),
            errors=CellSums.stacked([part.errors for part in placed]),
            squared=CellSums.stacked([part.squared for part in placed]),
        )
        return joined.in_bins() if joined.cuts is not None and len(values) > MOST_VALUES else joined

    @classmethod
    def of_groups(
        cls,
        human: Array,
        system: Array,
        groups: Places,
        names: tuple[str, ...],
        *,
        cuts: Array | None = None,
        weights: Array | None = None,
    ) -> Self:
        """Sum the responses, without those of no group (-1)."""
        known = groups >= 0
        human, system, groups = human[known], system[known], groups[known]
        weights = None if weights is None else weights[known]
        values, column = np.unique(human, return_inverse=True)
        binned = cuts is not None and len(values) > MOST_VALUES
        if binned and cuts is not None:
            values, column = np.arange(len(cuts) + 1.0), np.searchsorted(cuts, human, side="right")
        shape = (len(names), len(values))
        cell = groups.astype(np.int64) * len(values) + column.reshape(-1)
        times = np.bincount(cell, minlength=shape[0] * shape[1]).astype(np.float64).reshape(shape)
        squares = float(len(human) if weights is None else (weights**2).sum())
        errors, squared = (CellSums.collect(of, weights, cell, shape) for of in (system - human, (system - human) ** 2))
        return cls(names, values, cuts, binned, times, squares, errors, squared)

    def __add__(self, other: Self) -> Self:
        a, b = (self, other) if self.binned == other.binned else (self.in_bins(), other.in_bins())
        groups, values = ordered_labels({*a.groups, *b.groups}), np.union1d(a.values, b.values)
        one, two = (part._placed(groups, values) for part in (a, b))
        both = replace(
            one,
            times=one.times + two.times,
            squares=one.squares + two.squares,
            errors=one.errors + two.errors,
            squared=one.squared + two.squared,
        )
        return both.in_bins() if both.cuts is not None and len(values) > MOST_VALUES else both

    def _placed(self, groups: tuple[str, ...], values: Array) -> Self:
        place, column = positions(self.groups, groups), np.searchsorted(values, self.values)
        return replace(self._moved(place, column, (len(groups), len(values))), groups=groups, values=values)

    def _moved(self, place: Places, column: Places, shape: tuple[int, int]) -> Self:
        errors, squared = (part.placed(place, column, shape) for part in (self.errors, self.squared))
        times = _placed(self.times, place, column, shape)
        return replace(self, times=times, errors=errors, squared=squared)

    def in_bins(self) -> Self:
        """Human scores in spans with about equally many responses."""
        if self.binned or self.cuts is None:
            return self
        column, every = np.searchsorted(self.cuts, self.values, side="right"), np.arange(len(self.cuts) + 1.0)
        place = np.arange(len(self.groups))
        return replace(self._moved(place, column, (len(place), len(every))), values=every, binned=True)

    def of_levels(self, most: int | None) -> Self:
        """Human scores of more values than told in bins; bins without a response are left out."""
        cells = self.in_bins() if most is not None and len(self.values) > most else self
        used = np.flatnonzero(cells.times.sum(0))
        if len(used) == len(cells.values):
            return cells
        errors, squared = (part.of_columns(used) for part in (cells.errors, cells.squared))
        return replace(cells, values=cells.values[used], times=cells.times[:, used], errors=errors, squared=squared)

    @property
    def rows(self) -> int:
        """How many responses."""
        return int(self.times.sum())

    @property
    def levels(self) -> tuple[str, ...]:
        """The human scores, or spans of them, by name."""
        if not self.binned or self.cuts is None:
            return tuple(f"{value:g}" for value in self.values)
        ends = ["", *(f"{cut:.4g}" for cut in self.cuts), ""]
        named = [f"{low} to {high}".strip() for low, high in pairwise(ends)]
        return tuple(named[int(bin_)] for bin_ in self.values)

    def scaled(self, unit: float) -> Self:
        """The same errors with all weights multiplied."""
        errors, squared = self.errors.scaled(unit), self.squared.scaled(unit)
        return replace(self, squares=self.squares * unit**2, errors=errors, squared=squared)


def cuts_of(human: Array, weights: Array | None = None) -> Array:
    """Where bins of about equal weight begin: at scores that occur.

    >>> cuts_of(np.arange(100.0))[:2].tolist()
    [9.0, 19.0]
    """
    if weights is None:
        scores, times = distinct_numbers(human)
        below: Array = np.cumsum(times, dtype=np.float64)
    else:
        order = np.argsort(human, kind="stable")
        scores, below = human[order], np.cumsum(weights[order])
    total = below[-1] if len(below) else 0.0
    place = np.searchsorted(below, total * np.arange(1, BINS) / BINS * (1 - 1e-12))
    return np.unique(scores[np.minimum(place, len(scores) - 1)]) if total else np.zeros(0)


def _placed(amounts: Array, rows: Places, columns: Places, shape: tuple[int, int]) -> Array:
    placed = np.zeros(shape)
    np.add.at(placed, (rows[:, None], columns[None, :]), amounts)
    return placed
