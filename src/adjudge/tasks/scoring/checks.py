"""What looks like a mistake in the scale, in the table that scores are scaled by, and in what a row is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.facts import Facts
from adjudge.data.source import Source
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.numbers import (
    between_points,
    beyond_scale,
    raters_beyond_scale,
    scale_of_raters,
    trained_on,
    unused_scale,
)
from adjudge.diagnosis.checks.order import MOST_COLUMNS
from adjudge.diagnosis.checks.tables import LOOKED_AT
from adjudge.errors import AdjudgeError, quoted
from adjudge.statistics.base import Array
from adjudge.tasks.scoring.reading import ScoreReading

# Scores are alike by chance in so many rows of the same name once in a million tables.
ONCE_IN = 1e-6


def scale_and_training(reading: ScoreReading, facts: Facts, *, given: bool) -> Iterator[Check]:
    """Scores beside the scale, and means beside those of a training table, where one is `given`."""
    forms, first, columns = reading.forms, reading.raters[0], reading.systems
    if (scale := forms.scale) is not None:
        ends = (scale.low, scale.high)
        for system in columns:
            yield from beyond_scale(system, facts, ends)
        yield from raters_beyond_scale(facts, ends, reading.raters[1:])
        yield from between_points(facts, first, (*ends, scale.step))
        yield from scale_of_raters(facts, ends, first, columns.values())
        yield from unused_scale(facts, ends, reading.numbers())
    if given:
        means = {columns[name]: (one.system_mean, one.human_mean) for name, one in forms.scalings.items()}
        yield from trained_on(facts, means, first)


def ratings_in_rows(source: Source, reading: ScoreReading) -> Iterator[Check]:
    """C15: a column without a role that names responses: rows of one name have one score of every system.

    The first rows are read again, with the columns that nobody asked for, where that costs little.
    """
    taken, systems = {*reading.texts(), *reading.numbers()}, [*reading.systems.values()]
    others = [name for name in source.column_names if name not in taken][:MOST_COLUMNS]
    if reading.candidate is not None or not systems or not others or not source.rereads:
        return
    try:
        first = next(source.batches(others, systems, LOOKED_AT), None)
    except AdjudgeError:  # a column that nobody asked for is no reason to stop
        return
    if first is None:
        return
    scores = [number_column(first, name).values for name in systems]
    for name in others:
        codes = text_column(first, name).codes
        if all(_alike_by_name(codes, one) for one in scores):
            names, rows = len(np.unique(codes[codes >= 0])), int((codes >= 0).sum())
            yield Check(
                "C15",
                SERIOUS,
                f"Rows that name the same {quoted(name)} have the same score of {quoted(systems[0])}: {names:,} of "
                f"them in {rows:,} rows. Is each row one rating of a response? Then intervals are too narrow: give "
                f"candidate={quoted(name)}, or a table with a column for each rater.",
            )
            return


def _alike_by_name(codes: NDArray[np.signedinteger], scores: Array) -> bool:
    """Whether rows of one name always have one score, though by chance they would not; most names have several rows."""
    known = (codes >= 0) & np.isfinite(scores)
    names, place, times = np.unique(codes[known], return_inverse=True, return_counts=True)
    values, which, shares = np.unique(scores[known], return_inverse=True, return_counts=True)
    if len(np.unique(place * len(values) + which)) > len(names) or np.count_nonzero(times > 1) * 2 < len(names):
        return False
    by_chance = float(((shares / shares.sum()) ** 2).sum())
    return len(values) > 1 and by_chance ** (len(place) - len(names)) < ONCE_IN
