"""What a diagnostic evaluation sums and measures: the cases that each system fails, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.cases import Cases
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.judgements.unit_losses import JOINTLY, UnitLosses
from adjudge.data.reading import Block
from adjudge.data.systems import as_list, slices_of, systems_of
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.columns import answer_checks, reversed_answers, usual_tolerance
from adjudge.diagnosis.checks.watching import given_columns
from adjudge.engines.base import WHOLE, WHOLE_ONLY, Collected, SliceKey, Tally
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.asking.settings import number_setting
from adjudge.evaluation.comparison.paired_answers import PairedAnswers, UnitSource
from adjudge.evaluation.declaration import Basis, Given, Page, UsualStudy, View, tallies_of
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.inference.differences.flips import Flips
from adjudge.inference.differences.paired_shares import PairedShares
from adjudge.inference.resampling import Together
from adjudge.metrics import failure_rate
from adjudge.metrics.base import Metric
from adjudge.statistics.suites.case_outcomes import CaseList, CaseOutcomes
from adjudge.statistics.systems.counted_flips import BOTH, BROKEN, DIFFERING, FIXED, NEITHER
from adjudge.tasks.diagnostic.counted import CountedSuite
from adjudge.tasks.diagnostic.panels import diagnostic_panels
from adjudge.tasks.diagnostic.reading import DECLARED, JOINED, KNOWN, KNOWN_FAILURES, ORIGINALS, ROW, SuiteReading
from adjudge.tasks.diagnostic.suite import PHENOMENA

UNITS = ("case", "expansion")
SLICED = ("phenomenon", "kind", "origin", "test")


@dataclass(frozen=True)
class DiagnosticStudy(UsualStudy):
    """One request: where the suite is, and which systems are held against it."""

    reading: SuiteReading
    names: tuple[str, ...]  # of the systems

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> DiagnosticStudy:
        """The roles and settings, checked."""
        systems = systems_of(given.get("prediction"), given.get("score"), given.get("systems"))
        for system in systems:
            if len(system.scores) > 1 or (system.scores and system.scores[0][0] is not None):
                raise SettingError(
                    f"`score` must be one column for each system, but {quoted(system.name)} has several."
                )
        if (expect := given.get("expect")) in [system.prediction for system in systems] and expect is not None:
            raise SettingError(f"`expect` must be another column than the systems' answers, not {quoted(str(expect))}.")
        unit = given.get("unit") or "case"
        if unit not in UNITS:
            raise SettingError(f"`unit` must be case or expansion, not {quoted(unit)}.")
        tolerance = number_setting("tolerance", 0.1 if given.get("tolerance") is None else given["tolerance"])
        if not tolerance >= 0:
            raise SettingError(f"`tolerance` must not be negative, but it is {tolerance:g}.")
        roles: Given = {name: given.get(name) for name in ("expect", "kind", "template", "origin", "group", "original")}
        own = [given[name] for name in SLICED if given.get(name)]
        suite = CountedSuite if ROW in columns else SuiteReading
        reading = suite(
            phenomenon=str(given["phenomenon"]),
            systems=systems,
            case=given.get("case"),
            known_failure=given.get("known_failure"),
            weight=given.get("weight"),
            slices=slices_of([*own, *as_list(given.get("slices") or ())], columns),
            unit=unit,
            tolerance=tolerance,
            **roles,
        )
        if reading.original is not None and reading.group is None:
            raise SettingError("`group` must be given with `original`: it ties a changed row to its original.")
        return cls(reading.checked(columns), tuple(system.name for system in systems))

    @property
    def unit(self) -> str:
        """What is drawn; what was counted has its templates in bags."""
        if self.clustered and not self.reading.lists_cases:
            return "bag"
        return "template" if self.reading.template is not None else "original" if self.clustered else "case"

    @property
    def clustered(self) -> bool:
        """Whether several cases are drawn as one."""
        return self.reading.clustered

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        return "" if metric.over is CaseOutcomes else "it is not about cases that are met or failed"

    def first(self, request: Request) -> int:
        """The system that changes are counted from."""
        baseline = request.comparing.baseline
        return self.names.index(baseline) if baseline in self.names else 0

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """What every system fails, and the cases to read."""
        kept = self.first(request)
        others = tuple(place for place in range(len(self.names)) if place != kept)
        outcomes = Tally(JOINTLY, CaseOutcomes, pilot=kept)
        if not self.reading.lists_cases:
            return (outcomes,)
        return (
            outcomes,
            Tally(JOINTLY, CaseList, where=WHOLE_ONLY, pilot=(kept, others, False)),
            Tally(KNOWN, CaseList, where=WHOLE_ONLY, pilot=(kept, others, True)),
        )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Answers that differ from what is expected in writing alone, are always the same, or another system's."""
        expected, systems = ([*given_columns(request.given.get(role))] for role in ("expect", "prediction"))
        yield from answer_checks(collected.facts, expected, systems, meet=request.given.get("kind") is None)
        view = next(t.view for key, t in collected.sums if key == WHOLE and t.statistic is CaseOutcomes)
        labels = [collected.facts.table.labels.get(name) for name in expected]
        if len(labels) == 1 and labels[0] is not None and request.given.get("kind") is None:
            outcomes = collected.sums_of(view, CaseOutcomes)
            for place, name in enumerate(self.names):
                yield from reversed_answers(quoted(name), labels[0].counts or {}, outcomes.of_system(place))
        if request.given.get("tolerance") is None:
            for name in given_columns(request.given.get("score")):
                yield from usual_tolerance(name, collected.facts.table.numbers.get(name), self.reading.tolerance)

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system."""
        metrics = request.candidates
        tally = next(tally for tally in tallies_of(collected).values() if tally.statistic is CaseOutcomes)
        kept, losses = self.first(request), partial(_losses, len(self.names))
        about = (JOINTLY, losses, self.names, {failure_rate: 1.0}, "met or failed", "case")
        source = UnitSource(*about, right_or_wrong=True, countable=self.countable)
        return [
            View(
                name,
                (Basis(tally, _of_system(place), stream="CaseOutcomes"),),
                metrics,
                contest="systems",
                pairs=partial(self._pairs, collected, place, kept),
                unit_source=source,
                flips=partial(self._flips, collected, place, kept=kept),
            )
            for place, name in enumerate(self.names)
        ]

    def _pairs(
        self, collected: Collected, place: int, kept: int, other: View, key: SliceKey, *about: object
    ) -> PairedAnswers:
        """How often this system and another met a case, where cases stand for themselves."""
        outcomes = collected.sums_of(JOINTLY, CaseOutcomes, key)
        second = self.names.index(other.name)
        if kept not in (place, second):
            return PairedAnswers(mean=True)
        flips = outcomes.flips(place if second == kept else second)
        differing = round(float(flips.of(DIFFERING)))
        if not self.countable:
            return PairedAnswers(differing, mean=True)
        # In the direction of failures: first those that only the baseline meets.
        pairs = PairedShares(*(float(flips.of(name)) for name in (BOTH, BROKEN, FIXED, NEITHER)))
        return PairedAnswers(differing, pairs if second == kept else pairs.swapped)

    def _flips(self, collected: Collected, place: int, other: View, key: SliceKey, *, kept: int) -> Flips:
        """What it fixes and breaks beside the first."""
        assert self.names[kept] == other.name, "changes are counted from the first system"
        outcomes = collected.sums_of(JOINTLY, CaseOutcomes, key)
        return Flips.of_units(outcomes.flips(place), clustered=outcomes.clustered, row=outcomes.row)

    def used_rows(self, facts: Facts) -> int:
        """Rows that are cases, expansions or originals of one, or that only name something: all but those left out."""
        return facts.used + sum(facts.unused.get(what, 0) for what in (JOINED, ORIGINALS, DECLARED, KNOWN_FAILURES))

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The phenomena."""
        return ordered_labels(collected.facts.seen.get(PHENOMENA, ()))

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """How many cases there are, of how many templates, and what is a case."""
        facts, outcomes = collected.facts, collected.sums_of(JOINTLY, CaseOutcomes)
        choices = {"Cases": f"{facts.used:,}"}
        if self.clustered:
            choices[f"{self.unit.capitalize()}s"] = f"{outcomes.units:,}"
        for what, many in facts.unused.items():
            choices[what.capitalize()] = f"{many:,}"
        choices["A case"] = (
            "one with all its expansions, failed where one of them is" if JOINED in facts.unused else "a row"
        )
        if any(system.scores for system in self.reading.systems):
            choices["Tolerance of scores"] = f"{self.reading.tolerance:g}"
        return choices

    def panels(self, page: Page) -> Panels:
        """Phenomena, coverage, and the cases to read."""
        return diagnostic_panels(page, self)


def _of_system(place: int) -> Callable[[CaseOutcomes], Together]:
    return lambda outcomes: {CaseOutcomes: outcomes.of_system(place)}


def _losses(systems: int, cases: Cases) -> UnitLosses:
    """What each system fails, case by case."""
    return UnitLosses(cases.failed[:, :systems].astype(np.float64), cases.answers[:, :systems].astype(np.float64))
