"""What small tables of every task come to, and wide ones: every figure, picture and sentence, kept as text.

The laws say what must hold of any table; this says what came of some, so that a change that breaks no law is seen.
Most of the texts were read when they were written; what changes is to be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.kept import cases
from tests.kept.keeping import evaluated, hold, told

import adjudge
from adjudge.evaluation.take_away.exports import to_latex

pytestmark = pytest.mark.xdist_group("kept")  # each table is evaluated once for all files here


def figures(evaluation: Any) -> Iterator[str]:
    """A line for each metric and system: of each slice the estimate, its rows, and the limits and p-value by method."""

    def of_method(row: Any) -> str:
        limits = "" if math.isnan(row.low) else f" [{told(row.low)}, {told(row.high)}]"
        adjusted = "" if row.p_adjusted in (None, row.p) else f" adjusted {told(row.p_adjusted)}"
        tested = "" if row.p is None else f" p {told(row.p)}{adjusted} {row.test}"
        return f"{row.method}{limits}{tested} {row.letters or ''}"

    def what(row: Any) -> tuple[str, ...]:
        return row.metric, row.category, row.system, row.baseline or ""

    def where(row: Any) -> str:
        return f"{row.slice} {told(row.estimate)} of {row.n}"

    for key, rows in groupby(sorted(evaluation.table, key=lambda row: (*what(row), where(row))), key=what):
        slices = (f"{name}: {'; '.join(map(of_method, some))}" for name, some in groupby(rows, key=where))
        yield f"{' | '.join(one for one in key if one)} | {' | '.join(slices)}".replace(" ;", ";")
    for note, rows in groupby(sorted(evaluation.table, key=lambda row: row.note), key=lambda row: row.note):
        yield f"{len(list(rows))} × note: {note}"


def pictures(evaluation: Any) -> Iterator[str]:
    """A line for each picture."""
    panels = evaluation.outcome.panels
    for kind in fields(panels):
        yield from (f"{kind.name}: {told(panel)}" for panel in getattr(panels, kind.name))


def sentences(evaluation: Any) -> Iterator[str]:
    """What is said first, and what the data check says."""
    answer = evaluation.summary.answer
    yield answer.headline
    yield from (f"{one.mark} {one.word}: {one.text}" for one in answer.findings)
    yield from (f"next: {one.text} {one.command or ''}" for one in answer.steps)
    yield from (told(one) for one in evaluation.outcome.checks)


def text(name: str) -> str:
    e = evaluated(name)
    parts = (sentences, figures) if "many" in name else (sentences, figures, pictures)
    lines = (" ".join(line.split()) for part in parts for line in part(e))
    return "\n".join([f"# {name}", *lines, ""])


@pytest.mark.parametrize("name", cases.CASES)
def test_figures_pictures_and_sentences_are_as_they_were(name: str) -> None:
    hold(name, text(name))


@pytest.mark.parametrize("name", cases.CASES)
def test_it_is_written_and_read_back(name: str, tmp_path: Path) -> None:
    """A p-value that was a number of NumPy's ended `--json` and `--save` in a traceback."""
    e = evaluated(name)
    assert e.content("json")
    read = adjudge.load(e.save(tmp_path / "kept.adjudge"))
    assert list(map(told, read.table)) == list(map(told, e.table))
    assert read.summary.answer == e.summary.answer


@pytest.mark.parametrize("name", cases.CASES)
def test_what_is_shown_once_for_each_system_is_a_value_and_no_difference(name: str) -> None:
    """Differences of two engines were held against the limits of a value, and drawn among the values of slices."""
    panels = evaluated(name).outcome.panels
    for panel in panels.forests:
        assert len({line.name for line in panel.lines}) == len(panel.lines), panel.title
    if (flags := panels.table("Flags")) is not None:
        assert len({tuple(row[1:4]) for row in flags.rows}) == len(flags.rows)
    lines = to_latex(evaluated(name).table).splitlines()[2:-1]
    assert len({tuple(line.split("&")[:4]) for line in lines}) == len(lines)
