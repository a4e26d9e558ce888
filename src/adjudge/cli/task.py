"""The task commands, made from the task declarations: one option for each role, the same settings for all."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from adjudge.cli.config import NAME, add_config, completed
from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, following
from adjudge.cli.spelling import option_of
from adjudge.data.cubes.grid import BITS, MOST_BITS
from adjudge.data.dialect import opened
from adjudge.data.formats.opening import foreign_paths
from adjudge.data.source import Source
from adjudge.data.tables.files import files_meant
from adjudge.data.tables.profiles import profiles_of
from adjudge.errors import InputError, SettingError, listed, quoted
from adjudge.evaluation.asking.arguments import SHARED
from adjudge.evaluation.cubes.widths import OF_CELLS
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.report.cubes import cube_of, uncounted
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named

MOST_COLUMNS = 8
Declared = TypeVar("Declared", Role, Setting)


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate a table as the task says."""
    task = task_named(name)
    options = parser(task).parse_args(arguments)
    if options.save_cube is not None and task.cells is None:
        raise uncounted(task)
    if options.save_cube is None and getattr(options, "cube_steps", None):
        raise SettingError("`--cube-steps` must come with `--save-cube`: they say how finely a cube counts numbers.")
    # A table of the task's own kind is opened once, later.
    source = None if task.opens is not None else _opened(options)
    bits = bits_of(options.score_cells) if options.save_cube else None
    check_outputs(options, [*files_meant(options.table), options.config or NAME])
    columns = () if source is None else source.column_names
    with completed(task, options, given_to(task, options, columns)) as given:
        if source is not None and not foreign_paths(options.table):
            _check_required(task, given, source)
        with following(options) as progress:
            evaluation = evaluate(options.table, name, progress=progress, **given)
    if options.save_cube:
        options.cube = cube_of(evaluation, bits, options.cube_steps).to_bytes()
    return deliver(evaluation, options)


def given_to(task: Task, options: argparse.Namespace, columns: Sequence[str]) -> dict[str, object]:
    """The roles and settings that were typed."""
    settings = _settings(task)
    names = [role.name for role in task.roles] + [setting.name for setting in settings]
    names += list(_misnamed(task.roles, names)) + list(_misnamed(settings, names))
    given = {name: value for name in names if (value := getattr(options, name, None)) is not None}
    if "score" in given:
        given["score"] = scores_of(given["score"], columns)
    if getattr(options, "systems", None):
        given["systems"] = _systems(options.systems, columns)
    return given


TABLE = (
    "a file (csv, tsv, parquet, jsonl, arrow, xlsx; also .csv.gz, .jsonl.gz), a folder or a 'glob*'; "
    "or another tool's export (docs/formats.md)"
)


def _opened(options: argparse.Namespace) -> Source | None:
    """The table, to know its columns; one that only another tool's reader can open is opened later."""
    foreign = foreign_paths(options.table)
    try:
        return opened(options.table, options.delimiter)
    except InputError:
        if not foreign:
            raise
        return None


def _check_required(task: Task, given: Mapping[str, object], source: Source) -> None:
    """Refuse to go on without a role that the task cannot do without, with the columns that could play it."""
    for role in task.roles:
        if not role.required or role.name in given:
            continue
        profiles = profiles_of(source)
        suiting = [one for one in profiles if role.like is not None and role.like.holds in one.holds] or list(profiles)
        shown = "; ".join(f"{quoted(one.name)[1:-1]} ({one.described})" for one in suiting[:MOST_COLUMNS])
        more = f" and {len(suiting) - MOST_COLUMNS} more" if len(suiting) > MOST_COLUMNS else ""
        raise SettingError(
            f"{task.name} needs `{role.name}`, the {role.help}. Columns of {source.name} that could be it: "
            f"{shown}{more}."
        )


def parser(task: Task) -> argparse.ArgumentParser:
    """The options of one task."""
    options = Parser(
        task.name,
        task.question,
        usage=f"adjudge {task.name} TABLE --ROLE COLUMN ... [options]",
        first=("columns", "what to measure", "outputs"),
        example=demo_command(task),
    )
    options.add_argument("table", help=TABLE)
    columns = add_roles(options, task)
    if any(role.name == "prediction" for role in task.roles):
        columns.add_argument(
            "--system",
            dest="systems",
            action="append",
            nargs="+",
            metavar=("NAME", "ROLE=COLUMN"),
            help="one of several systems, by name, with its columns: prediction=COLUMN …; repeat for each",
        )
    add_settings(options, task)
    # Where there is no cube the option is not shown, and says why.
    saved = (
        "write a cube of counts, for `adjudge reslice` and `adjudge merge`"
        if task.cells is not None
        else argparse.SUPPRESS
    )
    options.add_argument("--save-cube", metavar="FILE", help=saved)
    if task.cells is not None:
        add_score_cells(options)
        rounded = "round a column of numbers to multiples of STEP before a cube counts rows by it"
        options.add_argument("--cube-steps", metavar="COLUMN=STEP", nargs="+", help=rounded)
    add_outputs(options, taken_tables(task))
    return options


def taken_tables(task: Task) -> dict[str, str]:
    """The tables that can be taken away from an evaluation of the task, each with a line of help."""
    flags = "what is beyond a limit, and what looks like a mistake in the table"
    return {one.name: one.help for one in task.takes_away} | {"flags": flags}


def demo_command(task: Task) -> str:
    """The command that evaluates the task's bundled table; empty where there is none."""
    if task.demo is None:
        return ""
    typed = ["adjudge", task.name, task.demo.file]
    for name, value in task.demo.given.items():
        typed += [option_of(name), *(map(str, value) if isinstance(value, list) else [str(value)])]
    return shlex.join(typed)


