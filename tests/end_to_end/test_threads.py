"""The threads of the linear algebra library change nothing, to the last byte."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from adjudge.statistics.base import steady_product

PROGRAM = """
import json, sys
import numpy as np
import adjudge

task, rows = sys.argv[1], 5_000
random = np.random.default_rng(3)
truth = random.normal(3.5, 1, rows)
noisy = [truth + random.normal(0, 0.5, rows) for _ in range(4)]
points = [np.clip(np.rint(values), 1, 6) for values in noisy]
columns = {
    "scoring": {"h1": points[0], "h2": points[1], "a": noisy[2], "b": noisy[3]},
    "agreement": {"h1": noisy[0], "h2": noisy[1]},
    "regression": {"y": truth, "a": noisy[0], "b": noisy[1]},
    "classification": {"y": (truth > 3.5) * 1, "p": 1 / (1 + np.exp(3.5 - noisy[0]))},
}[task]
roles = {
    "scoring": {"raters": ["h1", "h2"], "prediction": ["a", "b"], "min": 1, "max": 6, "slices": ["g"]},
    "agreement": {"raters": ["h1", "h2"], "measurement": "interval"},
    "regression": {"reference": "y", "prediction": ["a", "b"], "slices": ["g"], "weight": "w"},
    "classification": {"reference": "y", "score": "p", "positive": "1", "slices": ["g"], "weight": "w"},
}[task]
columns |= {"g": random.integers(0, 2, rows), "w": random.integers(1, 4, rows)}
table = {name: values.tolist() for name, values in columns.items()}
table["g"] = [f"g{code}" for code in table["g"]]
evaluation = adjudge.evaluate(table, task, replicates=200, **roles)
evaluation.write_json(sys.argv[2])
"""


@pytest.mark.parametrize("task", ["scoring", "agreement", "regression", "classification"])
def test_the_number_of_threads_changes_no_byte(task: str, tmp_path) -> None:
    written = []
    for threads in ("1", "2"):
        path = tmp_path / f"{threads}.json"
        limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        subprocess.run([sys.executable, "-c", PROGRAM, task, path], env=os.environ | limits, check=True)
        written.append(path.read_bytes())
    assert len(written[0]) > 5_000
    assert written[0] == written[1]


@pytest.mark.parametrize(
    "shapes", [((3, 5), (5,)), ((5,), (5, 2)), ((700, 900), (900, 400)), ((5_000, 300), (300, 300))]
)
def test_products_in_blocks_are_products(shapes) -> None:
    random = np.random.default_rng(1)
    left, right = (random.normal(size=shape) for shape in shapes)
    np.testing.assert_allclose(steady_product(left, right), left @ right, atol=1e-10)
