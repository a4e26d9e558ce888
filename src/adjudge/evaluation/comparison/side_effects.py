"""What a system changes beside its baseline, whatever the task: fixed and broken, in all units and slice by slice.

The baseline beside itself, run again, is the floor of that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.diagnosis.limits import undefined_last
from adjudge.engines.base import WHOLE, Collected, SliceKey
from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.difference import How
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.declaration import View
from adjudge.evaluation.panels import Cell, TablePanel, finite
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import plural_of
from adjudge.inference.differences.flips import SHARES, Flips, named_shares
from adjudge.inference.differences.spread_alike import SpreadTest, spread_alike, spread_by_units, spread_drawn
from adjudge.inference.many.multiplicity import holm
from adjudge.statistics.systems.counted_flips import BROKEN, FIXED, DrawnSums, FlipSums
from adjudge.statistics.systems.paired_units import PairedUnits

EFFECTS = "Fixed and broken"
BY_SLICE = "Fixed and broken by {}"
SPREAD = "Spread over {}"
BY_SLICE_COLUMNS = [
    "system", "level", "n", "fixed", "broken", "net", "negative flip rate", "low", "high", "p", "adjusted p", "verdict",
]  # fmt: skip


@dataclass(frozen=True)
class Change:
    """What one system changes beside another, in all units or in a slice."""

    key: SliceKey
    system: str
    baseline: str
    flips: Flips
    level: float
    seed: int
    unit: str = "row"  # what is drawn


def changes(rivals: Sequence[Contender], collected: Collected, how: How, unit: str) -> Iterator[Change]:
    """Every system beside the first of those that are compared, where their units can be told."""
    for one in rivals[1:]:
        if one.measured.refused or rivals[0].measured.refused:
            continue
        flips = flips_of(one.view, rivals[0].view, collected, how.key)
        if flips is not None:
            names = [side.view.system_name for side in (one, rivals[0])]
            yield Change(how.key, names[0], names[1], flips, how.level, how.settings.seed, unit)


def flips_of(view: View, baseline: View, collected: Collected, key: SliceKey) -> Flips | None:
    """What a system fixes and breaks beside the baseline; None where units are not told."""
    if view.flips is not None:
        return view.flips(baseline, key)
    source = view.unit_source
    if source is None:
        return None
    units: PairedUnits | None = collected.find(source.view, PairedUnits, key)
    names = [one.system_name for one in (view, baseline)]
    if units is None or not set(names) <= set(source.systems):
        return None
    place, first = (source.systems.index(name) for name in names)
    weighed: FlipSums | None = collected.find(source.view, FlipSums, key)
    if weighed is not None:
        draws = collected.replicates_of_view(source.view, FlipSums, key)
        sums = weighed.flips(place, draws)
        return Flips.of_units(sums, clustered=True, row=weighed.row, graded=not source.right_or_wrong)
    counts = dict(zip(("both", FIXED, BROKEN, "neither"), units.shares(place, first), strict=True))
    if not source.right_or_wrong:
        better, equal, worse = units.outcome(place, first)
        counts = {"both": float(equal), FIXED: float(better), BROKEN: float(worse), "neither": 0.0}
    counts["differing"] = float(units.differing[place, first])
    return Flips(counts, countable=source.countable, graded=not source.right_or_wrong)


def side_effect_tables(changes: Sequence[Change]) -> Iterator[TablePanel]:
    """All figures of all units, then a table for each slice column."""
    whole = [one for one in changes if one.key == WHOLE]
    if not whole:
        return
    cells = [row for one in whole for row in (*_figures(one), *_spreads(one, changes))]
    yield TablePanel(EFFECTS, _note(whole[0]), ["system", "figure", "value", "low", "high", "formula"], cells)
    for column in dict.fromkeys(one.key[0] for one in changes if one.key != WHOLE):
        yield _by_slice(column, [one for one in changes if one.key[0] == column])


def _note(one: Change) -> str:
    words = ("better", "worse") if one.flips.graded else ("right only now", "right only before")
    limits = "Clopper–Pearson limits" if one.flips.units is None else f"Korn–Graubard limits by {one.unit}"
    limits += "" if one.flips.graded else "; the relative rate by smoothed Bayesian draws"
    return f"Fixed is {words[0]}, broken {words[1]}, beside {one.baseline}. {limits}."


def _figures(one: Change) -> Iterator[list[Cell]]:
    flips, p = one.flips, one.flips.p()
    tested = "" if math.isnan(p) else f"; p {p:.3g}"
    counted = "units" if flips.countable or flips.row == 1 else "units, by their weight"
    for name, value, formula in (
        ("Fixed", flips.counts[FIXED], counted),
        ("Broken", flips.counts[BROKEN], counted),
        ("Net", flips.net, f"fixed − broken{tested}"),
    ):
        yield [one.system, name, whole_or_not(value), None, None, formula]
    for named, *numbers in named_shares(flips, one.level, one.seed):
        yield [one.system, named.label, *map(finite, numbers), f"{named.formula} ({named.source})"]


def _spreads(whole: Change, changes: Sequence[Change]) -> Iterator[list[Cell]]:
    """Whether fixes and breakages are spread alike over the levels of each slice column: p."""
    for column in dict.fromkeys(one.key[0] for one in changes if one.key != WHOLE):
        spread = alike([one for one in changes if one.key[0] == column and one.system == whole.system])
        if spread is not None:
            formula = f"p that fixes and breakages are spread alike over {spread.parts} levels: {spread.test}"
            yield [whole.system, SPREAD.format(column), spread.p, None, None, formula]


def _by_slice(column: str, changes: Sequence[Change]) -> TablePanel:
    """Every level, those that lose most first, p adjusted for their number (Holm), each system by itself."""
    cells: list[list[Cell]] = []
    for system in dict.fromkeys(one.system for one in changes):
        own = [one for one in changes if one.system == system]
        ps = [one.flips.p() for one in own]
        paid = holm(ps).tolist()
        by_net = sorted(
            zip(own, ps, paid, strict=True), key=lambda row: (row[0].flips.net, undefined_last(row[2]), row[0].key)
        )
        cells += [_level(*row) for row in by_net]
    note = "Most broken first; p is adjusted for the number of levels (Holm)."
    return TablePanel(BY_SLICE.format(column), note, BY_SLICE_COLUMNS, cells)


def alike(changes: Sequence[Change]) -> SpreadTest | None:
    """Whether fixes and breakages are spread alike over levels."""
    sums = [one.flips.units for one in changes]
    counts = [[one.flips.counts[name] for name in (FIXED, BROKEN)] for one in changes]
    if all(one is None for one in sums):
        return spread_alike([fixed for fixed, _ in counts], [broken for _, broken in counts], changes[0].seed)
    flips_drawn = [
        one.replicates[:, [one.places[FIXED], one.places[BROKEN]]] for one in sums if isinstance(one, DrawnSums)
    ]
    if len(flips_drawn) == len(sums):
        return spread_drawn(
            [np.array(one) for one in counts], flips_drawn, max(one.units for one in sums if one is not None)
        )
    kept = [
        one.kept[:, [one.places[FIXED], one.places[BROKEN]]] for one in sums if one is not None and one.kept is not None
    ]
    return spread_by_units(kept, changes[0].seed, plural_of(changes[0].unit)) if len(kept) == len(sums) else None


def _level(one: Change, p: float, paid: float) -> list[Cell]:
    flips = one.flips
    shown = math.isfinite(paid) and paid < 1 - one.level
    verdict = "undecided" if not shown else "fixed" if flips.net > 0 else "broken"
    rate = map(finite, flips.share(SHARES[0], one.level))
    counts = (flips.counts[FIXED], flips.counts[BROKEN], flips.net)
    return [
        one.system,
        one.key[1],
        whole_or_not(flips.total),
        *map(whole_or_not, counts),
        *rate,
        finite(p),
        finite(paid),
        verdict,
    ]


def whole_or_not(value: float) -> Cell:
    """A number, as a whole one where it is."""
    return round(value) if value == round(value) else value


FLOOR = "{} beside itself"
COLUMNS = ["run", "broken", "negative flip rate", "low", "high", "churn", "low of churn", "high of churn"]


def floor_table(request: Request, collect: Callable[[Request], Collected]) -> Iterator[TablePanel]:
    """What the baseline breaks beside itself, run again; the table is read once more for it."""
    if request.again is None:
        return
    repeated = replace(request, study=request.again, comparing=Comparing(), requirements=(), metrics=None)
    collected = collect(repeated)
    first, *others = [view for view in repeated.study.views(repeated, collected) if view.contest is not None]
    cells: list[list[Cell]] = []
    for view in others:
        flips = flips_of(view, first, collected, WHOLE) if view.contest == first.contest else None
        if flips is not None:
            cells.append([view.system_name, whole_or_not(flips.counts[BROKEN]), *_rates(flips, request.level)])
    note = "The same system, run again: what it breaks by itself is the floor of what an update seems to break."
    if cells:
        yield TablePanel(FLOOR.format(first.system_name), note, COLUMNS, cells)


def _rates(flips: Flips, level: float) -> list[Cell]:
    return [finite(number) for named in (SHARES[0], SHARES[-1]) for number in flips.share(named, level)]
