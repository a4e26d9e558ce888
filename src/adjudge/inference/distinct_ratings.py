"""Items that were rated alike are one row: what every diagnosis of raters works on, and how it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.ratings import Ratings, category_values
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator
from adjudge.statistics.patterns import Patterns, Sums

Codes = NDArray[np.int64]
# Rows beyond this many are drawn in groups: the interval's own error is then that of 4,096 units.
MOST_GROUPS = 4_096
# What all replicates together may cost, in additions; beyond it there are fewer, but never fewer than FEWEST.
MOST_WORK = 2**30
FEWEST = 200
TILE = 2**21
MOST_PRIOR_CATEGORIES = 50
NO_PRIOR = np.zeros((1, 1, 1))


@dataclass(frozen=True)
class DistinctRatings:
    """The distinct rows of ratings, how many items have each, and which row each item has."""

    categories: tuple[str, ...]
    raters: tuple[str, ...]
    rows: Codes  # (V, raters), -1 where not rated
    counts: Array  # (V,)
    place: Codes  # (items,)

    @cached_property
    def rated(self) -> NDArray[np.bool_]:
        """Who rated which row, (V, raters)."""
        return self.rows >= 0

    @cached_property
    def said(self) -> Array:
        """How often each category was given, (V, K)."""
        return category_counts(self.rows, len(self.categories))

    @cached_property
    def values(self) -> Array:
        """The ratings as numbers, NaN where missing, (V, raters)."""
        return np.append(category_values(self.categories), np.nan)[self.rows]

    @property
    def items(self) -> int:
        """All items, rated or not."""
        return len(self.place)

    @property
    def by_row(self) -> DistinctRatings:
        """The same counts, with every row as one item: what models are asked of rows."""
        return DistinctRatings(self.categories, self.raters, self.rows, self.counts, np.arange(len(self.rows)))

    def of_raters(self, places: Sequence[int]) -> DistinctRatings:
        """The same items as seen by some of the raters; rows that became alike are not joined."""
        chosen = tuple(self.raters[place] for place in places)
        return DistinctRatings(self.categories, chosen, self.rows[:, list(places)], self.counts, self.place)

    @cached_property
    def joined(self) -> tuple[Array, Codes]:
        """The distinct patterns of category counts, and each row's place among them."""
        return distinct_patterns(self.said)

    @property
    def patterns(self) -> Patterns:
        """The items without the raters' names."""
        table, place = self.joined
        counts = np.bincount(place, weights=self.counts, minlength=len(table)).astype(np.float64)
        return Patterns(self.categories, table, counts, counts, self.items)


def category_counts(rows: Codes, size: int) -> Array:
    """How often each category is in each row, (V, K)."""
    offset = np.arange(len(rows))[:, None] * (size + 1)
    flat = np.bincount((offset + rows + 1).reshape(-1), minlength=len(rows) * (size + 1))
    return flat.reshape(len(rows), size + 1)[:, 1:].astype(np.float64)


def distinct(ratings: Ratings | DistinctRatings) -> DistinctRatings:
    """Ratings with alike items joined; what is joined already stays as it is.

    >>> from adjudge.data.ratings import ratings_of
    >>> distinct(ratings_of([["a", "b"], ["a", "a"], ["a", "b"]])).counts.tolist()
    [1.0, 2.0]
    """
    if isinstance(ratings, DistinctRatings):
        return ratings
    ratings = ratings.named
    codes = np.ascontiguousarray(ratings.codes, dtype=np.int64)
    first, place = _distinct_rows(codes + 1)
    counts = np.bincount(place, minlength=len(first)).astype(np.float64)
    return DistinctRatings(ratings.categories, ratings.raters, codes[first], counts, place)


def distinct_patterns(said: Array) -> tuple[Array, Codes]:
    """Distinct rows of counts, in lexical order, and each row's place among them."""
    first, place = _distinct_rows(said.astype(np.int64))
    return said[first], place


def _distinct_rows(table: Codes) -> tuple[Codes, Codes]:
    """The first place of each distinct row, in lexical order of rows, and each row's place in that order.

    Rows are told apart by a 64-bit mix of their entries; two different ones of a million collide with
    probability 10⁻⁷.
    """
    mix = generator(0, "distinct rows").integers(0, 2**63, size=table.shape[1], dtype=np.uint64) * np.uint64(2)
    keys = (table.astype(np.uint64) * (mix + np.uint64(1))).sum(1, dtype=np.uint64)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    order = np.lexsort(table[first].T[::-1]) if table.shape[1] else np.arange(len(first))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[place.reshape(-1)]


@dataclass(frozen=True, slots=True)
class Groups:
    """Items that are drawn together: how many of each row are in each group, and the shape of its Gamma weight."""

    members: Any  # sparse (V, G)
    shapes: Array  # (G,)


def groups_of(table: DistinctRatings) -> Groups:
    """Every row for itself; when rows are many, items by chance in groups of about the same size.

    A group's weight has mean 1. For a row of c items its variance is 1 / c, the Bayesian bootstrap of its items;
    for a group of items that differ it is 1, a bootstrap of groups.
    """
    from scipy.sparse import coo_array, dia_array

    rows = len(table.rows)
    if rows <= MOST_GROUPS:
        own = dia_array((table.counts[None], [0]), shape=(rows, rows))
        return Groups(own.tocsr(), np.maximum(table.counts, 1.0))
    # In the order of rows, not of items, so that the order of items does not matter.
    row = np.repeat(np.arange(rows), np.round(table.counts).astype(np.int64))
    group = generator(0, "groups of items").permutation(len(row)) % MOST_GROUPS
    members = coo_array((np.ones(len(row)), (row, group)), shape=(rows, MOST_GROUPS)).tocsr()
    return Groups(members, np.ones(MOST_GROUPS))


