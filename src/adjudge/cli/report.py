"""`adjudge report`: a saved evaluation shown again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from adjudge.cli import spelling
from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, whoever_listens
from adjudge.data.cubes.files import is_cube
from adjudge.errors import SettingError, printable, quoted
from adjudge.evaluation.asking.arguments import SHARED
from adjudge.report.evaluation import load
from adjudge.tasks import task_named


def run(name: str, arguments: Sequence[str]) -> int:
    """Show what was saved."""
    parser = Parser("report", "Show a saved evaluation again.")
    parser.add_argument("saved", metavar="FILE", help="a file written with --save")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    check_outputs(options, [options.saved])
    if is_cube(options.saved):
        raise SettingError(
            f"`report` must be of an evaluation, but {quoted(options.saved)} is a cube of counts. Run: adjudge reslice "
            f"{shlex.quote(options.saved)}"
        )
    evaluation = load(options.saved)
    task = task_named(evaluation.outcome.task)
    # What is advised is advised as the command that evaluates takes it: the same page as it wrote.
    names = [*(role.name for role in task.roles), *(setting.name for setting in (*task.settings, *SHARED))]
    spelling.OPTIONS.update({name: spelling.option_of(name) for name in names})
    command = evaluation.outcome.settings.command
    if command and not options.quiet:
        with whoever_listens():
            print(printable(command), end="\n\n")
    return deliver(evaluation, options)
