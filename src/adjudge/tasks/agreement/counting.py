"""The crossed cells of a table of ratings: items that were rated alike, in the same slices, counted together."""

from __future__ import annotations

from adjudge.data.cubes.cube import Cube, CubeMeaning
from adjudge.errors import SettingError
from adjudge.evaluation.cubes.keys import CellKeys, counted_cube
from adjudge.evaluation.cubes.widths import CellWidths
from adjudge.evaluation.request import Request
from adjudge.tasks.agreement.reading import RatingReading


def rating_cells(request: Request, widths: CellWidths) -> Cube:
    """Every distinct row of ratings with its slices; ratings that are missing are keys like any other."""
    widths.check_columns(())
    reading = request.reading_as(RatingReading)
    if not reading.is_wide or reading.holds_lists or reading.explicit or reading.batch is not None:
        raise SettingError(
            "A cube of ratings must have a column for each rater, and items that count one each: items in rows, sets, "
            "spans, weights, clusters and batches are not told by counts of alike items. Evaluate the table."
        )
    how = {name: request.given[name] for name in ("measurement", "scale") if name in request.given}
    slices = tuple(dict.fromkeys(column for columns in reading.slices for column in columns))
    meaning = CubeMeaning(task=request.task.name, unit="item", slices=slices, raters=reading.raters, settings=how)
    labels = {f"rating:{name}": name for name in reading.raters}
    return counted_cube(request, meaning, CellKeys(given=how, labels=labels))
