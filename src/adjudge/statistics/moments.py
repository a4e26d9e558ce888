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
        """Sum the rows' values; one leading axis when the weights hold draws.

        An infinite value makes the mean infinite where its row counts, and nowhere else.
        """
        finite = np.isfinite(values)
        centre = values[finite].mean() if finite.any() else 0.0
        steps = np.where(finite, values, centre) - centre
        weight = weights.total(np.ones(len(values)))
        first, second = weights.total(steps), weights.total(steps**2)
        shift = np.nan_to_num(ratio(first, weight))
        wild = weights.total((~finite).astype(np.float64)) > 0
        mean = np.where(wild, values[~finite].sum(), centre + shift)
        deviations = np.where(wild, np.inf, np.maximum(second - weight * shift**2, 0.0))
        squares = float(len(values)) if weights.case is None else float((weights.case**2).sum())
        return cls(weight, mean, deviations, squares)

    def __add__(self, other: Self) -> Self:
        weight = self.weight + other.weight
        share = np.nan_to_num(ratio(other.weight, weight))
        with np.errstate(invalid="ignore"):
            step = other.mean - self.mean
            both = np.where(np.isfinite(step), self.mean + step * share, self.mean + other.mean)
            mean = np.where(share == 0, self.mean, np.where(share == 1, other.mean, both))
            deviations = self.deviations + other.deviations + step**2 * self.weight * share
        deviations = np.where(np.isfinite(mean), deviations, np.inf)
        return type(self)(weight, mean, deviations, self.squares + other.squares)

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return cls(
            np.concatenate([part.weight for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.deviations for part in parts]),
            parts[0].squares,
        )

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        kept = slice(start, stop)
        return type(self)(self.weight[kept], self.mean[kept], self.deviations[kept], self.squares)

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
