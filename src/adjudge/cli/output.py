"""What every command does with an evaluation: prints it, and writes the files that were asked for."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

from adjudge.cli import spelling
from adjudge.cli.main import forget_output
from adjudge.errors import SettingError, did_you_mean, printable, quoted
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.take_away.tables import WRITERS, taken_ending
from adjudge.evaluation.take_away.writing import Content, checked_output, write_together
from adjudge.report.evaluation import Evaluation

if TYPE_CHECKING:
    from _typeshed import SupportsWrite
    from rich.progress import TaskID

FILES = {
    "html": "the report as one HTML page",
    "json": "the results as JSON",
    "csv": "all results as one long table, labels unchanged",
    "safe_csv": "the same, safe for spreadsheets: a ' before text that looks like a formula",
    "markdown": "the first screen and its tables as Markdown, for a pull request",
    "save": "everything, to open again with: adjudge report FILE",
}


OTHER_KINDS = (".pdf", ".docx", ".odt", ".xlsx", ".xls", ".ods", ".parquet", ".png", ".svg", ".zip", ".gz")
READ_BESIDE = ("html", "markdown")  # pages of what was typed: they advise options, as the terminal does
NO_OPTION = "has no option "
# What argparse says of a mistake, and how it reads after the name of the command.
PLAIN = {
    r"^unrecognized arguments: (-\S*).*$": rf"{NO_OPTION}\1",
    r"^unrecognized arguments: (.*)$": r'does not know what to do with "\1"; a name with blanks needs quotation marks',
    r"^the following arguments are required: (?i:table)": "needs a table: name its file",
    r"^the following arguments are required: question": "needs a question, such as 'accuracy >= 0.9'",
    r"^the following arguments are required: ": "needs ",
    r"^argument (--?[\w-]+)(?:/\S+)?: expected one argument$": r"needs one value after \1",
    r"^argument (--?[\w-]+)(?:/\S+)?: expected at least one argument$": r"needs a value after \1",
    r"^argument (--?[\w-]+)(?:/\S+)?: expected (\d+) arguments$": r"needs \2 values after \1",
    r"^argument (\S+): (invalid .*)$": r"cannot use \1: \2",
    r"^argument (\S+): must ": r"cannot use \1: it must ",
    r"^argument (\S+): ": r"cannot use \1: ",
}
MOST_SHARE = 0.99  # of a stage whose whole is estimated
LONGEST = 300  # characters of a mistake that are told


# Where somebody asks for the parser of a command, instead of running it.
_ASKED: list[list[argparse.ArgumentParser]] = []


class _Described(Exception):
    """The parser is known; nothing is to be run."""


@contextmanager
def described() -> Iterator[list[argparse.ArgumentParser]]:
    """Within it a command is not run: its parser is in the list as soon as it would read what was typed."""
    _ASKED.append([])
    try:
        with suppress(_Described):
            yield _ASKED[-1]
    finally:
        _ASKED.pop()


class _ShortHelp(argparse.Action):
    """Prints the groups of options that are used most."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        print(parser.short_help(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """Options whose mistakes are told in one sentence, like every other mistake.

    Where some groups are named `first`, -h shows only these, and --help everything.
    """

    def __init__(
        self,
        command: str,
        description: str,
        usage: str | None = None,
        *,
        first: Sequence[str] = (),
        example: str = "",
    ) -> None:
        super().__init__(
            prog=f"adjudge {command}",
            usage=usage,
            description=description,
            epilog=f"example:\n  {example}" if example else None,
            formatter_class=argparse.RawDescriptionHelpFormatter if example else argparse.HelpFormatter,
            allow_abbrev=False,
            add_help=not first,
        )
        self._first = first
        if first:
            self.add_argument("-h", nargs=0, action=_ShortHelp, help="show the options used most")
            self.add_argument("--help", action="help", help="show every option")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Help that cannot be printed is a mistake, which argparse would keep to itself."""
        if message:
            print(message, end="", file=cast("TextIO | None", file) or sys.stderr, flush=True)

    def short_help(self) -> str:
        """The help of the first groups alone."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            if group.title in self._first:
                formatter.start_section(group.title)
                formatter.add_arguments(group._group_actions)
                formatter.end_section()
        formatter.add_text(self.epilog)
        formatter.add_text(f"all options: {self.prog} --help")
        return formatter.format_help()

    # `Any`: argparse returns one of several kinds, by what it is given.
    def parse_known_args(self, *arguments: object, **options: object) -> Any:
        """Read what was typed; from here on, messages spell settings as the options of this command."""
        if _ASKED:
            _ASKED[-1].append(self)
            raise _Described
        spelling.OPTIONS.clear()
        for action in self._actions:
            if action.option_strings:
                spelling.OPTIONS[action.dest] = action.option_strings[-1]
        return super().parse_known_args(*arguments, **options)

    def _about(self, needed: str) -> str:
        """What the first of the needed arguments is, by its help; empty where the message tells that itself."""
        first = needed.partition(", ")[0]
        known = reversed(self._actions)  # of several FILEs the first is meant
        helps = {name: one.help for one in known for name in (one.dest, one.metavar, *one.option_strings)}
        return f": {what}" if (what := helps.get(first)) else ""

    def _nearest(self, typed: str) -> str:
        """The nearest options by their names alone: dashes make any two alike."""
        named = {option.lstrip("-"): option for option in self._option_string_actions}
        advice = did_you_mean(typed.lstrip("-"), named)
        known = advice.startswith("Did you mean")
        return re.sub('"([^"]+)"', lambda name: quoted(named[name[1]]), advice) if known else ""

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed."""
        for pattern, plain in PLAIN.items():
            message = re.sub(pattern, plain, message, count=1)
        message += self._about(message.partition("needs ")[2])
        short = message if len(message) <= LONGEST else f"{message[:LONGEST]}..."
        typed = short.partition(NO_OPTION)[2]
        advice = self._nearest(typed) if typed else ""
        raise SettingError(f"{self.prog.removeprefix('adjudge ')} {short}. {advice or f'See: {self.prog} -h'}")


