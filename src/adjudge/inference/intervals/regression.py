"""Intervals by formula for predicted numbers. Weights enter as effective rows."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals import tailed_means
from adjudge.inference.intervals.jackknife import jackknife_hill, tukey
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.explained_variation import EITHER_SIDE
from adjudge.metrics.intervals import Quantity, Tail
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.pairs import Combination, NumberPairs
from adjudge.statistics.numbers.residuals import Residuals

Limits = tuple[Array, Array]

# A heavy row that was not seen may be so many times as far off as any row was: docs/validation/heldout.md.
HEAVY_FURTHER = 2**0.5
# Weights that differ by less are the same.
ROUNDING = 1e-9


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
    power = 0.5 if metric.quantity is Quantity.ROOT_MEAN_SQUARE else 1.0
    return np.asarray(value * factors[0] ** power), np.asarray(value * factors[1] ** power)


def rubin_hill(metric: Metric, pairs: NumberPairs, level: float) -> Limits | None:
    """The interval of a mean of losses that allows for a row not seen, larger than the largest: see `tailed_means`.

    Of R², explained variance and concordance that of the share which is left over; of a correlation, on the scale of
    Fisher's z.
    """
    if pairs.largest is None or metric.tail is None:
        return None
    n, value, tail = float(pairs.effective_rows), float(metric.values(pairs)), metric.tail(pairs, **metric.settings)
    assert isinstance(tail, Tail)
    if metric.quantity is Quantity.CORRELATION:
        return _of_correlation(pairs, value, level)
    if metric.quantity is Quantity.CONCORDANCE:
        return _of_concordance(pairs, tail, 1 - value, level)
    if metric.quantity is Quantity.EXPLAINED:
        return _as_few_tell(metric, pairs, level, _left_over(pairs, tail, 1 - value, level))
    power = 2.0 if metric.quantity is Quantity.ROOT_MEAN_SQUARE else 1.0
    mean = value**power
    error = _error_of_mean(pairs, tail.values, mean) if n > 1 else np.nan
    with np.errstate(over="ignore"):  # squares of the largest numbers are infinite
        largest = pairs.largest.of(tail.largest) ** tail.power
    limits = tailed_means.rubin_hill_limits(mean, error, n, largest, level, of_squares=tail.power == 2)
    if limits is not None and (heavy := _with_a_heavy_row(pairs, tail, mean, float(largest[0]), level)):
        limits = limits[0], np.fmax(limits[1], heavy)
    ends = None if limits is None else (limits[0] ** (1 / power), limits[1] ** (1 / power))
    return _as_few_tell(metric, pairs, level, ends)


def _with_a_heavy_row(pairs: NumberPairs, tail: Tail, mean: float, largest: float, level: float) -> float:
    """The upper limit of a mean of losses with one more row, that was not seen; 0 where all rows weigh the same.

    It weighs what the heaviest does beyond a row in effect, and is √2 times as far off as any row. The limit is that of
    the mean of a gamma distribution with this mean and its variance: √(n / χ²) of a root mean square, were all alike.
    """
    from scipy.special import gammaincinv

    if pairs.sums.kept is None or pairs.by_cluster or not mean > 0:
        return 0.0
    weights = pairs.sums.kept[:, pairs.sums.places["n"]]
    total = float(weights.sum())
    beyond = float(weights.max()) - float((weights**2).sum()) / total
    if not beyond > ROUNDING * float(weights.max()):
        return 0.0
    loss = largest * HEAVY_FURTHER**tail.power
    with_it = (mean * total + beyond * loss) / (total + beyond)
    values = {**tail.values, "n": tail.values.get("n", 0.0) - with_it}
    squares = float(pairs.squares_of(values)) + (beyond * (loss - with_it)) ** 2
    shape = (with_it * (total + beyond)) ** 2 / squares if squares > 0 else np.inf
    quantile = float(gammaincinv(shape, 0.5 - level / 2)) if np.isfinite(shape) else 0.0
    return with_it * shape / quantile if quantile > 0 else 0.0


def _error_of_mean(pairs: NumberPairs, values: Combination, mean: float) -> float:
    """The standard error of a mean, from what each unit adds to it beyond the mean."""
    n = float(ratio(pairs.of("n") ** 2, pairs.sums.squares_of("n")))
    spread = pairs.squares_of({**values, "n": values.get("n", 0.0) - mean})
    return float(np.sqrt(spread * n / (n - 1)) / pairs.of("n"))


def rows_in_effect(pairs: NumberPairs, values: Combination, mean: float, largest: Array) -> float:
    """As many rows by themselves as tell as much of a mean of losses: Kish's, or of clusters by their design effect.

    Of rows that belong together that is the variance of one row over the variance of the mean by clusters, between the
    number of clusters in effect and of rows. Squares of the losses that are not among the largest count as if those
    were alike: of more rows than are kept that makes the number smaller, not larger.

    >>> from adjudge.metrics import mean_absolute_error
    >>> pairs = NumberPairs.of_arrays([0] * 4, [1, 2, 3, 4])
    >>> rows_in_effect(pairs, {"absolute": 1.0}, 2.5, np.array([4.0, 3.0, 2.0, 1.0]))
    4.0
    """
    units = float(pairs.effective_rows)
    if not pairs.by_cluster or not units > 1:
        return units
    rows = float(pairs.rows)
    left = max(rows - len(largest), 0.0)
    others = max(rows * mean - float(largest.sum()), 0.0) ** 2 / left if left > 0 else 0.0
    variance = max((float((largest**2).sum()) + others) / rows - mean**2, 0.0)
    error = _error_of_mean(pairs, values, mean)
    return min(max(variance / error**2 if error > 0 else units, units), rows)


def _as_few_tell(metric: Metric, pairs: NumberPairs, level: float, limits: Limits | None) -> Limits | None:
    """The upper end at least that of `tukey`, whose degrees of freedom are few where few rows make most of the value.

    That is so where most predictions are exact, or where rows that are far off weigh most: the largest losses are kept
    without weights. Of what is explained both ends, since rows whose reference is far out make its variance; and the
    upper end at least that of `jackknife_hill`, which allows for such a row that was not seen.
    """
    if limits is None:
        return None
    (low, high), few = limits, tukey(metric, pairs, level)
    explained = metric.quantity is Quantity.EXPLAINED
    if few is not None:
        low, high = np.fmin(low, few[0]) if explained else low, np.fmax(high, few[1])
    unseen = jackknife_hill(metric, pairs, level) if explained else None
    return low, high if unseen is None else np.fmax(high, unseen[1])


def _left_over(pairs: NumberPairs, tail: Tail, value: float, level: float) -> Limits | None:
    """The share of the variance that is left, as a mean of squared errors in units of that variance."""
    assert pairs.largest is not None
    n, variance = float(pairs.effective_rows), float(pairs.two.x.variance(ddof=0))
    if not (n > 1 and variance > 0):
        return None
    values = dict(tail.values)
    for name, factor in pairs.around_mean.items():
        values[name] = values.get(name, 0.0) - value * factor
    error = _error_of_mean(pairs, values, 0.0) / variance
    largest = (pairs.largest.of(tail.largest) ** tail.power) / variance
    limits = tailed_means.rubin_hill_limits(value, error, n, largest, level, of_squares=tail.power == 2)
    return None if limits is None else (1 - limits[1], 1 - limits[0])


def _of_concordance(pairs: NumberPairs, tail: Tail, value: float, level: float) -> Limits | None:
    """The share that Lin's coefficient leaves: squared errors over both variances and the square of the bias.

    What a row adds to either is told by the delta method.
    """
    assert pairs.largest is not None
    two, n = pairs.two, float(pairs.effective_rows)
    (mx, vx), (my, vy) = ((float(of.first / of.n), float(of.deviations / of.n)) for of in (two.x, two.y))
    bias = float(pairs.mean_of(pairs.signed_error))
    whole = vx + vy + bias**2
    if not (n > 1 and whole > 0):
        return None
    of_whole = {"xx": 1.0, "yy": 1.0, "x": -2 * mx - 2 * bias, "y": -2 * my + 2 * bias}
    of_whole["n"] = mx**2 + my**2 + 2 * bias * (mx - my) + bias**2
    values = dict(tail.values)
    for name, factor in of_whole.items():
        values[name] = values.get(name, 0.0) - value * factor
    error = _error_of_mean(pairs, values, 0.0) / whole
    largest = pairs.largest.of(tail.largest) ** tail.power / whole
    limits = tailed_means.rubin_hill_limits(value, error, n, largest, level, of_squares=True)
    return None if limits is None else (1 - limits[1], 1 - limits[0])


def _of_correlation(pairs: NumberPairs, value: float, level: float) -> Limits | None:
    """On the scale of Fisher's z: a standard error told from the rows, and towards 0 also a row not seen.

    By the delta method neither need be normal: with u and v the standardized numbers, a row adds
    (u v − r (u² + v²) / 2) / (1 − r²) to z. A row that is off by e adds e² to the variance of the reference.
    """
    assert pairs.largest is not None
    two, n = pairs.two, float(pairs.effective_rows)
    if not (n > 2 and abs(value) < 1):
        return None
    (mx, vx), (my, vy) = ((float(of.first / of.n), float(of.deviations / of.n)) for of in (two.x, two.y))
    across, x, y = 1 / np.sqrt(vx * vy), value / (2 * vx), value / (2 * vy)
    adds = {
        "xy": across,
        "xx": -x,
        "yy": -y,
        "x": -my * across + 2 * mx * x,
        "y": -mx * across + 2 * my * y,
        "n": mx * my * across - mx**2 * x - my**2 * y,
    }
    reach = student_quantile(level, n - 2) * _error_of_mean(pairs, adds, 0.0) / (1 - value**2)
    unseen = tailed_means.beyond_largest(pairs.largest.of(EITHER_SIDE) ** 2, n)
    weight = -np.log(0.5 - level / 2)  # the same quantile of a weight that is exponential with mean 1
    z = np.arctanh(value)
    towards_zero = np.hypot(reach, z - np.arctanh(value / np.sqrt(1 + weight * unseen / (n * vx))))
    below, above = (towards_zero, reach) if value > 0 else (reach, towards_zero)
    return np.asarray(np.tanh(z - below)), np.asarray(np.tanh(z + above))


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
