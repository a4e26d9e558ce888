"""The cases to read first: broken ones, and known failures with what became of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from adjudge.data.judgements.cases import MFT, Cases, CaseText
from adjudge.statistics.base import Undrawn, check_same_pilot
from adjudge.statistics.weights import Weights

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
