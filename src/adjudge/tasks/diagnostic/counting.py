"""What the rows of a suite are counted by: which of them are cases, and what each system made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut
from adjudge.data.cubes.bags import bags_of_keys
from adjudge.data.cubes.meaning import BAG
from adjudge.data.source import Batch, Text, by_appearance
from adjudge.evaluation.cubes.keys import WEIGHT, CellKeys, MadeKeys, kept_roles, kept_settings
from adjudge.evaluation.request import Request
from adjudge.evaluation.walk import settled_by_facts
from adjudge.tasks.diagnostic.counted import FAILED, MET
from adjudge.tasks.diagnostic.outcomes import Flags
from adjudge.tasks.diagnostic.reading import DECLARED, JOINED, KNOWN_FAILURES, ORIGINALS, ROW, SuiteReading
from adjudge.tasks.diagnostic.suite import Suite

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
