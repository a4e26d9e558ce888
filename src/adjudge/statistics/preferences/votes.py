"""Counts of what an annotator said against what the reference said of the same pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.votes import KINDS, MISSING, VotePairs, votes_of
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.cells import PRIOR_MASS, draw_cells, generator
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights

SIZE = len(KINDS)
CHOICE, ASKED = slice(0, 2), slice(0, MISSING)
# What each cell of the table adds to the five counts that metrics divide: (reference vote, vote, count).
AGREED, DISAGREED, CHOSEN, CHOSEN_OF_BOTH, BOTH_ASKED = range(5)


def _counted() -> Array:
    counted = np.zeros((SIZE, SIZE, 5))
    counted[[0, 1], [0, 1], AGREED] = 1
    counted[[0, 1], [1, 0], DISAGREED] = 1
    counted[CHOICE, :, CHOSEN] = 1  # the reference chose
    counted[ASKED, CHOICE, CHOSEN_OF_BOTH] = 1  # the annotator chose, and the reference was asked, too
    counted[ASKED, ASKED, BOTH_ASKED] = 1
    return counted.reshape(-1, 5)


COUNTED = _counted()


@dataclass(frozen=True)
class VoteTable(OfArrays[VotePairs, None]):
    """How often each vote of an annotator met each vote of the reference, weighted.

    Where pairs belong to prompts, `products` are sums over prompts of products of the five counts: what tells how much
    the pairs of a prompt have in common. Prompts must not be cut between parts.
    """

    counts: Array  # (…, 8, 8), rows are the reference
    squares: Array  # (8, 8), squared case weights
    rows: int
    products: Array | None = None  # (5, 5)
    prompts: int = 0

    read_arrays = staticmethod(votes_of)

    @classmethod
    def summing(cls, judgements: VotePairs, pilot: None = None) -> Callable[[Weights], VoteTable]:
        """What turns weights into counts of these pairs; the cells are worked out once."""
        cells = judgements.reference * SIZE + judgements.votes

        def sums(weights: Weights) -> VoteTable:
            counts, squares = weights.sums_by(cells, SIZE**2)
            products, prompts = None, 0
            if judgements.prompts is not None and weights.draws is None:
                products, prompts = _by_prompt(cells, judgements.prompts, weights, squares)
            shape = (*counts.shape[:-1], SIZE, SIZE)
            return cls(counts.reshape(shape), squares.reshape(SIZE, SIZE), weights.rows, products, prompts)

        return sums

    def __add__(self, other: Self) -> Self:
        mine, theirs = self.products, other.products
        return replace(
            self,
            counts=self.counts + other.counts,
            squares=self.squares + other.squares,
            rows=self.rows + other.rows,
            products=None if mine is None or theirs is None else mine + theirs,
            prompts=self.prompts + other.prompts,
        )

    def scaled(self, unit: float) -> Self:
        """The same pairs with all weights multiplied."""
        products = None if self.products is None else self.products * unit**2
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2, products=products)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells that are not empty; for "bayesian", with prior mass where both chose."""
        cells = self.counts.reshape(-1)
        if kind == "bayesian":
            prior = np.zeros((SIZE, SIZE))
            prior[CHOICE, CHOICE] = PRIOR_MASS / 4
            cells = cells + prior.reshape(-1)
        occupied = np.flatnonzero(cells)
        replicate_counts = np.zeros((replicates, SIZE**2))
        replicate_counts[:, occupied] = draw_cells(cells[occupied], kind, replicates, generator(seed, stream))
        return replace(self, counts=replicate_counts.reshape(replicates, SIZE, SIZE), products=None)

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Bayesian replicates made of pairs, with prior mass in units of a pair of `plain` added."""
        one_pair = np.nan_to_num(float(ratio(plain.squares.sum(), plain.total)))
        prior = generator(seed, stream).standard_gamma(PRIOR_MASS / 4, size=(*self.counts.shape[:-2], 2, 2))
        counts = self.counts.copy()
        counts[..., CHOICE, CHOICE] += prior * one_pair
        return replace(self, counts=counts)

    def without_one(self) -> tuple[Self, Array]:
        """The table without one pair of each occupied cell, and how many pairs that cell has."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        left = cells - np.eye(len(cells))[occupied]
        return replace(self, counts=left.reshape(-1, SIZE, SIZE), products=None), cells[occupied]

    @cached_property
    def total(self) -> Array:
        """The weight of all pairs, (…)."""
        return np.asarray(self.counts.sum((-2, -1)))

    @cached_property
    def effective_rows(self) -> Array:
        """Kish's effective number of pairs."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of what prompts vary by, Kish's number less one; infinite where pairs are alone."""
        if self.products is None or not 1 < self.prompts < self.rows:
            return math.inf
        of_prompts = float(ratio(self.both_asked**2, self.products[BOTH_ASKED, BOTH_ASKED]))
        return max(min(of_prompts, float(self.prompts)) - 1, 1.0) if of_prompts > 0 else math.inf

    @property
    def both_chose(self) -> Array:
        """Pairs in which both chose an answer, (…, 2, 2)."""
        return self.counts[..., CHOICE, CHOICE]

    @cached_property
    def _five(self) -> Array:
        """The five counts that metrics divide, (…, 5)."""
        cells = self.counts.reshape(-1, SIZE**2)
        return steady_product(cells, COUNTED).reshape(*self.counts.shape[:-2], 5)

    @property
    def agreed(self) -> Array:
        """Both chose the same answer, (…)."""
        return np.asarray(self._five[..., AGREED])

    @property
    def disagreed(self) -> Array:
        """Both chose, but not the same, (…)."""
        return np.asarray(self._five[..., DISAGREED])

    @property
    def reference_chose(self) -> Array:
        """Pairs in which the reference chose, whatever the annotator did, (…)."""
        return np.asarray(self._five[..., CHOSEN])

    @property
    def both_asked(self) -> Array:
        """Pairs that both were asked about, (…)."""
        return np.asarray(self._five[..., BOTH_ASKED])

    @property
    def chose(self) -> Array:
        """Pairs that both were asked about and in which the annotator chose, (…)."""
        return np.asarray(self._five[..., CHOSEN_OF_BOTH])

    def effect(self, above: Array, below: Array) -> float:
        """How many times too large the count of pairs is for a ratio of two of the five counts, given as weights.

        Kish's effect of case weights, times how much more the ratio varies between prompts than between pairs.
        """
        squares = self.squares.reshape(-1)
        whole = COUNTED @ below
        kish = float(ratio(squares @ whole, self.counts.reshape(-1) @ whole)) if self.counts.ndim == 2 else np.nan
        if self.products is None or not 1 < self.prompts < self.rows:
            return kish
        sums = self.counts.reshape(-1) @ COUNTED
        lean = above - float(np.nan_to_num(ratio(sums @ above, sums @ below))) * below
        rows = float((COUNTED @ lean) ** 2 @ squares)
        between = float(lean @ self.products @ lean) * self.prompts / (self.prompts - 1)
        return kish * max(1.0, between / rows) if rows > 0 else kish


def counts_of(*places: int) -> Array:
    """Some of the five counts, to be added: what `VoteTable.effect` takes."""
    return np.asarray(np.isin(np.arange(5), places), dtype=np.float64)


def _by_prompt(cells: Codes, prompts: Codes, weights: Weights, squares: Array) -> tuple[Array, int]:
    """Sums over prompts of products of the five counts, and how many prompts there are."""
    pairs = np.bincount(prompts)
    if pairs.max(initial=0) <= 1:  # each pair is a prompt of its own
        return COUNTED.T @ (squares[:, None] * COUNTED), len(prompts)
    counts = COUNTED[cells] if weights.case is None else COUNTED[cells] * weights.case[:, None]
    by_column = [np.bincount(prompts, weights=column, minlength=len(pairs)) for column in counts.T]
    sums = np.stack(by_column, axis=-1).astype(np.float64)
    return steady_product(sums.T, sums), int((pairs > 0).sum())
