"""False alarms where there is nothing to find: drift, two teams of raters, fairness, slices that are said to be beyond.

    python -m bench.false_alarms [--tables 400] [--only drift] [--out docs/validation]

Every table is drawn without any effect, so that every alarm is false. Writes false_alarms.csv and the table of
decisions.md. At 5 % a share of 400 tables is known to ± 2.2 points (two standard errors).
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.false_alarms.alarms import Draw
from bench.false_alarms.crossed import CROSSED
from bench.false_alarms.everyday import EVERYDAY
from bench.false_alarms.field import FIELD
from bench.false_alarms.promises import PROMISED
from bench.false_alarms.trade import TRADE
from bench.false_alarms.unequal import UNEQUAL
from bench.false_alarms.users import USERS
from bench.false_alarms.usual import USUAL
from bench.false_alarms.verdicts import VERDICTS

MOST = 0.06
BEGIN, END = "<!-- alarms -->", "<!-- end of alarms -->"


DESIGNS: dict[str, dict[str, Draw]] = USUAL | USERS | FIELD | EVERYDAY | VERDICTS | TRADE | CROSSED | UNEQUAL | PROMISED


def simulated(what: str, design: str, draw: Draw, tables: int) -> Iterator[dict[str, object]]:
    """How often each alarm of a design is raised."""
    random, counts = np.random.default_rng([2028, *what.encode(), *design.encode()]), dict[str, list[bool]]()
    for _ in range(tables):
        for name, alarm in draw(random).items():
            counts.setdefault(name, []).append(bool(alarm))
    for name, alarms in counts.items():
        rate = float(np.mean(alarms))
        error = float(np.sqrt(max(rate * (1 - rate), 1e-4) / tables))
        yield {
            "what": what,
            "design": design,
            "of": name,
            "rate": round(rate, 4),
            "error": round(error, 4),
            "tables": tables,
        }


def write(records: Sequence[dict[str, object]], folder: Path) -> None:
    """The figures in place of the former ones of the same kind, and the table of the page."""
    path, page = folder / "false_alarms.csv", folder / "decisions.md"
    former: list[dict[str, object]] = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    anew = {one["what"] for one in records}
    every = [one for one in former if one["what"] not in anew] + list(records)
    every.sort(key=lambda one: list(DESIGNS).index(str(one["what"])))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(every[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(every)
    lines = ["| | no effect | of | alarms at 5 % | tables |", "|:--|:--|:--|--:|--:|"]
    for one in every:
        rate, error = float(str(one["rate"])), float(str(one["error"]))
        mark = "*" if rate - 2 * error > MOST else ""
        shown = f"{100 * rate:.1f} % ± {100 * error:.1f}{mark}"
        lines.append(f"| {one['what']} | {one['design']} | {one['of']} | {shown} | {one['tables']} |")
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    table = "\n".join(lines)
    page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.false_alarms", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--only", default="", help="one of " + ", ".join(DESIGNS))
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
    records = []
    for what, designs in DESIGNS.items():
        for design, draw in designs.items() if chosen.only in what else ():
            for record in simulated(what, design, draw, chosen.tables):
                records.append(record)
                print(*record.values(), flush=True)
    write(records, chosen.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
