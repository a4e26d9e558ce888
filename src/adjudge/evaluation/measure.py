"""From statistics to rows: every metric of one system in one slice, by every method that applies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.evaluation.results import Row
from adjudge.inference.closed_form import closed_form
from adjudge.inference.interval import Bounds
from adjudge.inference.resampling import Bootstrap, Replicates, bca, centred, percentile, student_of_draws, values_of
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array

BASELINE = "baseline"
# With fewer units than this outside the commonest category no interval of a chance-corrected coefficient holds its
# level: docs/validation/coverage.md.
FEW = 9.5
PROBABILITIES = "probabilities"
# What is read of Bayesian replicates: their percentiles, or how far they spread.
SMOOTH = ("bayesian", "bayesian_student")
# Why something cannot be said: of metrics that need probabilities, or of all metrics over a statistic.
Refused = dict[str | type[Any], str]


@dataclass(frozen=True, slots=True)
class Measured:
    """The sums of one system in one slice, ready to be turned into estimates."""

    system: str
    slice: str
    rows: int
    statistics: dict[type[Any], Any]
    bootstrap: tuple[Replicates, ...]
    bayesian: tuple[Replicates, ...]
    positive: str | None
    notes: dict[type[Any], str]
    refused: Refused
    clustered: bool = False  # rows belong together: closed forms, which take them as independent, do not apply
    methods: tuple[str, ...] | None = None  # the only ones to carry out; None: all that a metric names

    def methods_of(self, metric: Metric) -> list[str]:
        """The methods to carry out for a metric, its default first."""
        return [method for method in metric.intervals if self.methods is None or method in self.methods]


def rows_of(measured: Measured, metrics: Sequence[Metric], level: float, settings: Bootstrap) -> list[Row]:
    """Every estimate of these metrics, the default method of each first."""
    # Undefined and infinite values are told in the rows; NumPy need not warn of them on the way.
    with np.errstate(all="ignore"):
        return list(_rows(measured, metrics, level, settings))


def _rows(measured: Measured, metrics: Sequence[Metric], level: float, settings: Bootstrap) -> Iterator[Row]:
    eligible = [metric for metric in metrics if metric.over in measured.statistics]
    points = {metric: metric.values(measured.statistics[metric.over]) for metric in eligible}
    replicate_values = _bootstrap_bounds(measured, points, level, settings)
    smooth = {} if settings.kind == "bayesian" else _bayesian_bounds(measured, points, level)
    for metric in eligible:
        statistic = measured.statistics[metric.over]
        resampled = {"bootstrap": replicate_values.get(metric), **dict.fromkeys(SMOOTH, smooth.get(metric))}
        limits = [
            resampled[method] if method in resampled else closed_form(method, metric, statistic, level)
            for method in measured.methods_of(metric)
            if method in resampled or not measured.clustered
        ]
        yield from _metric_rows(measured, metric, points[metric], [b for b in limits if b is not None], level)


def _telling_first(bounds: list[Bounds], place: int | None) -> list[tuple[Bounds, float, float]]:
    """The limits of one value by each method; one without an answer or without width goes last."""

    def end(values: Array) -> float:
        return float(values if place is None else values[place])

    return sorted(((b, end(b.low), end(b.high)) for b in bounds), key=lambda limits: not limits[1] < limits[2])


def _bootstrap_bounds(
    measured: Measured, points: dict[Metric, Array], level: float, settings: Bootstrap
) -> dict[Metric, Bounds]:
    bounds = {}
    for replicates in measured.bootstrap:
        chosen = [m for m in points if m.over in replicates.base and "bootstrap" in measured.methods_of(m)]
        left_out, rows = replicates.left_out() if chosen and settings.kind == "bca" else ({}, np.zeros(0))
        for metric, replicate_values in zip(chosen, values_of(replicates, chosen) if chosen else [], strict=True):
            base, point = replicates.base[metric.over], points[metric]
            exact = base is measured.statistics[metric.over]
            values = replicate_values if exact else centred(replicate_values, point, metric.values(base))
            if settings.kind == "bca":
                limits = bca(values, point, metric.values(left_out[metric.over]), rows, level)
            else:
                limits = percentile(settings.method, values, level, replicates.units_of(metric.over))
            bounds[metric] = limits.within(metric.range)
    return bounds


def _bayesian_bounds(measured: Measured, points: dict[Metric, Array], level: float) -> dict[Metric, Bounds]:
    bounds = {}
    for replicates in measured.bayesian:
        chosen = [m for m in points if m.over in replicates.base and {*SMOOTH} & {*measured.methods_of(m)}]
        for metric, values in zip(chosen, values_of(replicates, chosen) if chosen else [], strict=True):
            units = replicates.units_of(metric.over)
            if "bayesian" in metric.intervals:
                limits = percentile("bayesian", values, level, units)
            else:
                limits = student_of_draws(values, points[metric], level, np.inf if units is None else units)
            bounds[metric] = limits.within(metric.range)
    return bounds


def _metric_rows(measured: Measured, metric: Metric, point: Array, bounds: list[Bounds], level: float) -> Iterator[Row]:
    statistic = measured.statistics[metric.over]
    categories = statistic.categories if metric.by_category else ("",)
    for place, category in enumerate(categories):
        if (
            metric.by_category
            and len(categories) == 2
            and measured.positive in categories
            and category != measured.positive
        ):
            continue
        value = float(point[place] if metric.by_category else point)
        refused = measured.refused.get(PROBABILITIES if metric.probabilities else metric.over, "")
        note = refused or _note(measured, metric, statistic, place, value)
        value = value if np.isfinite(value) and not refused else np.nan
        shown = (measured.system, measured.slice, category, repr(metric))
        if np.isnan(value) or not bounds:
            yield Row(*shown, value, np.nan, np.nan, level, "none", measured.rows, note)
        for bound, low, high in _telling_first(bounds, place if metric.by_category else None):
            if np.isnan(value):
                break
            bound_note = bound.note(place if metric.by_category else None)
            flat = "every replicate gives the same value: the interval has no width" if low == high else ""
            all_notes = "; ".join(part for part in (note, bound_note, flat) if part)
            # Smoothing may pull an interval off an extreme estimate; an interval holds its own estimate.
            ends = (min(low, value), max(high, value)) if low <= high else (low, high)
            yield Row(*shown, value, *ends, level, bound.method, measured.rows, all_notes)
        if not refused:
            yield from _baseline_rows(measured, metric, place, level)


def _baseline_rows(measured: Measured, metric: Metric, place: int, level: float) -> Iterator[Row]:
    """What the best constant answer would get."""
    baseline, over = metric.baseline, getattr(metric.baseline, "over", metric.over)
    if baseline is None or metric.average is not None or over not in measured.statistics:
        return
    takes = over is not metric.over or metric.each is not None
    statistic, settings = measured.statistics[over], metric.settings if takes else {}
    values = statistic.each_category(baseline) if metric.per == "category" else baseline(statistic, **settings)
    value = float(values[place] if metric.by_category else values)
    category = statistic.categories[place] if metric.by_category else ""
    shown = (measured.system, measured.slice, category, f"{BASELINE}_{metric!r}")
    yield Row(*shown, value, np.nan, np.nan, level, BASELINE, measured.rows, "")


def _note(measured: Measured, metric: Metric, statistic: Any, place: int, value: float) -> str:
    all_notes = []
    if not np.isfinite(value):
        all_notes.append(f"undefined: {metric.undefined if measured.rows else 'there are no rows'}")
    elif metric.threshold is not None and metric.by_category:
        threshold = float(metric.threshold(statistic.curves[place], **metric.settings))
        all_notes.append(f"at threshold {threshold:.6g}" if np.isfinite(threshold) else "reached by taking nothing")
    elif metric.average == "macro":
        known = statistic.each_category(lambda part: metric.formula(part, **metric.settings))
        if (missing := int(np.isnan(known).sum())) > 0:
            all_notes.append(f"mean of {known.size - missing} of {known.size} categories; the others are undefined")
    if np.isfinite(value) and metric.intervals[0] == "bayesian" and getattr(statistic, "minority", FEW) < FEW:
        all_notes.append(f"only {statistic.minority:.0f} outside the commonest category: the interval may be too short")
    if extra := measured.notes.get(metric.over):
        all_notes.append(extra)
    return "; ".join(all_notes)
