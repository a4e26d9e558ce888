"""Logistic regression that always has an answer: half a success and half a failure are added for each coefficient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.statistics.base import Array, steady_product

STEPS, CLOSE = 50, 1e-10
# With more rows than this a part of them gives the start.
FIRST_ROWS = 20_000
AT_ONCE = 2_048


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients with their covariance, and twice the log likelihood that is missing to a perfect fit."""

    beta: Array
    covariance: Array
    deviance: float
    converged: bool
    groups: int = 0  # that the covariance was summed by

    @property
    def errors(self) -> Array:
        """Standard errors."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def reach(self, level: float) -> float:
        """How many standard errors an interval reaches: Student's quantile where errors were summed by groups."""
        return reach_of_groups(level, self.groups)


def reach_of_groups(level: float, groups: int) -> float:
    """Student's quantile with a degree of freedom for each group but one; the normal one where there are no groups.

    >>> round(reach_of_groups(0.95, 12), 3), round(reach_of_groups(0.95, 0), 3)
    (2.201, 1.96)
    """
    return student_quantile(level, max(groups - 1, 1)) if groups else normal_quantile(level)


def anchored_fit(
    x: Array,
    y: Array,
    weight: Array | None = None,
    *,
    anchor: float = 0.5,
    groups: NDArray[np.int64] | None = None,
    start: Array | None = None,
) -> Fit:
    """Newton's method without an intercept; outcomes may be fractions. `anchor` 0 is maximum likelihood.

    For every coefficient two rows are added, a success and a failure of weight `anchor`, in which its column is 1 and
    all others are 0: a log-F(1, 1) prior where the anchor is one half (Greenland and Mansournia 2015). The covariance
    is the inverse Hessian, or, with groups of rows, the sandwich over groups times G / (G − 1).

    >>> fit = anchored_fit(np.ones((10, 1)), np.array([1.0] * 7 + [0.0] * 3), anchor=0)
    >>> round(float(fit.beta[0]), 4)
    0.8473
    """
    weight = np.ones(len(y)) if weight is None else weight
    if start is None and len(y) > 2 * FIRST_ROWS:
        some = slice(None, None, len(y) // FIRST_ROWS)
        start = anchored_fit(x[some], y[some], weight[some], anchor=max(anchor, 0.5)).beta
    beta = np.zeros(x.shape[1]) if start is None else start
    value, hessian, slope = _at(x, y, weight, beta, anchor)
    converged = False
    for _ in range(STEPS):
        step = _solved(hessian, slope)
        for _ in range(30):
            new_value, new_hessian, new_slope = _at(x, y, weight, beta + step, anchor)
            if new_value >= value - 1e-12 * abs(value):
                break
            step = step / 2
        beta, value, hessian, slope = beta + step, new_value, new_hessian, new_slope
        # After a step of Newton's the distance left is about the square of it.
        if np.abs(step).max(initial=0) < np.sqrt(CLOSE) * max(1.0, np.abs(beta).max(initial=0)):
            converged = True
            break
    covariance = np.asarray(np.linalg.pinv(hessian), dtype=np.float64)
    count = 0
    if groups is not None:
        residual = weight * (y - _probability(_scores(x, beta)))
        count = int(groups.max(initial=-1)) + 1
        sums = np.stack([np.bincount(groups, weights=residual * column, minlength=count) for column in x.T], axis=-1)
        covariance = covariance @ (sums.T @ sums) @ covariance * (count / max(count - 1, 1))
    return Fit(beta, covariance, -2 * _likelihood(_scores(x, beta), y, weight), converged, count)


def _scores(x: Array, beta: Array) -> Array:
    return steady_product(x, beta[:, None])[:, 0]


def _probability(score: Array) -> Array:
    from scipy.special import expit

    return np.asarray(expit(score))


def _likelihood(score: Array, y: Array, weight: Array) -> float:
    """Of fractions, against the same fractions as probabilities."""
    from scipy.special import log_expit, xlogy

    best = xlogy(y, y) + xlogy(1 - y, 1 - y)
    return float((weight * (y * log_expit(score) + (1 - y) * log_expit(-score) - best)).sum())


def _at(x: Array, y: Array, weight: Array, beta: Array, anchor: float) -> tuple[float, Array, Array]:
    """Log likelihood, its negated second derivatives, and its slope: of rows that fit the processor's cache at once."""
    own = _probability(beta)
    value = anchor * float(np.log(np.maximum(own * (1 - own), 1e-300)).sum())
    hessian = np.diag(2 * anchor * own * (1 - own))
    slope = anchor * (1 - 2 * own)
    for start in range(0, len(y), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        part, outcome, times = x[rows], y[rows], weight[rows]
        score = _scores(part, beta)
        p = _probability(score)
        value += _likelihood(score, outcome, times)
        hessian = hessian + steady_product(part.T, part * (times * p * (1 - p))[:, None])
        slope = slope + steady_product(part.T, (times * (outcome - p))[:, None])[:, 0]
    return value, hessian, slope


def _solved(hessian: Array, slope: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(hessian, slope))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(hessian) @ slope)
