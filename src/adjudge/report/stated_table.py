"""The table of an evaluation, which knows what its first screen makes of each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import ResultTable, StateKey
from adjudge.report.answers.first_screen import states_of
from adjudge.tasks import task_named


@dataclass(frozen=True, slots=True, repr=False)
class StatedTable(ResultTable):
    """Rows that can be chosen by the state of a claim about them, too: `where(state="beyond")`."""

    outcome: Outcome = field(compare=False)

    def known_states(self) -> Mapping[StateKey, str]:
        """The state of every claim of the first screen."""
        return states_of(self.outcome, task_named(self.outcome.task))
