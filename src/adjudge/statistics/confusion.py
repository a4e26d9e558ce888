"""Counts of reference against prediction. Receives labels and weights; gives a table that adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Self

import numpy as np

from adjudge.data.arrays import decisions_of
from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.data.source import code_type
from adjudge.errors import SettingError, check_size
from adjudge.statistics.base import Array, Codes, Statistic, ratio
from adjudge.statistics.cells import PRIOR_MASS, draw_cells, draw_smoothed, generator
from adjudge.statistics.weights import Weights, counting


@dataclass(frozen=True, slots=True)
class OneVsRest:
    """For each category: rows rightly and wrongly given to it, wrongly and rightly kept from it, (…, K)."""

    true_positives: Array
    false_positives: Array
    false_negatives: Array
    true_negatives: Array

    @property
    def summed(self) -> OneVsRest:
        """All categories thrown together: what micro averages divide."""
        parts = (self.true_positives, self.false_positives, self.false_negatives, self.true_negatives)
        return OneVsRest(*(part.sum(-1, keepdims=True) for part in parts))


@dataclass(frozen=True)
class Confusion(Statistic[Judgements, None]):
    """How often each prediction met each reference, weighted.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, a + Confusion.empty() == a; collecting two parts
    and adding equals collecting the whole. Categories are aligned on `+`.
    """

    categories: tuple[str, ...]
    counts: Array  # (…, K, K), rows are the reference
    squares: Array  # (K, K), squared case weights
    rows: int

    @classmethod
    def empty(cls, categories: tuple[str, ...] = ()) -> Self:
        """The table of no rows."""
        size = len(categories)
        return cls(categories, np.zeros((size, size)), np.zeros((size, size)), 0)

    @classmethod
    def summing(cls, judgements: Judgements, pilot: None = None) -> Callable[[Weights], Confusion]:
        """What turns weights into counts of these rows; the cells are worked out once."""
        categories, cells = judgements.crossed
        size = len(categories)

        def sums(weights: Weights) -> Confusion:
            counts, squares = weights.sums_by(cells, size * size)
            shape = (*counts.shape[:-1], size, size)
            return cls(categories, counts.reshape(shape), squares.reshape(size, size), weights.rows)

        return sums

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: Sequence[object] | None = None,
        drops_missing: bool = False,
    ) -> tuple[int, Callable[[Weights], Confusion]]:
        """Of a reference and the predictions, or with `drops_missing` of two raters: of the items that both rated."""
        if drops_missing:
            ratings = ratings_of(first, second, categories)
            return len(ratings), counting(ratings, cls._summing_raters)
        judgements = decisions_of(first, second, positive)
        return len(judgements), cls.summing(judgements)

    @classmethod
    def _summing_raters(cls, ratings: Ratings) -> Callable[[Weights], Confusion]:
        """What turns weights of items into the table of two raters, over the scale of the ratings."""
        if len(ratings.raters) != 2:
            raise SettingError(
                f"This metric compares two raters, but there are {len(ratings.raters)}. "
                "Choose two, or use a metric for many."
            )
        both, size = np.flatnonzero((ratings.codes >= 0).all(1)), len(ratings.categories)
        cells = ratings.codes[both, 0] * size + ratings.codes[both, 1]

        def sums(weights: Weights) -> Confusion:
            counts, squares = weights.of_rows(both).sums_by(cells, size**2)
            shape = (*counts.shape[:-1], size, size)
            return cls(ratings.categories, counts.reshape(shape), squares.reshape(size, size), len(both))

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Judgements, weights: Weights, levels: Codes, size: int, pilot: None = None
    ) -> list[Self | None]:
        """The table of each level, all counted at once: the level is the leading digit of a cell."""
        categories, cells = judgements.crossed
        side = len(categories)
        check_size(size * side**2, f"{size:,} slices with {side:,} × {side:,} labels each")
        if size * side**2 > MOST_COUNTED:
            return super().collect_by(judgements, weights, levels, size)
        placed = np.multiply(levels, side**2, dtype=code_type(size * side**2 + 1))
        placed += cells.astype(placed.dtype, copy=False)
        counts, squares = weights.sums_by(placed, size * side**2)
        counts = counts.reshape(*counts.shape[:-1], size, side, side)
        squares = squares.reshape(size, side, side)
        plain = weights.case is None and weights.draws is None  # then counts tell how many rows there are
        rows = counts.sum((-2, -1)).astype(np.int64).tolist() if plain else weights.rows_by(levels, size)
        return [
            cls(categories, counts[..., level, :, :].copy(), squares[level].copy(), many) if many else None
            for level, many in enumerate(rows)
        ]

    @classmethod
    def is_of_cells(cls) -> bool:
        """Yes."""
        return True

    @classmethod
    def adds_exactly(cls, case: Array | None) -> bool:
        """Yes where every row counts one."""
        return case is None

    @classmethod
    def draws_by_level(cls) -> bool:
        """Yes."""
        return True

    def __add__(self, other: Self) -> Self:
        categories = _united(self.categories, other.categories)
        a, b = self.aligned(categories), other.aligned(categories)
        return type(self)(categories, a.counts + b.counts, a.squares + b.squares, a.rows + b.rows)

    def aligned(self, categories: tuple[str, ...]) -> Self:
        """The same counts over more categories, zeros where absent."""
        if categories == self.categories:
            return self
        place = positions(self.categories, categories)
        size, into = len(categories), np.ix_(place, place)
        counts, squares = np.zeros((*self.counts.shape[:-2], size, size)), np.zeros((size, size))
        counts[..., into[0], into[1]] = self.counts
        squares[into] = self.squares
        return replace(self, categories=categories, counts=counts, squares=squares)

    def with_counts(self, counts: Array) -> Self:
        """The same cells, counted otherwise."""
        return replace(self, counts=counts)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells; for "bayesian", with prior mass spread over all of them."""
        size = len(self.categories)
        cells, random = self.counts.reshape(-1), generator(seed, stream)
        if kind == "bayesian" and size:
            drawn_counts = draw_smoothed(cells, PRIOR_MASS, replicates, random)
        else:
            drawn_counts = draw_cells(cells, kind, replicates, random)
        return replace(self, counts=drawn_counts.reshape(replicates, size, size))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were summed under explicit weights, over the categories of this table."""
        return draws.aligned(self.categories)

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Bayesian replicates made of rows, with prior mass in units of a row of `plain` added."""
        size = len(self.categories)
        one_row = float(ratio(plain.squares.sum(), plain.total))
        prior = generator(seed, stream).standard_gamma(PRIOR_MASS / max(size, 1) ** 2, size=self.counts.shape)
        return replace(self, counts=self.counts + prior * np.nan_to_num(one_row))

    def without_one(self) -> tuple[Self, Array]:
        """The table without one row of each occupied cell, and how many rows that cell has."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        check_size(len(occupied) * len(cells), f"{len(self.categories):,} labels, without each kind of row in turn")
        left = np.tile(cells, (len(occupied), 1))
        left[np.arange(len(occupied)), occupied] -= 1
        return replace(self, counts=left.reshape(-1, *self.counts.shape)), cells[occupied]

    @cached_property
    def total(self) -> Array:
        """All weight, (…)."""
        return np.asarray(self.counts.sum((-2, -1)))

    @property
    def agreed(self) -> Array:
        """Weight where prediction and reference are the same, (…)."""
        return np.asarray(np.trace(self.counts, axis1=-2, axis2=-1))

    @property
    def matched(self) -> Array:
        """The diagonal, (…, K)."""
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    @cached_property
    def reference_total(self) -> Array:
        """How often each category is the reference, (…, K)."""
        return np.asarray(self.counts.sum(-1))

    @cached_property
    def prediction_total(self) -> Array:
        """How often each category is predicted, (…, K)."""
        return np.asarray(self.counts.sum(-2))

    @property
    def expected(self) -> Array:
        """What the table would hold if reference and prediction were unrelated, (…, K, K)."""
        outer = self.reference_total[..., :, None] * self.prediction_total[..., None, :]
        return np.asarray(ratio(outer, self.total[..., None, None]))

    @property
    def minority(self) -> float:
        """How many rows lie outside the commonest reference category."""
        size = len(self.categories)
        return self.rows * float(1 - ratio(self.reference_total.max(initial=0), self.total)) if size else 0.0

    @cached_property
    def one_vs_rest(self) -> OneVsRest:
        """Each category against all others."""
        true_positives = self.matched
        false_positives = self.prediction_total - true_positives
        false_negatives = self.reference_total - true_positives
        rest = self.total[..., None] - true_positives - false_positives - false_negatives
        return OneVsRest(true_positives, false_positives, false_negatives, rest)

    def each_category(self, formula: Callable[[OneVsRest], Array]) -> Array:
        """A formula of one category's counts, for every category, (…, K)."""
        return formula(self.one_vs_rest)

    def pooled(self, formula: Callable[[OneVsRest], Array]) -> Array:
        """A formula of all categories' counts thrown together, (…)."""
        return formula(self.one_vs_rest.summed)[..., 0]

    @property
    def category_weight(self) -> Array:
        """How much of the reference each category is, (…, K): the weights of a weighted average."""
        return self.reference_total


@lru_cache(maxsize=256)
def _united(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    """The categories of two tables in their order: many tables of the same are added."""
    return ordered_labels({*a, *b})


# Tables of all levels are counted at once up to this many cells.
MOST_COUNTED = 2**20
