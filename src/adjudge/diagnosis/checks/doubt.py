"""How far shares vary, and how closely numbers follow one another, whatever rounding leaves of sums."""

from __future__ import annotations

import math


def error_of_share(share: float, rows: float) -> float:
    """The standard error of a share, which rounding may have put just outside 0 to 1.

    >>> error_of_share(0.5, 100), error_of_share(1 + 1e-15, 100)
    (0.05, 0.0)
    """
    return math.sqrt(max(share * (1 - share), 0.0) / rows)


def correlation_of_sums(both: float, x: float, y: float) -> float:
    """Pearson's, of sums of products and of squares around the means, which are not 0, but whose product may be.

    >>> correlation_of_sums(5e-201, 1e-200, 1e-200)
    0.5
    """
    return max(-1.0, min(1.0, both / math.sqrt(x) / math.sqrt(y)))
