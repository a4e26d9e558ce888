"""Checks of grades of relevance: whether any counts, what gains make of them, and whether they are shares."""

from __future__ import annotations

import math
from collections.abc import Iterator

from adjudge.data.number_facts import NumberColumn
from adjudge.diagnosis.checks.answers import FEW_QUERIES
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import quoted

MOST_GRADE = 10.0  # of relevance, of which 2 to its power is the gain


def none_relevant(relevance: str, column: NumberColumn | None, start: float) -> Iterator[Check]:
    """C19: grades all of which are below what counts as relevant."""
    highest = -math.inf if column is None else max(column.ends[1], 0.0)  # ends are of what is not 0
    if column is not None and column.rows >= FEW_QUERIES and highest < start:
        yield Check(
            "C19",
            SERIOUS,
            f"No item counts as relevant: {quoted(relevance)} goes up to {highest:.3g}, and items are relevant "
            f"from {start:g} on. Is it the right column? Give `relevant_from`, or grades from 0 to 4 or so.",
        )


def shares_of_relevance(relevance: str, column: NumberColumn | None, below: int, start: float) -> Iterator[Check]:
    """C19: shares of people who called an item relevant, of which only 1 counts as relevant; `below` do not."""
    if column is not None and below >= FEW_QUERIES and column.ends[1] == start <= 1:
        yield Check(
            "C19",
            REMARK,
            f"{below:,} items whose {quoted(relevance)} is above 0 do not count as relevant: it goes up to "
            f"{column.ends[1]:g}, and items are relevant from {start:g} on. If these are shares, give `relevant_from`, "
            "such as 0.5, or whole grades.",
        )


def grade_checks(relevance: str, column: NumberColumn | None, *, exponential: bool) -> Iterator[Check]:
    """C19: grades that begin at 1, so that every item counts as relevant, or that gains are exponential of."""
    if column is not None and exponential and column.ends[1] > MOST_GRADE:
        how = f"Grades in {quoted(relevance)} go up to {column.ends[1]:g}, and gains of NDCG are 2^grade"
        yield Check("C19", SERIOUS, f"{how}. Give grades from 0 to 4 or so, or measure ndcg(gain=linear).")
    if column is not None and column.rows >= FEW_QUERIES and column.ends[0] == 1 < column.ends[1] and not column.codes:
        yield Check(
            "C19",
            REMARK,
            f"The lowest grade in {quoted(relevance)} is 1, so that every item counts as relevant. If 1 says that an "
            "item is not, take 1 away from all.",
        )
