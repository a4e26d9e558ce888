"""How a task declares its cube: what of a row is a key of a cell, and what is summed over the rows of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.cubes.bags import BAGS, bags_of
from adjudge.data.cubes.cube import Cube, Sums, added_up, cube_of_cells, with_contents
from adjudge.data.cubes.grid import Cells
from adjudge.data.cubes.meaning import BAG, CubeMeaning, check_meaning, grids_of, replace_meaning
from adjudge.data.cubes.number_labels import labels_of_numbers
from adjudge.data.reading import Reading, batches_of
from adjudge.data.row_reading import RowReading
from adjudge.data.source import Batch, Text
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.asking.settings import versions
from adjudge.evaluation.cubes.widths import CellWidths
from adjudge.evaluation.request import Request

FEW_CELLS = 4_096  # of more, a cube of numbers has at most half as many as there are rows
WEIGHT = "weight"  # what the file calls the column of weights, which are never rounded
NOT_KEPT = ("slices", "id")  # roles that cells are not evaluated with: slices are chosen anew, names are not counted


@dataclass(frozen=True, kw_only=True)
class MadeKeys:
    """Keys that no column of the table holds: made of its blocks, as the reading cuts them."""

    reading: Reading
    columns: Mapping[str, str]  # of the file, each with what it is called when the cells are read
    of_block: Callable[[Batch, int], Mapping[str, Text]]  # of a block and the number of its first row


class Summing(Protocol):
    """What is counted and summed of rows that cells do not hold as they are: cells of scores, and sums over them."""

    @property
    def thresholds(self) -> tuple[float, ...]:
        """By system, where its scores decide; empty where that was not asked for."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of numbers that are read."""

    @property
    def bags_by(self) -> tuple[str | None] | None:
        """The column that tells units apart, or none where each row is one; None where rows are in no bags."""

    def of_block(self, batch: Batch, meaning: CubeMeaning) -> tuple[dict[str, Cells], dict[str, Sums]]:
        """Cells of scores by system, and the sums of each row."""

    def decisions(self, batch: Batch) -> Mapping[str, Text]:
        """By column of the file, what scores decide that no column of the table says."""

    def finished(self, cube: Cube) -> Cube:
        """The cube of all blocks, with what only all of them tell."""


@dataclass(frozen=True, kw_only=True)
class CellKeys:
    """What rows are counted by, besides their slices, and with what the cells are evaluated.

    Columns of the file are named with the columns of the table that they are. Cells hold all that is read of their
    rows, so whatever the task makes of rows it makes of cells; unless they are summed over.
    """

    given: Mapping[str, object]  # roles and settings
    applied: Mapping[str, object] = field(default_factory=dict)  # settings that make the keys, and nothing of cells
    labels: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)  # counted by their values
    unit: str | None = None  # the column of units that are drawn: kept in bags
    making: MadeKeys | None = None  # where a cell is of what becomes of rows; units too, where there are any
    needed: tuple[str, ...] = ()  # those of them without which a row is left out
    summing: Summing | None = None  # where cells do not hold all of their rows
    members: Mapping[str, object] = field(default_factory=dict)  # of the meaning, where these keys do not tell them

    @property
    def bags_by(self) -> tuple[str | None] | None:
        """The column that tells units apart that are kept in bags; see `Summing`."""
        if self.summing is not None:
            return self.summing.bags_by
        return None if self.unit is None else (self.unit,)


def cells_by(keys_of: Callable[[Request], CellKeys]) -> Callable[[Request, CellWidths], Cube]:
    """What `Task.cells` is: every row is in a cell, what is missing is a key like any other."""

    def cells(request: Request, widths: CellWidths) -> Cube:
        keys = keys_of(request)
        if widths.bits is not None and keys.summing is None:
            instead = " Give `cube_steps`." if keys.numbers else ""
            raise SettingError(
                f"`score_cells` must be left out where numbers are counted by their values, if at all.{instead}"
            )
        widths.check_columns([column for name, column in keys.numbers.items() if name != WEIGHT])
        own = {} if keys.making is None else dict(keys.making.columns)
        usual = CubeMeaning(
            task=request.task.name,
            unit=request.study.unit,
            slices=tuple(dict.fromkeys(column for columns in request.study.slices for column in columns)),
            keys={**keys.labels, **keys.numbers, **own},
            numbers=tuple(keys.numbers),
            needed=keys.needed,
            rounded=dict(widths.steps),
            settings=_as_read(keys.given),
            applied=_as_read(keys.applied),
            cluster=keys.unit,
            bags=0 if keys.bags_by is None else BAGS,
            sources={request.source.fingerprint(): request.source.name},
            versions=versions(),
        )
        meaning = replace_meaning(usual, **keys.members)
        if keys.summing is not None:
            grids = grids_of(meaning.systems, keys.summing.thresholds, widths.bits)
            meaning = replace_meaning(meaning, grids=grids)
        check_meaning(meaning)
        cube = added_up(meaning, _blocks(request, meaning, keys))
        _check_alike(cube)
        return with_contents(cube if keys.summing is None else keys.summing.finished(cube))

    return cells


