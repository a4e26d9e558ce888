"""From statistics to rows: every metric of one system in one slice, by every method that applies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from adjudge.errors import noted
from adjudge.evaluation.measuring.cell_notes import cell_notes
from adjudge.evaluation.measuring.drawn_limits import bayesian_bounds, bootstrap_bounds, shares_of_few_clusters
from adjudge.evaluation.measuring.one_number import OneNumber, each_number
from adjudge.evaluation.measuring.threshold_notes import threshold_note
from adjudge.evaluation.results import BASELINE, WHOLE_NAME, Row
from adjudge.inference.intervals.bags import BAGS
from adjudge.inference.intervals.closed_form import METHODS, closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.intervals.jackknife import carried_by
from adjudge.inference.intervals.split_thresholds import on_other_half
from adjudge.inference.resampling import RESAMPLED, SMOOTH, Bootstrap, Replicates, Together
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import NEEDS
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.categories import has_categories
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves

# With fewer units than this outside the commonest category no interval of a chance-corrected coefficient holds its
# level: docs/validation/coverage.md.
FEW = 9.5
# The effective number of clusters is estimated from draws: from 2,000 within a tenth, which is three standard errors.
ESTIMATED_WITHIN = 0.1
# Why there is no interval.
TOO_FEW = "too few units for an interval"
FLAT = "no interval: every unit says the same, which is not certainty"
NO_WIDTH = 1e-12
PROBABILITIES = "probabilities"
# Why something cannot be said: of metrics that need probabilities, or of all metrics over a statistic.
Refused = dict[str | type[object], str]


@dataclass(frozen=True, slots=True)
class Measured:
    """The sums of one system in one slice, ready to be turned into estimates."""

    system: str
    slice: str
    rows: int
    statistics: Together
    bootstrap: tuple[Replicates, ...]
    bayesian: tuple[Replicates, ...]
    positive: str | None = None
    notes: Mapping[type[object], str] = field(default_factory=dict)
    refused: Refused = field(default_factory=dict)
    clustered: bool = False  # rows belong together: closed forms, which take them as independent, do not apply
    methods: tuple[str, ...] | None = None  # the only ones to carry out; None: all that a metric names

    def refusal(self, metric: Metric) -> str:
        """Why nothing can be said of a metric; empty where it can."""
        return self.refused.get(PROBABILITIES if metric.probabilities else metric.over, "")

    def allows(self, method: str, statistic: AnyStatistic) -> bool:
        """Whether a closed form applies: where rows belong together, one that takes clusters as its units."""
        return not self.clustered or (METHODS[method].by_units and statistic.by_cluster)

    def units_of(self, metric: Metric) -> float:
        """How many units are behind a metric, in effective ones: rows, pairs or clusters."""
        statistic = self.statistics[metric.over]
        least = float(np.asarray(statistic.effective_rows if metric.pairs is None else metric.pairs(statistic)).min())
        units = 0.0 if math.isnan(least) else least
        if self.clustered:
            replicates = next((r for r in (*self.bootstrap, *self.bayesian) if metric.over in r.base), None)
            if replicates is not None and (clusters := replicates.units_of(metric.over)) is not None:
                return float(clusters) if metric.pairs is None else min(float(clusters), units)
        return units

    def telling(self, metric: Metric) -> float:
        """How many units tell the doubt of a metric: of all behind it, those that it rests on."""
        units = self.units_of(metric)
        if metric.rests_on is None:
            return units
        few = float(metric.rests_on(self.statistics[metric.over], **metric.settings))
        return 0.0 if math.isnan(few) else min(units, few)

    def has_units_for(self, method: str, metric: Metric) -> bool:
        """Whether as many units are behind a metric as a method needs."""
        return self.are_enough(self.telling(metric), method)

    def are_enough(self, units: float, method: str) -> bool:
        """Whether a method needs no more than so many units."""
        return units >= NEEDS[method].units * (1 - ESTIMATED_WITHIN if self.clustered else 1)

    def too_few(self, metric: Metric, needed: int) -> str:
        """Why there is no interval by a method that needs so many units."""
        return f"{TOO_FEW}: {self.telling(metric):.3g}, where {needed} are needed"

    def without_limits(self, metric: Metric, method: str) -> str:
        """Why a number that is known has no limits by a method: too few units, or all of them say the same."""
        return FLAT if self.has_units_for(method, metric) else self.too_few(metric, NEEDS[method].units)

    def flat(self, metric: Metric) -> str:
        """Why no method tells how far a metric might vary: a part of it never does. Empty where all parts do."""
        part = "" if metric.flat is None else metric.flat(self.statistics[metric.over], **metric.settings)
        return f"no interval: {part}, which is not certainty" if part else ""

    def methods_of(self, metric: Metric) -> list[str]:
        """The methods to carry out for a metric, its default first."""
        in_bags = any(metric.over in one.base for one in self.bootstrap if one.bags is not None)
        every = (BAGS, *metric.intervals) if in_bags and "bootstrap" in metric.intervals else metric.intervals
        return [method for method in every if self.methods is None or method in self.methods]

    def applicable(self, metric: Metric) -> list[str]:
        """Those of them that apply to its statistic."""
        if self.flat(metric):
            return []
        statistic = self.statistics[metric.over]
        return [method for method in self.methods_of(metric) if method in RESAMPLED or self.allows(method, statistic)]


def rows_of(measured: Measured, metrics: Sequence[Metric], level: float, settings: Bootstrap) -> list[Row]:
    """Every estimate of these metrics, the default method of each first."""
    # Rows say in their notes what is undefined or infinite; NumPy need not warn of it on the way.
    with np.errstate(all="ignore"):
        return list(_rows(measured, metrics, level, settings))


def _rows(measured: Measured, metrics: Sequence[Metric], level: float, settings: Bootstrap) -> Iterator[Row]:
    eligible = [metric for metric in metrics if metric.over in measured.statistics]
    points = {metric: metric.values(measured.statistics[metric.over]) for metric in eligible}
    named = {metric: measured.applicable(metric) for metric in eligible}
    units_behind: dict[object, float] = {}  # of many metrics they are the same
    for metric, methods in named.items():
        if methods and (behind := _behind_units(metric)) not in units_behind:
            units_behind[behind] = measured.telling(metric)
    units_of = {metric: units_behind.get(_behind_units(metric), math.nan) for metric in eligible}
    # Nothing is drawn of what is undefined, or of fewer units than a method needs.
    by_draws = {
        metric: [method for method in methods if measured.are_enough(units_of[metric], method)]
        for (metric, methods), point in zip(named.items(), points.values(), strict=True)
        if np.isfinite(point).any()
    }
    of_cells = cell_notes(points, measured.statistics)
    resampled = bootstrap_bounds(measured, points, by_draws, level, settings)
    if settings.kind != "bayesian":
        for metric, bounds in bayesian_bounds(measured, points, by_draws, level).items():
            resampled.setdefault(metric, {}).update(bounds)
    for metric in eligible:
        statistic, point, draws = measured.statistics[metric.over], points[metric], resampled.get(metric, {})
        limits, few, units = [], [], units_of[metric]
        for method in named[metric]:
            if not measured.are_enough(units, method):
                few.append(NEEDS[method].units)
                continue
            by_method = draws.get(method) if method in RESAMPLED else closed_form(method, metric, statistic, level)
            if by_method is not None:
                limits.append(by_method)
        too_few = measured.too_few(metric, min(few)) if few else ""
        alone = bool(few) and not limits
        alike = shares_of_few_clusters(measured, metric, point, level, few=alone) if measured.clustered else []
        beside = of_cells.get(metric, [])
        yield from _metric_rows(measured, metric, point, limits, level, too_few=too_few, alike=alike, beside=beside)


def _behind_units(metric: Metric) -> object:
    """What the number of units behind a metric depends on."""
    return metric.over, metric.pairs, metric if metric.rests_on else None


def _telling_first(bounds: list[Bounds], number: OneNumber) -> list[tuple[Bounds, float, float]]:
    """The limits of one number by each method that gives some apart; limits without width are no sign of certainty."""
    ends = [(b, float(number.of(b.low)), float(number.of(b.high))) for b in bounds]
    return [(b, low, high) for b, low, high in ends if _wide(low, high)]


def _wide(low: float, high: float) -> bool:
    """Whether limits lie apart by more than rounding does."""
    return high - low > NO_WIDTH * min(max(abs(low), abs(high), 1e-300), 1e300)


def _metric_rows(
    measured: Measured,
    metric: Metric,
    point: Array,
    bounds: list[Bounds],
    level: float,
    *,
    too_few: str,
    alike: list[Bounds],
    beside: list[str],
) -> Iterator[Row]:
    statistic = measured.statistics[metric.over]
    refused = measured.refusal(metric)
    for number in each_number(metric, statistic.categories if metric.by_category else (), measured.positive):
        value = float(number.of(point))
        known = math.isfinite(value) and not refused
        shown = (measured.system, measured.slice, number.category, repr(metric))
        n = _behind(measured, number)
        limits = _telling_first(bounds, number) if known else []
        if known and not limits:
            limits = _telling_first(alike, number)
        of_cells = beside[number.place or 0 :][:1] if known else []
        note = refused or _note(measured, number, statistic, value, bounded=bool(limits), beside=of_cells)
        value = value if known else np.nan
        if not limits:
            why = "" if not known else measured.flat(metric) or (FLAT if bounds else too_few)
            yield Row(*shown, value, np.nan, np.nan, level, "none", n, noted(note, why))
        for bound, low, high in limits:
            # Smoothing may pull an interval off an extreme estimate; an interval holds its own estimate.
            ends = (min(low, value), max(high, value))
            yield Row(*shown, value, *ends, level, bound.method, n, noted(note, bound.note(number.place)))
        if not refused:
            yield from _baseline_rows(measured, number, level)


def _behind(measured: Measured, number: OneNumber) -> int:
    """How many rows or ratings are behind a value: of a share of one category, those it is a share of, by weight."""
    metric = number.metric
    statistic = measured.statistics[metric.over]
    if metric.by_category and metric.ratings is not None and statistic.categories:
        each = float(ratio(number.of(np.asarray(metric.ratings(statistic))), statistic.counts.sum(-1)))
        return round(each * measured.rows) if math.isfinite(each) else measured.rows
    if not (metric.by_category and metric.unit == "share" and metric.share is not None) or not statistic.categories:
        return measured.rows
    share = metric.share(statistic, **metric.settings) if isinstance(statistic, Confusion) else None
    if share is None:
        return measured.rows
    # The unit of weights does not matter.
    part = float(ratio(number.of(np.asarray(share.whole)), statistic.total))
    return round(part * measured.rows) if math.isfinite(part) else measured.rows


def _baseline_rows(measured: Measured, number: OneNumber, level: float) -> Iterator[Row]:
    """What the best constant answer would get."""
    metric = number.metric
    baseline, over = metric.baseline, getattr(metric.baseline, "over", metric.over)
    if baseline is None or metric.average is not None or over not in measured.statistics:
        return
    takes = over is not metric.over or metric.each is not None
    statistic, settings = measured.statistics[over], metric.settings if takes else {}
    values = statistic.each_category(baseline) if metric.per == "category" else baseline(statistic, **settings)
    value = float(number.of(values))
    shown = (measured.system, measured.slice, number.category, f"{BASELINE}_{metric!r}")
    note = "" if np.isfinite(value) else "undefined: no constant answer can be measured on these rows"
    yield Row(*shown, value, np.nan, np.nan, level, BASELINE, measured.rows, note)


def carried_note(few: int, units: int) -> str:
    """What is said of a figure of which a few units make most of the doubt."""
    return f"{few} of {units:,} units make most of its doubt: see what it is without them"


def _note(
    measured: Measured,
    number: OneNumber,
    statistic: AnyStatistic,
    value: float,
    *,
    bounded: bool,
    beside: Sequence[str],
) -> str:
    metric, all_notes = number.metric, []
    if not math.isfinite(value):
        all_notes.append(f"undefined: {metric.undefined if measured.rows else 'there are no rows'}")
    elif metric.threshold is not None and number.place is not None:
        assert isinstance(statistic, Curves), "what a metric with a threshold is over"
        curve, threshold = statistic.curves[number.place], partial(metric.threshold, **metric.settings)
        alone = measured.slice == WHOLE_NAME and not measured.clustered
        other = on_other_half(curve, threshold, metric.traded) if alone else None
        all_notes.append(threshold_note(float(threshold(curve)), other, metric.traded[1]))
    elif metric.average == "macro":
        assert has_categories(statistic), "what a metric by category is over"
        known = statistic.each_category(lambda part: metric.formula(part, **metric.settings))
        if (missing := int(np.isnan(known).sum())) > 0:
            all_notes.append(f"mean of {known.size - missing} of {known.size} categories; the others are undefined")
    if bounded and metric.intervals[0] in SMOOTH and (minority := getattr(statistic, "minority", FEW)) < FEW:
        all_notes.append(f"only {minority:.0f} outside the commonest category: the interval may be too short")
    if bounded and not metric.by_category and (carried := carried_by(metric, statistic)) is not None:
        all_notes.append(carried_note(*carried))
    if extra := measured.notes.get(metric.over):
        all_notes.append(extra)
    return noted(*all_notes, *beside)
