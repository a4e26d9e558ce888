"""How rows become pairs of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data.cleaning import (
    LeftOut,
    Rows,
    case_weights,
    check_columns,
    facts_of,
    ids_in,
    label_keys,
    levels_of_rows,
    number_column,
    refuse_both,
)
from adjudge.data.keys import keys_of_rows
from adjudge.data.numbers import PredictedNumbers
from adjudge.data.ratings import Ratings
from adjudge.data.reading import BLOCK_ROWS, Block
from adjudge.data.source import Batch
from adjudge.data.value_columns import ValueColumns
from adjudge.errors import quoted

REPEATED = "Remove the repeated rows, or give the column as `cluster`."
# Views of a system's numbers as two raters', and as what functions of the user's own are called with; no column is
# called so.
RANKS, VALUES = "\0ranks of ", "\0values of "
WHO = ("reference", "prediction")
# Products of three squared errors must still be numbers.
MOST_NUMBER = 1e50


@dataclass(frozen=True, slots=True)
class NumberSystem:
    """Where one system's predictions are, and the ends of its prediction intervals, if it has any."""

    name: str
    prediction: str
    lower: str | None = None
    upper: str | None = None

    @property
    def roles(self) -> dict[str, str]:
        """Which column plays which role."""
        columns = {"prediction": self.prediction, "lower": self.lower, "upper": self.upper}
        return {role: column for role, column in columns.items() if column is not None}

    @property
    def bounds(self) -> tuple[str, ...]:
        """The columns of lower and upper ends; none without intervals."""
        return tuple(end for end in (self.lower, self.upper) if end is not None)


@dataclass(frozen=True, slots=True)
class NumberReading:
    """Which columns hold the reference, and each system's predictions."""

    reference: str
    systems: tuple[NumberSystem, ...]
    weight: str | None = None
    cluster: str | None = None
    id: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()

    block_rows = BLOCK_ROWS
    together = None

    def checked(self, columns: Sequence[str]) -> NumberReading:
        """The same reading, if every column exists and none must be both text and number."""
        check_columns(self._named(), columns)
        refuse_both(
            self.texts(),
            self.numbers(),
            "A column must be read either as labels (slices, cluster, id) or as numbers (reference, prediction, lower, "
            "upper, weight)",
        )
        return self

    def _named(self) -> Iterator[tuple[str, str]]:
        yield "reference", self.reference
        for system in self.systems:
            yield from system.roles.items()
        for role, name in (("weight", self.weight), ("cluster", self.cluster), ("id", self.id)):
            if name is not None:
                yield role, name
        yield from (("slices", name) for names in self.slices for name in names)

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        crossed = (column for columns in self.slices for column in columns)
        return tuple(dict.fromkeys(name for name in (self.cluster, self.id, *crossed) if name is not None))

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        answers = (column for system in self.systems for column in system.roles.values())
        weight = () if self.weight is None else (self.weight,)
        return tuple(dict.fromkeys([self.reference, *answers, *weight]))

    def read(self, batch: Batch, first_row: int) -> Block:
        """The complete rows of a batch; a prediction without an interval stays."""
        left_out = LeftOut.none_of(batch.rows)
        _drop_unusable(left_out, batch, self.reference, "reference")
        for system in self.systems:
            _drop_unusable(left_out, batch, system.prediction, "prediction")
        for role, column in (("weight", self.weight), ("cluster", self.cluster)):
            if column is not None:
                left_out.drop_unusable(batch, column, role)
        rows = left_out.rows
        keys = (
            keys_of_rows(first_row, first_row + batch.rows)[rows]
            if self.cluster is None and self.id is None
            else label_keys(batch, str(self.id if self.cluster is None else self.cluster), rows)
        )
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        weight = case_weights(batch, self.weight, rows)
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            ids=ids_in(batch, self.id, "row", REPEATED),
            units=keys,
            unused=self._without_interval(batch, left_out),
            weight=weight,
        )
        return Block(len(rows), facts, self._views(batch, rows), weight, keys, levels)

    def _without_interval(self, batch: Batch, others: LeftOut) -> dict[str, int]:
        """Rows that stay though their prediction has no interval, counted by the first reason that holds."""
        counts: dict[str, int] = {}
        for lower, upper in (system.bounds for system in self.systems if system.bounds):
            left_out = LeftOut(others.keep.copy())
            _drop_unusable(left_out, batch, lower, "lower")
            _drop_unusable(left_out, batch, upper, "upper")
            ends = [number_column(batch, end).values for end in (lower, upper)]
            left_out.drop(ends[0] > ends[1], f"lower {quoted(lower)} lies above upper {quoted(upper)}")
            counts |= left_out.reasons
        return counts

    def _views(self, batch: Batch, rows: Rows) -> dict[str, Any]:
        """Each system's numbers, the same as ranks, and as plain columns."""
        views: dict[str, Any] = {}
        reference = number_column(batch, self.reference).values[rows]
        for system in self.systems:
            prediction, *ends = (number_column(batch, column).values[rows] for column in system.roles.values())
            ends = [np.where(np.abs(end) <= MOST_NUMBER, end, np.nan) for end in ends]
            numbers, name = PredictedNumbers(reference, prediction, *ends), system.name
            views[name] = numbers
            views[f"{VALUES}{name}"] = ValueColumns(reference, prediction)
            values, codes = np.unique(np.concatenate([reference, prediction]), return_inverse=True)
            views[f"{RANKS}{name}"] = Ratings(codes.reshape(2, -1).T, (), WHO, values)
        return views


def _drop_unusable(left_out: LeftOut, batch: Batch, name: str, role: str) -> None:
    """Leave out what is no number, or too large to calculate with."""
    left_out.drop_unusable(batch, name, role)
    beyond = np.abs(number_column(batch, name).values) > MOST_NUMBER
    left_out.drop(beyond, f"{role} {quoted(name)} is beyond {MOST_NUMBER:g}")
