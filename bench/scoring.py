"""Automated scoring beside RSMTool: all metrics and fairness regressions of a table, ours with intervals.

RSMTool pins old versions of half of what we measure with, so it runs in a Python of its own: name it in the
environment variable ADJUDGE_BENCH_RSMTOOL. Its cost is that of its Analyzer and fairness functions alone, without
intervals; ours is that of `adjudge.evaluate`, reading and 2,000 replicates included.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.speed import Case, cpu_seconds

ROWS = 100_000
TARGET = 10


def scores(rows: int, seed: int = 5) -> dict[str, list[Any]]:
    """Responses with two raters, the second on half of them, one system, and slices of 5 and 8 levels."""
    random = np.random.default_rng(seed)
    truth = random.normal(3.5, 1, rows)
    first, second = (np.clip(np.rint(truth + random.normal(0, 0.5, rows)), 1, 6) for _ in range(2))
    again = random.random(rows) < 0.5
    return {
        "id": [f"r{place}" for place in range(rows)],
        "h1": first.tolist(),
        "h2": [value if seen else "" for value, seen in zip(second.tolist(), again, strict=True)],
        "engine": (truth + random.normal(0, 0.4, rows)).tolist(),
        "gender": [f"g{code}" for code in random.integers(0, 5, rows)],
        "l1": [f"l{code}" for code in random.integers(0, 8, rows)],
    }


def evaluated(path: Path) -> dict[str, float]:
    """Everything the scoring task says of the table."""
    import adjudge

    found = adjudge.evaluate(
        path, "scoring", raters=["h1", "h2"], prediction="engine", slices=["l1", "gender"], min=1, max=6
    )
    system = "engine · raw_trim"
    return {
        "qwk": found.get("quadratic_weighted_kappa", system=system).value,
        "prmse": found.get("prmse", system=system).value,
    }


def by_rsmtool(path: Path) -> dict[str, float] | None:
    """RSMTool's costs and figures, when there is a Python that has it."""
    python = os.environ.get("ADJUDGE_BENCH_RSMTOOL")
    if python is None:
        return None
    script = Path(__file__).parent / "rsmtool_analyses.py"
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, str(script), str(path)], capture_output=True, text=True, check=True, env=alone)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(repeats: int = 3) -> list[Case]:
    """100,000 responses: our cost with intervals, RSMTool's without."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        table = scores(ROWS)
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
        evaluated(path)  # imports
        costs = sorted(cpu_seconds(lambda: evaluated(path))[0] for _ in range(repeats))
        ours, found, peer = costs[len(costs) // 2], evaluated(path), by_rsmtool(path)
    name = f"scoring, {ROWS:,} responses, 2 raters, 2 slice columns, 2,000 replicates"
    if peer is None:
        return [Case(name, ours, "CPU s", note="ADJUDGE_BENCH_RSMTOOL names no Python with rsmtool")]
    cost = peer["metrics"] + peer["fairness"]
    same = "; ".join(f"{key}: adjudge {found[key]:.9f}, RSMTool {peer[key]:.9f}" for key in found)
    target = f"≥ {TARGET}×, RSMTool without intervals"
    return [Case(name, ours, "CPU s", "RSMTool", cost, target, cost / ours >= TARGET, same)]
