"""How a suite is counted, and read again where its outcomes were: a row says what it is, and what became of a case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut, case_weights, facts_of, levels_of_rows, text_column
from adjudge.data.cubes.bags import bags_of_keys
from adjudge.data.cubes.meaning import BAG
from adjudge.data.facts import Facts
from adjudge.data.judgements.cases import Cases
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.data.reading import Block
from adjudge.data.source import Batch, Text, by_appearance
from adjudge.errors import BadValue
from adjudge.evaluation.cubes.keys import WEIGHT, CellKeys, MadeKeys, kept_roles, kept_settings
from adjudge.evaluation.request import Request
from adjudge.evaluation.walk import settled_by_facts
from adjudge.tasks.diagnostic.outcomes import KINDS, Codes, Flags
from adjudge.tasks.diagnostic.reading import DECLARED, JOINED, KNOWN, KNOWN_FAILURES, ORIGINALS, ROW, SuiteReading
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


# What says how rows become cases, which the rows of a cube are already.
OF_CASES = ("expect", "case", "group", "original", "known_failure", "unit", "tolerance", "template")
ANSWERS = ("prediction", "score", "systems")


def suite_keys(request: Request) -> CellKeys:
    """A column `row` of what each row is, and `outcome:<system>`; texts, answers and names are not kept."""
    settled, _ = settled_by_facts(request)
    reading = settled.study.reading
    assert isinstance(reading, SuiteReading), "that of the task"
    outcomes = {f"outcome:{system.name}": system.name for system in reading.systems}
    unit = (reading.template or reading.group or reading.case) if reading.clustered else None
    systems = {name: {"prediction": column} for column, name in outcomes.items()}
    return CellKeys(
        given=kept_roles(request, without=(*OF_CASES, *ANSWERS))
        | {"systems": systems}
        | ({} if unit is None else {"template": unit}),
        applied={name: value for name, value in kept_settings(request).items() if name in OF_CASES},
        numbers={} if reading.weight is None else {WEIGHT: reading.weight},
        unit=unit,
        making=MadeKeys(
            reading=reading,
            columns={"row": ROW} | {column: column for column in outcomes},
            of_block=partial(_of_block, reading, [*outcomes]),
        ),
    )


def _of_block(reading: SuiteReading, columns: list[str], batch: Batch, first_row: int) -> Mapping[str, Text]:
    """What each row is, where it is no case; of a case, what became of it by system, and the bag of its unit."""
    suite = Suite.of(reading, batch)
    what = np.full(batch.rows, None, dtype=object)
    what[suite.anchors], what[suite.nameless] = ORIGINALS, DECLARED
    left_out, failed, answers = suite.outcomes(_RowsLeftOut(suite.cases, reason_of=what))
    counted, known = suite.counted(left_out)
    first, place = reading.cases_in(suite, counted)
    what[counted], what[known] = JOINED, KNOWN_FAILURES
    what[first] = None
    cases = suite.joined(counted, first, place, (failed, answers))
    # Who answered the same is all that is kept of answers: by the first system that did.
    same = (cases.answers[:, :, None] == cases.answers[:, None, :]).argmax(axis=2)
    texts = {"row": _labelled(what)}
    for system, column in enumerate(columns):
        said = np.full(batch.rows, None, dtype=object)
        words = zip(cases.failed[:, system].tolist(), same[:, system].tolist(), strict=True)
        said[first] = [f"{FAILED if is_failed else MET} {answer + 1}" for is_failed, answer in words]
        texts[column] = _labelled(said)
    if reading.clustered:
        bags = bags_of_keys(reading.keys_of(batch, first_row, np.arange(batch.rows)))
        is_case = np.zeros(batch.rows, dtype=np.bool_)
        is_case[first] = True
        texts[BAG] = Text(np.where(is_case, bags.codes, -1), bags.labels)
    return texts


@dataclass
class _RowsLeftOut(LeftOut):
    """Rows that are left out, each with its reason."""

    reason_of: NDArray[np.object_] = field(default_factory=lambda: np.zeros(0, dtype=object))

    def drop(self, rows: Flags, reason: str) -> None:
        """Leave these rows out, unless they are out already."""
        self.reason_of[rows & self.keep] = reason
        super().drop(rows, reason)


def _labelled(words: NDArray[np.object_]) -> Text:
    """Texts as labels; None is missing."""
    known = np.array([word is not None for word in words.tolist()], dtype=np.bool_)
    codes = np.full(len(words), -1, dtype=np.int64)
    labels, codes[known] = by_appearance(words[known].astype(str))
    return Text(codes, tuple(map(str, labels.tolist())))
