"""Distinct values of one number with what their rows weigh: for medians, extremes and whatever is no sum.

Exact up to MOST_VALUES distinct values. Beyond, values are grouped by their leading bits, as few bits dropped as fit:
that does not depend on the order of rows, and a value is off by at most one part in 2 to the bits that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.grouping import leading_bits, levels_needed
from adjudge.statistics.weights import Weights

MOST_VALUES = 2**20
# A share of the weight that is this near to the one looked for is that one, but for rounding.
SAME_SHARE = 1e-12
SIGN = np.int64(0x7FFF_FFFF_FFFF_FFFF)


@dataclass(frozen=True)
class Distribution:
    """Weight at each distinct value of a number, values rising.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole;
    whole weights equal repeated rows.

    >>> spread = Distribution.collect(np.array([3.0, 1.0, 3.0, 8.0]), Weights(4))
    >>> spread.values.tolist(), spread.counts.tolist(), float(spread.quantile(0.5)), float(spread.highest)
    ([1.0, 3.0, 8.0], [1.0, 2.0, 1.0], 3.0, 8.0)
    """

    values: Array  # (V,)
    counts: Array  # (…, V)
    squares: Array  # (V,), squared case weights
    rows: int
    ends: tuple[float, float]  # lowest and highest value that counts
    level: int = 0  # last bits dropped from each value

    @classmethod
    def collect(cls, values: Array, weights: Weights) -> Self:
        """Sum the rows at each distinct value; one leading axis when the weights hold draws."""
        distinct, place = np.unique(values + 0.0, return_inverse=True)
        counts, squares = weights.sums_by(place.reshape(-1), len(distinct))
        used = values if weights.case is None else values[weights.case > 0]
        ends = (float(used.min()), float(used.max())) if used.size else (np.inf, -np.inf)
        return cls(distinct, counts, squares, len(values), ends).compressed()

    def __add__(self, other: Self) -> Self:
        ends = min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])
        both = replace(self, rows=self.rows + other.rows, ends=ends, level=max(self.level, other.level))
        if np.array_equal(self.values, other.values):
            return replace(both, counts=self.counts + other.counts, squares=self.squares + other.squares)
        joined = replace(
            both,
            values=np.concatenate([self.values, other.values]),
            counts=np.concatenate([self.counts, other.counts], axis=-1),
            squares=np.concatenate([self.squares, other.squares]),
        )
        return joined.sorted().compressed()

    def compressed(self) -> Self:
        """The same rows at few enough values."""
        if len(self.values) <= MOST_VALUES:
            return self
        return replace(self, level=levels_needed(self.values, self.level, MOST_VALUES)).sorted()

    def sorted(self) -> Self:
        """Values rising, and those that are the same to the bits that are kept as one."""
        order = np.argsort(self.values, kind="stable")
        groups = leading_bits(self.values[order], self.level)
        starts = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
        if not len(starts):
            return self
        counts, squares = (np.add.reduceat(of[..., order], starts, axis=-1) for of in (self.counts, self.squares))
        values = self.values[order][starts] if self.level == 0 else middles(groups[starts], self.level)
        return replace(self, values=values, counts=counts, squares=squares)

    @cached_property
    def sizes(self) -> Self:
        """The same rows without the sign of their values."""
        low, high = sorted(abs(end) for end in self.ends)
        ends = (low if self.ends[0] * self.ends[1] > 0 else 0.0, high)
        return replace(self, values=np.abs(self.values), ends=ends).sorted()

    def moved(self, origin: float) -> Self:
        """The same rows, their values counted from another origin."""
        ends = self.ends[0] - origin, self.ends[1] - origin
        return replace(self, values=self.values - origin, ends=ends, level=0)

    @cached_property
    def total(self) -> Array:
        """What the rows weigh together, (…)."""
        return np.asarray(self.counts.sum(-1))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    def quantile(self, share: float) -> Array:
        """The value below which this share of the weight lies, (…); between two values, their middle.

        >>> halves = Distribution.collect(np.array([1.0, 2.0, 4.0, 9.0]), Weights(4))
        >>> float(halves.quantile(0.5)), float(halves.quantile(0.6))
        (3.0, 4.0)
        """
        if not len(self.values):
            return np.full(self.counts.shape[:-1], np.nan)
        below = np.cumsum(self.counts, axis=-1)
        target, slack = (share * self.total)[..., None], SAME_SHARE * self.total[..., None]
        last = len(self.values) - 1
        first = np.minimum((below < target - slack).sum(-1), last)
        second = np.minimum((below <= target + slack).sum(-1), last)
        lower, upper = self.values[first], self.values[np.maximum(second, first)]
        return np.asarray(np.where(self.total > 0, lower + (upper - lower) / 2, np.nan))

    def reaching(self, share: float) -> Array:
        """The first value by which this share of the weight is reached, (…)."""
        below = np.cumsum(self.counts, axis=-1)
        place = (below < (share - SAME_SHARE) * self.total[..., None]).sum(-1)
        return np.asarray(self.values[np.minimum(place, len(self.values) - 1)])

    @property
    def highest(self) -> Array:
        """The highest value with a weight, (…); NaN without rows."""
        if self.counts.ndim == 1 and self.level:
            return np.asarray(self.ends[1])
        occupied = self.counts > 0
        top = np.where(occupied, self.values, -np.inf).max(-1, initial=-np.inf)
        return np.asarray(np.where(occupied.any(-1), top, np.nan))

    def mean_of(self, values: Array) -> Array:
        """The mean over rows of something that each value has, (…)."""
        return np.asarray(ratio((self.counts * values).sum(-1), self.total))

    def scaled(self, unit: float) -> Self:
        """The same values with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    def in_cells(self, starts: NDArray[np.int64]) -> Self:
        """The same rows in cells of neighbouring values, each at the mean of its rows."""
        counts, squares = (np.add.reduceat(of, starts, axis=-1) for of in (self.counts, self.squares))
        sums = np.add.reduceat(self.counts * self.values, starts)
        values = np.where(counts > 0, ratio(sums, counts), self.values[starts])
        return replace(self, values=values, counts=counts, squares=squares)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the values; rows that do not weigh one are drawn as rows of equal weight."""
        plain = np.array_equal(self.counts, self.squares)
        each = np.where(self.counts > 0, ratio(self.squares, self.counts), 1.0)
        units = self.counts if plain else self.counts / each
        kind = "poisson" if kind == "multinomial" and not plain else kind
        return replace(self, counts=draw_cells(units, kind, replicates, generator(seed, stream)) * each)

    def without_one(self) -> tuple[Self, Array]:
        """The values without one row of each that has any, and how many rows it has."""
        occupied = np.flatnonzero(self.counts)
        one = ratio(self.squares, self.counts)[occupied]
        left = np.repeat(self.counts[None], len(occupied), axis=0)
        left[np.arange(len(occupied)), occupied] -= one
        return replace(self, counts=left), self.counts[occupied] / one

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return replace(parts[0], counts=np.concatenate([part.counts for part in parts]))

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, counts=self.counts[start:stop])


def middles(groups: NDArray[np.int64], level: int) -> Array:
    """The value in the middle of each group of leading bits.

    >>> middles(leading_bits(np.array([1.0, -1.0]), 40), 40).round(3).tolist()
    [1.0, -1.0]
    """
    ordered = (groups << level) + np.int64(1 << (level - 1))
    return np.asarray(np.where(ordered >= 0, ordered, ordered ^ SIGN).view(np.float64))
