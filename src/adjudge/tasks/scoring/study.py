"""What scoring sums and measures: every form of a system's score beside the raters', and every two raters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from adjudge.data.cleaning import check_ids
from adjudge.data.facts import Facts, check_clusters, check_rows, check_together, check_weight
from adjudge.data.judgements.responses import Responses
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.data.reading import Block
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.numbers import number_checks, rare_points, same_answers
from adjudge.engines.base import EVERYWHERE, SLICES_ONLY, WHOLE_ONLY, Collected, Tally
from adjudge.errors import SettingError, noted, quoted
from adjudge.evaluation.comparison.paired_answers import UnitSource
from adjudge.evaluation.declaration import Basis, Given, Page, UsualStudy, View, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import Row
from adjudge.inference.resampling import Together
from adjudge.metrics import mean_absolute_error, mean_squared_error, rmse, spearman
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.clustered_table import ClusteredTable
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells, cuts_of
from adjudge.statistics.scores.features import MOST_POINTS, ScalePoints
from adjudge.statistics.scores.joint_points import JointPoints, PointsByPerson
from adjudge.statistics.scores.person_errors import PersonErrors
from adjudge.statistics.scores.ranks import ScoreRanks
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.table import ScoreTable, span_of
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights
from adjudge.tasks.scoring.cells import on_grid
from adjudge.tasks.scoring.checks import ratings_in_rows, scale_and_training
from adjudge.tasks.scoring.choice import EVERY, Choice
from adjudge.tasks.scoring.flags import FlagRule, flag_rules
from adjudge.tasks.scoring.forms import RESPONSES, Forms
from adjudge.tasks.scoring.panels import scoring_panels
from adjudge.tasks.scoring.reading import AT_POINTS, HUMAN_SCORES, POINTS, REPEATED, ScoreReading
from adjudge.tasks.scoring.settings import reading_of, variance_setting

# Fewer responses with two ratings than this make a shaky variance of errors; the table says so.
FEW_DOUBLE = 30
# Different rows of points that the first rows may have for systems to be drawn together.
MOST_JOINT = 2**14
RESTS_ON_DOUBLE = ("prmse", "true_score", "rater_error_variance", "degradation", "disattenuated")
COUNTS = "whole numbers: N is their sum, as if responses were repeated"
SHARES = "not all whole: scaled so that N, their sum, is the number of responses"
NEEDS = "a second rater, rounded scores (`min` and `max`), or `slices`"


@dataclass(frozen=True)
class ScoringStudy(UsualStudy):
    """One request: how the responses are read, and what is held against which limits."""

    units = ("response", "candidate")
    reading: ScoreReading
    error_variance: float | None
    flags: tuple[FlagRule, ...]

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> ScoringStudy:
        """The roles and settings, checked."""
        flags, variance = flag_rules(given.get("limits")), variance_setting(given.get("error_variance"))
        return cls(reading_of(columns, given), variance, flags)

    @property
    def forms(self) -> Forms:
        """Who is compared with whom."""
        return self.reading.forms

    @property
    def clustered(self) -> bool:
        """Whether people are drawn, who may have several responses."""
        return self.reading.candidate is not None

    def _choice(self, named: tuple[Metric, ...] | None) -> Choice:
        return Choice(named, len(self.reading.raters) > 1, self.error_variance)

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        if metric.name not in {known.name for known in EVERY}:
            return "it is not about scores"
        if metric.name == spearman.name and not self.forms.trimmed:
            return "it is of scores that are trimmed to a scale; give `min` and `max`"
        choice = self._choice((metric,))
        whole = [True, False] if self.slices else [True]
        kinds = {name in self.forms.rounded for name in self.forms.names}
        offered = [m for w in whole for rounded in kinds for m in choice.of_form(rounded=rounded, whole=w)]
        offered += [m for w in whole for m in choice.of_raters(whole=w) if self.forms.pairs]
        categories = bool(self.forms.rounded or self.forms.pairs)
        return "" if offered and (categories or metric.over is not Confusion) else f"it needs {NEEDS}"

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """What to sum: all systems and raters together, every two raters, tables, errors, descriptions and ranks."""
        ranked = self._ranked(request)
        if ranked and request.metrics is not None and not request.engine.holds_table:
            raise SettingError(
                'Spearman\'s correlation must have all scores at once, but a stream does not. Use engine="memory".'
            )
        tallies = tuple(self._tallies(first, ranked=ranked))
        if len(self.reading.systems) > 1:
            return (*tallies, *self._unit_source.tallies(request.comparing.baseline))
        return on_grid(self.reading, first, tallies)

    def _ranked(self, request: Request) -> bool:
        """Whether scores are compared by their order."""
        return spearman in request.candidates and bool(self.forms.trimmed)

    def _tallies(self, first: Block, *, ranked: bool) -> Iterator[Tally]:
        forms = self.forms
        pilot = ScorePilot.of(first.views[RESPONSES], ScalePoints(frozenset(forms.rounded), forms.step))
        in_slices = replace(pilot, in_slices=True)
        yield Tally(RESPONSES, ScoreTotals, pilot=pilot, slice_pilot=in_slices)
        yield from (Tally(name, ScoreTotals, pilot=in_slices) for name in forms.pairs if forms.sums_of(name) == name)
        for name in (*forms.rounded, *forms.pairs):
            yield Tally(name, ScoreTable, WHOLE_ONLY if self.clustered else EVERYWHERE, pilot=forms.step)
            if self.clustered:
                yield Tally(name, ClusteredTable, pilot=forms.step)
        if len(self.reading.systems) > 1 and _few_points(first.views[RESPONSES], forms):
            together = PointsByPerson if self.clustered else JointPoints
            yield from (Tally(POINTS.format(form), together, pilot=(names, forms.step)) for form, names in self._points)
        for name in (*map(HUMAN_SCORES.format, self.reading.raters), *forms.names):
            yield Tally(name, Descriptives, where=WHOLE_ONLY)
        cuts = cuts_of(first.views[RESPONSES].first, first.weight)
        for name in forms.main(rounded=False):
            for view in (name, AT_POINTS.format(name)):
                yield Tally(view, ErrorCells, where=SLICES_ONLY, pilot=cuts)
            if self.clustered:
                yield Tally(name, PersonErrors, where=SLICES_ONLY, holds_units=True)
        for name in forms.trimmed if ranked else ():
            yield Tally(name, ScoreRanks, where=WHOLE_ONLY, holds_units=True)

    @property
    def _points(self) -> list[tuple[str, tuple[str, ...]]]:
        """The forms whose scores are points, each with those of all systems: they are drawn together."""
        by_form: dict[str, list[str]] = {}
        for name in self.forms.rounded:
            by_form.setdefault(self.forms.names[name][1], []).append(name)
        return [(form, tuple(names)) for form, names in by_form.items()]

    @property
    def _unit_source(self) -> UnitSource:
        """How far off the systems are in the form that matters, response by response."""
        names = self.forms.main(rounded=False)
        systems = tuple(self.forms.names[name][0] for name in names)
        powers = {mean_absolute_error: 1.0, mean_squared_error: 2.0, rmse: 2.0}
        losses, of = partial(_off_by, names), "the size of the error"
        return UnitSource(RESPONSES, losses, systems, powers, of, "response", countable=self.countable)

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        facts, reading = collected.facts, self.reading
        check_rows(facts, request.source.name, "Some responses must be usable")
        check_ids(facts, reading.id, "response", REPEATED)
        check_together(facts, "candidate", reading.candidate)
        check_clusters(facts, "candidate", reading.candidate)
        check_weight(facts, reading.weight, "response")

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in the scores."""
        totals = collected.sums_of(RESPONSES, ScoreTotals)
        for name in self.forms.main(rounded=False):
            who = quoted(self.forms.names[name][0])
            yield from number_checks(who, ScoreSums(totals, name).numbers, "response")
        for name in met_pairs(self.forms, collected):
            one, two = (quoted(self.reading.raters[place]) for place in self.forms.pairs[name])
            sums = ScoreSums(collected.sums_of(self.forms.sums_of(name), ScoreTotals), None)
            yield from number_checks(two, sums.numbers, "response", one)
        yield from scale_and_training(self.reading, collected.facts, given=request.given.get("training") is not None)
        yield from ratings_in_rows(request.source, self.reading)
        yield from rare_points(collected.facts)
        yield from same_answers(collected.facts.digests, collected.facts.used, "response")

    def unit_weight(self, facts: Facts) -> float:
        """Weights that are not all whole numbers weigh as much as there are responses."""
        return 1.0 if facts.whole_weights else facts.used / facts.weight

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Every form of every system's score, those that matter first, and every two raters who met."""
        choice = self._choice(request.metrics)
        tallies = tallies_of(collected)
        amend = partial(_with_notes, error_variance=self.error_variance)
        views = []
        for name in self.forms.in_order:
            bases = [_scores(tallies[RESPONSES, ScoreTotals], name)]
            rounded = name in self.forms.rounded
            metrics, in_slices = (choice.of_form(rounded=rounded, whole=whole) for whole in (True, False))
            system, form = self.forms.names[name]
            bases = [*bases, *self._beside(name, tallies, collected)]
            view = View(name, tuple(bases), metrics, in_slices, amend=amend, system=system, contest=form)
            main = name in self.forms.main(rounded=False)
            views.append(replace(view, unit_source=self._unit_source) if main else view)
        for name in met_pairs(self.forms, collected):
            bases = [_scores(tallies[self.forms.sums_of(name), ScoreTotals], None)]
            metrics, in_slices = (choice.of_raters(whole=whole) for whole in (True, False))
            views.append(View(name, (*bases, *self._beside(name, tallies, collected)), metrics, in_slices))
        return [view for view in views if view.metrics or view.in_slices]

    def _beside(
        self, name: str, tallies: Mapping[tuple[str, type[AnyStatistic]], Tally], collected: Collected
    ) -> Iterator[Basis]:
        """What else two scores are compared by: as categories, and by their order."""
        table = collected.find(name, ScoreTable)
        if table is not None and not table.crowded:
            yield from self._as_categories(name, table, tallies)
        if (ranks := tallies.get((name, ScoreRanks))) is not None:
            # `Any`: the ranks of people are drawn, but are no statistic that a metric divides.
            people: Any = ScoreRanks.by_person if self.clustered else None
            kinds = ("bootstrap",) if self.clustered else ()
            basis = Basis(ranks, lambda r: {RatingVectors: r.vectors}, stream=f"ScoreRanks/{name}")
            yield replace(basis, coarsen=people, replicates=kinds)

    def _as_categories(
        self, name: str, table: ScoreTable, tallies: Mapping[tuple[str, type[AnyStatistic]], Tally]
    ) -> Iterator[Basis]:
        """Points against points: those of several systems drawn together, each with its own smoothed draws beside."""
        stream, form = f"Confusion/{name}", self.forms.names.get(name, ("", ""))[1]
        joint = tallies.get((POINTS.format(form), PointsByPerson if self.clustered else JointPoints))
        if joint is not None:
            place = dict(self._points)[form].index(name)
            derive = partial(_table_of, place, (table.low, table.size, table.step))
            yield Basis(joint, derive, stream=f"points/{form}", replicates=("bootstrap",))
        if not self.clustered:
            both = ("bootstrap", "bayesian") if joint is None else ("bayesian",)
            yield Basis(tallies[name, ScoreTable], project=_confusion, stream=stream, replicates=both)
        elif joint is None:
            by_person = tallies[name, ClusteredTable]
            yield Basis(by_person, lambda t: {Confusion: t.confusion}, stream=stream, replicates=("bootstrap",))

    def categories(self, collected: Collected) -> list[str]:
        """The lowest of the human scores."""
        points = sorted(float(point) for point in collected.facts.seen["points"])
        return [f"{point:g}" for point in points[:MOST_POINTS]]

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What is worth knowing of the responses."""
        scale, facts = self.forms.scale, collected.facts
        choices = {"Responses with two ratings or more": f"{collected.sums_of(RESPONSES, ScoreTotals).twice:,}"}
        if scale is not None:
            reach = f"{scale.low:g} to {scale.high:g} in steps of {scale.step:g}"
            choices["Scale"] = f"{reach}, trimmed {scale.slack:g} beyond"
        choices["Human scores of zero"] = "stay" if self.reading.zeros else "are left out"
        if self.error_variance is not None:
            choices["Variance of rater errors"] = f"{self.error_variance:g}, given"
        if self.reading.weight is not None:
            choices["Weights"] = COUNTS if facts.whole_weights else SHARES
        is_drawn = any(tally.view == POINTS.format(form) for form, _ in self._points for _, tally in collected.sums)
        if len(self.reading.systems) > 1 and self.forms.rounded and not is_drawn:
            choices["Differences of kappa of rounded scores"] = f"of up to {MOST_JOINT:,} different rows of points only"
        if not request.engine.holds_table and self._ranked(request):
            choices["Not computed when streaming"] = "Spearman's correlation, which needs all scores at once"
        return choices

    def panels(self, page: Page) -> Panels:
        """Flags, tables of points, differences between slices and what explains them."""
        return scoring_panels(page, self.forms, self.flags)


def met_pairs(forms: Forms, collected: Collected) -> list[str]:
    """Every two raters who scored a response in common."""
    sums = {name: ScoreSums(collected.sums_of(forms.sums_of(name), ScoreTotals), None) for name in forms.pairs}
    return [name for name in forms.pairs if sums[name].rows]


def _scores(tally: Tally, system: str | None) -> Basis:
    """The sums of one system, or of two raters beside one another; all systems share the draws."""

    def derive(totals: ScoreTotals) -> Together:
        sums = ScoreSums(totals, system)
        return {ScoreSums: sums, NumberPairs: sums.numbers}

    # Sums know no prior, and so no smoothed replicates.
    return Basis(tally, derive, stream=f"ScoreTotals/{tally.view}", replicates=("bootstrap",))


def _with_notes(measured: Measured, rows: Sequence[Row], *, error_variance: float | None) -> Iterator[Row]:
    """What rests on second ratings says on how many, or why it is undefined."""
    sums: ScoreSums = measured.statistics[ScoreSums]
    for row in rows:
        note = _note(row, sums, error_variance) if row.metric.startswith(RESTS_ON_DOUBLE) else row.note
        yield row if note == row.note else replace(row, note=note)


def _note(row: Row, sums: ScoreSums, given: float | None) -> str:
    double, truth = sums.totals.twice, sums.truth
    about_truth = not row.metric.startswith(("degradation", "disattenuated"))
    if np.isnan(row.estimate):
        if double == 0 and (given is None or not about_truth):
            return "undefined: no response has two ratings"
        if about_truth and not (variance := float(truth.variance(given))) > 0:
            return f"undefined: the variance of true scores comes out as {variance:.3g}, with {double:,} double-scored"
        return row.note
    few = double < FEW_DOUBLE and not (about_truth and given is not None)
    rests_on = f"rests on {double:,} responses with two ratings" if few else ""
    return noted(row.note, rests_on)


def _few_points(responses: Responses, forms: Forms) -> bool:
    """Whether points of all systems make so few different rows that these are counted together."""
    if not forms.rounded or span_of(*(responses.scores[name] / forms.step for name in forms.rounded[:2]))[1] == 0:
        return False
    points = JointPoints.collect(responses, Weights(len(responses)), (forms.rounded, forms.step))
    return len(points.kinds) <= MOST_JOINT


def _table_of(place: int, span: tuple[int, int, float], points: JointPoints | PointsByPerson) -> Together:
    return {Confusion: points.table_of(place, span)}


def _confusion(table: ScoreTable) -> Confusion:
    return table.confusion


def _off_by(names: tuple[str, ...], responses: Responses) -> UnitLosses:
    """How far each system is off, response by response."""
    answers = np.stack([responses.scores[name] for name in names], axis=1)
    return UnitLosses(np.abs(answers - responses.first[:, None]), answers, together=responses.people)
