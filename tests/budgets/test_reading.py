"""Each row is read once, and memory does not grow with the table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.budgets.made import Made

import adjudge
from adjudge.data.source import Source

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("kind", ["percentile", "bca"])
def test_each_row_is_read_once(engine: str, kind: str) -> None:
    table = Made(300_000)
    assert isinstance(table, Source)
    settings: dict[str, Any] = {"engine": engine, "bootstrap": kind, "replicates": 100}
    e = adjudge.evaluate(table, reference="label", score="score", slices=["place"], metrics=["roc_auc"], **settings)
    assert table.passes == 1
    assert (table.delivered == 1).all()
    assert e.outcome.data.rows == e["roc_auc"].n == 300_000


CODE = """
import json, re, sys
from pathlib import Path
import adjudge
from tests.budgets.made import Made
e = adjudge.evaluate(Made(int(sys.argv[1])), reference="label", score="score", engine="stream", replicates=100,
                     **json.loads(sys.argv[2]))
# Not resource.getrusage: its peak includes that of the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
print(json.dumps({"n": e["roc_auc"].n, "value": e["roc_auc"].value, "peak": peak}))
"""


def measured(rows: int, **asked: Any) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(rows), json.dumps(asked)],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc: not measured here")
def test_memory_is_flat_from_one_to_twenty_million_rows() -> None:
    """Continuous scores, so nearly every row has a score of its own."""
    asked = {"metrics": ["accuracy", "roc_auc", "log_loss"]}
    small, large = measured(1_000_000, **asked), measured(20_000_000, **asked)
    assert (small["n"], large["n"]) == (1_000_000, 20_000_000)
    assert large["value"] == pytest.approx(5 / 6, abs=0.001), "the area under the curve of these scores"
    assert large["peak"] <= small["peak"] * 1.25 + 20_000, (small, large)
