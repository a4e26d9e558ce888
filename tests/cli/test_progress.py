"""Progress: every stage tells a share of a known whole, and a person at a terminal sees it with the time left."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.written import csv_file

import adjudge
from adjudge.cli.output import nobody_else_speaks
from adjudge.data.source import expected_rows, open_source

ROWS = 3_000


def table(rows: int = ROWS) -> dict[str, list[Any]]:
    return {
        "label": ["a" if row % 3 else "b" for row in range(rows)],
        "guess": ["a" if row % 4 else "b" for row in range(rows)],
        "person": [f"p{row % 100}" for row in range(rows)],
        "place": ["x" if row % 2 else "y" for row in range(rows)],
    }


def written(path: Path) -> Path:
    return csv_file(path, table())


def told(source: Any, **given: Any) -> tuple[Counter[str], dict[str, int]]:
    """How much was done of each stage, and of how much."""
    done, whole = Counter[str](), dict[str, int]()

    def progress(what: str, more: int, of: int) -> None:
        done[what] += more
        whole[what] = of

    adjudge.evaluate(source, reference="label", prediction="guess", replicates=200, progress=progress, **given)
    return done, whole


@pytest.mark.parametrize("given", [{}, {"slices": ["place"]}, {"cluster": "person"}])
def test_every_stage_ends_with_all_of_it(given: dict[str, Any]) -> None:
    done, whole = told(table(), **given)
    assert done == whole
    assert set(done) == {"reading", "drawing", "measuring"}


def test_the_rows_of_files_are_known_or_estimated_before_they_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(table()), tmp_path / "t.parquet", row_group_size=700)
    assert expected_rows(open_source(tmp_path / "t.parquet")) == ROWS
    text = written(tmp_path / "t.csv")
    assert expected_rows(open_source(text)) == pytest.approx(ROWS, rel=0.02)
    assert expected_rows(open_source(table())) == ROWS
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n' * 50_000)
    assert expected_rows(open_source(tmp_path / "t.jsonl")) == pytest.approx(50_000, rel=0.01)
    assert told(text, missing=["NA"])[1]["reading"] == pytest.approx(ROWS, rel=0.02)


def test_a_person_at_a_terminal_sees_the_stage_its_share_and_the_time_left(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv")
    words = ["classification", str(path), "--reference", "label", "--prediction", "guess", "--cluster", "person"]
    words += ["--json", str(tmp_path / "out.json"), "--replicates", "500"]
    shown, terminal = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "adjudge.cli.main", *words],
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(terminal)
    seen = b""
    while True:
        try:
            part = os.read(shown, 65_536)
        except OSError:  # what Linux says when the last writer has gone
            break
        if not part:
            break
        seen += part
    os.close(shown)
    assert run.wait(60) == 0
    text = seen.decode()
    for stage in ("reading", "drawing", "measuring", "writing"):
        assert stage in text
    assert "100%" in text
    assert "left" in text


def test_nobody_is_told_where_nobody_watches(tmp_path: Path, adjudge_cli: Any) -> None:
    path = written(tmp_path / "t.csv")
    said = adjudge_cli("classification", path, "--reference", "label", "--prediction", "guess", "--replicates", "100")
    assert (said.code, said.err) == (0, "")


def test_nobody_else_speaks_where_it_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither a library nor a process that it started; afterwards, what is wrong is told again."""
    with nobody_else_speaks():
        os.write(2, b"a warning")
        subprocess.run([sys.executable, "-c", "import sys; print('a bar', file=sys.stderr)"], check=True)
    assert capfd.readouterr().err == ""
    os.write(2, b"an error")
    assert capfd.readouterr().err == "an error"
