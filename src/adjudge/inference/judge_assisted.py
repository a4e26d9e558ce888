"""Few human labels and many of a judge: the mean that both give together (PPI++, Angelopoulos and others 2023)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.reach import Reach, student_reach
from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class JudgeAssisted:
    """The estimate, how much the judge counts, and its standard error."""

    value: float
    weight: float
    error: float
    labels: int

    @property
    def reach(self) -> Reach:
        """Student's limits, for as many units as have labels."""
        return student_reach("judge_assisted", self.value, self.error, self.labels)


def judge_assisted(human: Array, judge: Array, others: Array, scale: float) -> JudgeAssisted:
    """The mean of human values, helped by a judge's values of the same units and of many others.

    θ = λ mean(judge of others) + mean(human − λ judge), λ = cov / ((1 + n/N) var) between 0 and 1; the error is guarded
    by two imagined disagreements of the length of the scale, as differences are.

    >>> made = judge_assisted(np.array([1.0, 0, 1, 1]), np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 0, 1, 1, 1]), 1.0)
    >>> 0 < made.weight < 1
    True
    """
    n, more = len(human), len(others)
    spread = float(np.concatenate([judge, others]).var(ddof=1)) if n + more > 1 else 0.0
    together = float(np.cov(human, judge)[0, 1]) if n > 1 else 0.0
    weight = min(max(together / ((1 + n / more) * spread), 0.0), 1.0) if spread > 0 and more > 1 else 0.0
    left = human - weight * judge
    value = float(left.mean() + (weight * others.mean() if weight else 0.0))
    squares = float(((left - left.mean()) ** 2).sum())
    of_judge = weight**2 * float(others.var(ddof=1)) / more if weight else 0.0
    return JudgeAssisted(value, weight, float(np.sqrt(of_judge + (squares + 2 * scale**2) / ((n + 1) * (n + 2)))), n)
