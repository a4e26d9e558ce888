"""The values of metrics in replicates: by their formulas, or along their slopes where units are many."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from adjudge.inference.resampling import Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, Array, steady_product
from adjudge.statistics.kinds import AnyKinds

# Values of a metric are kept for whoever asks again (differences, panels) up to this many: 8 MB.
KEPT = 2**20


def replicate_values(replicates: Replicates, metrics: Sequence[Metric]) -> list[Array]:
    """Each metric's values in every replicate, (replicates, …); one pass over the tiles for all that are not known."""
    known = replicates.values
    needed = [metric for metric in dict.fromkeys(metrics) if metric not in known]
    values_in = [_values_in(metric, replicates.base[metric.over]) for metric in needed]
    rows = (
        [[of(tile[m.over]) for m, of in zip(needed, values_in, strict=True)] for tile in replicates.tiles()]
        if needed
        else []
    )
    fresh = {m: np.concatenate(column) for m, column in zip(needed, zip(*rows, strict=True), strict=True)}
    known.update((metric, values) for metric, values in fresh.items() if values.size <= KEPT)
    return [fresh[metric] if metric in fresh else known[metric] for metric in metrics]


def centred(metric: Metric, values: Array, point: Array, replicates: Replicates, statistic: AnyStatistic) -> Array:
    """Values in replicates of coarser cells, moved by what these change in the value itself, which is `point`."""
    base = replicates.base[metric.over]
    if base is statistic:
        return values
    with np.errstate(invalid="ignore"):
        shift = np.nan_to_num(point - metric.values(base))
    return values if not shift.any() else values + shift


def variance_of(draws: Array) -> float:
    """The variance of one number's draws, undefined ones left out."""
    known = draws[~np.isnan(draws)]
    return float(known.var()) if len(known) > 1 else math.nan


def correlation_of(a: Array, b: Array) -> float:
    """How two numbers vary together in the same draws; 0 where one of them never varies."""
    known = ~(np.isnan(a) | np.isnan(b))
    spread = float(a[known].std() * b[known].std()) if known.any() else 0.0
    if not spread > 0:
        return 0.0
    return float(((a[known] - a[known].mean()) * (b[known] - b[known].mean())).mean()) / spread


# Of more units than this a metric that knows its slopes is drawn along them: what that leaves out is about 1 / √n of
# its spread.
LINEAR_FROM = 16_384


def _values_in(metric: Metric, base: AnyKinds) -> Callable[[AnyKinds], Array]:
    """What gives a metric's values in replicates of a statistic."""
    slopes_of = metric.slopes
    weights_in = None if slopes_of is None else _weights_in(base)
    if slopes_of is None or weights_in is None:
        return metric.values
    value, kept = metric.values(base), list[tuple[Array, Array]]()

    def along(draws: AnyKinds) -> Array:
        """The same kinds, in the order of the replicates."""
        if not kept:
            weights = weights_in(draws)
            kept.append((weights, slopes_of(draws.with_counts(weights))))
        weights, slopes = kept[0]
        if slopes.shape != draws.squares.shape:  # some units say nothing of the metric, or are imagined
            return metric.values(draws)
        return np.asarray(value + steady_product(draws.counts - weights, slopes))

    return along


def _weights_in(base: AnyKinds) -> Callable[[AnyKinds], Array] | None:
    """What tells from replicates how much each kind weighs in all units; None of few units, or where nothing tells it.

    Squared weights do, which are not drawn: they are the counts of units that count one each, and of a kind that is a
    single unit the square of its weight.
    """
    if base.counts.size <= LINEAR_FROM:
        return None
    if np.array_equal(base.counts, base.squares):
        return lambda draws: draws.squares
    if float(base.counts.sum() ** 2) <= LINEAR_FROM * float(base.squares.sum()):  # few heavy ones
        return None
    if np.allclose(base.counts**2, base.squares, rtol=1e-9, atol=0.0):
        return lambda draws: np.sqrt(draws.squares)
    return None
