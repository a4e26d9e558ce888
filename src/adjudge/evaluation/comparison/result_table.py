"""The table of results once all of it is there: letters of several systems, and p-values that pay for all at once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.panels import StandingsPanel
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row


def with_letters(table: ResultTable, standings: Iterable[StandingsPanel]) -> ResultTable:
    """The estimates of all rows with the letters of each system, where three or more were ranked."""
    letters_of = {
        (line.system, panel.metric, panel.category): line.letters for panel in standings for line in panel.lines
    }
    if not letters_of:
        return table

    def lettered(row: Row) -> Row:
        if row.baseline is not None or row.is_limit or row.slice != WHOLE_NAME:
            return row
        letters = letters_of.get((row.system, row.metric, row.category))
        return row if letters is None else replace(row, letters=letters)

    return ResultTable(tuple(map(lettered, table)))


def paid_together(table: ResultTable, comparing: Comparing) -> ResultTable:
    """The same table, its p-values adjusted over all metrics and slices where that was asked for.

    The usual test of each difference by the adjustment that was named (Holm where that was max-T, which knows no draws
    of other slices); other tests and claims by the number of differences.
    """
    if comparing.family != "all":
        return table
    usual = {_key(row): row for row in table.differences.first_methods() if row.p is not None}
    paid = dict(zip(usual, comparing.adjusted([row.p or 0.0 for row in usual.values()]).tolist(), strict=True))
    size = sum(not math.isnan(row.p or 0.0) for row in usual.values())

    def adjusted(row: Row) -> Row:
        first = usual.get(_key(row))
        if row.baseline is None or row.is_limit or row.p is None or first is None:
            return row
        own = paid[_key(row)] if row.test == first.test else min(1.0, row.p * size)
        return replace(row, p_adjusted=own, family=size)

    return ResultTable(tuple(map(adjusted, table)))


def _key(row: Row) -> tuple[str | None, ...]:
    return row.system, row.slice, row.category, row.metric, row.baseline
