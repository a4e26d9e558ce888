"""How often each point of a scale met each other: two rounded scores side by side, as a table that adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.responses import Responses
from adjudge.statistics.base import Array, Codes, Statistic, check_same_pilot
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.scores.features import MOST_POINTS
from adjudge.statistics.weights import Weights

# Points further from zero than this many steps are not told apart by numbers of this precision.
FARTHEST = 2.0**52
NOTHING = np.zeros((0, 0))


@dataclass(frozen=True)
class ScoreTable(Statistic[Responses, float]):
    """Counts over every point between the lowest and the highest, in steps of the scale.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, two parts, added, equal the whole. With more than 60 points
    there is no table, whatever is added.

    >>> table = ScoreTable.collect(Responses(np.array([[1.0, 1.0], [3.0, 1.0]])), Weights(2), 0.5)
    >>> table.low, table.size, table.confusion.categories[0], float(table.confusion.total)
    (2, 5, '1', 2.0)
    """

    step: float
    low: int  # the lowest point, in steps
    counts: Array  # (…, K, K)
    squares: Array  # (K, K), squared weights
    times: Array  # (K, K), responses
    rows: int
    crowded: bool = False

    @classmethod
    def summing(cls, judgements: Responses, pilot: float | None = None) -> Callable[[Weights], ScoreTable]:
        """What turns weights into the table of the responses that have both scores; the pilot is the step."""
        step = 1.0 if pilot is None else pilot
        cells, rows, (low, size) = crossed_steps(judgements, step)

        def sums(weights: Weights) -> ScoreTable:
            some = weights.of_rows(rows)
            if not size:
                return cls(step, 0, NOTHING, NOTHING, NOTHING, some.rows, crowded=some.rows > 0)
            counts, squares = some.sums_by(cells, size**2)
            times = np.bincount(cells, some.times, minlength=size**2).astype(np.float64)
            shape = (*counts.shape[:-1], size, size)
            squares, times = (amounts.reshape(size, size) for amounts in (squares, times))
            return cls(step, low, counts.reshape(shape), squares, times, some.rows)

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Responses, weights: Weights, levels: Codes, size: int, pilot: float | None = None
    ) -> list[Self | None]:
        """Count the cells of all levels at once, over the points that any of them has."""
        step = 1.0 if pilot is None else pilot
        first, second, rows = in_steps(judgements, step)
        low, points = span_of(first, second)
        if not points:
            return super().collect_by(judgements, weights, levels, size, pilot)
        cells = ((levels[rows].astype(np.int64) * points + (first - low)) * points + (second - low)).astype(np.int64)
        shape = (size, points, points)
        counts, squares = (of.reshape(shape) for of in weights.of_rows(rows).sums_by(cells, size * points**2))
        times = np.bincount(cells, minlength=size * points**2).astype(np.float64).reshape(shape)
        return [
            cls(step, low, counts[level], squares[level], times[level], int(times[level].sum())) if known else None
            for level, known in enumerate(np.bincount(levels, minlength=size))
        ]

    def __add__(self, other: Self) -> Self:
        check_same_pilot("The step of the scale", self.step, other.step)
        rows = self.rows + other.rows
        if self.crowded or other.crowded:
            return replace(self if self.crowded else other, rows=rows)
        if not (self.size and other.size):
            return replace(self if self.size else other, rows=rows)
        low = min(self.low, other.low)
        size = max(self.low + self.size, other.low + other.size) - low
        if size > MOST_POINTS:
            return type(self)(self.step, 0, NOTHING, NOTHING, NOTHING, rows, crowded=True)
        a, b = self.spanning(low, size), other.spanning(low, size)
        return replace(a, counts=a.counts + b.counts, squares=a.squares + b.squares, times=a.times + b.times, rows=rows)

    @property
    def size(self) -> int:
        """How many points."""
        return int(self.counts.shape[-1])

    def spanning(self, low: int, size: int) -> Self:
        """The same counts over more points."""
        if (low, size) == (self.low, self.size):
            return self
        place = slice(self.low - low, self.low - low + self.size) if self.size else slice(0)

        def wider(amounts: Array) -> Array:
            more = np.zeros((*amounts.shape[:-2], size, size))
            more[..., place, place] = amounts
            return more

        counts, squares, times = (wider(amounts) for amounts in (self.counts, self.squares, self.times))
        return replace(self, low=low, counts=counts, squares=squares, times=times)

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """The table over all points that the two scores have anywhere."""
        return self if whole.crowded else self.spanning(whole.low, whole.size)

    def scaled(self, unit: float) -> Self:
        """The same table with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    @cached_property
    def confusion(self) -> Confusion:
        """The table with its points named."""
        return Confusion(names_of(self.low, self.size, self.step), self.counts, self.squares, self.rows)

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return self.confusion.total

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of responses."""
        return self.confusion.effective_rows

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells."""
        return replace(self, counts=self.confusion.resampled(kind, replicates, seed, stream).counts)

    def without_one(self) -> tuple[Self, Array]:
        """The table without one response of each occupied cell, and how many that cell has."""
        left, rows = self.confusion.without_one()
        return replace(self, counts=left.counts), rows


def in_steps(responses: Responses, step: float) -> tuple[Array, Array, Codes]:
    """Both scores as whole numbers of steps, of the responses that have both; and which those are."""
    rows = np.flatnonzero(np.isfinite(responses.first) & np.isfinite(responses.second))
    return np.rint(responses.first[rows] / step), np.rint(responses.second[rows] / step), rows


def crossed_steps(responses: Responses, step: float) -> tuple[Codes, Codes, tuple[int, int]]:
    """The cell of each response that has both scores, which those are, and the span of the scale: see `span_of`."""
    first, second, rows = in_steps(responses, step)
    low, size = span_of(first, second)
    cells = ((first - low) * size + (second - low)).astype(np.int64) if size else np.zeros(0, dtype=np.int64)
    return cells, rows, (low, size)


def span_of(first: Array, second: Array) -> tuple[int, int]:
    """The lowest point, in steps, and how many there are up to the highest; none when there are too many."""
    if not len(first):
        return 0, 0
    low, high = min(first.min(), second.min()), max(first.max(), second.max())
    few = high - low < MOST_POINTS and max(-low, high) < FARTHEST
    return (int(low), int(high - low) + 1) if few else (0, 0)


def names_of(low: int, size: int, step: float) -> tuple[str, ...]:
    """The points of a scale by name.

    >>> names_of(2, 3, 0.5)
    ('1', '1.5', '2')
    """
    return tuple(f"{(low + place) * step:g}" for place in range(size))
