"""A coefficient of all raters and without some of them, under the same draws: what vitality and drift read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from adjudge.diagnosis.raters.distinct_ratings import (
    DistinctRatings,
    Smoothed,
    distinct_count_rows,
    patterns_of_pairs,
    sparse_coincidences,
)
from adjudge.diagnosis.raters.draws import NO_PRIOR, Groups, grouped_sums, groups_of, replicate_weights
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Left = tuple[int, ...]  # the places of raters who are left out together
# What rounding leaves of a count that is nothing; it would pass for a second category.
NOTHING = 1e-9


def values_without(
    table: DistinctRatings, metric: Metric, chosen: list[Left], settings: Bootstrap, stream: str = "vitality"
) -> tuple[Array, Array]:
    """The metric of all raters and without some, each time: points (1 + chosen,), draws (replicates, 1 + chosen).

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.diagnosis.raters.distinct_ratings import distinct
    >>> table = distinct(ratings_of([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]]))
    >>> point, draws = values_without(table, krippendorff_alpha, [(2,)], Bootstrap(replicates=100))
    >>> point.round(2).tolist(), draws.shape
    ([0.6, 1.0], (100, 2))
    """
    if not table.categories:
        return np.full(1 + len(chosen), np.nan), np.zeros((0, 1 + len(chosen)))
    versions = _versions(table, metric, chosen)
    # Only vectors are spread out over rows; everything else is summed by group.
    cells = 0 if metric.over is Patterns else len(table.rows)
    tiles = replicate_weights(table, settings, stream, versions.work, cells=cells)
    draws = np.concatenate([versions(metric, weights, prior) for weights, prior in tiles])
    return _point(versions, metric, table), draws


def value_of(table: DistinctRatings, metric: Metric) -> float:
    """The metric of all raters; NaN without categories."""
    return float(_point(_versions(table, metric, []), metric, table)[0]) if table.categories else float("nan")


def values_under(table: DistinctRatings, metric: Metric) -> Callable[[Array], Array]:
    """What gives the metric of all raters under weights of groups (see `groups_of`), (groups, m) → (m,)."""
    versions = _versions(table, metric, [])
    return lambda weights: versions(metric, weights, np.zeros((weights.shape[1], 1, 1)))[:, 0]


def _point(versions: _Versions, metric: Metric, table: DistinctRatings) -> Array:
    return np.asarray(versions(metric, np.ones((len(groups_of(table).shapes), 1)), NO_PRIOR)[0])


def _versions(table: DistinctRatings, metric: Metric, chosen: list[Left]) -> _Versions:
    if metric.over is Patterns:
        without = _patterns_without(table, chosen)
        return without.coincidences if metric.name == krippendorff_alpha.name else without
    return _vectors_without(table, metric, chosen)


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
    whole: csr_array  # (K², G)
    changes: list[csr_array]

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
    whole: csr_array  # (P, G)
    changes: list[csr_array]  # what leaving a rater out takes from one pattern and gives to another, (P, G)

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


def _patterns_without(table: DistinctRatings, chosen: list[Left]) -> _PatternsWithout:
    said, groups = table.said, groups_of(table)
    rows_of = [np.flatnonzero(table.rated[:, list(raters)].any(-1)) for raters in chosen]
    parts = [said]
    for raters, rows in zip(chosen, rows_of, strict=True):
        left = said[rows]
        for rater in raters:
            own = np.flatnonzero(table.rated[rows, rater])
            left[own, table.rows[rows[own], rater]] -= 1
        parts.append(left)
    patterns, place = distinct_count_rows(np.concatenate(parts))
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
    chosen: list[Left]

    @property
    def work(self) -> int:
        """Additions in one replicate."""
        return (1 + len(self.chosen)) * len(self.table.rows) * len(self.table.raters)

    def __call__(self, metric: Metric, weights: Array, prior: Array) -> Array:
        every = range(len(self.table.raters))
        counts = (self.groups.members @ weights).T
        whole = self.table.vectors.with_counts(counts)
        parts = [whole, *(whole.of_raters([r for r in every if r not in left]) for left in self.chosen)]
        return np.stack([metric.values(part) for part in parts], axis=-1)


def _vectors_without(table: DistinctRatings, metric: Metric, chosen: list[Left]) -> _VectorsWithout:
    assert metric.over is RatingVectors, f"{metric.name} is not a coefficient of many raters"
    return _VectorsWithout(table, groups_of(table), chosen)
