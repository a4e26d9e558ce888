"""`adjudge demo [TASK]`: a task's bundled, simulated table, the commands that write and evaluate it, and its report."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from inspect import signature
from pathlib import Path

from adjudge.cli import adequacy
from adjudge.cli.output import FILES, Parser, add_outputs, check_outputs, deliver, following, named_files
from adjudge.cli.spelling import option_of
from adjudge.cli.task import demo_command
from adjudge.errors import SettingError, listed, printable, quoted
from adjudge.evaluation.declaration import Demo
from adjudge.evaluation.take_away.writing import write_together
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named, task_names

PURPOSE = "adequacy"  # besides the tasks: a purpose with tables of its own
PURPOSE_FILE = "purpose.toml"
FIRST = str(signature(evaluate).parameters["task"].default)


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate a bundled table; a report is always written."""
    parser = Parser("demo", "Evaluate a bundled example and write its report.")
    parser.add_argument(
        "which",
        metavar="TASK",
        nargs="?",
        default=FIRST,
        help=f"one of {', '.join((*demos(), PURPOSE))} (default {FIRST})",
    )
    what = f"only write the bundled table to FILE; of {PURPOSE}, the purpose with its tables beside it"
    parser.add_argument("--data", metavar="FILE", help=what)
    add_outputs(parser)
    options = parser.parse_args(arguments)
    if options.data is not None:
        return _write(options)
    if options.which == PURPOSE:
        return _purpose(options)
    demo = _demo(options.which)
    options.html = options.html or "adjudge-demo.html"
    check_outputs(options, [])
    _say(options, demo.file, demo_command(task_named(options.which)))
    with as_file(files("adjudge") / "demo" / demo.file) as table, following(options) as progress:
        evaluation = evaluate(table, task=options.which, progress=progress, **demo.given)
    return deliver(evaluation, options)


def _demo(task: str) -> Demo:
    known = demos()
    if task not in known:
        raise SettingError(
            f"There must be a demo of {quoted(task)}, but there is none. Name one of {listed((*known, PURPOSE))}."
        )
    return known[task]


def _say(options: argparse.Namespace, data: str, command: str) -> None:
    """The commands that do the same with files of one's own: one writes the data, the other evaluates them."""
    if not options.quiet:
        which = "" if options.which == FIRST else f" {options.which}"
        print(f"adjudge demo{which} --data {data}\n{command}", end="\n\n")


def _write(options: argparse.Namespace) -> int:
    """Write the bundled table, or the purpose with its tables."""
    bundled = files("adjudge") / "demo"
    file = bundled / "purpose" / PURPOSE_FILE if options.which == PURPOSE else bundled / _demo(options.which).file
    _refuse(options, FILES, "`--data` must be asked for alone, since nothing is evaluated then")
    ending = Path(file.name).suffix
    if not options.data.endswith(ending):
        raise SettingError(f"`--data` must end in {ending}, as what is bundled does, not {quoted(options.data)}.")
    beside = (bundled / "purpose").iterdir() if options.which == PURPOSE else ()
    tables = {Path(options.data).parent / one.name: one.read_bytes() for one in beside if one.name != file.name}
    if others := [path for path, content in tables.items() if path.exists() and path.read_bytes() != content]:
        raise SettingError(
            f"`--data` must leave other files as they are, but {listed(others)} would be replaced. Name another folder."
        )
    write_together({options.data: file.read_bytes(), **tables})
    return 0


def _refuse(options: argparse.Namespace, wrong: Iterable[str], must: str) -> None:
    if named := named_files(options, wrong):
        raise SettingError(f"{must}, but there is {listed(sorted(map(option_of, named)))}. Leave it out.")


def _purpose(options: argparse.Namespace) -> int:
    """Hold the bundled service against its purpose."""
    _refuse(options, set(FILES) - set(adequacy.FILES), f"What is written of {PURPOSE} must be html, json or markdown")
    where = files("adjudge") / "demo" / "purpose"
    written = [f"--{name}={getattr(options, name)}" for name in ("json", "markdown") if getattr(options, name)]
    page = options.html or "adjudge-demo.html"
    _say(options, PURPOSE_FILE, f"adjudge {PURPOSE} {PURPOSE_FILE}")
    with as_file(where / PURPOSE_FILE) as file:
        rest = [*written, *(["--quiet"] if options.quiet else []), *(["--all"] if options.all else [])]
        code = adequacy.run(PURPOSE, [str(file), f"--html={page}", *rest])
    if not options.quiet:
        print(f"html: {printable(page)}")
    return 0 if code in (1, 3) else code  # a demonstration has done what it should, whatever the verdict


def demos() -> dict[str, Demo]:
    """The bundled tables, by task."""
    return {name: demo for name in task_names() if (demo := task_named(name).demo) is not None}
