"""What so many units will show of a metric with a given true value: the chance to pass, and the width of intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol, runtime_checkable

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.planning.sample_size import MOST_ROWS, rows_for_share, share_power
from adjudge.inference.planning.squares_judged import passes_unseen, shown_half_width

NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be proven: a value of at least, or at most, a bound, wrongly in no more than `alpha` of cases."""

    bound: float
    at_least: bool = True
    alpha: float = 0.05

    def distance(self, truth: float) -> float:
        """How far the truth is on the good side of the bound."""
        return truth - self.bound if self.at_least else self.bound - truth


class Outlook(Protocol):
    """What is expected of a metric before it is measured."""

    @property
    def truth(self) -> float:
        """The value that is expected."""

    @property
    def method(self) -> str:
        """By which limits it will be judged."""

    def passes(self, units: int, aim: Aim) -> float:
        """The chance that so many units prove it."""

    def half_width(self, units: int, level: float) -> float:
        """Half the width of the interval that so many units give."""


@runtime_checkable
class FromThen(Protocol):
    """An outlook whose chance goes up and down, and that knows from where on it holds."""

    def from_then(self, aim: Aim, power: float) -> int | None:
        """Units from which on the aim is reached with this power."""


@runtime_checkable
class Supposing(Protocol):
    """An outlook that takes a distribution for granted, and says which."""

    @property
    def supposed(self) -> str:
        """What is taken for granted, in words."""


@dataclass(frozen=True, slots=True)
class ShareOutlook:
    """A share of rows, judged by the exact binomial test and shown with Wilson's interval.

    >>> round(ShareOutlook(0.9).passes(304, Aim(0.85)), 4), round(ShareOutlook(0.9).half_width(868, 0.95), 4)
    (0.8357, 0.02)
    """

    truth: float
    method: str = "clopper_pearson"

    def passes(self, units: int, aim: Aim) -> float:
        """Summed over all that can be seen."""
        bound, truth = (aim.bound, self.truth) if aim.at_least else (1 - aim.bound, 1 - self.truth)
        return float(share_power(np.array([units]), bound, truth, aim.alpha)[0]) if 0 < bound < 1 else float("nan")

    def half_width(self, units: int, level: float) -> float:
        """Wilson's interval of the expected share."""
        z, p = normal_quantile(level), self.truth
        return z / (1 + z**2 / units) * math.sqrt(p * (1 - p) / units + z**2 / (4 * units**2))


@dataclass(frozen=True, slots=True)
class NormalOutlook:
    """Anything whose spread is that of one unit over √n; `spread` of one unit may depend on the value.

    >>> round(NormalOutlook(0.9, lambda value: 0.3).passes(223, Aim(0.85)), 3)
    0.801
    """

    truth: float
    spread: Callable[[float], float]
    method: str = "normal"

    def passes(self, units: int, aim: Aim) -> float:
        """By the spread at the bound and at the truth."""
        reach = NORMAL.inv_cdf(1 - aim.alpha) * self.spread(aim.bound)
        return NORMAL.cdf((aim.distance(self.truth) * math.sqrt(units) - reach) / self.spread(self.truth))

    def half_width(self, units: int, level: float) -> float:
        """Standard errors on each side."""
        return normal_quantile(level) * self.spread(self.truth) / math.sqrt(units)


@dataclass(frozen=True, slots=True)
class MeanOutlook:
    """A mean over units of known deviation, by Student's test.

    >>> round(MeanOutlook(0.0, 0.3).passes(1929, Aim(-0.02)), 4)
    0.9001
    """

    truth: float
    deviation: float
    method: str = "student"

    def passes(self, units: int, aim: Aim) -> float:
        """By the non-central t distribution."""
        from scipy.special import nctdtr, stdtrit

        if units < 2:
            return 0.0
        reach = float(stdtrit(units - 1, 1 - aim.alpha))
        return float(1 - nctdtr(units - 1, math.sqrt(units) * aim.distance(self.truth) / self.deviation, reach))

    def half_width(self, units: int, level: float) -> float:
        """Student's interval."""
        from scipy.special import stdtrit

        return float(stdtrit(units - 1, 0.5 + level / 2)) * self.deviation / math.sqrt(units) if units > 1 else math.inf


@dataclass(frozen=True, slots=True)
class SquaresOutlook:
    """A root of a mean of squared errors, or the mean itself, of errors that are normal.

    "At most" is judged as by a gate, whose limit allows for rare large errors that were not seen (`with_unseen`).

    >>> [round(SquaresOutlook(0.5).passes(rows, Aim(0.6, at_least=False)), 2) for rows in (100, 500)]
    [0.05, 0.97]
    """

    truth: float
    rooted: bool = True
    method: str = "rubin_hill"
    supposed: str = "errors are taken for normal, and longer tails take more"

    def passes(self, units: int, aim: Aim) -> float:
        """By the chi-square distribution of the sum of squares; at most a bound, by what a gate would say."""
        from scipy.special import chdtr, chdtri

        if aim.bound <= 0:
            return float(aim.at_least)
        times = (aim.bound / self.truth) ** (2 if self.rooted else 1)
        if aim.at_least:
            return float(1 - chdtr(units, times * chdtri(units, aim.alpha)))
        return passes_unseen(units, times, aim.alpha)

    def half_width(self, units: int, level: float) -> float:
        """Half of the whole width of the interval that is shown: it is not the same on both sides."""
        return self.truth * shown_half_width(units, level, rooted=self.rooted)


