"""What looks like a mistake in the scale, and in the table that scores are scaled by."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.facts import Facts
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.numbers import (
    beyond_scale,
    raters_beyond_scale,
    scale_of_raters,
    trained_on,
    unused_scale,
)
from adjudge.tasks.scoring.reading import ScoreReading


def scale_and_training(reading: ScoreReading, facts: Facts, *, given: bool) -> Iterator[Check]:
    """Scores beside the scale, and means beside those of a training table, where one is `given`."""
    forms, first, columns = reading.forms, reading.raters[0], reading.systems
    if (scale := forms.scale) is not None:
        ends = (scale.low, scale.high)
        for system in columns:
            yield from beyond_scale(system, facts, ends)
        yield from raters_beyond_scale(facts, ends, reading.raters[1:])
        yield from scale_of_raters(facts, ends, first, columns.values())
        yield from unused_scale(facts, ends, reading.numbers())
    if given:
        means = {columns[name]: (one.system_mean, one.human_mean) for name, one in forms.scalings.items()}
        yield from trained_on(facts, means, first)
