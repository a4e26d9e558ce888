"""The crossed cells of a table of labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.cube import (
    BEYOND,
    INFINITE,
    MISSING,
    UNREADABLE,
    Cells,
    Cube,
    CubeMeaning,
    CubeSystem,
    Sums,
    cube_of_cells,
    joined_cubes,
    replace_meaning,
)
from adjudge.data.facts import Facts
from adjudge.data.label_values import KINDS, called, kinds_of
from adjudge.data.source import Batch, Numbers, Text
from adjudge.errors import SettingError
from adjudge.evaluation.request import Request
from adjudge.evaluation.settings import versions
from adjudge.tasks.classification.reading import LabelReading

# Cells of blocks are joined when there are so many of them.
AT_ONCE = 2**20


def classification_cells(request: Request, bits: int) -> Cube:
    """Every cell of the table, rows that would be left out among them: what is missing is a key like any other."""
    reading: LabelReading = request.study.reading  # type: ignore[assignment]
    _check(reading, bits)
    meaning = CubeMeaning(
        task=request.task.name,
        reference=reading.reference,
        systems=tuple(CubeSystem(s.name, s.prediction, s.scores[0][1] if s.scores else None) for s in reading.systems),
        slices=tuple(dict.fromkeys(column for columns in reading.slices for column in columns)),
        bits=bits,
    )
    waiting: list[Cube] = []
    for cells in _blocks(request, meaning):
        waiting.append(cells)
        if sum(len(part.n) for part in waiting) > AT_ONCE and len(waiting) > 1:
            waiting = [joined_cubes(meaning, waiting)]
    cube = joined_cubes(meaning, waiting)
    positive = _positive(reading, cube)
    made = replace_meaning(
        meaning,
        positive=positive,
        sources={request.source.fingerprint(): request.source.name},
        versions=versions(),
    )
    told = _told(cube, positive, reading)
    return cube_of_cells(
        made, cube.labels, cube.cells, {name: _chosen(sums, told) for name, sums in cube.sums.items()}, cube.n
    )


def _check(reading: LabelReading, bits: int) -> None:
    if reading.weight is not None or reading.cluster is not None:
        raise SettingError(
            "Cells must be of rows that count one each, but `weight` or `cluster` is given: such rows are drawn one by "
            "one, and cells do not hold them. Leave it out."
        )
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
    texts = [*meaning.slices, meaning.reference, *(one.prediction for one in meaning.systems if one.prediction)]
    numbers = [one.score for one in meaning.systems if one.score]
    for batch in request.source.batches(tuple(dict.fromkeys(texts)), tuple(dict.fromkeys(numbers))):
        cells, sums = {}, {}
        for system in meaning.systems:
            if system.score is not None:
                cells[system.name], sums[system.name] = _scored(number_column(batch, system.score), meaning.bits)
        yield cube_of_cells(meaning, _labels(batch, meaning), cells, sums, np.ones(batch.rows, dtype=np.int64))


def _labels(batch: Batch, meaning: CubeMeaning) -> dict[str, Text]:
    columns = {name: name for name in meaning.slices} | {"reference": meaning.reference}
    columns |= {f"prediction:{one.name}": one.prediction for one in meaning.systems if one.prediction is not None}
    return {name: text_column(batch, column) for name, column in columns.items()}


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


def _told(cube: Cube, positive: str | None, reading: LabelReading) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which cells are of the label that scores speak of."""
    text, meeting = cube.labels["reference"], _settled(reading, cube).meeting
    are = np.array([*(called(label, meeting) == positive for label in text.labels), False], dtype=np.bool_)
    return are[text.codes]


def _chosen(sums: Sums, positive: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Sums:
    """Score, surprise and squared error of what happened."""
    return np.stack(
        [sums[:, 0], np.where(positive, sums[:, 1], sums[:, 2]), np.where(positive, sums[:, 3], sums[:, 4])], axis=1
    )
