"""Intervals by formula for scores."""

from __future__ import annotations

import numpy as np

from adjudge.inference.number_forms import through_z
from adjudge.metrics.score_reliability import correlation_of
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.score_sums import ScoreSums


def correlation_limits(sums: ScoreSums, level: float) -> tuple[Array, Array] | None:
    """Fisher's interval of the correlation of system and first rater: 1 / √(n − 3) on the scale of z.

    >>> sums = ScoreSums.of_arrays(np.array([[1.0], [2], [3], [4], [5]]), np.array([1.0, 3, 2, 5, 4]))
    >>> low, high = correlation_limits(sums, 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (-0.28, 0.986)
    """
    pair = sums.machine
    n = float(ratio(pair.n**2, pair.weights))
    if not n > 3:
        return None
    return through_z(float(correlation_of(pair)), 1 / np.sqrt(n - 3), level)
