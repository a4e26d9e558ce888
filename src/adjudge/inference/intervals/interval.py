"""An estimate and its interval: two numbers, a level and the method that made them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.statistics.base import Array

LEAST_LEVEL, MOST_LEVEL = 0.001, 0.999999
LEAST_USUAL = 0.5  # a level below is most likely an error rate


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value lies, at a stated level of confidence."""

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric's value with its doubt. An undefined value is NaN, as are limits that are not there: `note` says why.

    >>> print(Estimate("accuracy", 0.75, Interval(0.3, 0.95, 0.95), "wilson", 4))
    accuracy: 0.75 [0.3, 0.95] (95%, wilson, n = 4)
    >>> print(Estimate("ndcg", 0.96, Interval(math.nan, math.nan, 0.95), "none", 1, "too few units for an interval: 1"))
    ndcg: 0.96 (n = 1; too few units for an interval: 1)
    """

    metric: str
    value: float
    interval: Interval
    method: str
    n: int
    note: str = ""
    checks: tuple[str, ...] = ()  # what looks like a mistake in the data, to be looked at first

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return "".join((self._figure(), *(f"\nCheck the data first: {sentence}" for sentence in self.checks)))

    def _figure(self) -> str:
        if math.isnan(self.value):
            return f"{self.metric}: undefined ({self.note.removeprefix('undefined: ')})"
        estimate, low, high = f"{self.metric}: {self.value:.4g}", self.interval.low, self.interval.high
        if math.isnan(low) and math.isnan(high):
            return f"{estimate} (n = {self.n}; {self.note or 'no interval'})"
        return f"{estimate} [{low:.4g}, {high:.4g}] ({self.interval.level:.0%}, {self.method}, n = {self.n})"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Low and high limits for each of a metric's values.

    By resampling, also how many of the `replicates` had a value to read them from.
    """

    method: str
    low: Array
    high: Array
    defined: Array | None = None
    replicates: int = 0

    def within(self, limits: tuple[float, float]) -> Bounds:
        """The same bounds, cut to the metric's range."""
        if limits == (-np.inf, np.inf):
            return self
        return Bounds(self.method, _cut(self.low, *limits), _cut(self.high, *limits), self.defined, self.replicates)

    def note(self, place: int | None = None) -> str:
        """What is to be said about the limits of one value."""
        if self.defined is None:
            return ""
        missing = self.replicates - int((self.defined if place is None else self.defined[place]).min())
        if missing == 0:
            return ""
        return f"undefined in {missing:,} of {self.replicates:,} replicates, which were left out"


def _cut(ends: Array, least: float, most: float) -> Array:
    if np.shape(ends):
        return np.clip(ends, least, most)
    end = float(ends)  # asked thousands of times, of one number: the same bits, sooner
    return np.asarray(least if end < least else most if end > most else end)


def checked_level(level: float) -> float:
    """A confidence level strictly between 0 and 1.

    >>> checked_level(0.95)
    0.95
    """
    if not isinstance(level, (int, float, np.number)) or not 0 < level < 1:
        raise SettingError(f"`level` must lie between 0 and 1, for example 0.95, not {literal(level)}.")
    if not LEAST_LEVEL <= level <= MOST_LEVEL:  # beyond these the quantiles of the normal are lost in rounding
        raise SettingError(
            f"`level` must be from {LEAST_LEVEL} to {MOST_LEVEL}, for example 0.95, not {literal(level)}."
        )
    return float(level)


def normal_quantile(level: float) -> float:
    """How many standard errors a two-sided interval of this level reaches.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(0.5 + level / 2)


def normal_below(value: float) -> float:
    """How much of the normal distribution lies below a value: of one far out, too, all digits that there are.

    >>> f"{normal_below(-22):.3g}"
    '1.44e-107'
    """
    from scipy.special import ndtr

    return float(ndtr(value))
