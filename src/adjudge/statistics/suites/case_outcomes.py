"""Cases of a suite that each system fails, and those that change from one system to another, summed by template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.cases import Cases, cases_of
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.systems.counted_flips import FLIPS, CountedFlips, flip_columns, of_place
from adjudge.statistics.weights import Weights

CASES, FAILED = "cases", "failed"
FAILURES = f"{FAILED} 0"  # of the first system


@dataclass(frozen=True)
class CaseOutcomes(OfArrays[Cases, int], CountedFlips[Cases, int]):
    """How many cases there are, how many each system fails, and how many flip from one system to each other.

    A unit is a case, or all cases of a template. The pilot is the place of the system that flips are counted from.

    Laws: those of `LinearSums`.

    >>> outcomes = CaseOutcomes.of_arrays(["yes", "no", "no"], ["yes", "yes", "no"], template=["t1", "t1", "t2"])
    >>> float(outcomes.failed), float(outcomes.total), outcomes.sums.units
    (1.0, 3.0, 2)
    """

    systems: int
    clustered: bool

    counting = CASES
    read_arrays = staticmethod(cases_of)

    @classmethod
    def summing(cls, judgements: Cases, pilot: int | None = None) -> Callable[[Weights], CaseOutcomes]:
        """What turns weights into sums of these cases."""
        kept = pilot or 0
        names, values = _values(judgements, kept)

        def sums(weights: Weights) -> CaseOutcomes:
            linear = LinearSums.collect(names, values, weights, judgements.keys)
            squares = float(len(judgements) if weights.case is None else (weights.case**2).sum())
            return cls(linear, squares, kept, judgements.failed.shape[1], judgements.keys is not None)

        return sums

    def of_system(self, place: int) -> Self:
        """The cases as one system does them."""
        kept = self.sums.only((CASES, of_place(FAILED, place)))
        return replace(self, sums=replace(kept, names=(CASES, FAILURES)), systems=1)

    @property
    def failed(self) -> Array:
        """The weight of the cases that the first system fails, (…)."""
        return self.sums.of(FAILURES)

    @property
    def units(self) -> int:
        """How many templates there are, or cases where each stands for itself."""
        return self.sums.units

    @property
    def by_cluster(self) -> bool:
        """Whether each unit is a template."""
        return self.clustered

    @property
    def drawn_units(self) -> float | None:
        """Kish's effective number of templates, which are drawn with all their cases."""
        return float(ratio(self.sums.of(CASES) ** 2, self.sums.squares_of(CASES)))


def _values(cases: Cases, kept: int) -> tuple[list[str], Array]:
    """What each case adds to each sum."""
    failed = cases.failed.astype(np.float64)
    names, columns = [CASES], [np.ones(len(cases))]
    for place in range(failed.shape[1]):
        names += [of_place(what, place) for what in (FAILED, *FLIPS)]
        columns += [failed[:, place], *flip_columns(failed, cases.answers, kept, place, right_or_wrong=True)]
    return names, np.stack(columns, axis=1)
