"""Mean and spread of a value, centred before squaring. Receives numbers and weights; gives sums that add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from adjudge.statistics.base import Array, ratio
from adjudge.statistics.weights import Weights


@dataclass(frozen=True, slots=True)
class Moments:
    """Weight, mean and sum of squared deviations of one value.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals
    collecting the whole. Merged by the pairwise formula of Chan, Golub and LeVeque (1983).

    >>> float(Moments.collect(np.array([1.0, 2.0, 6.0]), Weights(3)).mean)
    3.0
    """

    weight: Array
    mean: Array
    deviations: Array
    squares: float

    @classmethod
    def collect(cls, values: Array, weights: Weights) -> Self:
        """Sum the rows' values; one leading axis when the weights hold draws."""
        centre = values.mean() if len(values) else 0.0
        centre = centre if np.isfinite(centre) else 0.0
        weight = weights.total(np.ones(len(values)))
        first, second = weights.total(values - centre), weights.total((values - centre) ** 2)
        shift = np.nan_to_num(ratio(first, weight), posinf=np.inf, neginf=-np.inf)
        squares = float(len(values)) if weights.case is None else float((weights.case**2).sum())
        with np.errstate(invalid="ignore"):
            deviations = np.maximum(second - weight * shift**2, 0.0)
        return cls(weight, centre + shift, deviations, squares)

    def __add__(self, other: Self) -> Self:
        weight = self.weight + other.weight
        step = other.mean - self.mean
        share = np.nan_to_num(ratio(other.weight, weight))
        with np.errstate(invalid="ignore"):
            deviations = self.deviations + other.deviations + step**2 * self.weight * share
            mean = np.where(share == 0, self.mean, np.where(share == 1, other.mean, self.mean + step * share))
        return type(self)(weight, mean, deviations, self.squares + other.squares)

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        sums = zip(*((part.weight, part.mean, part.deviations) for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in sums), parts[0].squares)

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        kept = (part[start:stop] for part in (self.weight, self.mean, self.deviations))
        return type(self)(*kept, self.squares)

    @property
    def average(self) -> Array:
        """The mean, NaN when there is no weight."""
        return np.where(self.weight == 0, np.nan, self.mean)

    @property
    def variance(self) -> Array:
        """Weighted mean squared deviation (divisor: the weight)."""
        return np.asarray(ratio(self.deviations, self.weight))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective sample size: rescaling all weights leaves it as it is."""
        return np.asarray(ratio(self.weight**2, self.squares))
