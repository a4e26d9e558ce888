"""What classification sums and measures: each system's table of decisions, and its scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.columns import Judgements, losses_at
from adjudge.data.judgements.labels import label_text, ordered_labels
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.data.reading import Block
from adjudge.data.systems import SystemRoles, systems_of
from adjudge.diagnosis.checks.check import Check, refuse_stops
from adjudge.diagnosis.checks.order import in_stretches
from adjudge.engines.base import Collected, SliceKey, Tally
from adjudge.errors import SettingError, did_you_mean, literal, quoted
from adjudge.evaluation.asking.settings import number_setting
from adjudge.evaluation.comparison.paired_answers import PairedAnswers, UnitSource
from adjudge.evaluation.declaration import Basis, Given, Page, UsualStudy, View, alone, row_columns, tallies_of
from adjudge.evaluation.measuring.rows import PROBABILITIES, Refused
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.inference.differences.paired_shares import PairedShares
from adjudge.inference.resampling import Together
from adjudge.metrics import accuracy, average_precision, error_rate, f_score, pr_auc, precision, recall, roc_auc
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.calibration import NOT_PROBABILITIES
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.curves.decisions import decided
from adjudge.statistics.losses import Losses
from adjudge.statistics.numbers.value_pairs import ScoredPairs, ValuePairs
from adjudge.statistics.systems.joint_rows import JointRows
from adjudge.statistics.systems.paired_units import PairedUnits
from adjudge.statistics.weights import Weights
from adjudge.tasks.classification.checks import classification_checks, first_checks
from adjudge.tasks.classification.costs import costs_of, with_costs
from adjudge.tasks.classification.errors import error_table
from adjudge.tasks.classification.panels import classification_panels
from adjudge.tasks.classification.reading import LabelReading

# Over categories, where no single one of them is the one that matters.
AVERAGES = tuple(
    metric.averaged(kind) for metric in (precision, recall, f_score) for kind in ("macro", "micro", "weighted")
) + tuple(metric.averaged(kind) for metric in (roc_auc, pr_auc, average_precision) for kind in ("macro", "weighted"))
# Cells in which replicates of a curve are drawn when there are many more distinct scores.
CELLS = 256
# Distinct rows of several systems are drawn together up to so many that there could be.
MOST_JOINT = 2**18
# Labels of which each has figures of its own although none were named.
MOST_BY_LABEL = 1_000
# What is a share of rows that were answered right, or wrong: of all, or of one label's.
RIGHT_OR_WRONG = (accuracy, error_rate, recall)
NO_DECISION = (
    "undefined: there is no prediction column, and scores outside [0, 1] are not decided at 0.5; give `threshold`"
)


@dataclass(frozen=True)
class ClassificationStudy(UsualStudy):
    """One request: where the answers are, and at which score a lone score becomes a decision."""

    reading: LabelReading
    costs: tuple[float, float] | None = None  # of a false positive and a false negative

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> ClassificationStudy:
        """The roles and settings, checked."""
        positive = given.get("positive")
        reading = LabelReading(
            reference=str(given["reference"]),
            systems=systems_of(given.get("prediction"), given.get("score"), given.get("systems")),
            **row_columns(given, columns),
            positive=None if positive is None else label_text(positive),
        )
        costs = costs_of(given.get("costs"))
        if costs is not None and not any(system.has_one_score for system in reading.systems):
            raise SettingError("`costs` must go with one score per row, but there is none. Give `score`.")
        cuts = _cuts(given.get("threshold"), len(reading.systems))
        return cls(replace(reading, cuts=cuts).checked(columns), costs)

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        if metric.over is ValuePairs and any(s.prediction is None and len(s.scores) < 2 for s in self.reading.systems):
            return "it is of predictions, and there are none; give `prediction`"
        if metric.over is ScoredPairs and not all(system.has_one_score for system in self.reading.systems):
            return "it needs one score per row, and there is none; give `score`"
        if metric.over not in (Confusion, Curves, Losses, ValuePairs, ScoredPairs):
            return "it is not about labels and scores"
        if issubclass(metric.over, ValuePairs):
            return ""
        if metric.over is not Confusion and not any(system.scores for system in self.reading.systems):
            return "it needs a score, and there is none; give `score`"
        return ""

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """What must be counted of each system; what a lone score decides follows from its curve.

        Rows are drawn one by one where they belong together. Several systems are drawn together: on the distinct rows
        of what they said where these are few, and row by row otherwise.
        """
        roles = self.reading
        refuse_stops(first_checks(roles, first), request.ok)
        own = (
            Tally(system.name, statistic, by_rows=roles.weight is not None or self.clustered, holds_units=True)
            for statistic in request.own_statistics
            for system in roles.systems
        )
        beside = () if len(roles.systems) == 1 else self._unit_source.tallies(request.comparing.baseline)
        return (*self._usual(request, first, explicit=self.clustered), *own, *beside)

    @property
    def _unit_source(self) -> UnitSource:
        """On which rows several systems are right."""
        names = tuple(system.name for system in self.reading.systems)
        losses = partial(losses_at, tuple(map(self.reading.cut_of, names)))
        about = (JOINTLY, losses, names, {accuracy: 1.0, error_rate: 1.0}, "right or wrong")
        return UnitSource(*about, right_or_wrong=True, countable=self.countable, by_draws=self.clustered)

    def _usual(self, request: Request, first: Block, *, explicit: bool) -> tuple[Tally, ...]:
        roles = self.reading
        if explicit or len(roles.systems) == 1:
            return tuple(tally for system in roles.systems for tally in self._of_system(system, first, explicit))
        grids = tuple(self._grid(system, first) for system in roles.systems)
        many = any(len(system.scores) > 1 for system in roles.systems)
        if many or request.bootstrap.kind == "bca" or _distinct_rows(first, grids) > MOST_JOINT:
            return tuple(tally for system in roles.systems for tally in self._of_system(system, first, True))
        single = [tally for system in roles.systems for tally in self._of_system(system, first, False)]
        return (*single, Tally(JOINTLY, JointRows, pilot=grids))

    def _grid(self, system: SystemRoles, first: Block) -> Array | None:
        return _grids(first.views[system.name], self.reading.cut_of(system.name))[0] if system.has_one_score else None

    def _of_system(self, system: SystemRoles, first: Block, explicit: bool) -> list[Tally]:
        many = len(system.scores) > 1
        tallies = []
        if system.prediction is not None or many:
            tallies.append(Tally(system.name, Confusion, by_rows=explicit, smooth=True))
        if system.scores:
            # The cells of several categories' curves do not hold whole rows: rows are drawn.
            by_rows = explicit or many
            grid = _grids(first.views[system.name], self.reading.cut_of(system.name)) if by_rows else None
            tallies.append(Tally(system.name, Curves, by_rows=by_rows, smooth=not tallies, grid=grid))
        if many:
            tallies.append(Tally(system.name, Losses, by_rows=True))
        return tallies

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        facts, roles = collected.facts, self.reading
        roles.judge(facts, request.source.name)
        positive, labels = roles.positive_among(facts.seen["labels"]), ordered_labels(facts.seen["labels"])
        # A positive label that no reference has is a slip of the pen, unless the reference has a single label.
        if positive is not None and len(labels) > 1 and positive not in labels:
            raise SettingError(
                f"`positive` must be a label of the reference, not {quoted(positive)}. {did_you_mean(positive, labels)}"
            )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in labels, decisions and scores."""
        yield from classification_checks(self.reading, collected)
        decided = [s.name for s in self.reading.systems if Confusion not in self._refused(s, collected)]
        yield from in_stretches(collected.facts, decided)

    def unit_weight(self, facts: Facts) -> float:
        """Weights are as they are."""
        return 1.0

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system."""
        labels = ordered_labels(collected.facts.seen["labels"])
        positive = self.reading.positive_among(labels)
        offered = request.candidates
        metrics = tuple(m for m in offered if positive is None or m not in AVERAGES)
        if self._too_many_labels(request, labels):
            metrics = tuple(m for m in metrics if not m.by_category or m in request.required)
        tallies = tallies_of(collected)
        refused = [self._refused(system, collected) for system in self.reading.systems]
        one_cut = len(set(self.reading.cuts)) < 2
        return [
            View(
                name=system.name,
                bases=tuple(self._bases(system, place, tallies, labels)),
                metrics=metrics,
                positive=positive,
                # Nothing is decided at a threshold that scores are not held to.
                threshold=self.reading.cut_of(system.name) if one_cut and Confusion not in refused[place] else None,
                refused=refused[place],
                contest="systems",
                pairs=partial(self._pairs, (collected, place)),
                unit_source=self._unit_source,
            )
            for place, system in enumerate(self.reading.systems)
        ]

    def _pairs(
        self, one: tuple[Collected, int], other: View, key: SliceKey, metric: Metric, label: str
    ) -> PairedAnswers:
        """How often this system and another were right, where a metric is about that and rows count alike."""
        collected, place = one
        units = collected.sums_of(JOINTLY, PairedUnits, key)
        at = [system.name for system in self.reading.systems].index(other.name)
        differing = round(float(units.differing[place, at]))
        about_right = metric in RIGHT_OR_WRONG and metric.over is Confusion
        if not about_right or not self.countable:
            return PairedAnswers(differing, mean=about_right)
        shares = PairedShares(*units.shares(place, at, label or None))
        return PairedAnswers(differing, shares.swapped if metric.direction is Direction.LOWER else shares)

    def _bases(
        self,
        system: SystemRoles,
        place: int,
        tallies: Mapping[tuple[str, type[AnyStatistic]], Tally],
        labels: tuple[str, ...],
    ) -> list[Basis]:
        table, curves, losses = (tallies.get((system.name, of)) for of in (Confusion, Curves, Losses))
        joint, cut = tallies.get((JOINTLY, JointRows)), self.reading.cut_of(system.name)
        positive = str(self.reading.positive_among(labels))
        of_table = None if joint is None else (joint, lambda rows: rows.table_of(place))
        of_curves = None if joint is None else (joint, lambda rows: rows.curves_of(place, positive))
        bases = []
        if table is not None:
            bases.append(Basis(table, joint=of_table, stream=f"Confusion/{place}"))
        elif curves is not None:
            decide = partial(_decided, cut=cut, labels=labels)
            bases.append(Basis(curves, project=decide, joint=of_curves, stream=f"Confusion/{place}"))
        if curves is not None:
            derive = _from_lone_score if system.has_one_score else alone
            coarsen = partial(_coarse, cut=cut)
            bases.append(Basis(curves, derive, coarsen=coarsen, joint=of_curves, stream=f"Curves/{place}"))
        if losses is not None:
            bases.append(Basis(losses, stream=f"Losses/{place}"))
        own = (tallies.get((system.name, of)) for of in (ValuePairs, ScoredPairs))
        bases += [Basis(tally, replicates=("bootstrap",)) for tally in own if tally is not None]
        return bases

    def _refused(self, system: SystemRoles, collected: Collected) -> Refused:
        """What cannot be said of scores that are not probabilities: a column's scores are so, not a slice's."""
        losses, curves = collected.find(system.name, Losses), collected.find(system.name, Curves)
        improper = losses.improper > 0 if losses else curves and not all(c.are_probabilities for c in curves.curves)
        if not improper:
            return {}
        refused: Refused = {PROBABILITIES: f"undefined: {NOT_PROBABILITIES}"}
        if system.has_one_score and system.prediction is None and not self.reading.cuts:
            refused[Confusion] = NO_DECISION
        return refused

    def columns(self) -> dict[str, str | None]:
        """Systems have names of their own."""
        named: dict[str, str | None] = {"prediction": None, "score": None}
        for system in self.reading.systems:
            named[f"prediction of {system.name}"] = system.prediction
            for category, column in system.scores:
                named[f"score of {system.name}" + (f" for {category}" if category else "")] = column
        return named

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The labels of the reference."""
        return ordered_labels(collected.facts.seen["labels"])

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """The thresholds, where systems have their own."""
        cuts = {system.name: self.reading.cut_of(system.name) for system in self.reading.systems}
        several, labels = len(set(cuts.values())) > 1, collected.facts.seen["labels"]
        choices = {"Decisions": ", ".join(f"{name} from {cut:g} on" for name, cut in cuts.items())} if several else {}
        if self._too_many_labels(request, labels):
            left_out = f"left out: there are {len(labels):,}. Name the metrics to have them, such as precision, recall"
            choices["Figures of each label"] = left_out
        return choices

    def _too_many_labels(self, request: Request, labels: Collection[str]) -> bool:
        """Whether figures of each label, which nobody named, would be more than anybody reads."""
        return request.metrics is None and len(labels) > MOST_BY_LABEL and self.reading.positive_among(labels) is None

    def panels(self, page: Page) -> Panels:
        """Tables of decisions, curves, thresholds, calibration and scores; what decisions cost."""
        whole, level, views = list(page.whole.values()), page.request.level, self.views(page.request, page.collected)
        panels = replace(classification_panels(whole, level), tables=list(error_table(page, views)))
        cuts = {one.system: self.reading.cut_of(one.system) for one in whole}
        return panels if self.costs is None else with_costs(panels, whole, self.costs, cuts, level)


