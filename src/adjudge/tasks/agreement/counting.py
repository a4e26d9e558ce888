"""The crossed cells of a table of ratings: items that were rated alike, in the same slices, counted together."""

from __future__ import annotations

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.cube import Cube, CubeMeaning, cube_of_cells, joined_cubes, replace_meaning
from adjudge.data.source import Text
from adjudge.errors import SettingError
from adjudge.evaluation.request import Request
from adjudge.evaluation.settings import versions
from adjudge.tasks.agreement.reading import RatingReading

# Cells of blocks are joined when there are so many of them.
AT_ONCE = 2**20


def rating_cells(request: Request, bits: int) -> Cube:
    """Every distinct row of ratings with its slices; ratings that are missing are keys like any other."""
    reading = request.reading_as(RatingReading)
    if not reading.is_wide or reading.holds_lists or reading.explicit or reading.batch is not None:
        raise SettingError(
            "A cube of ratings must have a column for each rater, and items that count one each: items in rows, sets, "
            "spans, weights, clusters and batches are not told by counts of alike items. Evaluate the table."
        )
    how = {name: request.given[name] for name in ("measurement", "scale") if name in request.given}
    slices = tuple(dict.fromkeys(column for columns in reading.slices for column in columns))
    meaning = CubeMeaning(task=request.task.name, unit="item", slices=slices, raters=reading.raters, settings=how)
    waiting: list[Cube] = []
    for batch in request.source.batches(tuple(dict.fromkeys(meaning.label_columns.values())), ()):
        texts = {name: text_column(batch, column) for name, column in meaning.label_columns.items()}
        labels = {name: Text(text.codes.astype(np.int64), text.labels) for name, text in texts.items()}
        waiting.append(cube_of_cells(meaning, labels, {}, {}, np.ones(batch.rows, dtype=np.int64)))
        if sum(len(part.n) for part in waiting) > AT_ONCE and len(waiting) > 1:
            waiting = [joined_cubes(meaning, waiting)]
    counted = replace_meaning(meaning, sources={request.source.fingerprint(): request.source.name}, versions=versions())
    return joined_cubes(counted, waiting)
