"""Items that were rated alike are one row: what every diagnosis of raters works on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.scales import category_values, some_of
from adjudge.diagnosis.limits import Size
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.cells import generator
from adjudge.statistics.ratings.patterns import Patterns, PatternSums
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import summed_by

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TILE = 2**21


@dataclass(frozen=True)
class DistinctRatings:
    """The distinct rows of ratings, what the items with each weigh together, and which row each item has.

    Items share a row when they were rated alike and weigh the same, so that leaving one out, or drawing it, is the
    same for all of a row.
    """

    categories: tuple[str, ...]
    raters: tuple[str, ...]
    rows: Codes  # (V, raters), -1 where not rated
    counts: Array  # (V,), weight of all items of a row
    place: Codes  # (items,)
    weight: Array | None = None  # (V,), of one item of a row; None when every item counts one
    cluster: Codes | None = None  # (items,), items that are drawn together; None when each is drawn for itself

    @property
    def explicit(self) -> bool:
        """Whether items differ in weight or belong together, so that no formula for plain items holds."""
        return self.weight is not None or self.cluster is not None

    @property
    def each(self) -> Array:
        """What one item of each row weighs, (V,)."""
        return np.ones(len(self.rows)) if self.weight is None else self.weight

    @property
    def squares(self) -> Array:
        """Squared weights of the items of each row, (V,)."""
        return self.counts * self.each

    @property
    def members(self) -> Array:
        """How many items each row has, (V,)."""
        return np.asarray(np.nan_to_num(ratio(self.counts, self.each)))

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
        return replace(self, place=np.arange(len(self.rows)), cluster=None)

    def of_raters(self, places: Sequence[int]) -> DistinctRatings:
        """The same items as seen by some of the raters; rows that became alike are not joined."""
        chosen = tuple(self.raters[place] for place in places)
        return replace(self, raters=chosen, rows=self.rows[:, list(places)])

    def of_items(self, items: Codes) -> DistinctRatings:
        """Some of the items."""
        seen, place = np.unique(self.place[items], return_inverse=True)
        weight = None if self.weight is None else self.weight[seen]
        counts = np.bincount(place, minlength=len(seen)) * self.each[seen]
        cluster = None if self.cluster is None else np.unique(self.cluster[items], return_inverse=True)[1]
        return DistinctRatings(self.categories, self.raters, self.rows[seen], counts, place, weight, cluster)

    def size(self, rows: NDArray[np.bool_]) -> Size:
        """How many items have these rows, by weight, and how many units they are: clusters if there are any."""
        weighed = round(float(steady_product(self.counts, rows)))
        if self.cluster is None:
            return Size(weighed, round(float(self.members @ rows)))
        has = (rows & (self.each > 0))[self.place]
        return Size(weighed, len(np.unique(self.cluster[has])), "clusters")

    def unit_totals(self, values: Array) -> Array:
        """The units' totals of values, (units, m), for values of one item of each row, (V, m).

        They are there for their products: totalsᵀ totals estimates the variance of the weighted sum when the mean is
        zero, whatever goes on within a cluster. Single items of a row are one line that has the product of them all.
        """
        if self.cluster is None:
            return np.asarray(values * np.sqrt(self.squares)[:, None])
        return np.asarray(self.by_cluster.T @ values)

    @cached_property
    def by_cluster(self) -> csr_array:
        """Weight of the items of each row in each cluster, sparse (V, clusters)."""
        from scipy.sparse import coo_array

        assert self.cluster is not None
        shape = (len(self.rows), int(self.cluster.max(initial=-1)) + 1)
        return coo_array((self.each[self.place], (self.place, self.cluster)), shape=shape).tocsr()

    @cached_property
    def distinct_counts(self) -> tuple[Array, Codes]:
        """The distinct patterns of category counts, and each row's place among them."""
        return distinct_count_rows(self.said)

    @property
    def vectors(self) -> RatingVectors:
        """The rows as a statistic."""
        return RatingVectors(self.categories, self.raters, self.rows, self.counts, self.squares, self.items)

    @property
    def patterns(self) -> Patterns:
        """The items without the raters' names."""
        table, place = self.distinct_counts
        counts, squares = (summed_by(amounts, place, len(table)) for amounts in (self.counts, self.squares))
        return Patterns(self.categories, table, counts, squares, self.items)


def category_counts(rows: Codes, size: int) -> Array:
    """How often each category is in each row, (V, K)."""
    offset = np.arange(len(rows))[:, None] * (size + 1)
    flat = np.bincount((offset + rows + 1).reshape(-1), minlength=len(rows) * (size + 1))
    return flat.reshape(len(rows), size + 1)[:, 1:].astype(np.float64)


