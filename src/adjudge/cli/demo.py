"""`adjudge demo [TASK]`: a task's bundled, simulated table, the command that evaluates it, and its report."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from importlib.resources import as_file, files
from inspect import signature

from adjudge.cli import adequacy
from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, following
from adjudge.cli.spelling import option_of
from adjudge.errors import SettingError, listed, printable
from adjudge.evaluation.declaration import Demo
from adjudge.evaluation.writing import write_together
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named, task_names

PURPOSE = "adequacy"  # besides the tasks: a purpose with tables of its own
FIRST = str(signature(evaluate).parameters["task"].default)


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate a bundled table; a report is always written."""
    parser = Parser("demo", "Evaluate a bundled data set.")
    parser.add_argument(
        "which",
        metavar="TASK",
        nargs="?",
        default=FIRST,
        help=f"one of {', '.join((*demos(), PURPOSE))} (default {FIRST})",
    )
    parser.add_argument("--data", metavar="FILE", help="write the bundled table to FILE, and evaluate nothing")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    if options.which == PURPOSE:
        return _purpose(options)
    known = demos()
    if options.which not in known:
        raise SettingError(f"There must be a bundled table of the task: of {listed((*known, PURPOSE))}.")
    demo = known[options.which]
    if options.data:
        write_together({options.data: (files("adjudge") / "demo" / demo.file).read_bytes()})
        return 0
    options.html = options.html or "adjudge-demo.html"
    check_outputs(options, [])
    if not options.quiet:
        print(_command(options.which, demo), end="\n\n")
    with as_file(files("adjudge") / "demo" / demo.file) as table, following(options) as progress:
        evaluation = evaluate(table, task=options.which, progress=progress, **demo.given)
    return deliver(evaluation, options)


def _purpose(options: argparse.Namespace) -> int:
    """Hold the bundled service against its purpose."""
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


def _command(task: str, demo: Demo) -> str:
    words = ["adjudge", task, demo.file]
    for name, value in demo.given.items():
        words += [option_of(name), *(map(str, value) if isinstance(value, list) else [str(value)])]
    return shlex.join(words)
