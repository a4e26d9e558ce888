"""Weighted sums of several named values per unit, and what is needed to resample them all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.keys import Keys
from adjudge.errors import SettingError, listed
from adjudge.statistics.base import STEADY, Array, Sums, steady_product
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.weights import Weights

# Up to this many units their own values are kept, and replicates are the exact bootstrap.
MOST_KEPT = 4_096
# Units × replicates drawn at a time.
TILE_DRAWS = 2**20


@dataclass(frozen=True)
class LinearSums(Sums):
    """Totals of named values over units, with the sums of products from which replicates are drawn.

    A unit is a row, or all rows of a cluster: what is resampled together. Clusters must not be cut between parts.

    Laws: (a + b) + c == a + (b + c), a + b == b + a up to the order of units; collecting two parts and adding
    equals collecting the whole; integer weights give the totals of repeated rows. Units are kept while there are
    few of them, whatever the parts were, so replicates depend on the whole alone, and not on its order.

    >>> sums = LinearSums.collect(("one", "x"), np.array([[1.0, 2.0], [1.0, 5.0]]), Weights(2))
    >>> sums.totals, (sums + sums).rows
    (array([2., 7.]), 4)
    """

    names: tuple[str, ...]
    totals: Array  # (…, D)
    products: Array  # (D, D)
    kept: Array | None  # (units, D)
    rows: int
    units: int

    @classmethod
    def collect(cls, names: Sequence[str], values: Array, weights: Weights, unit_keys: Keys | None = None) -> Self:
        """Sum the rows' values, (rows, D), by cluster where unit keys are given."""
        weighted = values if weights.case is None else values * weights.case[:, None]
        units = weighted if unit_keys is None else _by_cluster(weighted, unit_keys)
        totals = units.sum(0) if weights.draws is None else weights.draws.T @ weighted
        kept = units if len(units) <= MOST_KEPT else None
        return cls(tuple(names), totals, _products(units), kept, len(values), len(units))

    def __add__(self, other: Self) -> Self:
        if self.names != other.names:
            raise SettingError(f"Sums must be of the same values, but {listed(self.names)} differ.")
        both = self.units + other.units
        has_all = self.kept is not None and other.kept is not None and both <= MOST_KEPT
        kept = np.concatenate([self.kept, other.kept]) if has_all else None
        return replace(
            self,
            totals=self.totals + other.totals,
            products=self.products + other.products,
            kept=kept,
            rows=self.rows + other.rows,
            units=both,
        )

    def without(self, part: Self) -> Self:
        """The sums of the other units, for normal draws: their own values are not kept."""
        return replace(
            self,
            totals=self.totals - part.totals,
            products=self.products - part.products,
            kept=None,
            rows=self.rows - part.rows,
            units=max(self.units - part.units, 1),
        )

    def only(self, names: Sequence[str]) -> Self:
        """The sums of some of the values."""
        chosen = [self.places[name] for name in names]
        kept = None if self.kept is None else self.kept[:, chosen]
        products = self.products[np.ix_(chosen, chosen)]
        return replace(self, names=tuple(names), totals=self.totals[..., chosen], products=products, kept=kept)

    def over(self, names: Sequence[str]) -> Self:
        """The sums of these values; one that was not summed is 0 everywhere."""
        if tuple(names) == self.names:
            return self
        place = np.array([self.places.get(name, -1) for name in names], dtype=np.int64)

        def chosen(values: Array) -> Array:
            return np.asarray(np.concatenate([values, np.zeros((*values.shape[:-1], 1))], axis=-1)[..., place])

        kept = None if self.kept is None else chosen(self.kept)
        products = chosen(chosen(self.products).T).T
        return replace(self, names=tuple(names), totals=chosen(self.totals), products=products, kept=kept)

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        kept = None if self.kept is None else self.kept * unit
        return replace(self, totals=self.totals * unit, products=self.products * unit**2, kept=kept)

    def mapped(self, matrix: Array) -> Self:
        """The sums of other values, each a fixed combination of these: values @ matrix."""
        kept = None if self.kept is None else self.kept @ matrix
        return replace(self, totals=self.totals @ matrix, products=matrix.T @ self.products @ matrix, kept=kept)

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each value stands."""
        return {name: place for place, name in enumerate(self.names)}

    def of(self, name: str) -> Array:
        """The total of one value, (…)."""
        return np.asarray(self.totals[..., self.places[name]])

    def squares_of(self, name: str) -> Array:
        """The sum of one value's squares over units."""
        return np.asarray(self.products[self.places[name], self.places[name]])

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of the totals, (replicates, D), all values drawn together.

        While the units are kept this is their bootstrap. Beyond, the totals of a bootstrap are as good as normal,
        and are drawn from the normal distribution with the bootstrap's own mean and covariance: Σ g gᵀ − T Tᵀ / n
        when the number of units is held (multinomial, bayesian), Σ g gᵀ when it is not (poisson).
        """
        random = generator(seed, stream)
        if self.kept is not None:
            return replace(self, totals=_bootstrap(self.kept, kind, replicates, random))
        covariance = self.products
        if kind != "poisson":
            covariance = covariance - np.outer(self.totals, self.totals) / self.units
        normal = random.standard_normal((replicates, len(self.names)))
        return replace(self, totals=self.totals + steady_product(normal, _square_root(covariance)))

    def without_one(self) -> tuple[Self, Array]:
        """The totals without each unit in turn; as they are, which means no acceleration, when units are not kept."""
        if self.kept is None:
            return replace(self, totals=self.totals[None]), np.array([float(self.units)])
        return replace(self, totals=self.totals - self.kept), np.ones(self.units)

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same units, one after another."""
        return replace(parts[0], totals=np.concatenate([part.totals for part in parts]))

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, totals=self.totals[start:stop])


