"""Rows of numbers that were measured of each unit: the distinct ones, and how many units have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.measured_columns import MeasuredColumns, measured_columns
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.numbers.distribution import Distribution
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class NumberRows(OfArrays[MeasuredColumns, None], Kinds[MeasuredColumns, None]):
    """The distinct rows of a few numbers, rising, and the weight of the units that have them.

    What is not a sum, such as a quantile, is a formula of these; so is a ratio of two columns. A unit with a number
    missing is not counted.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.

    >>> rows = NumberRows.of_arrays([3.0, 1.0, 3.0], [1, 0, 1])
    >>> rows.values.tolist(), rows.counts.tolist(), float(rows.mean(0))
    ([[1.0, 0.0], [3.0, 1.0]], [1.0, 2.0], 2.3333333333333335)
    """

    values: Array  # (V, columns)
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int
    clusters: Keys | None = None  # (V,), whose units each row has; then each row is one unit

    read_arrays = staticmethod(measured_columns)

    @classmethod
    def summing(cls, judgements: MeasuredColumns, pilot: None = None) -> Callable[[Weights], NumberRows]:
        """What turns weights into counts of these units; the distinct rows are worked out once."""
        kept = np.flatnonzero(~np.isnan(judgements.values).any(axis=1))
        values, place = _distinct(judgements.values[kept])
        complete = len(kept) == len(judgements)

        def sums(weights: Weights) -> NumberRows:
            used = weights if complete else weights.of_rows(kept)
            counts, squares = used.sums_by(place, len(values))
            return cls(values, counts, squares, used.rows)

        return sums

    def in_clusters(self, columns: MeasuredColumns, weights: Array, clusters: Keys) -> Self:
        """The same units row by row, each of its cluster: what is left out together. They are not added to others."""
        kept = ~np.isnan(columns.values).any(axis=1)
        values, counts = columns.values[kept], weights[kept]
        return replace(self, values=values, counts=counts, squares=counts**2, clusters=clusters[kept])

    def __add__(self, other: Self) -> Self:
        assert self.clusters is None, "units of clusters are not added"
        values, place = _distinct(np.concatenate([self.values, other.values]))
        return replace(self, values=values, **self.counted_with(other, place, len(values)))

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were counted in these rows."""
        return self.with_counts(draws.counts)

    def sum(self, column: int) -> Array:
        """The weighted sum of a column, (…)."""
        return steady_product(self.counts, self.values[:, column])

    def mean(self, column: int) -> Array:
        """The mean of a column, (…); NaN without units."""
        centre = float(np.median(self.values[:, column])) if len(self.values) else 0.0
        return np.asarray(centre + ratio(steady_product(self.counts, self.values[:, column] - centre), self.total))

    def covariance(self, one: int, other: int) -> Array:
        """The mean product of deviations of two columns, (…); divisor n."""
        products = (self.values[:, one] - self.mean(one)[..., None]) * (
            self.values[:, other] - self.mean(other)[..., None]
        )
        return np.asarray(ratio((self.counts * products).sum(-1), self.total))

    @cached_property
    def distribution(self) -> Distribution:
        """The first column as a distribution."""
        return Distribution(self.values[:, 0], self.counts, self.squares)


def _distinct(values: Array) -> tuple[Array, Codes]:
    """The distinct rows in their order, and each unit's place among them."""
    if values.shape[1] == 1:
        distinct, place = np.unique(values[:, 0], return_inverse=True)
        return distinct[:, None], place.reshape(-1)
    order = np.lexsort(values.T[::-1])
    ranked = values[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(begins) - 1
    return ranked[begins], place
