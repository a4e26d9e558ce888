"""Logs of several systems, a table each: one below the other, every system watched in its own rows only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from adjudge.data.dialect import opened
from adjudge.data.source import Batch, Numbers, Source, Text, whole_batch
from adjudge.data.systems import slices_of
from adjudge.diagnosis.checks.check import SERIOUS, Check, checks_in_order
from adjudge.diagnosis.checks.numbers import FEW_ROWS
from adjudge.errors import ColumnNotFound, SettingError, quoted
from adjudge.evaluation.asking.foreign import WRITTEN
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.declaration import Given, Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import walk
from adjudge.tasks.failures.reading import ROLES


def compared_logs(task: Task, tables: Mapping[str, Source], given: Given, progress: Progress) -> Outcome:
    """Each table is the log of a system; nothing pairs their rows, and nothing needs to."""
    if given.get("item") is not None or given.get("id") is not None:
        raise SettingError("`id` must be left out where each table is a log of failures: their rows are not paired.")
    for role in ROLES:
        if not isinstance(given.get(role), str) and len(given.get(role) or ()) != 1:
            raise SettingError(f"`{role}` must name one column, the same in every table: each table is a system's log.")
    own = [given[role] if isinstance(given[role], str) else given[role][0] for role in ROLES]
    shared = {name: value for name, value in given.items() if name not in (*ROLES, *WRITTEN)}
    systems = {name: {role: f"{role} of {name}" for role in ROLES} for name in tables}
    columns = _stacked(tables, [str(column) for column in own], shared)
    question = request(task, opened(columns), systems=systems, **shared)
    outcome = walk(question, progress)
    checks = checks_in_order([*outcome.checks, *_same_logs(columns, systems)], question.ok)
    return replace(
        outcome, checks=checks, data=replace(outcome.data, source=", ".join(source.name for source in tables.values()))
    )


def _same_logs(columns: Mapping[str, list[object]], systems: Mapping[str, Mapping[str, str]]) -> Iterator[Check]:
    """C42: logs that are one and the same, row by row."""
    logs = {
        name: [[cell for cell in columns[column] if cell is not None] for column in roles.values()]
        for name, roles in systems.items()
    }
    for one, other in combinations(logs, 2):
        if logs[one] == logs[other] and len(logs[one][0]) >= FEW_ROWS:
            yield Check(
                "C42", SERIOUS, f"{quoted(one)} and {quoted(other)} are the same log, row by row. Name another."
            )


def _stacked(tables: Mapping[str, Source], own: list[str], shared: Given) -> dict[str, list[object]]:
    """All rows: the columns that logs share, and those of each system, empty in the rows of the others."""
    columns: dict[str, list[object]] = {}
    for name, source in tables.items():
        slices = [column for names in slices_of(shared.get("slices"), source.column_names) for column in names]
        cluster, weight = shared.get("cluster"), shared.get("weight")
        texts, numbers = [*slices, *([cluster] if cluster else [])], [*own, *([weight] if weight else [])]
        roles = [
            *zip(own, ROLES, strict=True),
            (weight, "weight"),
            (cluster, "cluster"),
            *((s, "slices") for s in slices),
        ]
        for column, role in roles:
            if column is not None and column not in source.column_names:
                raise ColumnNotFound(role, str(column), source.column_names)
        batch = whole_batch(source, list(dict.fromkeys(texts)), list(dict.fromkeys(numbers)))
        before = len(next(iter(columns.values()), []))
        added = {column: _cells(batch, column) for column in dict.fromkeys([*texts, *([weight] if weight else [])])}
        added |= {f"{role} of {name}": _cells(batch, column) for role, column in zip(ROLES, own, strict=True)}
        for column in dict.fromkeys([*columns, *added]):
            cells = columns.setdefault(column, [None] * before)
            cells += added.get(column, [None] * batch.rows)
    return columns


def _cells(batch: Batch, column: str) -> list[object]:
    """A column as plain values, None where a cell is empty; what is no number stays what it is."""
    values = batch.columns[column]
    if isinstance(values, Text):
        return [None if code < 0 else values.labels[code] for code in values.codes]
    assert isinstance(values, Numbers)
    return [
        "?" if bad else None if np.isnan(value) else value
        for bad, value in zip(values.unreadable.tolist(), values.values.tolist(), strict=True)
    ]
