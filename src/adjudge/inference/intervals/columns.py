"""Intervals by formula of what was measured of each unit in use. Weights enter as effective units."""

from __future__ import annotations

import math

import numpy as np

from adjudge.inference.differences.tango import tango_limits
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.jackknife import jackknife_hill
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.rows import NumberRows

Limits = tuple[Array, Array]


def quantile_limits(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Order statistics around a quantile, which hold whatever the distribution; infinite where values are too few.

    >>> from adjudge.metrics import quantile
    >>> low, high = quantile_limits(quantile.using(at=0.5), quantile.statistic_of(range(1, 101)), 0.95)
    >>> float(low), float(high)
    (40.0, 61.0)
    """
    n, tail, share = float(rows.effective_rows), (1 - level) / 2, float(metric.settings["at"])
    if not n > 0:
        return None
    below, above = lower_rank(n, share, tail), lower_rank(n, 1 - share, tail)
    low = float(rows.distribution.reaching(below / n)) if below else -math.inf
    high = float(rows.distribution.reaching((n + 1 - above) / n)) if above else math.inf
    return None if math.isinf(low) and math.isinf(high) else (np.asarray(low), np.asarray(high))


def lower_rank(n: float, share: float, tail: float) -> float:
    """The highest l with P(Binomial(n, share) < l) ≤ tail, for whole or effective n; 0 where there is none.

    >>> lower_rank(60, 0.5, 0.025), lower_rank(60, 0.9, 0.025), lower_rank(58, 0.05, 0.05)
    (22.0, 49.0, 0.0)
    """
    from scipy.special import bdtrik

    if n * math.log1p(-share) > math.log(tail):  # even no unit below is likelier
        return 0.0
    return float(np.floor(bdtrik(tail, n, share)) + 1)


def garwood(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Chi-square limits of exposure over events that happen at a constant rate; no event leaves a lower limit.

    2T / χ² with 2r + 2 degrees of freedom below, 2r above; 2r in both where a failure ended the watch.

    >>> from adjudge.metrics import mean_time_between_failures as mtbf
    >>> low, high = garwood(mtbf, mtbf.statistic_of([800], [2]), 0.90)
    >>> round(float(low), 3), round(float(high), 3)
    (127.069, 2251.229)
    """
    return _chi_square_limits(metric, rows, level, 1.0)


def garwood_dispersed(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """The same of as few events as rows that differ in their rate show to be independent; none where they are alike.

    Events are divided by their dispersion, as of quasi-Poisson counts (McCullagh & Nelder 1989): what rows vary about
    the common rate, over what Poisson counts would, times (t / z)² as rows tell it.

    >>> from adjudge.metrics import mean_time_between_failures as mtbf
    >>> low, high = garwood_dispersed(mtbf, mtbf.statistic_of([100] * 10, [0, 0, 5, 0, 0, 0, 4, 0, 0, 1]), 0.95)
    >>> round(float(low), 1), round(float(high), 1)
    (28.5, 760.0)
    """
    spread = events_dispersion(rows, level)
    return None if spread is None else _chi_square_limits(metric, rows, level, spread)


def events_dispersion(rows: NumberRows, level: float) -> float | None:
    """How many events count as one, of one system or, where there are two, of their ratio; None: each counts as one.

    Of two, what rows add to the logarithm of the ratio, over 1 / r₁ + 1 / r₂: what both have in common cancels.
    """
    n, means = float(rows.effective_rows), [float(rows.mean(column)) for column in range(rows.values.shape[1])]
    if not (n > 1 and all(mean > 0 for mean in means)):
        return None
    # Of each column what it adds to the logarithm of the rate, or of the ratio.
    adds = np.array([1 / mean * (1 if place in (1, 2) else -1) for place, mean in enumerate(means)])
    covariances = [[float(rows.covariance(i, j)) for j in range(len(means))] for i in range(len(means))]
    seen = n / (n - 1) * float(adds @ np.array(covariances) @ adds)
    spread = seen / sum(1 / mean for mean in means[1::2])
    if not 1 < spread < math.inf:
        return None
    return spread * (student_quantile(level, n - 1) / normal_quantile(level)) ** 2


def _chi_square_limits(metric: Metric, rows: NumberRows, level: float, spread: float) -> Limits | None:
    """2T / χ² of exposure and events of which so many count as one."""
    from scipy.special import gammaincinv

    total, weight = float(rows.total), float(rows.squares.sum()) * spread
    if not (total > 0 and weight > 0):
        return None
    # Units that do not weigh the same count as fewer events in less exposure.
    exposure, events = (float(rows.sum(column)) * total / weight for column in (0, 1))
    if not exposure > 0:
        return None
    more = events if metric.settings.get("stopped") == "failure" else events + 1
    ends = [float(gammaincinv(count, tail)) for count, tail in ((more, 0.5 + level / 2), (events, 0.5 - level / 2))]
    low = exposure / ends[0] if more > 0 else 0.0
    # Of next to no event the quantile is zero, as of none.
    return np.asarray(low), np.asarray(exposure / ends[1] if ends[1] > 0 else math.inf)


def conditional_binomial(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Exact limits of a ratio of two rates: given all failures, how many are the first one's is binomial.

    With share p of r₁ + r₂ failures, p = ρT₁ / (ρT₁ + T₂), so that ρ = p / (1 − p) · T₂ / T₁ at Clopper and Pearson's
    limits of p. No failure of the other leaves a lower limit, none of either no limit at all.

    >>> from adjudge.metrics import failure_ratio
    >>> low, high = conditional_binomial(failure_ratio, failure_ratio.statistic_of([[800, 2, 400, 4]]), 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0226, 1.7444)
    """
    return _given_all_failures(rows, level, 1.0)


def conditional_binomial_dispersed(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """The same of as few failures as rows show to be independent; none where rates and their ratio do not differ.

    >>> from adjudge.metrics import failure_ratio
    >>> weeks = [[10, 9, 10, 1], [10, 0, 10, 8]] * 10
    >>> low, high = conditional_binomial_dispersed(failure_ratio, failure_ratio.statistic_of(weeks), 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.3845, 2.6011)
    """
    spread = events_dispersion(rows, level)
    return None if spread is None else _given_all_failures(rows, level, spread)


def _given_all_failures(rows: NumberRows, level: float, spread: float) -> Limits | None:
    """Limits of the ratio from those of the share of all failures, of which so many count as one."""
    from scipy.special import betaincinv

    total, weight = float(rows.total), float(rows.squares.sum()) * spread
    if not (total > 0 and weight > 0):
        return None
    # Units that do not weigh the same count as fewer events in less exposure.
    watched, first, other_watched, second = (float(rows.sum(column)) * total / weight for column in range(4))
    if not (watched > 0 and other_watched > 0 and first + second > 0):
        return None
    tail, times = (1 - level) / 2, other_watched / watched
    own = float(betaincinv(first, second + 1, tail)) if first > 0 else 0.0
    others = float(betaincinv(second, first + 1, tail)) if second > 0 else 0.0
    # What is left of 1, as its own quantile: of very many failures the difference would be 0.
    left = float(betaincinv(second + 1, first, 1 - tail)) if first > 0 else 1.0
    if not left > 0:
        return None
    low, high = own / left, (1 - others) / others if others > 0 else math.inf
    return np.asarray(times * low), np.asarray(times * high)


def conditional_p(exposure: float, failures: float, others_exposure: float, others_failures: float) -> float:
    """The exact two-sided p-value of equal rates: given all failures, how many are the first one's is binomial.

    Twice the smaller tail, at most 1, so that it is below 1 − level exactly where the limits of the ratio leave out 1.

    >>> round(conditional_p(800, 2, 400, 4), 5), conditional_p(10, 0, 10, 0)
    (0.20027, 1.0)
    """
    from scipy.special import betainc

    if not (exposure > 0 and others_exposure > 0):
        return math.nan
    both = exposure + others_exposure
    fewer = float(betainc(others_failures, failures + 1, others_exposure / both)) if others_failures > 0 else 1.0
    more = float(betainc(failures, others_failures + 1, exposure / both)) if failures > 0 else 1.0
    return min(1.0, 2 * min(fewer, more))


def _spread_of_means(rows: NumberRows) -> tuple[float, float, float, float, float, float]:
    """Both means, their variances and covariance, and the effective number of units."""
    n = float(rows.effective_rows)
    x, y = float(rows.mean(0)), float(rows.mean(1))
    sxx, syy, sxy = (float(rows.covariance(*pair)) / (n - 1) for pair in ((0, 0), (1, 1), (0, 1)))
    return x, y, sxx, syy, sxy, n


def fieller_ratio(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Fieller's limits of a ratio of two means; none where the mean below may be zero.

    >>> from adjudge.metrics import cost_per_right
    >>> cost = cost_per_right.statistic_of([1.0, 2, 1, 2, 1, 2], [1, 1, 1, 1, 1, 0])
    >>> [round(float(end), 3) for end in fieller_ratio(cost_per_right, cost, 0.9)]
    [0.995, 3.535]
    """
    if not float(rows.effective_rows) > 1 + 1e-9:
        return None
    x, y, sxx, syy, sxy, n = _spread_of_means(rows)
    t = float(student_quantile(level, n - 1)) ** 2
    a, b, c = y**2 - t * syy, x * y - t * sxy, x**2 - t * sxx
    inside = b**2 - a * c
    if not (a > 0 and inside >= 0):
        return None
    reach = math.sqrt(inside)
    return np.asarray((b - reach) / a), np.asarray((b + reach) / a)


def fieller_hill(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """The same, reaching at least as far as the jackknife: costs are skewed, and few of them may make most of the mean.

    >>> from adjudge.metrics import cost_per_right
    >>> cost = cost_per_right.statistic_of([1.0, 2, 1, 2, 1, 20], [1, 1, 1, 1, 1, 0])
    >>> for limits in (fieller_ratio, fieller_hill):
    ...     print([round(float(end), 1) for end in limits(cost_per_right, cost, 0.9)])
    [-1.5, 21.6]
    [-3.7, 21.6]
    """
    fieller, hill = fieller_ratio(metric, rows, level), jackknife_hill(metric, rows, level)
    if fieller is None or hill is None:
        return fieller
    return np.minimum(fieller[0], hill[0]), np.maximum(fieller[1], hill[1])


def delta_ratio(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """The same ratio by its first derivatives: symmetric, and too short where few answers are right."""
    if not float(rows.effective_rows) > 1 + 1e-9:
        return None
    x, y, sxx, syy, sxy, n = _spread_of_means(rows)
    if y == 0:
        return None
    value = x / y
    error = math.sqrt(max(sxx - 2 * value * sxy + value**2 * syy, 0.0)) / abs(y)
    reach = float(student_quantile(level, n - 1)) * error
    return np.asarray(value - reach), np.asarray(value + reach)


def log_student(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Student's interval on the scale of logarithms, turned back."""
    n = float(rows.effective_rows)
    if not n > 1 + 1e-9:
        return None
    middle, error = float(rows.mean(0)), math.sqrt(float(rows.covariance(0, 0)) / (n - 1))
    reach = float(student_quantile(level, n - 1)) * error
    return np.exp(np.asarray(middle - reach)), np.exp(np.asarray(middle + reach))


def drop_by_tango(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Tango's interval of a drop, where every value is right or wrong."""
    n = float(rows.effective_rows)
    if not (n > 0 and np.isin(rows.values, (0.0, 1.0)).all()):
        return None
    first, second = rows.values[:, 0] > rows.values[:, 1], rows.values[:, 0] < rows.values[:, 1]
    lost, won = (float(rows.counts[side].sum() / rows.total) * n for side in (first, second))
    low, high = tango_limits(lost, won, n, normal_quantile(level))
    return np.asarray(low), np.asarray(high)


def drop_guarded(metric: Metric, rows: NumberRows, level: float) -> Limits | None:
    """Student's interval of a drop of values from 0 to 1, with one imagined unit more on either side."""
    n = float(rows.effective_rows)
    if not (n > 1 + 1e-9 and metric.mean is not None and (rows.values >= 0).all() and (rows.values <= 1).all()):
        return None
    moments = metric.mean(rows)
    error = guarded_error(float(moments.variance) / n, n, n, 1.0)
    reach = float(student_quantile(level, n - 1)) * error
    return moments.average - reach, moments.average + reach
