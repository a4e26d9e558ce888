"""One weight per unit: case weights and explicit draws, and the sums they give.

A draw is a column of multiplicities, one per row. Its value for a row is a pure function of
(seed, replicate, unit key), so it is the same whatever the batches, the order of the engine's work or
the number of systems measured under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cubes.bags import bags_in
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.keys import Keys, mixed
from adjudge.statistics.base import Array, steady_product
from adjudge.statistics.cells import draw_gamma, draw_poisson, generator

# Draws are made tile by tile, in no more bytes than this: what one tile took then serves the next. Where units come
# again, a tile has at most so many times as many draws as it would have of rows: what is summed takes room, too.
TILE_BYTES = 24 * 2**20
MORE_DRAWS = 4
# Units are looked for among so many of the first, to see whether any comes again.
FIRST_UNITS = 2**12
# Bits are drawn so many words at a time: they stay in fast memory until they are looked up.
TILE_PART = 2**14

Summed = TypeVar("Summed")


@dataclass(frozen=True, slots=True)
class Weights:
    """What each row counts: its case weight, times its multiplicity in each draw.

    `times` is how many rows each stands for, which `rows` counts; their weights are in `case` and, squared, `squares`.
    """

    rows: int
    case: Array | None = None
    draws: NDArray[np.floating] | None = None  # (units, draws), single precision where they are counts
    times: NDArray[np.int64] | None = None
    squares: Array | None = None
    unit: NDArray[np.intp] | None = None  # which unit of the draws each row is of; None: each is its own

    @classmethod
    def standing_for(cls, times: NDArray[np.int64], case: Array | None = None, squares: Array | None = None) -> Weights:
        """Rows that stand for several each, and what these weigh together."""
        return cls(int(times.sum()), case, times=times, squares=squares)

    @property
    def is_one_each(self) -> bool:
        """Whether every row counts one."""
        return self.case is None and self.draws is None and self.times is None

    @property
    def amounts(self) -> Array:
        """What each row, or all that it stands for, weighs.

        >>> Weights.standing_for(np.array([2, 3])).amounts
        array([2., 3.])
        """
        if self.case is not None:
            return self.case
        return np.ones(self.rows) if self.times is None else self.times.astype(np.float64)

    @property
    def squared(self) -> Array:
        """The squared weights of each row, or of all that it stands for."""
        if self.squares is not None:
            return self.squares
        return self.amounts if self.case is None else self.case**2

    @property
    def leading(self) -> tuple[int, ...]:
        """The leading axes of what is summed: one when there are draws."""
        return () if self.draws is None else self.draws.shape[1:]

    def sum_by(self, cells: NDArray[np.int64], size: int) -> Array:
        """Total weight in each cell, (…, size): one leading axis when there are draws.

        >>> Weights(3).sum_by(np.array([0, 1, 1]), 2)
        array([1., 2.])
        """
        if self.draws is None:
            amounts = self.times if self.case is None else self.case
            return np.bincount(cells, weights=amounts, minlength=size).astype(np.float64)
        from scipy.sparse import csc_array, csr_array

        # Without case weights sums are made in the precision of the draws: of counts, single, which is exact.
        amounts = np.ones(self.rows, dtype=self.draws.dtype) if self.case is None else self.case
        if self.unit is None:
            one_entry_a_row = np.arange(self.rows + 1)
            table = csc_array((amounts, cells, one_entry_a_row), shape=(size, self.rows))
        else:
            table = csr_array((amounts, (cells, self.unit)), shape=(size, len(self.draws)))
        return np.ascontiguousarray((table @ self.draws).T, dtype=np.float64)

    def sums_by(self, cells: NDArray[np.int64], size: int) -> tuple[Array, Array]:
        """Total weight in each cell, (…, size), and the sum of squared case weights: what the effective size needs.

        >>> [sums.tolist() for sums in Weights(2, np.array([1.0, 3.0])).sums_by(np.array([1, 1]), 2)]
        [[0.0, 4.0], [0.0, 10.0]]
        """
        counts = self.sum_by(cells, size)
        if self.case is None and self.draws is None:
            return counts, counts
        each = self.squares if self.squares is not None or self.case is None else self.case**2
        squares = np.bincount(cells, weights=each, minlength=size)
        return counts, squares.astype(np.float64)

    def rows_by(self, levels: NDArray[np.integer], size: int) -> list[int]:
        """How many rows each level has.

        >>> Weights.standing_for(np.array([2, 3])).rows_by(np.array([1, 1]), 2)
        [0, 5]
        """
        return [int(many) for many in np.bincount(levels, weights=self.times, minlength=size).tolist()]

    def total(self, values: Array) -> Array:
        """Weighted sum of a value over the rows, (…)."""
        weighted = values if self.case is None and self.times is None else values * self.amounts
        if self.draws is None:
            return np.asarray(weighted.sum())
        return steady_product(self.by_unit(weighted[:, None])[:, 0], self.draws)

    def by_unit(self, values: Array) -> Array:
        """Values of rows, (rows, D), added up for each unit that is drawn.

        >>> Weights(3, draws=np.ones((2, 1)), unit=np.array([0, 1, 0])).by_unit(np.eye(3)).tolist()
        [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
        """
        if self.unit is None or self.draws is None:
            return values
        size = len(self.draws)
        return np.stack([np.bincount(self.unit, column, size) for column in values.T], axis=1).astype(np.float64)

    def of_rows(self, rows: NDArray[np.int64]) -> Weights:
        """The weights of some of the rows."""
        if self.times is not None:
            parts = (None if one is None else one[rows] for one in (self.case, self.squares))
            return Weights.standing_for(self.times[rows], *parts)
        return Weights(
            len(rows),
            None if self.case is None else self.case[rows],
            self.draws if self.draws is None or self.unit is not None else self.draws.take(rows, axis=0),
            unit=None if self.unit is None else self.unit[rows],
        )


def counting(
    ratings: Ratings, summing: Callable[[Ratings], Callable[[Weights], Summed]]
) -> Callable[[Weights], Summed]:
    """What turns weights into sums of ratings, without the categories that only items of no weight have."""
    every = summing(ratings)

    def sums(weights: Weights) -> Summed:
        counted = ratings.counting(weights.case)
        return (every if counted is ratings else summing(counted))(weights)

    return sums


def sums_by_kind(ratings: Ratings, weights: Weights, place: NDArray[np.int64], size: int) -> tuple[Array, Array]:
    """Total weight of the items whose kind goes to each place, (…, size), and the sum of its squares.

    Items that count one each are counted by kind first.

    >>> twice = Ratings(np.array([[0], [1], [2]]), ("a", "b", "c"), ("ann",), kind=np.array([2, 0, 2, 1]))
    >>> sums_by_kind(twice, Weights(4), np.array([0, 0, 1]), 2)[0].tolist()
    [2.0, 2.0]
    """
    if ratings.kind is None or not weights.is_one_each:
        return weights.sums_by(ratings.of_items(place), size)
    items = np.bincount(ratings.kind, minlength=len(place))
    return Weights.standing_for(items).sums_by(place, size)


def summed_by(amounts: Array, place: NDArray[np.int64], size: int) -> Array:
    """Amounts in cells, (…, cells), of all cells that go to the same place, (…, size).

    >>> summed_by(np.array([[1.0, 2.0, 4.0]]), np.array([1, 0, 1]), 2)
    array([[2., 5.]])
    """
    if amounts.ndim == 1:
        return np.bincount(place, weights=amounts, minlength=size).astype(np.float64)
    from scipy.sparse import csr_array

    into = csr_array((np.ones(len(place)), place, np.arange(len(place) + 1)), shape=(len(place), size))
    return np.asarray(amounts @ into)


@dataclass(frozen=True, slots=True)
class Draws:
    """How explicit multiplicities are made: `kind` is poisson or bayesian, jackknife, or bags, each left out once."""

    kind: str
    replicates: int
    seed: int

    def tiles(self, keys: Keys, case: Array | None, times: NDArray[np.int64] | None = None) -> Iterator[Weights]:
        """The weights of these units, a few replicates at a time; a unit that comes again is drawn once.

        `times` is how many units each stands for, where each of these is drawn by itself.
        """
        if times is not None:
            yield from self._tiles_of_cells(times)
            return
        plain, single = Weights(len(keys), case), case is None and self.kind == "poisson"
        units, place = _distinct(keys)
        unit_count = max(len(units), len(keys) // MORE_DRAWS, 1)
        step = max(4, TILE_BYTES // ((4 if single else 8) * unit_count) // 4 * 4)
        for start in range(0, self.replicates, step):
            draws = self.of_units(units, start, min(start + step, self.replicates), single=single)
            yield replace(plain, draws=draws, unit=place)

    def _tiles_of_cells(self, times: NDArray[np.int64]) -> Iterator[Weights]:
        """The same of cells: Poisson counts add up to one with a larger mean, exponential weights to a Gamma one."""
        counts, random = times.astype(np.float64), generator(self.seed, f"cells/{self.kind}")
        draw = draw_gamma if self.kind == "bayesian" else draw_poisson
        step = max(4, TILE_BYTES // (8 * max(len(times), 1)))
        for start in range(0, self.replicates, step):
            replicate_draws = draw(counts, min(step, self.replicates - start), random)
            yield Weights(len(times), counts, np.ascontiguousarray((replicate_draws / np.maximum(counts, 1)).T))

    def of_units(self, keys: Keys, start: int, stop: int, *, single: bool = True) -> NDArray[np.floating]:
        """Multiplicities of units in the replicates from start to stop, (units, stop - start).

        Counts are of single precision unless they are to be multiplied with what is not.

        >>> from adjudge.data.keys import keys_of_rows
        >>> Draws("poisson", 4, seed=1).of_units(keys_of_rows(0, 3), 0, 4).shape
        (3, 4)
        """
        if self.kind in ("jackknife", "bags"):
            group = (keys % np.uint64(self.replicates) if self.kind == "jackknife" else bags_in(keys))[:, None]
            return np.asarray(group != np.arange(start, stop, dtype=np.uint64), dtype=np.float64)
        first = start // 4
        blocks = np.arange(first, -(-stop // 4), dtype=np.uint64)
        streams = mixed(blocks + np.uint64(self.seed * 0x9E3779B97F4A7C15 % 2**64))
        quantiles, columns = quantiles_of(self.kind), slice(start - 4 * first, stop - 4 * first)
        quantiles = quantiles if single else quantiles.astype(np.float64, copy=False)
        counts = np.empty((len(keys), stop - start), dtype=quantiles.dtype)
        rows = max(TILE_PART // max(len(blocks), 1), 1)
        for place in range(0, len(keys), rows):
            bits = mixed(keys[place : place + rows, None] ^ streams).astype("<u8", copy=False).view("<u2")
            np.take(quantiles, bits[:, columns], out=counts[place : place + rows], mode="clip")
        return counts


def _distinct(keys: Keys) -> tuple[Keys, NDArray[np.intp] | None]:
    """The units, and which of them each row is; the rows themselves where few of them come again."""
    first = np.sort(keys[:FIRST_UNITS])
    if not (first[1:] == first[:-1]).any():
        return keys, None
    units, place = np.unique(keys, return_inverse=True)
    return (units, place) if 2 * len(units) <= len(keys) else (keys, None)


@cache
def quantiles_of(kind: str) -> NDArray[np.floating]:
    """The weight for each of 65,536 equally likely values: Poisson(1), or Exponential(1) for "bayesian".

    Counts are held in single precision, in which those of a block of rows add up exactly, in half the time.
    """
    levels = (np.arange(65_536) + 0.5) / 65_536
    if kind == "bayesian":
        exponential = -np.log1p(-levels)
        return np.asarray(exponential / exponential.mean())
    counts = np.arange(12)
    factorials = np.concatenate([[1.0], np.cumprod(counts[1:], dtype=np.float64)])
    below = np.cumsum(np.exp(-1.0) / factorials)
    return np.searchsorted(below, levels).astype(np.float32)
