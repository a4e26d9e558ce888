"""`adjudge.compare`: systems of one table, two or more tables joined by an id, or evaluations that were saved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from adjudge.errors import SettingError, listed, literal
from adjudge.evaluation.asking.command import comparison_of
from adjudge.evaluation.asking.settings import Progress, checked_form
from adjudge.evaluation.comparison.apart import are_of_one_table
from adjudge.evaluation.comparison.settings import OF_COMPARISONS, comparing
from adjudge.evaluation.comparison.side_by_side import side_by_side
from adjudge.evaluation.comparison.submissions import Gold, judge_submissions
from adjudge.evaluation.comparison.tables import compare_tables
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.take_away.kept_items import KeptItems, kept_items
from adjudge.evaluation.take_away.saving import is_saved
from adjudge.report.evaluation import Evaluation, evaluate, load
from adjudge.tasks import task_named


def compare(
    table: object,
    *others: object,
    task: str = "classification",
    id: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    gold: object = None,
    gold_raters: Sequence[str] = (),
    part: str | None = None,
    parts: Mapping[str, object] | Sequence[object] = (),
    content: str | Sequence[str] = (),
    progress: Progress | None = None,
    **given: object,
) -> Evaluation:
    """Compare systems: every metric and slice of each minus that of the baseline, with its doubt.

    One table: the same as the task's own function, of two systems or more. Several tables, each with the answers of a
    system: rows with the same `id` (a column, or several) are paired, which needs a fifth of the smallest table in
    common; without, the tables are evaluated one by one and the differences are called not paired. Evaluations, or
    files of saved ones, are paired where both were saved with their items and have an `id` or are of the same table,
    and stand side by side otherwise. `names` are those of the systems; by default a file's name without its ending.

    `gold` is a table of its own with the reference: then every other table is a submission, also a single one.
    `gold_raters` are its columns of those who annotated it, `part` its column of train, development and test; `parts`
    are tables of other parts, and `content` columns that must not say the same in two of them.

    >>> old = {"id": [1, 2, 3, 4], "y": ["a", "b", "a", "b"], "guess": ["a", "b", "b", "a"]}
    >>> new = {"id": [4, 3, 2, 1], "y": ["b", "a", "b", "a"], "guess": ["b", "a", "b", "b"]}
    >>> compared = compare(old, new, id="id", names=["old", "new"], reference="y", prediction="guess")
    >>> row = compared.table.find("accuracy", system="new", baseline="old")
    >>> row.estimate, row.differing
    (0.25, 3)
    """
    every = [table, *others]
    if any(_is_evaluation(one) for one in every):
        return _evaluations(every, names, given)
    declared = task_named(task)
    columns = () if id is None else _columns("id", id)
    if gold is not None:
        named = dict(zip(_names(every, names), every, strict=True))
        if part is not None:
            checked_form("part", "column", part)
        standard = Gold(gold, _columns("gold_raters", gold_raters), part, _parts(parts), _columns("content", content))
        follow = {} if progress is None else {"progress": progress}
        return Evaluation(*judge_submissions(declared, standard, named, columns, given, **follow))
    if any(map(_is_given, (gold_raters, part, parts, content))):
        raise SettingError("`gold_raters`, `part`, `parts` and `content` must come with `gold`. Add it.")
    if not others:
        if names is not None:
            raise SettingError("`names` must be left out where there is one table: systems have the names of columns.")
        roles: dict[str, object] = given if id is None else given | {"id": id}
        evaluation = evaluate(table, task=task, progress=progress, **roles)
        if not len(evaluation.table.differences):
            if len(evaluation.outcome.systems) > 1:
                raise SettingError(
                    f"`task` must be one that holds systems against each other, but {task} does not. Evaluate them by "
                    "it, and read their intervals side by side."
                )
            raise SettingError(
                "At least two systems must be compared, but there is one. Name more columns, or give another table."
            )
        return evaluation
    named = dict(zip(_names(every, names), every, strict=True))
    reporting = () if progress is None else (progress,)
    outcome, request = compare_tables(declared, named, columns, given, *reporting)
    return Evaluation(outcome.made_by(comparison_of(declared, named, columns, given)), request)


def _is_given(value: object) -> bool:
    """Whether anything was given: no list without anything in it."""
    return value is not None and not (isinstance(value, (list, tuple, dict)) and not value)


def _columns(argument: str, value: object) -> tuple[str, ...]:
    """One column by its name, or several."""
    columns = cast("str | list[str]", checked_form(argument, "columns", value))
    return (columns,) if isinstance(columns, str) else tuple(columns)


def _parts(parts: object) -> dict[str, object]:
    """Tables of other parts by their names; files by those of the files."""
    if isinstance(parts, Mapping):
        return dict(zip(_columns("parts", list(parts)), parts.values(), strict=True))
    if not isinstance(parts, (str, os.PathLike, list, tuple)):
        raise SettingError(f"`parts` must be a list of tables, or a dictionary of them by name, not {literal(parts)}.")
    tables = list(parts) if isinstance(parts, (list, tuple)) else [parts]
    return dict(zip(_names(tables, None), tables, strict=True))


def _is_evaluation(one: object) -> bool:
    return isinstance(one, Evaluation) or is_saved(one)


# `Any`: evaluations, or files that hold one.
def _evaluations(every: Sequence[Any], names: Sequence[str] | None, given: Given) -> Evaluation:
    """Evaluations: paired by their rows where these are known and named, side by side otherwise."""
    for one in every:
        if isinstance(one, (str, os.PathLike)) and not os.path.exists(one):
            load(one)  # which says that there is no such file
    if not all(map(_is_evaluation, every)):
        raise SettingError(
            "Tables and saved evaluations must not be mixed, but here are both. Evaluate the tables first."
        )
    if len(every) < 2:
        raise SettingError("At least two evaluations must be compared, but there is one. Name another.")
    if unknown := [name for name in given if name not in OF_COMPARISONS]:
        raise SettingError(
            f"Saved evaluations must be compared as they are, but {listed(unknown)} was given, which is of tables."
        )
    called = _names(every, names)
    evaluations = {
        name: one if isinstance(one, Evaluation) else load(one) for name, one in zip(called, every, strict=True)
    }
    first = next(iter(evaluations.values())).outcome
    items = {name: _rows_of(one) for name, one in evaluations.items()}
    if _is_one_table(evaluations.values(), items.values()):
        items = {name: kept and kept.by_row() for name, kept in items.items()}
    known = {name: kept for name, kept in items.items() if kept is not None and kept.id is not None}
    tasks = {one.outcome.task for one in evaluations.values()}
    if len(known) == len(items) and len(tasks) == 1:
        return _paired_again(known, first.task, given)
    lacking = [name for name in items if name not in known]
    how = "evaluate with an `id` and save `with_items`, and each row is compared with the same one"
    why = f"no rows with an `id` were saved of {listed(lacking)} ({how})" if lacking else "of several tasks"
    task = task_named(first.task)
    outcomes = {name: one.outcome for name, one in evaluations.items()}
    return Evaluation(side_by_side(outcomes, task, why, comparing(task, given)))


def _is_one_table(evaluations: Iterable[Evaluation], items: Iterable[KeptItems | None]) -> bool:
    """Whether all are of the rows of one table, asked the same but for columns of systems; rows are then the ids."""
    outcomes, kept = [one.outcome for one in evaluations], list(items)
    task, *others = {one.task for one in outcomes}
    if others or not are_of_one_table(outcomes):
        return False
    own = {role.name for role in task_named(task).roles if role.of_system}
    asked_alike = {
        repr([(name, None if name in own else one.given[name]) for name in sorted({*one.given} - {*OF_COMPARISONS})])
        for one in kept
        if one is not None and one.id is None
    }
    known = all(one is not None and one.id is None and "systems" not in one.given for one in kept)
    return known and bool(own) and len(asked_alike) == 1


def _rows_of(evaluation: Evaluation) -> KeptItems | None:
    if evaluation.kept is None and evaluation.request is not None and "id" in evaluation.request.given:
        return kept_items(evaluation.request)
    return evaluation.kept


def _paired_again(known: Mapping[str, KeptItems], task: str, given: Mapping[str, object]) -> Evaluation:
    """The rows of saved evaluations, joined and evaluated together."""
    declared = task_named(task)
    own = [role.name for role in declared.roles if role.of_system]
    start = next(iter(known.values()))
    shared = {name: v for name, v in start.given.items() if name not in (*own, *OF_COMPARISONS, "systems", "id")}
    columns: dict[str, list[str]] = {}
    for kept in known.values():
        for role, named in _own_columns(kept.given, own).items():
            columns.setdefault(role, []).extend(one for one in named if one not in columns.get(role, ()))
    table, *others = (kept.columns for kept in known.values())
    arguments: Given = {**columns, **shared, **given, "engine": "memory"}
    return compare(table, *others, task=task, id=str(start.id), names=list(known), **arguments)


def _own_columns(given: Given, own: Sequence[str]) -> dict[str, list[str]]:
    """The columns of systems, by role, however they were given."""
    columns: dict[str, list[str]] = {}
    parts = list(given["systems"].values()) if "systems" in given else [{role: given.get(role) for role in own}]
    for part in parts:
        for role, named in ({own[0]: part} if isinstance(part, str) else part).items():
            if isinstance(named, Mapping):
                raise SettingError(
                    "Saved evaluations with a score for each label cannot be paired; compare the tables."
                )
            columns.setdefault(role, []).extend([] if named is None else [named] if isinstance(named, str) else named)
    return {role: named for role, named in columns.items() if named}


def _names(tables: Sequence[object], names: Sequence[str] | None) -> list[str]:
    called = [_name(one, place) for place, one in enumerate(tables)]
    if names is not None:
        given = checked_form("names", "called", names)
        called = given if isinstance(given, list) else []
    if len(called) != len(tables):
        raise SettingError(f"`names` must name each of what is compared, but there are {len(tables)} of these.")
    if len(set(called)) < len(called):
        raise SettingError(f"What is compared must have different names, but they are {listed(called)}. Give `names`.")
    return called


def _name(table: object, place: int) -> str:
    if isinstance(table, (str, os.PathLike)):
        path = Path(os.fspath(table))
        return path.name.removesuffix("".join(path.suffixes)) or path.name
    return f"{'evaluation' if isinstance(table, Evaluation) else 'table'} {place + 1}"
