"""Weighted sums of several named values per unit, and what is needed to resample them all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.keys import Keys
from adjudge.errors import SettingError, listed
from adjudge.statistics.base import STEADY, Array, Replicated, Sums, steady_product
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.weights import Weights

# Up to this many units their own values are kept, and replicates are the exact bootstrap.
MOST_KEPT = 4_096
# What rounding leaves of a value that follows from those before it.
LEAST_PIVOT = 1e-11
# Units × replicates drawn at a time.
TILE_DRAWS = 2**20

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class LinearSums(Sums, Replicated):
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
    keys: Keys | None = None  # of the units that are kept, where they are clusters

    replicated: ClassVar[tuple[str, ...]] = ("totals",)

    @classmethod
    def collect(cls, names: Sequence[str], values: Array, weights: Weights, unit_keys: Keys | None = None) -> Self:
        """Sum the rows' values, (rows, D), by cluster where unit keys are given."""
        weighted = values if weights.case is None else values * weights.case[:, None]
        keys, units = (None, weighted) if unit_keys is None else by_cluster(weighted, unit_keys)
        totals = units.sum(0) if weights.draws is None else steady_product(weights.draws.T, weights.by_unit(weighted))
        kept = np.ascontiguousarray(units) if len(units) <= MOST_KEPT else None
        return cls(tuple(names), totals, _products(units), kept, len(values), len(units), keys)

    def __add__(self, other: Self) -> Self:
        if self.names != other.names:
            raise SettingError(f"Sums must be of the same values, but {listed(self.names)} differ.")
        if self.keys is not None and other.keys is not None and self.kept is not None and other.kept is not None:
            return self._with_clusters(other, self.keys, other.keys)
        return self._with_units([other])

    def with_all(self, others: Sequence[Self]) -> Self:
        """The same as adding the others one by one, sooner."""
        return self._with_units(others) if self.keys is None else reduce(add, others, self)

    def _with_units(self, others: Sequence[Self]) -> Self:
        """The sums of all parts, which have no unit in common."""
        parts = [self, *others]
        assert all(part.names == self.names for part in others), "sums of the same values"
        units, kept = sum(part.units for part in parts), [part.kept for part in parts if part.kept is not None]
        return replace(
            self,
            totals=reduce(np.add, [part.totals for part in parts]),
            products=reduce(np.add, [part.products for part in parts]),
            kept=np.concatenate(kept) if len(kept) == len(parts) and units <= MOST_KEPT else None,
            rows=sum(part.rows for part in parts),
            units=units,
            keys=None,
        )

    def _with_clusters(self, other: Self, keys: Keys, more: Keys) -> Self:
        """The sums of both parts, clusters that have rows in both put together; kept while they are few."""
        assert self.kept is not None
        assert other.kept is not None
        names, kept = by_cluster(np.concatenate([self.kept, other.kept]), np.concatenate([keys, more]))
        few, whole = len(names) <= MOST_KEPT, len(names) == len(keys) + len(more)
        return replace(
            self,
            totals=self.totals + other.totals,
            products=self.products + other.products if whole else _products(kept),
            kept=kept if few else None,
            rows=self.rows + other.rows,
            units=len(names),
            keys=names if few else None,
        )

    def without(self, part: Self, overlap: Overlap | None = None) -> Self:
        """The sums of the other rows. Clusters that have rows in the part and beside it need their overlap.

        Units stay kept where they have keys; otherwise replicates of the rest are normal draws.
        """
        products, inside = part.products, part.units
        if overlap is not None:
            products, inside = overlap.crossed + overlap.crossed.T - part.products, overlap.inside
        keys, kept = self._units_without(part)
        return replace(
            self,
            totals=self.totals - part.totals,
            products=self.products - products,
            kept=kept,
            rows=self.rows - part.rows,
            units=max(self.units - inside, 1) if kept is None else len(kept),
            keys=keys,
        )

    def _units_without(self, part: Self) -> tuple[Keys | None, Array | None]:
        """What is left of each kept unit, without those of which nothing is."""
        if self.keys is None or self.kept is None or part.keys is None or part.kept is None:
            return None, None
        order, left = np.argsort(self.keys), self.kept.copy()
        left[order[np.searchsorted(self.keys[order], part.keys)]] -= part.kept
        stays = left.any(1)
        return self.keys[stays], left[stays]

    def only(self, names: Sequence[str]) -> Self:
        """The sums of some of the values."""
        return self.at([self.places[name] for name in names], names)

    def at(self, chosen: Sequence[int], names: Sequence[str]) -> Self:
        """The sums of the values in these places, under new names; a place may stand for several."""
        places = np.array(chosen, dtype=np.int64)
        kept = None if self.kept is None else self.kept[:, places]
        products = self.products[places[:, None], places]
        return replace(self, names=tuple(names), totals=self.totals[..., places], products=products, kept=kept)

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
        kept = None if self.kept is None else steady_product(self.kept, matrix)
        products = steady_product(matrix.T, steady_product(self.products, matrix))
        return replace(self, totals=steady_product(self.totals, matrix), products=products, kept=kept)

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

    def squared(self, values: Mapping[str, float]) -> Array:
        """The sum over units of the square of what a unit adds to a combination of totals."""
        factors = np.zeros(len(self.names))
        for name, factor in values.items():
            factors[self.places[name]] += factor
        with np.errstate(over="ignore", invalid="ignore"):  # of the largest numbers, infinite
            return np.asarray(np.maximum(steady_product(steady_product(self.products, factors), factors), 0.0))

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
        return self._without_each, np.ones(self.units)

    @cached_property
    def _without_each(self) -> Self:
        assert self.kept is not None
        return replace(self, totals=self.totals - self.kept)


