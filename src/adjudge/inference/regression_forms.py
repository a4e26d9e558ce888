"""Intervals by formula for predicted numbers. Weights enter as effective rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.inference.number_forms import student_quantile, through_z
from adjudge.metrics.base import Metric
from adjudge.metrics.explained_variation import correlation_of
from adjudge.metrics.regression import LOSSES
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.number_pairs import Combination, NumberPairs
from adjudge.statistics.residuals import Residuals

Limits = tuple[Array, Array]


def chi2(metric: Metric, pairs: NumberPairs, level: float) -> Limits | None:
    """The interval of a root mean squared error when errors are normal about zero: n freedom, none lost to a mean.

    √(n / χ²) RMSE at both tails of the chi-square distribution; without the root for the mean squared error.

    >>> from adjudge.metrics import rmse
    >>> low, high = chi2(rmse, NumberPairs.of_arrays([0] * 10, [4] * 10), 0.95)
    >>> round(float(low), 5), round(float(high), 5)
    (2.79487, 7.01973)
    """
    from scipy.special import gammaincinv

    n, value = float(pairs.effective_rows), float(metric.values(pairs))
    if not (n > 0 and np.isfinite(value)):
        return None
    factors = [n / (2 * float(gammaincinv(n / 2, tail))) for tail in (0.5 + level / 2, 0.5 - level / 2)]
    power = 0.5 if metric.name == "rmse" else 1.0
    return np.asarray(value * factors[0] ** power), np.asarray(value * factors[1] ** power)


def student(metric: Metric, pairs: NumberPairs, level: float) -> Limits | None:
    """Student's interval of a mean over rows.

    >>> from adjudge.metrics import mean_bias_error
    >>> low, high = student(mean_bias_error, NumberPairs.of_arrays([0] * 4, [1, 2, 3, 4]), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.446, 4.554)
    """
    values, over = _mean(metric, pairs)
    n, value = float(ratio(pairs.of(over) ** 2, pairs.sums.squares_of(over))), float(metric.values(pairs))
    if not (n > 1 and np.isfinite(value)):
        return None
    spread = pairs.squares_of({**values, over: values.get(over, 0.0) - value})
    error = float(np.sqrt(spread * n / (n - 1)) / pairs.of(over))
    reach = student_quantile(level, n - 1) * error
    return np.asarray(value - reach), np.asarray(value + reach)


def _mean(metric: Metric, pairs: NumberPairs) -> tuple[Combination, str]:
    """What a metric is the mean of, and over which rows."""
    if metric.name == "interval_width":
        return {"width": 1.0}, "bounded"
    return LOSSES[metric.name](pairs, **metric.settings), "n"


def fisher_z(metric: Metric, pairs: NumberPairs, level: float) -> Limits | None:
    """Fisher's interval of the correlation of prediction and reference: 1 / √(n − 3) on the scale of z.

    >>> from adjudge.metrics import correlation
    >>> low, high = fisher_z(correlation, NumberPairs.of_arrays([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (-0.28, 0.986)
    """
    n = float(pairs.effective_rows)
    if not n > 3:
        return None
    return through_z(float(correlation_of(pairs.two)), 1 / np.sqrt(n - 3), level)


def order_statistics(metric: Metric, residuals: Residuals, level: float) -> Limits | None:
    """The interval of a median between two of the values themselves: holds its level whatever their distribution.

    The values of ranks l and n + 1 − l, with l the highest for which a median lies below with at most half of what the
    level leaves (Thompson 1936); with weights, ranks are shares of the weight of effective rows (Woodruff 1952).

    >>> from adjudge.metrics import median_absolute_error
    >>> low, high = order_statistics(median_absolute_error, Residuals.of_arrays([0] * 20, range(1, 21)), 0.95)
    >>> float(low), float(high)
    (6.0, 15.0)
    """
    n = float(residuals.effective_rows)
    rank = _lowest_rank(n, (1 - level) / 2) if n > 0 else 0.0
    if rank < 1:
        return None
    ends = [residuals.sizes.reaching(place / n) for place in (rank, n + 1 - rank)]
    return ends[0], ends[1]


def _lowest_rank(n: float, tail: float) -> float:
    """The highest l with P(Binomial(n, ½) < l) ≤ tail, for whole or effective n."""
    from scipy.special import bdtrik, betainc

    if betainc(n, 1.0, 0.5) > tail:  # even no row below is likelier
        return 0.0
    return float(np.floor(bdtrik(tail, n, 0.5)) + 1)


FORMS: dict[str, Callable[[Metric, Any, float], Limits | None]] = {
    "chi2": chi2,
    "student": student,
    "fisher_z": fisher_z,
    "order_statistics": order_statistics,
}
