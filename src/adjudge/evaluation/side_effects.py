"""What a system changes beside its baseline, whatever the task: fixed and broken, over all units and slice by slice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.engines.base import WHOLE, Collected, SliceKey
from adjudge.evaluation.contender import Contender
from adjudge.evaluation.declaration import View
from adjudge.evaluation.difference import How
from adjudge.evaluation.panels import TablePanel
from adjudge.inference.flips import SHARES, Flips, named_shares
from adjudge.inference.multiplicity import holm
from adjudge.inference.spread_alike import Spread, spread_alike, spread_by_units
from adjudge.statistics.case_outcomes import BROKEN, FIXED
from adjudge.statistics.paired_units import PairedUnits

EFFECTS = "Fixed and broken"
BY_SLICE = "Fixed and broken by {}"
SPREAD = "Spread over {}"
BY_SLICE_COLUMNS = [
    "system", "level", "n", "fixed", "broken", "net", "negative flip rate", "low", "high", "p", "adjusted p", "verdict",
]  # fmt: skip
Cell = str | int | float | None


@dataclass(frozen=True)
class Change:
    """What one system changes beside another, in all units or in a slice."""

    key: SliceKey
    system: str
    baseline: str
    flips: Flips
    level: float
    seed: int


def changes(rivals: Sequence[Contender], collected: Collected, how: How) -> Iterator[Change]:
    """Every system beside the first of those that are compared, where their units can be told."""
    for one in rivals[1:]:
        if one.measured.refused or rivals[0].measured.refused:
            continue
        flips = _flips(one.view, rivals[0].view, collected, how.key)
        if flips is not None:
            names = [side.view.system or side.view.name for side in (one, rivals[0])]
            yield Change(how.key, names[0], names[1], flips, how.level, how.settings.seed)


def _flips(view: View, baseline: View, collected: Collected, key: SliceKey) -> Flips | None:
    if view.flips is not None:
        return view.flips(baseline, key)
    source = baseline.unit_source
    if source is None:
        return None
    found: PairedUnits | None = collected.find(source.view, PairedUnits, key)
    names = [one.system or one.name for one in (view, baseline)]
    if found is None or not set(names) <= set(source.systems):
        return None
    place, first = (source.systems.index(name) for name in names)
    counts = dict(zip(("both", FIXED, BROKEN, "neither"), found.shares(place, first), strict=True))
    if not source.right_or_wrong:
        better, equal, worse = found.outcome(place, first)
        counts = {"both": float(equal), FIXED: float(better), BROKEN: float(worse), "neither": 0.0}
    counts["differing"] = float(found.differing[place, first])
    return Flips(counts, countable=source.countable, graded=not source.right_or_wrong)


def side_effect_tables(found: Sequence[Change]) -> Iterator[TablePanel]:
    """All figures of all units, then a table for each slice column."""
    whole = [one for one in found if one.key == WHOLE]
    if not whole:
        return
    cells = [row for one in whole for row in (*_figures(one), *_spreads(one, found))]
    yield TablePanel(EFFECTS, _note(whole[0]), ["system", "figure", "value", "low", "high", "formula"], cells)
    for column in dict.fromkeys(one.key[0] for one in found if one.key != WHOLE):
        yield _by_slice(column, [one for one in found if one.key[0] == column])


def _note(one: Change) -> str:
    words = ("better", "worse") if one.flips.graded else ("right only now", "right only before")
    limits = "Clopper–Pearson limits" if one.flips.units is None else "Korn–Graubard limits by template"
    limits = f"{limits}; the relative rate by smoothed Bayesian draws" if one.flips.limited else "No limits"
    why = "" if one.flips.limited else ": rows weigh differently or belong together"
    return f"Fixed is {words[0]}, broken {words[1]}, beside {one.baseline}. {limits}{why}."


def _figures(one: Change) -> Iterator[list[Cell]]:
    flips, p = one.flips, one.flips.p()
    tested = "" if math.isnan(p) else f"; p {p:.3g}"
    for name, value, formula in (
        ("Fixed", flips.counts[FIXED], "units"),
        ("Broken", flips.counts[BROKEN], "units"),
        ("Net", flips.net, f"fixed − broken{tested}"),
    ):
        yield [one.system, name, _whole(value), None, None, formula]
    for named, *numbers in named_shares(flips, one.level, one.seed):
        yield [one.system, named.label, *map(_known, numbers), f"{named.formula} ({named.source})"]


def _spreads(whole: Change, found: Sequence[Change]) -> Iterator[list[Cell]]:
    """Whether fixes and breakages are spread alike over the levels of each slice column: p."""
    for column in dict.fromkeys(one.key[0] for one in found if one.key != WHOLE):
        spread = alike([one for one in found if one.key[0] == column and one.system == whole.system])
        if spread is not None:
            formula = f"p that fixes and breakages are spread alike over {spread.parts} levels: {spread.test}"
            yield [whole.system, SPREAD.format(column), spread.p, None, None, formula]


def _by_slice(column: str, found: Sequence[Change]) -> TablePanel:
    """Every level, those that lose most first, p adjusted for their number (Holm), each system by itself."""
    cells: list[list[Cell]] = []
    for system in dict.fromkeys(one.system for one in found):
        own = [one for one in found if one.system == system]
        ps = [one.flips.p() for one in own]
        paid = holm(ps).tolist()
        told = sorted(zip(own, ps, paid, strict=True), key=lambda row: (row[0].flips.net, _last(row[2]), row[0].key))
        cells += [_level(*row) for row in told]
    note = "Most broken first; p is adjusted for the number of levels (Holm)."
    return TablePanel(BY_SLICE.format(column), note, BY_SLICE_COLUMNS, cells)


def alike(found: Sequence[Change]) -> Spread | None:
    """Whether fixes and breakages are spread alike over levels."""
    sums = [one.flips.units for one in found]
    if all(one is None for one in sums):
        return spread_alike(
            [one.flips.counts[FIXED] for one in found], [one.flips.counts[BROKEN] for one in found], found[0].seed
        )
    kept = [
        one.kept[:, [one.places[FIXED], one.places[BROKEN]]] for one in sums if one is not None and one.kept is not None
    ]
    return spread_by_units(kept, found[0].seed) if len(kept) == len(sums) else None


def _level(one: Change, p: float, paid: float) -> list[Cell]:
    flips = one.flips
    shown = math.isfinite(paid) and paid < 1 - one.level
    verdict = "undecided" if not shown else "fixed" if flips.net > 0 else "broken"
    rate = map(_known, flips.share(SHARES[0], one.level))
    counts = (flips.counts[FIXED], flips.counts[BROKEN], flips.net)
    return [one.system, one.key[1], _whole(flips.total), *map(_whole, counts), *rate, _known(p), _known(paid), verdict]


def _whole(value: float) -> Cell:
    return round(value) if value == round(value) else value


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _last(p: float) -> float:
    return math.inf if math.isnan(p) else p
