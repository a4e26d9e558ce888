"""The units themselves, two values each: what a function of two arrays is a formula of.

Units with the same two values are one row with its weight, so that a replicate is other weights of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import label_text, number_in
from adjudge.data.judgements.value_columns import Column, ValueColumns
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.cells import MULTINOMIAL_CELLS, draw_cells, draw_rows, generator
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class ValuePairs(OfArrays[Judgements | ValueColumns, None], Kinds[Judgements | ValueColumns, None]):
    """The distinct pairs of a reference and a prediction, in their order, and the weight of the units that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.

    >>> pairs = ValuePairs.of_arrays([1, 2, 1], [1, 2, 1])
    >>> pairs.first.tolist(), pairs.counts.tolist()
    ([1.0, 2.0], [2.0, 1.0])
    """

    holds_units: ClassVar[bool] = True  # it grows with the number of units
    column: ClassVar[str] = "prediction"  # of judgements, the one beside the reference

    first: Column  # (V,), numbers or text
    second: Column  # (V,)
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int

    read_arrays = ValueColumns.of_arrays

    @classmethod
    def summing(cls, judgements: Judgements | ValueColumns, pilot: None = None) -> Callable[[Weights], ValuePairs]:
        """What turns weights into counts of these units; the distinct pairs are worked out once."""
        given = ValueColumns.of(judgements, cls.column) if isinstance(judgements, Judgements) else judgements
        first, second, place = _distinct(given.first, given.second)

        def sums(weights: Weights) -> ValuePairs:
            counts, squares = weights.sums_by(place, len(first))
            return cls(first, second, counts, squares, weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        first, second = (_joined(*both) for both in ((self.first, other.first), (self.second, other.second)))
        first, second, place = _distinct(first, second)
        return replace(self, first=first, second=second, **self.counted_with(other, place, len(first)))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Units drawn with replacement: whole ones, since a function may need each of them, but for "bayesian"."""
        random, total = generator(seed, stream), self.counts.sum()
        if kind == "bayesian" or total == 0:
            return self.with_counts(draw_cells(self.counts, kind, replicates, random))
        if kind == "poisson":
            return self.with_counts(random.poisson(self.counts, (replicates, len(self.counts))).astype(np.float64))
        if len(self.counts) > MULTINOMIAL_CELLS:
            return self.with_counts(draw_rows(self.counts, replicates, random))
        return self.with_counts(random.multinomial(int(total), self.counts / total, replicates).astype(np.float64))

    def calls(self, function: Callable[[Column, Column, Array], float]) -> Array:
        """A function of the values that count and their weights, once for each leading entry, (…)."""
        first, second = _as_given(self.first, self.second)
        stack = self.counts.reshape(-1, self.counts.shape[-1])
        values = [function(first[used := weights > 0], second[used], weights[used]) for weights in stack]
        return np.array(values, dtype=np.float64).reshape(self.counts.shape[:-1])


class ScoredPairs(ValuePairs):
    """The distinct pairs of a reference and a score."""

    column: ClassVar[str] = "score"


def _distinct(first: Column, second: Column) -> tuple[Column, Column, Codes]:
    """The distinct pairs in their order, and each unit's place among them."""
    (a, i), (b, j) = (np.unique(values, return_inverse=True) for values in (first, second))
    keys, place = np.unique(i.reshape(-1) * max(len(b), 1) + j.reshape(-1), return_inverse=True)
    return a[keys // max(len(b), 1)], b[keys % max(len(b), 1)], place.reshape(-1)


def _joined(one: Column, other: Column) -> Column:
    """Both columns, one after the other; numbers beside text are text."""
    if one.dtype == other.dtype:
        return np.concatenate([one, other])
    return np.concatenate([_as_text(one), _as_text(other)])


def _as_text(values: Column) -> NDArray[np.object_]:
    if values.dtype == object:
        return values
    return np.array([label_text(value) for value in values.tolist()], dtype=object)


def _as_given(*columns: Column) -> list[Column]:
    """Labels that all spell numbers as numbers, whichever part of a table they came from; other columns as they are."""
    labels = [column for column in columns if column.dtype == object]
    numbers = all(number_in(label) is not None for column in labels for label in column)
    kind = np.float64 if numbers else np.str_
    return [column.astype(kind) if column.dtype == object else column for column in columns]
