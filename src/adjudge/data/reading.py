"""From a table to blocks of clean judgements: a batch and the number of its first row in, a block out.

Reading has no memory: what a block is depends on its rows alone, so blocks may be read anywhere and in any order. What
must be known of the whole table is added up as facts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.data.facts import Facts
from adjudge.data.keys import Keys
from adjudge.data.labels import Labels
from adjudge.data.source import Batch, Source, Text, joined

BLOCK_ROWS = 131_072


@dataclass(frozen=True, slots=True)
class Block:
    """Units that stay, each complete: their judgements by view, with weights, keys and slices."""

    rows: int
    facts: Facts
    views: Mapping[str, Any] = field(default_factory=dict)  # what each system, or all raters, said; has `of_rows`
    weight: NDArray[np.float64] | None = None
    keys: Keys = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))  # equal keys are drawn together
    slices: tuple[Labels, ...] = ()
    places: NDArray[np.int64] | None = None  # which rows of the batch they are, where a unit is a row


class Reading(Protocol):
    """How the rows of a table become judgements."""

    @property
    def block_rows(self) -> int:
        """How many rows a block has."""

    @property
    def together(self) -> str | None:
        """The column that says which rows belong to one item, person or query; None when each row stands alone."""

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""

    def read(self, batch: Batch, first_row: int) -> Block:
        """The clean judgements of a batch whose first row has this number in the table."""

    def settled(self, facts: Facts) -> Reading:
        """The reading that all rows ask for, by what is known of them: itself, or one that reads the table again."""


def batches_of(source: Source, reading: Reading, *, gather: bool) -> Iterator[tuple[int, Batch]]:
    """The table in blocks, each with the number of its first row.

    Rows that belong together are never cut: a block ends where the next item begins. With `gather` the rows of an item
    may stand anywhere in the table and are brought together first, items in the order in which they first appear.
    """
    first_row = 0
    batches = source.batches(reading.texts(), reading.numbers(), rows=reading.block_rows)
    if reading.together is not None:
        batches = _uncut(_gathered(batches, reading) if gather else batches, reading.together)
    for batch in batches:
        if batch.rows:
            yield first_row, batch
            first_row += batch.rows
    if (arrow := sys.modules.get("pyarrow")) is not None:  # it keeps what it decoded into, for the next table
        arrow.default_memory_pool().release_unused()


def _gathered(batches: Iterator[Batch], reading: Reading) -> Iterator[Batch]:
    """The same rows, those of an item after one another."""
    parts = list(batches)
    if not parts:
        return
    batch = joined(parts)
    codes = _codes(batch, str(reading.together))
    changes = np.flatnonzero(codes[1:] != codes[:-1])
    if len(changes) + 1 > len(np.unique(codes)):
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        # Rows without an item stay where they are among the others: each is one of its own.
        order = np.argsort(np.where(codes < 0, np.arange(len(codes)), first[place]), kind="stable")
        batch = Batch(batch.rows, {name: column.of_rows(order) for name, column in batch.columns.items()})
    for start in range(0, batch.rows, reading.block_rows):
        yield batch[start : start + reading.block_rows]


def _uncut(batches: Iterator[Batch], column: str) -> Iterator[Batch]:
    """The same rows in blocks that end where an item ends."""
    waiting: Batch | None = None
    batch = next(batches, None)
    while batch is not None:
        whole, batch = batch if waiting is None else joined([waiting, batch]), next(batches, None)
        if batch is None:
            yield whole
            return
        codes = _codes(whole, column)
        changes = np.flatnonzero((codes[1:] != codes[:-1]) | (codes[1:] < 0))
        cut = int(changes[-1]) + 1 if len(changes) else 0
        if cut:
            yield whole[:cut]
        waiting = whole[cut:]


def _codes(batch: Batch, column: str) -> NDArray[np.int64]:
    text = batch.columns[column]
    assert isinstance(text, Text)
    return text.codes
