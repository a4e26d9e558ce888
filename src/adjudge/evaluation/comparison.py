"""Two or more systems in one table: each minus its baseline, under the same draws."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.engines.base import SliceKey
from adjudge.errors import SettingError, did_you_mean, quoted
from adjudge.evaluation.declaration import Pairs, View
from adjudge.evaluation.measure import FLAT, PROBABILITIES, Measured
from adjudge.evaluation.results import Row
from adjudge.inference.multiplicity import max_t
from adjudge.inference.paired_shares import mcnemar, square_and_add, tango
from adjudge.inference.resampling import Bootstrap, centred, percentile, values_of
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import Array

FEW_DIFFER = 10
"""With fewer units that differ, draws of them say nothing for certain: docs/comparison.md."""
MID_P = "McNemar's test, mid-p"
PAIRED_DRAWS = "paired draws"


@dataclass(frozen=True)
class Contender:
    """A system in one slice, with the value of every metric in all units and in every replicate."""

    view: View
    measured: Measured
    rows: Sequence[Row]  # what was said of it alone
    points: dict[Metric, Array]
    values: dict[Metric, Array]
    sources: dict[Metric, tuple[Any, ...] | None]  # what was drawn: equal ones are paired
    units: dict[Metric, float | None]

    @classmethod
    def of(cls, view: View, measured: Measured, rows: Sequence[Row], metrics: Iterable[Metric]) -> Contender:
        """Every metric that is drawn, evaluated on all replicates."""
        points: dict[Metric, Array] = {}
        values, sources, units = dict[Metric, Array](), dict[Metric, Any](), dict[Metric, float | None]()
        with np.errstate(all="ignore"):
            for replicates in measured.bootstrap:
                chosen = [
                    m for m in metrics if m.over in replicates.base and m not in points and m.intervals != ("none",)
                ]
                for metric, drawn in zip(chosen, values_of(replicates, chosen) if chosen else [], strict=True):
                    point = metric.values(measured.statistics[metric.over])
                    base = replicates.base[metric.over]
                    exact = base is measured.statistics[metric.over]
                    points[metric], sources[metric] = point, replicates.source
                    values[metric] = drawn if exact else centred(drawn, point, metric.values(base))
                    units[metric] = replicates.units_of(metric.over) if measured.clustered else None
        return cls(view, measured, rows, points, values, sources, units)

    def limits(self, metric: Metric, category: str) -> tuple[float, float, float]:
        """A metric with its limits by its default method."""
        name = repr(metric)
        row = next((r for r in self.rows if r.metric == name and r.category == category), None)
        return (math.nan, math.nan, math.nan) if row is None else (row.estimate, row.low, row.high)


def contests(views: Sequence[View], baseline: str | None) -> set[str]:
    """The words that several views share, and so are compared under; refuses a baseline that is none of them."""
    words = [view.contest for view in views if view.contest is not None]
    several = {word for word in words if words.count(word) > 1}
    systems = dict.fromkeys(view.system or view.name for view in views if view.contest in several)
    if baseline is not None and baseline not in systems:
        if not systems:
            raise SettingError("`baseline` must be left out where a single system is measured: there is no other.")
        raise SettingError(
            f"`baseline` must be one of the systems, not {quoted(baseline)}. {did_you_mean(baseline, systems)}"
        )
    return several


def differences(
    contenders: Sequence[Contender], baseline: str | None, key: SliceKey, level: float, settings: Bootstrap
) -> Iterator[Row]:
    """Every metric of every system minus that of its baseline; those with the same `contest` are compared."""
    contests: dict[str, list[Contender]] = {}
    for contender in contenders:
        if contender.view.contest is not None:
            contests.setdefault(contender.view.contest, []).append(contender)
    for rivals in contests.values():
        if len(rivals) < 2:
            continue
        first = next((one for one in rivals if (one.view.system or one.view.name) == baseline), rivals[0])
        others = [one for one in rivals if one is not first]
        for metric in first.points:
            with np.errstate(all="ignore"):
                yield from _of_metric(metric, first, others, key, level, settings)


def _of_metric(
    metric: Metric, first: Contender, others: Sequence[Contender], key: SliceKey, level: float, settings: Bootstrap
) -> Iterator[Row]:
    paired = [
        one for one in others if first.sources[metric] is not None and one.sources.get(metric) == first.sources[metric]
    ]
    if not paired:
        return
    statistic = first.measured.statistics[metric.over]
    categories = statistic.categories if metric.by_category else ("",)
    positive = first.measured.positive
    only = positive if len(categories) == 2 and positive in categories else None
    for place, category in enumerate(categories):
        if metric.by_category and only is not None and category != only:
            continue
        at = (place,) if metric.by_category else ()
        same = [one for one in paired if _categories(metric, one) == _categories(metric, first)]
        yield from _of_value(metric, at, category, first, same, key, level, settings)


def _categories(metric: Metric, one: Contender) -> tuple[str, ...]:
    return one.measured.statistics[metric.over].categories if metric.by_category else ()


def _of_value(
    metric: Metric,
    at: tuple[int, ...],
    category: str,
    first: Contender,
    others: Sequence[Contender],
    key: SliceKey,
    level: float,
    settings: Bootstrap,
) -> Iterator[Row]:
    """One number of each system: the differences, and p-values that pay for how many there are."""
    made = [_Difference.of(metric, at, category, first, one, key) for one in others]
    drawn = np.stack([one.draws for one in made], axis=1) if made else np.zeros((0, 0))
    known = ~np.isnan(drawn).any(axis=1)
    values = np.array([one.value for one in made])
    adjusted = np.full(len(made), np.nan)
    able = np.isfinite(values)
    if known.sum() >= 2 and able.any():
        centre = drawn[known][:, able]
        errors = centre.std(axis=0)
        adjusted[able] = max_t(values[able], centre - values[able], errors, level).p
    for one, p_adjusted in zip(made, adjusted, strict=True):
        yield from one.rows(level, settings, float(p_adjusted), len(made))


@dataclass(frozen=True)
class _Difference:
    """One metric of one system minus that of the baseline."""

    metric: Metric
    category: str
    first: Contender
    other: Contender
    value: float
    draws: Array
    correlation: float
    pairs: Pairs

    @classmethod
    def of(
        cls, metric: Metric, at: tuple[int, ...], category: str, first: Contender, other: Contender, key: SliceKey
    ) -> _Difference:
        a, b = (np.asarray(one.values[metric][:, at[0]] if at else one.values[metric]) for one in (other, first))
        value = float(other.points[metric][at] - first.points[metric][at])
        known = ~(np.isnan(a) | np.isnan(b))
        spread = a[known].std() * b[known].std() if known.any() else 0.0
        together = float(((a[known] - a[known].mean()) * (b[known] - b[known].mean())).mean()) if known.any() else 0.0
        pairs = Pairs() if other.view.pairs is None else other.view.pairs(first.view, key, metric, category)
        correlation = together / spread if spread > 0 else 0.0
        return cls(metric, category, first, other, value, a - b, correlation, pairs)

    def rows(self, level: float, settings: Bootstrap, p_adjusted: float, family: int) -> Iterator[Row]:
        """The difference by every method that applies, the default first."""
        refused = self._refused()
        bounds = [] if refused or not math.isfinite(self.value) else self._limits(level, settings)
        test, p = self._p() if bounds else (None, math.nan)
        adjusted = p if family == 1 else max(p, p_adjusted) if math.isfinite(p_adjusted) else p
        value = math.nan if refused else self.value
        n, name = self.other.measured.rows, self.other.view.name

        def row(low: float, high: float, method: str, note: str) -> Row:
            shown = (name, self.other.measured.slice, self.category, repr(self.metric), value, low, high, level)
            told = (p, adjusted) if bounds else (None, None)
            difference = Row(*shown, method, n, note)
            return replace(
                difference,
                baseline=self.first.view.name,
                differing=self.pairs.differing,
                test=test,
                p=told[0],
                p_adjusted=told[1],
                family=family,
            )

        if not bounds:
            why = refused or ("undefined in one of the two" if math.isnan(value) else FLAT)
            yield row(math.nan, math.nan, "none", why)
        for method, low, high in bounds:
            yield row(min(low, value), max(high, value), method, self._note())

    def _refused(self) -> str:
        over = PROBABILITIES if self.metric.probabilities else self.metric.over
        return self.first.measured.refused.get(over, "") or self.other.measured.refused.get(over, "")

    def _note(self) -> str:
        few = self.pairs.differing is not None and self.pairs.differing < FEW_DIFFER
        return f"the two differ on only {self.pairs.differing}" if few else ""

    def _limits(self, level: float, settings: Bootstrap) -> list[tuple[str, float, float]]:
        """Of pairs Tango's; otherwise draws, or the limits of each system squared and added where these are exact."""
        drawn = percentile(settings.method, self.draws, level, self.other.units[self.metric])
        by_draws = (f"paired_{drawn.method}", float(drawn.low), float(drawn.high))
        by_parts = ("square_and_add", *self._added(level))
        if self.pairs.shares is not None:
            limits = [("tango", *tango(self.pairs.shares, level)), by_draws]
        else:
            limits = [by_parts, by_draws] if self.metric.quantity is Quantity.ROC_AREA else [by_draws, by_parts]
        return [one for one in limits if one[1] < one[2]]

    def _added(self, level: float) -> tuple[float, float]:
        """The limits of both systems, squared and added, their correlation shrunk where units are few."""
        units = self.other.measured.units_of(self.metric)
        parts = [one.limits(self.metric, self.category) for one in (self.other, self.first)]
        return square_and_add(parts[0], parts[1], self.correlation * units / (units + 2))

    def _p(self) -> tuple[str, float]:
        if self.pairs.shares is not None:
            return MID_P, mcnemar(self.pairs.shares, mid=True)
        known = self.draws[~np.isnan(self.draws)]
        tails = min(int((known <= 0).sum()), int((known >= 0).sum()))
        return PAIRED_DRAWS, min(1.0, 2 * (1 + tails) / (len(known) + 1))
