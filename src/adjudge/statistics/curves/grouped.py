"""Scores beyond number: cells of their leading bits, found by address instead of by order.

A cell also holds how far its scores lie above its lower end, so that their mean is known, and one cell ends at the
score that decides. All of that is whole numbers where rows count one: sums are the same in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array
from adjudge.statistics.curves.grouping import Cells, ScoreValues, leading_bits, levels_needed, scores_of_bits
from adjudge.statistics.curves.points import Points

# What scores have beyond their leading bits is summed without their last bits: sums stay whole numbers below 2^53.
LAST_BITS = 20
# Rows are summed at most so many at a time, and their addresses found in smaller parts, which stay in fast memory.
CHUNK = 2**20
CELLS_CHUNK = 2**17
PART = 2**14
# Scores further apart than this many cells are looked up by order after all.
MOST_ADDRESSES = 2**20
# To tell how many scores differ, a byte is marked for each place at which one may lie, so many at most.
MOST_MARKS = 2**24
PAIRED = 2**12  # they begin and end at a multiple of this: as often as a rule they are halved

Marks = tuple[NDArray[np.bool_], int]  # which leading bits there are, from the first on, which is this
Amounts = NDArray[np.number]  # int64, or float64 when rows have weights


class Cut(NamedTuple):
    """Where a cell ends at any level: cells from the one on that begins here have a key larger by one."""

    score: float
    level: int

    @property
    def bits(self) -> int:
        """The score as a whole number."""
        return int(leading_bits(np.array([self.score]), 0)[0])

    @property
    def lead(self) -> int:
        """The leading bits of the score."""
        return self.bits >> self.level

    def keys_of(self, leads: Cells, above: NDArray[np.bool_]) -> Cells:
        """Keys in the order of scores."""
        return leads + above

    def leads_of(self, keys: Cells) -> tuple[Cells, NDArray[np.bool_]]:
        """Leading bits, and which cells lie above the cut."""
        above = keys > self.lead
        return keys - above, above


class GroupedTable(NamedTuple):
    """Cells of leading bits, in rising order; adds."""

    keys: Cells  # (T,): leading bits, one more from the cut on
    counts: Amounts  # (2, T): positives, negatives
    beyond: Amounts  # (2, T): how far rows lie above the lower end of their cell, in steps of the last bits
    squares: Array | None  # (2, T), squared case weights; None when every row counts one
    cut: Cut

    @classmethod
    def of_cells(cls, rising: ScoreValues, counts: Amounts, squares: Array | None, cut: Cut) -> GroupedTable:
        """Cells of one score each, in their order."""
        tables = []
        for start in range(0, len(rising), CELLS_CHUNK):
            some = slice(start, start + CELLS_CHUNK)
            many = counts[:, some].astype(np.int64 if squares is None else np.float64)
            keys, steps = _keys(rising[some], cut)
            tables.append(joined([cls(keys, many, many * steps, None if squares is None else squares[:, some], cut)]))
        return joined(tables)

    @property
    def level(self) -> int:
        """How many bits were dropped from each score."""
        return self.cut.level

    @property
    def lows(self) -> Array:
        """The lowest score that each cell could have, (T,)."""
        leads, above = self.cut.leads_of(self.keys)
        lows = scores_of_bits(leads << self.level)
        return np.where(above, np.maximum(lows, self.cut.score), lows)

    def at(self, level: int) -> GroupedTable:
        """The same rows without more of their bits."""
        if level == self.level:
            return self
        leads, above = self.cut.leads_of(self.keys)
        fewer = leads >> (level - self.level)
        steps = ((leads << self.level) >> LAST_BITS) - ((fewer << level) >> LAST_BITS)
        cut = Cut(self.cut.score, level)
        beyond = self.beyond + self.counts * steps
        return joined([GroupedTable(cut.keys_of(fewer, above), self.counts, beyond, self.squares, cut)])

    def fitting(self, most: int) -> GroupedTable:
        """The same in at most so many cells, as few bits dropped as fit."""
        leads = self.cut.leads_of(self.keys)[0]
        distinct = leads[np.diff(leads, prepend=leads[:1] - 1) != 0]
        if len(distinct) <= most:
            return self
        return self.at(levels_needed(scores_of_bits(distinct << self.level), self.level, most))

    def points(self, rows: int) -> Points:
        """The same cells as formulas read them, with the mean score of each kind in each."""
        leads, lows = self.cut.leads_of(self.keys)[0], self.lows
        counts = self.counts.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.where(counts > 0, self.beyond / counts, 0.0) * 2.0**LAST_BITS
        means = scores_of_bits((leads << self.level) + np.rint(steps).astype(np.int64))
        means = np.where(counts > 0, np.maximum(means, lows), lows)
        falling = np.ascontiguousarray(counts[:, ::-1])
        squares = falling if self.squares is None else np.ascontiguousarray(self.squares[:, ::-1])
        return Points(lows[::-1].copy(), falling, squares, rows, self.level, np.ascontiguousarray(means[:, ::-1]))


def joined(tables: Sequence[GroupedTable]) -> GroupedTable:
    """All rows of tables of one level; cells of the same key become one."""
    keys = np.concatenate([table.keys for table in tables])
    order = np.argsort(keys, kind="stable") if len(tables) > 1 else None  # each is in order already
    keys = keys if order is None else keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
    if order is None and len(starts) == len(keys):
        return tables[0]

    def sums(parts: Sequence[Amounts]) -> Amounts:
        amounts = np.concatenate(parts, axis=1)
        return np.asarray(np.add.reduceat(amounts if order is None else amounts[:, order], starts, axis=1))

    weighted = [table.counts if table.squares is None else table.squares for table in tables]
    plain = all(table.squares is None for table in tables)
    return GroupedTable(
        keys[starts],
        sums([table.counts for table in tables]),
        sums([table.beyond for table in tables]),
        None if plain else np.asarray(sums(weighted), dtype=np.float64),
        tables[0].cut,
    )


def summed(tables: Sequence[GroupedTable], waiting: Sequence[ScoreValues], cut: Cut) -> GroupedTable:
    """All rows of tables of one level and of scores that count one each: positives, then negatives."""
    signs = _by_sign(waiting)
    if len(signs) <= 1 and all(table.squares is None for table in tables):
        ends = [tuple(table.keys[[0, -1]].tolist()) for table in tables if len(table.keys)]
        ends += [_ends(scores, cut) for scores in signs]
        if _size(ends) <= MOST_ADDRESSES:
            return _by_address(tables, waiting, cut, ends)
    parts = [part for scores in signs for part in _parts(scores, cut)]
    return joined([*tables, *parts])


def _size(ends: Sequence[tuple[int, int]]) -> int:
    """How many keys there are from the least to the largest."""
    return max((high for _, high in ends), default=-1) + 1 - min((low for low, _ in ends), default=0)


def _parts(waiting: Sequence[ScoreValues], cut: Cut) -> list[GroupedTable]:
    """The rows of scores of one sign: of all, where their cells are near each other, or of each side."""
    ends = [_ends(waiting, cut)]
    if _size(ends) <= MOST_ADDRESSES:
        return [_by_address([], waiting, cut, ends)]
    return [_of_side(scores, side, cut) for side, scores in enumerate(waiting) if len(scores)]


def _by_address(
    tables: Sequence[GroupedTable], waiting: Sequence[ScoreValues], cut: Cut, ends: Sequence[tuple[int, int]]
) -> GroupedTable:
    """All rows, where their keys lie between these ends, none or few of which are apart."""
    first, size = min((low for low, _ in ends), default=0), _size(ends)
    counts, beyond = np.zeros((2, 2, size), dtype=np.int64)
    for side, scores in enumerate(waiting):
        _add_rows(counts[side], beyond[side], scores, cut, first)
    for table in tables:
        places = table.keys - first
        for side in (0, 1):
            counts[side][places] += table.counts[side]
            beyond[side][places] += table.beyond[side]
    some = np.flatnonzero(counts[0] | counts[1])
    return GroupedTable(some + first, counts.take(some, axis=1), beyond.take(some, axis=1), None, cut)


def _of_side(scores: ScoreValues, side: int, cut: Cut) -> GroupedTable:
    """Rows that count one, all of one side, whose cells lie far apart."""
    every, steps = _keys(scores, cut)
    keys, places = np.unique(every, return_inverse=True)
    counts, beyond = np.zeros((2, 2, len(keys)), dtype=np.int64)
    counts[side], beyond[side] = np.bincount(places), np.bincount(places, weights=steps)
    return GroupedTable(keys, counts, beyond, None, cut)


def _keys(scores: ScoreValues, cut: Cut, first: int = 0) -> tuple[Cells, Cells]:
    """The key of each score's cell, counted from the first, and how many steps it lies above the lower end of that."""
    bits = leading_bits(scores, 0)
    above = bits >= cut.bits
    if cut.level < LAST_BITS:  # a cell is less than a step
        return cut.keys_of(bits >> cut.level, above) - first, np.zeros_like(bits)
    bits >>= LAST_BITS
    keys = bits >> (cut.level - LAST_BITS)
    keys += above
    keys -= first
    bits &= (1 << (cut.level - LAST_BITS)) - 1
    return keys, bits


