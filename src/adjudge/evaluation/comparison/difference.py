"""One number of one system minus that of another: its limits and tests, the default for its kind first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Unpack

import numpy as np

from adjudge.engines.base import SliceKey
from adjudge.errors import noted
from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.paired_answers import PairedAnswers, UnitSource
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.unit_tests import UnitTable
from adjudge.evaluation.measuring.cell_notes import difference_note
from adjudge.evaluation.measuring.one_number import OneNumber
from adjudge.evaluation.measuring.rows import carried_note
from adjudge.evaluation.results import Row, Tested
from adjudge.inference.differences.one_more_row import moved_by_a_row
from adjudge.inference.differences.paired_shares import (
    MID_P,
    PairedShares,
    asked_of_pairs,
    mcnemar,
    square_and_add,
    tango,
)
from adjudge.inference.differences.paired_units import MeanDifference, SkewedDifference, guarded_draws, student_draws
from adjudge.inference.differences.same_verdict import further, same_verdict
from adjudge.inference.differences.units_apart import (
    JackknifedDifference,
    difference_carried_by,
    skewed_draws,
    skewed_mean,
)
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.replicate_values import correlation_of
from adjudge.inference.resampling import Bootstrap, percentile, student_p
from adjudge.metrics.intervals import BY_A_COUNT, Quantity
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.queries.means import QueryMeans

ROUNDING = 1e-9
FEW_UNITS = 30
"""With fewer units, a mean without bounds hangs on a few of them."""
LIKELY_ALIKE = (Losses, QueryMeans)
"""Units differ by far less than they could: one more is as far apart as these are, where that reaches less far."""
GUARDED, JOHNSON, STUDENT = "guarded_t", "johnson", "student"
TESTS = {GUARDED: "guarded t", JOHNSON: "Johnson's t, paired draws", STUDENT: "Student's t, paired draws"}
"""The tests of a mean of differences, by the method of its limits."""
PAIRED_DRAWS = "paired draws"


@dataclass(frozen=True)
class How:
    """Where systems are compared, and how."""

    key: SliceKey
    level: float
    settings: Bootstrap
    comparing: Comparing = field(default_factory=Comparing)
    units: Mapping[UnitSource, UnitTable] = field(default_factory=dict)  # what tests of units were asked of


@dataclass(frozen=True)
class Difference:
    """One number of one system minus that of another, under the same draws."""

    number: OneNumber
    first: Contender
    other: Contender
    how: How
    value: float
    draws: Array  # of the difference
    values: tuple[Array, Array]  # of the system and of its baseline
    correlation: float
    pairs: PairedAnswers

    @classmethod
    def of(cls, number: OneNumber, first: Contender, other: Contender, how: How) -> Difference:
        """What two contenders say of one number."""
        metric = number.metric
        a, b = (number.of(one.values[metric]) for one in (other, first))
        value = float(number.of(other.points[metric]) - number.of(first.points[metric]))
        answered = other.view.pairs
        pairs = PairedAnswers() if answered is None else answered(first.view, how.key, metric, number.category)
        # What is tested as independent is so in the interval, too.
        correlation = correlation_of(a, b) if pairs.exact is None else 0.0
        return cls(number, first, other, how, value, a - b, (a, b), correlation, pairs)

    @cached_property
    def known(self) -> Array:
        """The draws in which both are defined."""
        return self.draws[~np.isnan(self.draws)]

    @cached_property
    def units(self) -> float:
        """How many units are drawn, in effective ones."""
        return self.other.measured.units_of(self.number.metric)

    @property
    def refused(self) -> str:
        """Why nothing can be said of one of the two."""
        metric = self.number.metric
        return self.first.measured.refusal(metric) or self.other.measured.refusal(metric)

    @property
    def shares(self) -> PairedShares | None:
        """How often each was right, where the number is about that."""
        return self.pairs.shares

    @cached_property
    def guarded(self) -> MeanDifference | None:
        """The mean of what units differ by, where that is bounded, as if two more units differed as far as any can."""
        metric, measured = self.number.metric, self.other.measured
        (low, high), statistic = metric.range, measured.statistics[metric.over]
        rows, units = float(np.min(statistic.effective_rows)), self.units
        weighed = metric.over is Confusion and rows < (1 - ROUNDING) * statistic.rows and metric.average is None
        if metric.by_category and metric.over is Confusion and (weighed or self.pairs.mean):
            rows = min(self._rows_of_category(one) for one in (self.first, self.other))
            units = min(units, rows)
        is_mean = self.pairs.mean or weighed or (metric.mean is not None and metric.over is not Losses)
        if not is_mean or not math.isfinite(high - low) or len(self.known) < 2 or math.isnan(rows):
            return None
        guarded, level = guarded_draws(self.value, float(self.known.var()), units, rows, high - low), self.how.level
        likely = self.skewed if metric.over in LIKELY_ALIKE else None
        shorter = likely is not None and np.ptp(likely.interval(level)) < np.ptp(guarded.interval(level))
        return None if shorter else guarded

    def _rows_of_category(self, one: Contender) -> float:
        """How many effective rows a number of one category is a share of; NaN where it is no share."""
        metric = self.number.metric
        share = None if metric.share is None else metric.share(one.measured.statistics[metric.over], **metric.settings)
        if share is None:
            return math.nan
        return float(self.number.of(ratio(share.whole**2, share.squares)))

    @property
    def _under_root(self) -> Array:
        """The draws in which both are defined; of a root, those of the mean under it."""
        draws = self.values[0] ** self.pairs.root - self.values[1] ** self.pairs.root
        return np.asarray(draws[~np.isnan(draws)])

    @cached_property
    def student(self) -> MeanDifference | None:
        """The mean of what units differ by, where that is a loss or has no bound; of a root, the mean under it."""
        metric, root = self.number.metric, self.pairs.root
        bounded = math.isfinite(metric.range[1] - metric.range[0]) and metric.over not in LIKELY_ALIKE
        if (metric.mean is None and root == 1) or bounded:
            return None
        if len(known := self._under_root) < 2 or not known.std() > 0:
            return None
        points = [float(self.number.of(one.points[metric])) ** root for one in (self.other, self.first)]
        return student_draws(points[0] - points[1], float(known.var()), self.units)

    @cached_property
    def skewed(self) -> SkewedDifference | None:
        """The same with how skewed it is, and how few units make most of it: as these tell, or else the draws."""
        by_units = skewed_mean(self.student, self.units, self.number.metric, self._statistics, self.pairs.root)
        if by_units is not None or self.student is None:
            return by_units
        return skewed_draws(self._where_few_differ(self.student), self._under_root, self.units)

    @cached_property
    def means(self) -> dict[str, MeanDifference]:
        """The mean of what units differ by, where it is one, by the method of its limits: the first is the default."""
        known = {GUARDED: self.guarded} if self.guarded is not None else {JOHNSON: self.skewed, STUDENT: self.student}
        return {method: mean for method, mean in known.items() if mean is not None}

    @cached_property
    def beyond_draws(self) -> MeanDifference | None:
        """What draws reach too short a way for: of answers, one more row that differs; else how skewed they are."""
        if len(self.known) < 2 or "jackknife_hill" in (m := self.number.metric).intervals or m.quantity in BY_A_COUNT:
            return None
        usual = student_draws(self.value, float(self.known.var()), self.units)
        if not isinstance(self._statistics[0], Confusion):
            return skewed_draws(self._where_few_differ(usual), self.known, self.units)
        few = self.pairs.differing
        of_few = usual.where_few_differ(few, self._one_more_row) if few and usual.freedom >= 1 else None
        # Rows that differ come together in clusters, which may be few however many rows there are.
        return skewed_draws(of_few, self.known, self.units) if self.other.measured.clustered else of_few

    @property
    def of_scores(self) -> bool:
        """Whether it is of scores, or of lists by scores: what their units add is not known."""
        return self.number.metric.over in (Curves, *LIKELY_ALIKE)

    def _where_few_differ(self, usual: MeanDifference) -> MeanDifference:
        """Of scores that vary together by ρ, as if they differed on n (1 − ρ) units; others as they are."""
        few = self._units_behind * (1 - self.correlation)
        of_few = self.of_scores and usual.freedom >= 1 and few > 0
        return usual.where_few_differ(few, self._one_more_row) if of_few else usual

    @cached_property
    def _one_more_row(self) -> float:
        """How far one more row, on which one of the two errs, would move the number."""
        metric = self.number.metric
        return max(float(self.number.of(moved_by_a_row(metric, one))) for one in self._statistics)

    @cached_property
    def jackknifed(self) -> JackknifedDifference | None:
        """The difference without each unit, where draws of the few that make it reach too short a way."""
        metric = self.number.metric
        return JackknifedDifference.of(metric, *self._statistics) if "jackknife_hill" in metric.intervals else None

    @property
    def _statistics(self) -> tuple[AnyStatistic, AnyStatistic]:
        over = self.number.metric.over
        return self.first.measured.statistics[over], self.other.measured.statistics[over]

    @cached_property
    def told(self) -> tuple[str, float, list[tuple[str, float, float]]]:
        """The default test, its p-value of no difference, and limits by every method: p and the first say the same."""
        (test, p), limits = self._tested(), self.limits(self.how.level)
        if limits:
            method, low, high = limits[0]
            p, ends = same_verdict(self.value, p, (low, high), self.how.level)
            limits[0] = (method, *ends)
        return test, p, limits

    def _tested(self) -> tuple[str, float]:
        """The test that is the default for this kind of number, and its p-value of no difference."""
        if self.shares is not None:
            return MID_P, mcnemar(self.shares, mid=True)
        if self.pairs.exact is not None:
            return self.pairs.exact
        for method, mean in self.means.items():
            if not math.isnan(p := mean.p()):
                return TESTS[method], p if method == GUARDED else self._as_far(p)
        p, beyond = student_p(self.known, self.units), self.beyond_draws
        return PAIRED_DRAWS, self._as_far(p if beyond is None else max(p, beyond.p()))

    def _as_far(self, p: float) -> float:
        """This p-value, or that of the limits where these reach further: both must say the same."""
        is_mean = self.student is not None and self.pairs.root == 1  # whose own limits come first
        return p if is_mean or self.jackknifed is None or not 0 < p < 1 else self.jackknifed.p(self.how.level, p)

    def limits(self, level: float) -> list[tuple[str, float, float]]:
        """By every method that applies: Tango's of pairs, the guarded mean, draws, both systems' limits added."""
        metric = self.number.metric
        read = percentile(self.how.settings.method, self.draws, level, self.units)
        ends = float(read.low), float(read.high)
        for reach in (self.beyond_draws, self.jackknifed):
            if reach is not None:
                ends = further(ends, reach.interval(level))
        added = self.added(level)
        by_draws = (f"paired_{read.method}", *self._possible(further(ends, added) if self.of_scores else ends))
        by_parts = ("square_and_add", *added)
        by_form = metric.quantity in (Quantity.ROC_AREA, Quantity.EXPOSURE_PER_EVENT)
        limits = [by_parts, by_draws] if by_form else [by_draws, by_parts]
        if self.shares is not None:
            limits = [("tango", *tango(self.shares, level)), by_draws]
        elif self.pairs.root == 1:  # of a root only the mean under it is told so
            limits = [*((method, *self._ends_of(method, level, added)) for method in self.means), *limits]
        if not self.other.measured.has_units_for("bootstrap", metric):
            limits.remove(by_draws)
        return [one for one in limits if one[1] < one[2]]

    def _ends_of(self, method: str, level: float, added: tuple[float, float]) -> tuple[float, float]:
        """The limits of the mean by one of its methods; Johnson's of scores reach as far as both systems' own."""
        ends = self.means[method].interval(level)
        if method == STUDENT:
            return ends
        return self._possible(further(ends, added) if method == JOHNSON and self.of_scores else ends)

    def _possible(self, ends: tuple[float, float]) -> tuple[float, float]:
        """The same limits, but no difference is larger than the metric's range."""
        most = self.number.metric.range[1] - self.number.metric.range[0]
        return max(ends[0], -most), min(ends[1], most)

    def added(self, level: float) -> tuple[float, float]:
        """The limits of both systems, squared and added, their correlation shrunk where units are few.

        At another level than that of the systems' own limits they are as far as normal ones would be.
        """
        parts = [one.limits(self.number) for one in (self.other, self.first)]
        ends = square_and_add(parts[0], parts[1], self.correlation * self._units_behind / (self._units_behind + 2))
        times = normal_quantile(level) / normal_quantile(self.how.level)
        return self.value + times * (ends[0] - self.value), self.value + times * (ends[1] - self.value)

    @property
    def _units_behind(self) -> float:
        """How many units are drawn; of an area under a precision-recall curve, effective positives, which are fewer."""
        metric, place = self.number.metric, self.number.place
        curves = [one.curves[place] for one in self._statistics if isinstance(one, Curves) and place is not None]
        if metric.quantity is not Quantity.PR_AREA or not curves:
            return self.units
        return min(self.units, *(float(ratio(one.positive_total**2, one.squared_weights[0])) for one in curves))

    def rows(self, shown: tuple[float, float], family: int, together: tuple[float, float] | None) -> Iterator[Row]:
        """The difference by every method that applies, then limits for all at once, and more tests where asked."""
        bounds = [] if self.refused or not math.isfinite(self.value) else self.told[2]
        tested: Tested = {"family": family}
        if not bounds:
            why = self.other.measured.without_limits(self.number.metric, "bootstrap")
            nothing = "undefined in one of the two" if math.isnan(self.value) else why
            if self.pairs.exact is not None and not self.refused:
                tested |= {"test": self.pairs.exact[0], "p": shown[0], "p_adjusted": shown[1]}
            yield self.row(math.nan, math.nan, "none", note=self.refused or nothing, **tested)
            if math.isfinite(self.value) and not self.refused:
                yield from self._of_units(("none", math.nan, math.nan), family)
            return
        if not math.isnan(shown[0]):  # of one unit there is no test
            tested |= {"test": self.told[0], "p": shown[0], "p_adjusted": shown[1]}
        for method, low, high in bounds:
            yield self.row(min(low, self.value), max(high, self.value), method, note=self._note(), **tested)
        if together is not None:
            yield self.row(*together, "simultaneous", note=self._note(), **tested)
        tests, more = self.how.comparing.tests, self.number.sign > 0
        pairs = () if self.shares is None else asked_of_pairs(self.shares, tests, self.how.level, more_is_better=more)
        for method, (low, high), test, p in pairs:
            yield self.row(low, high, method, test=test, p=p, p_adjusted=min(1.0, p * family), family=family)
        yield from self._of_units(bounds[0], family)

    def row(self, low: float, high: float, method: str, *, note: str = "", **columns: Unpack[Tested]) -> Row:
        """The difference with these limits."""
        number, value = self.number, self.value if math.isfinite(self.value) and not self.refused else math.nan
        named = (self.other.view.name, self.other.measured.slice, number.category, repr(number.metric))
        row = Row(*named, value, low, high, self.how.level, method, self.other.measured.rows, note)
        return replace(row, baseline=self.first.view.name, differing=self.pairs.differing, **columns)

    def _of_units(self, usual: tuple[str, float, float], family: int) -> Iterator[Row]:
        """Tests of what each unit lost, with the usual interval where they have none."""
        source, metric = self.other.view.unit_source, self.number.metric
        if source not in self.how.units or source is None:
            return
        tests = set(self.how.comparing.tests) - ({"permutation", "sign"} if self.shares is not None else set())
        names = (self.other.view.system_name, self.first.view.system_name)
        for one in self.how.units[source].tests(metric, names, tests, self.how.level):
            (method, low, high), paid = one.limits or usual, min(1.0, one.p * family)
            yield self.row(low, high, method, note=one.note, test=one.test, p=one.p, p_adjusted=paid, family=family)

    def _note(self) -> str:
        if self.pairs.few_differ:
            return f"the two differ on only {self.pairs.differing}"
        metric, (low, high) = self.number.metric, self.number.metric.range
        if self.units < FEW_UNITS and metric.mean is not None and math.isinf(high - low):
            return f"few units decide: {self.units:.3g}; ask for the permutation test"
        sides = [(one.points[metric], one.measured.statistics) for one in (self.other, self.first)]
        carried, of_cells = difference_carried_by(metric, *self._statistics), (metric, self.number.place, sides)
        return noted("" if carried is None else carried_note(*carried), difference_note(*of_cells))
