"""`adjudge.toml`: what a folder's tables are, so that it need not be typed. Whatever is typed wins.

A section for each task holds roles and settings, as the task's function takes them. It names columns and numbers,
never a file or a machine: those are named by whoever runs the command.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from adjudge.data.facts import CROSS
from adjudge.data.tables.documents import read_document
from adjudge.errors import AdjudgeError, SettingError, UnknownMetric, did_you_mean, listed, literal, printable, quoted
from adjudge.evaluation.asking.arguments import SHARED, checked_value
from adjudge.evaluation.asking.command import NotTyped, words_of
from adjudge.evaluation.declaration import Given, Role, Setting, Task
from adjudge.evaluation.gates.file import systems_named
from adjudge.evaluation.gates.requirements import checked_requirements
from adjudge.evaluation.request import request
from adjudge.metrics.catalogue import parse
from adjudge.tasks import task_named, task_names

NAME = "adjudge.toml"
NONE = "none"
HELP = f"read settings that are not typed here from this file (default {NAME}, if it exists; {NONE}: read no file)"


@dataclass(frozen=True)
class Config:
    """What a file says of each task."""

    name: str = ""
    sections: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def completing(self, task: Task, typed: Mapping[str, object], but: Container[str] = ()) -> dict[str, object]:
        """What is taken from the file: all of the task's section that is not typed, nor typed another way."""
        left = {*typed, *_otherwise(task, typed)}
        section = self.sections.get(task.name, {})
        return {name: value for name, value in section.items() if name not in left and name not in but}

    def fitting(self, columns: Sequence[str]) -> list[str]:
        """The tasks that the file names columns for, all of which a table has."""
        named = {name: _columns(task_named(name), given) for name, given in self.sections.items()}
        return [name for name, needed in named.items() if needed and needed <= set(columns)]


def _columns(task: Task, given: Mapping[str, object]) -> set[str]:
    """Every column that a section names; what crosses two names both."""
    roles = [*(role.name for role in task.roles), "systems"]
    named = {one for role in roles for one in _texts(given.get(role))}
    return {part for one in named for part in one.split(CROSS)}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, (Mapping, list)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)
    elif value is not None:
        yield str(value)


def add_config(parser: argparse.ArgumentParser) -> None:
    """The option that names the file."""
    parser.add_argument("--config", metavar="FILE", help=HELP)


def config_for(named: str | None) -> Config:
    """The file that was named, or the one of the working folder; nothing where there is none."""
    if named == NONE or (named is None and not os.path.isfile(NAME)):
        return Config()
    return read_config(named or NAME)


def read_config(path: str) -> Config:
    """What a file says, every key and value of it held against the declarations."""
    _, document = read_document(path, "A file of settings")
    name = os.path.basename(path)
    if not isinstance(document, Mapping):
        raise SettingError(f"{quoted(name)} must have a section for each task, not {literal(document)}.")
    sections = {}
    for section, given in document.items():
        if section not in task_names():
            raise SettingError(
                f"A section of {quoted(name)} must be one of {listed(task_names())}, but {quoted(section)} is not. "
                f"{did_you_mean(str(section), task_names())}"
            )
        if not isinstance(given, Mapping):
            raise SettingError(f"{quoted(section)} must be a section of {quoted(name)}: write [{section}].")
        try:
            sections[section] = _checked(task_named(section), systems_named(given))
        except AdjudgeError as error:
            raise _in_file(name, section, error) from None
    return Config(name, sections)


def check_values(config: Config) -> None:
    """Refuse values that no table could be asked with: every section is asked of a table that has its columns.

    What such a table cannot tell, such as a role that will be typed, is not refused.
    """
    for section, given in config.sections.items():
        task = task_named(section)
        settings = given.keys() - {role.name for role in task.roles}
        try:
            for metric in _texts(given.get("metrics")):
                parse(metric)
            request(task, {name: ["0", "1"] for name in _columns(task, given) or {"row"}}, **given)
        except UnknownMetric as error:
            raise _in_file(config.name, section, error) from None
        except AdjudgeError as error:
            if any(f"`{name}`" in str(error) for name in settings):
                raise _in_file(config.name, section, error) from None


def _in_file(name: str, section: str, error: AdjudgeError) -> SettingError:
    """In a file a setting has its name, not that of an option."""
    return SettingError(f"In {quoted(name)}, [{section}]: {str(error).replace('`', '')}")


def known_in_files(task: Task) -> dict[str, Role | Setting]:
    """The roles and settings that a file may give."""
    every: tuple[Role | Setting, ...] = (*task.roles, *task.settings, *SHARED)
    return {one.name: one for one in every if isinstance(one, Role) or not one.by_hand}


def _checked(task: Task, given: Mapping[str, object]) -> dict[str, object]:
    known = known_in_files(task)
    by_hand = {one.name for one in (*task.settings, *SHARED) if one.by_hand}
    for name in given:
        if name in by_hand:
            raise SettingError(f"{name} must be typed with the command, not stand in a file. Leave it out.")
        if name not in known:
            raise SettingError(
                f"{quoted(name)} must be a role or a setting of {task.name}, but is not. {did_you_mean(name, known)}"
            )
    checked = {name: checked_value(known[name], value) for name, value in given.items()}
    checked_requirements(checked.get("require", ()))
    return checked


def _otherwise(task: Task, typed: Mapping[str, object]) -> set[str]:
    """The roles that what is typed says in another way: other answers, or another shape of table."""
    shaped = {name for shape in task.shapes for name in shape}
    answers = {role.name for role in task.roles if role.of_system} | {"systems"}
    left = set()
    if any(name in answers and (name in shaped or name == "systems") for name in typed):
        left |= answers
    fitting = [shape for shape in task.shapes if all(name in shape for name in typed if name in shaped)]
    if fitting:
        left |= shaped - {name for shape in fitting for name in shape}
    return left


@contextmanager
def completed(
    task: Task, options: argparse.Namespace, typed: Mapping[str, object], but: Container[str] = ()
) -> Iterator[Given]:
    """What was typed, completed by the file: what is taken is said, and a refusal of it says where it comes from.

    `but` names what the command itself means by another word.
    """
    config = config_for(options.config)
    taken = config.completing(task, typed, but)
    if taken and not options.quiet:
        print(f"{_as_typed(config, task, taken)}\n")
    try:
        yield taken | dict(typed)
    except AdjudgeError as error:
        named = [name for name in taken if f"`{name}`" in str(error)]
        if not named:
            raise
        where = f"{listed(named)} of {printable(config.name)}: type another, or --config {NONE}"
        raise SettingError(f"{error} ({where}.)") from None


def _as_typed(config: Config, task: Task, taken: Mapping[str, object]) -> str:
    """What was taken from the file, as it would be typed."""
    try:
        words = shlex.join(words_of(task, taken))
    except NotTyped:
        words = ", ".join(taken)
    return printable(f"{config.name}: {words}")
