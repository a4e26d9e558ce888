"""Intervals by formula for what rests on second ratings, of which there may be a dozen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share
from adjudge.metrics.score_reliability import SHARES, shares_of, system_and_raters
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.scores.features import TRUTH
from adjudge.statistics.scores.sums import ScoreSums

Limits = tuple[Array, Array]
# With fewer responses that have two ratings there is no interval.
LEAST_DOUBLE = 4
# Closer to ±1 than this a correlation without one response is taken as this, or one response would be all there is.
NEAREST = 0.9999


def bonett(metric: Metric, sums: ScoreSums, level: float) -> Limits | None:
    """Bonett's interval of a variance, whatever the errors' distribution: on the scale of logarithms.

    c σ² exp(± t c √((γ − (m − 3)/m) / (m − 1))), c = m / (m − z), γ the kurtosis of m differences (Bonett 2006).
    Student's quantile stands for the normal one, so that a dozen differences suffice. Squares are skewed, so that few
    of them seldom hold the large ones: the upper end reaches further by half of Johnson's term (1978), with the
    skewness of a gamma distribution of the same spread; the scale of logarithms takes the other half.

    >>> from adjudge.metrics import rater_error_variance
    >>> sums = ScoreSums.of_arrays([[1, 2], [3, 3], [4, 5], [2, 2], [5, 4], [3, 4], [2, 4], [1, 1]])
    >>> low, high = bonett(rater_error_variance, sums, 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.131, 5.147)
    """
    value, freedom = float(metric.values(sums)), {f"{TRUTH} ratings": 1.0, f"{TRUTH} responses": -1.0}
    total = sums.truth.ratings - sums.truth.responses
    m, z = float(ratio(total**2, sums.sums.squared(freedom))), normal_quantile(level)
    if not (m >= LEAST_DOUBLE and m > z and value > 0):
        return None
    beyond = {f"{TRUTH} within": 1.0} | {name: -value * sign for name, sign in freedom.items()}
    kurtosis = m * float(ratio(sums.sums.squared(beyond), sums.truth.within**2))  # less 1
    c = m / (m - z)
    error = c * np.sqrt((kurtosis + 3 / m) / (m - 1))
    reach = student_quantile(level, m - 1) * error
    further = np.sqrt(kurtosis / m) * (1 + 2 * z**2) / 6 * error
    return np.asarray(c * value * np.exp(-reach)), np.asarray(c * value * np.exp(reach + further))


def jackknife_mover(
    metric: Metric, sums: ScoreSums, level: float, of_share: Callable[[Share, float], Limits]
) -> Limits | None:
    """The interval of a difference, from the limits of its two parts and how these go together (Zou & Donner 2008).

    Correlations and kappas have limits on the scale of Fisher's z, with the jackknife's standard error and Student's
    quantile for as many responses as they rest on; shares have their own (`of_share`).

    >>> from adjudge.inference.intervals.closed_form import wilson
    >>> from adjudge.metrics import degradation
    >>> ratings = [[1, 1], [2, 3], [3, 3], [4, 4], [5, 4], [2, 2], [1, 2], [4, 5]]
    >>> sums = ScoreSums.of_arrays(ratings, [1, 2, 2, 4, 5, 3, 1, 4])
    >>> low, high = jackknife_mover(degradation, sums, 0.95, wilson)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.7, 0.32)
    """
    of, rows = metric.settings["of"], metric.settings["rows"]
    double = f"{TRUTH} multiple"
    m = float(ratio(sums.sums.of(double) ** 2, sums.sums.squares_of(double)))
    if not (m >= LEAST_DOUBLE and np.isfinite(float(metric.values(sums)))):
        return None
    units = (float(sums.effective_rows) if rows == "all" else m, m)
    value = np.array([float(part) for part in system_and_raters(sums, of=of, rows=rows)])
    on_z = of not in (*SHARES, "smd")
    if on_z and not (np.abs(value) < NEAREST).all():
        return None

    def parts(some: ScoreSums) -> Array:
        values = np.stack(system_and_raters(some, of=of, rows=rows), axis=-1)
        return np.arctanh(np.clip(values, -NEAREST, NEAREST)) if on_z else values

    spread = _covariance(sums, parts, m)
    together = float(np.nan_to_num(ratio(spread[0, 1], np.sqrt(spread[0, 0] * spread[1, 1]))))
    if of in SHARES:
        ends = np.array([of_share(share, level) for share in shares_of(sums, of=of, rows=rows)]).T
    else:
        reach = np.array([student_quantile(level, n - 1) for n in units]) * np.sqrt(np.diagonal(spread))
        middle = parts(sums)
        ends = np.array([middle - reach, middle + reach])
        ends = np.tanh(ends) if on_z else ends
    (below, above), difference = (value - ends[0], ends[1] - value), value[0] - value[1]
    low = difference - _length(below[0], above[1], together)
    high = difference + _length(above[0], below[1], together)
    return np.asarray(low), np.asarray(high)


def _length(first: float, second: float, together: float) -> float:
    return float(np.sqrt(max(first**2 + second**2 - 2 * together * first * second, 0.0)))


def _covariance(sums: ScoreSums, values: Callable[[ScoreSums], Array], double: float) -> Array:
    """Of some values: without each unit in turn, or by their slopes where units are not kept."""
    if sums.sums.kept is not None:
        without, _ = sums.without_one()
        each = values(without)
        apart = np.nan_to_num(each - np.nanmean(each, axis=0))
        return steady_product(apart.T, apart) * (len(each) - 1) / len(each)
    step = 1e-5 * np.sqrt(np.diagonal(sums.sums.products) / sums.sums.units)
    moved = replace(sums.sums, totals=sums.sums.totals + np.diag(step))
    slopes = values(replace(sums, totals=replace(sums.totals, sums=moved))) - values(sums)
    slopes = np.nan_to_num(ratio(slopes, step[:, None]))
    # Slopes vary less than values without one of few responses do.
    return steady_product(slopes.T, steady_product(sums.sums.products, slopes)) * (double / (double - 2)) ** 2
