"""Cases of a suite that each system fails, and those that change from one system to another: summed, and listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from adjudge.data.judgements.cases import MFT, Cases, CaseText, cases_of
from adjudge.statistics.base import Array, check_same_pilot, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.systems.counted_flips import FLIPS, CountedFlips, flip_columns, of_place
from adjudge.statistics.undrawn import Undrawn
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
            return cls(linear, squares, kept, judgements.keys is not None)

        return sums

    def of_system(self, place: int) -> Self:
        """The cases as one system does them."""
        kept = self.sums.only((CASES, of_place(FAILED, place)))
        return replace(self, sums=replace(kept, names=(CASES, FAILURES)))

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


MOST_LISTED = 200
# The place of the system that changes are counted from, which systems are held against it, and whether the cases are
# known failures, all of which are listed.
Pilot = tuple[int, tuple[int, ...], bool]


class Listed(NamedTuple):
    """A case and what became of it: `rank` says which come first."""

    rank: int
    system: int
    what: str
    case: CaseText
    before: str
    now: str

    @property
    def order(self) -> tuple[object, ...]:
        """Ranks first, phenomena together, shorter names first so that numbers come in their order."""
        case = self.case
        return (self.rank, case.phenomenon, len(case.name), case.name, case.kind, self.system, self.before, self.now)


@dataclass(frozen=True)
class CaseList(Undrawn[Cases, Pilot]):
    """The first cases, by rank, phenomenon and name, that a system breaks; or all that are known to fail.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.
    """

    entries: tuple[Listed, ...]
    count: int  # how many there are, listed or not
    rows: int
    pilot: Pilot

    @classmethod
    def summing(cls, judgements: Cases, pilot: Pilot | None = None) -> Callable[[Weights], CaseList]:
        """Listed once: weights change nothing."""
        kept, others, known = looked_at = pilot or (0, (), False)
        entries = list(_known(judgements, kept, others) if known else _broken(judgements, kept, others))

        def sums(weights: Weights) -> CaseList:
            return cls(_first(entries), len(entries), len(judgements), looked_at)

        return sums

    def __add__(self, other: Self) -> Self:
        check_same_pilot("Which cases are listed", self.pilot, other.pilot)
        entries = _first([*self.entries, *other.entries])
        return replace(self, entries=entries, count=self.count + other.count, rows=self.rows + other.rows)

    def scaled(self, unit: float) -> Self:
        """The same: cases are listed, not weighed."""
        return self


def _first(entries: list[Listed]) -> tuple[Listed, ...]:
    return tuple(sorted(entries, key=lambda one: one.order)[:MOST_LISTED])


def _broken(cases: Cases, kept: int, others: tuple[int, ...]) -> list[Listed]:
    """What was met before and is not now."""
    cases_listed = []
    for place in others:
        for row in (~cases.failed[:, kept] & cases.failed[:, place]).nonzero()[0].tolist():
            case: CaseText = cases.texts[row]
            rank = 1 if case.kind == MFT else 2
            cases_listed.append(Listed(rank, place, "broken", case, case.answers[kept], case.answers[place]))
    return cases_listed


def _known(cases: Cases, kept: int, others: tuple[int, ...]) -> list[Listed]:
    """Every known failure, by the newest system that is held against the first; or by the first alone."""
    cases_listed = []
    for row, case in enumerate(cases.texts.tolist()):
        for place in others or (kept,):
            met = not cases.failed[row, place]
            what = "passes now, remove its mark" if met else "fails still"
            before = case.answers[kept] if others else ""
            cases_listed.append(Listed(0 if met else 3, place, what, case, before, case.answers[place]))
    return cases_listed
