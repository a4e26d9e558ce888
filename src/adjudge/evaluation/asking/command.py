"""The command that makes an evaluation again: what was asked, in words that its parser reads back to the same."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from adjudge.data.source import Source
from adjudge.errors import AdjudgeError, is_among
from adjudge.evaluation.asking.arguments import SHARED, USUAL
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.evaluation.gates.requirements import Requirement, checked_requirements
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse

_NEGATIVE = re.compile(r"-(\d+|\d*\.\d+)")
MOST_WHOLE = 10**100  # nobody types more digits


class NotTyped(Exception):
    """Something that was asked cannot be typed: a function, a table in memory, a name with a line break."""


def command_of(task: Task, table: object, given: Mapping[str, object]) -> str:
    """The command, from the folder of the table; empty where something of it cannot be typed.

    >>> asked = Task("spam", "?", (Role("reference", "labels"),), (), None, ())
    >>> command_of(asked, "/data/mail of may.csv", {"reference": "label", "level": 0.9})
    "adjudge spam 'mail of may.csv' --reference label --level 0.9"
    """
    return _written(task.name, [table], lambda: words_of(task, given, _folder(table)))


def comparison_of(task: Task, tables: Mapping[str, object], id: Sequence[str], given: Mapping[str, object]) -> str:
    """The command that compares the tables, by the names of their systems; empty where it cannot be typed."""
    every = list(tables.values())

    def words() -> Iterator[str]:
        yield from _option("task", [task.name])
        yield from _option("names", list(tables))
        yield from _option("id", list(id)) if id else ()
        yield from words_of(task, given, _folder(every[0]))

    return _written("compare", every, words)


def words_of(task: Task, given: Mapping[str, object], folder: str = ".") -> Iterator[str]:
    """The options that give a task what it was given, in the order of its declaration; files as seen from a folder."""
    every: tuple[Role | Setting, ...] = (*task.roles, *task.settings, *SHARED)
    for declared in every:
        value = given.get(declared.name)
        usual = (declared.default, USUAL.get(declared.name)) if isinstance(declared, Setting) else ()
        if value is None or is_among(value, usual):
            continue
        if declared.form == "systems":
            yield from _systems(value, next((role.name for role in task.roles if role.of_system), None))
        elif declared.form == "names":
            yield from _option(declared.name, [] if value is True else _values(declared, value, folder))
        else:
            yield from _option(declared.name, _values(declared, value, folder))


def _written(command: str, tables: Sequence[object], words: Callable[[], Iterable[str]]) -> str:
    try:
        every = [command, *(_file(table, _folder(tables[0])) for table in tables), *words()]
    except (NotTyped, AdjudgeError):
        return ""
    return "adjudge " + shlex.join(every) if all(map(str.isprintable, every)) else ""


def _option(name: str, values: Sequence[str]) -> list[str]:
    """An option with its values; a lone value that begins like an option stands behind a sign."""
    option = f"--{name.replace('_', '-')}"
    like_options = [value for value in values if value.startswith("-") and not _NEGATIVE.fullmatch(value)]
    if not like_options:
        return [option, *values]
    if len(values) > 1:
        raise NotTyped
    return [f"{option}={values[0]}"]


def _values(declared: Role | Setting, value: object, folder: str) -> list[str]:
    """The words of one role or setting."""
    if declared.form in ("named", "margins", "scores", "scaling") and isinstance(value, Mapping):
        return [_pair(_named(name), _text(one)) for name, one in value.items()]
    if isinstance(declared, Setting) and declared.by_hand and declared.about == "what to measure":
        return [_file(one, folder) for one in _listed(value)]
    as_word: dict[str, Callable[[object], str]] = {
        "metric": _named,
        "metrics": _named,
        "requirements": _required,
    }
    words = [as_word.get(declared.form, _text)(_plain(declared, one)) for one in _listed(value)]
    return ["tab"] if declared.name == "delimiter" and words == ["\t"] else words


def _plain(declared: Role | Setting, value: object) -> object:
    """A number as a person types it: 6, not 6.0."""
    if not (isinstance(declared, Setting) and declared.kind is float and isinstance(value, float)):
        return value
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _systems(value: object, usual: str | None) -> Iterator[str]:
    """Each system with its columns; one that is named alone is of the `usual` role, where the task has systems."""
    if not isinstance(value, Mapping) or usual is None:
        raise NotTyped
    for name, given in value.items():
        columns = {usual: given} if isinstance(given, str) else given
        if not isinstance(columns, Mapping):
            raise NotTyped
        parts = []
        for role, column in columns.items():
            by_label = column.items() if isinstance(column, Mapping) else ()
            parts += [_pair(role, _pair(_text(label), _text(one))) for label, one in by_label]
            parts += [] if isinstance(column, Mapping) else [_pair(role, _text(column))]
        yield from _option("system", [_text(name), *parts])


def _listed(value: object) -> list[object]:
    """A value alone, or several."""
    if isinstance(value, (str, Mapping, Metric, Requirement, os.PathLike)) or not isinstance(value, Iterable):
        return [value]
    return list(value)


def _text(value: object) -> str:
    """One value as it is typed; whether it is read back to the same, only texts and plain numbers can promise."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_WHOLE):
        return repr(value)
    raise NotTyped


def _pair(name: str, value: str) -> str:
    if "=" in name:
        raise NotTyped
    return f"{name}={value}"


def _named(value: object) -> str:
    """A metric by a name that stands for it, or any other text."""
    if not isinstance(value, Metric):
        return _text(value)
    if parse(repr(value)) != value:
        raise NotTyped
    return repr(value)


def _required(value: object) -> str:
    if isinstance(value, str):
        return value
    (requirement,) = checked_requirements([value])
    if checked_requirements([requirement.text]) != (requirement,):
        raise NotTyped
    return requirement.text


def _folder(table: object) -> str:
    """Where a file is; the working folder of what is none."""
    return os.path.dirname(os.path.normpath(os.fspath(table))) if isinstance(table, (str, os.PathLike)) else ""


def _file(table: object, folder: str) -> str:
    """A file as it is called from a folder."""
    if isinstance(table, Source) or not isinstance(table, (str, os.PathLike)):
        raise NotTyped
    name = os.path.relpath(os.fspath(table), folder or ".")
    return f"./{name}" if name.startswith("-") else name
