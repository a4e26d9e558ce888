"""Sums of two numbers of the same rows, about constants near their middle: means, spreads and how they go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.statistics.base import Array, ratio, remainder

# A standard deviation this small beside the mean is that of one number written in binary, a few last bits off.
ONE_NUMBER = 4e-15


@dataclass(frozen=True)
class Centred:
    """Sums of one number about a constant: its mean, and its spread with a relative idea of none."""

    n: Array
    first: Array
    second: Array
    centre: float

    @cached_property
    def mean(self) -> Array:
        """The mean, NaN without rows."""
        return np.asarray(self.centre + ratio(self.first, self.n))

    @cached_property
    def deviations(self) -> Array:
        """Sum of squared deviations from the mean; exactly 0 for a number that does not vary."""
        shift = self.first / np.where(self.n > 0, self.n, 1.0)
        total = remainder(self.second, self.first * shift)
        return np.asarray(np.where(total <= self.n * (ONE_NUMBER * (self.centre + shift)) ** 2, 0.0, total))

    def variance(self, ddof: int = 1) -> Array:
        """Mean squared deviation, with divisor n − ddof; NaN when there are not more rows than that."""
        if ddof not in self._variances:  # many metrics ask for the same
            self._variances[ddof] = np.asarray(ratio(self.deviations, np.maximum(self.n - ddof, 0.0)))
        return self._variances[ddof]

    @cached_property
    def _variances(self) -> dict[int, Array]:
        return {}

    def sd(self, ddof: int = 1) -> Array:
        """The standard deviation."""
        return np.asarray(np.sqrt(self.variance(ddof)))


@dataclass(frozen=True)
class TwoNumbers:
    """Two numbers of the same rows: a reference x and a y that is held against it."""

    x: Centred
    y: Centred
    crossed: Array

    @property
    def n(self) -> Array:
        """What the rows weigh together."""
        return self.x.n

    @cached_property
    def shift(self) -> Array:
        """Mean of y less mean of x; exactly 0 when they differ by rounding only."""
        step = self.y.mean - self.x.mean
        scale = np.maximum(np.abs(self.y.mean), np.abs(self.x.mean))
        return np.asarray(np.where(np.abs(step) <= ONE_NUMBER * scale, 0.0, step))

    @cached_property
    def deviations(self) -> Array:
        """Sum of products of deviations; 0 when either number does not vary."""
        summed = np.sqrt(np.maximum(self.x.second, 0.0)) * np.sqrt(np.maximum(self.y.second, 0.0))
        total = remainder(self.crossed, self.x.first * self.y.first / np.where(self.n > 0, self.n, 1.0), summed)
        varies = (self.x.deviations > 0) & (self.y.deviations > 0)
        return np.asarray(np.where(varies, total, 0.0))

    @cached_property
    def correlation(self) -> Array:
        """Pearson's correlation, NaN when either number does not vary."""
        with np.errstate(invalid="ignore"):
            below = np.sqrt(self.x.deviations) * np.sqrt(self.y.deviations)
        return np.asarray(np.clip(ratio(self.deviations, below), -1.0, 1.0))

    def covariance(self, ddof: int = 1) -> Array:
        """Mean product of deviations, with divisor n − ddof."""
        return np.asarray(ratio(self.deviations, np.maximum(self.n - ddof, 0.0)))


# Of more numbers than this, some at equal steps tell the middle well enough.
MANY = 2**14


def middle(values: Array) -> float:
    """A constant to sum about: the median, which the order of rows does not change; of many numbers, that of some.

    >>> middle(np.array([3.0, 1.0, np.nan, 2.0])), middle(np.array([]))
    (2.0, 0.0)
    """
    some = values[:: max(1, len(values) // MANY)]
    finite = some[np.isfinite(some)]
    return float(np.median(finite)) if finite.size else 0.0


def move(matrix: Array, place: Mapping[str, int], x: float, y: float) -> None:
    """Enter into a map of sums what moves both constants: x and y are the old constants less the new ones."""
    n, first, second = (place[name] for name in ("n", "x", "y"))
    xx, yy, xy = (place[name] for name in ("xx", "yy", "xy"))
    matrix[n, [first, second, xx, yy, xy]] = x, y, x**2, y**2, x * y
    matrix[first, [xx, xy]] = 2 * x, y
    matrix[second, [yy, xy]] = 2 * y, x
