"""How a suite whose outcomes were counted is read again: a row says what it is, and what became of a case."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from adjudge.data.cleaning import LeftOut, case_weights, facts_of, levels_of_rows, text_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.cases import Cases
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.data.reading import Block
from adjudge.data.source import Batch, Text
from adjudge.errors import BadValue
from adjudge.tasks.diagnostic.outcomes import KINDS, Codes, Flags
from adjudge.tasks.diagnostic.reading import (
    DECLARED,
    JOINED,
    KNOWN,
    KNOWN_FAILURES,
    ORIGINALS,
    ROW,
    SuiteReading,
)
from adjudge.tasks.diagnostic.suite import PHENOMENA, Suite

MET, FAILED = "met", "failed"  # what an outcome begins with; the first system that answered the same follows
_WRITTEN = re.compile(f"({MET}|{FAILED}) ([0-9]{{1,9}})")


@dataclass(frozen=True, kw_only=True)
class CountedSuite(SuiteReading):
    """Which columns hold what became of cases. Their names and texts are not known."""

    lists_cases: ClassVar[bool] = False

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        return (*super().texts(), ROW)

    def settled(self, facts: Facts) -> Self:
        """The same: outcomes are no labels that meet."""
        return self

    def read(self, batch: Batch, first_row: int) -> Block:
        """The cases of a batch."""
        left_out, unused, is_case = _rows(text_column(batch, ROW))
        if self.weight is not None:
            left_out.drop_unusable(batch, self.weight, "weight")
        first = np.flatnonzero(is_case & left_out.keep)
        columns = [text_column(batch, str(system.prediction)).of_rows(first) for system in self.systems]
        failed, answers = (np.stack(part, axis=1) for part in zip(*map(_outcomes, columns), strict=True))
        keys = self.keys_of(batch, first_row, first)
        cases = Cases(failed, answers, keys if self.clustered else None)
        levels = tuple(levels_of_rows(batch, columns, first) for columns in self.slices)
        weight = case_weights(batch, self.weight, first)
        suite = self._suite(batch)
        named = {label for label in suite.texts(self.phenomenon) if label}
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            seen={PHENOMENA: frozenset(named)},
            units=keys,
            unused=unused,
            weight=np.ones(len(first)) if weight is None else weight,
            counted=suite.coverage(first),
        )
        views = {JOINTLY: cases, KNOWN: cases.of_rows(np.zeros(0, dtype=np.int64))}
        return Block(len(first), replace(facts, used=len(first)), views, weight, keys, levels, first)

    def _suite(self, batch: Batch) -> Suite:
        """The rows with their kinds; one that says none, as where rare ones were joined, is of the first."""
        text = None if self.kind is None else text_column(batch, self.kind)
        known = {name: place for place, name in enumerate(KINDS)}
        words = () if text is None else text.labels
        kinds = np.array([*(known.get(word.strip().casefold(), 0) for word in words), 0], dtype=np.int64)
        codes = np.full(batch.rows, -1) if text is None else text.codes
        none = np.zeros(batch.rows, dtype=np.bool_)
        return Suite(self, batch, kinds[codes], codes, none, none)


def _rows(row: Text) -> tuple[LeftOut, dict[str, int], Flags]:
    """What is left out, what is not used though it stays, and which rows are cases."""
    left_out = LeftOut.none_of(len(row.codes))
    unused: dict[str, int] = {}
    for what in (ORIGINALS, DECLARED, KNOWN_FAILURES, JOINED):
        there = row.codes == (row.labels.index(what) if what in row.labels else len(row.labels))
        unused |= {what: int(there.sum())} if there.any() else {}
        if what in (ORIGINALS, DECLARED):
            left_out.keep &= ~there
    for code, what in enumerate(row.labels):
        if what not in (ORIGINALS, DECLARED, KNOWN_FAILURES, JOINED):
            left_out.drop(row.codes == code, what)
    return left_out, unused, row.codes < 0


def _outcomes(column: Text) -> tuple[Flags, Codes]:
    """Whether each case is failed, and what was answered, in codes that are equal where it was the same."""
    words = [_WRITTEN.fullmatch(label) for label in column.labels]
    if None in words or (column.codes < 0).any():
        raise BadValue(f"An outcome of a case must be `{MET} 1` or `{FAILED} 1`, but some are not. Count again.")
    outcomes = [(word[1], int(word[2])) for word in words if word is not None]
    failed = np.array([word == FAILED for word, _ in outcomes], dtype=np.bool_)
    answers = np.array([answer for _, answer in outcomes], dtype=np.int64)
    return failed[column.codes], answers[column.codes]
