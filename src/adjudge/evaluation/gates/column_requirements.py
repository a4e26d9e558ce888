"""What requirements ask of plain columns: a mean or a quantile, and means that a judge helps with.

Beside the columns that a task reads, or of a table that has no task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.keys import Keys, keys_of_labels
from adjudge.data.source import Numbers, Source, Text
from adjudge.diagnosis.checks.check import Check, checks_in_order
from adjudge.diagnosis.checks.columns import column_checks
from adjudge.errors import BadValue, ColumnNotFound, InputError, SettingError, listed, quoted
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.asking.arguments import checked_arguments
from adjudge.evaluation.asking.foreign import opened_as
from adjudge.evaluation.asking.settings import bootstrap_settings, versions
from adjudge.evaluation.declaration import Role, Setting
from adjudge.evaluation.gates.column_limits import (
    ColumnRows,
    column_reach,
    each_unit,
    gathered_tries,
    paired_with_originals,
)
from adjudge.evaluation.gates.requirement_rows import required_row, rows_of_bounds
from adjudge.evaluation.gates.requirement_scope import system_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request, required_columns
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.inference.reach import Reach, added_reach, student_reach
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.in_use import COLUMNS, system_usability
from adjudge.statistics.base import Array
from adjudge.statistics.judges.sums import JudgedSums


def required_checks(source: Source, requirements: Sequence[Requirement]) -> Iterator[Check]:
    """What looks like a mistake in columns that something is required of: times with failures, answers, others."""
    rules = [(one.column, one.of_column.name) for one in requirements if one.column]
    watched = [column for column, name in rules if COLUMNS[name][0] == "exposure"]
    watches = dict.fromkeys(pair for column in watched for pair in zip(column[::2], column[1::2], strict=True))
    usability = [column for column, name in rules if name == system_usability.name]
    yield from column_checks(source, [name for column, _ in rules for name in column], [*watches], usability)


def column_rows(request: Request, systems: Sequence[str]) -> Iterator[Row]:
    """The rows that requirements ask of columns; each reads the columns it needs once more."""
    for requirement in request.requirements:
        if requirement.judge is not None:
            yield from _judged_rows(request, requirement, systems)
        elif requirement.column:
            yield from _column_rows(request.source, request.columns_by_role, requirement, request.bootstrap)


def plain_column_rows(
    source: Source, roles: Mapping[str, str | None], requirements: Sequence[Requirement], settings: Bootstrap
) -> Iterator[Row]:
    """The same of a table without a task, which has nothing but columns."""
    for requirement in requirements:
        yield from _column_rows(source, roles, requirement, settings)


@dataclass(frozen=True)
class _WholeColumns:
    """Columns of the whole table."""

    texts: dict[str, tuple[NDArray[np.int64], list[str]]]
    numbers: dict[str, Array]

    @classmethod
    def of(cls, source: Source, texts: Sequence[str], numbers: Sequence[str]) -> _WholeColumns:
        if both := set(texts) & set(numbers):
            raise SettingError(
                f"A column must be read as numbers or as names, but {listed(sorted(both))} is asked for as both. Name "
                "another column for one of them."
            )
        codes: dict[str, list[NDArray[np.int64]]] = {name: [] for name in texts}
        labels: dict[str, dict[str, int]] = {name: {} for name in texts}
        values: dict[str, list[Array]] = {name: [] for name in numbers}
        for batch in source.batches(list(dict.fromkeys(texts)), list(dict.fromkeys(numbers))):
            for name, known in labels.items():
                column = batch.columns[name]
                assert isinstance(column, Text)
                place = [known.setdefault(label, len(known)) for label in column.labels]
                codes[name].append(np.append(np.array(place, dtype=np.int64), -1)[column.codes])
            for name, parts in values.items():
                part = batch.columns[name]
                assert isinstance(part, Numbers)
                parts.append(np.where(part.unreadable, np.inf, part.values))
        for name, parts in values.items():
            _check_numbers(name, np.concatenate([np.zeros(0), *parts]))
        nothing: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        return cls(
            {name: (np.concatenate([nothing, *codes[name]]), list(labels[name])) for name in labels},
            {name: np.concatenate([np.zeros(0), *parts]) for name, parts in values.items()},
        )


def _check_numbers(name: str, values: Array) -> None:
    """Refuse a column with anything but numbers and missing cells: what was no number is infinite here, too."""
    if (wrong := np.flatnonzero(np.isinf(values))).size:
        raise BadValue(
            f"The column {quoted(name)} must hold numbers, but {wrong.size:,} of its {plural(len(values), 'cell')} "
            f"hold something else, the first in row {wrong[0] + 1:,}. Correct or empty them, or name "
            "in `missing` the word that stands for a missing number."
        )


def _column_rows(
    source: Source, roles: Mapping[str, str | None], requirement: Requirement, settings: Bootstrap
) -> Iterator[Row]:
    table = _RequiredColumns.of(source, roles, requirement)
    if requirement.versus_slice is not None:
        reaches = [table.reach(table.rows_of(name), settings) for name in (requirement.slice, requirement.versus_slice)]
        yield from _rows(requirement, str(requirement.slice), *_difference(requirement, reaches))
        return
    for name, kept in table.parts():
        yield from _rows(requirement, name, *table.reach(kept, settings))


def _rows(requirement: Requirement, part: str, reach: Reach | str, rows: int, note: str) -> Iterator[Row]:
    """The rows of every bound."""
    shown = required_row(requirement, requirement.column_text, part, rows=rows, note=note)
    return rows_of_bounds(requirement, shown, reach)


def _difference(
    requirement: Requirement, reaches: Sequence[tuple[Reach | str, int, str]]
) -> tuple[Reach | str, int, str]:
    """One slice less another, which have different rows: their limits squared and added."""
    (first, rows, note), (second, others, _) = reaches
    if isinstance(first, str) or isinstance(second, str):
        return (first if isinstance(first, str) else second), min(rows, others), note
    return added_reach(first, second, 0.0, requirement.holds[0].share), min(rows, others), note


@dataclass(frozen=True)
class _RequiredColumns:
    """The columns of a requirement, row by row, and what goes with them."""

    requirement: Requirement
    table: _WholeColumns
    values: Array  # (rows, columns)
    weights: Array | None
    clusters: Keys | None

    @classmethod
    def of(cls, source: Source, roles: Mapping[str, str | None], requirement: Requirement) -> _RequiredColumns:
        cluster, weight, was = roles.get("cluster"), roles.get("weight"), requirement.original
        named = [cluster, requirement.by, None if was is None else was.partition(" = ")[0]]
        texts = [*requirement.slice_columns, *(name for name in named if name)]
        table = _WholeColumns.of(source, texts, [*requirement.column, *([weight] if weight else [])])
        values = np.column_stack([table.numbers[name] for name in requirement.column])
        if not len(values):
            raise InputError(f"The table must have rows, but {source.name} has none. Is it the right table?")
        if weight is not None:
            _check_weights(weight, table.numbers[weight])
        clusters = None
        if cluster is not None:
            codes, labels = table.texts[cluster]
            clusters = np.append(keys_of_labels(tuple(labels)), keys_of_labels(("",)))[codes]
        return cls(requirement, table, values, None if weight is None else table.numbers[weight], clusters)

    def parts(self) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """The slices that are meant, each with its rows."""
        r = self.requirement
        if not r.slice_columns:
            yield WHOLE_NAME, np.ones(len(self.values), dtype=bool)
        for column in r.slice_columns:
            codes, labels = self.table.texts[column]
            for place, label in enumerate(labels):
                name = f"{column} = {label}"
                is_part = name != r.original if r.slice is None else r.slice == name
                if is_part and (codes == place).any():
                    yield name, codes == place

    def rows_of(self, name: str | None) -> NDArray[np.bool_]:
        """The rows of a slice that is named; none where there is no such level."""
        column, _, value = str(name).partition(" = ")
        codes, labels = self.table.texts[column]
        return np.asarray(codes == (labels.index(value) if value in labels else -2))

    def reach(self, kept: NDArray[np.bool_], settings: Bootstrap) -> tuple[Reach | str, int, str]:
        """The metric in some rows with its limits, how many units it is of, and what became of the others."""
        r, metric = self.requirement, self.requirement.of_column
        values, rows = self.values[kept], np.flatnonzero(kept)
        if r.by is not None:
            items = self.table.texts[r.by][0]
            if r.original is not None:
                values, rows = paired_with_originals(self.values[:, 0], items, self.rows_of(r.original), kept)
            else:
                values, first = gathered_tries(values[:, 0], items[kept])
                rows = rows[first]
        weights = None if self.weights is None else self.weights[rows]
        clusters = None if self.clusters is None else self.clusters[rows]
        try:
            counted = each_unit(metric, values)
        except BadValue as error:
            raise BadValue(f"In {listed(r.column)}: {error}") from None
        part = ColumnRows(MeasuredColumns(counted), weights, clusters)
        known = part.known & (True if weights is None else ~np.isnan(weights))
        lost = int((~known).sum())
        note = f"{lost:,} without a value left out" if lost else ""
        reach = column_reach(metric, part.of_rows(known), settings, any_looks=r.looks == "any")
        return reach, int(known.sum()), note


def _check_weights(column: str, values: Array) -> None:
    """Refuse weights below 0, and those that are 0 everywhere; a row without one is left out."""
    known = values[~np.isnan(values)]
    if (known < 0).any():
        raise BadValue(
            f"`weight` must not be negative, but {quoted(column)} is, down to {known.min():g}. Set those weights to 0, "
            "or leave the rows out."
        )
    if not known.any():
        raise BadValue(
            f"`weight` must be above 0 in some rows, but {quoted(column)} is in none, so no row would count. Give "
            "another column, or leave `weight` out."
        )


def _judged_rows(request: Request, requirement: Requirement, systems: Sequence[str]) -> Iterator[Row]:
    """A mean of few labels, helped by a judge's."""
    roles, judge = request.columns_by_role, str(requirement.judge)
    if requirement.column:
        system = column = requirement.column_text
        table = _WholeColumns.of(request.source, [], [column, judge])
        human, given = table.numbers[column], table.numbers[judge]
    else:
        system = system_of(requirement.system, systems)
        columns = [str(roles["reference"]), str(roles.get(f"prediction of {system}", "")), judge]
        table = _WholeColumns.of(request.source, columns, [])
        human, given = _right(table, columns[0], columns[1]), _right(table, judge, columns[1])
        if requirement.metric == "error_rate":
            human, given = 1 - human, 1 - given
    both, only = ~np.isnan(human) & ~np.isnan(given), np.isnan(human) & ~np.isnan(given)
    reach: Reach | str = "there are fewer than two rows with a label and the judge's"
    if both.sum() > 1:
        sums = JudgedSums.of_arrays(human[both | only], given[both | only])
        sums = sums if requirement.column else replace(sums, least=0.0, most=1.0)
        error = sums.error(float(sums.weight))
        reach = student_reach("judge_assisted", float(sums.estimate), error, int(both.sum()))
    shown = required_row(requirement, system, WHOLE_NAME, rows=int(both.sum()))
    return rows_of_bounds(requirement, shown, reach)


