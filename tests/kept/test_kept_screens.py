"""What is printed of every table: lists, grids, marks and their order, kept as text; of some the whole report."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console
from tests.kept import cases
from tests.kept.test_kept import CLOSE, evaluated, words

from adjudge.report.terminal import render

pytestmark = pytest.mark.xdist_group("kept")  # each table is evaluated once for all files here
KEPT = Path(__file__).with_name("texts")
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
    """Set ADJUDGE_SNAPSHOT=write to write them anew, and read the difference."""
    file, made = KEPT / f"screen_{name.replace(' ', '_').replace(',', '')}.txt", printed(name)
    if os.environ.get("ADJUDGE_SNAPSHOT") == "write":
        file.write_text(made, encoding="utf-8")
    for line, kept in zip(made.splitlines(), file.read_text(encoding="utf-8").splitlines(), strict=True):
        assert words(line) == pytest.approx(words(kept), rel=CLOSE, nan_ok=True) if line != kept else True
