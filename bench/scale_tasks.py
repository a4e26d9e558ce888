"""Agreement, scoring and text files of many rows, each beside the bare reading of the same columns.

    python -m bench.scale_tasks [--rows 10000000] [--cases agreement scoring csv csv.gz limited] [--turns 2]
                                [--json FILE]

Synthetic files are made in a temporary folder: five raters who use five labels; two human scores, a system's score and
two slice columns. Each job runs in a process of its own, by turns with its peer, and the smallest of its costs counts:
processor seconds of all threads, imports apart. On processors that have other work, two turns are too few. For Parquet
the peer is `ParquetFile.iter_batches` of these columns; for CSV it is pyarrow's own reader with its own choices, of
half of the rows, and ours reads the columns and sums nothing.
"limited" evaluates a label, a decision, a score and two slice columns in an address space of so many megabytes more
than a table of a few rows has taken: it ends with "There must be enough memory" where the sums need more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.scale import ROWS_A_BATCH, ROWS_A_FILE, Clock, Cost, make_files

RATERS = tuple(f"rater {place}" for place in range(1, 6))
SCORES, SLICES = ("h1", "h2", "engine"), ("gender", "l1")
TEXTS = {"agreement": RATERS, "scoring": SLICES, "limited": ("label", "answer", "country", "device")}
NUMBERS = {"agreement": (), "scoring": SCORES, "limited": ("score",)}
TARGETS = {"agreement": 6.0, "scoring": 6.0, "csv": 1.3, "csv.gz": 1.3}
LIMIT = 300  # megabytes of addresses besides those that libraries reserve: Arrow's allocator alone takes 1,024


def make_ratings(folder: Path, rows: int) -> None:
    """Files of a million items, five raters each, who agree with a truth seven times in ten."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = pa.array([f"kind {place}" for place in range(1, 6)])
    for number, start in enumerate(range(0, rows, ROWS_A_FILE)):
        size, random = min(ROWS_A_FILE, rows - start), np.random.default_rng(number)
        truth = random.integers(0, 5, size, dtype=np.int32)
        said = {}
        for rater in RATERS:
            codes = np.where(random.random(size) < 0.7, truth, random.integers(0, 5, size, dtype=np.int32))
            said[rater] = pa.DictionaryArray.from_arrays(codes, names).cast(pa.string())
        pq.write_table(pa.table(said), folder / f"part-{number:05d}.parquet", row_group_size=ROWS_A_FILE)