def _as_read(settings: Mapping[str, object]) -> dict[str, object]:
    """Settings as a file has them, so that cubes that were counted and cubes that were read can be added."""
    return msgspec.json.decode(msgspec.json.encode(dict(settings)), type=dict[str, object])


def _blocks(request: Request, meaning: CubeMeaning, keys: CellKeys) -> Iterator[Cube]:
    """The cells of each block."""
    labels = {name: name for name in meaning.slices} | dict(keys.labels)
    first_row = 0
    for batch in _batches(request, list(labels.values()), keys):
        columns = {name: text_column(batch, column) for name, column in labels.items()}
        for name, column in keys.numbers.items():
            columns[name] = labels_of_numbers(number_column(batch, column), meaning.rounded.get(column))
        columns |= {} if keys.summing is None else keys.summing.decisions(batch)
        if keys.making is not None:
            columns |= keys.making.of_block(batch, first_row)
        elif keys.bags_by is not None:
            columns[BAG] = bags_of(batch, keys.bags_by[0], first_row)
        wide = {name: Text(text.codes.astype(np.int64), text.labels) for name, text in columns.items()}
        cells, sums = ({}, {}) if keys.summing is None else keys.summing.of_block(batch, meaning)
        yield cube_of_cells(meaning, wide, cells, sums, np.ones(batch.rows, dtype=np.int64))
        first_row += batch.rows


def _batches(request: Request, texts: list[str], keys: CellKeys) -> Iterator[Batch]:
    if keys.making is None:
        texts += [] if keys.bags_by is None or keys.bags_by[0] is None else [keys.bags_by[0]]
        numbers = [*keys.numbers.values(), *(() if keys.summing is None else keys.summing.columns)]
        yield from request.source.batches(tuple(dict.fromkeys(texts)), tuple(dict.fromkeys(numbers)))
        return
    for _, batch in batches_of(request.source, keys.making.reading, gather=request.engine.holds_table):
        yield batch


def _check_alike(cube: Cube) -> None:
    """Refuse numbers of which hardly two rows have the same: their cube would be the table."""
    cells, rows = len(cube.n), int(cube.n.sum())
    if cells <= max(FEW_CELLS, rows / 2):
        return
    if several := [one for one in cube.meaning.systems if one.scores]:
        wide = max((name for one in several for name in one.score_columns), key=lambda name: cube.meaning.grid(name).k)
        fewer = 2 ** max(cube.meaning.grid(wide).k - 1, 1)
        raise SettingError(
            f"A cube must count rows that are alike, but {rows:,} rows make {cells:,} cells, because the scores of "
            f"{len(several[0].scores)} labels are crossed: it would be the table. Give `--score-cells {fewer}` or "
            "fewer, or evaluate the table."
        )
    if cube.meaning.numbers:
        widest = max(cube.meaning.numbers, key=lambda name: len(cube.labels[name].labels))
        raise SettingError(
            f"A cube must count rows that are alike, but {rows:,} rows make {cells:,} cells, because of the numbers in "
            f"{quoted(cube.meaning.keys[widest])}: it would be the table. Give `cube_steps`, or evaluate the table."
        )


def kept_roles(request: Request, *, without: tuple[str, ...] = ()) -> dict[str, object]:
    """The roles and settings of the task that were given, but for those; other tables cannot be counted with one."""
    task, left = request.task, {*NOT_KEPT, *without}
    declared = {role.name for role in task.roles} | {setting.name for setting in task.settings} | {"systems"}
    kept = {name: value for name, value in request.given.items() if name in declared - left}
    if others := [setting.name for setting in task.settings if setting.by_hand and setting.name in kept]:
        raise SettingError(
            f"A cube must be of one table, but `{others[0]}` names another. Leave it out, or evaluate the table."
        )
    return kept


def kept_settings(request: Request) -> dict[str, object]:
    """The settings of the task that were given."""
    return kept_roles(request, without=("systems", *(role.name for role in request.task.roles)))


def row_keys(
    request: Request,
    *,
    called: Mapping[str, str] | None = None,
    without: tuple[str, ...] = (),
) -> CellKeys:
    """The keys of a reading in which every row stands for itself: all that it holds, each by its role and column.

    `called` says what the file calls a role, `without` which roles and settings are left out.
    """
    reading = request.study.reading
    assert isinstance(reading, RowReading), "rows that belong together have keys of their own"
    labels: dict[str, str] = {}
    numbers = {} if reading.weight is None else {WEIGHT: reading.weight}
    needed = list(numbers)
    for answer in reading.answers():
        if answer.role not in without:
            name = f"{(called or {}).get(answer.role, answer.role)}:{answer.column}"
            (numbers if answer.number else labels)[name] = answer.column
            needed += [name] if answer.needed else []
    return CellKeys(
        given=kept_roles(request, without=without),
        labels=labels,
        numbers=numbers,
        unit=reading.cluster,
        needed=tuple(needed),
    )
