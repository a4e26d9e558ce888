"""The crossed cells of a table of labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.cubes.bags import BAGS, bags_of
from adjudge.data.cubes.cube import (
    BAG,
    BEYOND,
    INFINITE,
    MISSING,
    UNREADABLE,
    WEIGHTS,
    Cells,
    Cube,
    CubeMeaning,
    CubeSystem,
    Sums,
    added_up,
    check_names,
    cube_of_cells,
    replace_meaning,
)
from adjudge.data.facts import Facts
from adjudge.data.label_values import KINDS, called, kinds_of
from adjudge.data.source import Batch, Numbers, Text
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.cubes.widths import CellWidths
from adjudge.evaluation.request import Request
from adjudge.evaluation.settings import versions
from adjudge.tasks.classification.reading import LabelReading


def classification_cells(request: Request, widths: CellWidths) -> Cube:
    """Every cell of the table, rows that would be left out among them: what is missing is a key like any other."""
    reading = request.reading_as(LabelReading)
    bits = widths.bits
    widths.check_columns(())
    _check(reading, bits)
    meaning = CubeMeaning(
        task=request.task.name,
        reference=reading.reference,
        systems=tuple(CubeSystem(s.name, s.prediction, s.scores[0][1] if s.scores else None) for s in reading.systems),
        slices=tuple(dict.fromkeys(column for columns in reading.slices for column in columns)),
        weight=reading.weight,
        cluster=reading.cluster,
        bags=0 if reading.weight is None and reading.cluster is None else BAGS,
        bits=bits,
    )
    check_names(meaning)
    cube = added_up(meaning, _blocks(request, meaning))
    positive = _positive(reading, cube)
    cube_meaning = replace_meaning(
        meaning,
        positive=positive,
        sources={request.source.fingerprint(): request.source.name},
        versions=versions(),
    )
    labelled = _of_positive(cube, positive, reading)
    return cube_of_cells(
        cube_meaning,
        cube.labels,
        cube.cells,
        {name: sums if name == WEIGHTS else _chosen(sums, labelled) for name, sums in cube.sums.items()},
        cube.n,
    )


def _check(reading: LabelReading, bits: int) -> None:
    if any(len(system.scores) > 1 for system in reading.systems):
        raise SettingError("Cells must be of one score for each system, but there is one for each label. Give one.")
    for cut in reading.cuts:
        if (cut * 2**bits) % 1:
            raise SettingError(
                f"`threshold` must be a multiple of 1/{2**bits}, because scores are counted in such cells, but it is "
                f"{cut:g}. Give a nearby one, or ask for more cells."
            )


def _blocks(request: Request, meaning: CubeMeaning) -> Iterator[Cube]:
    """The cells of each block."""
    texts = [
        *meaning.slices,
        meaning.reference,
        *(one.prediction for one in meaning.systems if one.prediction is not None),
    ]
    numbers = [one.score for one in meaning.systems if one.score is not None]
    reading, first_row = request.study.reading, 0
    unit = getattr(reading, "id", None) if meaning.cluster is None else meaning.cluster
    texts += [] if unit is None else [unit]
    numbers += [] if meaning.weight is None else [meaning.weight]
    for batch in request.source.batches(tuple(dict.fromkeys(texts)), tuple(dict.fromkeys(numbers))):
        cells, sums, labels = {}, {}, _labels(batch, meaning)
        weight = np.ones(batch.rows)
        if meaning.weight is not None:
            weight = _weighed(number_column(batch, meaning.weight), meaning.weight)
            sums[WEIGHTS] = np.stack([weight, weight**2], axis=1)
        for system in meaning.systems:
            if system.score is not None:
                cells[system.name], scored = _scored(number_column(batch, system.score), meaning.bits)
                sums[system.name] = scored * weight[:, None]
        if meaning.bags:
            labels[BAG] = bags_of(batch, unit, first_row)
        yield cube_of_cells(meaning, labels, cells, sums, np.ones(batch.rows, dtype=np.int64))
        first_row += batch.rows


def _weighed(column: Numbers, name: str) -> Sums:
    if not (np.isfinite(column.values) & (column.values >= 0)).all():
        raise SettingError(
            f"Rows must all have a weight to be counted in cells, but some have none in {quoted(name)}. Leave them out "
            "of the table."
        )
    return column.values


def _labels(batch: Batch, meaning: CubeMeaning) -> dict[str, Text]:
    texts = {name: text_column(batch, column) for name, column in meaning.label_columns.items()}
    return {name: Text(text.codes.astype(np.int64), text.labels) for name, text in texts.items()}


def _scored(column: Numbers, bits: int) -> tuple[Cells, Sums]:
    """The cell of each score, and what adds: the score, the surprise and squared error of either outcome."""
    values = column.values
    usable = np.isfinite(values)
    score = np.where(usable, values, 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        scaled = np.floor(score * 2.0**bits)
        inside = np.abs(score) < 2 ** (31 - bits) - 1
        cells = np.where(inside, scaled, BEYOND)
        cells = np.where(
            usable, cells, np.where(column.missing, MISSING, np.where(column.unreadable, UNREADABLE, INFINITE))
        )
        proper = np.where(usable & (score >= 0) & (score <= 1), score, np.nan)
        columns = [score, -np.log(proper), -np.log1p(-proper), (1 - proper) ** 2, proper**2]
    if not inside.all():
        raise SettingError("Scores must lie within 2³¹ cells, but some are beyond. Ask for fewer cells of scores.")
    return cells.astype(np.int64), np.stack(columns, axis=1)


def _positive(reading: LabelReading, cube: Cube) -> str | None:
    """What lone scores speak of, by all labels."""
    if not cube.cells:
        return None
    settled = _settled(reading, cube)
    return settled.positive_among(
        frozenset(called(label, settled.meeting) for label in cube.labels["reference"].labels)
    )


def _settled(reading: LabelReading, cube: Cube) -> LabelReading:
    labels = [label for name, text in cube.labels.items() if name not in cube.meaning.slices for label in text.labels]
    given = [] if reading.positive is None else [reading.positive]
    return reading.settled(Facts(seen={KINDS: kinds_of([*given, *labels])}))


def _of_positive(cube: Cube, positive: str | None, reading: LabelReading) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which cells are of the label that scores speak of."""
    text, meeting = cube.labels["reference"], _settled(reading, cube).meeting
    are = np.array([*(called(label, meeting) == positive for label in text.labels), False], dtype=np.bool_)
    return np.asarray(are[text.codes])


def _chosen(sums: Sums, positive: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Sums:
    """Score, surprise and squared error of what happened."""
    return np.stack(
        [sums[:, 0], np.where(positive, sums[:, 1], sums[:, 2]), np.where(positive, sums[:, 3], sums[:, 4])], axis=1
    )
