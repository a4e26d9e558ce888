"""Many rows, two slice columns, with and without a score, beside the bare decoding of the same columns.

    python -m bench.scale [--rows 8000000 16000000 24000000] [--replicates 200] [--engine stream] [--weighted] [--peers]
                          [--json FILE]

Synthetic Parquet files of a million rows each are made in a temporary folder: label and answer (two labels), score
(float32, continuous), country (12 levels), device (4) and weight. Every job runs in a process of its own; its cost is
processor seconds from the first row to the result, imports apart, and the peak of its memory. The ratio is that to the
bare decoding of the same columns; "further" is the ratio of what more rows cost than the size before, so without what
any table costs. `--engine stream` sums on one thread, as bare decoding does; large files have two by default, which
share what a processor has. `--weighted` also measures with case weights, where rows are drawn one by one. `--peers`
puts DuckDB's and Polars' GROUP BY of the same cells beside it (scores in 4,096 cells), on one thread: counts alone, no
metric and no interval. `--json` appends to a history: one line a size. Above 24 million rows, files are listed several
times.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.speed import most_memory_held

ROWS_A_FILE = 1_000_000
MOST_FILES = 24  # that are written; more rows are the same files under other names
ROWS_A_BATCH = 131_072
LABELS = ("label", "answer")
SLICES = ("country", "device")
COLUMNS = {"labels": (*LABELS, *SLICES), "labels and score": (*LABELS, "score", *SLICES)}
WEIGHTED = {"score and weight": (*LABELS, "score", *SLICES, "weight")}
NUMBERS = ("score", "weight")


@dataclass(frozen=True)
class Cost:
    """What one process took: importing, the job itself, and its peak of memory."""

    imports: float
    seconds: float
    megabytes: float


Figures = dict[str, tuple[Cost, Cost]]  # by columns: bare decoding, and the whole product


def make_files(folder: Path, rows: int) -> None:
    """Files of a million rows, one row group each; the last may be shorter."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    def named(prefix: str, codes: np.ndarray, size: int) -> pa.Array:
        names = [f"{prefix}{place:02d}" for place in range(size)]
        return pa.DictionaryArray.from_arrays(codes.astype(np.int32), names).cast(pa.string())

    for number, start in enumerate(range(0, rows, ROWS_A_FILE)):
        path = folder / f"part-{number:05d}.parquet"
        if number >= MOST_FILES:
            path.symlink_to(folder / f"part-{number % MOST_FILES:05d}.parquet")
            continue
        size, random = min(ROWS_A_FILE, rows - start), np.random.default_rng(number)
        positive = random.random(size) < 0.3
        score = 1 / (1 + np.exp(-(1.2 * random.standard_normal(size) + 2.0 * positive - 1.5)))
        table = pa.table(
            {
                "label": named("label ", positive, 2),
                "answer": named("label ", score >= 0.5, 2),
                "score": score.astype(np.float32),
                "country": named("country ", random.integers(0, 12, size), 12),
                "device": named("device ", random.integers(0, 4, size), 4),
                "weight": random.gamma(2.0, 1.0, size),
            }
        )
        pq.write_table(table, path, row_group_size=ROWS_A_FILE)


def decode(folder: Path, columns: tuple[str, ...]) -> Cost:
    """Read every row of the columns and do nothing with it."""
    started = time.process_time()
    import pyarrow.parquet as pq

    imported = time.process_time()
    texts = [column for column in columns if column not in NUMBERS]
    for path in sorted(folder.glob("*.parquet")):
        file = pq.ParquetFile(path, read_dictionary=texts)
        for _ in file.iter_batches(ROWS_A_BATCH, columns=list(columns), use_threads=False):
            pass
    return Cost(imported - started, time.process_time() - imported, most_memory_held())


def duckdb_cells(folder: Path, columns: tuple[str, ...]) -> Cost:
    """The same cells, counted by DuckDB."""
    started = time.process_time()
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    imported = time.process_time()
    keys = ", ".join("floor(score * 4096)" if name == "score" else name for name in columns)
    files = [str(path) for path in sorted(folder.glob("*.parquet"))]
    connection.execute(f"SELECT {keys}, count(*) FROM read_parquet(?) GROUP BY ALL", [files]).fetchall()
    return Cost(imported - started, time.process_time() - imported, most_memory_held())


def polars_cells(folder: Path, columns: tuple[str, ...]) -> Cost:
    """The same cells, counted by Polars."""
    started = time.process_time()
    import polars as pl

    imported = time.process_time()
    keys = [(pl.col(name) * 4096).floor() if name == "score" else pl.col(name) for name in columns]
    pl.scan_parquet(sorted(folder.glob("*.parquet"))).group_by(keys).len().collect(engine="streaming")
    return Cost(imported - started, time.process_time() - imported, most_memory_held())


