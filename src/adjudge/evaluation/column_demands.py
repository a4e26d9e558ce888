"""What requirements ask of plain columns: a mean or a quantile, and means that a judge helps with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.source import Numbers, Source, Text
from adjudge.errors import BadValue, quoted
from adjudge.evaluation.demanded import system_of
from adjudge.evaluation.demands import rows_of_bound
from adjudge.evaluation.limits import NOT_ANY
from adjudge.evaluation.request import Request
from adjudge.evaluation.requirements import Requirement
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.judge_assisted import judge_assisted
from adjudge.inference.paired_units import clustered_difference
from adjudge.inference.quantiles import quantile_reach, values_for_limit, woodruff_reach
from adjudge.inference.reach import Reach, student_reach
from adjudge.statistics.base import Array


def column_rows(request: Request, systems: Sequence[str]) -> Iterator[Row]:
    """The rows that requirements ask of columns; each reads the columns it needs once more."""
    for requirement in request.requirements:
        if requirement.judge is not None:
            yield from _judged_rows(request, requirement, systems)
        elif requirement.column is not None:
            yield from _column_rows(request, requirement)


@dataclass(frozen=True)
class _Columns:
    """Columns of the whole table."""

    texts: dict[str, tuple[NDArray[np.int64], list[str]]]
    numbers: dict[str, Array]

    @classmethod
    def of(cls, source: Source, texts: Sequence[str], numbers: Sequence[str]) -> _Columns:
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
                if part.unreadable.any() or np.isinf(part.values).any():
                    raise BadValue(f"The column {quoted(name)} must hold numbers, but it holds something else.")
                parts.append(part.values)
        nothing: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        return cls(
            {name: (np.concatenate([nothing, *codes[name]]), list(labels[name])) for name in labels},
            {name: np.concatenate([np.zeros(0), *parts]) for name, parts in values.items()},
        )


def _column_rows(request: Request, requirement: Requirement) -> Iterator[Row]:
    roles = request.study.columns()
    cluster, weight, column = roles.get("cluster"), roles.get("weight"), str(requirement.column)
    sliced = requirement.slice_columns
    texts = [*sliced, *([cluster] if cluster else [])]
    table = _Columns.of(request.source, texts, [column, *([weight] if weight else [])])
    values = table.numbers[column]
    known = ~np.isnan(values)
    note = "" if known.all() else f"{int((~known).sum()):,} without a value left out"
    for name, kept in _parts(requirement, table, len(values)):
        chosen = kept & known
        weights = None if weight is None else table.numbers[weight][chosen]
        groups = None if cluster is None else table.texts[cluster][0][chosen]
        reach = _reach(requirement, values[chosen], weights, groups)
        for bound in requirement.holds:
            nothing = (math.nan, math.nan, math.nan, 0.0, "none", int(chosen.sum()), note)
            shown = Row(column, name, "", requirement.measure_name, *nothing)
            yield from rows_of_bound(requirement, bound, shown, reach)


def _parts(requirement: Requirement, table: _Columns, rows: int) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The slices that are meant, each with its rows."""
    if not requirement.slice_columns:
        yield WHOLE_NAME, np.ones(rows, dtype=bool)
    for column in requirement.slice_columns:
        codes, labels = table.texts[column]
        for place, label in enumerate(labels):
            name = f"{column} = {label}"
            if (requirement.slice is None or requirement.slice == name) and (codes == place).any():
                yield name, codes == place


def _reach(
    requirement: Requirement, values: Array, weights: Array | None, clusters: NDArray[np.int64] | None
) -> Reach | str:
    """The limits of a mean or a quantile, or why there are none."""
    share = requirement.of_column.at
    if requirement.looks == "any":
        return NOT_ANY
    if len(values) < 2:
        return "undefined: there are fewer than two values"
    if share is None:
        groups = np.arange(float(len(values))) if clusters is None else clusters.astype(np.float64)
        mean = clustered_difference(values, groups, weights)
        return student_reach("student", mean.mean, mean.error, mean.freedom + 1)
    plain = weights is None and clusters is None
    reach = quantile_reach(values, share) if plain else woodruff_reach(values, share, weights, clusters)
    needed, whose = values_for_limit(share, 1 - requirement.confidence), "values" if clusters is None else "clusters"
    if requirement.at_most is not None and reach.units < needed:
        return replace(reach, note=f"{needed} {whose} are needed for a limit")
    return reach


def _judged_rows(request: Request, requirement: Requirement, systems: Sequence[str]) -> Iterator[Row]:
    """A mean of few labels, helped by a judge's."""
    roles, judge = request.study.columns(), str(requirement.judge)
    if requirement.column is not None:
        system, column = requirement.column, requirement.column
        table = _Columns.of(request.source, [], [column, judge])
        human, given = table.numbers[column], table.numbers[judge]
    else:
        system = system_of(requirement.system, systems)
        columns = [str(roles["reference"]), str(roles.get(f"prediction of {system}", "")), judge]
        table = _Columns.of(request.source, columns, [])
        human, given = _right(table, columns[0], columns[1]), _right(table, judge, columns[1])
        if requirement.metric == "error_rate":
            human, given = 1 - human, 1 - given
    both, only = ~np.isnan(human) & ~np.isnan(given), np.isnan(human) & ~np.isnan(given)
    reach: Reach | str = "there are fewer than two rows with a label and the judge's"
    if both.sum() > 1:
        seen = np.concatenate([human[both], given[both], given[only]])
        scale = float(seen.max() - seen.min()) if requirement.column is not None else 1.0
        reach = judge_assisted(human[both], given[both], given[only], scale).reach
    for bound in requirement.holds:
        nothing = (math.nan, math.nan, math.nan, 0.0, "none", int(both.sum()), "")
        yield from rows_of_bound(
            requirement, bound, Row(system, WHOLE_NAME, "", requirement.measure_name, *nothing), reach
        )


def _right(table: _Columns, truth: str, answer: str) -> Array:
    """1 where an answer is the truth, 0 where it is not, NaN where one of them is missing."""
    (codes, labels), (others, other_labels) = table.texts[truth], table.texts[answer]
    place = {label: number for number, label in enumerate(labels)}
    meant = np.append(np.array([place.get(label, -2) for label in other_labels], dtype=np.int64), -1)[others]
    right = np.where(codes == meant, 1.0, 0.0)
    return np.where((codes < 0) | (others < 0), np.nan, right)
