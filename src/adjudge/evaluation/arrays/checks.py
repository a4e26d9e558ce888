"""The data check of plain arrays: they are made a table of a task's kind, and its checks look at that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import array_of, is_column, table_of
from adjudge.diagnosis.checks.check import KEYS, SERIOUS, Check, refuse_stops
from adjudge.errors import AdjudgeError
from adjudge.evaluation.data_check import checks_of
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import collect
from adjudge.metrics.base import Metric
from adjudge.statistics.ratings.vectors import RatingVectors

MOST_ROWS = 2**17  # that are looked at: the first
LEAST_DRAWN = 100  # replicates, none of which is looked at
ANSWERS_AS_LABELS = ("C14",)  # stops that are said only: how often texts are alike is asked of arrays
LISTS_OF = "query"  # the role of what lists of lists have one of each for


@dataclass(frozen=True)
class Arrays:
    """What a metric is to be estimated of."""

    first: object
    second: object = None
    weights: object = None
    categories: Sequence[object] | None = None
    options: Mapping[str, object] = field(default_factory=dict)  # `positive`, and how else arrays are read

    def as_table(self, metric: Metric, task: Task) -> tuple[dict[str, object], dict[str, object]]:
        """Columns, and what a task is asked of them: the roles, and those options that it knows."""
        roles, known = task.arrays[metric.over], {role.name: role for role in task.roles}
        columns: dict[str, object] = {}
        given: dict[str, object] = {}
        if LISTS_OF in known:
            columns = {LISTS_OF: _numbered(self.first)} | dict(zip(roles, map(_flat, self.both), strict=True))
            given = {name: name for name in columns}
        elif len(roles) == len(set(roles)) and np.ndim(array_of(self.second)) == 2:
            columns, given = table_of(self.first, self.second, self.categories)
        else:
            for role, values in zip(roles, self.both, strict=True):
                names = [name for name in columns if given.get(role)]
                own = _columns(role, values, len(names))
                columns |= own
                names += own
                given |= {role: names if known[role].many else names[0]} if names else {}
        for name, value in {**self.options, "weight": self.weights, "measurement": _measurement(metric)}.items():
            if name in known and is_column(value):
                columns[name], given[name] = value, name
            elif value is not None and any(setting.name == name for setting in task.settings):
                given[name] = value
        return {name: _first_rows(column) for name, column in columns.items()}, given

    @property
    def both(self) -> tuple[object, object]:
        """The first, and the second if there is one."""
        return self.first, self.second


@np.errstate(all="ignore")
def array_checks(metric: Metric, task: Task, arrays: Arrays, ok: Sequence[str]) -> list[Check]:
    """What looks like a mistake in the arrays; what must stop is refused. Nothing, where the task cannot read them."""
    try:
        table, given = arrays.as_table(metric, task)
        question = request(task, table, **given, ok=list(KEYS), replicates=LEAST_DRAWN)
        checks = checks_of(replace(question, ok=frozenset(ok)), collect(question))
    except (AdjudgeError, TypeError):  # what cannot be measured of these arrays is refused where they are measured
        return []
    milder = [replace(one, severity=SERIOUS) if one.key in ANSWERS_AS_LABELS else one for one in checks]
    refuse_stops(milder, ok)
    return milder


def _measurement(metric: Metric) -> object:
    """The level of measurement that a coefficient of ratings supposes."""
    if (weighting := metric.settings.get("weighting")) is not None:
        return "nominal" if weighting == "none" else "ordinal"
    return metric.settings.get("measurement", "interval" if issubclass(metric.over, RatingVectors) else "nominal")


def _columns(role: str, values: object, before: int) -> dict[str, object]:
    """A column, or one for each of a matrix, by a name that nobody else has."""
    if values is None:
        return {}
    matrix = array_of(values)
    if matrix.ndim != 2:
        return {role if not before else f"{role} {before + 1}": values}
    return {f"{role} {before + place + 1}": matrix[:, place] for place in range(matrix.shape[1])}


def _flat(lists: object) -> list[object]:
    """Lists of lists as one list."""
    return list(chain.from_iterable(lists))  # type: ignore[arg-type]


def _numbered(lists: object) -> NDArray[np.int64]:
    """Which of the lists each value is of."""
    lengths = [len(one) for one in lists]  # type: ignore[attr-defined]
    return np.repeat(np.arange(len(lengths)), lengths)


def _first_rows(column: object) -> object:
    rows: NDArray[np.generic] | list[object] = column if isinstance(column, list) else array_of(column)
    return column if len(rows) <= MOST_ROWS else rows[:MOST_ROWS]
