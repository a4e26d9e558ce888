"""What is read off a table of pairs of labels, by the names that formulas use: all pairs, or those that occur."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.errors import check_size
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.weights import summed_by


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


class LabelPairs:
    """How often pairs of labels met, each category the reference or the prediction; whoever inherits has the counts."""

    if TYPE_CHECKING:  # fields of the table itself; properties here would be taken for their defaults
        categories: tuple[str, ...]
        counts: Array
        cells: Codes | None

    @property
    def pairs(self) -> tuple[Codes, Codes]:
        """The reference and the prediction of each listed cell."""
        assert self.cells is not None, "only where cells are listed"
        first, second = np.divmod(self.cells, max(len(self.categories), 1))
        return first, second

    @property
    def dense(self) -> Array:
        """How often each prediction met each reference, (…, K, K)."""
        if self.cells is None:
            return self.counts
        size, leading = len(self.categories), self.counts.shape[:-1]
        check_size(math.prod(leading) * size**2, f"tables of {size:,} × {size:,} labels")
        table = np.zeros((*leading, size**2))
        table[..., self.cells] = self.counts
        return table.reshape(*leading, size, size)

    def answered(self, place: int) -> Array:
        """How often a label was predicted, by what the reference was, (…, K)."""
        if self.cells is None:
            return self.counts[..., place]
        first, second = self.pairs
        column = np.zeros((*self.counts.shape[:-1], len(self.categories)))
        column[..., first[second == place]] = self.counts[..., second == place]
        return column

    @property
    def possible_cells(self) -> int:
        """How many pairs of labels there are, listed or not: replicates are drawn in tiles by that."""
        return len(self.categories) ** 2

    @cached_property
    def total(self) -> Array:
        """All weight, (…)."""
        return np.asarray(self.counts.sum((-2, -1) if self.cells is None else -1))

    @property
    def agreed(self) -> Array:
        """Weight where prediction and reference are the same, (…)."""
        if self.cells is not None:
            return np.asarray(self.counts[..., self._on_diagonal].sum(-1))
        return np.asarray(np.trace(self.counts, axis1=-2, axis2=-1))

    @property
    def matched(self) -> Array:
        """The diagonal, (…, K)."""
        if self.cells is None:
            return np.diagonal(self.counts, axis1=-2, axis2=-1)
        diagonal = np.zeros((*self.counts.shape[:-1], len(self.categories)))
        diagonal[..., self.pairs[0][self._on_diagonal]] = self.counts[..., self._on_diagonal]
        return diagonal

    @cached_property
    def _on_diagonal(self) -> Codes:
        first, second = self.pairs
        return np.flatnonzero(first == second)

    @cached_property
    def reference_total(self) -> Array:
        """How often each category is the reference, (…, K)."""
        if self.cells is None:
            return np.asarray(self.counts.sum(-1))
        return summed_by(self.counts, self.pairs[0], len(self.categories))

    @cached_property
    def prediction_total(self) -> Array:
        """How often each category is predicted, (…, K)."""
        if self.cells is None:
            return np.asarray(self.counts.sum(-2))
        return summed_by(self.counts, self.pairs[1], len(self.categories))

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
