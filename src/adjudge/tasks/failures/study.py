"""What failures in use are measured by: how long each system runs until it fails, and beside another one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from adjudge.data.facts import Facts
from adjudge.data.reading import Block
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.columns import VARIED_ROWS
from adjudge.diagnosis.checks.misplaced import failed_as_often, running_totals, unwatched
from adjudge.diagnosis.checks.numbers import same_answers
from adjudge.engines.base import Collected, SliceKey, Tally
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.comparison.paired_answers import PairedAnswers
from adjudge.evaluation.declaration import Basis, Given, Page, Task, UsualStudy, View, row_columns, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Cell, Panels, TablePanel, finite
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.intervals.columns import conditional_p, events_dispersion, garwood
from adjudge.inference.resampling import Together
from adjudge.metrics import failure_ratio, mean_time_between_failures
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import NEEDS
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.tasks.failures.reading import UNWATCHED, WATCHES, WatchReading, watches_of

EXACT = "exact, given all failures"
DISPERSED = "given all failures, rates differ between rows"


@dataclass(frozen=True)
class FailureStudy(UsualStudy):
    """One request: where the watches are."""

    reading: WatchReading
    stopped: str = "time"  # what ended the watch

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> FailureStudy:
        """The roles and settings, checked."""
        reading = WatchReading(
            watches=watches_of(given),
            **row_columns(given, columns),
        )
        stopped = given.get("stopped") or "time"
        return cls(reading.checked(columns), str(stopped))

    @property
    def _names(self) -> list[str]:
        return list(self.reading.watches)

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        if metric.name == failure_ratio.name and len(self._names) < 2:
            return "it compares two systems, and there is one"
        known = (mean_time_between_failures.name, failure_ratio.name)
        return "" if metric.name in known else "it is not about failures in the time that a system is watched"

    def offered(self, task: Task) -> list[Metric]:
        """The mean time by how watching ended, and how systems compare."""
        by_time = mean_time_between_failures
        return [by_time if self.stopped == "time" else by_time.using(stopped=self.stopped), failure_ratio]

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """The watches of all systems together, so that all are drawn together."""
        return (Tally(WATCHES, NumberRows, by_rows=self.clustered),)

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        self.reading.judge(collected.facts, request.source.name)
        rows = collected.sums_of(WATCHES, NumberRows)
        for place, name in enumerate(self._names):
            if not float(rows.sum(2 * place)) > 0:
                raise SettingError(f"`exposure` of {quoted(name)} must be above 0 in some rows, but it is in none.")

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Running totals, times in two units, and systems that fail alike."""
        facts = collected.facts
        totals = [*running_totals(facts.table, [*self.reading.watches.values()])]
        yield from totals
        if not any(check.key == "C12" for check in totals):
            yield from failed_as_often(facts.table, [*self.reading.watches.values()])
        yield from same_answers({name: facts.digests[name] for name in self._varied(facts)}, facts.used)
        for what, *columns in collected.facts.counted:
            if what == UNWATCHED:
                yield from unwatched(columns[0], collected.facts.counted[what, columns[0]])

    def _varied(self, facts: Facts) -> Iterator[str]:
        """The systems that do not fail equally often in nearly all rows, as where every watch ends with a failure."""
        for name, (_, failures) in self.reading.watches.items():
            column = facts.table.numbers.get(failures)
            times = [*((column and column.values.counts) or {}).values()]
            if name in facts.digests and sum(times) - max(times, default=0) >= VARIED_ROWS:
                yield name

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system, and each beside the baseline."""
        (tally,) = tallies_of(collected).values()
        alone = tuple(metric for metric in request.candidates if metric.name != failure_ratio.name)
        views = [
            View(
                name,
                (Basis(tally, self._columns(name)),),
                alone,
                amend=partial(_without_failures, self.stopped),
                contest="systems",
                pairs=self._exact(collected, name, request.level),
            )
            for name in self._names
        ]
        ratios = tuple(metric for metric in request.candidates if metric.name == failure_ratio.name)
        if ratios and len(views) > 1:
            first = request.comparing.baseline if request.comparing.baseline in self._names else self._names[0]
            for name in self._names:
                if name != first:
                    basis = Basis(tally, self._columns(name, str(first)))
                    views.append(View(f"{name} beside {first}", (basis,), ratios, leads=False, system=name))
        return views

    def _columns(self, *names: str) -> Callable[[NumberRows], Together]:
        """What gives the columns of some systems from those of all."""
        places = [place for name in names for place in self._places(name)]
        return lambda rows: {NumberRows: replace(rows, values=rows.values[:, places])}

    def _places(self, name: str) -> tuple[int, int]:
        place = 2 * self._names.index(name)
        return place, place + 1

    def _exact(
        self, collected: Collected, name: str, level: float
    ) -> Callable[[View, SliceKey, Metric, str], PairedAnswers] | None:
        """The test of two rates, where rows count alike and stand alone: exact, unless rates differ between rows."""
        if self.clustered or self.reading.weight is not None:
            return None

        def pairs(other: View, key: SliceKey, metric: Metric, category: str) -> PairedAnswers:
            rows: NumberRows = self._columns(name, other.name)(collected.sums_of(WATCHES, NumberRows, key))[NumberRows]
            few = float(rows.effective_rows) < NEEDS["conditional_binomial_dispersed"].units
            spread = None if few else events_dispersion(rows, level)
            watched = [float(rows.sum(place)) / (spread or 1.0) for place in range(4)]
            return PairedAnswers(exact=(EXACT if spread is None else DISPERSED, conditional_p(*watched)))

        return pairs

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What ended the watch, where it was not time."""
        return {} if self.stopped == "time" else {"The watch": "ended with a failure"}

    def panels(self, page: Page) -> Panels:
        """How long each system was watched, how often it failed, and how often beside the baseline."""
        rows = page.collected.sums_of(WATCHES, NumberRows)
        ratios = {
            row.system.partition(" beside ")[0]: row
            for row in page.table.estimates.first_methods()
            if row.metric == failure_ratio.name and row.slice == WHOLE_NAME
        }
        lines: list[list[Cell]] = []
        for name in self._names:
            ratio, (time, events) = ratios.get(name), self._places(name)
            beside = [None] * 3 if ratio is None else [finite(end) for end in (ratio.estimate, ratio.low, ratio.high)]
            lines.append([name, float(rows.sum(time)), float(rows.sum(events)), *(beside if ratios else [])])
        first = next((row.system.partition(" beside ")[2] for row in ratios.values()), "")
        more = [f"times as often as {first}", "low", "high"] if ratios else []
        note = (
            "Totals of exposure and failures. The limits assume a constant rate, unless ten rows or more show that it "
            "varies."
        )
        table = TablePanel("What was watched", note, ["system", "exposure", "failures", *more], lines)
        return Panels([], [], [], [], [], tables=[table])


def _without_failures(stopped: str, measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
    """Where no failure was seen there is no mean, but a limit below it."""
    watched: NumberRows = measured.statistics[NumberRows]
    for row in rows:
        bounds = None
        if math.isnan(row.estimate):
            bounds = garwood(mean_time_between_failures.using(stopped=stopped), watched, 2 * row.level - 1)
        if bounds is None or not float(bounds[0]) > 0:
            yield row
        else:
            least = f"at least {float(bounds[0]):,.4g} ({100 * row.level:g} %, one-sided)"
            yield replace(row, note=f"no failure in {float(watched.sum(0)):,.4g}: {least}")
