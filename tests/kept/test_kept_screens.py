"""What is printed of every table: lists, grids, marks and their order, kept as text; of some the whole report."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from tests.kept import cases
from tests.kept.keeping import evaluated, hold

from adjudge.report.terminal import render

pytestmark = pytest.mark.xdist_group("kept")  # each table is evaluated once for all files here
WIDTH = 100
WHOLE = ("a suite, wide", "raters, two", "scores, weighted")


def printed(name: str) -> str:
    """The first screen, and of three tables all that `--all` prints; without blanks at the end of lines."""
    console = Console(width=WIDTH, file=io.StringIO(), color_system=None, legacy_windows=False)
    render(evaluated(name).summary, console, everything=name in WHOLE)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()) + "\n"


@pytest.mark.parametrize("name", cases.CASES)
def test_printed_reports_are_as_they_were(name: str) -> None:
    hold(f"screen_{name}", printed(name))
