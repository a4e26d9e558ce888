"""Small steps of comparing results, each where it decides something."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.kept import tables

import adjudge
from adjudge.evaluation.comparison.apart import _of_settings
from adjudge.interop.rsmtool import _left_behind


def _with_choices(made: Any, **choices: str) -> Any:
    return replace(made.outcome, settings=replace(made.outcome.settings, choices=choices))


def test_results_that_were_evaluated_otherwise_are_told_by_what_differs() -> None:
    """How two systems of one result were compared says nothing of either."""
    made = adjudge.classification(tables.labels(), reference="label", prediction="new", replicates=100)
    one, two = (_with_choices(made, Differences=str(n), Ties="by row", Bins=str(n)) for n in (1, 2))
    (check,) = _of_settings("Both", one, two)
    assert check.sentence == 'Both were evaluated otherwise in "Bins": a difference may be of that.'
    alike = _with_choices(made, Differences="3", Ties="by row", Bins="1")
    assert list(_of_settings("Both", one, alike)) == []


def test_files_of_earlier_runs_are_counted_where_there_are_any(tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / "output" / name).write_text("")
    (said,) = _left_behind(tmp_path, {"output/a.csv": b""})
    assert said.startswith("2 files of earlier runs stay in ")
    assert _left_behind(tmp_path, {f"output/{name}.csv": b"" for name in "abc"}) == []
    assert _left_behind(tmp_path / "none", {}) == []


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "cohen_kappa"])
def test_of_one_row_there_is_no_test_and_no_p_value(metric: str) -> None:
    """A slice of one row had limits by other means beside a p-value that was no number."""
    table = tables.labels()
    table["alone"] = ["x" if row == 4 else "y" for row in range(len(table["id"]))]
    made = adjudge.classification(
        table, reference="label", prediction=["old", "new"], slices=["alone"], metrics=[metric], replicates=100
    )
    rows = [row for row in made.table if row.slice == "alone = x" and row.baseline]
    assert rows
    assert all(row.p is None or 0 <= row.p <= 1 for row in rows)
    assert all(row.p_adjusted is None for row in rows if row.p is None)
