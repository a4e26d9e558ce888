"""What every command does with an evaluation: prints it, and writes the files that were asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from adjudge.cli import spelling
from adjudge.cli.main import forget_output
from adjudge.errors import SettingError, did_you_mean, printable, quoted
from adjudge.evaluation.settings import Progress
from adjudge.evaluation.taken import WRITERS, taken_ending
from adjudge.evaluation.writing import Content, checked_output, write_together
from adjudge.report.evaluation import Evaluation

FILES = {
    "html": "one self-contained page, for people",
    "json": "the results, for programs",
    "csv": "the long table, every label exactly as it is",
    "safe_csv": "the same for spreadsheets: a ' stands before text that begins like a formula",
    "markdown": "tables for a pull request",
    "save": "everything, to be shown again with: adjudge report FILE",
}


LONGEST = 300  # characters of a mistake that are told


class Parser(argparse.ArgumentParser):
    """Options whose mistakes are told in one sentence, like every other mistake."""

    def __init__(self, command: str, description: str, usage: str | None = None) -> None:
        super().__init__(prog=f"adjudge {command}", usage=usage, description=description, allow_abbrev=False)

    def parse_known_args(self, *arguments: Any, **options: Any) -> Any:
        """Read what was typed; from here on, messages spell settings as the options of this command."""
        spelling.OPTIONS.clear()
        for action in self._actions:
            if action.option_strings:
                spelling.OPTIONS[action.dest] = action.option_strings[-1]
        return super().parse_known_args(*arguments, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed."""
        unknown, _, rest = message.partition("unrecognized arguments: ")
        if not unknown and rest.startswith("--"):
            message += f". {did_you_mean(rest.split()[0], list(self._option_string_actions))}".removesuffix(".")
        short = message if len(message) <= LONGEST else f"{message[:LONGEST]}..."
        raise SettingError(f"The options must be as in `{self.prog} --help`, but: {short}.")


def add_outputs(parser: argparse.ArgumentParser, taken: Mapping[str, str] | None = None) -> None:
    """The options that name files to write; `taken` are tables that a task offers, each with a line of help."""
    group = parser.add_argument_group("outputs")
    for name, line in FILES.items():
        group.add_argument(spelling.option_of(name), metavar="FILE", help=f"write {line}")
    for name, line in (taken or {}).items():
        group.add_argument(f"--{name}", metavar="FILE", help=f"write {line} ({', '.join(WRITERS)})")
    group.add_argument("--with-items", action="store_true", help="save the rows too, so that two can be paired")
    parser.set_defaults(taken=tuple(taken or ()))
    group.add_argument("--all", action="store_true", help="print every part of the report, not the first ones only")
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")


def check_outputs(options: argparse.Namespace, inputs: Iterable[str | Path]) -> None:
    """Before any work: every output can be written, and none replaces an input or another output."""
    if options.with_items and options.save is None:
        raise SettingError("`--with-items` must go with `--save`: it says what is saved. Name a file.")
    taken = {Path(os.path.realpath(name)) for name in inputs if "\0" not in str(name)}  # which no file has
    for option, name in _requested(options).items():
        if option in options.taken:
            taken_ending(name, f"--{option}")
        where = Path(os.path.realpath(checked_output(name)))
        if where in taken:
            raise SettingError(
                f"`{spelling.option_of(option)}` must be a file of its own, but {quoted(name)} is already read or "
                "written. Give another name."
            )
        taken.add(where)


def _requested(options: argparse.Namespace) -> dict[str, str]:
    """The files that were asked for, by option."""
    named = (*FILES, *options.taken, "save_cube")
    return {option: name for option in named if (name := getattr(options, option, None)) is not None}


def deliver(evaluation: Evaluation, options: argparse.Namespace) -> int:
    """Write the files, then print the result: whoever stops reading early still has the files."""
    requested = _requested(options)
    contents: dict[str, Content] = {}
    for option, name in requested.items():
        if option == "save_cube":
            contents[name] = options.cube
        elif option in options.taken:
            contents[name] = evaluation.taken(option).pieces(taken_ending(name, option))
        else:
            form = "save_with_items" if option == "save" and options.with_items else option
            contents[name] = evaluation.content(form)
    write_together(contents)
    code = 0 if evaluation.outcome.gate is None else evaluation.outcome.gate.exit_code
    if options.quiet:
        return code
    try:
        with whoever_listens():
            _as_typed(evaluation).show(everything=options.all)
            for option, name in requested.items():
                print(f"{option}: {printable(name)}")
    except KeyboardInterrupt:
        raise KeyboardInterrupt("stopped; the files were written." if requested else "") from None
    return code


@contextmanager
def whoever_listens() -> Iterator[None]:
    """Print; should the reader of our output go, what was found stays found, and the exit code tells it."""
    try:
        yield
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich ends the program where a pipe is closed
        forget_output()


def _as_typed(evaluation: Evaluation) -> Evaluation:
    """The same evaluation, whose data check advises options."""
    checks = [replace(check, sentence=spelling.as_typed(check.sentence)) for check in evaluation.outcome.checks]
    return replace(evaluation, outcome=replace(evaluation.outcome, checks=checks))


@contextmanager
def following(options: argparse.Namespace) -> Iterator[Progress | None]:
    """A progress line on the terminal while the work lasts; nothing when nobody watches."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def progress(what: str, more: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=of or None)
            bars.advance(tasks[what], more)

        yield progress
