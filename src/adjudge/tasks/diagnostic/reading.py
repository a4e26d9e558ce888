"""How the rows of a suite become cases: originals found, answers held against what is expected, expansions joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from adjudge.data.cleaning import Rows, case_weights, facts_of, label_keys, levels_of_rows, text_column
from adjudge.data.facts import Facts, check_rows, check_weight
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.data.keys import Keys, digest_of, keys_of_labels, keys_of_rows
from adjudge.data.label_values import BY_VALUE, settled_values
from adjudge.data.reading import Block, Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import Batch
from adjudge.data.systems import SystemRoles
from adjudge.tasks.diagnostic.outcomes import Codes
from adjudge.tasks.diagnostic.suite import Suite

KNOWN = "known failures"
ORIGINALS = "originals that others are held against"
KNOWN_FAILURES = "known failures, listed and not counted"
DECLARED = "rows that only name a phenomenon"
JOINED = "further expansions of a case"
ROW = "\0what a row is"  # of a suite whose outcomes were counted; no other table has such a column


@dataclass(frozen=True, kw_only=True)
class SuiteReading(RowReading):
    """Which columns hold the cases, what is expected of them, and what each system said."""

    phenomenon: str
    systems: tuple[SystemRoles, ...]
    expect: str | None = None
    kind: str | None = None
    template: str | None = None
    origin: str | None = None
    group: str | None = None
    original: str | None = None
    known_failure: str | None = None
    case: str | None = None
    unit: str = "case"  # or expansion
    tolerance: float = 0.1
    meeting: str = BY_VALUE

    lists_cases: ClassVar[bool] = True  # whether cases have names to be listed by
    as_labels: ClassVar[str] = "case, phenomenon, expect, kind, template, origin, group, prediction, "
    as_numbers: ClassVar[str] = "score, "

    @property
    def together(self) -> str | None:
        """Cases of a template, or what is made of one original, belong together."""
        return self.template or self.group

    def answers(self) -> Iterator[RoleColumn]:
        """What a row may hold; what it must hold depends on its kind."""
        yield RoleColumn("phenomenon", self.phenomenon, needed=False)
        for role in ("expect", "kind", "template", "origin", "group", "original", "known_failure", "case"):
            if (column := getattr(self, role)) is not None:
                yield RoleColumn(role, column, needed=False)
        for system in self.systems:
            if system.prediction is not None:
                yield RoleColumn("prediction", system.prediction, needed=False)
            yield from (RoleColumn("score", column, number=True, needed=False) for _, column in system.scores)

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Not asked: see `read`."""
        raise NotImplementedError

    def settled(self, facts: Facts) -> Self:
        """The same with labels that meet as all of them must."""
        return settled_values(self, facts)

    def judge(self, facts: Facts, source: str) -> None:
        """Refuse what only the whole table shows."""
        check_rows(facts, source, "Some rows must be cases with what is expected and every system's answer")
        check_weight(facts, self.weight, "case")

    def read(self, batch: Batch, first_row: int) -> Block:
        """The cases of a batch."""
        suite = Suite.of(self, batch)
        left_out, failed, answers = suite.outcomes()
        counted, listed_only = suite.counted(left_out)
        first, place = self.cases_in(suite, counted)
        cases = suite.joined(counted, first, place, (failed, answers))
        keys = self.keys_of(batch, first_row, first)
        levels = tuple(levels_of_rows(batch, columns, first) for columns in self.slices)
        weight = case_weights(batch, self.weight, first)
        unused = {
            ORIGINALS: int(suite.anchors.sum()),
            DECLARED: int(suite.nameless.sum()),
            KNOWN_FAILURES: len(listed_only),
            JOINED: len(counted) - len(first),
        }
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            seen=suite.seen(),
            units=keys,
            unused={what: many for what, many in unused.items() if many},
            weight=np.ones(len(first)) if weight is None else weight,
            counted=suite.coverage(first),
            digests=self._digests(batch, first_row),
        )
        views = {
            JOINTLY: replace(cases, keys=keys if self.clustered else None),
            KNOWN: suite.joined(listed_only, listed_only, np.arange(len(listed_only)), (failed, answers)),
        }
        return Block(len(first), replace(facts, used=len(first)), views, weight, keys, levels, first)

    @property
    def clustered(self) -> bool:
        """Whether several cases may stand or fall together."""
        return self.template is not None or (self.unit == "expansion" and (self.group or self.case) is not None)

    def cases_in(self, suite: Suite, rows: Rows) -> tuple[Rows, Codes]:
        """The first row of each case, and which case each row is of: expansions of one fail together."""
        if self.unit == "expansion" or not len(rows):
            return rows, np.arange(len(rows))
        parts = [suite.kinds[rows], *(suite.codes(column)[rows] for column in (self.phenomenon, *suite.finer))]
        own = suite.own[rows]
        _, first, place = np.unique(np.stack([*parts, own], axis=1), axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(first), dtype=np.int64)
        rank[order] = np.arange(len(first))
        return rows[first[order]], rank[place.reshape(-1)]

    def _digests(self, batch: Batch, first_row: int) -> dict[str, int]:
        """What tells the answers of several systems apart, by their columns."""
        columns = [system.prediction for system in self.systems if system.prediction is not None]
        units = keys_of_rows(first_row, first_row + batch.rows)
        texts = {name: text_column(batch, name) for name in columns if len(columns) > 1}
        return {
            name: digest_of(units, np.append(keys_of_labels(text.labels), np.uint64(0))[text.codes])
            for name, text in texts.items()
        }

    def keys_of(self, batch: Batch, first_row: int, rows: Rows) -> Keys:
        """The key of each case's template, or else of what it was made of, or else of the row."""
        keys = keys_of_rows(first_row, first_row + batch.rows)[rows]
        for column in (self.case, self.group, self.template):
            if column is not None:
                named = label_keys(batch, column, rows)
                keys = np.where(named > 0, named, keys)
        return keys
