"""What rows are counted by: labels, decisions and cells of scores; and what is summed over the scores of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import number_column
from adjudge.data.cubes.cube import Cube, Sums
from adjudge.data.cubes.grid import INFINITE, MISSING, UNREADABLE, Cells, CubeGrid
from adjudge.data.cubes.meaning import WEIGHTS, CubeMeaning, counted_system, replace_meaning
from adjudge.data.facts import Facts
from adjudge.data.label_values import KINDS, called, kinds_of
from adjudge.data.source import Batch, Numbers, Text
from adjudge.data.systems import SystemRoles
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.cubes.keys import CellKeys, kept_settings
from adjudge.evaluation.request import Request
from adjudge.tasks.classification.reading import LabelReading


def answer_keys(request: Request) -> CellKeys:
    """Columns `reference` and `prediction:<system>`; scores in cells, with the sums that losses are made of."""
    reading = request.reading_as(LabelReading)
    systems = tuple(map(counted_system, reading.systems))
    deciding = {s.name: s for s in reading.systems if s.prediction is None and not s.has_one_score}
    kept = {name: value for name, value in kept_settings(request).items() if name != "positive"}
    decided = {f"prediction:{one.name}": one.prediction for one in reading.systems if one.prediction is not None}
    return CellKeys(
        given=kept | ({"threshold": list(reading.cuts)} if reading.cuts else {}),
        labels={"reference": reading.reference, **decided},
        unit=reading.cluster,
        summing=_ScoreSums(reading, deciding),
        members={"reference": reading.reference, "systems": systems, "weight": reading.weight, "keys": {}},
    )


@dataclass(frozen=True)
class _ScoreSums:
    """What scores and weights are to cells; positives are known when all labels are."""

    reading: LabelReading
    deciding: Mapping[str, SystemRoles]  # systems whose largest score decides

    @property
    def thresholds(self) -> tuple[float, ...]:
        """As they were given."""
        return self.reading.cuts

    @property
    def columns(self) -> tuple[str, ...]:
        """Scores and weights."""
        weights = () if self.reading.weight is None else (self.reading.weight,)
        return (*(column for system in self.reading.systems for _, column in system.scores), *weights)

    @property
    def bags_by(self) -> tuple[str | None] | None:
        """Clusters, or rows that differ in weight, by their names or numbers."""
        if self.reading.cluster is not None:
            return (self.reading.cluster,)
        return None if self.reading.weight is None else (self.reading.id,)

    def of_block(self, batch: Batch, meaning: CubeMeaning) -> tuple[dict[str, Cells], dict[str, Sums]]:
        """Cells of scores by system, and the sums of each row, for either outcome."""
        cells: dict[str, Cells] = {}
        sums: dict[str, Sums] = {}
        weight = np.ones(batch.rows)
        if meaning.weight is not None:
            weight = _weighed(number_column(batch, meaning.weight), meaning.weight)
            sums[WEIGHTS] = np.stack([weight, weight**2], axis=1)
        for name, column in meaning.scored.items():
            cells[name], scored = _scored(number_column(batch, column), meaning.grid(name))
            sums[name] = scored * weight[:, None]
        return cells, sums

    def decisions(self, batch: Batch) -> dict[str, Text]:
        """The label of the largest score; of equal ones, and where a score is none, the first."""
        decided = {}
        for name, system in self.deciding.items():
            values = np.stack([number_column(batch, column).values for _, column in system.scores], axis=1)
            largest = np.where(np.isfinite(values).all(1), values.argmax(1), 0)
            decided[f"prediction:{name}"] = Text(largest, tuple(str(label) for label, _ in system.scores))
        return decided

    def finished(self, cube: Cube) -> Cube:
        """The sums of what happened: which label scores speak of is told by all labels."""
        if not cube.cells:
            return cube
        answers = [text.labels for name, text in cube.labels.items() if name not in cube.meaning.slices]
        given = [] if self.reading.positive is None else [self.reading.positive]
        kinds = kinds_of([*given, *(label for labels in answers for label in labels)])
        settled = self.reading.settled(Facts(seen={KINDS: kinds}))
        text = cube.labels["reference"]
        names = [called(label, settled.meeting) for label in text.labels]
        positive = settled.positive_among(frozenset(names))
        meant: dict[str, str | None] = {one.name: positive for one in cube.meaning.systems}
        labels = {name: label for one in cube.meaning.systems for name, label in one.labels.items()}
        meant |= {name: called(label, settled.meeting) for name, label in labels.items()}

        def happened(name: str, sums: Sums) -> Sums:
            is_it = np.array([*(label == meant[name] for label in names), False], dtype=np.bool_)
            return _happened(sums, is_it[text.codes])

        sums = {name: one if name == WEIGHTS else happened(name, one) for name, one in cube.sums.items()}
        return replace(cube, meaning=replace_meaning(cube.meaning, positive=positive), sums=sums)


def _weighed(column: Numbers, name: str) -> Sums:
    if not (np.isfinite(column.values) & (column.values >= 0)).all():
        raise SettingError(
            f"Rows must all have a weight to be counted in cells, but some have none in {quoted(name)}. Leave them out "
            "of the table."
        )
    return column.values


def _scored(column: Numbers, grid: CubeGrid) -> tuple[Cells, Sums]:
    """The cell of each score, and what adds: the score, the surprise and squared error of either outcome."""
    values = column.values
    usable = np.isfinite(values)
    score = np.where(usable, values, 0.0)
    inside = grid.within(score)
    if not inside.all():
        raise SettingError("Scores must lie within 2³¹ cells, but some are beyond. Ask for fewer cells of scores.")
    nothing = np.where(column.missing, MISSING, np.where(column.unreadable, UNREADABLE, INFINITE))
    cells = np.where(usable, grid.cells_of(score), nothing)
    with np.errstate(divide="ignore"):
        proper = np.where(usable & (score >= 0) & (score <= 1), score, np.nan)
        columns = [score, -np.log(proper), -np.log1p(-proper), (1 - proper) ** 2, proper**2]
    return cells, np.stack(columns, axis=1)


def _happened(sums: Sums, positive: NDArray[np.bool_]) -> Sums:
    """Score, surprise and squared error of what happened."""
    return np.stack(
        [sums[:, 0], np.where(positive, sums[:, 1], sums[:, 2]), np.where(positive, sums[:, 3], sums[:, 4])], axis=1
    )
