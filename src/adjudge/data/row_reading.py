"""Readings in which every row stands for itself: what they share, whatever a row holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import (
    LeftOut,
    Rows,
    case_weights,
    check_columns,
    check_ids,
    facts_of,
    ids_in,
    label_keys,
    levels_of_rows,
    refuse_both,
)
from adjudge.data.facts import Facts, check_clusters, check_rows, check_weight
from adjudge.data.keys import Keys, RowKeys
from adjudge.data.order import Order
from adjudge.data.reading import BLOCK_ROWS, Block, Views
from adjudge.data.source import Batch

REPEATED = "Remove the repeated rows, or give the column as `cluster`."


def _ends(kept: NDArray[np.bool_], order: Order) -> Rows:
    """The first and the last row that stays, of rows that were read once where they are alike."""
    if kept.all():
        return np.array([0, len(order.codes) - 1])
    return np.flatnonzero(order.spread(kept))[[0, -1]] if kept.any() else np.zeros(0, dtype=np.int64)


class RoleColumn(NamedTuple):
    """A column that a row holds something in, by its role."""

    role: str
    column: str
    number: bool = False  # whether it is read as a number, or as a label
    needed: bool = True  # whether a row without it is left out


@dataclass(frozen=True, kw_only=True)
class RowReading(ABC):
    """Rows with weights, slices and perhaps names; several may belong together. A task says what else a row holds."""

    weight: str | None = None
    cluster: str | None = None
    id: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()

    as_labels: ClassVar[str] = ""  # the task's roles that are read as labels, and as numbers, for a message
    as_numbers: ClassVar[str] = ""

    @property
    def block_rows(self) -> int:
        """How many rows a block has: twice as many as usual where they are counted, which is little for each row."""
        return 2 * BLOCK_ROWS if self.countable else BLOCK_ROWS

    @property
    def together(self) -> str | None:
        """Every row stands for itself."""
        return None

    @abstractmethod
    def answers(self) -> Iterable[RoleColumn]:
        """The task's own columns."""

    @abstractmethod
    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """The judgements of some rows, by view, and what was met in them."""

    def checked(self, columns: Sequence[str]) -> Self:
        """The same reading, if every column exists and none must be both label and number."""
        check_columns(((answer.role, answer.column) for answer in self._every()), columns)
        refuse_both(
            self.texts(),
            self.numbers(),
            f"A column must be read either as labels ({self.as_labels}slices, cluster, id) or as numbers "
            f"({self.as_numbers}weight)",
        )
        return self

    def _every(self) -> Iterator[RoleColumn]:
        yield from self.answers()
        if self.weight is not None:
            yield RoleColumn("weight", self.weight, number=True)
        if self.cluster is not None:
            yield RoleColumn("cluster", self.cluster)
        if self.id is not None:
            yield RoleColumn("id", self.id, needed=False)
        yield from (RoleColumn("slices", name, needed=False) for names in self.slices for name in names)

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        return tuple(dict.fromkeys(answer.column for answer in self._every() if not answer.number))

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        return tuple(dict.fromkeys(answer.column for answer in self._every() if answer.number))

    def read(self, batch: Batch, first_row: int) -> Block:
        """The complete rows of a batch."""
        left_out = LeftOut.none_of(batch.rows, batch.times)
        for answer in self._every():
            if answer.needed:
                self.drop_unusable(left_out, batch, answer)
        rows = left_out.rows
        ids = ids_in(batch, self.id, "row", REPEATED)  # a row without a name is refused before any is looked up by it
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        weight, keys = case_weights(batch, self.weight, rows), self._keys(batch, first_row, rows)
        views, seen = self.views(batch, rows) if len(rows) else ({}, {})
        in_order = self.cluster is None and (batch.times is None or batch.order is not None)
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            seen=seen,
            ids=ids,
            units=keys,
            unused=self.unused(batch, left_out),
            weight=weight,
            twins=self.twins(views) if views and in_order else None,
            digests=self.digests(views, keys),
            wrong=self._in_order(self.wrong(views), batch, left_out) if views and in_order else None,
            counted=self.counted(batch, rows),
        )
        times = None if batch.times is None else batch.times[rows]
        squares = None if batch.squares is None else batch.squares[rows]
        once = batch.order is not None
        return Block(len(rows), facts, views, weight, keys, levels, rows, times, once, squares)

    def drop_unusable(self, left_out: LeftOut, batch: Batch, answer: RoleColumn) -> None:
        """Leave out the rows in which a column says nothing, or nothing that can be used."""
        left_out.drop_unusable(batch, answer.column, answer.role)
        if answer.number and answer.role != "weight":
            left_out.drop_beyond(batch, answer.column, answer.role)

    def unused(self, batch: Batch, left_out: LeftOut) -> Mapping[str, int]:
        """Values that are not used though their row stays, by reason."""
        return {}

    def _keys(self, batch: Batch, first_row: int, rows: Rows) -> Keys | RowKeys:
        unit = self.id if self.cluster is None else self.cluster
        if unit is not None:
            return label_keys(batch, unit, rows)
        if batch.order is None:
            return RowKeys(first_row, rows)
        kept = np.zeros(batch.rows, dtype=np.bool_)
        kept[rows] = True
        return RowKeys(first_row, _ends(kept, batch.order))

    def _in_order(
        self, wrong: Mapping[str, NDArray[np.bool_]], batch: Batch, left_out: LeftOut
    ) -> Mapping[str, NDArray[np.bool_]]:
        """What is wrong in the order of the table, where rows that are alike were read once."""
        if (order := batch.order) is None:
            return wrong
        every = np.zeros(batch.rows, dtype=np.bool_)
        rows = None if left_out.keep.all() else order.spread(left_out.keep)
        by_name = {}
        for name, of_system in wrong.items():
            every[left_out.keep] = of_system
            by_name[name] = order.spread(every) if rows is None else order.spread(every)[rows]
        return by_name

    @property
    def countable(self) -> bool:
        """Whether rows that say the same in every column may be read once, as many as they are."""
        return False

    def digests(self, views: Views, units: Keys | RowKeys) -> Mapping[str, int]:
        """What tells the answers of several systems apart, by system; nothing where there is one."""
        return {}

    def wrong(self, views: Views) -> Mapping[str, NDArray[np.bool_]]:
        """Which rows each system got wrong, or on which side of the reference it lies; nothing where that is not it."""
        return {}

    def counted(self, batch: Batch, rows: Rows) -> Mapping[tuple[str, ...], int]:
        """How many rows are what a check asks for, by what that is."""
        return {}

    def twins(self, views: Views) -> Keys | None:
        """A key for each row, equal where all answers are; None where rows may be equal by chance."""
        return None

    def settled(self, facts: Facts) -> Self:
        """The same."""
        return self

    def judge(self, facts: Facts, source: str) -> None:
        """Refuse what only the whole table shows."""
        check_rows(facts, source, "Some rows must be complete")
        check_ids(facts, self.id, "row", REPEATED)
        check_clusters(facts, "cluster", self.cluster)
        check_weight(facts, self.weight, "row")
