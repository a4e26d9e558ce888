"""Checks of columns, whatever is asked of them: two roles that do not go together, names and codes among the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.facts import Facts
from adjudge.data.labels import number_in
from adjudge.data.source import Source
from adjudge.diagnosis.checks import REMARK, SERIOUS, Check
from adjudge.diagnosis.table_checks import LOOKED_AT
from adjudge.errors import AdjudgeError, quoted
from adjudge.statistics.base import Array

# Numbers that stand for nothing where they stand far from all others.
CODES = tuple(sign * float("9" * digits) for digits in range(1, 6) for sign in (-1, 1))
FEWEST_CODES, FEWEST_OTHERS, FEWEST_ROWS = 3, 3, 50
# Roles of what is measured: rows must not be parted by it, nor belong together for it.
ANSWERS = ("reference", "prediction", "raters", "rating", "outcome", "judge", "relevance", "expect", "score")


def role_checks(given: Mapping[str, Any], facts: Facts) -> Iterator[Check]:
    """C33: columns with two roles that do not go together, and names as slices."""
    answers = {column: role for role in ANSWERS for column in given_columns(given.get(role))}
    for column in given_columns(given.get("cluster")):
        if column in answers:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} is `{answers[column]}` and `cluster`: rows belong together by who or what they come "
                "from, never by their answer. Give another `cluster`, or leave it out.",
            )
    for column in given_columns(given.get("slices")):
        levels = len(facts.levels.get(column, ()))
        if column in answers:
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} is `{answers[column]}` and one of `slices`: its levels are chosen by the answer, "
                "and cannot be compared with one another.",
            )
        elif facts.used >= FEWEST_ROWS and levels > facts.used / 2:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} has {levels:,} levels in {facts.used:,} rows, as names have: nothing can be said of "
                "such `slices`. Is it the right column?",
            )


def given_columns(value: Any) -> Iterator[str]:
    """The columns that were given for a role, one or several."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (column for column in value.values() if isinstance(column, str))
    elif isinstance(value, Iterable):
        yield from (column for column in value if isinstance(column, str))


def value_checks(source: Source, texts: Sequence[str], numbers: Sequence[str], facts: Facts) -> Iterator[Check]:
    """C22 and C32: codes for what is missing, and a first line, among the values of the first rows."""
    of_labels = [number_in(label) for label in facts.seen.get("labels", ())]
    if len(of_labels) > FEWEST_OTHERS and None not in of_labels:
        yield from _codes("the labels", np.array(of_labels, dtype=np.float64), least=1)
    if not getattr(source, "rereads", False):
        return
    texts, numbers = list(dict.fromkeys(texts)), list(dict.fromkeys(numbers))
    try:
        first = next(source.batches(texts, numbers, LOOKED_AT), None)
    except AdjudgeError:
        return
    if first is None:
        return
    for name in numbers:
        yield from _codes(quoted(name), number_column(first, name).values, least=FEWEST_CODES)
    rows = np.full(first.rows, bool(texts) and len(texts) + len(numbers) > 1)
    for name in texts:
        column = text_column(first, name)
        rows &= np.array([*(label == name for label in column.labels), False])[column.codes]
    for name in numbers:
        rows &= np.isnan(number_column(first, name).values)
    if rows.any():
        yield Check(
            "C32",
            SERIOUS,
            f"Row {int(rows.argmax()) + 1:,} holds the names of the columns: a first line in the middle, as "
            "where files were put together. Take it out.",
        )


def _codes(what: str, values: Array, least: int) -> Iterator[Check]:
    known = values[np.isfinite(values)]
    for code in CODES:
        times, others = int((known == code).sum()), known[known != code]
        if times < least or len(np.unique(others[: 10 * FEWEST_OTHERS])) < FEWEST_OTHERS:
            continue
        apart = float(np.abs(others - code).min())
        if apart > float(np.ptp(others)) and not others.min() < code < others.max():
            yield Check(
                "C22",
                SERIOUS,
                f"{code:g} in {what} lies far from all other values, and probably says that nothing is known. Declare "
                f'it missing: missing=["{code:g}"].',
            )


def first_labels(source: Source, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The labels of some columns in the first rows, where these can be read again."""
    if not columns or not getattr(source, "rereads", False):
        return {}
    first = next(source.batches(list(dict.fromkeys(columns)), (), LOOKED_AT), None)
    return {} if first is None else {name: text_column(first, name).labels for name in dict.fromkeys(columns)}
