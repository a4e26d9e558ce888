"""Many rows, two slice columns, with and without a score, beside the bare decoding of the same columns.

    python -m bench.scale [--rows 8000000 16000000 24000000] [--replicates 200] [--engine stream] [--weighted] [--peers]
                          [--speedup] [--shares] [--json FILE]

Synthetic Parquet files of a million rows each are made in a temporary folder: label and answer (two labels), score
(float32, continuous), country (12 levels), device (4) and weight. Every job runs in a process of its own; its cost is
processor seconds from the first row to the result, imports apart, the time that passed, and the peak of its memory.
The ratio is that to the bare decoding of the same columns, beside the most it should be of 100 million rows;
"further" is the ratio of what more rows cost than the size before, so without what any table costs. `--engine stream`
sums on one thread, as bare decoding does; large files have two by default, which share what a processor has.
`--weighted` also measures with case weights, where rows are drawn one by one. `--peers` puts DuckDB's and Polars'
GROUP BY of the same cells beside it (scores in 4,096 cells), on one thread: counts alone, no metric and no interval.
`--speedup` says how many times sooner two threads are done than a stream, by the clock, the best of three each by
turns; on a machine that has other things to do it says little. `--shares` says what part of the processor seconds of
a stream goes where: into cleaning and codes, sums, looking for mistakes, merging blocks, measuring, the fingerprint,
and decoding and whatever else reading takes. `--json` appends to a history: one line a size, with everything that was
measured. Above 24 million rows, files are listed several times.
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
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.speed import most_memory_held

ROWS_A_FILE = 1_000_000
MOST_FILES = 24  # that are written; more rows are the same files under other names
ROWS_A_BATCH = 131_072
LABELS = ("label", "answer")
SLICES = ("country", "device")
COLUMNS = {"labels": (*LABELS, *SLICES), "labels and score": (*LABELS, "score", *SLICES)}
WEIGHTED = {"score and weight": (*LABELS, "score", *SLICES, "weight")}
NUMBERS = ("score", "weight")
GOALS = {"labels": 4.0, "labels and score": 8.0}  # times the bare decoding, of 100 million rows
MOST_MEGABYTES, SOONER = 500, 1.8


@dataclass(frozen=True)
class Cost:
    """What one process took: importing, the job itself in processor seconds and by the clock, its peak of memory."""

    imports: float
    seconds: float
    wall: float
    megabytes: float


@dataclass
class Clock:
    """Times a job: what comes before `begin` is importing."""

    imports: float = 0.0
    started: tuple[float, float] = (0.0, 0.0)

    def begin(self) -> None:
        """From here on the job is timed; a process has done nothing else before than to import."""
        self.imports = time.process_time()
        self.started = self.imports, time.perf_counter()

    def cost(self) -> Cost:
        """What it took until now."""
        seconds, wall = time.process_time() - self.started[0], time.perf_counter() - self.started[1]
        return Cost(self.imports, seconds, wall, most_memory_held())


Figures = dict[str, dict[str, Cost]]  # by columns and job: bare decoding, the whole product, peers


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
    import pyarrow.parquet as pq

    clock = Clock()
    clock.begin()
    texts = [column for column in columns if column not in NUMBERS]
    for path in sorted(folder.glob("*.parquet")):
        file = pq.ParquetFile(path, read_dictionary=texts)
        for _ in file.iter_batches(ROWS_A_BATCH, columns=list(columns), use_threads=False):
            pass
    return clock.cost()


def duckdb_cells(folder: Path, columns: tuple[str, ...]) -> Cost:
    """The same cells, counted by DuckDB."""
    import duckdb

    connection, clock = duckdb.connect(config={"threads": 1}), Clock()
    clock.begin()
    keys = ", ".join("floor(score * 4096)" if name == "score" else name for name in columns)
    files = [str(path) for path in sorted(folder.glob("*.parquet"))]
    connection.execute(f"SELECT {keys}, count(*) FROM read_parquet(?) GROUP BY ALL", [files]).fetchall()
    return clock.cost()


def polars_cells(folder: Path, columns: tuple[str, ...]) -> Cost:
    """The same cells, counted by Polars."""
    import polars as pl

    clock = Clock()
    clock.begin()
    keys = [(pl.col(name) * 4096).floor() if name == "score" else pl.col(name) for name in columns]
    pl.scan_parquet(sorted(folder.glob("*.parquet"))).group_by(keys).len().collect(engine="streaming")
    return clock.cost()


def roles_of(columns: tuple[str, ...], replicates: int, engine: str | None) -> dict[str, object]:
    """What is asked of these columns."""
    roles = {"reference": "label", "prediction": "answer", "slices": list(SLICES), "replicates": replicates}
    if "score" in columns:
        roles |= {"score": "score", "positive": "label 01"}
    if "weight" in columns:
        roles |= {"weight": "weight"}
    return roles if engine is None else roles | {"engine": engine}


def warmed_up(folder: Path, roles: dict[str, object]) -> None:
    """Evaluate a small file, so that nothing is imported while a job is timed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import adjudge

    with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
        file = pq.ParquetFile(next(folder.glob("*.parquet")), pre_buffer=False, buffer_size=2**16)
        few = next(file.iter_batches(1_000, use_threads=False))
        pq.write_table(pa.Table.from_batches([few]), Path(name) / "few.parquet")
        adjudge.evaluate(name, **roles)


