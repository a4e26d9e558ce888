"""Cells of scores that grow with the rows, at a cost that does not.

Rows wait, unsorted, until there are enough of them to be sorted and merged with the cells at once. So a block costs
what its rows cost, however many cells there are already. What is read does not tell when cells were merged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Self
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.curves.grouped import Cut, GroupedTable, level_of_many, summed
from adjudge.statistics.curves.grouping import ScoreValues, group_starts, levels_needed
from adjudge.statistics.curves.points import Points

MOST_SCORES = 2**20
# Beyond them, scores are in cells of their leading bits, so many at most.
MOST_CELLS = 2**16
# Scores wait in at most this many bytes for each cell that a curve may have; before there are cells, in a quarter
# more: scores of which hardly any repeat are then too many to be held one by one, and are never merged.
WAITING_BYTES = 4
# Waiting arrays are joined when they are more than this, and so are tables.
MOST_WAITING, MOST_TABLES = 2**8, 2**4
# Tables are merged so many cells of the largest at a time.
RANGE = 2**16
# How many scores tell whether scores repeat.
FEW = 4_096
# Points of growing curves stay worked out up to this many: formulas read one curve after another.
MOST_READ = 2**20

Amounts = NDArray[np.number]  # whole numbers as small as they fit, or float64 when rows have weights
Truths = NDArray[np.bool_]


ONE_OF = np.eye(2, dtype=np.uint8)[:, :, None]  # a positive, a negative


class CellTable(NamedTuple):
    """Cells in rising order of their scores."""

    lows: ScoreValues  # (T,), the lowest score of each cell
    counts: Amounts  # (2, T): positives, negatives
    squares: Array | None  # (2, T), squared case weights; None when every row counts one

    @classmethod
    def of_side(cls, scores: ScoreValues, side: int) -> CellTable:
        """Rows that count one, all positive (side 0) or all negative (side 1): a cell each, to be merged."""
        return cls(np.sort(scores), np.broadcast_to(ONE_OF[side], (2, len(scores))), None)

    @classmethod
    def of_weighted(cls, positive: Truths, rising: ScoreValues, case: Array) -> PackedTable:
        """Rows in the order of their scores, with case weights."""
        starts = group_starts(rising)
        size = len(starts)
        cell = np.repeat(np.arange(size), np.diff(starts, append=len(rising))) + np.where(positive, 0, size)
        counts, squares = (
            np.bincount(cell, weights=amounts, minlength=2 * size).astype(np.float64).reshape(2, size)
            for amounts in (case, case**2)
        )
        return PackedTable.of([cls(rising[starts], counts, squares)])

    @classmethod
    def of_points(cls, points: Points) -> Table:
        """The cells of points."""
        plain = points.squares is points.counts
        squares = None if plain else points.squares[:, ::-1]
        cells = cls(points.thresholds[::-1], points.counts[:, ::-1], squares)
        return cells if plain else PackedTable.of([cells])

    def between(self, start: int, end: int) -> CellTable:
        """Some of the cells."""
        squares = None if self.squares is None else self.squares[:, start:end]
        return CellTable(self.lows[start:end], self.counts[:, start:end], squares)

    def points(self, rows: int) -> Points:
        """The same cells as formulas read them."""
        counts = np.ascontiguousarray(self.counts[:, ::-1], dtype=np.float64)
        squares = counts if self.squares is None else np.ascontiguousarray(self.squares[:, ::-1])
        return Points(np.ascontiguousarray(self.lows[::-1], dtype=np.float64), counts, squares, rows)


class PackedTable(NamedTuple):
    """Cells of weighted rows without what need not be kept: zeros, and the squares of single rows.

    >>> counts, squares = np.array([[2.0, 3.0], [0.0, 4.0]]), np.array([[4.0, 5.0], [0.0, 16.0]])
    >>> packed = PackedTable.of([CellTable(np.array([0.1, 0.2]), counts, squares)])
    >>> [part.tolist() for part in packed.kept], packed.between(1, 2).squares.tolist()
    ([[2.0, 3.0], [4.0], [5.0], []], [[5.0], [16.0]])
    """

    lows: ScoreValues
    kinds: NDArray[np.uint8]  # (T,), four bits: whether a cell has positives, negatives, and squares of its own of each
    kept: tuple[Array, ...]  # those, one after another

    @classmethod
    def of(cls, ranges: Sequence[CellTable]) -> PackedTable:
        """Cells in full, range after range."""
        kinds, kept = [], []
        for cells in ranges:
            squares = cells.counts if cells.squares is None else cells.squares
            has = np.concatenate([cells.counts != 0, squares != np.square(cells.counts, dtype=np.float64)])
            kinds.append(np.packbits(has, axis=0, bitorder="little")[0])
            kept.append([part[some] for part, some in zip((*cells.counts, *squares), has, strict=True)])
        each = tuple(np.concatenate(parts) for parts in zip(*kept, strict=True))
        return cls(np.concatenate([cells.lows for cells in ranges]), np.concatenate(kinds), each)

    def between(self, start: int, end: int) -> CellTable:
        """Some of the cells, in full."""
        amounts = np.zeros((4, end - start))
        for place, kept in enumerate(self.kept):
            if place == 2:  # a square is that of the weight unless it is kept
                np.square(amounts[:2], out=amounts[2:])
            bit = np.uint8(1 << place)
            first, some = np.count_nonzero(self.kinds[:start] & bit), (self.kinds[start:end] & bit).astype(np.bool_)
            amounts[place, some] = kept[first : first + np.count_nonzero(some)]
        return CellTable(self.lows[start:end], amounts[:2], amounts[2:])

    def points(self, rows: int) -> Points:
        """The same cells as formulas read them."""
        return self.between(0, len(self.lows)).points(rows)


Exact = CellTable | PackedTable
Table = Exact | GroupedTable


def merged_tables(tables: Sequence[Exact]) -> Exact:
    """One table of all, a range of scores after another: what is worked out on the way stays small."""
    pivots = max((table.lows for table in tables), key=len)[RANGE::RANGE]
    edges = [[0, *np.searchsorted(table.lows, pivots).tolist(), len(table.lows)] for table in tables]
    ranges = [
        _merged_range([table.between(*ends) for table, ends in zip(tables, each, strict=True)])
        for each in zip(*(pairwise(ends) for ends in edges), strict=True)
    ]
    if any(isinstance(table, PackedTable) for table in tables):
        return PackedTable.of(ranges)
    lows, counts = (np.concatenate([cells[column] for cells in ranges], axis=-1) for column in (0, 1))
    return CellTable(lows, counts, None)


def _merged_range(tables: Sequence[CellTable]) -> CellTable:
    lows = np.concatenate([table.lows for table in tables])
    order = np.argsort(lows, kind="stable")  # tables are in order already, so this only merges
    lows = lows[order]
    starts = group_starts(lows)
    parts = [table.counts for table in tables]
    if all(table.squares is None for table in tables):
        return CellTable(lows[starts], _whole_sums(parts, order, starts), None)
    squares = [table.counts if table.squares is None else table.squares for table in tables]
    return CellTable(lows[starts], _exact_sums(parts, order, starts), _exact_sums(squares, order, starts))


def _exact_sums(parts: list[Amounts], order: Codes, starts: Codes) -> Array:
    """Amounts in this order, summed from each start to the next; one sum never touches another's last bits."""
    amounts = np.concatenate(parts, axis=1).astype(np.float64, copy=False)[:, order]
    return np.add.reduceat(amounts, starts, axis=1) if len(starts) else amounts


