"""How often each interval of uplift holds the true value: small arms, rare outcomes, numbers with heavy tails.

    python -m bench.coverage_uplift [--samples 400] [--out docs/validation]

writes uplift.csv, one line for each population, size, metric, assignment and method, and the table of uplift.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.judgements.treated import Treated
from adjudge.evaluation.arrays.estimate import rows_of_statistic
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import qini, uplift_auc
from adjudge.statistics.base import Array
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.statistics.weights import Weights

LEVEL, POOL, REPLICATES = 0.95, 400_000, 400
SIZES = ((30, 60), (100, 200), (20, 200), (10, 200), (50, 1_000))  # treated of all
METHODS = ("bayesian_student", "bootstrap")
MARKS = ("<!-- coverage -->\n", "<!-- end of coverage -->")
Making = Callable[[np.random.Generator, int], tuple[Array, Array, Array]]


def bought(base: float, effect: float) -> Making:
    """A share buys; treating helps those with a high score, and harms a little the others."""

    def rows(random: np.random.Generator, size: int) -> tuple[Array, Array, Array]:
        taste = random.random(size)
        score = np.round(taste + random.normal(0, 0.3, size), 1)
        without = base + 0.1 * taste
        treated = np.clip(without + effect * (taste - 0.2), 0, 1)
        luck = random.random(size)
        return score, (luck < treated).astype(np.float64), (luck < without).astype(np.float64)

    return rows


def spent(random: np.random.Generator, size: int) -> tuple[Array, Array, Array]:
    """Sums of money, log-normal; treating adds to them by the score."""
    score = random.random(size)
    amount = random.lognormal(0, 1, size)
    return score, amount * (1 + score), amount


POPULATIONS: dict[str, Making] = {
    "common outcome": bought(0.3, 0.4),
    "rare outcome": bought(0.05, 0.15),
    "no effect": bought(0.3, 0.0),
    "money": spent,
}


def _statistic(score: Array, treated: Array, outcome: Array) -> UpliftCells:
    rows = Treated(outcome, treated, score)
    return UpliftCells.summing(rows)(Weights(len(rows)))


def simulated(kind: str, samples: int) -> list[dict[str, Any]]:
    """Every size, metric, assignment and method of one population."""
    making, place = POPULATIONS[kind], list(POPULATIONS).index(kind)
    score, with_it, without = making(np.random.default_rng([place, 3]), POOL)
    arms = np.repeat([True, False], POOL)
    records = []
    for treated, size in SIZES:
        share = treated / size
        # In the population the arms are as large as the design makes them.
        whole = UpliftCells.summing(Treated(np.append(with_it, without), arms, np.tile(score, 2)))(
            Weights(2 * POOL, case=np.repeat([share, 1 - share], POOL))
        )
        truth = {metric: float(metric.values(whole)) for metric in (qini, uplift_auc)}
        held: dict[tuple[Any, ...], list[tuple[bool, float]]] = {}
        random = np.random.default_rng([place, size, treated])
        for sample in range(samples):
            drawn = random.integers(0, POOL, size)
            arm = random.permutation(np.arange(size) < treated)
            cells = _statistic(score[drawn], arm, np.where(arm, with_it[drawn], without[drawn]))
            for strata, of in (("", cells), ("arm", cells.with_fixed_arms())):
                for metric, true in truth.items():
                    settings = Bootstrap(REPLICATES, sample)
                    for row in rows_of_statistic(metric, of, methods=METHODS, settings=settings, level=LEVEL):
                        if row.method in METHODS:
                            inside = (row.low <= true <= row.high, row.high - row.low)
                            held.setdefault((metric, strata, row.method), []).append(inside)
        for (metric, strata, method), found in held.items():
            coverage, width = (float(part) for part in np.mean(found, axis=0))
            shown = {"population": kind, "treated": treated, "rows": size, "metric": repr(metric), "strata": strata}
            records.append(shown | {"method": method, "truth": truth[metric], "coverage": coverage, "width": width})
    return records


def table(records: list[dict[str, Any]]) -> list[str]:
    """The worst and the middle coverage over populations and metrics."""
    columns = [(strata, method) for strata in ("", "arm") for method in METHODS]
    heads = [f"`{method}`" + (", arms fixed" if strata else "") for strata, method in columns]
    lines = ["| treated | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for treated, size in SIZES:
        cells = []
        for strata, method in columns:
            key = (treated, size, strata, method)
            of = [r for r in records if (r["treated"], r["rows"], r["strata"], r["method"]) == key]
            shares = [r["coverage"] for r in of]
            cells.append(f"{min(shares):.3f} / {np.median(shares):.3f}")
        lines.append(f"| {treated} of {size:,} | " + " | ".join(cells) + " |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_uplift", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    chosen = parser.parse_args(arguments)
    records = [record for kind in POPULATIONS for record in simulated(kind, chosen.samples)]
    with (chosen.out / "uplift.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows({k: f"{v:.4f}" if isinstance(v, float) else v for k, v in r.items()} for r in records)
    page = chosen.out / "uplift.md"
    before, _, rest = page.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    lines = "\n".join(table(records))
    page.write_text(f"{before}{MARKS[0]}\n{lines}\n\n{MARKS[1]}{after}", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
