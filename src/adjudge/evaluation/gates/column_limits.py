"""A metric of columns in one part of a table, with its limits: as every other number of a gate, by its own methods."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import checked_weights
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.keys import Keys
from adjudge.errors import BadValue, listed, noted, with_minus
from adjudge.evaluation.gates.limits import NoLimit, Number, limit_of
from adjudge.evaluation.measuring.rows import FLAT, TOO_FEW, Measured
from adjudge.evaluation.results import WHOLE_NAME
from adjudge.inference.differences.paired_units import clustered_difference
from adjudge.inference.drawing import replicates_of
from adjudge.inference.intervals.closed_form import METHODS, closed_form
from adjudge.inference.intervals.jackknife import jackknife_hill
from adjudge.inference.intervals.quantiles import values_for_limit, woodruff_reach
from adjudge.inference.reach import Reach, student_reach
from adjudge.inference.resampling import Bootstrap, Replicates, Together
from adjudge.metrics.base import Metric
from adjudge.metrics.in_use import mean, system_usability
from adjudge.metrics.intervals import NEEDS, Quantity
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.weights import Draws, Weights

# A watch whose failures bunch early or late by more standard errors than this has no constant rate.
UNEVEN = 1.96
# What grows without end as the events it is divided by become fewer.
ENDLESS = (Quantity.EXPOSURE_PER_EVENT, Quantity.RATIO_OF_RATES)


@dataclass(frozen=True)
class ColumnRows:
    """The columns of some rows: what is measured, what rows weigh, and which belong together."""

    columns: MeasuredColumns
    weights: Array | None = None
    clusters: Keys | None = None  # a key for each row

    def of_rows(self, rows: NDArray[np.bool_]) -> ColumnRows:
        """Some of the rows."""
        kept = np.flatnonzero(rows)
        weights = None if self.weights is None else self.weights[kept]
        clusters = None if self.clusters is None else self.clusters[kept]
        return ColumnRows(self.columns.of_rows(kept), weights, clusters)

    @property
    def groups(self) -> NDArray[np.int64]:
        """Which cluster each row is of: its own where rows stand alone."""
        if self.clusters is None:
            return np.arange(len(self.columns))
        return np.asarray(np.unique(self.clusters, return_inverse=True)[1])

    @property
    def known(self) -> NDArray[np.bool_]:
        """The rows that have all their numbers."""
        return np.asarray(~np.isnan(self.columns.values).any(axis=1))


def each_unit(metric: Metric, values: Array) -> Array:
    """What a metric counts of each unit, from its columns."""
    if metric.each is None:
        return values
    work_out = metric.each(**metric.settings)
    assert callable(work_out), "what a metric of columns declares"
    return work_out(values)


def column_reach(metric: Metric, part: ColumnRows, settings: Bootstrap, *, any_looks: bool = False) -> Reach | str:
    """The metric with its limits at any level, or why there are none."""
    rows = len(part.columns)
    if rows == 0:
        return f"undefined: {metric.undefined}"
    if part.clusters is not None and rows > 1 and (part.clusters == part.clusters[0]).all():
        return "undefined: all rows are of one cluster, and nothing tells how one differs from another"
    if part.weights is not None or part.clusters is not None:
        if metric.name == mean.name and rows < 2:
            return "undefined: there are fewer than two values"
        if metric.name == mean.name or (metric.slopes is not None and part.clusters is not None):
            return _without_each_cluster(metric, part)
        if metric.quantity is Quantity.QUANTILE:
            return _quantile_of_clusters(metric, part)
    measured = measured_part(metric, part, settings)
    try:
        with np.errstate(all="ignore"):
            reach = _one_sided(metric, measured) or limit_of(Number(measured, metric), any_looks=any_looks)
    except NoLimit as why:
        return f"undefined: {metric.undefined}" if str(why) == "undefined" else str(why)
    return replace(reach, note=noted(reach.note, _caution(metric, part)))


def _one_sided(metric: Metric, measured: Measured) -> Reach | None:
    """Of exposure without an event to divide by: the value is beyond all numbers, the lower limit is not."""
    statistic = measured.statistics[NumberRows]
    if measured.clustered or metric.quantity not in ENDLESS or not math.isnan(float(metric.values(statistic))):
        return None
    known = (one for one in metric.intervals if one in METHODS and closed_form(one, metric, statistic, 0.9) is not None)
    if (method := next(known, None)) is None:
        return None

    def limits(level: float) -> tuple[float, float]:
        bounds = closed_form(method, metric, statistic, level)
        return (math.nan, math.nan) if bounds is None else (float(bounds.low), float(bounds.high))

    low = limits(0.9)[0]
    return Reach(method, math.inf, limits, float(statistic.effective_rows), metric.undefined) if low > 0 else None


def _without_each_cluster(metric: Metric, part: ColumnRows) -> Reach | str:
    """A figure of rows that weigh differently or belong together: what it is without each cluster (jackknife_hill)."""
    sums, weights = NumberRows.summing(part.columns), part.weights
    weights = np.ones(len(part.columns)) if weights is None else weights
    rows = sums(Weights(len(weights), weights)).in_clusters(part.columns, weights, part.groups.astype(np.uint64))
    value, (_, clusters) = float(metric.values(rows)), rows.cluster_places
    if not math.isfinite(value):
        return f"undefined: {metric.undefined}"
    if clusters < (needed := NEEDS["jackknife_hill"].units):
        if metric.name != mean.name:
            return f"{TOO_FEW}: {clusters}, where {needed} are needed"
        centre = clustered_difference(part.columns.values[:, 0], part.groups.astype(np.float64), part.weights)
        return student_reach("student", centre.mean, centre.error, centre.freedom + 1)

    def limits(level: float) -> tuple[float, float]:
        ends = jackknife_hill(metric, rows, level)
        return (math.nan, math.nan) if ends is None else (float(ends[0]), float(ends[1]))

    if math.isnan(limits(0.9)[0]):
        return FLAT
    return Reach("jackknife_hill", value, limits, float(clusters))


def _quantile_of_clusters(metric: Metric, part: ColumnRows) -> Reach:
    at = metric.settings["at"]
    reach = woodruff_reach(part.columns.values[:, 0], at, part.weights, part.groups)
    needed, whose = values_for_limit(at, 0.05), "values" if part.clusters is None else "clusters"
    return replace(
        reach, note=f"{needed} {whose} are needed for an upper limit at 95 %" if reach.units < needed else ""
    )


def measured_part(metric: Metric, part: ColumnRows, settings: Bootstrap) -> Measured:
    """The sums of a part, ready to be turned into estimates."""
    sums, rows = NumberRows.summing(part.columns), len(part.columns)
    case = checked_weights(part.weights, rows)
    case = None if case is None else case * rows / case.sum()  # a row weighs one on average
    statistic = sums(Weights(rows, case))
    keys = part.clusters

    def by_clusters() -> Iterator[Together]:
        assert keys is not None
        for weights in Draws("poisson", settings.replicates, settings.seed).tiles(keys, case):
            yield {NumberRows: sums(weights)}

    def refused() -> tuple[Together, Array]:
        raise NoLimit("no clusters are left out one by one")

    replicates = replicates_of(statistic, None, settings.weights, settings, f"{metric.name}/{WHOLE_NAME}")
    if keys is not None:
        _, sizes = np.unique(keys, return_counts=True)
        units = float(sizes.sum() ** 2 / (sizes**2).sum())
        replicates = Replicates(by_clusters, {NumberRows: statistic}, refused, units)
    known: Together = {NumberRows: statistic}
    return Measured("", WHOLE_NAME, statistic.rows, known, (replicates,), (), clustered=keys is not None)


def _caution(metric: Metric, part: ColumnRows) -> str:
    """What the reader must know of the numbers behind a limit."""
    values = part.columns.values
    uneven = laplace(values) if metric.quantity is Quantity.EXPOSURE_PER_EVENT else None
    if uneven is not None and abs(uneven) > UNEVEN:
        when = "late" if uneven > 0 else "early"
        return (
            f"failures come {when} (Laplace's u = {with_minus(uneven, '.2f')}): the limits take their rate as constant"
        )
    if metric.quantity is Quantity.RATIO_OF_RATES:
        times, events = np.nansum(values, axis=0).reshape(2, 2).T
        between = [
            f"{time / count:,.4g}" if count else f"none in {time:,.4g}"
            for time, count in zip(times, events, strict=True)
        ]
        return f"mean time between failures {between[0]} against {between[1]}"
    if metric.quantity is Quantity.QUANTILE and part.clusters is None:
        at, n = metric.settings["at"], len(values)
        if n < (needed := values_for_limit(at, 0.05)):
            return f"{needed} values are needed for an upper limit at 95 %"
    if metric.name == system_usability.name and len(values) < 8:
        return "fewer respondents than 8"
    return ""


def laplace(watched: Array) -> float | None:
    """Whether failures come evenly over the exposure, row by row: 0 if so, above 0 where they come late.

    (mean place of failures / T − ½) √(12 r), each failure at the middle of its row's exposure.

    >>> laplace(np.array([[10.0, 0], [10.0, 0], [10.0, 6]])) > 1.96
    True
    """
    exposure, failures = watched[:, 0], watched[:, 1]
    total, events = float(exposure.sum()), float(failures.sum())
    if not (total > 0 and events > 0):
        return None
    middle = np.cumsum(exposure) - exposure / 2
    return float(((middle * failures).sum() / events / total - 0.5) * math.sqrt(12 * events))


def gathered_tries(values: Array, items: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    """The tries of each item side by side, missing ones as NaN; and the first row of each.

    >>> gathered_tries(np.array([1.0, 0.0, 1.0]), np.array([0, 1, 0]))[0].tolist()
    [[1.0, 1.0], [0.0, nan]]
    """
    order = np.argsort(items, kind="stable")
    codes = items[order]
    starts = np.flatnonzero(np.append(True, np.diff(codes) != 0))[: len(codes)]
    sizes = np.diff(np.append(starts, len(codes)))
    matrix = np.full((len(starts), int(sizes.max(initial=1))), np.nan)
    row = np.repeat(np.arange(len(starts)), sizes)
    matrix[row, np.arange(len(codes)) - np.repeat(starts, sizes)] = values[order]
    return matrix, order[starts]


def paired_with_originals(
    values: Array, items: NDArray[np.int64], original: NDArray[np.bool_], chosen: NDArray[np.bool_]
) -> tuple[Array, NDArray[np.int64]]:
    """Of each item that has both, the mean of its originals and of its perturbed rows; and a row of each item."""
    perturbed = chosen & ~original
    size = int(items.max(initial=-1)) + 1

    def means(rows: NDArray[np.bool_]) -> Array:
        of = items[rows]
        counts = np.bincount(of, minlength=size)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.bincount(of, weights=values[rows], minlength=size) / np.where(counts, counts, np.nan))

    known = (items >= 0) & ~np.isnan(values)
    both = np.column_stack([means(original & known), means(perturbed & known)])
    if not len(both) or np.isnan(both).any(axis=1).all():
        raise BadValue(
            "Perturbed rows must have originals with the same name in `by`, but none has. Name the originals, for "
            f"example {listed(['variant = original'])}."
        )
    first = np.zeros(size, dtype=np.int64)
    places = np.flatnonzero(items >= 0)[::-1]
    first[items[places]] = places
    kept = np.flatnonzero(~np.isnan(both).any(axis=1))
    return both[kept], first[kept]
