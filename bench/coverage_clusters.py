"""Coverage of the intervals shown first where predicted numbers come in few clusters.

    python -m bench.coverage_clusters [--samples 100] [--out docs/validation]

writes clusters.csv, and the table of clusters.md. Nothing was chosen on these designs: how far draws of clusters are
read was chosen on labels and scores. Labels in clusters are in unseen.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import adjudge

Random = np.random.Generator
METRICS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation")
WANTED = 0.92
MANY = 40_000
ERRORS: dict[str, Callable[[Random, int], Any]] = {
    "normal": lambda random, n: random.standard_normal(n),
    "Student t, 3 degrees": lambda random, n: random.standard_t(3, n),
    "Laplace": lambda random, n: random.laplace(size=n),
    "skewed (exponential)": lambda random, n: random.exponential(size=n) - 1,
}
SIZES: dict[str, Callable[[Random, int], Any]] = {
    "8 each": lambda random, k: np.full(k, 8),
    "1 to 30": lambda random, k: random.integers(1, 31, k),
}


def drawn(random: Random, clusters: int, sizes: str, errors: str) -> dict[str, Any]:
    """Clusters that differ in the level of their numbers, in how far a system is off there, and by how much."""
    which = np.repeat(np.arange(clusters), SIZES[sizes](random, clusters))
    level, off, spread = random.standard_normal((3, clusters))
    prediction = 2 * random.standard_normal(len(which)) + level[which]
    error = 0.5 * off[which] + np.exp(0.3 * spread[which]) * ERRORS[errors](random, len(which))
    return {"y": prediction + error, "m": prediction, "c": which}


def simulated(clusters: int, sizes: str, errors: str, samples: int) -> Iterator[dict[str, Any]]:
    """How often the first interval of each metric holds the true value."""
    whole = drawn(np.random.default_rng(1), MANY, sizes, errors)
    asked: dict[str, Any] = {"reference": "y", "prediction": "m", "metrics": list(METRICS)}
    truths = adjudge.evaluate({name: whole[name] for name in "ym"}, "regression", replicates=100, **asked)
    held: dict[str, list[bool]] = {metric: [] for metric in METRICS}
    widths: dict[str, list[float]] = {metric: [] for metric in METRICS}
    methods: dict[str, str] = {}
    random = np.random.default_rng([7, clusters])
    for sample in range(samples):
        table = drawn(random, clusters, sizes, errors)
        found = adjudge.evaluate(table, "regression", cluster="c", replicates=300, seed=sample, **asked)
        for metric in METRICS:
            estimate = found[metric]
            methods[metric] = estimate.method
            if estimate.interval is not None and np.isfinite(estimate.interval.low):
                held[metric].append(estimate.interval.low <= truths[metric].value <= estimate.interval.high)
                widths[metric].append(estimate.interval.high - estimate.interval.low)
    for metric in METRICS:
        yield {
            "metric": metric,
            "method": methods[metric],
            "errors": errors,
            "rows": sizes,
            "clusters": clusters,
            "intervals": len(held[metric]),
            "coverage": round(float(np.mean(held[metric] or [np.nan])), 4),
            "mean_width": round(float(np.mean(widths[metric] or [np.nan])), 4),
        }


def table_of(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each metric and kind of error, numbers of clusters beside one another."""
    counts = sorted({record["clusters"] for record in records})
    yield f"| metric | first | errors | rows of a cluster | {' | '.join(f'{k} clusters' for k in counts)} |"
    yield "|---" * (4 + len(counts)) + "|"
    for metric, errors, rows in dict.fromkeys((r["metric"], r["errors"], r["rows"]) for r in records):
        same = [r for r in records if (r["metric"], r["errors"], r["rows"]) == (metric, errors, rows)]
        cells = []
        for count in counts:
            shares = [r["coverage"] for r in same if r["clusters"] == count and r["intervals"]]
            share = "–" if not shares else f"{shares[0]:.2f}".replace("0.", ".", 1)
            cells.append(f"**{share}**" if shares and shares[0] < WANTED else share)
        yield f"| `{metric}` | `{same[0]['method']}` | {errors} | {rows} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_clusters", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100, help="samples of each design")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
    # 22 clusters of unequal size are mostly worth too few for an interval.
    counts = {"8 each": (22, 60), "1 to 30": (60,)}
    designs = [(k, sizes, errors) for errors in ERRORS for sizes in SIZES for k in counts[sizes]]
    records = [record for design in designs for record in simulated(*design, chosen.samples)]
    with (chosen.out / "clusters.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    path, begin, end = chosen.out / "clusters.md", "<!-- table -->\n", "<!-- end of table -->"
    before, _, rest = path.read_text("utf-8").partition(begin)
    path.write_text(f"{before}{begin}\n" + "\n".join(table_of(records)) + f"\n\n{end}{rest.partition(end)[2]}", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
