"""Files of other tools in the place of a table: what is picked of them, and the roles that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.data.cubes.cube import Cube
from adjudge.data.cubes.files import is_cube
from adjudge.data.dialect import opened
from adjudge.data.formats.base import PICKS, Imported
from adjudge.data.formats.opening import open_foreign
from adjudge.data.judgements.labels import label_text
from adjudge.data.source import Source
from adjudge.errors import InputError, SettingError, did_you_mean, literal, quoted
from adjudge.evaluation.asking.arguments import shown
from adjudge.evaluation.declaration import Given, Task

WRITTEN = ("delimiter", "missing", "decimal")  # settings that say how a table is written
# Whose answers: one of these that is given stands for all.
ANSWERS = ("prediction", "score", "systems", "annotators")


def opened_as(table: object, given: Given) -> Source:
    """A table, written as was given; cells that were counted are none."""
    source = opened(table, *(given.get(setting) for setting in WRITTEN))
    names = source.column_names
    counted = "n" in names and any(name.startswith(("prediction:", "cell:", "rating:")) for name in names)
    if is_cube(table) or (counted and not isinstance(source, Cube)):
        raise InputError(
            f"The table must have a row for each judgement, but {quoted(source.name)} holds cells that were counted. "
            "Evaluate a cube with: adjudge reslice; what SQL counted with: adjudge cells --from-cells."
        )
    return source


def with_foreign(task: Task, table: object, given: Mapping[str, object]) -> tuple[object, dict[str, object]]:
    """The table, and what was given, completed by what a file of another tool says; any other table as it is."""
    picks, rest = picked(given.get("pick")), {name: value for name, value in given.items() if name != "pick"}
    if any(setting.form == "files" and rest.get(setting.name) is not None for setting in task.settings):
        return table, rest  # the task reads these files itself
    roles = {role.name for role in task.roles}
    named = {name: value for name, value in rest.items() if (name in roles or name == "systems") and value is not None}
    imported = open_foreign(table, named, picks, task.tables)
    if imported is None:
        if picks:
            opened_as(table, rest)  # where there is no table, that is said first
            raise SettingError(
                "`pick` must be for a file of another tool, but this is an ordinary table. Leave it out."
            )
        return table, rest
    return imported, _completed(task, imported, rest)


def with_foreign_runs(
    task: Task, named: Mapping[str, object], id: Sequence[str], given: Mapping[str, object]
) -> tuple[Mapping[str, object], Sequence[str], Given]:
    """Tables to compare, the columns that join them and what was given, completed where all are runs of another tool.

    Labels are compared where prediction and reference are what each run's scorer decides by; otherwise, what it calls
    right.
    """
    picks, rest = picked(given.get("pick")), {name: value for name, value in given.items() if name != "pick"}
    roles = {role.name: rest[role.name] for role in task.roles if rest.get(role.name) is not None}
    imported = {name: open_foreign(one, roles, picks, task.tables) for name, one in named.items()}
    runs = {name: one for name, one in imported.items() if one is not None and one.joins}
    if not runs or len(runs) < len(named):
        if picks:
            for one in named.values():
                opened_as(one, rest)
            raise SettingError("`pick` must be for files of another tool that can be joined, but these are not.")
        return named, id, given
    if {one.roles["reference"] for one in runs.values()} != {"reference"}:
        again = {name: open_foreign(one, roles, {**picks, "as": "outcome"}, task.tables) for name, one in named.items()}
        runs = {name: one for name, one in again.items() if one is not None}
    first = next(iter(runs.values()))
    (answers,) = first.roles["systems"].values()
    complete = {"reference": first.roles["reference"], **answers}
    complete |= {"metrics": first.roles["metrics"]} if "metrics" in first.roles else {}
    if "cluster" in first.roles and any(role.name == "cluster" for role in task.roles):
        complete["cluster"] = first.roles["cluster"]
    return runs, id or first.joins, {**complete, **rest}


def picked(given: object) -> dict[str, str]:
    """What to pick of a file, from a dictionary or from texts of NAME=VALUE.

    >>> picked(["question=sentiment"])
    {'question': 'sentiment'}
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        texts = [given] if isinstance(given, str) else list(given) if isinstance(given, (list, tuple)) else [""]
        if odd := [text for text in texts if not isinstance(text, str)]:
            raise SettingError(f"`pick` must be given as NAME=VALUE, not as {literal(odd[0])}.")
        pairs = [text.partition("=")[::2] for text in texts]
    for name, value in pairs:
        if name not in PICKS or not value or not isinstance(value, (str, int, float)):
            raise SettingError(
                f"`pick` must be given as NAME=VALUE, not as {_pair(name, value)}. {did_you_mean(str(name), PICKS)}"
            )
    return {str(name): label_text(value) for name, value in pairs}


def _pair(name: object, value: object) -> str:
    return quoted(f"{name}={value}") if isinstance(value, (str, float)) else shown({name: value})


def _completed(task: Task, imported: Imported, given: Mapping[str, object]) -> dict[str, object]:
    """The roles and settings that the task knows and nobody gave; one that names what was picked is its column."""
    known = {role.name for role in task.roles} | {setting.name for setting in task.settings} | {"systems", "metrics"}
    complete = {name: None if _was_picked(name, value, imported) else value for name, value in given.items()}
    whose = any(complete.get(name) is not None for name in ANSWERS)
    for name, value in imported.roles.items():
        if name not in known or (whose and name in ANSWERS):
            continue
        if complete.get(name) is None or (name == "measurement" and complete[name] == "nominal"):
            complete[name] = value
    return {name: value for name, value in complete.items() if value is not None}


def _was_picked(role: str, value: object, imported: Imported) -> bool:
    """Whether a role names what the tool's own records were looked up for, and no column of the table."""
    name = value[0] if isinstance(value, list) and len(value) == 1 else value
    return role in PICKS and isinstance(name, str) and name not in imported.columns
