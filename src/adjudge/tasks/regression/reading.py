"""How rows become pairs of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data.cleaning import (
    LeftOut,
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

REPEATED = "Remove the repeated rows, or give the column as `cluster`."
RANKS = "ranks of "  # the view of a system's numbers as two raters'
VALUES = "values of "  # … and as what functions of the user's own are called with
WHO = ("reference", "prediction")


@dataclass(frozen=True, slots=True)
class NumberReading:
    """Which columns hold the reference, the predictions and the ends of their intervals."""

    reference: str
    predictions: tuple[str, ...]
    bounds: tuple[tuple[str, str], ...] = ()  # for each prediction, where they are given
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
        yield from (("prediction", name) for name in self.predictions)
        for lower, upper in self.bounds:
            yield from (("lower", lower), ("upper", upper))
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
        ends = (name for pair in self.bounds for name in pair)
        weight = () if self.weight is None else (self.weight,)
        return tuple(dict.fromkeys([self.reference, *self.predictions, *ends, *weight]))

    def read(self, batch: Batch, first_row: int) -> Block:
        """The complete rows of a batch; a prediction without an interval stays."""
        left_out = LeftOut.none_of(batch.rows)
        left_out.drop_unusable(batch, self.reference, "reference")
        for name in self.predictions:
            left_out.drop_unusable(batch, name, "prediction")
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
            weight=weight,
        )
        return Block(len(rows), facts, self._views(batch, rows), weight, keys, levels)

    def _views(self, batch: Batch, rows: Any) -> dict[str, Any]:
        """Each system's numbers, the same as ranks, and as plain columns."""
        views: dict[str, Any] = {}
        reference = number_column(batch, self.reference).values[rows]
        for place, name in enumerate(self.predictions):
            ends = [number_column(batch, end).values[rows] for end in self.bounds[place]] if self.bounds else []
            numbers = PredictedNumbers(reference, number_column(batch, name).values[rows], *ends)
            views[name] = numbers
            views[f"{VALUES}{name}"] = ValueColumns(reference, numbers.prediction)
            values, codes = np.unique(np.concatenate([reference, numbers.prediction]), return_inverse=True)
            views[f"{RANKS}{name}"] = Ratings(codes.reshape(2, -1).T, (), WHO, values)
        return views