def _by_cluster(values: Array, keys: Keys) -> Array:
    """The sum of the rows of each cluster, clusters in the order of their keys."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=keys[order][:1] + np.uint64(1)))
    return np.add.reduceat(values[order], starts, axis=0) if len(keys) else values


def _products(units: Array) -> Array:
    """Σ u uᵀ over the units, block by block."""
    size = units.shape[1]
    step = max(8, STEADY // max(size, 1) ** 2)
    total = np.zeros((size, size))
    for start in range(0, len(units), step):
        block = units[start : start + step]
        total += block.T @ block
    return total


def _bootstrap(units: Array, kind: str, replicates: int, random: np.random.Generator) -> Array:
    """Totals of drawn units."""
    count, size = units.shape
    if count == 0:
        return np.zeros((replicates, size))
    units = _in_order(units) if size else units
    ones, step = np.ones(count), max(1, TILE_DRAWS // count)
    totals = np.empty((replicates, size))
    for start in range(0, replicates, step):
        stop = min(start + step, replicates)
        drawn = draw_cells(ones, kind, stop - start, random)
        if kind == "bayesian":
            drawn *= count / drawn.sum(1, keepdims=True)
        totals[start:stop] = steady_product(drawn, units)
    return totals


def _in_order(units: Array) -> Array:
    """Units in an order that neither the table's order nor the unit of the weights changes: equal units are alike.

    Half the digits decide first, since rescaled weights may differ in the last.
    """

    def places(values: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
        rows = np.ascontiguousarray(values)
        return np.argsort(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), kind="stable")

    exact = units[places(units)]
    with np.errstate(over="ignore"):
        return exact[places(exact.astype(np.float32))]


def _square_root(covariance: Array) -> Array:
    """A matrix whose product with its own transpose is the covariance, to one part in 10¹⁰ of each variance."""
    scale = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    inverse = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1.0), 0.0)
    correlation = covariance * np.outer(inverse, inverse)
    try:
        # Values that follow from one another make it singular; the mite that mends this is far below any interval.
        root = np.linalg.cholesky(correlation + 1e-10 * np.eye(len(scale))).T
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(correlation)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return np.asarray(root * scale)
