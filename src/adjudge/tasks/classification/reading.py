"""How rows become labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    labels_of_rows,
    levels_of_rows,
    number_column,
    refuse_both,
)
from adjudge.data.columns import JointJudgements, Judgements, Scores
from adjudge.data.keys import Keys, keys_of_rows
from adjudge.data.labels import Labels, ordered
from adjudge.data.reading import BLOCK_ROWS, Block
from adjudge.data.source import Batch
from adjudge.data.systems import SystemRoles
from adjudge.errors import SettingError, listed

JOINTLY = ""  # the view of all systems together
REPEATED = "Remove the repeated rows, or give the column as `cluster`."
# What a lone score speaks of when nobody says: the second of one of these pairs.
USUAL_POSITIVES = (("0", "1"), ("False", "True"), ("false", "true"), ("no", "yes"), ("No", "Yes"))


@dataclass(frozen=True, slots=True)
class LabelReading:
    """Which columns hold the reference and each system's answers, and how they are read."""

    reference: str
    systems: tuple[SystemRoles, ...]
    weight: str | None = None
    cluster: str | None = None
    id: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()
    positive: str | None = None  # what a lone score speaks of

    block_rows = BLOCK_ROWS
    together = None

    def checked(self, columns: Sequence[str]) -> LabelReading:
        """The same reading, if every column exists and none must be both text and number."""
        check_columns(self._named(), columns)
        refuse_both(
            self.texts(),
            self.numbers(),
            "A column must be read either as labels (reference, prediction, slices, cluster, id) or as numbers "
            "(score, weight)",
        )
        return self

    def _named(self) -> Iterator[tuple[str, str]]:
        yield "reference", self.reference
        for system in self.systems:
            if system.prediction is not None:
                yield "prediction", system.prediction
            for _, column in system.scores:
                yield "score", column
        for role, name in (("weight", self.weight), ("cluster", self.cluster), ("id", self.id)):
            if name is not None:
                yield role, name
        for names in self.slices:
            for name in names:
                yield "slices", name

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        named = [self.reference, *(system.prediction for system in self.systems), self.cluster, self.id]
        crossed = [column for columns in self.slices for column in columns]
        return tuple(dict.fromkeys(name for name in (*named, *crossed) if name is not None))

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        scores = [column for system in self.systems for _, column in system.scores]
        return tuple(dict.fromkeys([*scores, *([self.weight] if self.weight is not None else [])]))

    def read(self, batch: Batch, first_row: int) -> Block:
        """The complete rows of a batch."""
        left_out = LeftOut.none_of(batch.rows)
        for name, role in self._answers():
            left_out.drop_unusable(batch, name, role)
        rows = left_out.rows
        reference = labels_of_rows(batch, self.reference, rows)
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        weight, keys = case_weights(batch, self.weight, rows), self._keys(batch, first_row, rows)
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            seen={"labels": frozenset(reference.categories)},
            ids=ids_in(batch, self.id, "row", REPEATED),
            units=keys,
            weight=weight,
        )
        if not len(rows):
            return Block(0, facts)
        # Labels that no lone score can speak of are refused when all are known.
        positive = self.positive or usual_positive(reference.categories) or reference.categories[0]
        views: dict[str, Any] = {
            system.name: _judgements(batch, system, reference, rows, positive) for system in self.systems
        }
        return Block(len(rows), facts, views | {JOINTLY: JointJudgements(tuple(views.values()))}, weight, keys, levels)

    def _answers(self) -> Iterator[tuple[str, str]]:
        """The columns without which a row says nothing, with their roles."""
        yield self.reference, "reference"
        yield from ((s.prediction, "prediction") for s in self.systems if s.prediction is not None)
        yield from ((column, "score") for s in self.systems for _, column in s.scores)
        for role, name in (("weight", self.weight), ("cluster", self.cluster)):
            if name is not None:
                yield name, role

    def _keys(self, batch: Batch, first_row: int, rows: Rows) -> Keys:
        unit = self.id if self.cluster is None else self.cluster
        if unit is None:
            return keys_of_rows(first_row, first_row + batch.rows)[rows]
        return label_keys(batch, unit, rows)

    def positive_among(self, labels: Iterable[str]) -> str | None:
        """What a lone score speaks of: as given, or as usual for such labels; None where no score stands alone."""
        if self.positive is not None or not any(system.has_one_score for system in self.systems):
            return self.positive
        positive = usual_positive(labels)
        if positive is None:
            raise SettingError(
                "`positive` must say which label the score speaks of, unless the labels are 0 and 1, no and yes, or "
                f"false and true. The reference has {listed(ordered(labels))}."
            )
        return positive


def usual_positive(labels: Iterable[str]) -> str | None:
    """What a score most likely speaks of, among these labels; None where that is anybody's guess.

    >>> usual_positive(["no"]), usual_positive(["cat", "dog"])
    ('yes', None)
    """
    return next((pair[1] for pair in USUAL_POSITIVES if set(labels) <= set(pair)), None)


def _judgements(batch: Batch, system: SystemRoles, reference: Labels, rows: Rows, positive: str) -> Judgements:
    prediction = labels_of_rows(batch, system.prediction, rows) if system.prediction is not None else None
    if not system.scores:
        return Judgements(reference, prediction)
    values = np.stack([number_column(batch, column).values[rows] for _, column in system.scores], axis=1)
    categories = (positive,) if system.has_one_score else tuple(str(c) for c, _ in system.scores)
    if prediction is None and not system.has_one_score:
        # The largest score decides; of equal ones the first, in the order they were given.
        prediction = Labels(values.argmax(1), categories)
    return Judgements(reference, prediction, Scores(categories, values))