def _cuts(threshold: object, systems: int) -> tuple[float, ...]:
    """The score at which each system's lone score becomes a decision; one for all, or one for each."""
    if threshold is None:
        return ()
    given: list[object] = list(threshold) if isinstance(threshold, (list, tuple)) else [threshold] * systems
    cuts = [number_setting("threshold", one) for one in given]
    for cut, one in zip(cuts, given, strict=True):
        if not np.isfinite(cut):
            raise SettingError(f"`threshold` must be a finite number, for example 0.5, not {literal(one)}.")
    cuts = cuts * systems if len(cuts) == 1 else cuts
    if len(cuts) != systems:
        raise SettingError(
            f"`threshold` must be one number, or one for each of the {systems} systems, but there are {len(cuts)}."
        )
    return tuple(cuts)


def _grids(judgements: Judgements, cut: float) -> tuple[Array, ...]:
    """The cells in which curves are replicated row by row."""
    rows = len(judgements.reference)
    return tuple(curve.grid(CELLS, (cut,)) for curve in Curves.collect(judgements, Weights(rows)).curves)


def _distinct_rows(first: Block, grids: Sequence[Array | None]) -> int:
    """How many different rows of answers there could be, as far as the first rows tell."""
    systems = first.views[JOINTLY].systems
    count = len(systems[0].reference.categories)
    for system, grid in zip(systems, grids, strict=True):
        count *= 1 if system.prediction is None else len(system.prediction.categories)
        count *= 1 if grid is None else len(grid)
    return count


def _coarse(curves: Curves, cut: float) -> Curves:
    """The cells in which replicates are drawn."""
    return curves.onto(tuple(curve.grid(CELLS, (cut,)) for curve in curves.curves))


def _from_lone_score(curves: Curves) -> Together:
    """Everything that follows from a lone score's curve, but decisions."""
    (curve,) = curves.curves
    return {Curves: curves, Losses: Losses.from_curve(curve)}


def _decided(curves: Curves, cut: float, labels: tuple[str, ...]) -> Confusion:
    """The table of decisions that a lone score makes: its label, and what everything else is called."""
    (curve,), positive = curves.curves, curves.categories[0]
    others = [label for label in labels if label != positive]
    return decided(curve, cut, positive, others[0] if len(others) == 1 else f"not {positive}")
