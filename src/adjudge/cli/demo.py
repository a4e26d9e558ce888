"""`adjudge demo`: two spam filters on bundled, simulated messages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files

from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, following
from adjudge.report.evaluation import evaluate


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate the bundled table; a report is always written."""
    parser = Parser("demo", "Evaluate a bundled data set.")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    options.html = options.html or "adjudge-demo.html"
    check_outputs(options, [])
    with as_file(files("adjudge") / "demo" / "messages.csv") as table, following(options) as progress:
        evaluation = evaluate(
            table,
            reference="label",
            score=["filter_a", "filter_b"],
            positive="spam",
            slices=["language", "language × device"],
            progress=progress,
        )
    return deliver(evaluation, options)
