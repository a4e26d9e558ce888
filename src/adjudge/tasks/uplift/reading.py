"""How rows become outcomes of a trial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.data.cleaning import Rows, labels_of_rows, number_column
from adjudge.data.judgements.treated import Treated, is_control
from adjudge.data.reading import Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import Batch

ARMS = "arms"


@dataclass(frozen=True, kw_only=True)
class TrialReading(RowReading):
    """Which columns hold the outcome, the arm, and each system's scores."""

    outcome: str
    treatment: str
    control: str | None
    scores: Mapping[str, str]  # by system, its column

    as_labels: ClassVar[str] = "treatment, "
    as_numbers: ClassVar[str] = "outcome, score, "

    def answers(self) -> Iterator[RoleColumn]:
        """The outcome, the arm and the scores."""
        yield RoleColumn("outcome", self.outcome, number=True)
        yield RoleColumn("treatment", self.treatment)
        yield from (RoleColumn("score", column, number=True) for column in self.scores.values())

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Each system's rows, and the arms that were met."""
        arm, outcome = labels_of_rows(batch, self.treatment, rows), number_column(batch, self.outcome).values[rows]
        treats = np.array([not is_control(name, self.control) for name in arm.categories], dtype=np.bool_)
        views = {
            name: Treated(outcome, treats[arm.codes], number_column(batch, column).values[rows])
            for name, column in self.scores.items()
        }
        return views, {ARMS: frozenset(arm.categories)}
