"""Every row of the table with what each system said of it, what that cost, and how much it moves the mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.facts import CROSS
from adjudge.data.reading import Block, batches_of
from adjudge.data.source import Batch
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Column, Nested, Part
from adjudge.statistics.base import Array, ratio, steady_product


@dataclass(frozen=True, slots=True)
class RowAnswers:
    """What one system said of some rows: its columns, and what each row cost; NaN where that cannot be said.

    `proper` says whether its scores are what they are taken for; where some rows' are not, all are told again without.
    """

    columns: Mapping[str, Column]
    loss: Array
    proper: bool = True


Telling = Callable[[Block, str, bool], RowAnswers]


@dataclass(frozen=True, slots=True)
class _Mean:
    """The mean loss of a system, with the weight behind it."""

    total: float = 0.0
    weight: float = 0.0
    proper: bool = True

    def and_of(self, losses: RowAnswers, weight: Array | None) -> _Mean:
        """With the rows of one more block."""
        known = np.isfinite(losses.loss)
        weights = np.where(known, 1.0 if weight is None else weight, 0.0)
        cost = float(steady_product(np.where(known, losses.loss, 0.0), weights))
        return _Mean(self.total + cost, self.weight + float(weights.sum()), self.proper and losses.proper)

    def influence(self, loss: Array, weight: Array | None) -> Array:
        """The mean less the mean without each row: above 0 the row makes it worse."""
        weights = np.where(np.isfinite(loss), 1.0 if weight is None else weight, np.nan)
        mean = ratio(self.total, self.weight)
        return np.asarray(ratio(weights * (loss - mean), self.weight - weights))


def row_items(request: Request, systems: Sequence[str], telling: Telling) -> Iterator[Part]:
    """A row for each row of the table that was used, and each system; `telling` says what a system made of a block."""
    means = _means(request, systems, telling, dict.fromkeys(systems, True))
    if not all(mean.proper for mean in means.values()):
        means = _means(request, systems, telling, {name: mean.proper for name, mean in means.items()})

    def with_loss(block: Block, name: str) -> Mapping[str, Column]:
        items = telling(block, name, means[name].proper)
        influence = means[name].influence(items.loss, block.weight)
        return {**items.columns, "loss": items.loss, "influence": influence}

    yield from rows_of_systems(request, systems, with_loss)


def rows_of_systems(
    request: Request, systems: Sequence[str], columns: Callable[[Block, str], Mapping[str, Column]]
) -> Iterator[Part]:
    """A row for each row of the table that was used, and each system; `columns` are those of a system in a block.

    All systems have the columns of any of them, in which those that say nothing there have empty cells.
    """
    for first_row, batch, block in blocks_with_rows(request):
        each = {name: columns(block, name) for name in systems}
        most_first = sorted(each.values(), key=len, reverse=True)
        empty = {column: _empty(values) for one in most_first for column, values in one.items()}
        for name in systems:
            named = named_rows(request, batch, block, first_row)
            yield {**named, "system": [name] * block.rows, **empty, **each[name]}


def _empty(values: Column) -> Column:
    """As many cells of the same kind, with nothing in them."""
    if isinstance(values, np.ndarray):
        return np.ma.MaskedArray(np.zeros(values.shape, values.dtype), mask=True)
    nothing: list[object] = [None] * len(values)
    return Nested(nothing) if isinstance(values, Nested) else nothing


def _means(request: Request, systems: Sequence[str], telling: Telling, proper: Mapping[str, bool]) -> dict[str, _Mean]:
    means = {name: _Mean(proper=proper[name]) for name in systems}
    for _, _, block in blocks_with_rows(request):
        for name in systems:
            means[name] = means[name].and_of(telling(block, name, proper[name]), block.weight)
    return means


def blocks_with_rows(request: Request) -> Iterator[tuple[int, Batch, Block]]:
    """The clean blocks of the table, each with the rows it was read from and the number of the first."""
    reading = request.study.reading
    for (_, first_row), batch in batches_of(request.source, reading, gather=request.engine.holds_table):
        block = reading.read(batch, first_row)
        if block.rows:
            yield first_row, batch, block


def named_rows(request: Request, batch: Batch, block: Block, first_row: int) -> dict[str, Column]:
    """What says which rows of the table these are: number, name, slices, weight."""
    reading = request.study.reading
    assert block.places is not None
    named: dict[str, Column] = {}
    if reading.together is None:  # otherwise rows may have been brought together
        named["row"] = block.places + first_row + 1
    for role in ("id", "candidate", "cluster"):
        if (column := getattr(reading, role, None)) is not None:
            text = text_column(batch, column)
            labels = np.array([*text.labels, None], dtype=object)
            named.setdefault(column, labels[text.codes[block.places]].tolist())
    for columns, levels in zip(request.study.slices, block.slices, strict=True):
        named.setdefault(CROSS.join(columns), [levels.categories[code] for code in levels.codes])
    if block.weight is not None:
        named["weight"] = block.weight
    return named
