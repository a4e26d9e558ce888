"""How many scores there are, where they lie and how far they spread: sums that add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.responses import Responses
from adjudge.statistics.base import Array
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights


@dataclass(frozen=True, slots=True)
class Descriptives(Undrawn[Responses, None]):
    """Scores about their own mean; they are shown without intervals, and never drawn.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, both but for rounding; two parts, added, equal the whole.

    >>> both = Descriptives.of(np.array([1.0, 2.0])) + Descriptives.of(np.array([np.nan, 3.0]))
    >>> both.n, both.mean, both.sd, both.low, both.high
    (3, 2.0, 1.0, 1.0, 3.0)
    """

    n: int
    weight: float  # what they weigh together
    mean: float
    squares: float  # squared deviations from the mean
    low: float
    high: float

    @classmethod
    def of(cls, values: Array, weights: Array | None = None) -> Self:
        """Of the scores that are there; those that weigh nothing are neither lowest nor highest."""
        known = np.isfinite(values)
        values = values[known]
        if not len(values):
            return cls(0, 0.0, np.nan, 0.0, np.nan, np.nan)
        if weights is None:
            mean, weight, spread = float(values.mean()), float(len(values)), (values - values.mean()) ** 2
        else:
            weights = weights[known]
            weight = float(weights.sum())
            mean = float((values * weights).sum() / weight) if weight else np.nan
            spread = weights * (values - mean) ** 2 if weight else np.zeros(1)
            values = values[weights > 0]
        ends = (float(values.min()), float(values.max())) if len(values) else (np.nan, np.nan)
        return cls(int(known.sum()), weight, mean, float(spread.sum()), *ends)

    @classmethod
    def summing(cls, judgements: Responses, pilot: None = None) -> Callable[[Weights], Descriptives]:
        """What turns weights into a description of what is held against the reference."""
        return lambda weights: cls.of(judgements.second, weights.case)

    @property
    def rows(self) -> int:
        """How many scores."""
        return self.n

    def __add__(self, other: Self) -> Self:
        if not (self.weight and other.weight):
            some = self if self.weight else other
            return replace(some, n=self.n + other.n)
        weight, apart = self.weight + other.weight, other.mean - self.mean
        return replace(
            self,
            n=self.n + other.n,
            weight=weight,
            mean=self.mean + apart * other.weight / weight,
            squares=self.squares + other.squares + apart**2 * self.weight * other.weight / weight,
            low=min(self.low, other.low),
            high=max(self.high, other.high),
        )

    def scaled(self, unit: float) -> Self:
        """The same scores with all weights multiplied."""
        return replace(self, weight=self.weight * unit, squares=self.squares * unit)

    @property
    def sd(self) -> float:
        """The standard deviation, divisor N − 1."""
        return float(np.sqrt(self.squares / (self.weight - 1))) if self.weight > 1 else np.nan
