"""Checks of rows as other programs leave them: multiplied by a join, or named in the first row of a stretch alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import MISSING_LEVEL, text_column
from adjudge.data.facts import USED, Facts
from adjudge.data.number_facts import MOST_VALUES
from adjudge.data.row_reading import RowReading
from adjudge.data.source import Batch, Numbers, Source
from adjudge.data.systems import slice_columns
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.columns import first_rows
from adjudge.diagnosis.checks.watching import role_columns
from adjudge.errors import quoted

NAMED = ("cluster", "candidate", "query", "item", "case", "phenomenon", "template", "group", "rater", "annotator")
FEWEST_ROWS, FEWEST_NAMED, BY_CHANCE = 20, 3, 0.05
CROSSED = {False: 10, True: 30}  # groups that are crossed, of numbers that hardly stand twice, and of others
Codes = NDArray[np.int64]


def first_of_stretches(source: Source, given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C7: a name or level in the first row of each stretch alone, as merged cells of a spreadsheet are read."""
    slices = {name: slice_columns(name, source.column_names) for name in facts.levels}
    lacking = {name: facts.counted.get((USED, name, MISSING_LEVEL), 0) for name in slices}
    sparse = [column for name, rows in lacking.items() if rows > facts.used / 2 for column in slices[name]]
    if sum(facts.left_out.values()) > facts.read / 2:
        sparse += [name for role in NAMED for name in role_columns(given, role)]
    first = first_rows(source, sparse, ()) if sparse and facts.read >= FEWEST_ROWS else None
    for name in dict.fromkeys(sparse) if first is not None else ():
        has = text_column(first, name).codes >= 0 if first is not None else np.zeros(0, np.bool_)
        rows = int(has.sum())
        empty = 1 - rows / max(len(has), 1)
        alone = rows >= FEWEST_NAMED and bool(has[0]) and not (has[1:] & has[:-1]).any()
        if alone and empty >= 1 / 2 and (1 - empty) * empty ** (rows - 1) < BY_CHANCE:
            yield Check(
                "C7",
                SERIOUS,
                f"{quoted(name)} is filled in {rows:,} of {len(has):,} rows, the first among them, and never in two "
                "that follow one another: merged cells, of which only the first holds the value? Fill in those below.",
            )


def crossed_rows(first: Batch, reading: RowReading, others: Sequence[str]) -> Iterator[Check]:
    """C5: rows of one name in which every reference stands beside every answer: a join by a name that is none."""
    reference, *answers = [answer.column for answer in reading.answers() if answer.column in first.columns]
    for name in others:
        key = text_column(first, name).codes.astype(np.int64)
        for answer in dict.fromkeys(answers):
            one, other = (_codes(first, column) for column in (reference, answer))
            coarse = min(len(np.unique(one)), len(np.unique(other))) <= MOST_VALUES
            if crossed_groups(key, one, other) >= CROSSED[coarse]:
                yield Check(
                    "C5",
                    SERIOUS,
                    f"Rows of one {quoted(name)} have each {quoted(reference)} beside each {quoted(answer)}: a join by "
                    f"a name that several rows have makes these. Join by what names each row; or give cluster="
                    f"{quoted(name)} if every pair is meant.",
                )
                return


def _codes(batch: Batch, name: str) -> Codes:
    column = batch.columns[name]
    values = column.values if isinstance(column, Numbers) else column.codes
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def crossed_groups(key: Codes, one: Codes, other: Codes) -> int:
    """How many groups of rows have several values of both columns, each with each as often; 0 unless all have.

    >>> key, one, other = np.repeat([0, 1], 4), np.array([0, 0, 1, 1] * 2), np.array([0, 1] * 4)
    >>> crossed_groups(key, one, other), crossed_groups(key, one, one)
    (2, 0)
    """
    known = key >= 0
    key, one, other = key[known], one[known], other[known]
    cells, times = np.unique(np.stack([key, one, other]), axis=1, return_counts=True)
    groups, rows = cells[0], np.bincount(key)
    several, expected = [], np.ones(len(times))
    for side in (1, 2):
        values, place = np.unique(cells[[0, side]], axis=1, return_inverse=True)
        several.append(np.bincount(values[0], minlength=len(rows)))
        expected *= np.bincount(place.reshape(-1), times)[place.reshape(-1)]
    telling = (several[0] > 1) & (several[1] > 1)
    full = np.bincount(groups, minlength=len(rows)) == several[0] * several[1]
    uneven = np.bincount(groups[times * rows[groups] != expected], minlength=len(rows)) > 0
    return int(telling.sum()) if (full & ~uneven)[telling].all() else 0
