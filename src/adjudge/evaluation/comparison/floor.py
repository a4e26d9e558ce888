"""What a system changes beside itself, run again: the floor of what an update seems to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adjudge.engines.base import WHOLE, Collected
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.side_effects import Cell, flips_of, whole_or_not
from adjudge.evaluation.panels import TablePanel, finite
from adjudge.evaluation.request import Request
from adjudge.inference.differences.flips import SHARES, Flips
from adjudge.statistics.systems.counted_flips import BROKEN

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
