"""What scores that are kept in cells leave uncertain, in words."""

from __future__ import annotations

import numpy as np

from adjudge.inference.resampling import Together
from adjudge.statistics.curves.curve import Curve, Curves


def _at_most(value: float) -> str:
    """A number in one digit, rounded up.

    >>> _at_most(0.00012)
    '0.0002'
    """
    step = 10.0 ** np.floor(np.log10(value)) if value > 0 else 1.0
    return f"{np.ceil(value / step) * step:.1g}"


def rounding_notes(statistics: Together) -> dict[type[object], str]:
    """How far scores in cells may put an area off."""
    curves: tuple[Curve, ...] = statistics[Curves].curves if Curves in statistics else ()
    if not any(curve.inside is not None or curve.level for curve in curves):
        return {}
    tied = max(float(curve.tied_pairs) for curve in curves)
    cells = max(len(curve.thresholds) for curve in curves)
    return {Curves: f"scores in {cells:,} cells: an area under the curve is within {_at_most(tied)}"}
