"""From a table to blocks of clean judgements: a batch and the number of its first row in, a block out.

Reading has no memory: what a block is depends on its rows alone, so blocks may be read anywhere and in any order. What
must be known of the whole table is added up as facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.facts import NO_KEYS, Facts
from adjudge.data.judgements.labels import Labels
from adjudge.data.keys import Keys, NameKeys, RowKeys
from adjudge.data.memory import hold_memory, release_memory
from adjudge.data.source import Batch, NumberedSource, Source, Text, joined_batches

BLOCK_ROWS = 131_072


class Units(Protocol):
    """Judgements of units, in their order."""

    def of_rows(self, rows: NDArray[np.int64]) -> Self:
        """Those of some of the units."""


Views = Mapping[str, Any]  # judgements by view: `Units`, each of its own kind


@dataclass(frozen=True, slots=True)
class Block:
    """Units that stay, each complete: their judgements by view, with weights, keys and slices."""

    rows: int
    facts: Facts
    views: Views = field(default_factory=dict)  # what each system, or all raters, said
    weight: NDArray[np.float64] | None = None
    keys: Keys | RowKeys | NameKeys = field(default_factory=lambda: NO_KEYS)  # equal ones: drawn together
    slices: tuple[Labels, ...] = ()
    places: NDArray[np.int64] | None = None  # which rows of the batch they are, where a unit is a row
    times: NDArray[np.int64] | None = None  # how many units each stands for; None: one each
    once: bool = False  # whether they do because rows that are alike were read once: see `data/counting.py`
    squares: NDArray[np.float64] | None = None  # of those, the sum of their squared weights

    @property
    def rows_of_cells(self) -> NDArray[np.int64] | None:
        """How many units each cell has, where each of them is drawn by itself; those in bags are not."""
        return self.times if isinstance(self.keys, RowKeys) else None


class Reading(Protocol):
    """How the rows of a table become judgements."""

    @property
    def block_rows(self) -> int:
        """How many rows a block has."""

    @property
    def together(self) -> str | None:
        """The column that says which rows belong to one item, person or query; None when each row stands alone."""

    @property
    def countable(self) -> bool:
        """Whether rows that say the same in every column may be read once, as many as they are."""

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""

    def read(self, batch: Batch, first_row: int) -> Block:
        """The clean judgements of a batch whose first row has this number in the table."""

    def settled(self, facts: Facts) -> Reading:
        """The reading that all rows ask for, by what is known of them: itself, or one that reads the table again."""


class Place(NamedTuple):
    """Where a block stands in the table."""

    number: int  # of the block, whether or not there are empty ones before it
    first_row: int


def batches_of(source: Source, reading: Reading, *, gather: bool) -> Iterator[tuple[Place, Batch]]:
    """The table in blocks, each with its place.

    Rows that belong together are never cut: a block ends where the next item begins. With `gather` the rows of an item
    may stand anywhere in the table and are brought together first, items in the order in which they first appear.
    """
    hold_memory()
    batches = source.batches(reading.texts(), reading.numbers(), rows=reading.block_rows)
    if reading.together is not None:
        gather = gather or source.scattered
        batches = _uncut(_gathered(batches, reading) if gather else batches, reading.together)
    yield from _placed(batches, 0, 0)
    release_memory()


def batches_between(
    source: NumberedSource, reading: Reading, blocks: tuple[int, int], size: int
) -> Iterator[tuple[Place, Batch]]:
    """Some blocks of `size` rows, the same as `batches_of` makes of the whole table, from the rows that they need."""
    hold_memory()
    first_block, end = blocks[0], source.edges[-1]
    first_row, last_row = first_block * size, min(blocks[1] * size, end)
    batches = source.between(first_row, last_row).batches(reading.texts(), reading.numbers(), size)
    if reading.together is not None:
        waiting = _before(source, reading, first_row, size)
        first_row -= 0 if waiting is None else waiting.rows
        batches = _uncut(batches, reading.together, waiting, to_end=last_row == end)
    yield from _placed(batches, first_block, first_row)


def _placed(batches: Iterator[Batch], number: int, first_row: int) -> Iterator[tuple[Place, Batch]]:
    for block, batch in enumerate(batches, number):
        if batch.rows:
            yield Place(block, first_row), batch
            first_row += batch.rows


def _before(source: NumberedSource, reading: Reading, row: int, back: int) -> Batch | None:
    """The rows of the item that the row before this one belongs to, up to this row."""
    while row:
        first = max(row - back, 0)
        [batch] = source.between(first, row).batches(reading.texts(), reading.numbers(), row - first)
        changes = _changes(batch, str(reading.together))
        if len(changes) or not first:
            return batch[int(changes[-1]) + 1 :] if len(changes) else batch
        back *= 4
    return None


def _gathered(batches: Iterator[Batch], reading: Reading) -> Iterator[Batch]:
    """The same rows, those of an item after one another."""
    parts = list(batches)
    if not parts:
        return
    batch = joined_batches(parts)
    codes = _codes(batch, str(reading.together))
    changes = np.flatnonzero(codes[1:] != codes[:-1])
    if len(changes) + 1 > len(np.unique(codes)):
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        # Rows without an item stay where they are among the others: each is one of its own.
        order = np.argsort(np.where(codes < 0, np.arange(len(codes)), first[place]), kind="stable")
        batch = Batch(batch.rows, {name: column.of_rows(order) for name, column in batch.columns.items()})
    for start in range(0, batch.rows, reading.block_rows):
        yield batch[start : start + reading.block_rows]


def _uncut(
    batches: Iterator[Batch], column: str, waiting: Batch | None = None, *, to_end: bool = True
) -> Iterator[Batch]:
    """The same rows in as many blocks, each ending where an item ends; the last item is left out unless `to_end`.

    An item goes to the block in which its last row stands: it waits for it, and the blocks between are empty.
    """
    batch = next(batches, None)
    while batch is not None:
        whole, batch = batch if waiting is None else joined_batches([waiting, batch]), next(batches, None)
        if batch is None and to_end:
            yield whole
            return
        changes = _changes(whole, column)
        cut = int(changes[-1]) + 1 if len(changes) else 0
        yield whole[:cut]
        waiting = whole[cut:]


def _changes(batch: Batch, column: str) -> NDArray[np.intp]:
    """After which rows another item begins; a row without an item is one of its own."""
    codes = _codes(batch, column)
    return np.flatnonzero((codes[1:] != codes[:-1]) | (codes[1:] < 0))


def _codes(batch: Batch, column: str) -> NDArray[np.int64]:
    text = batch.columns[column]
    assert isinstance(text, Text)
    return text.codes
