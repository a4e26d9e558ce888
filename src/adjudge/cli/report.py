"""`adjudge report`: a saved evaluation shown again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from adjudge.cli.output import add_outputs, deliver, refuse_overwriting
from adjudge.report.evaluation import load


def run(name: str, arguments: Sequence[str]) -> int:
    """Show what was saved."""
    parser = argparse.ArgumentParser(prog="adjudge report", description="Show a saved evaluation again.")
    parser.add_argument("saved", help="a file written with --save")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    refuse_overwriting(options, [options.saved])
    return deliver(load(options.saved), options)
