"""What is read off score sums: two scores side by side, and what many ratings say of the true score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.numbers.two_numbers import TwoNumbers


@dataclass(frozen=True)
class TwoScores(TwoNumbers):
    """Two scores of the same responses: a reference x and a score y that is held against it."""

    within: dict[float, Array]  # by tolerance: how many pairs are no further apart
    weights: Array  # Σ w²


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
        return np.asarray(ratio(ratio(self.same, self.n) - chance, remainder(1.0, chance)))


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
        return self._told_variance if given is None else np.full(np.shape(self.ratings), float(given))

    @cached_property
    def _told_variance(self) -> Array:
        return np.asarray(ratio(self.within, np.maximum(self.ratings - self.responses, 0.0)))

    def variance(self, given: float | None = None) -> Array:
        """Variance of the true score: what ratings vary beyond their error. It may come out negative."""
        if given not in self._variances:  # many metrics ask for the same
            errors = (self.responses - 1) * self.error_variance(given)
            left = remainder(self.second, ratio(self.first**2, self.ratings) + errors)
            below = remainder(self.ratings, ratio(self.squares, self.ratings))
            self._variances[given] = np.asarray(ratio(left, below))
        return self._variances[given]

    @cached_property
    def _variances(self) -> dict[float | None, Array]:
        return {}

    def squared_error(self, given: float | None = None) -> Array:
        """Mean squared distance of the system's score from the true score. It may come out negative."""
        left = remainder(self.gap, self.responses * self.error_variance(given))
        return np.asarray(np.where(self.scored > self.responses / 2, ratio(left, self.ratings), np.nan))