def evaluate(folder: Path, columns: tuple[str, ...], replicates: int, engine: str | None) -> Cost:
    """The whole product, by its public door."""
    import adjudge

    roles, clock = roles_of(columns, replicates, engine), Clock()
    warmed_up(folder, roles)
    clock.begin()
    adjudge.evaluate(folder, **roles)
    return clock.cost()


def shares(folder: Path, columns: tuple[str, ...], replicates: int) -> dict[str, float]:
    """Where the processor seconds of a stream go, in shares of all."""
    from adjudge.engines import base, blocks
    from adjudge.evaluation import walk
    from adjudge.evaluation.request import request
    from adjudge.tasks import task_named

    roles = roles_of(columns, replicates, "stream")
    warmed_up(folder, roles)
    asked = request(task_named("classification"), str(folder), **roles)
    spent: Counter[str] = Counter()

    def timed(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            started = time.process_time()
            try:
                return function(*given, **named)
            finally:
                spent[what] += time.process_time() - started

        return call

    reading = type(asked.study.reading)
    reading.read = timed("codes", reading.read)
    for name, what in {"counted_rows": "codes", "looked_at": "check", "sum_block": "sums"}.items():
        setattr(blocks, name, timed(what, getattr(blocks, name)))
    base.Collected.__add__ = timed("merge", base.Collected.__add__)
    collected = timed("collect", walk.collect)(asked)
    timed("fingerprint", asked.source.fingerprint)()
    timed("measure", walk.measure)(asked, collected)
    inside = sum(spent[what] for what in ("codes", "check", "sums", "merge"))
    spent["decode, rest"] = spent.pop("collect") - inside
    whole = sum(spent.values())
    return {what: seconds / whole for what, seconds in spent.items()}


JOBS = {"decode": decode, "duckdb": duckdb_cells, "polars": polars_cells}


def in_own_process(job: str, folder: Path, which: str, replicates: int, engine: str | None = None) -> dict[str, float]:
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
    figures: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return figures


def cost_of(job: str, folder: Path, which: str, replicates: int = 0, engine: str | None = None) -> Cost:
    """What a job took in a process of its own."""
    return Cost(**in_own_process(job, folder, which, replicates, engine))


HEAD = ("decode", "evaluate", "ratio", "goal", "further", "wall s", "imports", "peak MB")


def line(which: str, *figures: float | str | None) -> None:
    """One line of the table: numbers with two decimals, words as they are."""
    cells = ["" if one is None else one if isinstance(one, str) else f"{one:.2f}" for one in figures]
    print(f"{which:<18}" + "".join(f"{one:>10}" for one in cells), flush=True)


def report(rows: int, chosen: argparse.Namespace, before: Figures) -> tuple[Figures, dict[str, object]]:
    """Every job of one size, printed as it ends; what else was asked, by columns."""
    print(f"{rows:,} rows, {chosen.replicates} replicates, {len(SLICES)} slice columns, 17 views; processor seconds")
    line("columns", *HEAD)
    figures: Figures = {}
    beside: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
        folder = Path(name)
        make_files(folder, rows)
        for which in (*COLUMNS, *(WEIGHTED if chosen.weighted else ())):
            bare = min((cost_of("decode", folder, which) for _ in range(3)), key=lambda cost: cost.seconds)
            cost = cost_of("evaluate", folder, which, chosen.replicates, chosen.engine)
            ratio, goal, further = cost.seconds / bare.seconds, GOALS.get(which), "–"
            if which in before:
                less = before[which]
                more = bare.seconds - less["decode"].seconds
                further = f"{(cost.seconds - less['evaluate'].seconds) / more:.2f}"
            wanted = "–" if goal is None else f"≤ {goal:g}"
            line(which, bare.seconds, cost.seconds, ratio, wanted, further, cost.wall, cost.imports, cost.megabytes)
            figures[which] = {"decode": bare, "evaluate": cost}
            for peer in ("duckdb", "polars") if chosen.peers else ():
                figures[which][peer] = counted = cost_of(peer, folder, which)
                times = counted.seconds / bare.seconds
                line(f"  {peer}", None, counted.seconds, times, None, None, counted.wall, None, counted.megabytes)
            if chosen.speedup:
                beside[f"{which}: two threads"] = sooner = speedup(folder, which, chosen.replicates)
                print(f"  two threads are done {sooner:.2f} times as soon as a stream; goal ≥ {SOONER:g}", flush=True)
            if chosen.shares:
                parts = in_own_process("shares", folder, which, chosen.replicates)
                beside[f"{which}: shares"] = parts
                print("  a stream: " + ", ".join(f"{what} {share:.0%}" for what, share in parts.items()), flush=True)
    print(f"memory: goal ≤ {MOST_MEGABYTES} MB of 100 million rows")
    return figures, beside


def speedup(folder: Path, which: str, replicates: int) -> float:
    """How many times sooner two threads are done than a stream: the best of three each, by turns."""
    turns = [[cost_of("evaluate", folder, which, replicates, of).wall for of in ("stream", "threads")] for _ in "123"]
    stream, threads = map(min, zip(*turns, strict=True))
    return stream / threads


def main() -> None:
    """Measure, print, and keep a history where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[8_000_000, 16_000_000, 24_000_000])
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--engine", choices=("stream", "threads"), help="where the sums run; by default the product's")
    parser.add_argument("--weighted", action="store_true", help="also with case weights (minutes)")
    parser.add_argument("--peers", action="store_true", help="also DuckDB and Polars, counting the same cells")
    parser.add_argument("--speedup", action="store_true", help="also two threads against a stream, by the clock")
    parser.add_argument("--shares", action="store_true", help="also where the processor seconds go")
    parser.add_argument("--json", type=Path, help="a file to append the figures to")
    parser.add_argument("--job", choices=("evaluate", "shares", *JOBS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--columns", choices=tuple(COLUMNS | WEIGHTED), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    columns = () if chosen.columns is None else (COLUMNS | WEIGHTED)[chosen.columns]
    if chosen.job in JOBS:
        print(json.dumps(asdict(JOBS[chosen.job](chosen.folder, columns))))
    elif chosen.job == "evaluate":
        print(json.dumps(asdict(evaluate(chosen.folder, columns, chosen.replicates, chosen.engine))))
    elif chosen.job == "shares":
        print(json.dumps(shares(chosen.folder, columns, chosen.replicates)))
    else:
        figures: Figures = {}
        for rows in chosen.rows:
            figures, beside = report(rows, chosen, figures)
            if chosen.json:
                jobs = [
                    {"columns": which, "goal": GOALS.get(which), **{job: asdict(cost) for job, cost in costs.items()}}
                    for which, costs in figures.items()
                ]
                about = {"rows": rows, "replicates": chosen.replicates, "engine": chosen.engine or "usual"}
                about |= {"python": platform.python_version(), "load": os.getloadavg()[0]}
                with chosen.json.open("a", encoding="utf-8") as history:
                    history.write(json.dumps({**about, "jobs": jobs, **beside}) + "\n")


if __name__ == "__main__":
    main()
