"""Whether strengths differ: between splits, and between columns on the same prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.statistics.base import Array, Codes, ratio, steady_product


def _guarded(around: Array, n: int) -> Array:
    """Standard errors of means from sums of squares around them, as if one unit of +1 and one of −1 were added."""
    plain = around / (n * (n - 1)) if n > 1 else np.full(np.shape(around), np.inf)
    return np.sqrt(np.maximum(plain, (around + 2) / ((n + 1) * (n + 2))))


def unpaired_difference(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The difference of two estimates with nothing in common, each with its limits: squared and added."""
    (one, low, high), (other, other_low, other_high) = first, second
    return (
        one - other,
        one - other - float(np.hypot(one - low, other_high - other)),
        one - other + float(np.hypot(high - one, other - other_low)),
    )


@dataclass(frozen=True, slots=True)
class ByPrompt:
    """Strengths of several columns, and how much each prompt moves them."""

    values: Array  # (columns,)
    influence: Array  # (prompts, columns)

    @property
    def errors(self) -> Array:
        """Guarded standard errors of the differences of every two columns."""
        g, c = len(self.influence), self.covariance
        around = (np.diag(c)[:, None] + np.diag(c) - 2 * c) * g * (g - 1)
        return _guarded(np.maximum(around, 0.0), g)

    @property
    def covariance(self) -> Array:
        """Of the columns."""
        g = len(self.influence)
        return steady_product(self.influence.T, self.influence) / (g * max(g - 1, 1))


def by_prompt(votes: Array, prompts: Codes) -> ByPrompt:
    """Strengths and influences of columns of +1, 0 and −1; NaN where a pair is not in a column."""
    known = np.isfinite(votes)

    def summed(values: Array) -> Array:
        return np.stack([np.bincount(prompts, weights=column) for column in values.T], axis=-1)

    x, v = summed(np.where(known, votes, 0.0)), summed(known.astype(np.float64))
    value = ratio(x.sum(0), v.sum(0))
    return ByPrompt(value, np.nan_to_num(ratio(x - value * v, v.mean(0))))


def largest_difference(values: Array, errors: Array, q: float) -> tuple[float, float, float]:
    """The range of several strengths and its limits, from simultaneous ones of all differences.

    >>> errors = np.full((3, 3), 0.05)
    >>> [round(x, 4) for x in largest_difference(np.array([0.3, 0.1, 0.05]), errors, 2.5)]
    [0.25, 0.125, 0.375]
    """
    difference = values[:, None] - values
    off = ~np.eye(len(values), dtype=bool)
    low, high = (difference - q * errors)[off].max(initial=0.0), (difference + q * errors)[off].max(initial=0.0)
    return float(difference.max(initial=0.0)), float(max(0.0, low)), float(high)
