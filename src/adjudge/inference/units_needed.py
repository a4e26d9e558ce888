"""How many units would settle what these have left open: the one answer that gates and plans give."""

from __future__ import annotations

import math

from adjudge.inference.power import Aim, NormalOutlook, ShareOutlook, units_for


def units_needed(
    estimate: float,
    bound: float,
    units: float,
    se: float,
    *,
    at_least: bool = True,
    alpha: float = 0.05,
    power: float = 0.8,
    share: bool = False,
) -> int | None:
    """Units with which a requirement passes with this power, should the estimate be the truth; None if it never would.

    `se` is the standard error of the estimate with `units` units: n ((z₁₋α + z_power) se / |estimate − bound|)².
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
    return units_for(NormalOutlook(estimate, lambda value: se * math.sqrt(units)), aim, power)
