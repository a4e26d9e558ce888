"""A metric of the same items as seen by some of the raters: without each one, and by every two.

All views are read from the same draws, so that differences between raters are paired. A statistic serves here if
it has `raters`, `of_raters` and `work`. `rated` says who rated which item, (items, raters).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.measured import Measured, Size, from_draws, unknown
from adjudge.inference.rater_diagnostics import LeftOut, Vitality
from adjudge.inference.rater_pairs import NOT_BOTH, Pairwise
from adjudge.inference.resampling import Replicates, percentile
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.kinds import View

Flags = NDArray[np.bool_]
# What the draws of all views together may cost, in multiplications; beyond it there are fewer, but never too few.
MOST_WORK = 2**32
FEWEST = 200


@dataclass(frozen=True, slots=True)
class Drawn:
    """A metric of several views: points (views,) and draws (replicates, views)."""

    points: Array
    draws: Array


def drawn_views(metric: Metric, replicates: Replicates, views: Sequence[View]) -> Drawn:
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
    return Drawn(points, draws)


def shared(rated: Flags, places: Sequence[int]) -> int:
    """How many items at least two of these raters rated."""
    return int((rated[:, list(places)].sum(1) >= 2).sum())


def without_each(metric: Metric, replicates: Replicates, rated: Flags, shown: Sequence[int], level: float) -> Vitality:
    """The metric of all raters and without each of those shown, with what leaving one out changes."""
    whole = replicates.base[metric.over]
    every = range(len(whole.raters))
    others = [[rater for rater in every if rater != left] for left in shown]
    found = drawn_views(metric, replicates, [whole_view(whole), *map(whole.of_raters, others)])
    sizes = [shared(rated, places) for places in (every, *others)]
    n = [Size(size, size) for size in sizes]
    all_of_them = from_draws(float(found.points[0]), found.draws[:, 0], level, n[0], metric.undefined)
    raters = []
    for place, left in enumerate(shown, start=1):
        point, draws = float(found.points[place]), found.draws[:, place]
        change = float(found.points[0]) - point
        without = from_draws(point, draws, level, n[place], metric.undefined)
        moved = from_draws(change, found.draws[:, 0] - draws, level, n[place], metric.undefined)
        raters.append(LeftOut(whole.raters[left], without, moved))
    return Vitality(all_of_them, found.draws[:, 0], raters)


def whole_view(statistic: Any) -> View:
    """All items as all raters see them."""
    return View(statistic, lambda replicates: replicates)


def by_pairs(metric: Metric, replicates: Replicates, rated: Flags, shown: Sequence[int], level: float) -> Pairwise:
    """The metric of every two of the raters shown on the items both rated, and each one's mean with the others."""
    whole = replicates.base[metric.over]
    size, names = len(shown), tuple(whole.raters[place] for place in shown)
    places = list(combinations(range(size), 2))
    empty = np.full((size, size), np.nan)
    if not places:
        nothing = [unknown(0, "there is no other rater")] * size
        return Pairwise(names, empty, empty, empty, np.zeros((size, size), dtype=np.int64), nothing)
    pairs = [[shown[first], shown[second]] for first, second in places]
    found = drawn_views(metric, replicates, [whole.of_raters(pair) for pair in pairs])
    n = np.array([shared(rated, pair) for pair in pairs], dtype=np.int64)
    bounds = percentile("bayesian", found.draws, level, n)
    known = ~np.isnan(found.points) & (n >= 2)
    low, high = (np.where(known, ends, np.nan) for ends in (bounds.low, bounds.high))
    values, low, high = (_square(places, size, column) for column in (found.points, low, high))
    items: NDArray[np.int64] = np.nan_to_num(_square(places, size, n)).astype(np.int64)
    mean = [_mean_with_others(places, rater, (found, n), level) for rater in range(size)]
    return Pairwise(names, values, low, high, items, mean)


def _square(places: list[tuple[int, int]], size: int, values: Any) -> Array:
    matrix = np.full((size, size), np.nan)
    first, second = np.array(places).T
    matrix[first, second] = matrix[second, first] = values
    return matrix


def _mean_with_others(
    places: list[tuple[int, int]], rater: int, measured: tuple[Drawn, NDArray[np.int64]], level: float
) -> Measured:
    found, n = measured
    own = [place for place, pair in enumerate(places) if rater in pair and not np.isnan(found.points[place])]
    if not own:
        return unknown(0, NOT_BOTH)
    several = found.draws[:, own]
    defined = ~np.isnan(several)
    means = ratio(np.where(defined, several, 0.0).sum(1), defined.sum(1))
    items = int(n[own].sum())
    return from_draws(float(found.points[own].mean()), means, level, Size(items, items))
