"""Limits that are read from replicates: of every metric, by every method that reads them there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.inference.intervals.bags import BAGS, without_each_bag
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.folded import folded_bootstrap
from adjudge.inference.intervals.habits import scheffe_drawn
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.intervals.mean_of_parts import mean_of_areas, mean_of_labels
from adjudge.inference.intervals.small_samples import worth_limits
from adjudge.inference.replicate_values import centred, replicate_values
from adjudge.inference.resampling import (
    FROM_BOOTSTRAP,
    SMOOTH,
    Bootstrap,
    HowMany,
    Replicates,
    Together,
    bca,
    either_side,
    percentile,
    reach_of,
    spread_as_well,
    student_of_draws,
)
from adjudge.metrics.base import Metric
from adjudge.statistics.base import NO_SPREAD, Array, ratio
from adjudge.statistics.ratings.vectors import RatingVectors

if TYPE_CHECKING:
    from adjudge.evaluation.measuring.rows import Measured

Points = dict[Metric, Array]
Methods = dict[Metric, list[str]]
Bounded = dict[Metric, dict[str, Bounds]]


def bootstrap_bounds(
    measured: Measured, points: Points, by_draws: Methods, level: float, settings: Bootstrap
) -> Bounded:
    """The limits by each method that reads them from the bootstrap's replicates."""
    bounds: Bounded = {}
    for replicates in measured.bootstrap:
        chosen = [m for m in by_draws if m.over in replicates.base and FROM_BOOTSTRAP & {*by_draws[m]}]
        if not chosen:
            continue
        left_out = replicates.left_out() if settings.kind == "bca" else None
        needed = dict.fromkeys([*chosen, *(m.by_itself for m in chosen if "mover_bootstrap" in m.intervals)])
        values = dict(zip(needed, replicate_values(replicates, [*needed]), strict=True))
        for metric in chosen:
            basis = _Basis(measured, replicates, metric, points[metric], values, level, settings, left_out)
            limits = {name: of(basis) for name, of in BY_NAME.items() if name in by_draws[metric]}
            bounds[metric] = {name: b.within(metric.range) for name, b in limits.items() if b is not None}
    return bounds


@dataclass(frozen=True)
class _Basis:
    """What limits of a metric are read from."""

    measured: Measured
    replicates: Replicates
    metric: Metric
    point: Array
    values: Mapping[Metric, Array]  # in the replicates, of this metric and of those it is a mean of
    level: float
    settings: Bootstrap
    left_out: tuple[Together, Array] | None  # the sums without each row or cluster, where they are asked for

    @cached_property
    def own(self) -> Array:
        """The values of the metric itself."""
        statistic = self.measured.statistics[self.metric.over]
        return centred(self.metric, self.values[self.metric], self.point, self.replicates, statistic)

    @cached_property
    def units(self) -> float | None:
        """How many clusters are drawn, in effect; None where rows are."""
        is_told = self.measured.clustered or self.settings.kind == "bayesian"
        return self.replicates.units_of(self.metric.over) if is_told else None


def _percentiles(basis: _Basis) -> Bounds:
    if basis.left_out is not None:
        sums, rows = basis.left_out
        without = basis.metric.values(sums[basis.metric.over])
        return bca(basis.own, basis.point, without, rows, basis.level, units=basis.units)
    limits = percentile(basis.settings.method, basis.own, basis.level, basis.units)
    of = (basis.measured, basis.metric, limits, basis.own, basis.point)
    return _of_few(*of, level=basis.level, units=basis.units)


def _without_bags(basis: _Basis) -> Bounds | None:
    if basis.replicates.bags is None:
        return None
    metric, (left, filled) = basis.metric, basis.replicates.bags
    statistic = basis.measured.statistics[metric.over]
    without = centred(metric, metric.values(left[metric.over]), basis.point, basis.replicates, statistic)
    return without_each_bag(metric, basis.point, without, filled, basis.level)


def _folded(basis: _Basis) -> Bounds | None:
    over, reach = basis.metric.over, reach_of(basis.level, basis.units)
    clusters = (tile[over] for tile in basis.replicates.tiles()) if basis.measured.clustered else ()
    return folded_bootstrap(basis.metric, basis.replicates.base[over], clusters, basis.own, basis.point, reach=reach)


def _scheffe(basis: _Basis) -> Bounds | None:
    if not basis.measured.clustered or basis.units is None:
        return None
    over = basis.metric.over
    tables = (tile[over] for tile in basis.replicates.tiles())
    return scheffe_drawn(basis.metric, basis.measured.statistics[over], tables, basis.level, basis.units)


def _mean_of_areas(basis: _Basis) -> Bounds | None:
    each = basis.metric.by_itself
    if each == basis.metric or basis.measured.clustered:
        return None
    statistic = basis.measured.statistics[basis.metric.over]
    return mean_of_areas(basis.metric, statistic, basis.values[each], basis.level)


# How each method reads its limits from the bootstrap's replicates.
BY_NAME: Mapping[str, Callable[[_Basis], Bounds | None]] = {
    "bootstrap": _percentiles,
    BAGS: _without_bags,
    "folded_bootstrap": _folded,
    "scheffe_drawn": _scheffe,
    "mover_bootstrap": _mean_of_areas,
}


