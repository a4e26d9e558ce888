"""What every kind of rating has in common: who is measured, what is drawn, and what the reader is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import ClassVar, TypeVar

import numpy as np

from adjudge.data.facts import Facts, check_clusters, check_rows, check_weight
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.reading import Block
from adjudge.diagnosis.checks.check import REMARK, Check
from adjudge.diagnosis.checks.misplaced import items_again
from adjudge.diagnosis.checks.raters import crowded, doubled_raters, repeated
from adjudge.engines.base import WHOLE, WHOLE_ONLY, Collected, Tally
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.declaration import Basis, Follows, Given, Page, UsualStudy, View, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import Row
from adjudge.evaluation.take_away.tables import Part
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.intervals.two_way import two_way
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.kinds import AnyKinds
from adjudge.statistics.ratings.items import RatedItems
from adjudge.tasks.agreement.checks import check_drawn_raters, check_items_together, check_rated, choice_of
from adjudge.tasks.agreement.rater_panels import RatingPage
from adjudge.tasks.agreement.reading import EVERYBODY, ITEMS, LABELS, RATERS, REPEATED, RatingReading

# Every two raters are compared in the table up to this many raters.
MOST_PAIRED_RATERS = 12
RESAMPLED = ("items", "raters")


@dataclass(frozen=True)
class RatingStudy(UsualStudy, ABC):
    """One request: where the ratings are, what they measure, and whether raters are drawn too."""

    reading: RatingReading
    measurement: str
    raters_too: bool

    units: ClassVar[tuple[str, str]] = ("item", "cluster")
    by_rater: ClassVar[type[AnyStatistic]]  # the statistic that knows who rated
    about: ClassVar[str]  # what a metric must be about
    takes: ClassVar[tuple[str, ...]]  # the settings that say something of such ratings

    # What each kind of rating answers for itself.

    @classmethod
    @abstractmethod
    def of(cls, columns: Sequence[str], roles: Given, measurement: str, given: Given) -> RatingStudy:
        """The roles and settings, checked."""

    @abstractmethod
    def fitting(self, collected: Collected) -> tuple[Metric, ...]:
        """What is measured when nothing is named, as raters and ratings allow."""

    @abstractmethod
    def of_two(self) -> tuple[Metric, ...]:
        """What is measured of every two raters."""

    @abstractmethod
    def sums(self, request: Request) -> tuple[tuple[type[AnyStatistic], object], ...]:
        """What to sum, each with its pilot."""

    @abstractmethod
    def pair_of(self, collected: Collected, pair: tuple[int, int]) -> Follows:
        """What turns the sums of all raters into those of two, by place."""

    @abstractmethod
    def check(self, request: Request, facts: Facts) -> None:
        """Refuse what does not fit, of the first rows or of all."""

    def is_about(self, metric: Metric) -> bool:
        """Whether a metric says something of such ratings."""
        return metric.over is self.by_rater

    @abstractmethod
    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """The settings to tell the reader."""

    @abstractmethod
    def described(self, collected: Collected) -> dict[str, str]:
        """What the ratings are like."""

    @abstractmethod
    def item_table(self, name: str, items: RatedItems) -> Part:
        """A table of items to take away: items, queue or consensus."""

    @abstractmethod
    def pictures(self, page: RatingPage) -> Panels:
        """The panels."""

    def derive(self, value: object) -> Together:
        """A statistic and all that follows from it."""
        return {type(value): value}

    def told_apart(self, facts: Facts, statistic: type[AnyStatistic]) -> bool:
        """Whether the sums of a statistic say something."""
        return True

    # What the walk asks.

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        return "" if self.is_about(metric) else f"it is not about {self.about}"

    def named(self, request: Request) -> bool:
        """Whether raters are told apart: of ratings in rows, that takes a table at hand."""
        return self.reading.is_wide or request.engine.holds_table

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """The sums of all raters, and the items themselves for the panels."""
        self.check(request, first.facts)
        explicit = self.reading.explicit
        sums = self.sums(request)
        return (
            *(Tally(EVERYBODY, one, by_rows=explicit, smooth=True, pilot=pilot) for one, pilot in sums),
            Tally(ITEMS, RatedItems, where=WHOLE_ONLY, holds_units=True),
        )

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        facts, reading = collected.facts, self.reading
        check_items_together(facts)
        check_rated(facts)
        check_rows(facts, request.source.name, "Some items must be rated")
        check_weight(facts, reading.weight, "item")
        check_clusters(facts, "cluster", reading.cluster)
        self.check(request, facts)
        if self.raters_too:
            check_drawn_raters(len(self.raters(collected)))

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in any ratings."""
        facts = collected.facts
        yield from repeated(facts.left_out.get(REPEATED, 0), facts.read)
        if self.reading.is_wide and self.reading.item is not None and self.reading.cluster is None:
            yield from items_again(facts.gathered, self.reading.item)
        if not self.reading.is_wide:
            yield from doubled_raters(sorted(facts.seen.get(RATERS, ())))
        raters = self.reading.raters if self.reading.is_wide else facts.seen.get(RATERS, ())
        if silent := [name for name in self.reading.raters if name not in facts.seen[RATERS]]:
            yield Check(
                "C7", REMARK, f"No item is rated by {listed(silent)}. Is it the right column? Otherwise leave it out."
            )
        yield from crowded(len(raters), facts.used, in_columns=self.reading.is_wide)

    def raters(self, collected: Collected) -> tuple[str, ...]:
        """Who rated; nobody where raters are not told apart."""
        return tuple(getattr(collected.find(EVERYBODY, self.by_rater), "raters", ()))

    def unit_weight(self, facts: Facts) -> float:
        """Weights in units of an item: coefficients that correct for few items must not see their unit."""
        return 1.0 if self.reading.weight is None else float(ratio(facts.used, facts.weight))

    def views(self, request: Request, collected: Collected) -> list[View]:
        """All raters, and every two of a few."""
        tallies = [
            tally
            for tally in tallies_of(collected).values()
            if tally.view == EVERYBODY and self.told_apart(collected.facts, tally.statistic)
        ]
        metrics, note = request.chosen(self.fitting(collected)), self.notes(collected)
        everybody = View(
            EVERYBODY,
            tuple(Basis(tally, self.derive) for tally in tallies),
            metrics,
            notes=lambda statistics: dict.fromkeys(statistics, note) if note else {},
            amend=partial(self._over_raters, request, metrics) if self.raters_too else None,
        )
        views = [everybody, *self._pairs(request, collected, tallies)]
        self._check_measured(request, collected, views)
        return views

    def notes(self, collected: Collected) -> str:
        """What stands beside every number."""
        return ""

    def _pairs(self, request: Request, collected: Collected, tallies: Sequence[Tally]) -> list[View]:
        raters = self.raters(collected)
        tally = next((one for one in tallies if one.statistic is self.by_rater), None)
        metrics = tuple(metric for metric in self.of_two() if metric in request.chosen(self.of_two()))
        if tally is None or not 2 < len(raters) <= MOST_PAIRED_RATERS or not self.compares_pairs(collected.facts):
            return []
        return [
            View(
                " × ".join(raters[place] for place in pair),
                (Basis(tally, self.derive, project=self.pair_of(collected, pair)),),
                metrics,
                in_slices=(),
                leads=False,
            )
            for pair in combinations(range(len(raters)), 2)
        ]

    def compares_pairs(self, facts: Facts) -> bool:
        """Whether two raters are compared by themselves."""
        return True

    def _check_measured(self, request: Request, collected: Collected, views: Sequence[View]) -> None:
        """Every metric that was named must be measured in some view."""
        everybody, *pairs = views
        known: Together = {}
        for basis in everybody.bases:
            known |= self.derive(collected.sums[WHOLE, basis.tally])
        for metric in request.metrics or ():
            empty = metric.by_category and metric.over in known and not known[metric.over].categories
            if (metric.over not in known or empty) and not any(metric in view.metrics for view in pairs):
                reason = self.unmeasured(metric, len(self.raters(collected)))
                raise SettingError(f"{quoted(repr(metric))} must be measurable, but {reason}.")

    def _over_raters(
        self, request: Request, metrics: Sequence[Metric], measured: Measured, rows: Sequence[Row]
    ) -> Iterable[Row]:
        """The same rows, and before each metric's own its interval over items and raters."""
        vectors = measured.statistics.get(self.by_rater)
        if vectors is None:
            yield from rows
            return
        bounds: dict[str, Bounds] = {}
        smooth = [m for m in metrics if "bayesian" in m.intervals and not m.by_category and m.over is not Confusion]
        for replicates in measured.bayesian:
            of_these = [m for m in smooth if m.over in replicates.base]
            for metric, values in zip(
                of_these, replicate_values(replicates, of_these) if of_these else [], strict=True
            ):
                units = replicates.units_of(metric.over)
                seed = request.bootstrap.seed
                limits = two_way(metric, vectors, values, level=request.level, seed=seed, units=units)
                if limits is not None:
                    bounds[repr(metric)] = limits
        for row in rows:
            if row.metric in bounds and np.isfinite(row.estimate):
                wider = bounds.pop(row.metric)
                low, high = min(float(wider.low), row.estimate), max(float(wider.high), row.estimate)
                yield replace(row, low=low, high=high, method=wider.method)
            yield row

    def used_rows(self, facts: Facts) -> int:
        """An item has several rows where each rating has its own."""
        return facts.used if self.reading.is_wide else facts.read - sum(facts.left_out.values())

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The labels that were seen."""
        return ordered_labels(collected.facts.seen.get(LABELS, ()))

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What else was chosen, and what the ratings are like."""
        return {
            **self.settings(),
            "Resampled": "items and raters" if self.raters_too else "items",
            **self.described(collected),
            **self._left_out(request, collected),
        }

    def _left_out(self, request: Request, collected: Collected) -> dict[str, str]:
        """What a stream does not give, and why."""
        if request.engine.holds_table:
            return {}
        what = "pictures and tables of raters and items, which need all items at once"
        if not self.named(request):
            by_rater = [m for m in (*self.fitting(collected), *self.of_two()) if m.over in (self.by_rater, Confusion)]
            labels = ", ".join(dict.fromkeys(metric.label for metric in by_rater))
            what = f"{labels}, for which raters in rows must be told apart; {what}"
        return {"Not computed when streaming": what}

    def panels(self, page: Page) -> Panels:
        """The annotation lead's page; there is none where the items are not at hand."""
        items = page.collected.find(ITEMS, RatedItems)
        if items is None:
            return Panels()
        return self.pictures(RatingPage(items, page.whole[EVERYBODY], page.request.bootstrap, page.request.level))


def draws_raters(given: Given) -> bool:
    """Whether raters are drawn beside items."""
    return choice_of(given, "resample", RESAMPLED, RESAMPLED[0]) == "raters"


Two = TypeVar("Two", bound=AnyKinds)


def with_item_rows(two: Two, rows: int) -> Two:
    """Sums of two raters, which are of so many items; replicates need not know."""
    return replace(two, rows=rows) if two.counts.ndim == 1 else two