def evaluate(folder: Path, columns: tuple[str, ...], replicates: int, engine: str | None) -> Cost:
    """The whole product, by its public door; a small file first, so that nothing is imported while it is timed."""
    started = time.process_time()
    import pyarrow as pa
    import pyarrow.parquet as pq

    import adjudge

    roles = {"reference": "label", "prediction": "answer", "slices": list(SLICES), "replicates": replicates}
    if "score" in columns:
        roles |= {"score": "score", "positive": "label 01"}
    if "weight" in columns:
        roles |= {"weight": "weight"}
    if engine is not None:
        roles |= {"engine": engine}
    with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
        file = pq.ParquetFile(next(folder.glob("*.parquet")), pre_buffer=False, buffer_size=2**16)
        few = next(file.iter_batches(1_000, use_threads=False))
        pq.write_table(pa.Table.from_batches([few]), Path(name) / "few.parquet")
        adjudge.evaluate(name, **roles)
    imported = time.process_time()
    adjudge.evaluate(folder, **roles)
    return Cost(imported - started, time.process_time() - imported, most_memory_held())


JOBS = {"decode": decode, "duckdb": duckdb_cells, "polars": polars_cells}


def in_own_process(job: str, folder: Path, which: str, replicates: int, engine: str | None = None) -> Cost:
    """Run a job of this module in a new process with one thread for each library."""
    command = [sys.executable, "-m", "bench.scale", "--job", job, "--folder", str(folder), "--columns", which]
    command += [] if engine is None else ["--engine", engine]
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
    one_thread = dict.fromkeys(names, "1")
    ended = subprocess.run(
        [*command, "--replicates", str(replicates)],
        env={**os.environ, **one_thread},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Cost(**json.loads(ended.stdout.splitlines()[-1]))


def report(
    rows: int,
    replicates: int,
    designs: Sequence[str],
    before: Figures,
    *,
    engine: str | None = None,
    peers: bool = False,
) -> Figures:
    """Every job of one size, printed as it ends."""
    print(f"{rows:,} rows, {replicates} replicates, {len(SLICES)} slice columns, 17 views; processor seconds")
    print(f"{'columns':<18}{'decode':>8}{'evaluate':>10}{'ratio':>8}{'further':>9}{'imports':>9}{'peak MB':>9}")
    figures: Figures = {}
    with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
        folder = Path(name)
        make_files(folder, rows)
        for which in designs:
            bare = min((in_own_process("decode", folder, which, 0) for _ in range(3)), key=lambda cost: cost.seconds)
            cost = in_own_process("evaluate", folder, which, replicates, engine)
            further = "–"
            if which in before:
                earlier, less = before[which]
                further = f"{(cost.seconds - less.seconds) / (bare.seconds - earlier.seconds):.1f}"
            print(
                f"{which:<18}{bare.seconds:>8.2f}{cost.seconds:>10.2f}{cost.seconds / bare.seconds:>8.1f}{further:>9}"
                f"{cost.imports:>9.2f}{cost.megabytes:>9.0f}",
                flush=True,
            )
            figures[which] = bare, cost
            for peer in ("duckdb", "polars") if peers else ():
                counted = in_own_process(peer, folder, which, 0)
                print(
                    f"  {peer:<24}{counted.seconds:>10.2f}{counted.seconds / bare.seconds:>8.1f}{'':>18}"
                    f"{counted.megabytes:>9.0f}",
                    flush=True,
                )
    return figures


def main() -> None:
    """Measure, print, and keep a history where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[8_000_000, 16_000_000, 24_000_000])
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--engine", choices=("stream", "threads"), help="where the sums run; by default the product's")
    parser.add_argument("--weighted", action="store_true", help="also with case weights (minutes)")
    parser.add_argument("--peers", action="store_true", help="also DuckDB and Polars, counting the same cells")
    parser.add_argument("--json", type=Path, help="a file to append the figures to")
    parser.add_argument("--job", choices=("evaluate", *JOBS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--columns", choices=tuple(COLUMNS | WEIGHTED), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    every = COLUMNS | WEIGHTED
    if chosen.job in JOBS:
        print(json.dumps(asdict(JOBS[chosen.job](chosen.folder, every[chosen.columns]))))
    elif chosen.job == "evaluate":
        print(json.dumps(asdict(evaluate(chosen.folder, every[chosen.columns], chosen.replicates, chosen.engine))))
    else:
        figures: Figures = {}
        for rows in chosen.rows:
            designs = tuple(every if chosen.weighted else COLUMNS)
            figures = report(rows, chosen.replicates, designs, figures, engine=chosen.engine, peers=chosen.peers)
            if chosen.json:
                jobs = [
                    {"columns": which, "decode": asdict(bare), "evaluate": asdict(cost)}
                    for which, (bare, cost) in figures.items()
                ]
                about = {"rows": rows, "replicates": chosen.replicates, "python": platform.python_version()}
                with chosen.json.open("a", encoding="utf-8") as history:
                    history.write(json.dumps({**about, "jobs": jobs}) + "\n")


if __name__ == "__main__":
    main()
