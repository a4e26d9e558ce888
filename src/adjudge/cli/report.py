"""`adjudge report`: a saved evaluation shown again."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver
from adjudge.report.evaluation import load


def run(name: str, arguments: Sequence[str]) -> int:
    """Show what was saved."""
    parser = Parser("report", "Show a saved evaluation again.")
    parser.add_argument("saved", help="a file written with --save")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    check_outputs(options, [options.saved])
    return deliver(load(options.saved), options)
