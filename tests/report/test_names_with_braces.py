"""Names of columns are text wherever they stand: a brace in one is no place to fill in."""

from __future__ import annotations

import csv
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.cli.demo import demos

BRACES = "{x} {0} {shown.__class__} "


def named(given: Any, columns: list[str]) -> Any:
    """The same request of columns whose names begin with braces; what is no column stays."""
    if isinstance(given, (list, tuple)):
        return [named(one, columns) for one in given]
    if isinstance(given, str) and all(part in columns for part in given.split(" × ")):
        return " × ".join(f"{BRACES}{part}" for part in given.split(" × "))
    return given


@pytest.mark.parametrize("task", demos())
def test_braces_are_text(task: str, tmp_path: Path) -> None:
    demo = demos()[task]
    rows = list(csv.DictReader(StringIO((files("adjudge") / "demo" / demo.file).read_text("utf-8"))))
    table = {f"{BRACES}{name}": [row[name] or None for row in rows] for name in rows[0]}
    given = {role: named(value, list(rows[0])) for role, value in demo.given.items()}
    evaluation = adjudge.evaluate(table, task, replicates=100, **given)
    page, text = evaluation.report(tmp_path / "r.html"), evaluation.report(tmp_path / "r.md")
    assert "{x}" in repr(evaluation) + page.read_text("utf-8")
    assert "{x}" in text.read_text("utf-8")


def test_braces_of_one_of_several_scores_are_text() -> None:
    """The list of what treating some first gains is called by the score; its name was filled in."""
    table = {
        "sold": [0, 1, 1, 0, 1, 0] * 20,
        "mailed": [0, 0, 0, 1, 1, 1] * 20,
        "a": [0.1, 0.7, 0.3, 0.6, 0.5, 0.2] * 20,
        "{x}": [0.3, 0.1, 0.6, 0.2, 0.9, 0.4] * 20,
    }
    evaluation = adjudge.evaluate(
        table, "uplift", outcome="sold", treatment="mailed", score=["{x}", "a"], control="0", replicates=100
    )
    assert "{x}" in repr(evaluation)