def _right(table: _WholeColumns, truth: str, answer: str) -> Array:
    """1 where an answer is the truth, 0 where it is not, NaN where one of them is missing."""
    (codes, labels), (others, other_labels) = table.texts[truth], table.texts[answer]
    place = {label: number for number, label in enumerate(labels)}
    meant = np.append(np.array([place.get(label, -2) for label in other_labels], dtype=np.int64), -1)[others]
    right = np.where(codes == meant, 1.0, 0.0)
    return np.where((codes < 0) | (others < 0), np.nan, right)


ROLES = (Role("cluster", "rows that belong together"), Role("weight", "what a row counts"))
SETTINGS = (
    Setting("replicates", "how often rows are drawn", int),
    Setting("seed", "of the draws", int),
    Setting("delimiter", "between cells"),
    Setting("missing", "what stands for nothing", many=True),
    Setting("decimal", "the sign of decimals"),
)


def columns_outcome(table: object, requirements: Sequence[Requirement], given: Mapping[str, object]) -> Outcome:
    """The limits of everything that is required of the columns of a table."""
    checked = checked_arguments("columns", ROLES, SETTINGS, dict(given))
    source = opened_as(table, checked)
    roles = {name: checked[name] for name in ("cluster", "weight") if checked.get(name) is not None}
    for role, name in roles.items():
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    required_columns(requirements, source.column_names)
    settings = bootstrap_settings(checked.get("replicates") or 2_000, checked.get("seed", 7), "percentile")
    rows = tuple(plain_column_rows(source, roles, requirements, settings))
    counted = sum(batch.rows for batch in source.batches([], [requirements[0].column[0]])) if requirements else 0
    data = Data(source.name, source.fingerprint(), counted, counted, {}, [], dict(roles))
    how = Settings(0.95, settings.replicates, settings.seed, settings.kind, "", "memory", versions())
    slices = list(dict.fromkeys(name for one in requirements for name in one.slice_columns))
    checks = checks_in_order(required_checks(source, requirements), ())
    return Outcome("", data, how, [], slices, [], ResultTable(rows), Panels([], [], [], [], []), checks=checks)
