"""`adjudge demo [TASK]`: a task's bundled, simulated table, the command that evaluates it, and its report."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib.resources import as_file, files
from inspect import signature

from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, following
from adjudge.cli.spelling import option_of
from adjudge.errors import SettingError, listed
from adjudge.evaluation.declaration import Demo
from adjudge.evaluation.writing import write_together
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named, task_names

FIRST = str(signature(evaluate).parameters["task"].default)


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate a bundled table; a report is always written."""
    parser = Parser("demo", "Evaluate a bundled data set.")
    parser.add_argument(
        "which", metavar="TASK", nargs="?", default=FIRST, help=f"one of {', '.join(demos())} (default {FIRST})"
    )
    parser.add_argument("--data", metavar="FILE", help="write the bundled table to FILE, and evaluate nothing")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    known = demos()
    if options.which not in known:
        raise SettingError(f"There must be a bundled table of the task: of {listed(known)}.")
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


def demos() -> dict[str, Demo]:
    """The bundled tables, by task."""
    return {name: demo for name in task_names() if (demo := task_named(name).demo) is not None}


def _command(task: str, demo: Demo) -> str:
    words = ["adjudge", task, demo.file]
    for name, value in demo.given.items():
        words += [option_of(name), *(map(str, value) if isinstance(value, list) else [str(value)])]
    return shlex.join(words)
