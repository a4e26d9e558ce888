"""Which rater is off, and who is severe: every rater against the others.

All functions work on distinct rows of ratings; intervals are read from one set of draws, so that differences
between raters are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from adjudge.data.ratings import Ratings
from adjudge.inference.distinct_ratings import (
    NO_PRIOR,
    DistinctRatings,
    Groups,
    Smoothed,
    distinct,
    distinct_patterns,
    drawn,
    grouped_sums,
    groups_of,
    patterns_of_pairs,
    sparse_coincidences,
)
from adjudge.inference.interval import checked_level
from adjudge.inference.measured import Measured, from_draws, share_of, unknown
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors

# What rounding leaves of a count that is nothing; it would pass for a second category.
NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A coefficient without one rater. Vitality is all less without: below 0 the rater pulls agreement down."""

    rater: str
    without: Measured
    vitality: Measured


@dataclass(frozen=True, slots=True)
class Vitality:
    """A coefficient of all raters, its draws, and what each rater does to it."""

    all: Measured
    draws: Array
    raters: list[LeftOut]


@dataclass(frozen=True, slots=True)
class WithOthers:
    """How often a rater gives the label that most of the others give, who are counted without him.

    `tied` items, on which the others are undecided, are left out.
    """

    rater: str
    agreement: Measured
    tied: int


