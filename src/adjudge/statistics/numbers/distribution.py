"""Values of one number with what their rows weigh, as formulas read them: medians and whatever is no sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, Replicated, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.curves.points import Points

# A share of the weight that is this near to the one looked for is that one, but for rounding.
SAME_SHARE = 1e-12


@dataclass(frozen=True)
class Distribution(Replicated):
    """Weight at each of several rising values. A value may stand there without weight.

    >>> spread = Distribution(np.array([1.0, 3.0, 8.0]), np.array([1.0, 2.0, 1.0]), np.array([1.0, 2.0, 1.0]))
    >>> float(spread.quantile(0.5)), float(spread.quantile(0.75)), float(spread.highest)
    (3.0, 5.5, 8.0)
    """

    values: Array  # (V,)
    counts: Array  # (…, V)
    squares: Array  # (V,), squared case weights

    @classmethod
    def of_sizes(cls, points: Points) -> Self:
        """Sizes of numbers whose sign is what points tell apart."""
        return cls(points.middles[::-1], points.counts.sum(-2)[..., ::-1], points.squares.sum(-2)[::-1])

    @classmethod
    def of_signed(cls, points: Points) -> Self:
        """The numbers themselves: positives of the points are those from 0 up, negatives those below."""
        above, below = points.one_score.mean_score
        values = np.concatenate([-below, above[::-1]])
        counts, squares = (
            np.concatenate([of[..., 1, :], of[..., 0, ::-1]], axis=-1) for of in (points.counts, points.squares)
        )
        return cls(values, counts, squares)

    def __add__(self, other: Self) -> Self:
        if not np.array_equal(self.values, other.values):
            raise SettingError("Draws of parts must be counted in the same cells, but theirs differ.")
        return replace(self, counts=self.counts + other.counts, squares=self.squares + other.squares)

    @cached_property
    def total(self) -> Array:
        """What the rows weigh together, (…)."""
        return np.asarray(self.counts.sum(-1))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    def quantile(self, share: float) -> Array:
        """The value below which this share of the weight lies, (…); between two values, their middle."""
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
        occupied = self.counts > 0
        top = np.where(occupied, self.values, -np.inf).max(-1, initial=-np.inf)
        return np.asarray(np.where(occupied.any(-1), top, np.nan))

    def mean_of(self, values: Array) -> Array:
        """The mean over rows of something that each value has, (…)."""
        return np.asarray(ratio((self.counts * values).sum(-1), self.total))

    def distances(self, origin: float) -> Self:
        """How far the values are from an origin."""
        order = np.argsort(np.abs(self.values - origin), kind="stable")
        return replace(
            self,
            values=np.abs(self.values - origin)[order],
            counts=self.counts[..., order],
            squares=self.squares[order],
        )

    def in_cells(self, starts: Codes) -> Self:
        """The same rows in cells of neighbouring values, each at the mean of its rows."""
        counts, squares = (np.add.reduceat(of, starts, axis=-1) for of in (self.counts, self.squares))
        means = ratio(np.add.reduceat(self.counts * self.values, starts), counts)
        return replace(self, values=np.where(counts > 0, means, self.values[starts]), counts=counts, squares=squares)

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
