"""Responses counted on a grid of human scores and parts of the line: from a few sums in each cell follow all others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.responses import Responses
from adjudge.data.judgements.score_types import score_types
from adjudge.data.source import Places, code_type
from adjudge.statistics.base import AnyStatistic, Array, Codes, of_given_units
from adjudge.statistics.linear_sums import MOST_KEPT
from adjudge.statistics.scores.cell_sums import ToldCells, told_sum
from adjudge.statistics.scores.features import OF_WHOLE
from adjudge.statistics.scores.grid import ScoreGrid, ToldSum
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights

# Combinations of levels with more cells than this leave fast memory: slices are then counted one by one.
MOST_CROSSED = 2**16
POWERS = 5  # of how far a score lies from where its part starts: products of squares need the fourth

Others = tuple[AnyStatistic, ...]


@dataclass(frozen=True)
class ScoreCells(Undrawn[Responses, ScoreGrid]):
    """How many responses lie in each cell of a grid, and the sums of powers of where they lie in it.

    From these follow the sums that every view of the scores is read from (`told`), to the last bits. Responses that lie
    in no cell are summed one by one; of few responses all are kept, and told as they are. Every response counts one.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; two parts, added, equal the whole, if they have the same grid.
    """

    grid: ScoreGrid
    moments: Array  # (powers, cells)
    low: float  # the lowest score, and the highest
    high: float
    rows: int
    kept: Array | None  # (responses, raters and the score), while there are few
    others: Others | None = None  # what those add that lie in no cell, for each that is told

    adds_exactly = True  # not to the last bits of a sum of all rows, but the same everywhere

    @classmethod
    def summing(cls, judgements: Responses, pilot: ScoreGrid | None = None) -> Callable[[Weights], ScoreCells]:
        """What turns weights, which must all be one, into the cells of these responses."""
        one = np.zeros(len(judgements), dtype=np.int64)

        def sums(weights: Weights) -> ScoreCells:
            [part] = cls.collect_by(judgements, weights, one, 1, pilot)
            assert part is not None
            return part

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Responses, weights: Weights, levels: Codes, size: int, pilot: ScoreGrid | None = None
    ) -> list[Self | None]:
        """Count the cells of all levels at once."""
        [of_slice] = cls.collect_slices(judgements, weights, [(levels, size)], pilot)
        return of_slice

    @classmethod
    def collect_slices(
        cls,
        judgements: Responses,
        weights: Weights,
        slices: Sequence[tuple[Codes, int]],
        pilot: ScoreGrid | None = None,
    ) -> list[list[Self | None]]:
        """Count the cells of all levels at once: of several slices, in their combinations where these are few."""
        assert pilot is not None
        assert weights.case is None
        moments, other = _moments_of_slices(judgements, slices, pilot)
        edges = _Edges.of(judgements.scores[pilot.system])
        parts = []
        for (levels, size), of_slice in zip(slices, moments, strict=True):
            is_known = other is None
            rows = of_slice[0].sum(1).astype(np.int64) if is_known else np.bincount(levels, minlength=size)
            low, high = edges.of_levels(levels, size)
            kept = _kept(judgements, pilot, levels, rows)
            others = [None] * size if other is None else _others(judgements, pilot, (levels, size), other)
            parts.append(
                [
                    cls(pilot, of_slice[:, level], low[level], high[level], many, kept[level], others[level])
                    if many
                    else None
                    for level, many in enumerate(rows.tolist())
                ]
            )
        return parts

    def __add__(self, other: Self) -> Self:
        rows = self.rows + other.rows
        few = self.kept is not None and other.kept is not None and rows <= MOST_KEPT
        return replace(
            self,
            moments=self.moments + other.moments,
            low=min(self.low, other.low),
            high=max(self.high, other.high),
            rows=rows,
            kept=np.concatenate([self.kept, other.kept]) if few else None,
            others=_added(self.others, other.others),
        )

    def scaled(self, unit: float) -> Self:
        """Refused: every response counts one."""
        raise TypeError("Cells of scores know no weights: what they tell does.")

    def derived(self, place: int, *, whole: bool) -> AnyStatistic:
        """One of the statistics that the grid says are told, of all responses or of a slice."""
        spec = self.grid.tells[place]
        pilot = spec.pilot_of(whole=whole)
        if self.kept is not None:
            return _of_rows(spec, _responses(self.grid, self.kept), pilot)
        counted = None if self._cells is None else told_sum(spec, self._cells, pilot)
        more = None if self.others is None else _narrowed(self.others[place], pilot)
        return reduce(add, [part for part in (counted, more) if part is not None])

    @cached_property
    def _cells(self) -> ToldCells | None:
        """The cells that have responses; None without any."""
        known = np.flatnonzero(self.moments[0])
        ends = (self.low, self.high)
        return ToldCells.of(self.grid, known, self.moments[:, known], ends) if len(known) else None


# Responses are looked at so many at a time: what is worked out for them then stays in fast memory.
PART = 2**16


def _moments_of_slices(
    responses: Responses, slices: Sequence[tuple[Codes, int]], grid: ScoreGrid
) -> tuple[list[Array], NDArray[np.bool_] | None]:
    """The sums of powers in each cell of each level, (powers, levels, cells) for each slice; and who lies in none."""
    shape = [levels for _, levels in slices]
    crossed = len(slices) > 1 and math.prod(shape) * grid.size <= MOST_CROSSED
    tables = [_Moments(slices, grid.size)] if crossed else [_Moments([one], grid.size) for one in slices]
    others = []
    for start in range(0, len(responses), PART):
        rows = slice(start, start + PART)
        cells, apart, other = grid.cells_of(responses, rows)
        square = apart * apart
        powers = [apart, square, square * apart, square * square]
        others.append(np.zeros(len(cells), dtype=np.bool_) if other is None else other)
        for table in tables:
            table.add(rows, cells, powers, other)
    other = np.concatenate(others)
    return [each for table in tables for each in table.by_slice()], other if other.any() else None


class _Moments:
    """The sums of powers in each cell of each combination of levels."""

    def __init__(self, slices: Sequence[tuple[Codes, int]], cells: int) -> None:
        self._slices = slices
        self._shape = (*(levels for _, levels in slices), cells)
        self._sums = np.zeros((POWERS, math.prod(self._shape)))

    def add(self, rows: slice, cells: Places, powers: list[Array], other: NDArray[np.bool_] | None) -> None:
        """Add some of the rows, without those that lie in no cell."""
        place = np.zeros(len(cells), dtype=code_type(math.prod(self._shape[:-1])))
        for codes, levels in self._slices:
            place *= place.dtype.type(levels)
            place += codes[rows].astype(place.dtype, copy=False)
        place = place.astype(np.int64)
        place *= self._shape[-1]
        place += cells
        if other is not None:
            place, powers = place[~other], [power[~other] for power in powers]
        np.add.at(self._sums[0], place, 1.0)  # as `bincount` does, which looks for the ends of all places each time
        for sums, power in zip(self._sums[1:], powers, strict=True):
            np.add.at(sums, place, power)

    def by_slice(self) -> list[Array]:
        """Of each slice, all other levels together."""
        sums, axes = self._sums.reshape(POWERS, *self._shape), range(1, len(self._shape))
        return [sums.sum(others) if (others := tuple(axis for axis in axes if axis != mine)) else sums for mine in axes]


# Of so many of the first numbers, one in so many tells what is low, and what is high.
FIRST, OUTER = 2**10, 2**8


class _Edges(NamedTuple):
    """The numbers that are low and those that are high, with their rows: few, which hold the ends of most levels."""

    numbers: Array
    low: Codes
    high: Codes

    @classmethod
    def of(cls, numbers: Array) -> _Edges:
        some = numbers[:FIRST]
        outer = len(some) // OUTER
        low, high = np.partition(some, (outer, len(some) - 1 - outer))[[outer, -1 - outer]]
        return cls(numbers, np.flatnonzero(numbers <= low), np.flatnonzero(numbers >= high))

    def of_levels(self, levels: Codes, size: int) -> tuple[Array, Array]:
        """The lowest and the highest number of each level, infinite where it has none."""
        lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
        for rows in (self.low, slice(None)):
            if np.isinf(lowest).any():
                np.minimum.at(lowest, levels[rows], self.numbers[rows])
        for rows in (self.high, slice(None)):
            if np.isinf(highest).any():
                np.maximum.at(highest, levels[rows], self.numbers[rows])
        return lowest, highest


def _kept(responses: Responses, grid: ScoreGrid, levels: Codes, rows: Codes) -> list[Array | None]:
    """The responses of each level that has few."""
    if (rows > MOST_KEPT).all():
        return [None] * len(rows)
    order, ends = np.argsort(levels, kind="stable"), np.cumsum(rows)
    scores = responses.scores[grid.system]
    return [
        np.column_stack([responses.ratings[(some := order[end - many : end])], scores[some]])
        if many <= MOST_KEPT
        else None
        for end, many in zip(ends.tolist(), rows.tolist(), strict=True)
    ]


def _responses(grid: ScoreGrid, kept: Array) -> Responses:
    """The responses that were kept, in every form."""
    forms = score_types(np.ascontiguousarray(kept[:, -1]), grid.scale, grid.scaling)
    return Responses(kept[:, :-1], {name: forms[form] for name, form in grid.forms.items()})


def _others(
    responses: Responses, grid: ScoreGrid, by: tuple[Codes, int], other: NDArray[np.bool_]
) -> Sequence[Others | None]:
    """What responses in no cell add to each level, one statistic for each that is told."""
    rows, (levels, size) = np.flatnonzero(other), by
    some, of_level = responses.of_rows(rows), levels[rows]
    parts = [
        of_given_units(spec.statistic).collect_by(spec.view.seen(some), Weights(len(rows)), of_level, size, spec.pilot)
        for spec in grid.tells
    ]
    return [
        tuple(sums for part in parts if (sums := part[level]) is not None) if known else None
        for level, known in enumerate(np.bincount(of_level, minlength=size))
    ]


def _of_rows(spec: ToldSum, responses: Responses, pilot: object) -> AnyStatistic:
    return of_given_units(spec.statistic).collect(spec.view.seen(responses), Weights(len(responses)), pilot)


def _narrowed(statistic: AnyStatistic, pilot: object) -> AnyStatistic:
    """Of sums of all responses, what is looked at in slices."""
    if not (isinstance(statistic, ScoreTotals) and isinstance(pilot, ScorePilot) and pilot.in_slices):
        return statistic
    names = [name for name in statistic.sums.names if not name.startswith(OF_WHOLE)]
    return replace(statistic, sums=statistic.sums.only(names))


def _added(one: Others | None, two: Others | None) -> Others | None:
    if one is None or two is None:
        return two if one is None else one
    return tuple(a + b for a, b in zip(one, two, strict=True))
