"""How many units would settle what these have left open: the one answer that gates and plans give."""

from __future__ import annotations

import math
from statistics import NormalDist

from adjudge.inference.sample_size import MOST_ROWS, rows_for_share, rows_without_failure


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
    if not (math.isfinite(estimate) and (estimate > bound if at_least else estimate < bound)):
        return None
    reach = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(power)
    if share and 0 < bound < 1:
        least, truth = (bound, estimate) if at_least else (1 - bound, 1 - estimate)
        if truth >= 1:
            return rows_without_failure(1 - least, alpha)
        if reach**2 * truth * (1 - truth) / (truth - least) ** 2 > MOST_ROWS / 2:
            return None
        return rows_for_share(least, truth, alpha, power).rows
    if not (math.isfinite(se) and se > 0 and units > 0):
        return None
    needed = units * (reach * se / (estimate - bound)) ** 2
    return math.ceil(needed - 1e-9) if needed <= MOST_ROWS else None
