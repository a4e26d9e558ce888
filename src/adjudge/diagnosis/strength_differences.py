"""Whether strengths differ: between splits, between columns on the same prompts, and from what people would say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, ratio, steady_product

Codes = NDArray[np.int64]
Limits = tuple[float, float]


def _quantile(level: float, freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(max(freedom, 1.0), 0.5 + level / 2))


def guarded_error(values: Array, reach: float = 1.0) -> float:
    """The standard error of a mean, never smaller than if one unit of +reach and one of −reach were added.

    >>> round(guarded_error(np.array([0.0, 0.0, 0.0]), 1.0), 4)
    0.3162
    """
    n, around = len(values), float(((values - values.mean()) ** 2).sum())
    return float(
        np.sqrt(max(around / (n * (n - 1)) if n > 1 else np.inf, (around + 2 * reach**2) / ((n + 1) * (n + 2))))
    )


def paired_difference(first: Array, second: Array, level: float, reach: float = 1.0) -> tuple[float, Limits]:
    """The difference of two strengths of the same pairs, votes as +1, 0 and −1, by a guarded t.

    >>> difference, limits = paired_difference(np.array([1.0, 1, 0, 1]), np.array([1.0, 0, 0, -1]), 0.95)
    >>> difference
    0.75
    """
    d = first - second
    mean, t = float(d.mean()), _quantile(level, len(d) - 1)
    error = guarded_error(d, reach)
    return mean, (mean - t * error, mean + t * error)


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

    def difference(self, first: int, second: int, level: float) -> tuple[float, float, Limits]:
        """The difference of two columns, its standard error and its limits."""
        d = self.influence[:, first] - self.influence[:, second]
        value = float(self.values[first] - self.values[second])
        error = guarded_error(d)
        t = _quantile(level, len(d) - 1)
        return value, error, (value - t * error, value + t * error)

    @property
    def covariance(self) -> Array:
        """Of the columns."""
        g = len(self.influence)
        return steady_product(self.influence.T, self.influence) / (g * max(g - 1, 1))


def by_prompt(votes: Array, prompts: Codes) -> ByPrompt:
    """Strengths and influences of columns of +1, 0 and −1; NaN where a pair is not in a column."""
    known = np.isfinite(votes)
    size = int(prompts.max(initial=-1)) + 1

    def summed(values: Array) -> Array:
        return np.stack([np.bincount(prompts, weights=column, minlength=size) for column in values.T], axis=-1)

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


@dataclass(frozen=True, slots=True)
class Corrected:
    """A strength by a judge, put right by the votes of people on a random part of the pairs."""

    strength: float
    low: float
    high: float
    share: float  # how much of the judge is believed, λ
    people_only: float
    judge_only: float
    labels: int


def corrected_strength(people: Array, judge: Array, judge_only: Array, level: float, reach: float = 2.0) -> Corrected:
    """Prediction-powered inference with the best λ (Angelopoulos, Duchi and Zrnic 2024), guarded for few labels.

    `people` and `judge` are of the same pairs, `judge_only` of the others: +1 as the reference, −1 against it, 0 none.
    """
    n, others = len(people), len(judge_only)
    every = np.concatenate([judge, judge_only])
    covariance = float(np.cov(people, judge, ddof=1)[0, 1]) if n > 1 else 0.0
    share = float(np.clip(np.nan_to_num(ratio(covariance, (1 + n / others) * np.var(every, ddof=1))), 0.0, 1.0))
    rest = people - share * judge
    value = float(share * judge_only.mean() + rest.mean())
    around = float(((rest - rest.mean()) ** 2).sum())
    error = np.sqrt(share**2 * np.var(judge_only, ddof=1) / others + (around + 2 * reach**2) / ((n + 1) * (n + 2)))
    t = _quantile(level, n - 1)
    return Corrected(
        value,
        float(max(value - t * error, -1.0)),
        float(min(value + t * error, 1.0)),
        share,
        float(people.mean()),
        float(every.mean()),
        n,
    )
