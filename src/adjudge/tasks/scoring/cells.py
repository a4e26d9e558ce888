"""Many responses with few human scores: what is counted of them in cells, and what follows from the cells."""

from __future__ import annotations

from dataclasses import replace

from adjudge.data.reading import Block
from adjudge.engines.base import Tally
from adjudge.statistics.linear_sums import MOST_KEPT
from adjudge.statistics.scores.cell_sums import TOLD
from adjudge.statistics.scores.cells import ScoreCells
from adjudge.statistics.scores.grid import ScoreGrid, ToldSum
from adjudge.tasks.scoring.forms import RESPONSES
from adjudge.tasks.scoring.reading import ScoreReading


def on_grid(reading: ScoreReading, first: Block, tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    """The same sums, those that cells tell in the care of one that counts cells; as they are where it cannot."""
    forms = reading.forms
    if not reading.is_plain or reading.rated_by != "first" or first.rows <= MOST_KEPT:
        return tallies
    [system] = reading.systems
    named = {name: form for name, (_, form) in forms.names.items()}
    [raw] = (name for name, form in named.items() if form == "raw")
    levels = sum(len(labels.categories) for labels in first.slices)
    scales = forms.scale, forms.scalings.get(system)
    grid = ScoreGrid.of(first.views[RESPONSES], raw, named, scales, max(levels, 1))
    if grid is None:
        return tallies
    follow = tuple(tally for tally in tallies if tally.statistic in TOLD)
    sums = (ToldSum(reading.seen[one.view], one.statistic, one.pilot, one.slice_pilot) for one in follow)
    cells = Tally(RESPONSES, ScoreCells, pilot=replace(grid, tells=tuple(sums)), tells=follow)
    return (cells, *(tally for tally in tallies if tally not in follow))
