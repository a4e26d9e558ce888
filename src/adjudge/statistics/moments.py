"""Mean and spread of a value, centred before squaring. Receives numbers and weights; gives sums that add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Never, Self

import numpy as np

from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, Statistic, ratio
from adjudge.statistics.weights import Weights

NO_CELLS = "Means have no cells to draw from: sum the rows under explicit draws (`Draws`) instead."


@dataclass(frozen=True, slots=True)
class Moments(Statistic[Never, None]):  # of plain numbers, which are no `Units`: in no plan
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
    rows: int

    replicated: ClassVar[tuple[str, ...]] = ("weight", "mean", "deviations")

    @classmethod
    def summing(cls, values: Array, pilot: None = None) -> Callable[[Weights], Moments]:
        """What turns weights into the moments of these values; one leading axis when the weights hold draws.

        An infinite value makes the mean infinite where its row counts, and nowhere else.
        """
        finite = np.isfinite(values)
        centre = values[finite].mean() if finite.any() else 0.0
        steps = np.where(finite, values, centre) - centre
        ones, wild, wildest = np.ones(len(values)), (~finite).astype(np.float64), values[~finite].sum()

        def sums(weights: Weights) -> Moments:
            weight = weights.total(ones)
            first, second = weights.total(steps), weights.total(steps**2)
            shift = np.nan_to_num(ratio(first, weight))
            infinite = weights.total(wild) > 0
            mean = np.where(infinite, wildest, centre + shift)
            deviations = np.where(infinite, np.inf, np.maximum(second - weight * shift**2, 0.0))
            return cls(weight, mean, deviations, float(weights.squared.sum()), weights.rows)

        return sums

    @classmethod
    def collect_by(
        cls, values: Array, weights: Weights, levels: Codes, size: int, pilot: None = None
    ) -> list[Self | None]:
        """The moments of each level, about its own centre."""
        rows, finite = weights.rows_by(levels, size), np.isfinite(values)
        known = np.where(finite, values, 0.0)
        known_rows = np.maximum(np.bincount(levels, weights=finite, minlength=size), 1)
        centre = np.bincount(levels, weights=known, minlength=size) / known_rows
        steps = np.where(finite, values - centre[levels], 0.0)

        def summed(amounts: Array) -> Array:
            amount = amounts * weights.amounts
            return Weights(weights.rows, amount, weights.draws, unit=weights.unit).sum_by(levels, size)

        weight, first, second = weights.sum_by(levels, size), summed(steps), summed(steps**2)
        shift = np.nan_to_num(ratio(first, weight))
        infinite = summed((~finite).astype(np.float64)) > 0
        wildest = np.bincount(levels, weights=np.where(finite, 0.0, values), minlength=size)
        mean = np.where(infinite, wildest, centre + shift)
        deviations = np.where(infinite, np.inf, np.maximum(second - weight * shift**2, 0.0))
        squares = np.bincount(levels, weights=weights.squared, minlength=size)
        return [
            cls(weight[..., k], mean[..., k], deviations[..., k], float(squares[k]), rows[k]) if rows[k] else None
            for k in range(size)
        ]

    def __add__(self, other: Self) -> Self:
        weight = self.weight + other.weight
        share = np.nan_to_num(ratio(other.weight, weight))
        with np.errstate(invalid="ignore"):
            step = other.mean - self.mean
            both = np.where(np.isfinite(step), self.mean + step * share, self.mean + other.mean)
            mean = np.where(share == 0, self.mean, np.where(share == 1, other.mean, both))
            deviations = self.deviations + other.deviations + step**2 * self.weight * share
        deviations = np.where(np.isfinite(mean), deviations, np.inf)
        return type(self)(weight, mean, deviations, self.squares + other.squares, self.rows + other.rows)

    def scaled(self, unit: float) -> Self:
        """The same values with all weights multiplied."""
        return replace(
            self, weight=self.weight * unit, deviations=self.deviations * unit, squares=self.squares * unit**2
        )

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Refused: a mean does not know its rows."""
        raise SettingError(NO_CELLS)

    def without_one(self) -> tuple[Self, Array]:
        """Refused: a mean does not know its rows."""
        raise SettingError(NO_CELLS)

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