def bayesian_bounds(measured: Measured, points: Points, by_draws: Methods, level: float) -> Bounded:
    """The limits by each method that reads them from Bayesian replicates."""
    bounds: Bounded = {}
    for replicates in measured.bayesian:
        chosen = [m for m in by_draws if m.over in replicates.base and SMOOTH & {*by_draws[m]}]
        means = {m for m in chosen if "mover_bayesian" in by_draws[m] and m.by_itself != m}
        needed = dict.fromkeys([*chosen, *(m.by_itself for m in chosen if m in means)])
        values = dict(zip(needed, replicate_values(replicates, [*needed]) if needed else [], strict=True))
        for metric in chosen:
            units, statistic = replicates.units_of(metric.over), measured.statistics[metric.over]
            limits = _smooth_limits(
                measured,
                metric,
                values[metric],
                points[metric],
                level=level,
                units=units,
                behind=_units_behind(metric, replicates, measured),
            )
            bounds[metric] = {limits.method: limits}
            if metric in means:
                each = metric.by_itself
                of_each, point = values[each], each.values(statistic)
                parts = _smooth_limits(measured, each, of_each, point, level=level, units=units, behind=units)
                parts = either_side(parts, of_each, point)
                if (mean := mean_of_labels(metric, statistic, of_each, parts)) is not None:
                    # A value is off the truth as draws are off the value: of few items too low, all labels alike.
                    mean = either_side(mean, values[metric], points[metric])
                    bounds[metric][mean.method] = mean.within(metric.range)
    return bounds


def _units_behind(metric: Metric, replicates: Replicates, measured: Measured) -> HowMany:
    """How many units are behind each value: of clusters, those that have a category, as what is drawn of it tells.

    The weight of a category has in draws of its clusters a mean and a variance, as that of all has: `clusters_drawn`.
    """
    units = replicates.units_of(metric.over)
    if not (measured.clustered and metric.by_category and metric.ratings is not None) or units is None:
        return units
    weights = np.concatenate([np.asarray(metric.ratings(tile[metric.over])) for tile in replicates.tiles()])
    return np.fmin(units, ratio(weights.mean(0) ** 2, weights.var(0)))


def _smooth_limits(
    measured: Measured,
    metric: Metric,
    values: Array,
    point: Array,
    *,
    level: float,
    units: float | None,
    behind: HowMany = None,
) -> Bounds:
    """The limits of a metric from its Bayesian replicates: their percentiles, or as far as they spread."""
    if "bayesian" in metric.intervals:
        limits = percentile("bayesian", values, level, behind)
        limits = _of_few(measured, metric, limits, values, point, level=level, units=units)
    else:
        limits = student_of_draws(values, point, level, np.inf if units is None else units)
    if metric.over is RatingVectors or _by_degrees(metric):
        limits = either_side(limits, values, point)
    return limits.within(metric.range)


def _by_degrees(metric: Metric) -> bool:
    """Whether it counts how far apart categories are: prior pairs, of any two, are then further apart than ratings.

    >>> from adjudge.metrics import parse
    >>> [_by_degrees(parse(name)) for name in ("krippendorff_alpha", "krippendorff_alpha(measurement=ordinal)")]
    [False, True]
    """
    apart = metric.settings.get("measurement", "nominal"), metric.settings.get("weighting", "none")
    return apart != ("nominal", "none")


def _of_few(
    measured: Measured,
    metric: Metric,
    bounds: Bounds,
    values: Array,
    point: Array,
    *,
    level: float,
    units: HowMany,
) -> Bounds:
    """The limits of what is drawn in clusters, which are few; of rows, the limits as they are."""
    if not measured.clustered or units is None:
        return bounds
    return spread_as_well(bounds, values, point, level, units=units, within=metric.range, rows=measured.rows)


def shares_of_few_clusters(
    measured: Measured, metric: Metric, point: Array, level: float, *, few: bool
) -> list[Bounds]:
    """The limits of a share where clusters are too few to draw, or all are alike.

    Of few, a share is a mean of what clusters have, each from 0 to 1: Wilson's of as many as its variance is worth, as
    the draws tell it, and the binomial one beside it. Then the exact limits as if each cluster were one row, which no
    cluster can vary more than; where all are alike these stand alone.
    """
    replicates = next((r for r in measured.bootstrap if metric.over in r.base and r.units), None)
    if metric.share is None or replicates is None or replicates.units is None:
        return []
    limits: list[Bounds] = []
    for method in ("clopper_pearson", *({"mover"} & {*metric.intervals})):
        exact = closed_form(method, metric, measured.statistics[metric.over], level, most=replicates.units)
        if exact is not None and exact.low.shape == point.shape:
            limits = [exact]
            break
    if few and replicates.units > 1 and limits and metric.range == (0.0, 1.0):
        (values,), units = replicate_values(replicates, [metric]), float(replicates.units)
        known = (~np.isnan(values)).sum(0)
        around = (values - ratio(np.nansum(values, axis=0), known)) ** 2
        variance = ratio(np.nansum(around, axis=0), known) * units**2 / (units - 1)
        low, high = worth_limits(point, variance, units, level)
        varies = variance > NO_SPREAD
        return [Bounds("worth", np.where(varies, low, np.nan), np.where(varies, high, np.nan)), *limits]
    return limits