@dataclass(frozen=True, slots=True)
class Overlap(Sums):
    """What clusters with rows in a part of the table have in all of it: enough to leave the part's rows out of them.

    With W a cluster's values over all rows and S those over the part, (W − S)(W − S)ᵀ = WWᵀ − WSᵀ − SWᵀ + SSᵀ.
    """

    crossed: Array  # Σ W Sᵀ
    inside: int  # clusters all of whose rows are in the part

    @classmethod
    def of(cls, whole: tuple[Keys, Array, Counts], part: tuple[Keys, Array, Counts]) -> Self:
        """From clusters of all rows and of the part: keys, which rise, values, and how many rows each has."""
        place = np.searchsorted(whole[0], part[0])
        return cls(steady_product(whole[1][place].T, part[1]), int((whole[2][place] == part[2]).sum()))

    def __add__(self, other: Self) -> Self:
        return replace(self, crossed=self.crossed + other.crossed, inside=self.inside + other.inside)

    def scaled(self, unit: float) -> Self:
        """The same with all weights multiplied."""
        return replace(self, crossed=self.crossed * unit**2)

    def mapped(self, matrix: Array) -> Self:
        """The overlap of other values, each a fixed combination of these."""
        return replace(self, crossed=steady_product(matrix.T, steady_product(self.crossed, matrix)))


def by_cluster(values: Array, keys: Keys) -> tuple[Keys, Array]:
    """The keys of all clusters, rising, and the sums of the rows of each.

    >>> by_cluster(np.array([[1.0], [2.0], [4.0]]), np.array([7, 3, 7], dtype=np.uint64))[1].tolist()
    [[2.0], [5.0]]
    """
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=keys[order][:1] + np.uint64(1)))
    return keys[order][starts], np.add.reduceat(values[order], starts, axis=0) if len(keys) else values


def _products(units: Array) -> Array:
    """Σ u uᵀ over the units, block by block."""
    size = units.shape[1]
    if (step := STEADY // max(size, 1) ** 2) < 8:
        return steady_product(units.T, units)
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
        times = draw_cells(ones, kind, stop - start, random)
        if kind == "bayesian":
            times *= count / times.sum(1, keepdims=True)
        totals[start:stop] = steady_product(times, units)
    return totals


def _in_order(units: Array) -> Array:
    """Units in an order that neither the table's order nor the unit of the weights changes: equal units are alike.

    Half the digits decide first, since rescaled weights may differ in the last.
    """

    def places(values: NDArray[np.floating]) -> NDArray[np.int64]:
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
    return np.asarray(_cholesky(correlation) * scale)


def _cholesky(matrix: Array) -> Array:
    """Cholesky's root, upper triangle, of a matrix with ones in its diagonal; column by column, in a fixed order.

    Values that follow from one another make it singular; the mite that mends this is far below any interval.
    """
    left, root = matrix + 1e-10 * np.eye(len(matrix)), np.zeros_like(matrix)
    for place in range(len(matrix)):
        pivot = left[place, place]
        if pivot > LEAST_PIVOT:
            root[place, place:] = left[place, place:] / np.sqrt(pivot)
            row = root[place, place + 1 :]
            left[place + 1 :, place + 1 :] -= row[:, None] * row
    return root
