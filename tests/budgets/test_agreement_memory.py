"""Streamed agreement reads each row once, and its memory does not grow with the number of items."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Text

ROOT = Path(__file__).parents[2]
RATERS = ("ann", "ben", "eva")
CODE = """
import json, re, sys
from pathlib import Path
import adjudge
from tests.budgets.test_agreement_memory import RATERS, MadeRatings
made = MadeRatings(int(sys.argv[1]))
e = adjudge.agreement(made, raters=list(RATERS), engine="stream", replicates=100)
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
print(json.dumps({"n": e["krippendorff_alpha"].n, "value": e["krippendorff_alpha"].value, "peak": peak}))
"""


class MadeRatings(Remarks):
    """Three raters of four labels, made while they are read; one rating in five is missing."""

    name = "made"
    column_names = RATERS

    def __init__(self, length: int) -> None:
        self.length = length
        self.delivered = 0

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        for start in range(0, self.length, rows):
            count = min(rows, self.length - start)
            self.delivered += count
            random = np.random.default_rng(start)
            truth = random.integers(0, 4, count)
            columns = {}
            for name in texts:
                codes = np.where(random.random(count) < 0.7, truth, random.integers(0, 4, count))
                codes[random.random(count) < 0.2] = -1
                columns[name] = Text(codes, ("a", "b", "c", "d"))
            yield Batch(count, dict(columns))

    def fingerprint(self) -> str:
        return ""


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_each_row_is_read_once(engine: str) -> None:
    made = MadeRatings(200_000)
    e = adjudge.agreement(made, raters=list(RATERS), engine=engine, replicates=100, metrics=["gwet_ac1"])
    assert made.delivered == e.outcome.data.rows == 200_000


def measured(items: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(items)],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc: not measured here")
def test_memory_is_flat_from_half_a_million_to_five_million_items() -> None:
    small, large = measured(500_000), measured(5_000_000)
    assert large["n"] > 9 * small["n"]
    # Two ratings are alike when both follow the truth or by luck: p_a = .49 + .51 / 4, p_e = 1/4.
    assert large["value"] == pytest.approx(0.49, abs=0.002)
    assert large["peak"] <= small["peak"] * 1.2 + 10_000, (small, large)
