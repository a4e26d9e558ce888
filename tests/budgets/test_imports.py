"""What may be imported when: judged by the list of modules, never by the clock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {
    "pandas",
    "polars",
    "duckdb",
    "scipy",
    "scipy.stats",
    "sklearn",
    "altair",
    "pyarrow",
    "narwhals",
    "rich",
    "jinja2",
    "vl_convert",
    "msgspec",
    "python_calamine",
}


def imported_by(code: str, folder: Path) -> set[str]:
    """The modules that a fresh Python holds after running this."""
    told = f"{code}\nimport json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_front_door_imports_nothing_heavy(tmp_path: Path) -> None:
    found = imported_by("import adjudge; dir(adjudge); adjudge.__version__", tmp_path)
    assert "adjudge" in found
    assert not found & (HEAVY | {"numpy", "argparse"})


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["nonsense"]])
def test_the_command_line_imports_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    found = imported_by(f"from adjudge.cli.main import main; main({arguments!r})", tmp_path)
    assert "adjudge.cli.main" in found
    assert not found & (HEAVY | {"numpy", "argparse"})


def test_a_metric_of_two_lists_needs_no_table_library(tmp_path: Path) -> None:
    code = "from adjudge import metrics; assert metrics.accuracy(['a', 'b'], ['a', 'a']) == 0.5"
    assert not imported_by(code, tmp_path) & (HEAVY - {"scipy"})


EVALUATE = """
import numpy as np, adjudge
random = np.random.default_rng(1)
score = random.random(500)
table = {"label": (random.random(500) < score).astype(int), "score": score, "where": np.arange(500) % 3}
e = adjudge.evaluate(table, reference="label", score="score", slices=["where"], replicates=100)
assert e["roc_auc"].value > 0.5
"""


def test_arrays_need_no_data_frames_and_no_charts(tmp_path: Path) -> None:
    found = imported_by(EVALUATE, tmp_path)
    assert "numpy" in found
    assert not found & {"pandas", "polars", "duckdb", "scipy.stats", "sklearn", "altair", "pyarrow", "vl_convert"}


FILE = """
from pathlib import Path
rows = [f"{'abc'[n % 3]},{'abc'[n % 3 if n % 7 else 0]},{n / 90},{'' if n % 11 else 'x'}" for n in range(90)]
rows += ["a,b, none ,x", "c,c,,"]  # a score that is no number, and one that is missing
Path("table.csv").write_text("\\n".join(["label,answer,score,where", *rows]))
from adjudge.cli.main import main
assert main(["classification", "table.csv", "--reference", "label", "--prediction", "answer", "--slices", "where"]) == 0
assert main(["regression", "table.csv", "--reference", "score", "--prediction", "score", "--slices", "where"]) == 0
"""


def test_a_file_needs_no_data_frames_and_no_optimisers(tmp_path: Path) -> None:
    found = imported_by(FILE, tmp_path)
    assert "pyarrow" in found
    assert not found & {"pandas", "polars", "duckdb", "scipy.stats", "scipy.optimize", "altair", "vl_convert"}


def test_the_catalogue_needs_no_table_library(tmp_path: Path) -> None:
    found = imported_by("from adjudge.cli.main import main; main(['metrics', 'accuracy'])", tmp_path)
    assert not found & {"pandas", "polars", "scipy.stats", "altair", "pyarrow", "vl_convert"}


def test_the_list_is_able_to_notice(tmp_path: Path) -> None:
    assert "msgspec" in imported_by("import adjudge, msgspec", tmp_path)
