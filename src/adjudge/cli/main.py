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
OTHERS = {
    "compare": ("adjudge.cli.compare", "compare systems: of two tables, of one, or of saved evaluations"),
    "rsmeval": ("adjudge.cli.rsmeval", "evaluate from a configuration of RSMTool's rsmeval, into its files"),
    "cells": ("adjudge.cli.cells", "count a table in a warehouse: the SQL, and the evaluation of its result"),
    "merge": ("adjudge.cli.cube", "add cubes that were saved, or make one fit to be shared"),
    "reslice": ("adjudge.cli.cube", "evaluate a saved cube by other slices"),
    "metrics": ("adjudge.cli.metrics", "list every metric, or explain one"),
    "gate": ("adjudge.cli.gate", "may it ship? judge a release by a file of requirements"),
    "adequacy": ("adjudge.cli.adequacy", "is it fit for its purpose? every characteristic that users see, judged"),
    "plan": ("adjudge.cli.plan", "say how many rows to collect, before anything is measured"),
    "init": ("adjudge.cli.init", "write adjudge.toml: what a folder's tables are, so that it need not be typed"),
    "convert": ("adjudge.cli.convert", "write another tool's export as a table, or a queue as tasks for one"),
    "report": ("adjudge.cli.report", "show a saved evaluation again, as a page or a table"),
    "completion": ("adjudge.cli.completion", "print lines for bash, zsh or fish that complete commands and columns"),
    "demo": ("adjudge.cli.demo", "evaluate a bundled data set of a task and write its report"),
}

GUESS = "adjudge.cli.guess"  # what carries out `adjudge FILE`

USAGE = """usage: adjudge COMMAND ...
       adjudge FILE          guesses the command from the table's columns

One table of judgements in, every number with its doubt out.

commands:
{commands}

  adjudge COMMAND --help   what a command takes
  adjudge --version        the version

exit codes: 0 done, 2 something was asked that cannot be done (the message says what);
            of requirements 0 passed, 1 failed, 3 inconclusive
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code tells how it went."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.stdout = sys.stdout or io.StringIO()  # closed by whoever called: nobody listens, the files count
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a label the terminal cannot show is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    if given[0] in ("-V", "--version"):
        print(f"adjudge {__version__}")
        return 0
    return _run(given[0], given[1:])


def commands() -> dict[str, tuple[str, str]]:
    """Every command, the tasks first."""
    return {name: ("adjudge.cli.task", purpose_of(name)) for name in task_names()} | OTHERS


def usage() -> str:
    """What `adjudge --help` prints."""
    lines = (f"  {name:<16} {line}" for name, (_, line) in commands().items())
    return USAGE.format(commands="\n".join(lines))


def _run(name: str, rest: list[str]) -> int:
    spelling.OPTIONS.clear()
    try:
        known = commands()
        if name not in known and not _is_file(name):
            raise AdjudgeError(
                f"The first word must be a command or a file, not {quoted(name)}. {did_you_mean(name, known)}"
            )
        code: int = import_module(known[name][0] if name in known else GUESS).run(name, rest)
        sys.stdout.flush()
        return code
    except AdjudgeError as error:
        return _told(spelling.as_typed(str(error)), 2)
    except MemoryError:
        return _told(f"There must be enough memory, but there is not. {LESS}", 2)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        forget_output()
        return 0
    except OSError as error:
        forget_output()
        return _told(f"What is printed must go somewhere, but: {error.strerror}.", 2)
    except KeyboardInterrupt as error:
        return _told(str(error) or "stopped; nothing was written.", 130)


def _is_file(name: str) -> bool:
    """Whether the first word can only be meant as a table: something of that name is there, or its ending says so."""
    return os.path.exists(name) or os.path.splitext(name)[1][1:].isalnum() or os.sep in name


def _told(message: object, code: int) -> int:
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
