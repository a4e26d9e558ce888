"""`adjudge demo [TASK]`: a task's bundled, simulated table, the command that evaluates it, and its report."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from inspect import signature

from adjudge.cli import adequacy
from adjudge.cli.output import FILES, Parser, add_outputs, check_outputs, deliver, following, named_files
from adjudge.cli.spelling import option_of
from adjudge.cli.task import demo_command
from adjudge.errors import SettingError, listed, printable, quoted
from adjudge.evaluation.declaration import Demo
from adjudge.evaluation.writing import write_together
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named, task_names

PURPOSE = "adequacy"  # besides the tasks: a purpose with tables of its own
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
    parser.add_argument("--data", metavar="FILE", help="only write the bundled table to FILE")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    if options.data is not None:
        return _write(options)
    if options.which == PURPOSE:
        return _purpose(options)
    demo = _demo(options.which)
    options.html = options.html or "adjudge-demo.html"
    check_outputs(options, [])
    if not options.quiet:
        print(demo_command(task_named(options.which)), end="\n\n")
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


def _write(options: argparse.Namespace) -> int:
    """Write the bundled table."""
    if options.which == PURPOSE:
        raise SettingError(f"`--data` must be of a task: {PURPOSE} has a purpose and several tables. Leave it out.")
    demo = _demo(options.which)
    _refuse(options, FILES, "`--data` must be asked for alone, since nothing is evaluated then")
    if not options.data.endswith(".csv"):
        raise SettingError(f"`--data` must end in .csv, as the bundled table is, not {quoted(options.data)}.")
    write_together({options.data: (files("adjudge") / "demo" / demo.file).read_bytes()})
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
    if not options.quiet:
        print(f"adjudge {PURPOSE} purpose.toml", end="\n\n")
    with as_file(where / "purpose.toml") as file:
        rest = [*written, *(["--quiet"] if options.quiet else []), *(["--all"] if options.all else [])]
        code = adequacy.run(PURPOSE, [str(file), f"--html={page}", *rest])
    if not options.quiet:
        print(f"html: {printable(page)}")
    return 0 if code in (1, 3) else code  # a demonstration has done what it should, whatever the verdict


def demos() -> dict[str, Demo]:
    """The bundled tables, by task."""
    return {name: demo for name in task_names() if (demo := task_named(name).demo) is not None}
