"""How many units would settle what these have left open: the one answer that gates and plans give."""

from __future__ import annotations

import math
from dataclasses import dataclass

from adjudge.inference.planning.power import NORMAL, Aim, NormalOutlook, ShareOutlook, units_for


@dataclass(frozen=True, slots=True)
class UnseenOutlook:
    """A mean of losses, or its root, whose limit allows for errors that so many units did not show (`with_unseen`).

    What these may cost goes with their share, about 3 in n, and with the largest error seen, whose square grows like
    the logarithm of n; `reach` is how far the limit is away with `units` units, `se` the standard error.

    >>> outlook = UnseenOutlook(1.0, 0.36, 0.071, 100)
    >>> units_for(outlook, Aim(1.25, at_least=False), 0.8)
    232
    """

    truth: float
    reach: float
    se: float
    units: float
    method: str = "unseen"

    def passes(self, units: int, aim: Aim) -> float:
        """With the wider of the two reaches that so many units have; at most a bound on the scale of squares."""
        if units < 2:
            return 0.0
        error = self.se * math.sqrt(self.units / units)
        left = self.units / units * math.log(units) / math.log(max(self.units, 2.0))
        if aim.at_least:
            unseen = self.reach * left
        else:  # a root grows more slowly than what is under it; of a mean this asks for a little more
            unseen = math.sqrt(self.truth**2 + left * ((self.truth + self.reach) ** 2 - self.truth**2)) - self.truth
        usual = NORMAL.inv_cdf(1 - aim.alpha) * error
        if unseen > usual:  # the largest of n varies as Gumbel's distribution does: by 1.28 about log n + 0.58
            error = math.hypot(error, unseen * 1.2825 / (math.log(units) + 0.5772))
        return NORMAL.cdf((aim.distance(self.truth) - max(unseen, usual)) / error)

    def half_width(self, units: int, level: float) -> float:
        """By the standard error alone."""
        return -NORMAL.inv_cdf(0.5 - level / 2) * self.se * math.sqrt(self.units / units)


@dataclass(frozen=True, slots=True)
class LimitsOutlook:
    """What limits of a number at `units` units promise of other numbers: a part shrinks with their root, a part faster.

    How far the two limits lie off the value on average goes with 1/√n. Where the one that decides lies further off
    than the other, what it lies further off goes with 1/n, as skewness and imagined units do.

    >>> outlook = LimitsOutlook(0.9, (0.06, 0.04), 100, 1.645)
    >>> [round(outlook.passes(units, Aim(0.85)), 2) for units in (50, 100, 400)]
    [0.17, 0.37, 0.93]
    """

    truth: float
    reaches: tuple[float, float]  # below and above
    units: float
    z: float  # of the limits, in standard errors
    method: str = "normal"

    def passes(self, units: int, aim: Aim) -> float:
        """By the limit on the side that decides."""
        near, other = self.reaches if aim.at_least else self.reaches[::-1]
        usual, further = ((near + other) / 2, (near - other) / 2) if near > other else (near, 0.0)
        left = self.units / units
        error = usual / self.z * math.sqrt(left)
        reach = NORMAL.inv_cdf(1 - aim.alpha) * error + further * left
        return NORMAL.cdf((aim.distance(self.truth) - reach) / error)

    def half_width(self, units: int, level: float) -> float:
        """Half of what both limits span."""
        return -NORMAL.inv_cdf(0.5 - level / 2) / self.z * sum(self.reaches) / 2 * math.sqrt(self.units / units)


def units_needed(
    estimate: float,
    bound: float,
    units: float,
    se: float,
    *,
    shown: float | None = None,
    at_least: bool = True,
    alpha: float = 0.05,
    power: float = 0.8,
    share: bool = False,
) -> int | None:
    """Units with which a requirement passes with this power, should the estimate be the truth; None if it never would.

    `se` is the standard error of the estimate with `units` units: n ((z₁₋α + z_power) se / |estimate − bound|)².
    Where that stands for errors, too, that the units may not show, `shown` is the standard error that they do show.
    A `share` of rows is searched for exactly, as the exact binomial test will judge it. None means that the estimate is
    on the wrong side of the bound (more units would more likely fail it), or so near that nobody has so many units.

    >>> units_needed(0.90, 0.85, 100, 0.03, share=True), units_needed(0.90, 0.85, 100, 0.03)
    (304, 223)
    >>> units_needed(0.80, 0.85, 100, 0.03), units_needed(1.0, 0.95, 40, 0.0, share=True)
    (None, 59)
    """
    if not math.isfinite(estimate):
        return None
    aim = Aim(bound, at_least, alpha)
    if share and 0 < bound < 1:
        return units_for(ShareOutlook(estimate), aim, power)
    if not (math.isfinite(se) and se > 0 and units > 0):
        return None
    if shown is not None and 0 < shown < se:
        return units_for(UnseenOutlook(estimate, NORMAL.inv_cdf(1 - alpha) * se, shown, units), aim, power)
    return units_for(NormalOutlook(estimate, lambda value: se * math.sqrt(units)), aim, power)
