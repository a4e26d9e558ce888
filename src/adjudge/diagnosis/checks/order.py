"""Checks of rows that are not independent: errors that come in stretches, or that rows of one person share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import text_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import number_in
from adjudge.data.row_reading import RowReading
from adjudge.data.source import Batch, Source
from adjudge.diagnosis.checks.check import REMARK, Check
from adjudge.diagnosis.checks.joined import crossed_rows, stacked_systems
from adjudge.diagnosis.checks.tables import LOOKED_AT, MOST_COPIES, REPEATED
from adjudge.errors import AdjudgeError, percent, quoted
from adjudge.inference.intervals.interval import normal_quantile

# In a random order so few runs come once in a million tables.
ONCE_IN_A_MILLION = 1 - 1e-6
FEWEST_ROWS, FEWEST_GROUPS, MOST_COLUMNS, MOST_GROUPS = 100, 10, 30, 1_000
ALIKE, RARELY = 0.05, 0.001
NAMES = 0.9  # as many values as different rows: the column names these


def in_stretches(facts: Facts, systems: Iterable[str]) -> Iterator[Check]:
    """C16: errors clump in the order of the rows."""
    for name in systems:
        runs = facts.runs.get(name)
        if runs is None or runs.rows < FEWEST_ROWS or not min(runs.wrong, runs.rows - runs.wrong) >= 10:
            continue
        if runs.fewer > normal_quantile(2 * ONCE_IN_A_MILLION - 1):
            yield Check(
                "C16",
                REMARK,
                f"Errors of {quoted(name)} come in stretches: {runs.runs:,} in {runs.rows:,} rows, where a random "
                f"order gives {runs.expected:,.0f}. Is the table sorted, or did something change along the way? "
                "Compare its parts with `slices`.",
            )


class GroupLikeness(NamedTuple):
    """How alike rows of one group are: their intraclass correlation, and how far it is from chance."""

    correlation: float
    deviations: float


def likeness(wrong: NDArray[np.bool_], group: NDArray[np.int64]) -> GroupLikeness:
    """The intraclass correlation of right and wrong (analysis of variance), and Tarone's test of it (1979).

    >>> likeness(np.array([True] * 50 + [False] * 50), np.repeat(np.arange(10), 10)).correlation
    1.0
    """
    sizes = np.bincount(group).astype(np.float64)
    hits = np.bincount(group, wrong.astype(np.float64))
    hits, sizes = hits[sizes > 0], sizes[sizes > 0]
    rows, groups, share = sizes.sum(), len(sizes), hits.sum() / sizes.sum()
    if groups < 2 or rows <= groups or not 0 < share < 1:
        return GroupLikeness(0.0, 0.0)
    between = ((hits - sizes * share) ** 2 / sizes).sum() / (groups - 1)
    within = (hits * (1 - hits / sizes)).sum() / (rows - groups)
    size = (rows - (sizes**2).sum() / rows) / (groups - 1)
    both = between + (size - 1) * within
    spread = ((hits - sizes * share) ** 2).sum() / (share * (1 - share))
    pairs = 2 * (sizes * (sizes - 1)).sum()
    deviations = (spread - rows) / math.sqrt(pairs) if pairs else 0.0
    return GroupLikeness(float((between - within) / both) if both > 0 else 0.0, float(deviations))


def alike_rows(source: Source, reading: object) -> Iterator[Check]:
    """C15: a column without a role whose rows are alike in what is wrong: they are not independent. C5: copies of rows.

    The first rows are read again, with the columns that nobody asked for, where that costs little.
    """
    if not isinstance(reading, RowReading) or reading.cluster is not None or not source.rereads:
        return
    taken = {*reading.texts(), *reading.numbers()}
    others = [name for name in source.column_names if name not in taken][:MOST_COLUMNS]
    try:
        first = (
            next(source.batches([*reading.texts(), *others], reading.numbers(), LOOKED_AT), None) if others else None
        )
    except AdjudgeError:  # a column that nobody asked for is no reason to stop
        return
    if first is None or first.rows < FEWEST_ROWS:
        return
    yield from _copies(first, others) if not reading.numbers() else ()
    yield from crossed_rows(first, reading, others)
    yield from stacked_systems(first, reading, others)
    groups, wrong = _groups(first, reading, others)
    alike = {
        (column, system): likeness(of_system, codes)
        for column, codes in groups.items()
        for system, of_system in wrong.items()
    }
    reach = normal_quantile(1 - 2 * RARELY / max(len(alike), 1))
    sure = {key: one for key, one in alike.items() if one.correlation > ALIKE and one.deviations > reach}
    if sure:
        (column, system), one = max(sure.items(), key=lambda pair: pair[1].deviations)
        yield Check(
            "C15",
            REMARK,
            f"Errors of {quoted(system)} are alike within {quoted(column)} (intraclass correlation "
            f"{one.correlation:.2f}), so intervals are too narrow. Give cluster={quoted(column)}.",
        )


def _copies(first: Batch, others: list[str]) -> Iterator[Check]:
    """C5: rows of labels that stand again with everything else, where a column without a role names each."""
    whole = np.stack([text_column(first, name).codes for name in first.columns], axis=1)
    distinct = len(np.unique(whole, axis=0))
    again = first.rows - distinct
    names = [name for name in others if len(np.unique(text_column(first, name).codes)) >= NAMES * distinct]
    if names and distinct >= FEWEST_ROWS and REPEATED * first.rows < again and first.rows <= MOST_COPIES * distinct:
        yield Check(
            "C5",
            REMARK,
            f"{percent(again / first.rows)} of the rows repeat another row in every column, {quoted(names[0])} too. "
            "Remove them.",
        )


def _groups(
    first: Batch, reading: RowReading, others: list[str]
) -> tuple[dict[str, NDArray[np.int64]], Mapping[str, NDArray[np.bool_]]]:
    """The group of each row by each column that could be one, and what each system got wrong there."""
    columns = [name for name in others if _groups_rows(first, name)]
    try:
        block = replace(reading, slices=tuple((name,) for name in columns)).read(first, 0)
    except AdjudgeError:
        return {}, {}
    wrong = reading.wrong(block.views) if block.views and columns else {}
    return {name: levels.codes for name, levels in zip(columns, block.slices, strict=True)}, wrong


def _groups_rows(batch: Batch, name: str) -> bool:
    """Whether a column could name whom rows belong to: several values, each of several rows, and no fractions.

    Fractions are measured: rows of one confidence are alike in what is wrong because it tells that, not who they are.
    """
    column = text_column(batch, name)
    used = np.bincount(column.codes[column.codes >= 0], minlength=1)
    many, rows = int((used > 0).sum()), int(used.sum())
    fractions = any((number := number_in(label)) is not None and not number.is_integer() for label in column.labels)
    return FEWEST_GROUPS <= many <= min(MOST_GROUPS, rows / 2) and rows >= batch.rows / 2 and not fractions
