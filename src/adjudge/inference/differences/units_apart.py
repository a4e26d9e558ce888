"""What units add to the difference of two systems' values, where a few of them make most of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.inference.differences.paired_units import HALVINGS, MeanDifference, SkewedDifference
from adjudge.inference.differences.same_verdict import p_by_limits
from adjudge.inference.intervals.left_out import (
    FEW_TELL,
    MOST_TOLD,
    About,
    added_by_units,
    endless_scale,
    few_that_carry,
    freedom_of_weights,
    hall_reach,
    limits_without_one,
    satterthwaite,
    skewness,
    unseen_unit,
    weights_of,
)
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.scores.sums import ScoreSums


@dataclass(frozen=True)
class JackknifedDifference:
    """The other's value less the first's on the same units, with what it is without each of them.

    Where one of two systems avoids rare large errors, most of what they differ by is in few rows. Draws of these reach
    too short a way to the side where more of them would be. Limits reach as far as `jackknife_hill`, and with Hall's
    cubic (1992) of Student's t, with Satterthwaite's degrees of freedom, in place of Johnson's term.

    >>> from adjudge.metrics import rmse
    >>> one, two = (rmse.statistic_of([0] * 6, errors) for errors in ([1, 1, 1, 1, 2, 9], [1, 1, 1, 2, 1, 1]))
    >>> between = JackknifedDifference.of(rmse, one, two)
    >>> [round(end, 1) for end in between.interval(0.95)], round(between.p(), 2)
    ([-23.9, 4.4], 0.46)
    """

    value: float
    without: Array
    units: Array
    most: float  # degrees of freedom, by the weights

    @classmethod
    def of(cls, metric: Metric, first: AnyStatistic, other: AnyStatistic) -> JackknifedDifference | None:
        """Of two statistics; None where these do not tell their units, or all units add the same."""
        between = _apart(metric, first, other)
        if between is None:
            return None
        one = cls(float(between[0]), *between[1:])
        return None if one._skewed(0.95) is None else one

    @cached_property
    def _adds(self) -> Array:
        return added_by_units(self.without, self.units)

    def _skewed(self, level: float) -> tuple[float, float] | None:
        about = About(endless_scale(-np.inf, np.inf), freedom=self.most)
        limits = limits_without_one(np.asarray(self.value), self.without, self.units, level, about)
        return None if limits is None else (float(limits[0]), float(limits[1]))

    def interval(self, level: float) -> tuple[float, float]:
        """The limits: `jackknife_hill`'s, or Hall's where these reach further."""
        skewed, n = self._skewed(level), float(self.units.sum())
        assert skewed is not None, "there is none"
        error = float(np.sqrt((n - 1) / n * (self.units @ self._adds**2)))
        freedom = max(min(satterthwaite(self._adds, self.units), self.most), FEW_TELL)
        quantile, lean = student_quantile(level, freedom), skewness(self._adds, self.units)
        below, above = (
            math.hypot(hall_reach(quantile, side * lean) * error, unseen_unit(side * self._adds, self.units))
            for side in (-1.0, 1.0)
        )
        return min(self.value - below, skewed[0]), max(self.value + above, skewed[1])

    def p(self, level: float = 0.95, least: float = 1e-12) -> float:
        """What is left of the highest level whose interval does not hold 0, of levels that leave at least so much.

        Where the interval of `level` holds 0 it is what this says, were it normal: units not seen count as much at any.
        """
        limits = self.interval(level)
        if limits[0] <= 0 <= limits[1]:
            return max(p_by_limits(self.value, limits, level), least)
        if not self._holds_zero(least):
            return least
        low, high = math.log(least), math.log(1 - level)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._holds_zero(math.exp(middle)) else (low, middle)
        return math.exp(high)

    def _holds_zero(self, left: float) -> bool:
        low, high = self.interval(1 - left)
        return low <= 0 <= high


def skewed_mean(
    student: MeanDifference | None,
    units: float,
    metric: Metric,
    systems: tuple[AnyStatistic, AnyStatistic],
    root: float = 1.0,
) -> SkewedDifference | None:
    """A mean of differences of so many units, with what they tell: Satterthwaite's freedom, and how skewed it is.

    As if there were one more unit, as far off as the furthest: few hold those that matter most. The systems are the
    first and the other; of a root, what differs is the mean under it. None where units do not tell.

    >>> from adjudge.metrics import mean_bias_error
    >>> one, two = (mean_bias_error.statistic_of([0] * 6, errors) for errors in ([0] * 6, [1, 1, 1, 2, 1, 9]))
    >>> skewed = skewed_mean(MeanDifference(2.5, 1.31, 5), 6, mean_bias_error, (one, two))
    >>> round(skewed.freedom, 2), round(skewed.skewness, 2), round(skewed.error, 2)
    (3.89, 0.71, 1.85)
    """
    between = None if student is None else _apart(metric, *systems, root)
    if student is None or between is None:
        return None
    _, without, each, most = between
    adds = added_by_units(without, each)
    if not np.abs(adds).max() > 0:
        return None
    freedom = min(max(min(satterthwaite(adds, each), most), FEW_TELL), student.freedom)
    error = math.hypot(student.error, float(np.abs(adds).max()))
    return SkewedDifference(student.mean, error, freedom, skewness(adds, each), units)


def skewed_draws(usual: MeanDifference | None, draws: Array, units: float) -> SkewedDifference | None:
    """The same of so many units where draws are skewed, by what is beyond the chance of so many draws (6 / B).

    The skewness of draws is that of the mean. Degrees of freedom are Satterthwaite's of a gamma distribution that is as
    skewed, whose kurtosis is 3 + 1.5 γ²: draws tell a kurtosis badly. None where there is no freedom, or no spread.

    >>> draws = np.random.default_rng(1).gamma(16.0, 0.25, 20_000)
    >>> skewed = skewed_draws(MeanDifference(4.0, 1.0, 99), draws, 100)
    >>> round(skewed.skewness, 1), round(skewed.freedom)
    (0.5, 5)
    """
    spread = float(draws.std()) if len(draws) else 0.0
    if usual is None or not usual.freedom >= 1 or not spread > 0:
        return None
    lean = float((((draws - draws.mean()) / spread) ** 3).mean())
    skewness = math.copysign(math.sqrt(max(lean**2 - 6 / len(draws), 0.0)), lean)
    freedom = max(min(1 / (1 / units + 0.75 * skewness**2), usual.freedom), min(FEW_TELL, usual.freedom))
    return SkewedDifference(usual.mean, usual.error, freedom, skewness, units)


def difference_carried_by(metric: Metric, first: AnyStatistic, other: AnyStatistic) -> tuple[int, int] | None:
    """How many units, of how many, make most of the doubt about a difference; None where it is not in a few of them.

    Unlike a mean of losses, no difference allows for a unit as far off that was not seen: it is told of all of them.

    >>> from adjudge.metrics import rmse
    >>> one, two = (rmse.statistic_of([0] * 40, [1, -1] * 18 + [2, 1, -2, far]) for far in (9, 1))
    >>> difference_carried_by(rmse, one, two)
    (1, 40)
    """
    between = _apart(metric, first, other) if other.rows <= MOST_TOLD else None
    return None if between is None else few_that_carry(between[1], between[2])


def _apart(
    metric: Metric, first: AnyStatistic, other: AnyStatistic, power: float = 1.0
) -> tuple[Array, Array, Array, float] | None:
    """The other's value less the first's with all units and without each, the units, and the freedom of weights."""
    if isinstance(first, NumberPairs) and isinstance(other, NumberPairs):
        alike = first.same_rows_as(other)
    else:
        alike = isinstance(first, ScoreSums) and isinstance(other, ScoreSums) and first.same_rows_as(other)
    if not alike:
        return None
    (left, units), (others, _) = first.without_one(), other.without_one()
    with np.errstate(all="ignore"):
        value = metric.values(other) ** power - metric.values(first) ** power
        without = metric.values(others) ** power - metric.values(left) ** power
    if len(units) < 2 or not np.isfinite(without).all():
        return None
    return value, without, units, freedom_of_weights(weights_of(first, units), units)