def distinct(
    ratings: Ratings | DistinctRatings,
    weights: object = None,
    clusters: Sequence[object] | Codes | NDArray[np.uint64] | None = None,
) -> DistinctRatings:
    """Ratings with alike items joined; what is joined already stays as it is.

    `weights` says how often each item counts, `clusters` which items belong together. Whatever is made of the result
    heeds both.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> distinct(ratings_of([["a", "b"], ["a", "a"], ["a", "b"]])).counts.tolist()
    [1.0, 2.0]
    >>> distinct(ratings_of([["a", "b"], ["a", "a"], ["a", "b"]]), weights=[3, 1, 3]).counts.tolist()
    [1.0, 6.0]
    """
    if isinstance(ratings, DistinctRatings):
        return ratings
    ratings = ratings.named
    codes = np.ascontiguousarray(ratings.codes, dtype=np.int64)
    cluster = _cluster_codes(clusters, len(codes))
    amounts = None if weights is None else _checked_weights(weights, len(codes))
    if amounts is None or np.allclose(amounts, 1.0, rtol=1e-12):
        first, place = _distinct_rows(codes + 1)
        counts = np.bincount(place, minlength=len(first)).astype(np.float64)
        return DistinctRatings(ratings.categories, ratings.raters, codes[first], counts, place, None, cluster)
    _, rank = np.unique(amounts, return_inverse=True)
    first, place = _distinct_rows(np.column_stack([codes + 1, rank.reshape(-1)]))
    each = amounts[first]
    counts = np.bincount(place, minlength=len(first)) * each
    return DistinctRatings(ratings.categories, ratings.raters, codes[first], counts, place, each, cluster)


def _checked_weights(weights: object, items: int) -> Array:
    amounts = np.asarray(weights, dtype=np.float64)
    if amounts.shape != (items,) or not (np.isfinite(amounts) & (amounts >= 0)).all():
        raise SettingError(f"`weights` must be a number of at least 0 for each of {items} items.")
    return amounts


def _cluster_codes(clusters: Sequence[object] | Codes | NDArray[np.uint64] | None, items: int) -> Codes | None:
    """A number for each cluster, in the clusters' own order; None when no two items belong together."""
    if clusters is None:
        return None
    if len(clusters) != items:
        raise SettingError(f"`clusters` must name a cluster for each of {items} items, but there are {len(clusters)}.")
    seen, codes = np.unique(np.asarray(clusters), return_inverse=True)
    return None if len(seen) == items else codes.reshape(-1).astype(np.int64)


def distinct_count_rows(said: Array) -> tuple[Array, Codes]:
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


@dataclass(frozen=True)
class PairTables(Patterns):
    """Patterns of two ratings each, known by their tables of pairs: sums follow without a table of patterns."""

    tables: Array = field(default_factory=lambda: np.zeros((0, 0)))  # (…, K, K)

    @cached_property
    def sums(self) -> PatternSums:
        """What the same pairs would give as patterns."""
        total = self.tables.sum((-2, -1))
        both = self.tables + np.swapaxes(self.tables, -2, -1)
        return PatternSums(total, total, 2 * total, both.sum(-1) / 2, both / 2, both)

    def merged(self, first: str, second: str) -> Self:
        """The pairs if two categories were one, called by the first's name."""
        a, b = self.categories.index(first), self.categories.index(second)
        into = np.eye(len(self.categories))
        into[b, a] = 1.0
        into = np.delete(into, b, axis=1)
        names = some_of(self.categories, (place for place in range(len(self.categories)) if place != b))
        return replace(self, categories=names, tables=into.T @ self.tables @ into)


@dataclass(frozen=True)
class Smoothed(Patterns):
    """Patterns with prior pairs of ratings beside them, counted in the sums."""

    prior: PairTables | None = None

    @cached_property
    def sums(self) -> PatternSums:
        """PatternSums of both."""
        plain = Patterns(self.categories, self.patterns, self.counts, self.squares, self.rows).sums
        if self.prior is None:
            return plain
        return PatternSums(
            *(getattr(plain, one.name) + getattr(self.prior.sums, one.name) for one in fields(PatternSums))
        )


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


def sparse_coincidences(said: Array) -> csr_array:
    """The coincidences of each pattern, sparse, (P, K²): alpha needs nothing else."""
    from scipy.sparse import csr_array, vstack

    size = said.shape[1]
    step = max(1, TILE // max(size, 1) ** 2)
    parts = [
        csr_array(coincidences_of(said[start : start + step]).reshape(-1, size**2))
        for start in range(0, len(said), step)
    ]
    return vstack(parts, format="csr") if parts else csr_array((0, size**2))
