"""How often each point of a scale met each other: two rounded scores side by side, as a table that adds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.statistics.base import Array, Sums
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.score_features import MOST_POINTS

# Points further from zero than this many steps are not told apart by numbers of this precision.
FARTHEST = 2.0**52


@dataclass(frozen=True, slots=True)
class ScoreTable(Sums):
    """Counts over every point between the lowest and the highest, in steps of the scale.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, two parts, added, equal the whole. With more than 60 points
    there is no table, whatever is added.

    >>> table = ScoreTable.collect(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    >>> table.counts.tolist(), table.confusion(0.5).categories
    ([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], ('0.5', '1', '1.5'))
    """

    low: int  # the lowest point, in steps
    counts: Array  # (K, K)
    squares: Array  # (K, K), squared weights
    times: Array  # (K, K), responses
    rows: int
    crowded: bool = False

    @classmethod
    def collect(cls, first: Array, second: Array, weights: Array | None = None) -> Self:
        """Of two scores in whole steps, none missing."""
        nothing = np.zeros((0, 0))
        if not len(first):
            return cls(0, nothing, nothing, nothing, 0)
        low, high = min(first.min(), second.min()), max(first.max(), second.max())
        if not (high - low < MOST_POINTS and max(-low, high) < FARTHEST):
            return cls(0, nothing, nothing, nothing, len(first), crowded=True)
        size = int(high - low) + 1
        cells = (first - low).astype(np.int64) * size + (second - low).astype(np.int64)
        counts, squares, times = (
            np.bincount(cells, weights=w, minlength=size**2).astype(np.float64).reshape(size, size)
            for w in (weights, None if weights is None else weights**2, None)
        )
        return cls(int(low), counts, squares, times, len(first))

    def __add__(self, other: Self) -> Self:
        rows = self.rows + other.rows
        if self.crowded or other.crowded:
            return replace(self if self.crowded else other, rows=rows)
        if not (self.size and other.size):
            return replace(self if self.size else other, rows=rows)
        low = min(self.low, other.low)
        size = max(self.low + self.size, other.low + other.size) - low
        if size > MOST_POINTS:
            nothing = np.zeros((0, 0))
            return type(self)(0, nothing, nothing, nothing, rows, crowded=True)
        a, b = self.spanning(low, size), other.spanning(low, size)
        return type(self)(low, a.counts + b.counts, a.squares + b.squares, a.times + b.times, rows)

    @property
    def size(self) -> int:
        """How many points."""
        return len(self.counts)

    def spanning(self, low: int, size: int) -> Self:
        """The same counts over more points."""
        if (low, size) == (self.low, self.size):
            return self
        wider = np.zeros((3, size, size))
        place = slice(self.low - low, self.low - low + self.size) if self.size else slice(0)
        wider[:, place, place] = self.counts, self.squares, self.times
        return replace(self, low=low, counts=wider[0], squares=wider[1], times=wider[2])

    def scaled(self, unit: float) -> Self:
        """The same table with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    def confusion(self, step: float) -> Confusion:
        """The table with its points named."""
        names = tuple(f"{(self.low + place) * step:g}" for place in range(self.size))
        return Confusion(names, self.counts, self.squares, self.rows)
