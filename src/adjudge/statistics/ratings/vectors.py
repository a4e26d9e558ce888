"""Who said what, rater by rater: the distinct rows of ratings and how many items have each.

Coefficients that need to know the rater (Conger, Light, intraclass and rank correlations) are formulas of this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import positions
from adjudge.data.judgements.ratings import Ratings, ratings_alike, refuse_measurements
from adjudge.data.judgements.scales import category_places, category_values, joined_scale
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.cells import PRIOR_MASS, generator, prior_of_pairs
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.kinds import KindsOfRatings, joined_raters, of_raters_among, told_apart
from adjudge.statistics.ratings.patterns import Patterns, distinct_patterns
from adjudge.statistics.weights import Weights, summed_by, sums_by_kind


@dataclass(frozen=True, slots=True)
class CompleteSums:
    """Sums over items that every rater rated, of ratings about their common mean, (…) or (…, raters)."""

    items: Array
    ratings: Array  # of each rater
    item_squares: Array  # squared means of items
    squares: Array  # squared ratings


@dataclass(frozen=True)
class RatingVectors(KindsOfRatings):
    """Rows of ratings, one column for each rater, with the weight of the items that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a up to the order of rows; collecting two parts and adding
    equals collecting the whole. Raters and categories are aligned on `+`. Beyond `most` categories, which is the pilot
    of the sums, ratings are measurements.
    """

    categories: tuple[str, ...]
    raters: tuple[str, ...]
    vectors: NDArray[np.int64]  # (V, raters), -1 where not rated
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int
    numbers: Array | None = None  # of measurements: codes point here, and there are no categories
    most: int | None = None
    clusters: Keys | None = None  # (V,), whose items each row has; then no two rows are joined

    described = "vectors"

    @classmethod
    def empty(cls, raters: tuple[str, ...], categories: tuple[str, ...] = ()) -> Self:
        """The vectors of no items."""
        return cls(categories, raters, np.zeros((0, len(raters)), dtype=np.int64), np.zeros(0), np.zeros(0), 0)

    @classmethod
    def summing(cls, ratings: Ratings, pilot: int | None = None) -> Callable[[Weights], RatingVectors]:
        """What turns weights into vectors of these items; the distinct vectors are worked out once."""
        if pilot is not None and len(ratings.categories) > pilot:
            ratings = ratings.measured
        many = len(ratings.categories) if ratings.numbers is None else len(ratings.numbers)
        vectors, place = _distinct(ratings.kinds, many, every=pilot is not None)

        def sums(weights: Weights) -> RatingVectors:
            # Draws say what each item counts, and need no cluster.
            clusters = ratings.clusters if weights.draws is None else None
            rows = vectors if clusters is None else ratings.codes
            if clusters is None:
                summed = sums_by_kind(ratings, weights, place, len(rows))
            else:
                summed = weights.sums_by(np.arange(len(rows)), len(rows))
            known = (ratings.categories, ratings.raters, rows, *summed, weights.rows)
            return cls(*known, numbers=ratings.numbers, most=pilot, clusters=clusters)

        return sums

    def __add__(self, other: Self) -> Self:
        raters = joined_raters(self.raters, other.raters)
        a, b = self.seen_by(raters), other.seen_by(raters)
        categories, measured = joined_scale(a.categories, b.categories), a.numbers is not None or b.numbers is not None
        if measured or (a.most is not None and len(categories) > a.most):
            return a.measured._measured_with(b.measured)
        a, b = a.aligned(categories), b.aligned(categories)
        together = np.concatenate([a.vectors, b.vectors])
        clusters = _both(a.clusters, b.clusters)
        vectors, place = _distinct(together, len(categories), every=a.most is not None, clusters=clusters)
        return replace(a, vectors=vectors, clusters=clusters, **a.counted_with(b, place, len(vectors)))

    @cached_property
    def measured(self) -> Self:
        """The same ratings as measurements: numbers that are in use, and no categories."""
        if self.numbers is not None:
            return self
        used = np.unique(self.vectors[self.vectors >= 0])
        numbers, place = np.unique(category_places(self.categories)[used], return_inverse=True)
        code = np.full(len(self.categories) + 1, -1, dtype=np.int64)
        code[used] = place
        return replace(self, categories=(), vectors=code[self.vectors], numbers=numbers).joined

    @cached_property
    def by_value(self) -> Self:
        """The same measurements with equal ones as one, and so equal rows."""
        assert self.numbers is not None
        numbers, place = np.unique(self.numbers, return_inverse=True)
        vectors, row = told_apart(np.append(place.reshape(-1), -1)[self.vectors])
        counts, squares = (summed_by(amounts, row, len(vectors)) for amounts in (self.counts, self.squares))
        return replace(self, numbers=numbers, vectors=vectors, counts=counts, squares=squares, clusters=None)

    def _measured_with(self, other: Self) -> Self:
        """Measurements of both parts."""
        assert self.numbers is not None
        assert other.numbers is not None
        numbers, place = np.unique(np.concatenate([self.numbers, other.numbers]), return_inverse=True)
        cut = len(self.numbers)
        both = [np.append(p, -1)[v] for p, v in ((place[:cut], self.vectors), (place[cut:], other.vectors))]
        clusters = _both(self.clusters, other.clusters)
        vectors, row = _distinct(np.concatenate(both), len(numbers), every=True, clusters=clusters)
        counted = self.counted_with(other, row, len(vectors))
        return replace(self, vectors=vectors, numbers=numbers, clusters=clusters, **counted)

    def seen_by(self, raters: tuple[str, ...]) -> Self:
        """The same vectors with a place for more raters, who did not rate."""
        return replace(self, raters=raters, vectors=of_raters_among(self.vectors, self.raters, raters))

    def in_terms_of(self, other: Self) -> Self:
        """The same vectors over the raters and categories of another statistic."""
        own = self if self.raters == other.raters else self.seen_by(other.raters)
        if other.numbers is not None:
            return own.measured
        # The natural order of more categories may be another one, and the order of rows with it.
        return own if own.categories == other.categories else own.aligned(other.categories).joined

    def aligned(self, categories: tuple[str, ...]) -> Self:
        """The same vectors over more categories."""
        if categories == self.categories:
            return self
        place = np.append(positions(self.categories, categories), -1)
        return replace(self, categories=categories, vectors=place[self.vectors])

    @property
    def _is_of_values(self) -> bool:
        """Whether it is of measurements, hardly any of which are the same."""
        return self.most is None and (self.numbers is not None or len(self.categories) > MOST_JOINED)

    @property
    def in_drawn_order(self) -> Self:
        """The same items; of measurements in an order that neither items nor parts decide."""
        return self.measured.by_value if self._is_of_values else self

    @property
    def prior_kinds(self) -> tuple[NDArray[np.int64], Array] | None:
        """Pairs of ratings of every two raters; none of very many, or of measurements."""
        raters, size = len(self.raters), len(self.categories)
        few = self.numbers is None and size <= MOST_PRIOR_CATEGORIES
        if not few or raters < 2 or raters**3 * size**2 > MOST_PRIOR_CODES:
            return None
        return _prior_vectors(raters, size)

    def of_raters(self, places: Sequence[int]) -> Self:
        """The same items as seen by some of the raters."""
        return replace(self, raters=tuple(self.raters[p] for p in places), vectors=self.vectors[:, list(places)])

    @property
    def joined(self) -> Self:
        """The same items with alike rows as one: what is left of few raters is few rows."""
        many = len(self.categories) if self.numbers is None else len(self.numbers)
        vectors, place = _distinct(self.vectors, many, every=self.most is not None, clusters=self.clusters)
        counts, squares = (summed_by(amounts, place, len(vectors)) for amounts in (self.counts, self.squares))
        return replace(self, vectors=vectors, counts=counts, squares=squares)

    @cached_property
    def patterns(self) -> Patterns:
        """The same items without the raters' names."""
        refuse_measurements(self.numbers)
        patterns, place = distinct_patterns(self.vectors, len(self.categories))
        counts, squares = (summed_by(amounts, place, len(patterns)) for amounts in (self.counts, self.squares))
        return Patterns(self.categories, patterns, counts, squares, self.rows)

    @property
    def minority(self) -> float:
        """How many items have a rating outside the commonest category."""
        return self.patterns.minority

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two raters, by place."""
        return list(combinations(range(len(self.raters)), 2))

    @property
    def met(self) -> list[tuple[int, int]]:
        """Every two raters who share an item, by place: of thousands, few do."""
        from scipy.sparse import csr_array, triu

        rated = csr_array((self.vectors >= 0).astype(np.int64))
        first, second = triu(rated.T @ rated, 1).nonzero()
        return sorted(zip(first.tolist(), second.tolist(), strict=True))

    @cached_property
    def pair_counts(self) -> Array:
        """The table of each two raters, (…, pairs, K, K)."""
        return self.tables_of(self.pairs)

    def tables_of(self, pairs: Sequence[tuple[int, int]]) -> Array:
        """The tables of some pairs of raters, (…, pairs, K, K)."""
        refuse_measurements(self.numbers)
        from scipy.sparse import csr_array

        size, none = len(self.categories), np.zeros(0, dtype=np.int64)
        rows, columns = [none], [none]
        for place, (first, second) in enumerate(pairs):
            a, b = self.vectors[:, first], self.vectors[:, second]
            both = np.flatnonzero((a >= 0) & (b >= 0))
            rows.append(both)
            columns.append(place * size**2 + a[both] * size + b[both])
        row, column = np.concatenate(rows), np.concatenate(columns)
        table = csr_array((np.ones(len(row)), (row, column)), shape=(len(self.vectors), len(pairs) * size**2))
        sums = np.asarray(self.counts @ table)
        return sums.reshape(*self.counts.shape[:-1], len(pairs), size, size)

    @cached_property
    def rater_shares(self) -> Array:
        """Share of each category among a rater's ratings, (…, raters, K); NaN for a rater without any."""
        refuse_measurements(self.numbers)
        from scipy.sparse import csr_array

        size, raters = len(self.categories), len(self.raters)
        row, rater = np.nonzero(self.vectors >= 0)
        column = rater * size + self.vectors[row, rater]
        said = csr_array((np.ones(len(row)), (row, column)), shape=(len(self.vectors), raters * size))
        used = np.asarray(self.counts @ said).reshape(*self.counts.shape[:-1], raters, size)
        return np.asarray(ratio(used, used.sum(-1, keepdims=True)))

    def table_of(self, first: int, second: int) -> Confusion:
        """The confusion table of two raters."""
        two = self.of_raters([first, second])
        size = len(self.categories)
        both = (two.vectors >= 0).all(1)
        cell = two.vectors[both, 0] * size + two.vectors[both, 1]
        counts, squares = (
            np.bincount(cell, weights=w[both], minlength=size**2).reshape(size, size).astype(np.float64)
            for w in (self.counts, self.squares)
        )
        return Confusion(self.categories, counts, squares, round(float(counts.sum())))

    @cached_property
    def values(self) -> Array:
        """The ratings as numbers, NaN where missing, (V, raters)."""
        known = category_values(self.categories) if self.numbers is None else self.numbers
        return np.append(known, np.nan)[self.vectors]

    @cached_property
    def complete_sums(self) -> CompleteSums:
        """What an analysis of variance needs, from the vectors with a rating by every rater."""
        every = self.complete
        x, w = (self.values, self.counts) if every.all() else (self.values[every], self.counts[..., every])
        x = x - (x.mean() if x.size else 0.0)
        squares, raters = np.einsum("vr,vr->v", x, x), max(x.shape[1], 1)
        flat = np.column_stack([x, (x.sum(1) / raters) ** 2, squares])
        sums = steady_product(w, flat)
        return CompleteSums(w.sum(-1), sums[..., :-2], sums[..., -2], sums[..., -1])

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Which vectors have a rating by every rater."""
        every = np.ones(len(self.vectors), dtype=np.bool_)
        for said in self.vectors.T:  # a rater at a time: a reduction over few columns is slow
            every &= said >= 0
        return every


# Rows of more different values than this are hardly ever alike.
MOST_JOINED = 1_000
# Prior pairs over more categories than this would be more cells than data.
MOST_PRIOR_CATEGORIES = 50
# … and so would prior pairs of this many raters and categories: every two of each, in a row of all raters.
MOST_PRIOR_CODES = 2**22
# Of more prior pairs than this, so many at random carry the mass: a replicate has all but a few of them next to none.
MOST_PRIOR_PAIRS = 4_096


def _distinct(codes: Codes, categories: int, *, every: bool, clusters: Keys | None = None) -> tuple[Codes, Codes]:
    """Distinct rows of codes and each row's place among them; rows of many values are left as they are unless `every`.

    The order of rows depends on the rows alone: by value where there are few, by a mix of them otherwise. Rows that
    belong to clusters are left as they are.
    """
    if clusters is not None:
        return codes, np.arange(len(codes))
    if categories <= MOST_JOINED and (joined := ratings_alike(codes, categories)) is not None:
        return joined
    return told_apart(codes) if every else (codes, np.arange(len(codes)))


def _both(first: Keys | None, second: Keys | None) -> Keys | None:
    """The clusters of two parts, one after another; none where a part has none."""
    return None if first is None or second is None else np.concatenate([first, second])


def _prior_vectors(raters: int, categories: int) -> tuple[NDArray[np.int64], Array]:
    """Every two raters giving every two categories, and the mass of each; of very many, a fixed random part."""
    first, second = np.triu_indices(raters, 1)
    size = len(first) * categories**2
    chosen = np.arange(size)
    if size > MOST_PRIOR_PAIRS:
        chosen = np.sort(generator(0, "prior pairs").choice(size, MOST_PRIOR_PAIRS, replace=False))
    pair, both = np.divmod(chosen, categories**2)
    vectors = np.full((len(chosen), raters), -1, dtype=np.int64)
    row = np.arange(len(chosen))
    vectors[row, first[pair]], vectors[row, second[pair]] = np.divmod(both, categories)
    mass = prior_of_pairs(categories, 1.0).reshape(-1)[both]
    return vectors, PRIOR_MASS * mass / mass.sum()