def add_score_cells(parser: Parser) -> None:
    """The option that says how finely scores are counted."""
    parser.add_argument(
        "--score-cells",
        metavar="CELLS",
        type=int,
        help=f"how finely a cube counts scores in [0, 1] (default {2**BITS}; of several labels, all together)",
    )


def bits_of(cells: int | None) -> int | None:
    """How many binary digits of a score tell its cell; None where nothing was asked for."""
    if cells is None:
        return None
    if not (2 <= cells <= 2**MOST_BITS and cells & (cells - 1) == 0):
        raise SettingError(f"`--score-cells` must be a power of two from 2 to {2**MOST_BITS:,}, not {cells:,}.")
    return cells.bit_length() - 1


def _settings(task: Task) -> list[Setting]:
    """The task's own settings, then those of all tasks; systems have an option of their own."""
    return [*task.settings, *(setting for setting in SHARED if setting.name != "systems")]


def add_roles(parser: argparse.ArgumentParser, task: Task, *, but: str = "") -> argparse._ArgumentGroup:
    """An option for each role; which must be given is said when the table is known, which may say it itself."""
    columns = parser.add_argument_group("columns")
    for role in task.roles:
        nargs = "+" if role.many else None
        if role.name != but:
            option = option_of(role.name)
            columns.add_argument(option, dest=role.name, metavar="COLUMN", help=_literal(role.help), nargs=nargs)
    return columns


def add_settings(parser: argparse.ArgumentParser, task: Task) -> None:
    """An option for each setting, and the file that may give what is not typed."""
    settings = _settings(task)
    _add_options(parser, settings)
    add_config(parser)
    # A name that a role or a setting does not have is taken, not shown, and refused with the one it has.
    names = [role.name for role in task.roles] + [setting.name for setting in settings]
    for name, role in _misnamed(task.roles, names).items():
        parser.add_argument(option_of(name), dest=name, nargs="+" if role.many else None, help=argparse.SUPPRESS)
    for name, setting in _misnamed(settings, names).items():
        parser.add_argument(option_of(name), dest=name, type=_typed(setting, settings), help=argparse.SUPPRESS)


def add_cell_settings(parser: argparse.ArgumentParser) -> None:
    """An option for each setting of an evaluation of cells."""
    _add_options(parser, [setting for setting in SHARED if setting.name in OF_CELLS])


def cell_settings(options: argparse.Namespace) -> dict[str, object]:
    """Those that were typed."""
    return {name: value for name in OF_CELLS if (value := getattr(options, name)) is not None}


def _add_options(parser: argparse.ArgumentParser, settings: Sequence[Setting]) -> None:
    groups = {about: parser.add_argument_group(about) for about in dict.fromkeys(one.about for one in settings)}
    for setting in settings:
        several = "*" if setting.form == "names" else "+"
        groups[setting.about].add_argument(
            option_of(setting.name),
            dest=setting.name,
            type=_typed(setting, settings),
            metavar=setting.name.upper(),
            help=_literal(setting.help),
            nargs=several if setting.many else None,
        )


def _misnamed(every: Sequence[Declared], names: Sequence[str]) -> dict[str, Declared]:
    """The names under which a role or setting is looked for that no other has."""
    return {name: one for one in every for name in one.misnomers if name not in names}


def _typed(setting: Setting, settings: Sequence[Setting]) -> Callable[[str], object]:
    """What turns a word into the kind; where another setting is looked for under this name, other words stay text."""
    kind = {int: "a whole number", float: "a number"}.get(setting.kind)
    if kind is None:
        return setting.kind
    elsewhere = any(setting.name in other.misnomers for other in settings)

    def typed(word: str) -> object:
        try:
            return setting.kind(word)
        except ValueError:
            if elsewhere:
                return word
            raise argparse.ArgumentTypeError(f"must be {kind}, not {quoted(word)}") from None

    return typed


def _literal(text: str) -> str:
    return text.replace("%", "%%")


def scores_of(given: list[str], columns: Sequence[str]) -> object:
    """Columns as they are, or LABEL=COLUMN pairs for one system."""
    if all(name in columns or "=" not in name for name in given):
        return given
    pairs = dict(_pair(name, "score") for name in given)
    if len(pairs) < len(given):
        raise SettingError("`score` must give each label one column, but a label is there twice. Leave one out.")
    return pairs


def _systems(given: list[list[str]], columns: Sequence[str]) -> dict[str, object]:
    systems: dict[str, object] = {}
    for name, *answers in given:
        if name in systems:
            raise SettingError(f"`systems` names must differ, but {quoted(name)} is given twice. Rename one.")
        columns_of: dict[str, list[str]] = {}
        for answer in answers:
            role, rest = _pair(answer, "systems")
            columns_of.setdefault(role, []).append(rest)
        systems[name] = {role: _answer(name, role, rest, columns) for role, rest in columns_of.items()}
    return systems


def _answer(name: str, role: str, given: list[str], columns: Sequence[str]) -> object:
    if len(given) == 1 and (given[0] in columns or "=" not in given[0]):
        return given[0]
    if role == "prediction":
        raise SettingError(
            f"`systems` must have one prediction, but {quoted(name)} has {listed(given)}. Leave one out."
        )
    return dict(_pair(answer, role) for answer in given)


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, rest = text.partition("=")
    if not equals or not name or not rest:
        raise SettingError(f"`{option}` must be given as NAME=COLUMN here, not as {quoted(text)}.")
    return name, rest
