"""An estimate and its interval: two numbers, a level and the method that made them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adjudge.errors import SettingError
from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value lies, at a stated level of confidence."""

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric's value with its doubt. An undefined value is NaN and `note` says why."""

    metric: str
    value: float
    interval: Interval
    method: str
    n: int
    note: str = ""

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"{self.metric}: undefined ({self.note})"
        interval = f"[{self.interval.low:.4g}, {self.interval.high:.4g}]"
        return f"{self.metric}: {self.value:.4g} {interval} ({self.interval.level:.0%}, {self.method}, n = {self.n})"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Low and high limits for each of a metric's values, and what is to be said about them."""

    method: str
    low: Array
    high: Array
    note: str = ""

    def within(self, limits: tuple[float, float]) -> Bounds:
        """The same bounds, cut to the metric's range."""
        return Bounds(self.method, np.clip(self.low, *limits), np.clip(self.high, *limits), self.note)


def checked_level(level: float) -> float:
    """A confidence level strictly between 0 and 1.

    >>> checked_level(0.95)
    0.95
    """
    if not 0 < level < 1:
        raise SettingError(f"`level` must lie between 0 and 1, for example 0.95, not {level!r}.")
    return float(level)


def normal_quantile(level: float) -> float:
    """How many standard errors a two-sided interval of this level reaches.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(0.5 + level / 2)
