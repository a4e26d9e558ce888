"""The threads of the linear algebra library change nothing, to the last byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adjudge.statistics.base import steady_product

PROGRAM = """
import json, sys
import numpy as np
import adjudge

rows = 6_000
random = np.random.default_rng(3)
truth = random.normal(3.5, 1, rows)
noisy = [truth + random.normal(0, 0.5, rows) for _ in range(4)]
points = [np.clip(np.rint(values), 1, 6) for values in noisy]
own = np.random.default_rng(3)
whole = own.integers(1, 7, rows)
near = np.clip(whole + own.integers(-1, 2, rows), 1, 6)
columns_of = {
    "scoring": {"h1": points[0], "h2": points[1], "a": noisy[2], "b": noisy[3]},
    "agreement": {"h1": whole, "h2": near, "h3": np.clip(whole + own.normal(0, 0.8, rows), 1, 6)},
    "regression": {"y": truth, "a": noisy[0], "b": noisy[1]},
    "classification": {"y": (truth > 3.5) * 1, "p": 1 / (1 + np.exp(3.5 - noisy[0]))},
}
roles_of = {
    "scoring": {"raters": ["h1", "h2"], "prediction": ["a", "b"], "min": 1, "max": 6, "slices": ["g"]},
    "agreement": {"raters": ["h1", "h2", "h3"], "measurement": "interval"},
    "regression": {"reference": "y", "prediction": ["a", "b"], "slices": ["g"], "weight": "w"},
    "classification": {"reference": "y", "score": "p", "positive": "1", "slices": ["g"], "weight": "w"},
}
parts = {"g": random.integers(0, 2, rows), "w": random.integers(1, 4, rows)}
for task, roles in roles_of.items():
    table = {name: values.tolist() for name, values in (columns_of[task] | parts).items()}
    table["g"] = [f"g{code}" for code in table["g"]]
    adjudge.evaluate(table, task, replicates=300, **roles).write_json(f"{sys.argv[1]}/{task}.json")

# Products of two vectors are spread over threads from 10,000 numbers on.
rows, asked = 25_000, {"weight": "w", "replicates": 100}
code, weight = own.integers(0, 3, rows), own.random(rows) + 0.1
given = np.where(own.random(rows) < 0.8, code, 0)
table = {"y": code, "p": given, "w": weight, "g": own.integers(0, 9, rows), "k": own.integers(0, 4, rows)}
searched = adjudge.evaluate(table, reference="y", prediction="p", search=["g", "k"], metrics=["accuracy"], **asked)
searched.write_json(f"{sys.argv[1]}/searched.json")
value = code / 3 + own.random(rows)
table = {"y": value, "p": value + own.normal(0, 0.1, rows), "q": value + own.normal(0, 0.2, rows), "w": weight}
long = adjudge.regression(table, reference="y", prediction=["p", "q"], metrics=["pearson"], **asked)
long.write_json(f"{sys.argv[1]}/long.json")
"""
TASKS = ["scoring", "agreement", "regression", "classification", "searched", "long"]


def test_the_number_of_threads_changes_no_byte(tmp_path: Path) -> None:
    for threads in ("1", "2"):
        folder = tmp_path / threads
        folder.mkdir()
        limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        subprocess.run([sys.executable, "-c", PROGRAM, folder], env=os.environ | limits, check=True)
    for task in TASKS:
        one, two = ((tmp_path / threads / f"{task}.json").read_bytes() for threads in ("1", "2"))
        assert len(one) > 5_000, task
        assert one == two, task


@pytest.mark.parametrize(
    "shapes", [((3, 5), (5,)), ((5,), (5, 2)), ((700, 900), (900, 400)), ((5_000, 300), (300, 300))]
)
def test_products_in_blocks_are_products(shapes) -> None:
    random = np.random.default_rng(1)
    left, right = (random.normal(size=shape) for shape in shapes)
    np.testing.assert_allclose(steady_product(left, right), left @ right, atol=1e-10)
