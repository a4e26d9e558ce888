"""Checks of rows as other programs leave them: joined, stacked, of several parts, or named in their first row alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import MISSING_LEVEL, text_column
from adjudge.data.facts import USED, Facts
from adjudge.data.number_facts import MOST_VALUES
from adjudge.data.row_moves import FURTHEST
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
MOST_STACKED, OFTEN_AGAIN = 20, 0.9
# Columns that say which part of the data a row is of, and what they call the part that systems are trained on.
PARTS = ("split", "datasplit", "datasetsplit", "set", "subset", "partition", "fold", "part", "phase", "usage", "stage")
PREDICTED = ("prediction", "score")
TRAIN, MOST_PARTS = ("train", "training", "trainset", "trainingset", "trainsplit"), 6
_SIGNS = re.compile(r"[\W_]")
FEWEST_CROSSED, LOOKED_INTO = 4, 50  # rows that two values beside two others make, and groups looked into at first
Codes = NDArray[np.int64]


def first_of_stretches(source: Source, given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C7: a name or level in the first row of each stretch alone, as merged cells of a spreadsheet are read."""
    slices = {name: slice_columns(name, source.column_names) for name in facts.levels}
    lacking = {name: facts.counted.get((USED, name, MISSING_LEVEL), 0) for name in slices}
    sparse = [column for name, rows in lacking.items() if rows > facts.used / 2 for column in slices[name]]
    if sum(facts.left_out.values()) > facts.read / 2:
        sparse += [name for role in NAMED for name in role_columns(given, role)]
    first = first_rows(source, sparse, ()) if sparse and facts.read >= FEWEST_ROWS else None
    if first is None:
        return
    for name in dict.fromkeys(sparse):
        has = text_column(first, name).codes >= 0
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
    columns = dict.fromkeys(answer.column for answer in reading.answers() if answer.column in first.columns)
    (reference, one), *answers = ((column, _codes(first, column)) for column in columns)
    for name in others if answers else ():
        key = text_column(first, name).codes.astype(np.int64)
        large = np.flatnonzero(np.bincount(key[key >= 0]) >= FEWEST_CROSSED)
        few = np.isin(key, large[:LOOKED_INTO])
        for answer, other in answers if len(large) >= CROSSED[False] else ():
            if not crossed_groups(key[few], one[few], other[few]):
                continue
            coarse = min(one.max(), other.max()) < MOST_VALUES
            if crossed_groups(key, one, other) >= CROSSED[coarse]:
                yield Check(
                    "C5",
                    SERIOUS,
                    f"Rows of one {quoted(name)} have each {quoted(reference)} beside each {quoted(answer)}: a join by "
                    f"a name that several rows have makes these. Join by what names each row; or give cluster="
                    f"{quoted(name)} if every pair is meant.",
                )
                return


def stacked_systems(first: Batch, reading: RowReading, others: Sequence[str]) -> Iterator[Check]:
    """C15: a column without a role in which every level has the same references: systems on the same rows, stacked."""
    reference = next((answer.column for answer in reading.answers() if answer.role == "reference"), None)
    if reference is None:
        return
    truth = _codes(first, reference)
    keys = {name: text_column(first, name).codes.astype(np.int64) for name in others}
    for name, levels in keys.items():
        times = np.bincount(levels[levels >= 0])
        times = times[times > 0]
        if not 2 <= len(times) <= MOST_STACKED or times.sum() < len(levels) or times.max() - times.min() > 1:
            continue
        plain = _same_in_all(truth, levels, levels * 0) and not _repeats(truth[levels == levels[0]])
        if plain or any(_same_in_all(truth, levels, item) for other, item in keys.items() if other != name):
            yield Check(
                "C15",
                SERIOUS,
                f"The rows have the same {quoted(reference)} for each of {len(times):,} values of {quoted(name)}: are "
                "these systems, or runs, on the same rows? Then they are measured as one. Give each a column of its "
                f"own; or slices={quoted(name)}, and as `cluster` what names the rows.",
            )
            return


def _same_in_all(truth: Codes, levels: Codes, item: Codes) -> bool:
    """Whether every level has the same references of the same items, enough of them not the commonest.

    Where the items are all called alike, they are met one after another; otherwise each must stand once.
    """
    order, rows = np.argsort(item, kind="stable"), len(levels) // len(np.unique(levels))
    parts = [order[levels[order] == level] for level in np.unique(levels)]
    items, each = (np.stack([values[part[:rows]] for part in parts]) for values in (item, truth))
    named = len(np.unique(item)) == 1 or len(np.unique(items[0])) == rows
    alike = bool((items == items[0]).all() and (each == each[0]).all())
    return named and alike and rows - int(np.bincount(each[0]).max()) >= FEWEST_ROWS


def _repeats(values: Codes) -> bool:
    """Whether values stand in stretches or come again and again: every part of such a design has the same."""
    return any((values[lag:] == values[:-lag]).mean() > OFTEN_AGAIN for lag in range(1, min(FURTHEST, len(values))))


def trained_on_these(source: Source, given: Mapping[str, object], taken: Collection[str]) -> Iterator[Check]:
    """C30: a column without a role that says of rows that a system was trained on them."""
    if not any(role_columns(given, role) for role in PREDICTED):
        return  # people who rate were trained on nothing
    named = [name for name in source.column_names if name not in taken and _SIGNS.sub("", name.casefold()) in PARTS]
    first = first_rows(source, named, ()) if named else None
    if first is None:
        return
    for name in named:
        column = text_column(first, name)
        codes = column.codes[column.codes >= 0]
        used = [column.labels[code] for code in np.unique(codes)]
        train = [label for label in used if _SIGNS.sub("", label.casefold()) in TRAIN]
        if train and len(used) <= MOST_PARTS:
            rows = int((codes == column.labels.index(train[0])).sum())
            yield Check(
                "C30",
                SERIOUS,
                f"{quoted(name)} says {quoted(train[0])} in {rows:,} of {len(codes):,} rows: was the system trained on "
                f"these? Leave them out, or give slices={quoted(name)}.",
            )


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
    if not len(key):
        return 0
    width, rows = int(max(one.max(), other.max())) + 1, np.bincount(key)
    cells, times = np.unique((key * width + one) * width + other, return_counts=True)
    groups = cells // width**2
    several, expected = [], np.ones(len(times))
    for values in (cells // width % width, cells % width):
        pairs, place = np.unique(groups * width + values, return_inverse=True)
        several.append(np.bincount(pairs // width, minlength=len(rows)))
        expected *= np.bincount(place, times)[place]
    telling = (several[0] > 1) & (several[1] > 1)
    full = np.bincount(groups, minlength=len(rows)) == several[0] * several[1]
    uneven = np.bincount(groups[times * rows[groups] != expected], minlength=len(rows)) > 0
    return int(telling.sum()) if (full & ~uneven)[telling].all() else 0
