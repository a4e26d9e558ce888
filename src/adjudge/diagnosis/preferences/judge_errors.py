"""Strengths by a judge, put right for its errors: by people's votes on some of the pairs, or on others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.numbers import student_quantile
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import generator

# The smallest singular value of the table of judge and people from which its inverse means something.
SEPARATES = 0.1
DRAWS, SMOOTHED = 4_000, 0.5
NO_SEPARATION = "the judge does not separate the votes that people tell apart"


@dataclass(frozen=True, slots=True)
class Corrected:
    """A strength by a judge, put right by the votes of people."""

    strength: float
    low: float
    high: float
    share: float  # how much of the judge is believed, λ
    people_only: float
    judge_only: float
    worth: float = np.nan  # as many labels alone would tell as much
    note: str = ""


FURTHEST = 2.0  # what a person may differ from the judge by


def corrected_strength(people: Array, judge: Array, judge_only: Array, level: float) -> Corrected:
    """Prediction-powered inference with the best λ (Angelopoulos, Duchi and Zrnic 2024), guarded for few labels.

    `people` and `judge` are of the same pairs, `judge_only` of the others: +1 as the reference, −1 against it, 0 none.
    """
    n, others = len(people), len(judge_only)
    every = np.concatenate([judge, judge_only])
    covariance = float(np.cov(people, judge, ddof=1)[0, 1]) if n > 1 else 0.0
    share = float(np.clip(np.nan_to_num(ratio(covariance, (1 + n / others) * np.var(every, ddof=1))), 0.0, 1.0))
    value = float(share * judge_only.mean() + (people - share * judge).mean())

    def error(trust: float) -> float:
        rest = people - trust * judge
        around = float(((rest - rest.mean()) ** 2).sum())
        of_judge = trust**2 * np.var(judge_only, ddof=1) / others
        return float(np.sqrt(of_judge + (around + 2 * FURTHEST**2) / ((n + 1) * (n + 2))))

    t = student_quantile(level, max(n - 1, 1)) * error(share)
    return Corrected(
        value,
        float(max(value - t, -1.0)),
        float(min(value + t, 1.0)),
        share,
        float(people.mean()),
        float(every.mean()),
        n * (error(0.0) / error(share)) ** 2,
    )


def judge_table(people: Array, judge: Array) -> Array:
    """How often people said each and the judge each, (people, judge), each in the order +1, 0, −1.

    >>> judge_table(np.array([1.0, 1.0, 0.0]), np.array([1.0, -1.0, 0.0])).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    cells = np.bincount(((1 - people) * 3 + (1 - judge)).astype(np.int64), minlength=9)
    return np.asarray(cells, dtype=np.float64).reshape(3, 3)


def corrected_elsewhere(table: Array, observed: Array, level: float, seed: int, stream: str) -> Corrected:
    """A strength from what the judge says here and how it errs elsewhere.

    With M the judge's votes given people's (rows of `table`, smoothed), the judge's shares are o = Mᵀ π, hence
    π = (Mᵀ)⁻¹ o, and the strength is π₊ − π₋. Limits are percentiles of draws of M's rows and of o from their Dirichlet
    posteriors. The judge must err here as it does there; where M is nearly singular there is no answer.

    >>> right = np.diag([40.0, 20.0, 40.0])
    >>> found = corrected_elsewhere(right, np.array([300.0, 100.0, 100.0]), 0.95, 1, "doctest")
    >>> round(found.strength, 2), found.low < found.strength < found.high
    (0.41, True)
    """
    smooth, total = table + SMOOTHED, float(observed.sum())
    judge_only = float(ratio(observed[0] - observed[2], total))
    people_only = float(ratio(table[0].sum() - table[2].sum(), table.sum()))
    rows = smooth / smooth.sum(1, keepdims=True)
    if float(np.linalg.svd(rows, compute_uv=False)[-1]) < SEPARATES:
        undefined = (np.nan, np.nan, np.nan, np.nan)
        return Corrected(*undefined, people_only, judge_only, note=NO_SEPARATION)
    shares = np.linalg.solve(rows.T, observed / total)
    random = generator(seed, stream)
    draws = random.standard_gamma(np.broadcast_to(smooth, (DRAWS, 3, 3)))
    draws /= draws.sum(-1, keepdims=True)
    seen = random.standard_gamma(np.broadcast_to(observed + SMOOTHED, (DRAWS, 3)))
    seen /= seen.sum(-1, keepdims=True)
    known = np.linalg.svd(draws, compute_uv=False)[:, -1] > 1e-6
    solved = np.linalg.solve(draws[known].transpose(0, 2, 1), seen[known][..., None])[..., 0]
    strengths = np.clip(solved[:, 0] - solved[:, 2], -1.0, 1.0)
    low, high = np.quantile(strengths, [(1 - level) / 2, (1 + level) / 2])
    value = float(np.clip(shares[0] - shares[2], -1.0, 1.0))
    return Corrected(value, min(float(low), value), max(float(high), value), np.nan, people_only, judge_only)