def _whole_sums(parts: list[Amounts], order: Codes, starts: Codes) -> Amounts:
    """The same of whole numbers, both sides in one 64-bit number: sums are differences of a running sum."""
    packed = np.concatenate([part[1] for part in parts], dtype=np.uint64, casting="unsafe")
    packed <<= np.uint64(32)
    first = 0
    for part in parts:
        packed[first : first + part.shape[1]] += part[0].astype(np.uint64)
        first += part.shape[1]
    running = packed[order]
    del packed
    np.cumsum(running, out=running)
    sums = running[np.append(starts[1:], len(running)) - 1] if len(starts) else running
    sums[1:] -= sums[:-1].copy()
    low, high = sums & np.uint64(2**32 - 1), sums >> np.uint64(32)
    kind = np.min_scalar_type(max(low.max(initial=0), high.max(initial=0)))
    return np.stack([low.astype(kind), high.astype(kind)])


class Parts(NamedTuple):
    """Cells, and the scores of rows that wait to be among them."""

    tables: tuple[Table, ...] = ()
    positives: tuple[ScoreValues, ...] = ()
    negatives: tuple[ScoreValues, ...] = ()
    cut: float = np.inf  # the score that decides, at which cells part

    def table(self) -> Table:
        """All of them as one table."""
        return Parts(self.tables, _in_one(self.positives), _in_one(self.negatives), self.cut)._table()

    def _table(self) -> Table:
        """The same where the scores that wait are in one array, of positives and of negatives."""
        if any(isinstance(table, GroupedTable) for table in self.tables):
            return self._grouped(max(table.level for table in self.tables if isinstance(table, GroupedTable)))
        if level := self._level_needed():
            return self._grouped(level)
        tables: list[Exact] = [table for table in self.tables if not isinstance(table, GroupedTable)]
        for side, waiting in enumerate((self.positives, self.negatives)):
            tables += [CellTable.of_side(scores, side) for scores in waiting]
        if not tables:
            return CellTable(np.zeros(0), np.zeros((2, 0), dtype=np.uint8), None)
        merged = tables[0] if len(tables) == len(self.tables) == 1 else merged_tables(tables)
        if len(merged.lows) <= MOST_SCORES:
            return merged
        # Whole numbers may be summed in two steps. Sums of weights may not: their last bits would tell.
        parts = Parts((merged,), cut=self.cut) if isinstance(merged, CellTable) else self
        return parts._grouped(levels_needed(merged.lows, 0, MOST_CELLS))

    def _level_needed(self) -> int:
        """At which level there are few enough cells of scores that wait; 0 where they need not be grouped."""
        waiting = [*self.positives, *self.negatives]
        if self.tables or sum(map(len, waiting)) <= MOST_SCORES:
            return 0
        if level := level_of_many(waiting, MOST_SCORES, MOST_CELLS):
            return level
        rising = np.sort(np.concatenate(waiting))
        distinct = rising[group_starts(rising)]
        return levels_needed(distinct, 0, MOST_CELLS) if len(distinct) > MOST_SCORES else 0

    def _grouped(self, level: int) -> GroupedTable:
        """All of them in cells of their leading bits, at this level or the next that has few enough."""
        cut = Cut(self.cut, level)
        tables = [self._in_groups(table, cut) for table in self.tables]
        (positives,), (negatives,) = (side or (np.zeros(0),) for side in (self.positives, self.negatives))
        return summed(tables, (positives, negatives), cut).fitting(MOST_CELLS)

    @staticmethod
    def _in_groups(table: Table, cut: Cut) -> GroupedTable:
        if isinstance(table, GroupedTable):
            return table.at(cut.level)
        cells = table.between(0, len(table.lows))
        return GroupedTable.of_cells(cells.lows, cells.counts, cells.squares, cut)

    def repeat(self) -> bool:
        """Whether waiting scores are alike, so that cells would be smaller: judged by the first few."""
        some = [side[0][:FEW] for side in (self.positives, self.negatives) if side]
        return any(len(np.unique(scores)) <= len(scores) / 2 for scores in some)

    def _are_many(self) -> bool:
        """Whether what waits takes much memory, and cells could become too many."""
        arrays = [table[0] for table in self.tables] + [*self.positives, *self.negatives]
        largest = max((table[0].nbytes for table in self.tables), default=0)
        most = WAITING_BYTES * MOST_SCORES if self.tables else WAITING_BYTES * MOST_SCORES * 5 // 4
        return sum(array.nbytes for array in arrays) - largest >= most and sum(map(len, arrays)) > MOST_SCORES

    def settled(self, rows: int) -> Parts:
        """The same, of so many rows, with fewer waiting: nothing is done before there is much to do at once."""
        if rows > MOST_SCORES and self._are_many():
            return Parts((self.table(),), cut=self.cut)
        positives, negatives = (
            _in_one(side) if len(side) > MOST_WAITING else side for side in (self.positives, self.negatives)
        )
        tables = self.tables
        if len(tables) > MOST_TABLES:
            by_size = sorted(tables, key=lambda table: len(table[0]), reverse=True)
            tables = (by_size[0], Parts(tuple(by_size[1:]), cut=self.cut).table())
        return Parts(tables, positives, negatives, self.cut)


