"""Several systems unit by unit: better, the same and worse, and what flipped."""

from __future__ import annotations

from adjudge.evaluation.declaration import UnitSource
from adjudge.evaluation.panels import Flip, UnitsPanel
from adjudge.statistics.paired_units import PairedUnits


def units_panel(units: PairedUnits, source: UnitSource, system: str, baseline: str) -> UnitsPanel:
    """One system beside the baseline, whose flips were kept."""
    place, first = source.systems.index(system), source.systems.index(baseline)
    better, equal, worse = units.outcome(place, first)
    flips = [
        Flip(one.name, one.reference, one.before, one.after, better=side)
        for side, changed in ((True, units.fixed[place]), (False, units.broken[place]))
        for one in changed
    ]
    return UnitsPanel(system, baseline, source.unit, source.of, better, equal, worse, flips)
