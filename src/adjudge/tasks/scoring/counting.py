"""What responses are counted by: every score, human and of a system; people are kept in bags."""

from __future__ import annotations

from adjudge.errors import SettingError
from adjudge.evaluation.cubes.keys import WEIGHT, CellKeys, kept_roles
from adjudge.evaluation.request import Request
from adjudge.tasks.scoring.reading import ScoreReading


def score_keys(request: Request) -> CellKeys:
    """A column `rating:<rater>` for every rater and `prediction:<system>` for every system, by value; and flags."""
    reading = request.study.reading
    assert isinstance(reading, ScoreReading), "that of the task"
    if reading.min_items is not None:
        raise SettingError(
            "A cube of scores must have all responses, but `min_items` leaves out people by how many they have, which "
            "bags of people do not tell. Leave the rows out of the table, or evaluate the table."
        )
    numbers = {f"rating:{name}": name for name in reading.raters}
    numbers |= {f"prediction:{name}": column for name, column in reading.systems.items()}
    numbers |= {} if reading.weight is None else {WEIGHT: reading.weight}
    return CellKeys(
        given=kept_roles(request),
        labels={f"flag:{name}": name for name in reading.flags if name in reading.texts()},
        numbers=numbers,
        unit=reading.candidate,
    )
