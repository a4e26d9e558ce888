"""The values of metrics in replicates: by their formulas, or along their slopes where units are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.inference.resampling import Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, steady_product
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
