"""Who said what, without who: how often each category was given to an item, and how many items are alike.

An item matters to most agreement coefficients only through its counts of categories. Items with the same
counts form a pattern; there are few patterns however many items there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import positions
from adjudge.data.judgements.ratings import Ratings, digits_of, joined_keys, refuse_measurements
from adjudge.data.judgements.scales import joined_scale, some_of
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.cells import PRIOR_MASS
from adjudge.statistics.kinds import KindsOfRatings, told_apart
from adjudge.statistics.weights import Weights, sums_by_kind


@dataclass(frozen=True)
class PatternSums:
    """What coefficients divide. Every entry is a weighted sum over items, (…) or (…, K) or (…, K, K)."""

    items: Array  # with at least one rating
    paired: Array  # with at least two
    ratings: Array
    shares: Array  # of each category in an item, summed over items
    pairs: Array  # share of an item's ordered pairs of ratings, summed over items
    coincidences: Array  # ordered pairs of ratings over (ratings − 1), summed over items


@dataclass(frozen=True)
class Patterns(KindsOfRatings):
    """Counts of categories in an item, and the weight of the items that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, a + Patterns.empty() == a; collecting two parts and
    adding equals collecting the whole. Categories are aligned on `+`. Beyond `most` of them, which is the pilot of the
    sums, the patterns are crowded: their rows are dropped, and what they are added to is crowded too.
    """

    categories: tuple[str, ...]
    patterns: Array  # (P, K) whole numbers, distinct rows in lexical order
    counts: Array  # (…, P), weight of the items with each pattern
    squares: Array  # (P,), squared case weights
    rows: int
    worth: Array | None = field(default=None, kw_only=True)  # (P,), ratings an item counts for; None: as many as it has
    most: int | None = field(default=None, kw_only=True)
    crowded: bool = field(default=False, kw_only=True)

    described = "patterns"

    @classmethod
    def empty(cls, categories: tuple[str, ...] = ()) -> Self:
        """The patterns of no items."""
        return cls(categories, np.zeros((0, len(categories))), np.zeros(0), np.zeros(0), 0)

    @classmethod
    def summing(cls, ratings: Ratings, pilot: int | None = None) -> Callable[[Weights], Patterns]:
        """What turns weights into patterns of these items; the patterns are worked out once."""
        refuse_measurements(ratings.numbers)
        if pilot is not None and len(ratings.categories) > pilot:
            return lambda weights: replace(cls.empty(), most=pilot)._crowded(weights.leading, weights.rows)
        patterns, place = distinct_patterns(ratings.kinds, len(ratings.categories))

        def sums(weights: Weights) -> Patterns:
            summed = sums_by_kind(ratings, weights, place, len(patterns))
            return cls(ratings.categories, patterns, *summed, weights.rows, most=pilot)

        return sums

    def _crowded(self, leading: tuple[int, ...], rows: int) -> Self:
        return replace(self.empty(), counts=np.zeros((*leading, 0)), rows=rows, most=self.most, crowded=True)

    def __add__(self, other: Self) -> Self:
        categories = joined_scale(self.categories, other.categories)
        if self.crowded or other.crowded or (self.most is not None and len(categories) > self.most):
            return self._crowded(self.counts.shape[:-1], self.rows + other.rows)
        a, b = self.aligned(categories), other.aligned(categories)
        if np.array_equal(a.patterns, b.patterns):
            patterns, place = a.patterns, np.tile(np.arange(len(a.patterns)), 2)
        else:
            patterns, place = np.unique(np.concatenate([a.patterns, b.patterns]), axis=0, return_inverse=True)
        counted = a.counted_with(b, place.reshape(-1), len(patterns))
        return replace(self, categories=categories, patterns=patterns, **counted)

    def aligned(self, categories: tuple[str, ...]) -> Self:
        """The same patterns over more categories, zeros where absent."""
        if categories == self.categories:
            return self
        patterns = np.zeros((len(self.patterns), len(categories)))
        patterns[:, positions(self.categories, categories)] = self.patterns
        order = np.lexsort(patterns.T[::-1])
        return replace(
            self,
            categories=categories,
            patterns=patterns[order],
            counts=self.counts[..., order],
            squares=self.squares[order],
            worth=None if self.worth is None else self.worth[order],
        )

    def in_terms_of(self, other: Self) -> Self:
        """The same patterns over the categories of another statistic."""
        return self if self.crowded or other.crowded else self.aligned(other.categories)

    @property
    def prior_kinds(self) -> tuple[Array, Array]:
        """Every unordered pair of two ratings, with masses that favour no category: of two, all pairs weigh the same.

        Of more, half of the mass is where both are the same.
        """
        size = len(self.categories)
        first, second = np.triu_indices(size)
        eye, agree = np.eye(size), max(0.5, 2 / (size + 1)) if size > 1 else 1.0
        mass = np.where(first == second, agree / max(size, 1), (1 - agree) / max(len(first) - size, 1))
        return eye[first] + eye[second], PRIOR_MASS * mass

    def with_prior(self, kinds: NDArray[np.generic], counts: Array, plain: Self) -> Self:
        """With prior pairs, each of which counts for as many ratings as an item of `plain` has.

        Alpha counts ratings: a pair that stood for two of them would say next to nothing beside items of many ratings.
        """
        ratings = plain.patterns.sum(1)
        each = ratio((plain.counts * ratings)[ratings >= 2].sum(), plain.counts[ratings >= 2].sum())
        worth = np.concatenate([self.patterns.sum(1), np.full(len(kinds), max(2.0, float(np.nan_to_num(each))))])
        return replace(super().with_prior(kinds, counts, plain), worth=worth)

    def merged(self, first: str, second: str) -> Self:
        """The patterns if two categories were one, called by the first's name."""
        a, b = self.categories.index(first), self.categories.index(second)
        patterns = self.patterns.copy()
        patterns[:, a] += patterns[:, b]
        kept = [place for place in range(len(self.categories)) if place != b]
        return replace(self, categories=some_of(self.categories, kept), patterns=patterns[:, kept])

    @cached_property
    def sums(self) -> PatternSums:
        """Everything a coefficient needs, in one pass over the patterns."""
        size = len(self.categories)
        r = self.patterns.sum(1)
        share = np.nan_to_num(ratio(self.patterns, r[:, None]))
        # Tables of pairs are symmetric: one half is summed, and both are read from it.
        first, second = np.triu_indices(size)
        square = np.empty((size, size), dtype=np.int64)
        square[first, second] = square[second, first] = np.arange(len(first))
        ordered_pairs = self.patterns[:, first] * (self.patterns[:, second] - (first == second))
        several = (r >= 2)[:, None]
        per_rating = np.where(several, ordered_pairs / np.maximum(r - 1, 1)[:, None], 0.0)
        per_pair = per_rating / np.maximum(r, 1)[:, None]
        worth = r if self.worth is None else self.worth
        per_rating = per_rating if self.worth is None else per_rating * (worth / np.maximum(r, 1))[:, None]
        flat = np.concatenate([(r >= 1)[:, None], several, worth[:, None], share, per_pair, per_rating], axis=1)
        sums = steady_product(self.counts, flat)
        ends = np.cumsum([1, 1, 1, size, len(first)])
        items, paired, ratings, shares, pairs, coincidences = np.split(sums, ends, axis=-1)
        return PatternSums(
            items[..., 0], paired[..., 0], ratings[..., 0], shares, pairs[..., square], coincidences[..., square]
        )

    def each_category(self, formula: Callable[[Self], Array]) -> Array:
        """A formula that gives one value for each category, (…, K)."""
        return formula(self)

    @property
    def minority(self) -> float:
        """How many items have a rating outside the commonest category."""
        if not len(self.categories) or not self.counts.any():
            return 0.0
        common = int(self.sums.shares.argmax())
        outside = self.patterns.sum(1) > self.patterns[:, common]
        return self.rows * float(self.counts[outside].sum() / self.counts.sum())

    @property
    def category_weight(self) -> Array:
        """How much of the ratings each category is, (…, K)."""
        return self.sums.shares


def distinct_patterns(codes: NDArray[np.int64], size: int) -> tuple[Array, NDArray[np.int64]]:
    """The distinct rows of category counts, in lexical order, and each row's place among them."""
    raters = codes.shape[1]
    base = raters + 1
    if size * np.log2(base) > 62:
        kinds, place = told_apart(np.sort(codes, axis=1))  # far fewer rows than vectors, which are slow to sort
        counts = np.stack([(kinds == k).sum(1) for k in range(size)], axis=1)
        patterns, cell = np.unique(counts, axis=0, return_inverse=True)
        return patterns.astype(np.float64), cell.reshape(-1)[place]
    # One whole number for each item: a digit for each category, the first the most significant.
    digits = np.append(base ** np.arange(size - 1, -1, -1, dtype=np.int64), 0)
    key = np.zeros(len(codes), dtype=np.int64)
    for rater in range(raters):
        key += digits[codes[:, rater]]
    seen, cell = joined_keys(key, base**size)
    return digits_of(seen, base, size).astype(np.float64), cell
