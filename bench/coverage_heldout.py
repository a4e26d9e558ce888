"""Coverage of the intervals shown first, of every task, on the designs of bench.heldout.

    python -m bench.coverage_heldout [--samples 200] [--set held] [--only NAME] [--out docs/validation]
    python -m bench.coverage_heldout --summary

Whatever was chosen was chosen on the development set. Each sample is a whole evaluation; designs whose intervals are
formulas of one sum are left to bench.heldout_sums, but only of the first two sets: of the others all are run here. Each
set writes its own file; with --only, the lines of those designs anew. A metric of one category is written
"recall [c]". --summary writes the table at the top of heldout.md from all files.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import adjudge
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.keys import keys_of_labels
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.column_limits import ColumnRows, column_reach, each_unit
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import parse
from bench.heldout.designs import Design
from bench.heldout.sets import SETS, WRITTEN
from bench.heldout_sums import by_formula

LEVEL, WANTED = 0.95, 0.92
REPLICATES = 400
Record = dict[str, Any]


@dataclass
class Tally:
    """Limits of one metric in many samples."""

    ends: list[tuple[float, float]] = field(default_factory=list)
    estimates: list[float] = field(default_factory=list)
    method: str = ""
    none: int = 0
    apart: int = 0  # limits that do not hold their own estimate, or are not numbers

    def add(self, row: Any) -> None:
        """One more estimate."""
        if row is None or np.isnan(row.low):
            self.none += 1
            return
        self.method = self.method or row.method
        self.ends.append((row.low, row.high))
        self.estimates.append(row.estimate)
        self.apart += not (-np.inf < row.low <= row.estimate <= row.high < np.inf)

    def record(self, truth: float) -> Record:
        """How often the limits held the truth, and how wide they are."""
        low, high = np.array(self.ends or [(np.nan, np.nan)]).T
        return {
            "method": self.method or "none",
            "truth": round(truth, 4),
            "intervals": len(self.ends),
            "no_interval": self.none,
            "coverage": round(float(np.mean((low <= truth) & (truth <= high))), 4),
            "truth_above": round(float(np.mean(high < truth)), 4),
            "median_width": round(float(np.median(high - low)), 5),
            "varies": round(float(np.diff(np.quantile(self.estimates or [np.nan], (0.025, 0.975)))[0]), 5),
            "widest": round(float(np.max(high - low)), 5),
            "no_width": int(np.sum(high <= low)),
            "apart": self.apart,
        }


def evaluated(design: Design, table: dict[str, Any], roles: dict[str, Any], seed: int, replicates: int) -> Any:
    """One whole evaluation."""
    metrics = list(dict.fromkeys(name.partition(" [")[0] for name in design.metrics))
    return adjudge.evaluate(table, design.task, metrics=metrics, replicates=replicates, seed=seed, level=LEVEL, **roles)


def first_row(found: Any, metric: str, design: Design) -> Any:
    """What is printed first of a metric."""
    written, _, category = metric.rstrip("]").partition(" [")
    name = repr(parse(written))
    rows = (row for row in found.table if row.metric == name and row.method != "baseline")
    rows = (row for row in rows if not category or row.category == category)
    rows = (row for row in rows if (row.baseline is not None) == design.difference and row.slice == design.level)
    return next((row for row in rows if design.system is None or row.system == design.system), None)


def of_columns(design: Design, metric: str, table: dict[str, Any], seed: int, replicates: int) -> Any:
    """A metric of plain columns: one, two, or the columns of a matrix; of clusters as a gate has them."""
    columns, weights = [table[name] for name in design.roles["columns"]], table.get(design.roles["weight"])
    if (clusters := table.get(design.roles.get("cluster"))) is not None:
        wanted, settings = parse(metric), Bootstrap(replicates, seed)
        values = each_unit(wanted, np.column_stack(columns).astype(float))
        part = ColumnRows(MeasuredColumns(values), weights, keys_of_labels([str(one) for one in clusters]))
        reach = column_reach(wanted, part, settings)
        if isinstance(reach, str):
            return None
        low, high = reach.at(LEVEL)
        return SimpleNamespace(estimate=reach.value, low=low, high=high, method=reach.method)
    given = columns if len(columns) < 3 else [np.column_stack(columns)]
    found = adjudge.estimate(metric, *given, weights=weights, seed=seed, replicates=replicates, level=LEVEL, ok="C1")
    limits = found.interval
    return SimpleNamespace(estimate=found.value, low=limits.low, high=limits.high, method=found.method)


def shown(design: Design, table: dict[str, Any], seed: int, replicates: int) -> dict[str, Any]:
    """What is shown first of each metric."""
    if design.task == "columns":
        return {name: of_columns(design, name, table, seed, replicates) for name in design.metrics}
    found = evaluated(design, table, design.roles_of(table), seed, replicates)
    return {name: first_row(found, name, design) for name in design.metrics}


def truths(design: Design) -> dict[str, float]:
    """The true values: told, or those of very many rows."""
    if design.truths:
        return dict(design.truths)
    table = design.population(np.random.default_rng(1))
    return {name: row.estimate for name, row in shown(design, table, 1, 100).items()}


def simulated(design: Design, samples: int, replicates: int = REPLICATES) -> Iterator[Record]:
    """How often the first interval of each metric holds the true value."""
    true, random = truths(design), np.random.default_rng([2027, *design.name.encode(), design.n])
    tallies = {name: Tally() for name in design.metrics}
    for sample in range(samples):
        table = design.draw(random, design.n)
        try:
            rows = shown(design, table, sample, replicates)
        except AdjudgeError:
            rows = {}
        for name, tally in tallies.items():
            tally.add(rows.get(name))
    for name, tally in tallies.items():
        yield {"task": design.task, "design": design.name, "n": design.n, "metric": name} | tally.record(true[name])


def write(records: Sequence[Record], folder: Path, designs: Sequence[Design], name: str) -> None:
    """The figures of these designs in place of their former ones."""
    path = folder / WRITTEN[name]
    former: list[Record] = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    anew = {(r["task"], r["design"], str(r["n"])) for r in records}
    former = [r for r in former if (r["task"], r["design"], r["n"]) not in anew]
    order = [(d.task, d.name, str(d.n)) for d in designs]
    every = sorted([*former, *records], key=lambda r: order.index((r["task"], r["design"], str(r["n"]))))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for r in every for name in r)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(every)


def recorded(folder: Path) -> Iterator[Record]:
    """Every line of every set that has an interval; where it was drawn again, the figure of the other samples."""
    with (folder / "again.csv").open(encoding="utf-8") as file:
        again = {(r["set"], r["task"], r["design"], r["n"], r["metric"]): r for r in csv.DictReader(file)}
    for name, file_name in (("formulas", "heldout.csv"), *WRITTEN.items()):
        if not (folder / file_name).exists():  # a set that was not run whole
            continue
        two = {(d.task, d.name, str(d.n)) for d in SETS.get(name, ()) if d.difference}
        with (folder / file_name).open(encoding="utf-8") as file:
            for line in csv.DictReader(file):
                key = line["task"], line["design"], line["n"]
                last = again.get((name, *key, line["metric"]), line)
                if int(last["intervals"]):
                    yield last | {"two": key in two, "coverage": float(last["coverage"])}


def summary(records: Sequence[Record]) -> Iterator[str]:
    """For each task and metric: on how many designs it was simulated, where it held least, and how many are below."""
    yield "| task | metric | designs | median | lowest | of | below .92 |"
    yield "|---|---|--:|--:|--:|---|--:|"
    kinds: dict[tuple[bool, str, str], list[Record]] = {}
    for one in records:
        metric = one["metric"].partition(" [")[0].partition("(")[0]
        kinds.setdefault((one["two"], one["task"], metric), []).append(one)
    for (two, task, metric), lines in sorted(kinds.items()):
        least = min(lines, key=lambda r: r["coverage"])
        shares = (float(np.median([r["coverage"] for r in lines])), least["coverage"])
        shown = " | ".join(f"{share:.3f}".replace("0.", ".", 1) for share in shares)
        below = sum(r["coverage"] < WANTED for r in lines)
        whose = f"{task}, two systems" if two else task
        yield f"| {whose} | `{metric}` | {len(lines)} | {shown} | {least['design']}, {least['n']} | {below or '–'} |"
    below = sum(r["coverage"] < WANTED for r in records)
    yield f"| **all** | | {len(records)} | | | | {below} |"


def summarise(folder: Path) -> None:
    """The table at the top of the page, anew from the files."""
    page, begin, end = folder / "heldout.md", "<!-- summary -->\n", "<!-- end of summary -->"
    before, _, rest = page.read_text("utf-8").partition(begin)
    table = "\n".join(summary([*recorded(folder)]))
    page.write_text(f"{before}{begin}\n{table}\n\n{end}{rest.partition(end)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_heldout", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=200, help="samples of each design")
    parser.add_argument("--set", choices=("development", *WRITTEN), default="held")
    parser.add_argument("--replicates", type=int, default=REPLICATES)
    parser.add_argument("--only", default="", help="designs whose task or name holds this")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    parser.add_argument(
        "--summary", action="store_true", help="only the table at the top of heldout.md, from the files"
    )
    chosen = parser.parse_args(arguments)
    if chosen.summary:
        summarise(chosen.out)
        return 0
    every = [d for d in SETS[chosen.set] if chosen.set not in ("development", "held") or not by_formula(d)]
    records: list[Record] = []
    for design in (d for d in every if chosen.only in f"{d.task}: {d.name}"):
        for record in simulated(design, chosen.samples, chosen.replicates):
            records.append(record)
            print(*record.values(), "<<<" if record["coverage"] < WANTED else "", flush=True)
    if chosen.set in WRITTEN:
        write(records, chosen.out, every, chosen.set)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