def make_scores(folder: Path, rows: int) -> None:
    """Files of a million responses with two human scores, a system's score and slices of 5 and 8 levels."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number, start in enumerate(range(0, rows, ROWS_A_FILE)):
        size, random = min(ROWS_A_FILE, rows - start), np.random.default_rng(number)
        truth = random.normal(3.5, 1, size)
        columns: dict[str, Any] = {
            name: np.clip(np.rint(truth + random.normal(0, 0.5, size)), 1, 6) for name in ("h1", "h2")
        }
        columns["engine"] = truth + random.normal(0, 0.4, size)
        for name, levels in zip(SLICES, (5, 8), strict=True):
            texts = pa.array([f"{name} {place}" for place in range(levels)])
            codes = random.integers(0, levels, size, dtype=np.int32)
            columns[name] = pa.DictionaryArray.from_arrays(codes, texts).cast(pa.string())
        pq.write_table(pa.table(columns), folder / f"part-{number:05d}.parquet", row_group_size=ROWS_A_FILE)


def make_text(folder: Path, rows: int) -> None:
    """A CSV file of a label, a decision, a score and two slice columns, and the same zipped."""
    import pyarrow.csv as pcsv
    import pyarrow.parquet as pq

    make_files(folder, rows)
    columns = ["label", "answer", "score", "country", "device"]
    table = pq.read_table(folder, columns=columns)
    pcsv.write_csv(table, folder / "table.csv")
    with (folder / "table.csv").open("rb") as text, gzip.open(folder / "table.csv.gz", "wb", compresslevel=3) as zipped:
        shutil.copyfileobj(text, zipped)


def decode(case: str, folder: Path) -> None:
    """Read every row of the columns and do nothing with it."""
    if case.startswith("csv"):
        import pyarrow as pa
        import pyarrow.csv as pcsv

        with pa.input_stream(str(folder / f"table.{case}"), compression="gzip" if case == "csv.gz" else None) as stream:
            for _ in pcsv.open_csv(stream):
                pass
        return
    import pyarrow.parquet as pq

    columns = [*TEXTS[case], *NUMBERS[case]]
    for path in sorted(folder.glob("*.parquet")):
        file = pq.ParquetFile(path, read_dictionary=list(TEXTS[case]))
        for _ in file.iter_batches(ROWS_A_BATCH, columns=columns, use_threads=False):
            pass


def evaluate(case: str, table: Any) -> None:
    """The whole product, by its public door; of a text file, its reader alone."""
    import adjudge

    if case.startswith("csv"):
        from adjudge.data.memory import hold_memory
        from adjudge.data.source import open_source

        path = table / f"table.{case}" if table.is_dir() else table
        hold_memory()  # as every evaluation does before it reads
        for _ in open_source(path).batches(["label", "answer", "country", "device"], ["score"]):
            pass
    elif case == "agreement":
        adjudge.agreement(table, raters=list(RATERS), replicates=200, engine="stream")
    elif case == "scoring":
        roles: dict[str, Any] = {"raters": ["h1", "h2"], "prediction": "engine", "min": 1, "max": 6}
        adjudge.evaluate(table, "scoring", **roles, slices=list(SLICES), replicates=200, engine="stream")
    else:
        roles = {"reference": "label", "prediction": "answer", "score": "score", "positive": "label 01"}
        adjudge.evaluate(table, **roles, slices=["country", "device"], replicates=200, engine="stream")


FEW: dict[str, dict[str, list[Any]]] = {
    "agreement": {rater: ["kind 1", "kind 2", "kind 3", "kind 1"] * 10 for rater in RATERS},
    "scoring": {
        "h1": [1.0, 2, 3, 4, 5, 6] * 7,
        "h2": [1.0, 2, 3, 4, 5, 5] * 7,
        "engine": [1.5, 2.5, 2, 4, 5, 5.5] * 7,
        "gender": ["a", "b"] * 21,
        "l1": ["c", "d", "e"] * 14,
    },
    "limited": {
        "label": ["label 00", "label 01"] * 20,
        "answer": ["label 00", "label 01", "label 01", "label 01"] * 10,
        "score": [0.1, 0.9, 0.7, 0.6] * 10,
        "country": ["a"] * 40,
        "device": ["b"] * 40,
    },
}


def addresses_taken() -> int:
    """How many bytes of addresses this process has, used or not."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def job(case: str, folder: Path, *, bare: bool) -> Cost:
    """One job in this process: what is imported first is not counted."""
    if bare:
        import_module("pyarrow.csv")
        import_module("pyarrow.parquet")
    else:
        import_module("adjudge.report.evaluation")
        if case.startswith("csv"):
            with tempfile.TemporaryDirectory() as few:
                path = Path(few) / "few.csv"
                path.write_text("label,answer,score,country,device\na,b,0.5,c,d\n")
                evaluate(case, path)
        if case in FEW:
            import pyarrow as pa
            import pyarrow.parquet as pq

            with tempfile.TemporaryDirectory() as few:
                pq.write_table(pa.table(FEW[case]), Path(few) / "few.parquet")
                evaluate(case, Path(few) / "few.parquet")
    if case == "limited" and not bare:
        limit = addresses_taken() + (LIMIT << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    clock = Clock()
    clock.begin()
    (decode if bare else evaluate)(case, folder)
    return clock.cost()


def cost_of(case: str, folder: Path, *, bare: bool) -> Cost:
    """The cost of a job in a process of its own."""
    command = [sys.executable, "-m", "bench.scale_tasks", "--job", case, "--folder", str(folder)]
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    ended = subprocess.run(
        [*command, *(["--bare"] if bare else [])],
        env={**os.environ, **one_thread},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Cost(**json.loads(ended.stdout.splitlines()[-1]))


def smallest(case: str, folder: Path, turns: int) -> tuple[Cost, Cost]:
    """The costs of the bare reading and of ours, the smallest of so many each, by turns."""
    costs = [(cost_of(case, folder, bare=True), cost_of(case, folder, bare=False)) for _ in range(turns)]
    bare, ours = (min(several, key=lambda cost: cost.seconds) for several in zip(*costs, strict=True))
    return bare, ours


MADE: dict[str, Callable[[Path, int], None]] = {
    "agreement": make_ratings,
    "scoring": make_scores,
    "csv": make_text,
    "csv.gz": make_text,
    "limited": make_files,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale_tasks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--cases", nargs="+", choices=tuple(MADE), default=list(MADE))
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--json", type=Path, help="a file to append the figures to")
    parser.add_argument("--job", choices=tuple(MADE), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.job:
        print(json.dumps(asdict(job(chosen.job, chosen.folder, bare=chosen.bare))))
        return
    print(f"{'case':<12}{'rows':>12}{'bare':>8}{'ours':>8}{'ratio':>8}{'goal':>7}{'peak MB':>9}")
    for case in chosen.cases:
        rows = chosen.rows // 2 if case.startswith("csv") else chosen.rows
        with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
            MADE[case](Path(name), rows)
            bare, ours = smallest(case, Path(name), chosen.turns)
        goal = f"{TARGETS[case]:.1f}" if case in TARGETS else "–"
        ratio = ours.seconds / bare.seconds
        print(
            f"{case:<12}{rows:>12,}{bare.seconds:>8.2f}{ours.seconds:>8.2f}{ratio:>8.2f}{goal:>7}{ours.megabytes:>9.0f}",
            flush=True,
        )
        if chosen.json:
            with chosen.json.open("a", encoding="utf-8") as history:
                history.write(
                    json.dumps({"case": case, "rows": rows, "bare": asdict(bare), "ours": asdict(ours)}) + "\n"
                )


if __name__ == "__main__":
    main()
