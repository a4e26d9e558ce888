"""Lines of docs/validation/heldout.md that were recorded below .92, on the present code and on other samples.

    python -m bench.coverage_again [--samples 400] [--seed 43] [--set field] [--only NAME] [--out docs/validation]

A share of 150 samples says little of .92: lines that were below it are drawn again with other seeds and more samples,
each metric from a whole evaluation of its design. True values are exact where they were told, and the mean over two
populations where they are measured. Writes their lines of again.csv anew.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from adjudge.errors import AdjudgeError
from bench.coverage_heldout import WANTED, Record, Tally, shown
from bench.heldout.designs import Design
from bench.heldout.sets import SETS, WRITTEN

# The file of a set whose intervals are formulas, beside those that bench.coverage_heldout writes.
FILES = WRITTEN | {"formulas": "heldout.csv"}
POPULATIONS = 2


def below(folder: Path, name: str) -> Iterator[tuple[Design, dict[str, float]]]:
    """The designs of a set with their lines below .92, and what was recorded of these."""
    if not (folder / FILES[name]).exists():  # a set that was not run whole
        return
    with (folder / FILES[name]).open(encoding="utf-8") as file:
        lines = [r for r in csv.DictReader(file) if int(r["intervals"]) and float(r["coverage"]) < WANTED]
    for design in SETS["held" if name == "formulas" else name]:
        same = [r for r in lines if (r["task"], r["design"], int(r["n"])) == (design.task, design.name, design.n)]
        if same:
            former = {r["metric"]: float(r["coverage"]) for r in same}
            yield replace(design, metrics=tuple(former)), former


def true_values(design: Design) -> dict[str, float]:
    """As told, or the mean over several populations."""
    if design.truths:
        return {name: design.truths[name] for name in design.metrics}
    values: dict[str, list[float]] = {name: [] for name in design.metrics}
    for seed in range(1, POPULATIONS + 1):
        table = design.population(np.random.default_rng(seed))
        for name, row in shown(design, table, 1, 100).items():
            values[name].append(row.estimate)
    return {name: float(np.mean(each)) for name, each in values.items()}


def simulated(design: Design, samples: int, replicates: int, seed: int) -> Iterator[Record]:
    """How often the first interval of each metric holds the true value in samples of this seed."""
    true, random = true_values(design), np.random.default_rng([seed, *design.name.encode(), design.n])
    tallies = {name: Tally() for name in design.metrics}
    for sample in range(samples):
        table = design.draw(random, design.n)
        try:
            rows = shown(design, table, 100_000 * seed + sample, replicates)
        except AdjudgeError:
            rows = {}
        for name, tally in tallies.items():
            tally.add(rows.get(name))
    for name, tally in tallies.items():
        record = tally.record(true[name])
        error = (record["coverage"] * (1 - record["coverage"]) / max(record["intervals"], 1)) ** 0.5
        line = {"task": design.task, "design": design.name, "n": design.n, "metric": name}
        yield line | record | {"standard_error": round(error, 4)}


def write(records: Sequence[Record], path: Path) -> None:
    """These lines in place of their former ones."""
    key = ("set", "task", "design", "n", "metric")
    former: list[Record] = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    every = {tuple(str(r[name]) for name in key): r for r in [*former, *records]}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(every[name] for name in sorted(every))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_again", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400, help="samples of each design")
    parser.add_argument("--replicates", type=int, default=300)
    parser.add_argument("--seed", type=int, default=43, help="of the samples")
    parser.add_argument("--set", choices=[*FILES], action="append", help="of these sets alone")
    parser.add_argument("--only", default="", help="designs whose task or name holds this")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to read from and write to")
    chosen = parser.parse_args(arguments)
    for name in chosen.set or FILES:
        for design, former in below(chosen.out, name):
            if chosen.only not in f"{design.task}: {design.name}":
                continue
            records = [
                {"set": name, **record, "recorded": former[record["metric"]]}
                for record in simulated(design, chosen.samples, chosen.replicates, chosen.seed)
            ]
            write(records, chosen.out / "again.csv")
            print(*(tuple(record.values()) for record in records), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
