"""Tango's score interval of a difference of two paired shares (1998); counts may be fractions."""

from __future__ import annotations

import math

HALVINGS = 60


def tango_score(difference: float, first: float, second: float, rows: float) -> float:
    """How many standard errors the seen difference lies above a tried one: zero at the one that was seen.

    `first` counts the rows that only the first got right, or votes for; `second` the other way round.

    >>> round(tango_score(-0.1, 0, 1, 44), 6)
    1.708564
    """
    linear = (2 * rows - first + second) * difference - first - second
    nuisance = math.sqrt(max(linear**2 + 8 * rows * second * difference * (1 - difference), 0.0)) - linear
    spread = math.sqrt(max(rows * (nuisance / (2 * rows) + difference * (1 - difference)), 0.0))
    away = first - second - rows * difference
    return away / spread if spread > 0 else math.copysign(math.inf, away) if away else 0.0


def tango_limits(first: float, second: float, rows: float, z: float) -> tuple[float, float]:
    """All differences that the score test does not reject, by halving. They have width where no row differs.

    >>> [round(end, 4) for end in tango_limits(1, 7, 21, 1.959964)]
    [-0.5172, -0.026]
    """
    if not rows > 0:
        return math.nan, math.nan
    ends = []
    for side in (z, -z):
        low, high = -1.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if tango_score(middle, first, second, rows) > side else (low, middle)
        ends.append((low + high) / 2)
    return ends[0], ends[1]