def vitality(
    ratings: Ratings | DistinctRatings,
    metric: Metric = krippendorff_alpha,
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
    places: Sequence[int] | None = None,
) -> Vitality:
    """A coefficient with and without each rater, under the same draws of items.

    >>> from adjudge.data.ratings import ratings_of
    >>> found = vitality(ratings_of([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "b"]] * 5))
    >>> found.raters[2].vitality.value < 0 < found.raters[0].vitality.value
    True
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    chosen = list(range(len(table.raters))) if places is None else list(places)
    if table.categories:
        point, draws = _values_without(table, metric, chosen, settings)
    else:
        point, draws = np.full(1 + len(chosen), np.nan), np.zeros((0, 1 + len(chosen)))
    paired = _paired(table)
    whole = from_draws(float(point[0]), draws[:, 0], checked_level(level), paired[0], metric.undefined)
    found = []
    for column, rater in enumerate(chosen, start=1):
        n = paired[rater + 1]
        without = from_draws(float(point[column]), draws[:, column], level, n, metric.undefined)
        difference, moved = float(point[0] - point[column]), draws[:, 0] - draws[:, column]
        found.append(LeftOut(table.raters[rater], without, from_draws(difference, moved, level, n, metric.undefined)))
    return Vitality(whole, draws[:, 0], found)


def _paired(table: DistinctRatings) -> list[int]:
    """Items with two ratings: of all raters, and without each."""
    r = table.rated.sum(1)
    left = [(r - table.rated[:, rater] >= 2) @ table.counts for rater in range(len(table.raters))]
    return [round(float(n)) for n in ((r >= 2) @ table.counts, *left)]


def _values_without(
    table: DistinctRatings, metric: Metric, chosen: list[int], settings: Bootstrap
) -> tuple[Array, Array]:
    """The metric of all raters and without each chosen one: points (1 + chosen,), draws (replicates, 1 + chosen)."""
    versions: _Versions
    if metric.over is Patterns:
        without = _patterns_without(table, chosen)
        versions = without.coincidences if metric.name == krippendorff_alpha.name else without
    else:
        versions = _vectors_without(table, metric, chosen)
    point = versions(metric, np.ones((len(groups_of(table).shapes), 1)), NO_PRIOR)[0]
    # Only vectors are spread out over rows; everything else is summed by group.
    cells = 0 if metric.over is Patterns else len(table.rows)
    tiles = drawn(table, settings, "vitality", versions.work, cells=cells)
    return point, np.concatenate([versions(metric, weights, prior) for weights, prior in tiles])


class _Versions(Protocol):
    """The ratings of all raters and without some of them."""

    @property
    def work(self) -> int:
        """Additions in one replicate."""

    def __call__(self, metric: Metric, weights: Array, prior: Array) -> Array:
        """The metric of every version under weights of groups, (replicates, versions)."""


@dataclass(frozen=True, slots=True)
class _CoincidencesWithout:
    """Coincidences of all raters and without some: all that alpha needs."""

    categories: tuple[str, ...]
    whole: Any  # (K², G)
    changes: list[Any]

    @property
    def work(self) -> int:
        """Additions in one replicate."""
        return int(self.whole.nnz + sum(change.nnz for change in self.changes))

    def __call__(self, metric: Metric, weights: Array, prior: Array) -> Array:
        size, whole = len(self.categories), self.whole @ weights
        columns = []
        for cells in (whole, *(whole + change @ weights for change in self.changes)):
            tables = cells.T.reshape(-1, size, size) / 2 + prior
            tables[np.abs(tables) < NOTHING] = 0.0
            columns.append(metric.values(patterns_of_pairs(self.categories, tables)))
        return np.stack(columns, axis=-1)


@dataclass(frozen=True, slots=True)
class _PatternsWithout:
    """Patterns of all raters and without some: how weights of groups become counts of patterns."""

    categories: tuple[str, ...]
    patterns: Array
    whole: Any  # (P, G)
    changes: list[Any]  # what leaving a rater out takes from one pattern and gives to another, (P, G)

    @property
    def work(self) -> int:
        """Additions in one replicate."""
        products = 2 * (1 + len(self.changes)) * len(self.patterns) * len(self.categories) ** 2
        return int(self.whole.nnz + sum(change.nnz for change in self.changes) + products)

    @property
    def coincidences(self) -> _CoincidencesWithout:
        """The same, as far as alpha needs it."""
        each = sparse_coincidences(self.patterns).T.tocsr()
        return _CoincidencesWithout(self.categories, each @ self.whole, [each @ change for change in self.changes])

    def __call__(self, metric: Metric, weights: Array, prior: Array) -> Array:
        pairs, squares = patterns_of_pairs(self.categories, prior), np.zeros(len(self.patterns))
        whole = self.whole @ weights
        columns = []
        for counts in (whole, *(whole + change @ weights for change in self.changes)):
            columns.append(metric.values(Smoothed(self.categories, self.patterns, counts.T, squares, 0, pairs)))
        return np.stack(columns, axis=-1)


def _patterns_without(table: DistinctRatings, chosen: list[int]) -> _PatternsWithout:
    said, groups = table.said, groups_of(table)
    rows_of = [np.flatnonzero(table.rated[:, rater]) for rater in chosen]
    parts = [said]
    for rater, rows in zip(chosen, rows_of, strict=True):
        left = said[rows]
        left[np.arange(len(rows)), table.rows[rows, rater]] -= 1
        parts.append(left)
    patterns, place = distinct_patterns(np.concatenate(parts))
    every, size = np.arange(len(said)), len(patterns)
    whole = grouped_sums(groups, every, place[every], np.ones(len(said)), size)
    changes, start = [], len(said)
    for rows in rows_of:
        ones = np.ones(len(rows))
        gained = grouped_sums(groups, rows, place[start : start + len(rows)], ones, size)
        changes.append(gained - grouped_sums(groups, rows, place[rows], ones, size))
        start += len(rows)
    return _PatternsWithout(table.categories, patterns, whole, changes)


@dataclass(frozen=True, slots=True)
class _VectorsWithout:
    """The same for metrics that must know the rater, or whose values are too many for patterns."""

    table: DistinctRatings
    groups: Groups
    chosen: list[int]

    @property
    def work(self) -> int:
        """Additions in one replicate."""
        return (1 + len(self.chosen)) * len(self.table.rows) * len(self.table.raters)

    def __call__(self, metric: Metric, weights: Array, prior: Array) -> Array:
        every = range(len(self.table.raters))
        counts = (self.groups.members @ weights).T
        whole = vectors_of(self.table, counts)
        parts = [whole, *(whole.of_raters([r for r in every if r != left]) for left in self.chosen)]
        return np.stack([metric.values(part) for part in parts], axis=-1)


def _vectors_without(table: DistinctRatings, metric: Metric, chosen: list[int]) -> _VectorsWithout:
    assert metric.over is RatingVectors, f"{metric.name} is not a coefficient of many raters"
    return _VectorsWithout(table, groups_of(table), chosen)


def vectors_of(table: DistinctRatings, counts: Array) -> RatingVectors:
    """The rows as a statistic, under other counts."""
    return RatingVectors(table.categories, table.raters, table.rows, counts, table.counts, table.items)


def with_others(ratings: Ratings | DistinctRatings, level: float = 0.95) -> list[WithOthers]:
    """Each rater's agreement with the majority of the others, with Wilson's interval.

    >>> from adjudge.data.ratings import ratings_of
    >>> found = with_others(ratings_of([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]]))
    >>> [one.agreement.value for one in found], [one.tied for one in found]
    ([1.0, 1.0, 0.5], [2, 2, 0])
    """
    table = distinct(ratings)
    agrees, decided, tied = agreement_with_others(table)
    parts = zip(table.raters, *((table.counts @ what).tolist() for what in (agrees, decided, tied)), strict=True)
    none = "no item on which the others have a majority"
    return [WithOthers(name, share_of(a, n, checked_level(level), none), round(t)) for name, a, n, t in parts]


def agreement_with_others(table: DistinctRatings) -> tuple[Array, Array, Array]:
    """For each row and rater: agrees with the others' majority, there is one, the others are tied; (V, raters)."""
    made = np.zeros((3, *table.rows.shape))
    for rater in range(len(table.raters)):
        rows = np.flatnonzero(table.rated[:, rater])
        own = table.rows[rows, rater]
        others = table.said[rows]
        others[np.arange(len(rows)), own] -= 1
        most = others.max(1, initial=0.0)
        leaders = (others == most[:, None]).sum(1)
        decided = (most > 0) & (leaders == 1)
        made[0, rows, rater] = decided & (others[np.arange(len(rows)), own] == most)
        made[1, rows, rater] = decided
        made[2, rows, rater] = (most > 0) & (leaders > 1)
    return made[0], made[1], made[2]


