"""How often intervals of what rests on a dozen second ratings hold the true value.

    python -m bench.coverage_scoring [--samples 400] [--out docs/validation]

writes scoring.csv, one line for each design, metric and method, and the table of scoring.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import Bootstrap, drawn_on_cells, percentile
from adjudge.metrics import parse
from adjudge.statistics.base import Array
from adjudge.statistics.scores.sums import ScoreSums

LEVEL, REPLICATES, MANY = 0.95, 400, 400_000
SIZES = ((200, 12), (200, 25), (200, 50), (1_000, 12), (1_000, 50))
METRICS = (
    "rater_error_variance",
    "degradation(of=correlation)",
    "degradation(of=qwk)",
    "degradation(of=smd)",
    "degradation(of=kappa)",
    "degradation(of=exact)",
    "degradation(of=adjacent)",
)
OF_POINTS = ("kappa", "exact", "adjacent")
# Errors of a rater, and whether scores are points from 1 to 6.
DESIGNS = {
    "normal": ("normal", 0.6, False),
    "skewed": ("skewed", 0.6, False),
    "heavy tails": ("heavy", 0.6, False),
    "points 1–6": ("normal", 0.6, True),
    "points 1–6, raters who agree": ("normal", 0.3, True),
}
HEADER = ("design", "responses", "double", "metric", "method", "samples", "holds", "width")
START, END = "<!-- scoring table -->", "<!-- end of scoring table -->"


def drawn(random: np.random.Generator, design: str, rows: int) -> tuple[Array, Array]:
    """Two ratings of each response, and a system's score."""
    kind, spread, points = DESIGNS[design]
    truth = random.gamma(2, 0.5**0.5, rows) + 2 if kind == "skewed" else random.normal(3.5, 1, rows)
    errors = {
        "normal": lambda: random.standard_normal((rows, 2)),
        "skewed": lambda: random.exponential(1, (rows, 2)) - 1,
        "heavy": lambda: random.standard_t(5, (rows, 2)) / (5 / 3) ** 0.5,
    }[kind]()
    ratings, system = truth[:, None] + spread * errors, truth + random.normal(0, 0.5, rows)
    return (np.clip(np.rint(ratings), 1, 6), np.clip(np.rint(system), 1, 6)) if points else (ratings, system)


def records(samples: int, seed: int) -> Iterator[tuple[str | int | float, ...]]:
    """Every figure of every design."""
    for design, (_, _, points) in DESIGNS.items():
        random = np.random.default_rng([seed, *design.encode()])
        metrics = [parse(name) for name in METRICS if points or not name.endswith(tuple(f"{of})" for of in OF_POINTS))]
        population = ScoreSums.of_scores(*drawn(random, design, MANY))
        true = {metric: float(metric.values(population)) for metric in metrics}
        for rows, double in SIZES:
            limits: dict[tuple[str, str], list[tuple[float, float]]] = {}
            for sample in range(samples):
                ratings, system = drawn(random, design, rows)
                ratings[double:, 1] = np.nan
                sums = ScoreSums.of_scores(ratings, system)
                replicates = drawn_on_cells(
                    sums, lambda of: {ScoreSums: of}, "multinomial", Bootstrap(REPLICATES, sample), "coverage"
                )
                for metric, values in zip(metrics, replicate_values(replicates, metrics), strict=True):
                    of_formula = closed_form(metric.intervals[0], metric, sums, LEVEL)
                    for bounds in (of_formula, percentile("bootstrap", values, LEVEL)):
                        if bounds is not None:
                            ends = (float(bounds.low), float(bounds.high))
                            limits.setdefault((repr(metric), bounds.method), []).append(ends)
            for (name, method), pairs in limits.items():
                low, high = np.array(pairs).T
                value = true[parse(name)]
                holds = float(((low <= value) & (value <= high)).mean())
                yield (
                    design,
                    rows,
                    double,
                    name,
                    method,
                    len(pairs),
                    round(holds, 3),
                    round(float(np.median(high - low)), 4),
                )


def table(figures: list[tuple[str | int | float, ...]]) -> str:
    """Coverage by metric and design: the interval shown first, and the bootstrap in brackets."""
    lines = ["| design | responses, double | " + " | ".join(f"`{name}`" for name in METRICS) + " |"]
    lines.append("|---" * (len(METRICS) + 2) + "|")
    cells = {(*record[:4], "bootstrap" if record[4] == "bootstrap" else "first"): record[6] for record in figures}
    for design in DESIGNS:
        for rows, double in SIZES:
            row = []
            for name in METRICS:
                first, resampled = (cells.get((design, rows, double, name, how)) for how in ("first", "bootstrap"))
                bold = "**" if first is not None and float(first) < 0.92 else ""
                row.append("" if first is None else f"{bold}{first:.3f}{bold} ({resampled:.3f})")
            lines.append(f"| {design} | {rows:,}, {double} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    given = parser.parse_args()
    figures = list(records(given.samples, given.seed))
    with (given.out / "scoring.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(figures)
    page = given.out / "scoring.md"
    before, _, rest = page.read_text().partition(START)
    page.write_text(f"{before}{START}\n\n{table(figures)}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
