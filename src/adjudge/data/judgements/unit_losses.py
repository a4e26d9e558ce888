"""What each of several systems lost on each unit, the same units for all, and what it said there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import Labels
from adjudge.data.keys import Keys

JOINTLY = "\0all systems"  # the view of all together: no system is called so
Array = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitLosses:
    """One row for each unit, one column for each system; less is better, NaN is not known."""

    losses: Array  # (units, systems)
    answers: Array  # (units, systems), what was said, equal where it is the same
    groups: Labels | None = None  # units whose systems are compared apart too: those of one label
    names: Labels | None = None  # of units
    # What a system said of a unit, as text; the system −1 is the reference.
    label_of: Callable[[int, int], str] = lambda unit, system: ""
    scores: Array | None = None  # (units, systems), where each has one
    positive: NDArray[np.bool_] | None = None  # (units,), which the scores speak of
    together: Keys | None = None  # equal ones belong together and stand in one part, where that is known

    def of_rows(self, rows: Rows) -> UnitLosses:
        """Some of the units."""
        label_of = self.label_of
        return replace(
            self,
            losses=self.losses[rows],
            answers=self.answers[rows],
            groups=None if self.groups is None else self.groups.of_rows(rows),
            names=None if self.names is None else self.names.of_rows(rows),
            label_of=lambda unit, system: label_of(int(rows[unit]), system),
            scores=None if self.scores is None else self.scores[rows],
            positive=None if self.positive is None else self.positive[rows],
            together=None if self.together is None else self.together[rows],
        )


Losing = Callable[[Any], UnitLosses]  # of whatever judgements a view has


def as_losses(judgements: object) -> UnitLosses:
    """Judgements that are losses themselves."""
    assert isinstance(judgements, UnitLosses)
    return judgements
