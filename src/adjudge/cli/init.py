"""`adjudge init FILE`: begin a file of settings from what a table looks like; check one; its schema for editors."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence

from adjudge.cli.config import NAME, check_values, known_in_files, read_config
from adjudge.cli.output import Parser
from adjudge.data.dialect import opened
from adjudge.data.tables.documents import toml_text
from adjudge.data.tables.profiles import Profile, profiles_of
from adjudge.errors import SettingError, listed, printable, quoted
from adjudge.evaluation.asking.arguments import form_of
from adjudge.evaluation.asking.guess import Guess, guesses
from adjudge.evaluation.declaration import Given, Role, Setting, Task
from adjudge.evaluation.take_away.writing import checked_output, write_whole
from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse
from adjudge.tasks import task_named, task_names

WHAT = f"Write {NAME}: which column of a table plays which role, as far as it can be guessed, and what else may be set."
HEAD = """\
# Settings of adjudge for the tables in this folder. A command takes from here whatever is not typed, and says so;
# --config none ignores this file. Remove the # in front of what you need; `adjudge init --check` checks this file.
# It names columns and numbers; files are named where the command is typed.
"""
WIDEST = 44
# By form an example of what has none of its own, as TOML writes it.
EXAMPLES = {
    "float": "0.5",
    "floats": "[0.5]",
    "int": "10",
    "ints": "[10]",
    "label": '"LABEL"',
    "labels": '["LABEL"]',
    "column": '"COLUMN"',
    "columns": '["COLUMN"]',
    "scores": '["COLUMN"]',
    "named": '["NAME=VALUE"]',
    "names": '["NAME"]',
    "systems": '{ NAME = { prediction = "COLUMN" } }',
    "str": '"WORD"',
}


def run(name: str, arguments: Sequence[str]) -> int:
    """Begin a file, check one, or print the schema."""
    parser = Parser("init", WHAT)
    parser.add_argument("file", nargs="?", help="a table to guess from; with --check, a file of settings")
    parser.add_argument("--task", help=f"what the table is about: one of {', '.join(task_names())}")
    parser.add_argument("--delimiter", help="separator of a text file, if it is not detected")
    parser.add_argument("--out", metavar="FILE", default=NAME, help=f"write here (default {NAME})")
    parser.add_argument("--check", action="store_true", help=f"check a file of settings (default {NAME})")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the file, for editors")
    options = parser.parse_args(arguments)
    if options.schema:
        print(json.dumps(config_schema(), indent=2))
        return 0
    if options.check:
        config = read_config(options.file or NAME)
        check_values(config)
        print(f"{printable(config.name)}: {', '.join(config.sections) or 'no section'}, nothing wrong")
        return 0
    if options.file is None:
        raise SettingError("A table must be given to guess from, but there is none: adjudge init FILE.")
    if os.path.lexists(checked_output(options.out)):
        raise SettingError(f"`--out` must be a new file, but {quoted(options.out)} is there already. Name another.")
    source = opened(options.file, options.delimiter)
    text = drafted_config(source.name, profiles_of(source), options.task)
    write_whole(options.out, text)
    print(f"settings: {printable(options.out)}")
    return 0


def drafted_config(table: str, profiles: Sequence[Profile], task: str | None = None) -> str:
    """The text of the file: what the guess says, and all that may be set commented out.

    Where there are several ways to read the table, all but the first are commented out too.
    """
    tasks = [task_named(name) for name in ([task] if task else task_names())]
    every = guesses(tasks, profiles) or [Guess(one, {}, ()) for one in tasks[: 1 if task else 0]]
    parts = [HEAD, *_columns(table, profiles)]
    if not every:
        names = listed(task_names())
        parts.append(f"# No task fits by names and values. Begin a section with the name of one of {names}.\n")
    sure = len(every) == 1 and (every[0].sure or task is not None)
    for place, guess in enumerate(every):
        if not sure:
            parts.append("# This could be it:\n" if place == 0 else "# Or this:\n")
        lines = list(_section(guess, {one.name: one for one in profiles}))
        parts.append("\n".join(lines if sure else [f"# {line}".rstrip() for line in lines]) + "\n")
    return "\n".join(parts)


def _columns(table: str, profiles: Sequence[Profile]) -> Iterator[str]:
    """What the table holds, as comments."""
    lines = [f"# {printable(table)} has:"]
    lines += [f"#   {printable(one.name):<24} {one.described}" for one in profiles]
    yield "\n".join(lines) + "\n"


def _section(guess: Guess, profiles: dict[str, Profile]) -> Iterator[str]:
    """One section: roles that were guessed, then everything else that the task takes, commented out."""
    task, about = guess.task, ""
    yield f"[{task.name}]"
    given: Given = {**guess.columns, **guess.settings}
    known = known_in_files(task).values()
    groups = list(dict.fromkeys(map(_about, known)))
    for declared in sorted(known, key=lambda one: -1 if one.name in given else groups.index(_about(one))):
        group = "" if declared.name in given else _about(declared)
        if group != about:
            yield from ("", f"# {group}")
            about = group
        if declared.name in given:
            yield _line(declared.name, _value(declared, given[declared.name]), _held(given[declared.name], profiles))
        else:
            yield f"# {_line(declared.name, _example(declared, task), declared.help)}"


def _about(declared: Role | Setting) -> str:
    return declared.about if isinstance(declared, Setting) and declared.name != "systems" else "columns"


def _line(name: str, value: str, why: str) -> str:
    return f"{f'{name} = {value}':<{WIDEST}}  # {printable(why)}" if why else f"{name} = {value}"


def _held(names: object, profiles: dict[str, Profile]) -> str:
    first = names[0] if isinstance(names, list) else ""
    return profiles[first].described if first in profiles else ""


def _value(declared: Role | Setting, value: str | list[str]) -> str:
    if isinstance(value, list) and (declared.many or len(value) > 1):
        return f"[{', '.join(map(toml_text, value))}]"
    return toml_text(value[0] if isinstance(value, list) else value)


def _example(declared: Role | Setting, task: Task) -> str:
    """A value of the right kind."""
    if declared.form in ("metric", "metrics", "requirements", "margins"):
        metric = next(one for one in map(parse, _leading(task)) if one.direction is not Direction.NEAREST)
        sign = "<=" if metric.direction is Direction.LOWER else ">="
        text = {"requirements": f"{metric!r} {sign} 0.9", "margins": f"{metric!r}=0.01"}.get(
            declared.form, repr(metric)
        )
        return f"[{toml_text(text)}]"
    own = declared.example or declared.default if isinstance(declared, Setting) else None
    if isinstance(own, list):
        return f"[{', '.join(map(toml_text, own))}]"
    return EXAMPLES[form_of(declared)] if own is None else toml_text(own) if isinstance(own, str) else str(own)


def _leading(task: Task) -> list[str]:
    """The metrics that lead, by names that stand for one; any of the task's where none does."""
    return [name for name in task.headline if "*" not in name] + [repr(metric) for metric in task.metrics]


def config_schema() -> dict[str, object]:
    """The JSON Schema of the file, made from the declarations.

    >>> config_schema()["properties"]["classification"]["properties"]["level"]["type"]
    'number'
    """
    sections = {
        name: {
            "type": "object",
            "properties": {
                one.name: {**_kind(one), "description": one.help} for one in known_in_files(task_named(name)).values()
            },
            "additionalProperties": False,
        }
        for name in task_names()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of adjudge",
        "type": "object",
        "properties": sections,
        "additionalProperties": False,
    }


def _kind(declared: Role | Setting) -> dict[str, object]:
    """The JSON type of a role or setting; one that has forms of its own is checked when it is read."""
    text: dict[str, object] = {"type": "string"}
    numbers: dict[str, dict[str, object]] = {"float": {"type": "number"}, "int": {"type": "integer"}}
    form = form_of(declared)
    if form in numbers:
        return numbers[form]
    if form in ("column", "str"):
        return text
    if form in ("columns", "words", "keys"):
        return {"oneOf": [text, {"type": "array", "items": text}]}
    return {}