def _checked(kappa: float, prevalence: float) -> None:
    if not -1 < kappa < 1:
        raise SettingError(f"`kappa` must lie between -1 and 1, not {literal(kappa)}.")
    if not 0 < prevalence < 1:
        raise SettingError(f"`prevalence` must lie between 0 and 1, not {literal(prevalence)}.")


def kappa_variance(kappa: float, prevalence: float) -> float:
    """The large-sample variance of kappa times the number of items: two raters, two categories, equal habits.

    (1 − κ) [(1 − κ)(1 − 2κ) + κ(2 − κ) / (2π(1 − π))].

    >>> round(kappa_variance(0.4, 0.5), 4)
    0.84
    """
    _checked(kappa, prevalence)
    rare = 2 * prevalence * (1 - prevalence)
    return (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / rare)


def kappa_distance(null: float, true: float, prevalence: float) -> float:
    """What each item adds to the goodness-of-fit statistic of a null kappa, should another be true.

    >>> round(kappa_distance(0.4, 0.6, 0.5), 4)
    0.0476
    """
    _checked(null, prevalence)
    _checked(true, prevalence)
    both = prevalence * (1 - prevalence)
    shares = (prevalence**2 + both * null, both * (1 - null) / 2, (1 - prevalence) ** 2 + both * null)
    if min(shares) <= 0:
        raise SettingError(f"`null` kappa {literal(null)} cannot occur at prevalence {literal(prevalence)}.")
    return (both * (true - null)) ** 2 * (1 / shares[0] + 1 / shares[1] + 1 / shares[2])


@dataclass(frozen=True, slots=True)
class KappaOutlook:
    """A kappa of two raters and two categories, by the goodness-of-fit test of Donner and Eliasziw (1992).

    >>> round(KappaOutlook(0.6, 0.5).passes(165, Aim(0.4, alpha=0.025)), 3)
    0.8
    >>> round(KappaOutlook(0.8, 0.1).half_width(401, 0.95), 3)
    0.1
    """

    truth: float
    prevalence: float
    method: str = "gof"

    def passes(self, units: int, aim: Aim) -> float:
        """By how much each item adds to the statistic."""
        distance = math.sqrt(units * kappa_distance(aim.bound, self.truth, self.prevalence))
        reach = math.copysign(distance, aim.distance(self.truth))
        return NORMAL.cdf(reach - NORMAL.inv_cdf(1 - aim.alpha))

    def half_width(self, units: int, level: float) -> float:
        """By the large-sample variance."""
        return normal_quantile(level) * math.sqrt(kappa_variance(self.truth, self.prevalence) / units)


def area_outlook(truth: float, positives: float) -> NormalOutlook:
    """An area under the ROC curve of scores that are normal in both classes; `positives` is their share of the rows.

    The spread is that of Obuchowski (1994), as in pROC's `power.roc.test`.

    >>> rows = units_for(area_outlook(0.7, 0.5), Aim(0.5), 0.9)
    >>> rows / 2
    33.0
    """

    def spread(area: float) -> float:
        square = 2 * NORMAL.inv_cdf(min(max(area, 1e-9), 1 - 1e-9)) ** 2
        ratio = positives / (1 - positives)
        return math.sqrt(0.0099 * math.exp(-square / 2) * (5 * square + 8 + (square + 8) * ratio) / positives)

    return NormalOutlook(truth, spread, "obuchowski")


def pairs_outlook(difference: float, differing: float) -> NormalOutlook:
    """A difference of two shares on the same rows, of which the share `differing` is answered right by one system only.

    At a bound of 0 the spread is that of no difference (Connor 1987).

    >>> units_for(pairs_outlook(0.04, 0.12), Aim(0.0, alpha=0.025), 0.8)
    587
    """

    def spread(value: float) -> float:
        return math.sqrt(differing - (0.0 if value == 0 else difference**2))

    return NormalOutlook(difference, spread, "tango")


def units_for(outlook: Outlook, aim: Aim, power: float) -> int | None:
    """Units from which on the aim is reached with this power; None if nobody has so many, or no number would do.

    >>> units_for(ShareOutlook(0.9), Aim(0.85), 0.8), units_for(ShareOutlook(0.8), Aim(0.85), 0.8)
    (304, None)
    """
    if not aim.distance(outlook.truth) > 0:
        return None
    if isinstance(outlook, ShareOutlook) and 0 < outlook.truth < 1 and 0 < aim.bound < 1:
        bound, truth = (aim.bound, outlook.truth) if aim.at_least else (1 - aim.bound, 1 - outlook.truth)
        reach = NORMAL.inv_cdf(1 - aim.alpha) + NORMAL.inv_cdf(power)
        near = reach**2 * bound * (1 - bound) / (truth - bound) ** 2 > MOST_ROWS / 2
        return None if near else rows_for_share(bound, truth, aim.alpha, power).rows
    if isinstance(outlook, FromThen):
        return outlook.from_then(aim, power)
    return least(lambda units: outlook.passes(units, aim) >= power)


def units_for_width(outlook: Outlook, half_width: float, level: float) -> int | None:
    """Units with which the interval is no wider than this on each side.

    >>> units_for_width(ShareOutlook(0.9), 0.02, 0.95)
    868
    """
    return least(lambda units: outlook.half_width(units, level) <= half_width)


def least(holds: Callable[[int], bool]) -> int | None:
    """The least whole number from which on a condition holds that does not stop holding; None beyond what anybody has.

    >>> least(lambda units: units >= 77), least(lambda units: False)
    (77, None)
    """
    high = 1
    while not holds(high):
        high *= 2
        if high > MOST_ROWS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
