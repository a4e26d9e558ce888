"""How rows become labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adjudge.data.cleaning import Rows, labels_of_rows, number_column
from adjudge.data.columns import JointJudgements, Judgements, Scores
from adjudge.data.labels import Labels, ordered
from adjudge.data.row_reading import Answer, RowReading
from adjudge.data.source import Batch
from adjudge.data.systems import SystemRoles
from adjudge.errors import SettingError, listed

JOINTLY = ""  # the view of all systems together
# What a lone score speaks of when nobody says: the second of one of these pairs.
USUAL_POSITIVES = (("0", "1"), ("False", "True"), ("false", "true"), ("no", "yes"), ("No", "Yes"))


@dataclass(frozen=True, kw_only=True)
class LabelReading(RowReading):
    """Which columns hold the reference and each system's answers, and how they are read."""

    reference: str
    systems: tuple[SystemRoles, ...]
    positive: str | None = None  # what a lone score speaks of

    as_labels: ClassVar[str] = "reference, prediction, "
    as_numbers: ClassVar[str] = "score, "

    def answers(self) -> Iterator[Answer]:
        """The reference, then what each system says: decisions, then scores."""
        yield Answer("reference", self.reference)
        yield from (Answer("prediction", s.prediction) for s in self.systems if s.prediction is not None)
        yield from (Answer("score", column, number=True) for s in self.systems for _, column in s.scores)

    def views(self, batch: Batch, rows: Rows) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
        """Each system's answers, and those of all together."""
        reference = labels_of_rows(batch, self.reference, rows)
        # Labels that no lone score can speak of are refused when all are known.
        positive = self.positive or usual_positive(reference.categories) or reference.categories[0]
        each = {system.name: _judgements(batch, system, reference, rows, positive) for system in self.systems}
        return each | {JOINTLY: JointJudgements(tuple(each.values()))}, {"labels": frozenset(reference.categories)}

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
