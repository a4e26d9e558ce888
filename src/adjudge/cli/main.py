"""The command `adjudge`: finds the command's room and goes there. Nothing else is imported before it is known."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from adjudge import __version__
from adjudge.cli import spelling
from adjudge.errors import LESS, AdjudgeError, did_you_mean, quoted
from adjudge.tasks import purpose_of, task_names

# Besides the tasks, each command: the module whose `run(name, arguments)` carries it out, and one line of help.
GROUPS = {
    "compare and decide": {
        "compare": ("adjudge.cli.compare", "which system is better? two tables, one table, or saved evaluations"),
        "gate": ("adjudge.cli.gate", "may it ship? judge a release by a file of requirements"),
        "adequacy": ("adjudge.cli.adequacy", "is it fit for its purpose? eight characteristics, each judged"),
        "plan": ("adjudge.cli.plan", "how many rows are needed, before anything is collected"),
    },
    "get started": {
        "demo": ("adjudge.cli.demo", "evaluate a bundled example and write its report"),
        "init": ("adjudge.cli.init", "write adjudge.toml, so that columns need not be typed each time"),
        "metrics": ("adjudge.cli.metrics", "list every metric, or explain one"),
        "completion": ("adjudge.cli.completion", "set up tab completion for bash, zsh or fish"),
    },
    "other tools and saved results": {
        "convert": ("adjudge.cli.convert", "turn another tool's export into a table, or a queue into its tasks"),
        "report": ("adjudge.cli.report", "show a saved evaluation again"),
        "cells": ("adjudge.cli.cells", "evaluate a table inside a data warehouse, by SQL"),
        "merge": ("adjudge.cli.cube", "add saved cubes together, or make one safe to share"),
        "reslice": ("adjudge.cli.cube", "evaluate a saved cube by other slices"),
        "rsmeval": ("adjudge.cli.rsmeval", "run a configuration of RSMTool's rsmeval"),
    },
}
OTHERS = {name: one for group in GROUPS.values() for name, one in group.items()}

GUESS = "adjudge.cli.guess"  # what carries out `adjudge FILE`

USAGE = """usage: adjudge FILE                     guess what the table is, show the command, and run it
       adjudge COMMAND FILE [options]   run one command

Evaluate a table of judgements: an answer in plain words, and every number with its interval.

{commands}

examples:
  adjudge demo                         try it on bundled data
  adjudge mail.csv                     let it guess the task and the columns
  adjudge classification mail.csv --reference label --prediction old new --html report.html

  adjudge COMMAND -h       the options used most; --help shows all of them
  adjudge --version        the version

exit codes: 0 done; 2 could not run, and the message says why;
            with requirements: 0 passed, 1 failed, 3 inconclusive
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code tells how it went."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.stdout = sys.stdout or io.StringIO()  # closed by whoever called: nobody listens, the files count
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a label the terminal cannot show is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    return _run(given)


def commands() -> dict[str, tuple[str, str]]:
    """Every command, the tasks first."""
    return {name: ("adjudge.cli.task", purpose_of(name)) for name in task_names()} | OTHERS


def usage() -> str:
    """What `adjudge --help` prints."""
    tasks = {name: one for name, one in commands().items() if name not in OTHERS}
    groups = {"evaluate a table": tasks, **GROUPS}
    listed = (
        "\n".join([f"{title}:", *(f"  {name:<16} {line}" for name, (_, line) in group.items())])
        for title, group in groups.items()
    )
    return USAGE.format(commands="\n\n".join(listed))


def _run(given: list[str]) -> int:
    spelling.OPTIONS.clear()
    try:
        code = _carried_out(given)
        sys.stdout.flush()
        return code
    except AdjudgeError as error:
        return _ended(spelling.as_typed(str(error)), 2)
    except MemoryError:
        return _ended(f"There must be enough memory, but there is not. {LESS}", 2)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        forget_output()
        return 0
    except OSError as error:
        forget_output()
        if _is_nowhere():
            return _ended("The folder that one is in must be there, but it is gone. Change to another.", 2)
        return _ended(f"What is printed must go somewhere, but: {error.strerror}.", 2)
    except KeyboardInterrupt as error:
        return _ended(str(error) or "stopped; nothing was written.", 130)


def _carried_out(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    if given[0] in ("-V", "--version"):
        print(f"adjudge {__version__}")
        return 0
    (name, *rest), known = given, commands()
    if name not in known and not _is_file(name):
        raise AdjudgeError(
            f"The first word must be a command or a file, not {quoted(name)}. "
            f"{did_you_mean(name, [*known, '--help', '--version'])}"
        )
    code: int = import_module(known[name][0] if name in known else GUESS).run(name, rest)
    return code


def _is_nowhere() -> bool:
    """Whether the folder that one is in was removed."""
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _is_file(name: str) -> bool:
    """Whether the first word can only be meant as a table: something of that name is there, or its ending says so."""
    return os.path.exists(name) or os.path.splitext(name)[1][1:].isalnum() or os.sep in name


def _ended(message: object, code: int) -> int:
    """Say why it ended; should nobody listen there either, the exit code must do."""
    with suppress(OSError):
        print(f"adjudge: {message}", file=sys.stderr, flush=True)
    return code


def forget_output() -> None:
    """What is still to be printed goes nowhere, instead of failing once more when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
