"""`adjudge FILE`: what the table could be, the command that evaluates it and, where there is no doubt, its result."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from adjudge.cli import task as task_command
from adjudge.cli.config import config_for
from adjudge.cli.spelling import option_of
from adjudge.data.dialect import opened
from adjudge.data.tables.profiles import LOOKED_AT, Profile, profiles_of
from adjudge.errors import printable
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.guess import Guess, guesses
from adjudge.tasks import task_named, task_names

MOST_COLUMNS = 20
LONGEST_NAMES = 32  # characters of a role's columns in the listing
LEAST_ROWS = 10  # of a part, for its figures to say anything


def run(name: str, arguments: Sequence[str]) -> int:
    """Guess, unless a file of settings says it; say so, and evaluate if exactly one way to read the table is left."""
    tasks = list(map(task_named, task_names()))
    owning = [task.name for task in tasks if task.owns is not None and task.owns(name)]
    if len(owning) == 1:
        return _own(owning[0], name, arguments)
    source = opened(name, _after("--delimiter", arguments))
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


def _own(task: str, name: str, arguments: Sequence[str]) -> int:
    """A file that says itself who judged what: nothing has to be guessed."""
    words = [task, name, *arguments]
    if "--quiet" not in arguments:
        print(f"{printable(Path(name).name)} is a file of {task}:\n{_written(words)}\n")
    return task_command.run(task, words[1:])


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
    shown = {role: _short(printable(_names(names))) for role, names in guess.columns.items()}
    width = max(map(len, shown.values()), default=0)
    for role, names in guess.columns.items():
        more = " (guessed; --slices none for none)" if role == "slices" else ""
        lines.append(f"  {role:<11} {shown[role]:<{width}}  {by_name[names[0]].described}{more}")
    return "\n".join([*lines, *_unused(guess, profiles), _written(words), ""])


def _unused(guess: Guess, profiles: Sequence[Profile]) -> list[str]:
    """The columns that play no role, with how to break results down by one that could part the rows."""
    taken = {name for names in guess.columns.values() for name in names}
    free = [one for one in profiles if one.name not in taken]
    if not free:
        return []
    parts = [one.name for one in free if 2 <= one.distinct <= one.rows // LEAST_ROWS]
    slices = (
        [*guess.columns.get("slices", []), *parts[:1]] if "slices" in {role.name for role in guess.task.roles} else []
    )
    more = f"({shlex.join(['--slices', *slices])} breaks results down by it)" if parts and slices else ""
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
    roles += [f"{setting} {value}" for setting, value in guess.settings.items()]
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
        names = printable(", ".join(profile.name for profile in profiles[:MOST_COLUMNS]))
        return f"{printable(source)} has no rows{f', only the columns {names}' if names else ''}. Is it the right file?"
    lines = [f"No task fits {printable(source)} by the names and values of its columns:"]
    lines += [f"  {printable(profile.name):<24} {profile.described}" for profile in profiles[:MOST_COLUMNS]]
    if len(profiles) > MOST_COLUMNS:
        lines.append(f"  and {len(profiles) - MOST_COLUMNS} more")
    file = shlex.quote(printable(name))
    lines.append(f"Say which it is, such as: adjudge classification {file} --reference COLUMN --prediction COLUMN")
    lines.append(f"adjudge init {file} writes a file of settings to fill in.")
    return "\n".join(lines)
