"""What one more replicate costs by row, where rows are drawn one by one.

    python -m bench.draws [--rows 262144] [--clusters 20000] [--turns 3]

Labels and two slice columns (17 views), in clusters, with case weights and both; with a score, and of two systems that
are compared. A row, replicate and kind of draws (Poisson counts for the bootstrap, exponential weights for Bayesian
limits) costs what an evaluation with 300 replicates takes more than one with 100, divided by the rows, by 200 and by
two; the smallest of some turns counts. Formulas of more replicates are in it.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import adjudge

FEW, MANY, KINDS = 100, 300, 2
GOAL = 5.0  # nanoseconds
SCORES = {"score": ["score", "second score"], "positive": "yes"}
UNITS: dict[str, dict[str, Any]] = {
    "clusters": {"cluster": "person"},
    "weights": {"weight": "weight"},
    "clusters and weights": {"cluster": "person", "weight": "weight"},
    "clusters, a score": {"cluster": "person", "score": "score", "positive": "yes"},
    "clusters, two systems": {"cluster": "person", "prediction": ["answer", "second"]},
    "clusters, two systems with scores": {"cluster": "person", "prediction": ["answer", "second"], **SCORES},
}


def made(rows: int, clusters: int) -> dict[str, Any]:
    """A table of labels, two systems' answers and scores, two slice columns, persons and weights."""
    random = np.random.default_rng(1)
    label = random.integers(0, 2, rows)
    names = np.array(["no", "yes"])

    def answers(right: float) -> Any:
        return names[np.where(random.random(rows) < right, label, 1 - label)]

    def scores(noise: float) -> Any:
        return 1 / (1 + np.exp(-(noise * random.standard_normal(rows) + 2.0 * label - 1.0)))

    return {
        "label": names[label],
        "answer": answers(0.8),
        "second": answers(0.75),
        "score": scores(1.2),
        "second score": scores(1.4),
        "country": random.integers(0, 12, rows),
        "device": random.integers(0, 4, rows),
        "person": random.integers(0, clusters, rows),
        "weight": random.gamma(2.0, 1.0, rows),
    }


def seconds(table: dict[str, Any], units: dict[str, Any], replicates: int) -> float:
    """Processor seconds of one evaluation."""
    started = time.process_time()
    roles: dict[str, Any] = {"reference": "label", "prediction": "answer", "slices": ["country", "device"], **units}
    adjudge.evaluate(table, **roles, replicates=replicates)
    return time.process_time() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.draws", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=262_144)
    parser.add_argument("--clusters", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=3)
    chosen = parser.parse_args()
    table = made(chosen.rows, chosen.clusters)
    print(f"{'drawn by':<36}{'ns a row, replicate and kind':>30}{'goal':>7}")
    for name, units in UNITS.items():
        seconds(table, units, FEW)
        costs = [(seconds(table, units, FEW), seconds(table, units, MANY)) for _ in range(chosen.turns)]
        few, many = (min(several) for several in zip(*costs, strict=True))
        each = (many - few) / (chosen.rows * (MANY - FEW) * KINDS) * 1e9
        print(f"{name:<36}{each:>30.2f}{GOAL:>7.1f}", flush=True)


if __name__ == "__main__":
    main()