# Positive float32 are float64 without the last bits, all zero, whose exponent counts from elsewhere.
SHORT = np.finfo(np.float32)
SHORT_BITS = 52 - SHORT.nmant
SHORT_EXPONENT = (1023 - 127) << SHORT.nmant


def _short_keys(scores: ScoreValues, cut: Cut, first: int) -> tuple[Cells, Cells]:
    """The same of positive float32 whose cells are near the first, in their own last bits and half the bytes."""
    bits, shift = scores.view(np.int32), cut.level - SHORT_BITS
    keys = np.add(bits >> shift, (SHORT_EXPONENT >> shift) - first, dtype=np.int64)
    if cut.score < np.inf:
        keys += bits >= (cut.bits - (SHORT_EXPONENT << SHORT_BITS) + (1 << SHORT_BITS) - 1) >> SHORT_BITS
    return keys, bits & np.int32((1 << shift) - 1)


KeysOf = Callable[[ScoreValues, Cut, int], tuple[Cells, Cells]]


def _keys_of(scores: ScoreValues, level: int) -> tuple[KeysOf, int]:
    """How the keys of these scores are found, and which of the bits of a score are a step."""
    short = scores.dtype == np.float32 and level >= SHORT_BITS and scores.min(initial=1) >= SHORT.tiny
    return (_short_keys, SHORT_BITS) if short else (_keys, LAST_BITS)


