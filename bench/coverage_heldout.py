"""Coverage of the intervals shown first, of every task, on designs of twelve sets.

    python -m bench.coverage_heldout [--samples 200] [--set held] [--only NAME] [--out docs/validation]

Whatever was chosen was chosen on the development set. Each sample is a whole evaluation; designs whose intervals are
formulas of one sum are left to bench.heldout_sums, but for the last ten sets, of which all are run here. The held-out
set writes heldout_drawn.csv and the second table of heldout.md, the further set further.csv and the third, the mixed
set mixed.csv and the fourth, the users set users.csv and the fifth, the field set field.csv and the sixth, the
numbers set numbers_unseen.csv and the seventh, the auditor set auditor.csv and the eighth, the everyday set
everyday.csv and the ninth, the outside set outside.csv and the tenth, the rare set rare.csv and the eleventh, the
trade set trade.csv and the twelfth; with --only, the lines of those designs anew.
A metric of one category is written "recall [c]".
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.metrics import parse
from bench.auditor_sets import AUDITOR
from bench.everyday_comparisons import EVERYDAY
from bench.field_comparisons import COMPARED
from bench.field_sets import FIELD
from bench.further_sets import FURTHER
from bench.heldout_designs import Design
from bench.heldout_sets import DEVELOPMENT, HELD_OUT
from bench.heldout_sums import by_formula, table_of
from bench.mixed_sets import MIXED
from bench.number_sets import NUMBER_SETS
from bench.outside_sets import OUTSIDE
from bench.rare_sets import RARE
from bench.trade_sets import TRADE
from bench.user_sets import USERS

LEVEL, WANTED = 0.95, 0.92
REPLICATES = 400
Record = dict[str, Any]
# The file of a set, and the comments about its table in heldout.md.
WRITTEN = {
    "held": ("heldout_drawn.csv", "drawn"),
    "further": ("further.csv", "further"),
    "mixed": ("mixed.csv", "mixed"),
    "users": ("users.csv", "users"),
    "field": ("field.csv", "field"),
    "numbers": ("numbers_unseen.csv", "numbers"),
    "auditor": ("auditor.csv", "auditor"),
    "everyday": ("everyday.csv", "everyday"),
    "outside": ("outside.csv", "outside"),
    "rare": ("rare.csv", "rare"),
    "trade": ("trade.csv", "trade"),
}
SETS = {
    "development": DEVELOPMENT,
    "held": HELD_OUT,
    "further": FURTHER,
    "mixed": MIXED,
    "users": USERS,
    "field": FIELD + COMPARED,
    "numbers": NUMBER_SETS,
    "auditor": AUDITOR,
    "everyday": EVERYDAY,
    "outside": OUTSIDE,
    "rare": RARE,
    "trade": TRADE,
}


@dataclass
class Tally:
    """Limits of one metric in many samples."""

    ends: list[tuple[float, float]] = field(default_factory=list)
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


def truths(design: Design) -> dict[str, float]:
    """The true values: told, or those of very many rows."""
    if design.truths:
        return dict(design.truths)
    table = design.population(np.random.default_rng(1))
    found = evaluated(design, table, design.roles_of(table), 1, 100)
    return {name: first_row(found, name, design).estimate for name in design.metrics}


def simulated(design: Design, samples: int, replicates: int = REPLICATES) -> Iterator[Record]:
    """How often the first interval of each metric holds the true value."""
    true, random = truths(design), np.random.default_rng([2027, *design.name.encode(), design.n])
    tallies = {name: Tally() for name in design.metrics}
    for sample in range(samples):
        table = design.draw(random, design.n)
        try:
            found = evaluated(design, table, design.roles_of(table), sample, replicates)
        except AdjudgeError:
            found = None
        for name, tally in tallies.items():
            tally.add(None if found is None else first_row(found, name, design))
    for name, tally in tallies.items():
        yield {"task": design.task, "design": design.name, "n": design.n, "metric": name} | tally.record(true[name])


def write(records: Sequence[Record], folder: Path, designs: Sequence[Design], name: str) -> None:
    """The figures of these designs in place of their former ones, and the table of the page."""
    file_name, mark = WRITTEN[name]
    path, page = folder / file_name, folder / "heldout.md"
    former: list[Record] = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    anew = {(r["task"], r["design"], str(r["n"])) for r in records}
    former = [r | {"coverage": float(r["coverage"])} for r in former if (r["task"], r["design"], r["n"]) not in anew]
    order = [(d.task, d.name, str(d.n)) for d in designs]
    every = sorted([*former, *records], key=lambda r: order.index((r["task"], r["design"], str(r["n"]))))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for r in every for name in r)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(every)
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    before, _, rest = page.read_text("utf-8").partition(begin)
    table = "\n".join(table_of(every))
    page.write_text(f"{before}{begin}\n{table}\n\n{end}{rest.partition(end)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_heldout", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=200, help="samples of each design")
    parser.add_argument("--set", choices=("development", *WRITTEN), default="held")
    parser.add_argument("--replicates", type=int, default=REPLICATES)
    parser.add_argument("--only", default="", help="designs whose task or name holds this")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
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
