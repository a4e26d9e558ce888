"""Every row with what people and the judge say of it, and which rows to label next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from adjudge.data.judged import JudgedValues
from adjudge.evaluation.request import Request
from adjudge.evaluation.row_items import blocks_with_rows, named_rows
from adjudge.evaluation.taken import Column, Part
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import generator
from adjudge.statistics.judged_sums import JudgedSums
from adjudge.statistics.weights import Weights

# The judge's values are parted into this many groups at most, to see where it errs.
GROUPS = 10
# Rows that are imagined to err as all do, so that few labels of a group do not decide.
IMAGINED = 4.0


def judged_items(request: Request) -> Iterator[Part]:
    """Each row and system: what people say, what the judge says, and how far apart they are."""
    reading: Any = request.study.reading
    for first_row, batch, block in blocks_with_rows(request):
        for name in reading.systems:
            values: JudgedValues = block.views[name]
            told: dict[str, Column] = {
                "human": values.human,
                "judge": values.judge,
                "error": values.judge - values.human,
            }
            yield {**named_rows(request, batch, block, first_row), "system": [name] * block.rows, **told}


def to_label(request: Request) -> Iterator[Part]:
    """Rows without a label, drawn one after another: more often where the judge and people were further apart.

    `chance` is how likely a row is to be drawn beside the average row. Whoever labels the first of them gives
    1 / chance as weight, and keeps an estimate that does not favour hard rows.
    """
    reading: Any = request.study.reading
    name = reading.systems[0]
    parts = [
        (named_rows(request, batch, block, first_row), block.views[name])
        for first_row, batch, block in blocks_with_rows(request)
    ]
    values = [part[1] for part in parts]
    human, judge = (np.concatenate([getattr(one, side) for one in values]) for side in ("human", "judge"))
    chance = _chances(human, judge)
    open_rows = np.flatnonzero(np.isnan(human))
    # Who waits least comes first: the more likely a row is to be drawn, the shorter it waits.
    waits = generator(request.bootstrap.seed, "rows to label").standard_exponential(len(open_rows))
    order = open_rows[np.argsort(waits / chance[open_rows], kind="stable")]
    columns = {column: _together([part[0][column] for part in parts], order) for column in parts[0][0]}
    yield {
        "rank": np.arange(1, len(order) + 1),
        **columns,
        "judge": judge[order],
        "chance": chance[order],
    }


def _together(parts: Sequence[Column], order: Any) -> Column:
    """One column of all blocks, in another order."""
    if isinstance(parts[0], np.ndarray):
        return np.asarray(np.concatenate([np.asarray(part) for part in parts])[order])
    cells = [cell for part in parts for cell in part]
    return [cells[place] for place in order]


def _chances(human: Array, judge: Array) -> Array:
    """How often to draw a row beside the average row: by how far people and the judge were apart where it says so."""
    ends = np.unique(np.quantile(judge, np.linspace(0, 1, GROUPS + 1)[1:-1]))
    group = np.searchsorted(ends, judge, side="right")
    known = ~np.isnan(human)
    sums = JudgedSums.summing(JudgedValues.of(human, judge))(Weights(len(judge)))
    left = np.where(known, human - float(sums.weight) * judge, 0.0)
    size = len(ends) + 1
    labels = np.bincount(group[known], minlength=size)
    middle = ratio(np.bincount(group[known], left[known], size), labels)
    off = (left - np.nan_to_num(middle)[group]) ** 2
    overall = float(off[known].mean()) if known.any() else 1.0
    each = (np.bincount(group[known], off[known], size) + IMAGINED * overall) / (labels + IMAGINED)
    chance = np.sqrt(each)[group]
    return np.asarray(chance / chance.mean() if chance.any() else np.ones(len(judge)))
