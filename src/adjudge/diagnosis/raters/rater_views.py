"""A metric of the same items as seen by some of the raters: without each one, and by every two.

All views are read from the same draws, so that differences between raters are paired. A statistic serves here if
it has `raters`, `of_raters` and `work`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.limits import Size, from_draws
from adjudge.diagnosis.raters.against_others import Vitality, WithoutRater
from adjudge.diagnosis.raters.rater_pairs import Pairwise, of_pairs
from adjudge.inference.resampling import Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.kinds import RaterView, Seen

# What the draws of all views together may cost, in multiplications; beyond it there are fewer, but never too few.
MOST_WORK = 2**32
FEWEST = 200


@dataclass(frozen=True, slots=True)
class ViewValues:
    """A metric of several views: points (views,) and draws (replicates, views)."""

    points: Array
    draws: Array


# `Any`: of whatever statistic the metric is over.
def view_values(metric: Metric, replicates: Replicates, views: Sequence[RaterView[Any]]) -> ViewValues:
    """The metric of every view under the same draws of items."""
    statistics = [view.statistic for view in views]
    points = np.array([float(metric.values(one)) for one in statistics])
    enough = max(FEWEST, MOST_WORK // max(1, sum(one.work for one in statistics)))
    parts: list[Array] = []
    for tile in replicates.tiles():
        parts.append(np.stack([metric.values(view.of(tile[metric.over])) for view in views], axis=-1))
        if sum(map(len, parts)) >= enough:
            break
    draws = np.concatenate(parts) if parts else np.zeros((0, len(views)))
    return ViewValues(points, draws)


@dataclass(frozen=True, slots=True)
class Items:
    """Who rated which item, (items, raters), and what is drawn: the key of each item, or of its cluster.

    >>> rated, keys = np.array([[True, True, False], [True, True, True]]), np.array([5, 5], dtype=np.uint64)
    >>> items = Items(rated, keys, "clusters")
    >>> items.size([0, 1]), items.size([0, 2])
    (Size(n=2, units=1, kind='clusters'), Size(n=1, units=1, kind='clusters'))
    """

    rated: NDArray[np.bool_]
    keys: NDArray[np.uint64]
    kind: str = "items"

    def size(self, places: Sequence[int]) -> Size:
        """What at least two of these raters rated."""
        behind = self.rated[:, list(places)].sum(1) >= 2
        return Size(int(behind.sum()), len(np.unique(self.keys[behind])), self.kind)


def whole_view(statistic: Seen) -> RaterView[Seen]:
    """All items as all raters see them."""
    return RaterView(statistic, lambda replicates: replicates)


def raters_compared(
    metric: Metric, replicates: Replicates, items: Items, shown: Sequence[int], level: float
) -> tuple[Vitality, Pairwise]:
    """The metric without each of the raters shown, and of every two of them, in one pass over the draws.

    >>> from adjudge.inference.resampling import Bootstrap, drawn_on_cells
    >>> from adjudge.metrics import set_alpha
    >>> rows = [[{"a"}, {"a"}, {"b"}], [{"b"}, {"b"}, {"b"}], [{"a", "b"}, {"a", "b"}, {"a"}]] * 9
    >>> sets = set_alpha.statistic_of(rows)
    >>> replicates = drawn_on_cells(sets, lambda one: {type(one): one}, "bayesian", Bootstrap(200), "doc")
    >>> items = Items(np.ones((27, 3), dtype=np.bool_), np.arange(27, dtype=np.uint64))
    >>> left, pairs = raters_compared(set_alpha, replicates, items, [0, 1, 2], 0.95)
    >>> left.raters[2].without.value, pairs.values[0].round(2).tolist(), pairs.n[0].tolist()
    (1.0, [nan, 1.0, -0.05], [0, 27, 27])
    """
    whole = replicates.base[metric.over]
    every = range(len(whole.raters))
    others = [[rater for rater in every if rater != left] for left in shown]
    pairs = [list(pair) for pair in combinations(shown, 2)]
    views = [whole_view(whole), *(whole.of_raters(places) for places in (*others, *pairs))]
    values = view_values(metric, replicates, views)
    sizes = [items.size(places) for places in (every, *others, *pairs)]
    names, cut = tuple(whole.raters[place] for place in shown), 1 + len(shown)
    left = _left_out(names, values, sizes, level, metric.undefined)
    return left, of_pairs(names, (values.points[cut:], values.draws[:, cut:]), sizes[cut:], level)


def _left_out(names: tuple[str, ...], values: ViewValues, n: list[Size], level: float, undefined: str) -> Vitality:
    """All raters, and what leaving each one out changes; the first view is of all, then come those without each."""
    point, draws = float(values.points[0]), values.draws[:, 0]
    raters = []
    for place, name in enumerate(names, start=1):
        other, other_draws = float(values.points[place]), values.draws[:, place]
        without = from_draws(other, other_draws, level, n[place], undefined)
        vitality = from_draws(point - other, draws - other_draws, level, n[place], undefined)
        raters.append(WithoutRater(name, without, vitality))
    return Vitality(from_draws(point, draws, level, n[0], undefined), draws, raters)
