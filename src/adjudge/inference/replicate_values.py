"""The values of metrics in replicates: by their formulas, or along their slopes where units are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.inference.resampling import Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, steady_product
from adjudge.statistics.kinds import AnyKinds


def replicate_values(replicates: Replicates, metrics: Sequence[Metric]) -> list[Array]:
    """Each metric's values in every replicate, (replicates, …); one pass over the tiles."""
    values_in = [_values_in(metric, replicates.base[metric.over]) for metric in metrics]
    rows = [[of(tile[m.over]) for m, of in zip(metrics, values_in, strict=True)] for tile in replicates.tiles()]
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


# Of more kinds of units than this a metric that knows its slopes is drawn along them; what that leaves out is about
# 1 / √n of its spread.
LINEAR_FROM = 16_384


def _values_in(metric: Metric, base: AnyKinds) -> Callable[[AnyKinds], Array]:
    """What gives a metric's values in replicates of a statistic."""
    slopes_of = metric.slopes
    if slopes_of is None or base.counts.size <= LINEAR_FROM or not np.array_equal(base.counts, base.squares):
        return metric.values
    value, kept = metric.values(base), list[Array]()

    def along(draws: AnyKinds) -> Array:
        """Units that count one each have their counts for squares, in the order of the replicates."""
        if not kept:
            kept.append(slopes_of(draws.with_counts(draws.squares)))
        if kept[0].shape != draws.squares.shape:  # some units say nothing of the metric, or are imagined
            return metric.values(draws)
        return np.asarray(value + steady_product(draws.counts - draws.squares, kept[0]))

    return along