def _in_one(waiting: tuple[ScoreValues, ...]) -> tuple[ScoreValues, ...]:
    return (np.concatenate(waiting),) if len(waiting) > 1 else waiting


@dataclass(frozen=True, eq=False)
class GrowingCells:
    """Cells of as many scores as there are, up to MOST_SCORES; then of their leading bits."""

    parts: Parts
    rows: int
    _points: list[Points] = field(default_factory=list, repr=False)  # empty, or the one that was worked out

    @classmethod
    def of_points(cls, points: Points) -> Self:
        """Cells that have been read, to grow again."""
        if points.level:
            raise SettingError("Curves must be added before they are read, where their scores are in cells of several.")
        return cls(Parts((CellTable.of_points(points),)), points.rows)

    def __add__(self, other: Self) -> Self:
        a, b = self.parts, other.parts
        both = Parts(a.tables + b.tables, a.positives + b.positives, a.negatives + b.negatives, min(a.cut, b.cut))
        rows = self.rows + other.rows
        return type(self)(both.settled(rows), rows)

    @property
    def points(self) -> Points:
        """The cells as formulas read them."""
        for known in self._points:
            return known
        points = self.table.points(self.rows)
        self._points.append(points)
        _forget_others(self, len(points.thresholds))
        return points

    @property
    def table(self) -> Table:
        """All cells. Whole numbers stay merged; sums of weights do not, as their last bits would tell."""
        table = self.parts.table()
        if isinstance(table, CellTable) or (isinstance(table, GroupedTable) and table.squares is None):
            object.__setattr__(self, "parts", Parts((table,), cut=self.parts.cut))
        return table

    def __reduce__(self) -> tuple[type[Self], tuple[Parts, int]]:
        if self.parts.repeat():
            _ = self.table
        return type(self), (self.parts, self.rows)


_recently_read: deque[tuple[ref[GrowingCells], int]] = deque()


def _forget_others(cells: GrowingCells, size: int) -> None:
    """Points are several times as large as cells: only those of the last few curves stay."""
    _recently_read.append((ref(cells), size))
    while len(_recently_read) > 1 and sum(size for _, size in _recently_read) > MOST_READ:
        forgotten = _recently_read.popleft()[0]()
        if forgotten is not None and forgotten is not cells:
            forgotten._points.clear()


def compact(scores: Array) -> ScoreValues:
    """The same scores in half the bytes where nothing is lost, with one zero for two.

    >>> compact(np.array([0.5, -0.0])).dtype, compact(np.array([0.1])).dtype
    (dtype('float32'), dtype('float64'))
    """
    with np.errstate(over="ignore"):
        short = scores.astype(np.float32)
    return short + np.float32(0) if np.array_equal(short, scores) else scores + 0.0


def small(codes: Codes, size: int) -> NDArray[np.unsignedinteger]:
    """Codes below `size` in the smallest type: sorting those takes no comparing.

    >>> small(np.array([1, 0]), 2).dtype
    dtype('uint8')
    """
    return codes.astype(np.min_scalar_type(max(size - 1, 0)))
