"""Every row with what people and the judge say of it, and which rows to label next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.data.cleaning import Rows
from adjudge.data.judgements.judged import JudgedValues
from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import blocks_with_rows, named_rows, rows_of_systems
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.statistics.cells import generator
from adjudge.tasks.judges.reading import JudgedReading


def judged_items(request: Request) -> Iterator[Part]:
    """Each row and system: what people say, what the judge says, and how far apart they are."""

    def columns(block: Block, name: str) -> dict[str, Column]:
        values: JudgedValues = block.views[name]
        return {"human": values.human, "judge": values.judge, "error": values.judge - values.human}

    return rows_of_systems(request, request.reading_as(JudgedReading).systems, columns)


def to_label(request: Request) -> Iterator[Part]:
    """Rows without a label in a random order: whoever labels the first of them keeps labelled rows a random part.

    Rows that look hard tell more of the judge and less of the whole: labelling those first would bias the estimate.
    """
    reading = request.reading_as(JudgedReading)
    parts = [
        (named_rows(request, batch, block, first_row), block.views[reading.systems[0]])
        for first_row, batch, block in blocks_with_rows(request)
    ]
    human, judge = (np.concatenate([getattr(values, side) for _, values in parts]) for side in ("human", "judge"))
    order = generator(request.bootstrap.seed, "rows to label").permutation(np.flatnonzero(np.isnan(human)))
    columns = {column: _together([named[column] for named, _ in parts], order) for column in parts[0][0]}
    yield {"rank": np.arange(1, len(order) + 1), **columns, "judge": judge[order]}


def _together(parts: Sequence[Column], order: Rows) -> Column:
    """One column of all blocks, in another order."""
    if isinstance(parts[0], np.ndarray):
        return np.asarray(np.concatenate([np.asarray(part) for part in parts])[order])
    cells = [cell for part in parts for cell in part]
    return [cells[place] for place in order]
