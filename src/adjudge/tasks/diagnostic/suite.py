"""A batch of a suite with its columns looked at once: what each row is, who failed it, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut, Rows, number_column
from adjudge.data.judgements.cases import DIR, INV, Cases, CaseText
from adjudge.data.keys import keys_of_rows, mixed
from adjudge.data.label_values import KINDS as KINDS_OF_LABELS
from adjudge.data.label_values import kinds_of
from adjudge.data.source import Batch, Text
from adjudge.data.systems import SystemRoles
from adjudge.errors import SettingError, quoted
from adjudge.statistics.base import Array
from adjudge.tasks.diagnostic.outcomes import (
    KINDS,
    Codes,
    Flags,
    SystemAnswers,
    directions_of,
    failed_rows,
    flags_of_rows,
    kinds_of_rows,
    meeting_codes,
    originals_of,
)

if TYPE_CHECKING:
    from adjudge.tasks.diagnostic.reading import SuiteReading

PHENOMENA = "phenomena"
COVERAGE = "coverage"


@dataclass(frozen=True)
class Suite:
    """A batch of a suite, its columns looked at once."""

    reading: SuiteReading
    batch: Batch
    kinds: Codes  # places in `KINDS`
    original: Codes  # rows, -1
    anchors: Flags  # originals that are no cases themselves
    known: Flags

    @classmethod
    def of(cls, reading: SuiteReading, batch: Batch) -> Suite:
        """What each row is."""
        text = {name: column for name, column in batch.columns.items() if isinstance(column, Text)}
        rows = batch.rows
        said = kinds_of_rows(text.get(reading.kind or "\0"), rows)
        changed = said > 0
        if reading.group is None and changed.any():
            raise SettingError(
                f"`group` must be given where cases are {INV} or {DIR}: the column that ties a changed row to its "
                "original. Give it, or leave those rows out."
            )
        marked = None if reading.original is None else flags_of_rows(text[reading.original], "original")
        original, anchors = np.full(rows, -1, dtype=np.int64), np.zeros(rows, dtype=np.bool_)
        if reading.group is not None:
            group = text[reading.group]
            of_change = np.bincount(group.codes[changed & (group.codes >= 0)], minlength=len(group.labels)) > 0
            in_group = np.append(of_change, False)[group.codes]
            is_original = in_group & (~changed if marked is None else marked)
            original = np.where(changed & ~is_original, originals_of(group, is_original), -1)
            expects = np.zeros(rows, dtype=np.bool_) if reading.expect is None else text[reading.expect].codes >= 0
            anchors = is_original & (changed | ~expects)
        known = np.zeros(rows, dtype=np.bool_)
        if reading.known_failure is not None:
            known = flags_of_rows(text[reading.known_failure], "known_failure")
        return cls(reading, batch, np.maximum(said, 0), original, anchors, known)

    @property
    def nameless(self) -> Flags:
        """Rows that name a phenomenon and nothing else: it is declared, and has no case there."""
        reading, nothing = self.reading, np.ones(self.batch.rows, dtype=np.bool_)
        for name in (reading.case, reading.expect, reading.group, *(system.prediction for system in reading.systems)):
            nothing &= True if name is None else self.codes(name) < 0
        for column in (column for system in reading.systems for _, column in system.scores):
            nothing &= number_column(self.batch, column).missing
        return nothing & (self.codes(reading.phenomenon) >= 0)

    @property
    def finer(self) -> tuple[str, ...]:
        """Columns that tell cases of one phenomenon apart: those of the slices."""
        return tuple(dict.fromkeys(name for names in self.reading.slices for name in names))

    @property
    def own(self) -> Codes:
        """What a row is an expansion of: its group where it was changed, else its case; or itself."""
        own = -1 - np.arange(self.batch.rows)
        if self.reading.case is not None:
            codes = self.codes(self.reading.case)
            own = np.where((codes >= 0) & (self.kinds == 0), codes, own)
        if self.reading.group is not None:
            codes = self.codes(self.reading.group)
            own = np.where((codes >= 0) & (self.kinds > 0), codes, own)
        return own

    def codes(self, column: str) -> Codes:
        """A column's codes."""
        text = self.batch.columns[column]
        assert isinstance(text, Text)
        return text.codes

    def texts(self, column: str | None) -> list[str]:
        """A column's labels, row by row; empty where there is none."""
        if column is None:
            return [""] * self.batch.rows
        text = self.batch.columns[column]
        assert isinstance(text, Text)
        return [*map(str, np.array([*text.labels, ""], dtype=object)[text.codes])]

    @property
    def cases(self) -> Flags:
        """Rows that are no originals, and not only the name of a phenomenon."""
        return ~self.anchors & ~self.nameless

    def counted(self, left_out: LeftOut) -> tuple[Rows, Rows]:
        """The rows that stay: those that are counted, and known failures."""
        rows = left_out.rows
        return rows[~self.known[rows]], rows[self.known[rows]]

    def outcomes(self, left_out: LeftOut | None = None) -> tuple[LeftOut, Flags, Codes]:
        """The rows that stay, and what became of each by system: failed or not, and what was said, in codes."""
        reading, batch = self.reading, self.batch
        left_out = LeftOut(self.cases) if left_out is None else left_out
        if reading.weight is not None:
            left_out.drop_unusable(batch, reading.weight, "weight")
        columns = [reading.expect, *(system.prediction for system in reading.systems)]
        written = {name: batch.columns[name] for name in columns if name is not None}
        codes = meeting_codes([text for text in written.values() if isinstance(text, Text)], reading.meeting)
        labels = dict(zip(written, codes, strict=True))
        way = self.kinds == KINDS.index(DIR)
        text = written.get(reading.expect or "\0")
        signs = directions_of(text if isinstance(text, Text) else None, way & left_out.keep)
        none = np.full(batch.rows, -1, dtype=np.int64)
        expected = none if reading.expect is None else labels[reading.expect]
        self._drop_unsaid(left_out, expected, signs)
        failed = np.zeros((batch.rows, len(reading.systems)), dtype=np.bool_)
        answers = np.zeros((batch.rows, len(reading.systems)), dtype=np.int64)
        for place, system in enumerate(reading.systems):
            said = self._said(system, labels)
            expect = np.where(way, signs, expected)
            failed[:, place], unknown = failed_rows(said, self.kinds, expect, self.original, reading.tolerance)
            answers[:, place] = said.label if said.label is not None else _numbered(said.score)
            left_out.drop(unknown, f"{_role(system)} is missing, in the row or its original")
        return left_out, failed, answers

    def _drop_unsaid(self, left_out: LeftOut, expected: Codes, signs: Codes) -> None:
        """Leave out rows that do not say what is expected of them, or that have no original."""
        mft, way = self.kinds == 0, self.kinds == KINDS.index(DIR)
        expect = self.reading.expect
        what = "`expect` is not given" if expect is None else f"expect {quoted(expect)} is missing"
        left_out.drop((mft & (expected < 0)) | (way & (signs == 0)), what)
        if self.reading.group is not None:
            left_out.drop(~mft & (self.original < 0), f"group {quoted(self.reading.group)} has no original")

    def _said(self, system: SystemRoles, labels: dict[str, Codes]) -> SystemAnswers:
        label = None if system.prediction is None else labels[system.prediction]
        score = number_column(self.batch, system.scores[0][1]).values if system.scores else None
        here = {kind: bool(((self.kinds == place) & ~self.anchors).any()) for place, kind in enumerate(KINDS)}
        if here[DIR] and score is None:
            raise SettingError(
                f"`score` must be given where cases are {DIR}: the column of each system's score of what must go up "
                "or down. Give it, or leave those rows out."
            )
        if here["mft"] and label is None:
            raise SettingError(
                "`prediction` must be given where cases expect an answer: the column of each system's answers. Give "
                "it, or leave those rows out."
            )
        return SystemAnswers(label, score)

    def joined(self, rows: Rows, first: Rows, place: Codes, outcomes: tuple[Flags, Codes]) -> Cases:
        """Cases of one row or several: failed where one of them is, and told by the first that is."""
        failed, answers = outcomes
        of_cases = np.zeros((len(first), failed.shape[1]), dtype=np.bool_)
        np.logical_or.at(of_cases, place, failed[rows])
        said = np.zeros((len(first), failed.shape[1]), dtype=np.int64)
        # Answers of a case differ where those of any of its rows do.
        np.add.at(said, place, _mixed_codes(answers[rows]))
        return Cases(of_cases, said, None, self._in_words(rows, first, place, failed))

    def _in_words(self, rows: Rows, first: Rows, place: Codes, failed: Flags) -> NDArray[np.object_]:
        """Each case in words: by the row on which systems differ, or one fails, where it has several."""
        spoken = first.copy()
        parted = failed[rows].any(axis=1).astype(int) + (failed[rows].any(axis=1) & ~failed[rows].all(axis=1))
        for row in np.flatnonzero(parted)[np.argsort(parted[np.flatnonzero(parted)], kind="stable")]:
            spoken[place[row]] = rows[row]
        reading = self.reading
        names, phenomena, expect = (self.texts(c) for c in (reading.case, reading.phenomenon, reading.expect))
        said = [self._texts_of(system) for system in reading.systems]
        described = np.empty(len(first), dtype=object)
        for case, row in enumerate(spoken.tolist()):
            kind = KINDS[int(self.kinds[row])]
            before = [f"{one[int(self.original[row])]} → " if kind != "mft" else "" for one in said]
            answers = tuple(f"{was}{one[row]}" for was, one in zip(before, said, strict=True))
            expected = expect[row] if kind != INV else "the same"
            described[case] = CaseText(names[row], phenomena[row], kind, expected, answers)
        return described

    def _texts_of(self, system: SystemRoles) -> list[str]:
        if system.prediction is not None:
            return self.texts(system.prediction)
        return [f"{value:.4g}" for value in number_column(self.batch, system.scores[0][1]).values.tolist()]

    def seen(self) -> dict[str, frozenset[str]]:
        """The phenomena that the suite names, with cases or without, and which kinds of labels there are."""
        reading = self.reading
        expects = self.kinds == 0
        columns = [reading.expect, *(system.prediction for system in reading.systems)]
        labels = {
            text.labels[code]
            for text in (self.batch.columns[name] for name in columns if name is not None)
            if isinstance(text, Text)
            for code in np.unique(text.codes[expects & (text.codes >= 0)]).tolist()
        }
        named = {label for label in self.texts(reading.phenomenon) if label}
        return {PHENOMENA: frozenset(named), KINDS_OF_LABELS: kinds_of(sorted(labels))}

    def coverage(self, first: Rows) -> dict[tuple[str, ...], int]:
        """How many cases there are of each phenomenon, kind and origin."""
        counts: dict[tuple[str, ...], int] = {}
        phenomena, origins = self.texts(self.reading.phenomenon), self.texts(self.reading.origin)
        for row in first.tolist():
            cell = (COVERAGE, phenomena[row], KINDS[int(self.kinds[row])], origins[row])
            counts[cell] = counts.get(cell, 0) + 1
        return counts


def _role(system: SystemRoles) -> str:
    if system.prediction is not None:  # a column may be called ""
        return f"prediction {quoted(system.prediction)}"
    return f"score {quoted(system.scores[0][1])}"


def _numbered(score: Array | None) -> Codes:
    """Scores in codes that are equal where they are."""
    return np.unique(np.asarray(score, dtype=np.float64), return_inverse=True)[1].reshape(-1).astype(np.int64)


def _mixed_codes(answers: Codes) -> Codes:
    """Codes such that sums over the rows of a case are equal, as good as surely, only where each row's answer is."""
    own = mixed(keys_of_rows(0, len(answers)))[:, None]
    return mixed(own ^ mixed((answers + 2).astype(np.uint64))).astype(np.int64)