def drawn(
    table: DistinctRatings, settings: Bootstrap, stream: str, work: int = 0, *, cells: int = 0
) -> Iterator[tuple[Array, Array]]:
    """Bayesian replicates tile by tile: a weight for each group, (G, replicates), and prior mass (replicates, K, K).

    The prior is one item's worth of ordered pairs of ratings, the same for all categories, so that perfect
    agreement on few items is not certainty. Items and prior weigh as much as the items did. `work` is what one
    replicate costs beside drawing it and `cells` what it holds; a costly one is drawn less often, but never fewer
    than 200 times. Numbers with many values have no prior: it is (replicates, 1, 1) zeros.
    """
    groups, size, n = groups_of(table), len(table.categories), table.counts.sum()
    mass = np.asarray(groups.members.sum(0))
    smooth = size <= MOST_PRIOR_CATEGORIES
    wide = max(len(groups.shapes), size**2 if smooth else 1)
    total = int(min(settings.replicates, max(FEWEST, MOST_WORK // max(work, wide))))
    step = max(1, TILE // max(wide, cells))
    for start in range(0, total, step):
        count = min(step, total - start)
        random = generator(settings.seed, f"{stream}/{start}")
        weights = random.standard_gamma(groups.shapes[:, None], size=(len(groups.shapes), count))
        weights /= groups.shapes[:, None]
        shape = (count, size, size) if smooth else (count, 1, 1)
        prior = random.standard_gamma(1 / max(size, 1) ** 2 if smooth else 0.0, size=shape)
        scale = n / np.maximum(mass @ weights + prior.sum((1, 2)), 1e-300)
        yield weights * scale, prior * scale[:, None, None]


def grouped_sums(groups: Groups, rows: Codes, cells: Codes, amounts: Array, size: int) -> Any:
    """Amounts of an item of each row in cells, summed by group: sparse (size, G), which weights of groups multiply."""
    from scipy.sparse import coo_array

    each = coo_array((amounts, (cells, rows)), shape=(size, groups.members.shape[0])).tocsr()
    return each @ groups.members


@dataclass(frozen=True)
class PairTables(Patterns):
    """Patterns of two ratings each, known by their tables of pairs: sums follow without a table of patterns."""

    tables: Array = field(default_factory=lambda: np.zeros((0, 0)))  # (…, K, K)

    @cached_property
    def sums(self) -> Sums:
        """What the same pairs would give as patterns."""
        total = self.tables.sum((-2, -1))
        both = self.tables + np.swapaxes(self.tables, -2, -1)
        return Sums(total, total, 2 * total, both.sum(-1) / 2, both / 2, both)

    def merged(self, first: str, second: str) -> Self:
        """The pairs if two categories were one, called by the first's name."""
        a, b = self.categories.index(first), self.categories.index(second)
        into = np.eye(len(self.categories))
        into[b, a] = 1.0
        into = np.delete(into, b, axis=1)
        names = tuple(name for name in self.categories if name != second)
        return replace(self, categories=names, tables=into.T @ self.tables @ into)


@dataclass(frozen=True)
class Smoothed(Patterns):
    """Patterns with prior pairs of ratings beside them, counted in the sums."""

    prior: PairTables | None = None

    @cached_property
    def sums(self) -> Sums:
        """Sums of both."""
        plain = Patterns(self.categories, self.patterns, self.counts, self.squares, self.rows).sums
        if self.prior is None:
            return plain
        return Sums(*(getattr(plain, one.name) + getattr(self.prior.sums, one.name) for one in fields(Sums)))


def patterns_of_pairs(categories: tuple[str, ...], tables: Array) -> PairTables:
    """Patterns of two ratings each from tables of pairs, (…, K, K); their coincidences are tables + tablesᵀ.

    >>> float(patterns_of_pairs(("a", "b"), np.array([[3.0, 1.0], [0.0, 2.0]])).sums.items)
    6.0
    """
    nothing = np.zeros((0, len(categories)))
    return PairTables(categories, nothing, np.zeros((*tables.shape[:-2], 0)), np.zeros(0), 0, tables)


def coincidences_of(said: Array) -> Array:
    """Each pattern's coincidences: ordered pairs of its ratings over its ratings less one, (P, K, K)."""
    r = said.sum(1)
    ordered_pairs = said[:, :, None] * (said[:, None, :] - np.eye(said.shape[1]))
    return np.asarray(np.where(r > 1, 1 / np.maximum(r - 1, 1), 0.0)[:, None, None] * ordered_pairs)


def sparse_coincidences(said: Array) -> Any:
    """The coincidences of each pattern, sparse, (P, K²): alpha needs nothing else."""
    from scipy.sparse import csr_array, vstack

    size = said.shape[1]
    step = max(1, TILE // max(size, 1) ** 2)
    parts = [
        csr_array(coincidences_of(said[start : start + step]).reshape(-1, size**2))
        for start in range(0, len(said), step)
    ]
    return vstack(parts, format="csr") if parts else csr_array((0, size**2))


def valued(metric: Metric, patterns: Patterns) -> Array:
    """A metric of patterns; alpha through coincidences, which is the same and costs less with many categories."""
    if metric.name != krippendorff_alpha.name:
        return metric.values(patterns)
    size = len(patterns.categories)
    if not size:
        return np.full(patterns.counts.shape[:-1], np.nan)
    pairs = np.asarray(patterns.counts @ sparse_coincidences(patterns.patterns)) / 2
    return metric.values(patterns_of_pairs(patterns.categories, pairs.reshape(*pairs.shape[:-1], size, size)))