def add_outputs(parser: argparse.ArgumentParser, taken: Mapping[str, str] | None = None) -> None:
    """The options that name files to write; `taken` are tables that a task offers, each with a line of help."""
    group = parser.add_argument_group("outputs")
    for name, line in FILES.items():
        group.add_argument(spelling.option_of(name), metavar="FILE", help=f"write {line}")
    for name, line in (taken or {}).items():
        group.add_argument(f"--{name}", metavar="FILE", help=f"write {line} ({', '.join(WRITERS)})")
    group.add_argument(
        "--with-items",
        action="store_true",
        help="with --save: keep the rows, so that two runs can be compared row by row",
    )
    parser.set_defaults(taken=tuple(taken or ()))
    group.add_argument("--all", action="store_true", help="print the whole report, not just the first screen")
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")


def check_outputs(options: argparse.Namespace, inputs: Iterable[str | Path]) -> None:
    """Before any work: every output can be written, and none replaces an input or another output."""
    if options.with_items and options.save is None:
        raise SettingError("`--with-items` must go with `--save`: it says what is saved. Name a file.")
    requested = _requested(options)
    for option, name in named_files(options, options.taken).items():
        taken_ending(name, f"--{option}")
    check_files(requested, inputs)


def _can_name_a_file(name: str) -> bool:
    """Whether a file may be called so: no null character, and no half of a character.

    >>> _can_name_a_file("a.csv"), _can_name_a_file("a\\0.csv"), _can_name_a_file("\\ud800.csv")
    (True, False, False)
    """
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False


def check_files(requested: Mapping[str, str], inputs: Iterable[str | Path]) -> None:
    """Every file can be written, by its option, and none replaces an input or another one."""
    taken = {os.path.realpath(name) for name in inputs if _can_name_a_file(str(name))}
    for option, name in requested.items():
        where = os.path.realpath(checked_output(name))
        if where in taken:
            raise SettingError(
                f"`{spelling.option_of(option)}` must be a file of its own, but {quoted(name)} is already read or "
                "written. Give another name."
            )
        if option in FILES and Path(name).suffix.casefold() in OTHER_KINDS:  # programs open a file by its name
            what = f"writes {FILES[option].partition(':')[0]}, but {quoted(name)} is named as a file of another kind"
            raise SettingError(f"`{spelling.option_of(option)}` {what}. Give another ending.")
        taken.add(where)


def named_files(options: argparse.Namespace, files: Iterable[str]) -> dict[str, str]:
    """The files that were asked for, by option."""
    return {option: name for option in files if (name := getattr(options, option, None)) is not None}


def _requested(options: argparse.Namespace) -> dict[str, str]:
    return named_files(options, (*FILES, *options.taken, "save_cube"))


def deliver(evaluation: Evaluation, options: argparse.Namespace) -> int:
    """Write the files, then print the result: whoever stops reading early still has the files."""
    requested = _requested(options)
    with following(options) as progress:
        contents: dict[str, Content] = {}
        for option, name in requested.items():
            if progress is not None:
                progress("writing", 0, len(requested))
            contents[name] = _content(evaluation, option, name, options)
            if progress is not None:
                progress("writing", 1, len(requested))
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


def _content(evaluation: Evaluation, option: str, name: str, options: argparse.Namespace) -> Content:
    """What a file that was asked for holds."""
    if option == "save_cube":
        cube: bytes = options.cube
        return cube
    if option in options.taken:
        return evaluation.taken(option).pieces(taken_ending(name, option))
    if option in READ_BESIDE:
        return _as_typed(evaluation).content(option)
    return evaluation.content("save_with_items" if option == "save" and options.with_items else option)


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
def nobody_else_speaks() -> Iterator[None]:
    """Nothing reaches the terminal from libraries and processes that they start, such as Spark's bars and warnings.

    What is wrong is raised, and told by whoever catches it.
    """
    try:
        spoken = os.dup(2)
    except OSError:  # there is no terminal to be quiet on
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(spoken, 2)
        os.close(spoken)


@contextmanager
def following(options: argparse.Namespace) -> Iterator[Progress | None]:
    """A line for each stage on the terminal while the work lasts: its share and the time left; none if nobody watches.

    Where the whole is only about known, what was done never counts as all of it.
    """
    if options.quiet:
        with nobody_else_speaks():
            yield None
        return
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description:<9}"),
        BarColumn(30),
        TextColumn("{task.fields[share]:>5}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        stages: dict[str, TaskID] = {}
        done: dict[str, int] = {}

        def progress(what: str, more: int, of: int) -> None:
            if what not in stages:
                stages[what] = bars.add_task(what, total=None, share="")
            done[what] = done.get(what, 0) + more
            whole = max(of, math.ceil(done[what] / MOST_SHARE)) if of and of != done[what] else of
            share = f"{done[what] / whole:.0%}" if whole else f"{done[what]:,}"
            bars.update(stages[what], completed=done[what], total=whole or None, share=share)

        yield progress