def severity(ratings: Ratings | DistinctRatings, level: float = 0.95) -> list[Measured]:
    """How much higher each rater rates than the mean of the others on the same items, with Student's interval.

    >>> from adjudge.data.ratings import ratings_of
    >>> [one.value for one in severity(ratings_of([[1, 2], [2, 3], [3, 4], [2, 2]]))]
    [-0.75, 0.75]
    """
    from scipy.special import stdtrit

    table, found = distinct(ratings), []
    x = np.where(table.rated, table.values, 0.0)
    total, r = x.sum(1), table.rated.sum(1)
    for rater in range(len(table.raters)):
        shared = np.flatnonzero(table.rated[:, rater] & (r >= 2))
        w, n = table.counts[shared], float(table.counts[shared].sum())
        if n < 1:
            found.append(unknown(0, "no item was rated by another, too"))
            continue
        offset = x[shared, rater] - (total[shared] - x[shared, rater]) / (r[shared] - 1)
        mean = float(w @ offset / n)
        spread = np.sqrt(w @ (offset - mean) ** 2 / max(n - 1, 1) / n)
        reach = float(stdtrit(n - 1, 0.5 + checked_level(level) / 2) * spread) if n > 1 else float("nan")
        note = "" if n > 1 and spread > 0 else "the offset does not vary" if n > 1 else "one item only"
        found.append(Measured(mean, mean - reach, mean + reach, round(n), note))
    return found


def category_use(ratings: Ratings | DistinctRatings) -> Array:
    """Share of each category among each rater's ratings, (raters, K); NaN for a rater without any.

    >>> from adjudge.data.ratings import ratings_of
    >>> category_use(ratings_of([["a", "a"], ["a", "b"]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    table = distinct(ratings)
    size, raters = len(table.categories) + 1, len(table.raters)
    cells = (table.rows + 1 + np.arange(raters) * size).reshape(-1)
    weights = np.repeat(table.counts, raters)
    used = np.bincount(cells, weights=weights, minlength=raters * size).reshape(raters, size)[:, 1:]
    return np.asarray(ratio(used, used.sum(1, keepdims=True)))
