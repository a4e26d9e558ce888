"""Several systems unit by unit: better, the same and worse, and what flipped."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.evaluation.panels import Flip, UnitsPanel
from adjudge.statistics.paired_units import PairedUnits


def units_panel(
    found: PairedUnits, names: Sequence[str], system: int, baseline: int, of: str, *, unit: str = "row"
) -> UnitsPanel:
    """One system beside another; flips are known beside the one they were kept for."""
    better, equal, worse = found.outcome(system, baseline)
    flips = [
        Flip(one.name, one.reference, one.before, one.after, better=side)
        for side, changed in ((True, found.fixed[system]), (False, found.broken[system]))
        for one in changed
    ]
    return UnitsPanel(names[system], names[baseline], unit, of, better, equal, worse, flips)
