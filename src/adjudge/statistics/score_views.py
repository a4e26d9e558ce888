"""What is read off score sums: two scores side by side, and what many ratings say of the true score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.statistics.base import Array, ratio

# A spread this small beside what was summed is what rounding leaves of none.
NO_SPREAD = 1e-12
# A standard deviation this small beside the mean is that of one number written in binary.
ONE_NUMBER = 1e-10


@dataclass(frozen=True)
class Centred:
    """Sums of one score about a constant: its mean, and its spread with a relative idea of none."""

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
        """Sum of squared deviations from the mean; exactly 0 for a score that does not vary."""
        shift = self.first / np.where(self.n > 0, self.n, 1.0)
        found = self.second - self.first * shift
        least = np.maximum(NO_SPREAD * self.second, self.n * (ONE_NUMBER * (self.centre + shift)) ** 2)
        return np.asarray(np.where(found <= least, 0.0, found))

    def variance(self, ddof: int = 1) -> Array:
        """Mean squared deviation, with divisor n − ddof; NaN when there are not more rows than that."""
        return np.asarray(ratio(self.deviations, np.maximum(self.n - ddof, 0.0)))

    def sd(self, ddof: int = 1) -> Array:
        """The standard deviation."""
        return np.asarray(np.sqrt(self.variance(ddof)))


@dataclass(frozen=True)
class TwoScores:
    """Two scores of the same responses: a reference x and a score y that is held against it."""

    x: Centred
    y: Centred
    crossed: Array
    squared: Array  # Σ (x − y)²
    absolute: Array  # Σ |x − y|
    within: dict[float, Array]  # by tolerance: how many pairs are no further apart
    weights: Array  # Σ w²

    @property
    def n(self) -> Array:
        """How many pairs."""
        return self.x.n

    @cached_property
    def shift(self) -> Array:
        """Mean of y less mean of x; exactly 0 when they differ by rounding only."""
        found = self.y.mean - self.x.mean
        scale = np.maximum(np.abs(self.y.mean), np.abs(self.x.mean))
        return np.asarray(np.where(np.abs(found) <= ONE_NUMBER * scale, 0.0, found))

    @cached_property
    def deviations(self) -> Array:
        """Sum of products of deviations; 0 when either score does not vary."""
        found = self.crossed - self.x.first * self.y.first / np.where(self.n > 0, self.n, 1.0)
        varies = (self.x.deviations > 0) & (self.y.deviations > 0)
        return np.asarray(np.where(varies, found, 0.0))

    def covariance(self, ddof: int = 1) -> Array:
        """Mean product of deviations, with divisor n − ddof."""
        return np.asarray(ratio(self.deviations, np.maximum(self.n - ddof, 0.0)))


@dataclass(frozen=True)
class Margins:
    """Two scores of the same responses as categories: how many pairs are the same, and each side's share of points."""

    n: Array
    same: Array
    x: Array  # (…, points)
    y: Array

    @cached_property
    def kappa(self) -> Array:
        """Agreement beyond chance; NaN where chance alone makes all agree."""
        chance = ratio((self.x * self.y).sum(-1), self.n**2)
        chance = np.where(1 - chance > NO_SPREAD, chance, np.nan)
        return np.asarray((ratio(self.same, self.n) - chance) / (1 - chance))


@dataclass(frozen=True)
class TrueScore:
    """Sums over responses with c ratings each: what the error of raters and the true score are worked out from."""

    responses: Array  # with a rating at all
    multiple: Array  # with two ratings or more
    ratings: Array  # C = Σ c
    squares: Array  # Σ c²
    first: Array  # Σ c · mean
    second: Array  # Σ c · mean²
    within: Array  # Σ V (c − 1), V the variance of a response's ratings
    scored: Array  # responses with a rating and a system's score
    gap: Array  # Σ c (mean − system)²

    def error_variance(self, given: float | None = None) -> Array:
        """Variance of one rating about the true score; NaN when no response has two ratings."""
        if given is not None:
            return np.full(np.shape(self.ratings), float(given))
        return np.asarray(ratio(self.within, np.maximum(self.ratings - self.responses, 0.0)))

    def variance(self, given: float | None = None) -> Array:
        """Variance of the true score: what ratings vary beyond their error. It may come out negative."""
        spread = self.second - ratio(self.first**2, self.ratings)
        spread = np.where(spread <= NO_SPREAD * self.second, 0.0, spread)
        left = spread - (self.responses - 1) * self.error_variance(given)
        below = self.ratings - ratio(self.squares, self.ratings)
        return np.asarray(ratio(left, np.where(below > NO_SPREAD * self.ratings, below, 0.0)))

    def squared_error(self, given: float | None = None) -> Array:
        """Mean squared distance of the system's score from the true score. It may come out negative."""
        left = self.gap - self.responses * self.error_variance(given)
        return np.asarray(np.where(self.scored > self.responses / 2, ratio(left, self.ratings), np.nan))
