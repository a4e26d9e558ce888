"""What items are counted by: how each rater rated them, in the same slices."""

from __future__ import annotations

from adjudge.errors import SettingError
from adjudge.evaluation.cubes.keys import CellKeys, kept_settings
from adjudge.evaluation.request import Request
from adjudge.tasks.agreement.reading import RatingReading


def rating_keys(request: Request) -> CellKeys:
    """A column `rating:<rater>` for every rater; ratings that are missing are keys like any other."""
    reading = request.reading_as(RatingReading)
    if not reading.is_wide or reading.holds_lists or reading.explicit or reading.batch is not None:
        raise SettingError(
            "A cube of ratings must have a column for each rater, and items that count one each: items in rows, sets, "
            "spans, weights, clusters and batches are not told by counts of alike items. Evaluate the table."
        )
    return CellKeys(
        given=kept_settings(request),
        labels={f"rating:{name}": name for name in reading.raters},
        members={"raters": reading.raters, "keys": {}, "unit": "item"},
    )
