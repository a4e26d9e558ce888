"""What is confused with what: pairs of labels that meet on the same item, and what merging them would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.limits import ValueWithLimits, from_draws, unknown_limit
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct, patterns_of_pairs, sparse_coincidences
from adjudge.diagnosis.raters.draws import grouped_sums, groups_of, replicate_weights
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.weightings import Measurement
from adjudge.statistics.base import Array, ratio

# Levels at which two neighbouring labels may become one; a label at two numbers' places has no number.
MERGEABLE = ("nominal", "ordinal")


@dataclass(frozen=True, slots=True)
class Confused:
    """Two labels given to the same items: how often, against chance, and alpha's gain if they were one."""

    first: str
    second: str
    observed: float
    expected: float
    ratio: float
    gain: ValueWithLimits
    items: float  # to which both were given


def confused_labels(
    ratings: Ratings | DistinctRatings,
    measurement: Measurement = "nominal",
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
    most: int = 20,
) -> list[Confused]:
    """Pairs of labels by how often they meet on an item, the most frequent first.

    `observed` counts pairs of ratings, an item's pairs together weighing as much as its ratings; `expected` is
    what chance would give; `items` counts the items to which both were given.
    On ordered scales only neighbours can be merged.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> rows = [["a", "a"], ["b", "c"], ["c", "b"], ["b", "b"], ["c", "c"], ["a", "a"], ["a", "b"]]
    >>> confused = confused_labels(ratings_of(rows))
    >>> [(one.first, one.second, one.observed, one.items) for one in confused]
    [('b', 'c', 4.0, 2.0), ('a', 'b', 2.0, 1.0)]
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    patterns = table.patterns
    if not len(table.categories) or not len(patterns.patterns):
        return []
    size = len(table.categories)
    point = np.asarray(patterns.counts @ sparse_coincidences(patterns.patterns)).reshape(size, size)
    first, second = np.triu_indices(size, 1)
    seen = 2 * point[first, second]
    order = np.argsort(-seen, kind="stable")[:most]
    order = order[seen[order] > 0]
    used, total = point.sum(1), point.sum()
    draws = _drawn_coincidences(table, settings) if len(order) else np.zeros((0, *point.shape))
    given = patterns.patterns > 0
    paired = table.size(table.rated.sum(1) >= 2)
    confused = []
    for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True):
        expected = float(2 * ratio(used[a] * used[b], total - 1))
        mergeable = measurement in MERGEABLE and (measurement == "nominal" or b == a + 1)
        if mergeable:
            gains = [_gain(table.categories, o, (a, b), measurement) for o in (point[None], draws)]
            gain = from_draws(float(gains[0][0]), gains[1], checked_level(level), paired, "alpha is undefined")
        else:
            gain = unknown_limit(paired.n, "not neighbours" if measurement == "ordinal" else "numbers do not merge")
        names, observed = (table.categories[a], table.categories[b]), float(2 * point[a, b])
        items = float(patterns.counts @ (given[:, a] & given[:, b]))
        confused.append(Confused(*names, observed, expected, float(ratio(observed, expected)), gain, items))
    return confused


def _drawn_coincidences(table: DistinctRatings, settings: Bootstrap) -> Array:
    """Smoothed Bayesian draws of the coincidences, (replicates, K, K)."""
    size, (said, place) = len(table.categories), table.distinct_counts
    every = np.arange(len(table.rows))
    sums = sparse_coincidences(said).T @ grouped_sums(groups_of(table), every, place, np.ones(len(every)), len(said))
    tiles = [
        (sums @ weights).T.reshape(-1, size, size) + 2 * prior
        for weights, prior in replicate_weights(table, settings, "confused labels", int(sums.nnz + 100 * size**2))
    ]
    return np.concatenate(tiles)


def _gain(categories: tuple[str, ...], coincidences: Array, pair: tuple[int, int], level: Measurement) -> Array:
    """Alpha with the second label merged into the first, less alpha as it is; alpha needs coincidences only."""
    patterns = patterns_of_pairs(categories, coincidences / 2)
    values = krippendorff_alpha.using(measurement=level).values
    return np.asarray(values(patterns.merged(categories[pair[0]], categories[pair[1]])) - values(patterns))