def _add_rows(counts: Cells, beyond: Cells, scores: ScoreValues, cut: Cut, first: int) -> None:
    """Add scores to what is counted at their addresses, from the first key on: rows and steps in one 64-bit number."""
    # Where a cell begins at the cut, no row is held against it: keys from there on are put one further afterwards.
    apart = cut.bits & ((1 << cut.level) - 1) == 0
    plain, low = (Cut(np.inf, cut.level), first - (first > cut.lead)) if apart else (cut, first)
    end = min(max(cut.lead - low, 0), len(counts)) if apart else len(counts)
    after = slice(end + (low == first), None)
    keys_of, last = _keys_of(scores, cut.level)
    bits = max(cut.level - last, 0)  # of one row's steps
    at_once = min(CHUNK, 1 << ((63 - bits) // 2 - 1))
    for start in range(0, len(scores), at_once):
        some = scores[start : start + at_once]
        room = bits + len(some).bit_length()  # of all steps
        packed = np.zeros_like(counts)
        for part in range(0, len(some), PART):
            places, steps = keys_of(some[part : part + PART], plain, low)
            np.add.at(packed, places, np.add(steps, 1 << room, dtype=np.int64))
        rows = packed >> room
        packed &= (1 << room) - 1
        packed <<= last - LAST_BITS
        for amounts, more in ((counts, rows), (beyond, packed)):
            amounts[:end] += more[:end]
            amounts[after] += more[end : end + len(amounts[after])]


def level_of_many(waiting: Sequence[ScoreValues], many: int, most: int) -> int:
    """How many bits must go so that at most `most` groups are left, if more than `many` differ; 0 if few may differ.

    What cannot be told from so many marks is left to whoever puts the scores in order.

    >>> level_of_many([np.arange(1.0, 9.0)], 7, 4), level_of_many([np.ones(8)], 7, 4)
    (52, 0)
    """
    signs = _by_sign(waiting)
    ends = [_ends(scores, Cut(np.inf, 0)) for scores in signs]
    level = max(max((high - low).bit_length() for low, high in ends) - MOST_MARKS.bit_length() + 1, 0)
    marks = [_marked(scores, Cut(np.inf, level)) for scores in signs]
    if _groups(marks) <= many:
        return 0
    while True:
        marks, level = [_halved(*of_side) for of_side in marks], level + 1
        if _groups(marks) <= most:
            return level


def _groups(marks: Sequence[Marks]) -> int:
    """How many leading bits there are; the least scores above zero may have those of zero."""
    like_zero = sum(0 <= -first < len(places) and bool(places[-first]) for places, first in marks)
    return sum(int(np.count_nonzero(places)) for places, _ in marks) - max(like_zero - 1, 0)


def _marked(waiting: Sequence[ScoreValues], cut: Cut) -> Marks:
    low, high = _ends(waiting, cut)
    low &= -PAIRED
    marks = np.zeros((high | (PAIRED - 1)) + 1 - low, dtype=np.bool_)
    for scores in waiting:
        keys_of, _ = _keys_of(scores, cut.level)
        for part in range(0, len(scores), PART):
            marks[keys_of(scores[part : part + PART], cut, low)[0]] = True
    return marks, low


def _halved(marks: NDArray[np.bool_], first: int) -> Marks:
    """The same without the last bit.

    >>> _halved(np.array([True, False, True, False]), 5)[0].tolist()
    [True, True, False]
    """
    if first & 1 or len(marks) & 1:
        marks = np.pad(marks, (first & 1, (first + len(marks)) & 1))
    return marks.view(np.uint16) != 0, first >> 1


def _ends(waiting: Sequence[ScoreValues], cut: Cut) -> tuple[int, int]:
    """The keys of the least and of the largest score."""
    ends = [(scores.min(), scores.max()) for scores in waiting if len(scores)]
    low, high = _keys(np.array([min(low for low, _ in ends), max(high for _, high in ends)]), cut)[0].tolist()
    return low, high


def _by_sign(waiting: Sequence[ScoreValues]) -> list[Sequence[ScoreValues]]:
    """Scores below zero, at it and above it, where there are any: the leading bits of these are far apart."""
    if all(scores.min(initial=1) > 0 for scores in waiting):
        return [waiting] if any(map(len, waiting)) else []
    ways = (np.less, np.equal, np.greater)
    return [parts for way in ways if any(map(len, parts := [scores[way(scores, 0)] for scores in waiting]))]
