"""Counts of reference against prediction. Receives labels and weights; gives a table that adds."""

from __future__ import annotations

import math
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
from adjudge.statistics.cells import (
    MANY_CELLS,
    PRIOR_MASS,
    draw_cells,
    draw_smoothed,
    generator,
    prior_of_pairs,
    with_prior_atoms,
)
from adjudge.statistics.label_pairs import LabelPairs
from adjudge.statistics.weights import Weights, counting


@dataclass(frozen=True)
class Confusion(LabelPairs, Statistic[Judgements, None]):
    """How often each prediction met each reference, weighted.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, a + Confusion.empty() == a; collecting two parts
    and adding equals collecting the whole. Categories are aligned on `+`.

    Of more than `MANY_CELLS` pairs of labels those that occur are listed in `cells`, and what is drawn, added and
    divided costs what they do. Totals and `matched` are told of either; `dense` is the table with all its zeros.
    """

    categories: tuple[str, ...]
    counts: Array  # (…, K, K), rows are the reference; (…, cells) where these are listed
    squares: Array  # (K, K) or (cells,), squared case weights
    rows: int
    cells: Codes | None = None  # reference × K + prediction, rising; None: all pairs

    is_of_cells = adds_exactly = draws_by_level = True

    @classmethod
    def empty(cls, categories: tuple[str, ...] = ()) -> Self:
        """The table of no rows."""
        size = len(categories)
        return cls(categories, np.zeros((size, size)), np.zeros((size, size)), 0)

    @classmethod
    def summing(cls, judgements: Judgements, pilot: None = None) -> Callable[[Weights], Confusion]:
        """What turns weights into counts of these rows; the cells are worked out once."""
        return cls._summing_cells(*judgements.crossed)

    @classmethod
    def _summing_cells(cls, categories: tuple[str, ...], cells: Codes) -> Callable[[Weights], Confusion]:
        """What turns weights into counts of the pairs of labels that rows are in."""
        side, listed, place = len(categories), None, cells
        if side**2 > MANY_CELLS:
            listed, place = np.unique(cells.astype(np.int64), return_inverse=True)
        shape = (side, side) if listed is None else (len(listed),)

        def sums(weights: Weights) -> Confusion:
            counts, squares = weights.sums_by(place, math.prod(shape))
            counts = counts.reshape(*counts.shape[:-1], *shape)
            return cls(categories, counts, squares.reshape(shape), weights.rows, listed)

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
        sums = cls._summing_cells(ratings.categories, ratings.codes[both, 0] * size + ratings.codes[both, 1])
        return lambda weights: sums(weights.of_rows(both))

    @classmethod
    def collect_by(
        cls, judgements: Judgements, weights: Weights, levels: Codes, size: int, pilot: None = None
    ) -> list[Self | None]:
        """The table of each level, all counted at once: the level is the leading digit of a cell."""
        categories, cells = judgements.crossed
        side = len(categories)
        if side**2 > MANY_CELLS or size * side**2 > MOST_COUNTED:
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

    def __add__(self, other: Self) -> Self:
        categories = _united(self.categories, other.categories)
        a, b = self.aligned(categories), other.aligned(categories)
        if a.cells is None and b.cells is None:
            return type(self)(categories, a.counts + b.counts, a.squares + b.squares, a.rows + b.rows)
        a, b = a.listed, b.listed
        cells = np.union1d(a.cells, b.cells)  # type: ignore[arg-type]
        counts, squares = (x + y for x, y in zip(a._spread(cells), b._spread(cells), strict=True))
        return type(self)(categories, counts, squares, a.rows + b.rows, cells)

    def aligned(self, categories: tuple[str, ...]) -> Self:
        """The same counts over more categories, zeros where absent."""
        if categories == self.categories:
            return self
        place, size = positions(self.categories, categories), len(categories)
        assert (place >= 0).all(), "a table is never aligned with fewer categories: `among` leaves out empty ones"
        if self.cells is not None or size**2 > MANY_CELLS:
            own = self.listed
            first, second = own.pairs
            cells = place[first] * size + place[second]
            order = np.argsort(cells)
            counts, squares = own.counts[..., order], own.squares[order]
            return replace(own, categories=categories, counts=counts, squares=squares, cells=cells[order])
        into = np.ix_(place, place)
        counts, squares = np.zeros((*self.counts.shape[:-2], size, size)), np.zeros((size, size))
        counts[..., into[0], into[1]] = self.counts
        squares[into] = self.squares
        return replace(self, categories=categories, counts=counts, squares=squares)

    def among(self, categories: tuple[str, ...]) -> Self:
        """The same counts over these categories; those of its own that are not among them must be empty."""
        known = positions(self.categories, categories) >= 0
        if known.all():
            return self.aligned(categories)
        left_out = np.concatenate([self.squares[~known].ravel(), self.squares[:, ~known].ravel()])
        assert self.cells is None, "only of tables with all their zeros"
        assert not left_out.any(), "a category with rows must stay"
        kept = tuple(category for category, stays in zip(self.categories, known, strict=True) if stays)
        counts, squares = self.counts[..., known, :][..., known], self.squares[known][:, known]
        return replace(self, categories=kept, counts=counts, squares=squares).aligned(categories)

    @property
    def seen(self) -> tuple[str, ...]:
        """The categories with rows: a slice has those of all slices, and prior mass belongs in its own."""
        occurs = np.flatnonzero(self.squares.any(axis=0) | self.squares.any(axis=1))
        return tuple(self.categories[place] for place in occurs.tolist())

    @property
    def listed(self) -> Self:
        """The same table with the pairs that occur listed."""
        if self.cells is not None:
            return self
        size = len(self.categories)
        counts, squares = self.counts.reshape(*self.counts.shape[:-2], size**2), self.squares.reshape(-1)
        cells = np.flatnonzero(squares + (counts != 0).reshape(-1, size**2).any(0))
        return replace(self, counts=counts[..., cells], squares=squares[cells], cells=cells)

    @cached_property
    def squared(self) -> Self:
        """The table of squared case weights."""
        return self.with_counts(self.squares)

    def _spread(self, cells: Codes) -> tuple[Array, Array]:
        """Counts and squares over more cells, zeros where absent."""
        assert self.cells is not None, "only where cells are listed"
        place = np.searchsorted(cells, self.cells)
        counts, squares = np.zeros((*self.counts.shape[:-1], len(cells))), np.zeros(len(cells))
        counts[..., place], squares[place] = self.counts, self.squares
        return counts, squares

    def amounts_in_cells_of(self, other: Self, amounts: Array, otherwise: float) -> Array:
        """An amount for each cell of this table, in the order of another's cells, which may be others."""
        if self.cells is None or other.cells is None:
            return amounts
        every = np.full(len(other.cells), otherwise)
        known = np.isin(self.cells, other.cells)
        every[np.searchsorted(other.cells, self.cells[known])] = amounts[known]
        return every

    def with_counts(self, counts: Array) -> Self:
        """The same cells, counted otherwise."""
        return replace(self, counts=counts)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells; for "bayesian", with prior mass in all of them."""
        size, random = len(self.categories), generator(seed, stream)
        if kind != "bayesian" or not size:
            return self._drawn(kind, replicates, random)
        if self.cells is not None:
            return self._drawn(kind, replicates, random)._with_prior(1.0, random)
        if (seen := self.seen) != self.categories:
            return self.among(seen).resampled(kind, replicates, seed, stream).aligned(self.categories)
        drawn_counts = draw_smoothed(self.counts.reshape(-1), PRIOR_MASS, replicates, random)
        return replace(self, counts=drawn_counts.reshape(replicates, size, size))

    def drawn(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells, without prior mass."""
        return self._drawn(kind, replicates, generator(seed, stream))

    def _drawn(self, kind: str, replicates: int, random: np.random.Generator) -> Self:
        """Of listed cells, the same draws as of the whole table, of what is not empty."""
        size = len(self.categories)
        if self.cells is None:
            counts = draw_cells(self.counts.reshape(-1), kind, replicates, random)
            return replace(self, counts=counts.reshape(replicates, size, size))
        occupied = np.flatnonzero(self.counts)
        counts = draw_cells(self.counts[occupied], kind, replicates, random, among=size**2)
        return replace(self, counts=counts, squares=self.squares[occupied], cells=self.cells[occupied])

    def _with_prior(self, unit: float, random: np.random.Generator) -> Self:
        """Replicates in listed cells with prior mass, in units of a row, in any cell."""
        assert self.cells is not None, "only where cells are listed"
        size = len(self.categories)
        cells, counts = with_prior_atoms(self.cells, self.counts, size, PRIOR_MASS, random, unit=unit)
        squares = np.zeros(len(cells))
        squares[np.searchsorted(cells, self.cells)] = self.squares
        return replace(self, counts=counts, squares=squares, cells=cells)

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    @property
    def unseen_row(self) -> float:
        """What a row weighs that was not seen and would matter: Σw² / Σw times the root of Kish's design effect.

        Where few rows are heavy these decide, which weigh Σw³ / Σw²; that is about n^½ (Σw²)^1.5 / (Σw)².
        """
        by_weight = float(np.nan_to_num(ratio(self.squares.sum(), self.total)))
        if np.allclose(self.squares, self.counts, atol=0.0):  # some tables leave out rows that `rows` counts
            return by_weight
        effect = float(np.nan_to_num(ratio(self.rows * by_weight, self.total)))
        return by_weight * math.sqrt(max(effect, 1.0))

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    def with_draws(self, draws: Self) -> Self:
        """Replicates over the categories of this table; drawn with other systems, they have labels of those too."""
        return draws.among(self.categories)

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Bayesian replicates made of rows, with prior mass in units of an unseen row of `plain` added."""
        size, one_row = len(self.categories), plain.unseen_row
        if self.cells is not None:
            return self._with_prior(one_row, generator(seed, stream))
        if (seen := plain.seen) != self.categories:
            return self.among(seen).smoothed(plain.among(seen), seed, stream).aligned(self.categories)
        prior = generator(seed, stream).standard_gamma(prior_of_pairs(size, PRIOR_MASS), size=self.counts.shape)
        return replace(self, counts=self.counts + prior * one_row)

    def without_one(self) -> tuple[Self, Array]:
        """The table without one row of each occupied cell, and how many rows that cell has."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        check_size(len(occupied) * len(cells), f"{len(self.categories):,} labels, without each kind of row in turn")
        left = np.tile(cells, (len(occupied), 1))
        left[np.arange(len(occupied)), occupied] -= 1
        return replace(self, counts=left.reshape(-1, *self.counts.shape)), cells[occupied]

    @property
    def minority(self) -> float:
        """How many rows lie outside the commonest reference category."""
        size = len(self.categories)
        return self.rows * float(1 - ratio(self.reference_total.max(initial=0), self.total)) if size else 0.0

    @property
    def put_right(self) -> Self:
        """The same rows, had every prediction been the reference."""
        each, squares, size = self.reference_total, self.squared.reference_total, len(self.categories)
        if self.cells is None:
            return replace(self, counts=np.eye(size) * each[..., None], squares=np.diag(squares))
        return replace(self, counts=each, squares=squares, cells=np.arange(size) * (size + 1))


@lru_cache(maxsize=256)
def _united(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    """The categories of two tables in their order: many tables of the same are added."""
    return ordered_labels({*a, *b})


# Tables of all levels are counted at once up to this many cells.
MOST_COUNTED = 2**20
