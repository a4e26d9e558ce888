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


@dataclass(frozen=True)
class _How:
    """Where systems are compared, and how sure one wants to be."""

    key: SliceKey
    level: float
    settings: Bootstrap


@dataclass(frozen=True)
class _Number:
    """One number of every system: a metric, and the category it is about."""

    metric: Metric
    category: str = ""
    place: int | None = None

    def of(self, values: Array) -> Array:
        """This number, of the metric's values."""
        return values if self.place is None else np.asarray(values[..., self.place])


def differences(
    contenders: Sequence[Contender], baseline: str | None, key: SliceKey, level: float, settings: Bootstrap
) -> Iterator[Row]:
    """Every metric of every system minus that of its baseline; those with the same `contest` are compared."""
    rivals_in: dict[str, list[Contender]] = {}
    for contender in contenders:
        if contender.view.contest is not None:
            rivals_in.setdefault(contender.view.contest, []).append(contender)
    for rivals in rivals_in.values():
        first = next((one for one in rivals if (one.view.system or one.view.name) == baseline), rivals[0])
        for metric in first.points:
            paired = [one for one in rivals if one is not first and _paired(metric, one, first)]
            for number in _numbers(metric, first) if paired else ():
                with np.errstate(all="ignore"):
                    yield from _of_number(number, first, paired, _How(key, level, settings))


def _paired(metric: Metric, one: Contender, other: Contender) -> bool:
    """Whether two systems were measured under the same draws, by the same categories."""
    drawn = other.sources[metric] is not None and one.sources.get(metric) == other.sources[metric]
    return drawn and _categories(metric, one) == _categories(metric, other)


def _categories(metric: Metric, one: Contender) -> tuple[str, ...]:
    return one.measured.statistics[metric.over].categories if metric.by_category else ()


def _numbers(metric: Metric, first: Contender) -> list[_Number]:
    """One, or one for each category; of two categories the one that matters."""
    categories, positive = _categories(metric, first), first.measured.positive
    if not metric.by_category:
        return [_Number(metric)]
    only = positive if len(categories) == 2 and positive in categories else None
    return [_Number(metric, name, place) for place, name in enumerate(categories) if only in (None, name)]


def _of_number(number: _Number, first: Contender, others: Sequence[Contender], how: _How) -> Iterator[Row]:
    """The differences of one number, and p-values that pay for how many there are."""
    pairs = [_Difference.of(number, first, one, how) for one in others]
    draws = np.stack([one.draws for one in pairs], axis=1)
    values = np.array([one.value for one in pairs])
    known, finite = ~np.isnan(draws).any(axis=1), np.isfinite(values)
    adjusted = np.full(len(pairs), np.nan)
    if known.sum() >= 2 and finite.any():
        replicates = draws[known][:, finite]
        adjusted[finite] = max_t(values[finite], replicates - values[finite], replicates.std(axis=0), how.level).p
    for one, p_adjusted in zip(pairs, adjusted, strict=True):
        yield from one.rows(float(p_adjusted), len(pairs))


@dataclass(frozen=True)
class _Difference:
    """One number of one system minus that of the baseline."""

    number: _Number
    first: Contender
    other: Contender
    how: _How
    value: float
    draws: Array
    correlation: float
    pairs: Pairs

    @classmethod
    def of(cls, number: _Number, first: Contender, other: Contender, how: _How) -> _Difference:
        metric = number.metric
        a, b = (number.of(one.values[metric]) for one in (other, first))
        value = float(number.of(other.points[metric]) - number.of(first.points[metric]))
        known = ~(np.isnan(a) | np.isnan(b))
        spread = float(a[known].std() * b[known].std()) if known.any() else 0.0
        together = float(((a[known] - a[known].mean()) * (b[known] - b[known].mean())).mean()) if spread > 0 else 0.0
        pairs = Pairs() if other.view.pairs is None else other.view.pairs(first.view, how.key, metric, number.category)
        return cls(number, first, other, how, value, a - b, together / spread if spread > 0 else 0.0, pairs)

    def rows(self, p_adjusted: float, family: int) -> Iterator[Row]:
        """The difference by every method that applies, the default first."""
        refused = self._refused()
        bounds = [] if refused or not math.isfinite(self.value) else self._limits()
        test, p = self._p() if bounds else (None, math.nan)
        adjusted = p if family == 1 else max(p, p_adjusted) if math.isfinite(p_adjusted) else p
        value = self.value if math.isfinite(self.value) and not refused else math.nan
        n, name = self.other.measured.rows, self.other.view.name

        def row(low: float, high: float, method: str, note: str) -> Row:
            number = self.number
            shown = (name, self.other.measured.slice, number.category, repr(number.metric), value, low, high)
            told = (p, adjusted) if bounds else (None, None)
            difference = Row(*shown, self.how.level, method, n, note)
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
        metric = self.number.metric
        over = PROBABILITIES if metric.probabilities else metric.over
        return self.first.measured.refused.get(over, "") or self.other.measured.refused.get(over, "")

    def _note(self) -> str:
        few = self.pairs.differing is not None and self.pairs.differing < FEW_DIFFER
        return f"the two differ on only {self.pairs.differing}" if few else ""

    def _limits(self) -> list[tuple[str, float, float]]:
        """Of pairs Tango's; otherwise draws, or the limits of each system squared and added where these are exact."""
        metric, level = self.number.metric, self.how.level
        drawn = percentile(self.how.settings.method, self.draws, level, self.other.units[metric])
        by_draws = (f"paired_{drawn.method}", float(drawn.low), float(drawn.high))
        by_parts = ("square_and_add", *self._added())
        if self.pairs.shares is not None:
            limits = [("tango", *tango(self.pairs.shares, level)), by_draws]
        else:
            limits = [by_parts, by_draws] if metric.quantity is Quantity.ROC_AREA else [by_draws, by_parts]
        if not self.other.measured.has_units_for("bootstrap", metric):
            limits.remove(by_draws)
        return [one for one in limits if one[1] < one[2]]

    def _added(self) -> tuple[float, float]:
        """The limits of both systems, squared and added, their correlation shrunk where units are few."""
        units = self.other.measured.units_of(self.number.metric)
        parts = [one.limits(self.number.metric, self.number.category) for one in (self.other, self.first)]
        return square_and_add(parts[0], parts[1], self.correlation * units / (units + 2))

    def _p(self) -> tuple[str, float]:
        if self.pairs.shares is not None:
            return MID_P, mcnemar(self.pairs.shares, mid=True)
        known = self.draws[~np.isnan(self.draws)]
        tails = min(int((known <= 0).sum()), int((known >= 0).sum()))
        return PAIRED_DRAWS, min(1.0, 2 * (1 + tails) / (len(known) + 1))
