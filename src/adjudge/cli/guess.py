"""`adjudge FILE`: what the table could be, the command that evaluates it and, where there is no doubt, its result."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path

from adjudge.cli import task as task_command
from adjudge.cli.config import config_for
from adjudge.cli.spelling import option_of
from adjudge.data.dialect import opened
from adjudge.data.formats.base import TABLES
from adjudge.data.formats.opening import foreign_paths, open_foreign
from adjudge.data.tables.profiles import LOOKED_AT, Profile, profiles_of
from adjudge.errors import InputError, SettingError, printable, quoted
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.asking.foreign import picked
from adjudge.evaluation.asking.guess import Guess, guesses, may_slice
from adjudge.evaluation.declaration import Task
from adjudge.tasks import task_named, task_names

MOST_COLUMNS = 20
LONGEST_NAMES = 32  # characters of a role's columns in the listing
BEGINNING = 4096  # characters of a file by which it is known
# Commands that take a file which is no table, and what such a file begins with; the first that fits.
DOORS = {
    "report": r'^{"digest": ?"',
    "rsmeval": r'"(experiment_id|predictions_file)"',
    "adequacy": r'(?m)^\s*(\[purpose\]|"?purpose"?:)',
    "gate": r'(?m)^\s*(\[gate\]|\[\[requirement\]\]|"?(gate|requirement)"?:)',
}
LEAST_ROWS = 10  # of a part, for its figures to say anything


def run(name: str, arguments: Sequence[str]) -> int:
    """Guess, unless a file of settings says it; say so, and evaluate if exactly one way to read the table is left."""
    tasks = list(map(task_named, task_names()))
    owning = [task.name for task in tasks if task.owns is not None and task.owns(name)]
    if len(owning) == 1:
        return _own(owning[0], name, arguments)
    try:
        source = opened(name, _after("--delimiter", arguments))
    except InputError:
        if foreign_paths(name):
            return _foreign(tasks, name, arguments)
        if command := _door(name):
            raise SettingError(
                f"{quoted(name)} must be a table, but it is not. Run: {_written([command, name])}"
            ) from None
        raise
    known = config_for(_after("--config", arguments)).fitting(source.column_names)
    if len(known) == 1:
        return task_command.run(known[0], [name, *arguments])
    profiles = profiles_of(source)
    every = guesses(tasks, profiles)
    if len(every) != 1 or not every[0].sure:
        print(_many(source.name, name, every) if every else _none(source.name, name, profiles), file=sys.stderr)
        return 2
    (guess,) = every
    words = _command(name, guess, arguments)
    if "--quiet" not in arguments:
        print(_listing(source.name, guess, profiles, words))
    return task_command.run(guess.task.name, words[1:])


def _own(task: str, name: str, arguments: Sequence[str], tool: str = "") -> int:
    """A file that says itself who judged what: nothing has to be guessed."""
    words = [task, name, *arguments]
    if "--quiet" not in arguments:
        whose = f"a file of {tool}. " if tool else ""
        print(f"{printable(Path(name).name)}: {whose}This is {task}:\n{_written(words)}\n")
    return task_command.run(task, words[1:])


def _foreign(tasks: Iterable[Task], name: str, arguments: Sequence[str]) -> int:
    """A file of another tool: the task that such a table is for, unless there are several."""
    picks = (
        list(takewhile(lambda word: not word.startswith("--"), arguments[arguments.index("--pick") + 1 :]))
        if "--pick" in arguments
        else []
    )
    imported = open_foreign(name, {}, picked(picks or None), TABLES)
    fitting = [task.name for task in tasks if imported is not None and imported.table in task.tables]
    if imported is not None and len(fitting) == 1:
        return _own(fitting[0], name, arguments, imported.tool)
    ways = [f"  {_written([task, name, *arguments])}" for task in fitting]
    print(
        "\n".join([f"{printable(Path(name).name)} could be read in {len(fitting)} ways; run the one you mean:", *ways]),
        file=sys.stderr,
    )
    return 2


def _door(name: str) -> str:
    """The command that takes a file which is no table, by words at its beginning; empty where none is known."""
    try:
        with open(name, encoding="utf-8") as file:
            beginning = file.read(BEGINNING)
    except (OSError, ValueError):
        return ""
    return next((command for command, word in DOORS.items() if re.search(word, beginning)), "")


def _after(option: str, arguments: Sequence[str]) -> str | None:
    """The word after an option, before all options are known."""
    return arguments[list(arguments).index(option) + 1] if option in arguments[:-1] else None


def _command(name: str, guess: Guess, more: Sequence[str] = ()) -> list[str]:
    """The words of the command after `adjudge`; what was typed takes the place of what was guessed."""
    words = [guess.task.name, name]
    options = guess.columns | {name: [value] for name, value in guess.settings.items()}
    for option, values in options.items():
        if option_of(option) not in more:
            words += [option_of(option), *values]
    rest = list(more)
    if "--slices" in rest and rest[rest.index("--slices") + 1 :][:1] == ["none"]:
        place = rest.index("--slices")
        rest = rest[:place] + rest[place + 2 :]
    return words + rest


def _written(words: Iterable[str]) -> str:
    return printable("adjudge " + shlex.join(words))


def _listing(source: str, guess: Guess, profiles: Sequence[Profile], words: Sequence[str]) -> str:
    """The guess as a list: role, columns, and what they hold."""
    by_name = {profile.name: profile for profile in profiles}
    rows = profiles[0].rows if profiles else 0
    count = plural(rows, "row") if rows < LOOKED_AT else f"{rows:,} rows and perhaps more"
    lines = [f"{source}: {count}, {plural(len(profiles), 'column')}. This looks like {guess.task.name}:"]
    parts = [
        (role, part) for role, names in guess.columns.items() for part in _alike([by_name[name] for name in names])
    ]
    shown = [_short(printable(_names([one.name for one in part]))) for _, part in parts]
    width = max(map(len, shown), default=0)
    said = ""
    for (role, part), names in zip(parts, shown, strict=True):
        first, said = role if role != said else "", role
        more = " (guessed; --slices none for none)" if first == "slices" else ""
        lines.append(f"  {first:<11} {names:<{width}}  {part[0].described}{more}")
    return "\n".join([*lines, *_unused(guess, profiles), _written(words), ""])


def _alike(columns: Sequence[Profile]) -> list[Sequence[Profile]]:
    """The columns of a role in one line where they hold the same values or all hold numbers, otherwise one by one."""
    first = columns[0]
    alike = all(set(one.values) == set(first.values) or (one.numbers and first.numbers) for one in columns)
    return [columns] if alike else [[one] for one in columns]


def _unused(guess: Guess, profiles: Sequence[Profile]) -> list[str]:
    """The columns that play no role, with how to break results down by one that could part the rows."""
    taken = {name for names in guess.columns.values() for name in names}
    free = [one for one in profiles if one.name not in taken]
    if not free:
        return []
    role = next((role for role in guess.task.roles if role.name == "slices"), None)
    some = [one for one in free if 2 <= one.distinct <= one.rows // LEAST_ROWS] if role is not None else []
    parts = [one.name for one in some if role is not None and may_slice(role, one, guess.columns, profiles)]
    slices = [*guess.columns.get("slices", []), *parts[:1]]
    more = f"({shlex.join(['--slices', *slices])} breaks results down by it)" if parts else ""
    return [printable(f"  {'not used':<11} {_names([one.name for one in free])}  {more}".rstrip())]


def _many(source: str, name: str, every: Sequence[Guess]) -> str:
    """Several ways to read it: each with its command, for the reader to choose."""
    first = f"{printable(source)} could be read in {len(every)} ways; run the one you mean:"
    lines = [
        first
        if len(every) > 1
        else f"The names of its columns do not say what {printable(source)} is; run this, if it fits:"
    ]
    for guess in sorted(every, key=lambda one: len(one.settings)):  # those first that leave nothing else to say
        lines += ["", f"  {_why(guess)}", f"  {_written(_command(name, guess))}"]
    return "\n".join(lines)


def _why(guess: Guess) -> str:
    roles = [f"{role} {_names(names)}" for role, names in guess.columns.items() if role != "slices"]
    roles += [f"{setting} {value}" for setting, value in guess.settings.items() if setting != "decimal"]
    return printable(f"{guess.task.name}: {', '.join(roles)}")


def _names(names: Sequence[str]) -> str:
    """A few names, and how many more there are.

    >>> _names(["a", "b", "c"]), _names(["s1", "s2", "s3", "s4", "s5"])
    ('a, b and c', 's1, s2, s3 and 2 more')
    """
    return (
        f"{', '.join(names[:-1])} and {names[-1]}".removeprefix(" and ")
        if len(names) <= 3
        else f"{', '.join(names[:3])} and {len(names) - 3} more"
    )


def _short(text: str) -> str:
    """Names in the listing are cut: the command below has them whole.

    >>> _short("a" * 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return text if len(text) <= LONGEST_NAMES else f"{text[: LONGEST_NAMES - 1]}…"


def _none(source: str, name: str, profiles: Sequence[Profile]) -> str:
    """Nothing fits: what there is, column by column."""
    if not any(profile.rows for profile in profiles):
        short = [one.name if len(one.name) <= 60 else f"{one.name[:57]}..." for one in profiles[:MOST_COLUMNS]]
        names = printable(", ".join(short))
        return f"{printable(source)} has no rows{f', only the columns {names}' if names else ''}. Is it the right file?"
    lines = [f"No task fits {printable(source)} by the names and values of its columns:"]
    lines += [f"  {printable(profile.name):<24} {profile.described}" for profile in profiles[:MOST_COLUMNS]]
    if len(profiles) > MOST_COLUMNS:
        lines.append(f"  and {len(profiles) - MOST_COLUMNS} more")
    file = shlex.quote(printable(name))
    lines.append(f"Say which it is, such as: adjudge classification {file} --reference COLUMN --prediction COLUMN")
    lines.append(f"adjudge init {file} writes a file of settings to fill in.")
    return "\n".join(lines)
