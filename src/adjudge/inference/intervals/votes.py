"""Intervals of a balance of votes: those for less those against, of all. Shares of votes take Wilson's."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from adjudge.inference.differences.tango import tango_limits as one_pair
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.preference import balance
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.preferences.votes import VoteTable

Limits = tuple[Array, Array]


def tango_limits_each(agreed: ArrayLike, disagreed: ArrayLike, total: ArrayLike, z: float) -> Limits:
    """Score limits of (agreed − disagreed) / total (Tango 1998); counts may be fractions.

    >>> low, high = tango_limits_each(14, 4, 30, 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0596, 0.5561)
    """
    counts = np.broadcast_arrays(*(np.asarray(count, dtype=np.float64) for count in (agreed, disagreed, total)))
    ends = np.array([one_pair(b, c, n, z) for b, c, n in zip(*(one.ravel().tolist() for one in counts), strict=True)])
    low, high = ends.reshape(-1, 2).T
    return low.reshape(counts[0].shape), high.reshape(counts[0].shape)


def plus_three_limits(agreed: ArrayLike, disagreed: ArrayLike, total: ArrayLike, z: float) -> Limits:
    """Normal limits after one vote for, one against and one for neither are added; cut to −1 and 1.

    >>> low, high = plus_three_limits(14, 4, 30, 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0584, 0.5477)
    """
    votes = np.asarray(agreed, dtype=np.float64), np.asarray(disagreed, dtype=np.float64)
    n = np.asarray(total, dtype=np.float64) + 3
    middle = (votes[0] - votes[1]) / n
    reach = z * np.sqrt(np.maximum((votes[0] + votes[1] + 2) / n - middle**2, 0.0) / n)
    known = n > 3
    return np.where(known, np.maximum(middle - reach, -1), np.nan), np.where(
        known, np.minimum(middle + reach, 1), np.nan
    )


def quantile_of(table: VoteTable, level: float) -> float:
    """How many standard errors an interval reaches: Student's where prompts are the units."""
    return normal_quantile(level) if math.isinf(table.freedom) else student_quantile(level, table.freedom)


def _counts(metric: Metric, table: VoteTable) -> tuple[Array, Array, Array]:
    """Pairs for, against and all, as many as weights and prompts leave of them."""
    agreed, disagreed, total, effect = balance(table, metric.settings["over"])
    return ratio(agreed, effect), ratio(disagreed, effect), ratio(total, effect)


def votes_tango(metric: Metric, table: VoteTable, level: float) -> Limits:
    """Tango's interval."""
    agreed, disagreed, total = _counts(metric, table)
    return tango_limits_each(agreed, disagreed, total, quantile_of(table, level))


def plus_three(metric: Metric, table: VoteTable, level: float) -> Limits:
    """The smoothed interval."""
    agreed, disagreed, total = _counts(metric, table)
    return plus_three_limits(agreed, disagreed, total, quantile_of(table, level))
