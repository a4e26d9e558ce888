"""Checks of columns, whatever is asked of them: two roles that do not go together, names and codes among the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.facts import Facts
from adjudge.data.keys import digest_of, distinct_of, keys_of_labels, keys_of_rows
from adjudge.data.labels import number_in, ordered_labels
from adjudge.data.source import Batch, Source
from adjudge.diagnosis.checks import REMARK, SERIOUS, Check
from adjudge.diagnosis.label_checks import doubled, one_answer, strangers
from adjudge.diagnosis.number_checks import same_answers
from adjudge.diagnosis.table_checks import LOOKED_AT
from adjudge.errors import AdjudgeError, quoted
from adjudge.statistics.base import Array

# Numbers that stand for nothing where they stand far from all others.
CODES = tuple(sign * float("9" * digits) for digits in range(1, 6) for sign in (-1, 1))
FEWEST_CODES, FEWEST_OTHERS, FEWEST_ROWS = 3, 3, 50
VARIED_ROWS = 20  # outside the commonest answer, that two systems must have alike to be alike by no chance
# Roles of what is measured: rows must not be parted by it, nor belong together for it.
ANSWERS = ("reference", "prediction", "raters", "rating", "outcome", "judge", "relevance", "expect", "score")
# Roles that must be columns of their own, beside these.
APART = ("treatment", "lower", "upper", "text_a", "text_b", "model_a", "model_b", "case", "phenomenon", "item", "rater")
TOGETHER = ("cluster", "candidate")


def role_checks(given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C33: columns with two roles that do not go together, and names as slices."""
    answers = {column: role for role in ANSWERS for column in given_columns(given.get(role))}
    yield from _two_roles(given)
    yield from _alone(given, facts)
    for column in given_columns(given.get("cluster")):
        if column in answers:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} is both `{answers[column]}` and `cluster`, but rows belong together by who or what "
                "they come from, never by their answer. Give another `cluster`, or leave it out.",
            )
    for column in given_columns(given.get("slices")):
        levels = len(facts.levels.get(column, ()))
        if column in answers:
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} is both `{answers[column]}` and one of `slices`: slices chosen by the answer cannot "
                "be compared with one another.",
            )
        elif facts.used >= FEWEST_ROWS and levels > facts.used / 2:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} has {levels:,} levels in {facts.used:,} rows, as ids do: nothing can be said about "
                "such `slices`. Is it the right column?",
            )


def _two_roles(given: Mapping[str, object]) -> Iterator[Check]:
    """C33: one column for two things that are held against one another, or that weighs by its own answer."""
    roles: dict[str, list[str]] = {}
    for role in (*ANSWERS, *APART, "weight"):
        for column in dict.fromkeys(given_columns(given.get(role))):
            roles.setdefault(column, []).append(role)
    for column, several in roles.items():
        if len(several) > 1:
            named = " and ".join(f"`{role}`" for role in several)
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} is both {named}, which must be different columns. Give another for one of them.",
            )


def _alone(given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C33: a column by which nothing belongs together, for it is different everywhere."""
    gathered = facts.gathered
    if facts.used < FEWEST_ROWS or gathered.again or distinct_of(gathered.keys) < 0.9 * facts.used:
        return
    for role in TOGETHER:
        for column in given_columns(given.get(role)):
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} is different in every row, so it groups nothing: as `{role}` it "
                "changes no interval. Is it the right column?",
            )


def given_columns(value: object) -> Iterator[str]:
    """The columns that were given for a role, one or several."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (column for column in value.values() if isinstance(column, str))
    elif isinstance(value, Iterable):
        yield from (column for column in value if isinstance(column, str))


def codes_of_labels(facts: Facts) -> Iterator[Check]:
    """C22: a code for what is missing among labels that are numbers."""
    of_labels = [number_in(label) for label in facts.seen.get("labels", ())]
    if len(of_labels) > FEWEST_OTHERS and None not in of_labels:
        yield from _codes("the labels", np.array(of_labels, dtype=np.float64), least=1)


def first_rows(source: Source, texts: Sequence[str], numbers: Sequence[str]) -> Batch | None:
    """The first rows with these columns, where they can be read again."""
    if not source.rereads:
        return None
    try:
        return next(source.batches(list(dict.fromkeys(texts)), list(dict.fromkeys(numbers)), LOOKED_AT), None)
    except AdjudgeError:
        return None


def value_checks(first: Batch, texts: Sequence[str], numbers: Sequence[str]) -> Iterator[Check]:
    """C22 and C32: codes for what is missing, and a first line, among the values of the first rows."""
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
            f"Row {int(rows.argmax()) + 1:,} repeats the names of the columns, as happens where files are put "
            "together. Remove it.",
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
                f"{code:g} in {what} lies far from all other values, and probably stands for a missing value. Declare "
                f'it missing: missing=["{code:g}"].',
            )


def answer_checks(first: Batch, expected: Sequence[str], systems: Sequence[str], meet: bool) -> Iterator[Check]:
    """C1, C2, C8 and C24 of columns of answers beside what is expected, which they may have to `meet`: first rows."""
    columns = {name: text_column(first, name) for name in dict.fromkeys([*expected, *systems])}
    uses = {name: np.bincount(of.codes[of.codes >= 0], minlength=len(of.labels)) for name, of in columns.items()}
    given = {name: [of.labels[code] for code in np.flatnonzero(uses[name])] for name, of in columns.items()}
    labels = ordered_labels({label for of in given.values() for label in of})
    yield from doubled(labels, given)
    totals = {
        name: np.array([uses[name][of.labels.index(label)] if label in of.labels else 0.0 for label in labels])
        for name, of in columns.items()
    }
    digests = {}
    for name in systems:
        for reference in expected:
            check = one_answer(quoted(name), labels, totals[name], totals[reference])
            stranger = strangers(f"Answers of {quoted(name)}", given[name], quoted(reference), given[reference])
            if stranger is not None and meet and first.rows >= VARIED_ROWS:
                check = replace(stranger, severity=SERIOUS)
            yield from [] if check is None else [check]
        if totals[name].sum() - totals[name].max(initial=0.0) >= VARIED_ROWS:
            keys = np.append(keys_of_labels(columns[name].labels), np.uint64(0))[columns[name].codes]
            digests[name] = digest_of(keys_of_rows(0, first.rows), keys)
    yield from same_answers(digests, first.rows)
