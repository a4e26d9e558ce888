"""A system run again: the study of it and its repeats alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.data.cleaning import check_columns
from adjudge.errors import SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.declaration import Given, Study, Task


def study_again(task: Task, columns: Sequence[str], given: Given, comparing: Comparing) -> Study | None:
    """The study of the baseline and its repeats alone; None where it was not run again."""
    if not comparing.repeats:
        return None
    check_columns((("repeats", name) for name in comparing.repeats), columns)
    roles = [role.name for role in task.roles if role.of_system]
    if task.shapes and all(len({*shape} & {*roles}) > 1 for shape in task.shapes):
        raise SettingError(f"`repeats` must be left out of {task.name}, where a system has more than one column.")
    named = given.get("systems")
    if named is None:
        role = next((role for role in roles if given.get(role) is not None), None)
        own = given.get(role) if role is not None else None
        listing = [own] if isinstance(own, (str, Mapping)) else list(own or ())
        systems = {str(one): {role: one} for one in listing if not isinstance(one, Mapping)}
    else:
        systems = {name: {"prediction": one} if isinstance(one, str) else dict(one) for name, one in named.items()}
    first = comparing.baseline or next(iter(systems), None)
    if first is None or first not in systems or not any(role in systems[first] for role in roles):
        advice = did_you_mean(first, systems) if first is not None and systems else "Give its column."
        raise SettingError(f"`repeats` must be of a system that has one column of answers, the baseline. {advice}")
    role = next(role for role in roles if role in systems[first])
    every = {column for one in systems.values() for column in one.values() if isinstance(column, str)}
    if doubled := sorted(every & set(comparing.repeats)):
        raise SettingError(f"`repeats` must be other columns than the systems', not {listed(doubled)}.")
    if isinstance(systems[first][role], Mapping):
        raise SettingError(f"`repeats` must be of answers in one column, but {quoted(first)} has one for each label.")
    again = {first: {role: systems[first][role]}} | {name: {role: name} for name in comparing.repeats}
    kept = {name: value for name, value in given.items() if name not in (*roles, "slices", "systems", "threshold")}
    cut = given.get("threshold")
    if isinstance(cut, (list, tuple)) and len(cut) > 1:
        cut = cut[list(systems).index(first)]
    cuts = {} if cut is None else {"threshold": cut}
    return task.study(columns, {**kept, **cuts, "systems": again})
