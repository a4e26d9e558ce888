"""The same table through adjudge and through its peers, in one process, turn by turn."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

REPLICATES = 2_000
SKLEARN_REPLICATES = 20
YDF_FEWEST = 100  # YDF refuses fewer replicates
STREAM_ROWS = 2_000_000


@dataclass(frozen=True)
class Case:
    """One line of the table: what was done, what it cost us and them. Smaller is better for both."""

    name: str
    ours: float
    unit: str
    peer_name: str = ""
    peer: float | None = None
    target: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times ours the peer costs."""
        return None if self.peer is None else self.peer / self.ours


@dataclass(frozen=True)
class Rows:
    """A binary problem with continuous scores, which single precision holds exactly."""

    label: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None = None

    @classmethod
    def simulated(cls, count: int, *, weighted: bool = False) -> Rows:
        """Three rows in ten are positive; the area under the ROC curve is about 0.86."""
        random = np.random.default_rng(11)
        label = (random.random(count) < 0.3).astype(np.int64)
        score = 1 / (1 + np.exp(1 - random.normal(1.5 * label, 1)))
        weight = random.uniform(0.5, 1.5, count).astype(np.float32) if weighted else None
        return cls(label, score.astype(np.float32), weight)


def cpu_seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time a piece of work takes, all threads together, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def turn_by_turn(repeats: int, *works: Callable[[], Any]) -> list[tuple[float, Any]]:
    """The median cost of each, and the last result; taking turns spreads a busy moment over all."""
    runs = [[cpu_seconds(work) for work in works] for _ in range(repeats)]
    return [(median(cost for cost, _ in column), column[-1][1]) for column in zip(*runs, strict=True)]


def with_adjudge(rows: Rows) -> float:
    """Every metric with every interval; gives the area under the ROC curve."""
    import adjudge

    table = {"label": rows.label, "score": rows.score, "weight": rows.weight}
    table = {name: column for name, column in table.items() if column is not None}
    weight = "weight" if "weight" in table else None
    found = adjudge.evaluate(table, reference="label", score="score", weight=weight, positive=1, replicates=REPLICATES)
    return found["roc_auc"].value


def with_ydf(rows: Rows, replicates: int | bool) -> float:
    """Accuracy, log loss and three areas, the areas with their intervals; gives the area under the ROC curve."""
    import ydf

    found = ydf.evaluate_predictions(
        rows.score,
        rows.label,
        weights=rows.weight,
        task=ydf.Task.CLASSIFICATION,
        bootstrapping=replicates,
        num_threads=1,
    )
    return float(found.characteristics[0].roc_auc)


def with_sklearn(rows: Rows, replicates: int) -> float:
    """Three metrics of resampled rows, as one writes it by hand; gives the area under the ROC curve."""
    from sklearn.metrics import accuracy_score, average_precision_score, roc_auc_score
    from sklearn.utils import resample

    for seed in range(replicates):
        label, score = resample(rows.label, rows.score, random_state=seed)
        roc_auc_score(label, score)
        average_precision_score(label, score)
        accuracy_score(label, score >= 0.5)
    return float(roc_auc_score(rows.label, rows.score))


def hundred_thousand(repeats: int) -> Iterator[Case]:
    """100,000 rows and 2,000 replicates against YDF and against a loop over scikit-learn."""
    rows = Rows.simulated(100_000)
    with_adjudge(rows), with_ydf(rows, False), with_sklearn(rows, 1)  # imports and first calls are not timed
    (ours, a), (ydf, b), (loop, c) = turn_by_turn(
        repeats,
        lambda: with_adjudge(rows),
        lambda: with_ydf(rows, REPLICATES),
        lambda: with_sklearn(rows, SKLEARN_REPLICATES),
    )
    loop *= REPLICATES / SKLEARN_REPLICATES
    same = f"ROC AUC: adjudge {a:.9f}, YDF {b:.9f}, scikit-learn {c:.9f}"
    name = "binary, 100,000 rows, 2,000 replicates"
    yield Case(name, ours, "CPU s", "YDF", ydf, "≥ 50×", ydf / ours >= 50, same)
    scaled = f"scikit-learn loop: {SKLEARN_REPLICATES} replicates timed, scaled to {REPLICATES:,}"
    yield Case(name, ours, "CPU s", "scikit-learn loop", loop, "≥ 200×", loop / ours >= 200, scaled)


def weighted() -> Iterator[Case]:
    """The same with case weights: rows are then drawn one by one."""
    rows = Rows.simulated(100_000, weighted=True)
    (ours, _), (ydf, _) = turn_by_turn(1, lambda: with_adjudge(rows), lambda: with_ydf(rows, REPLICATES))
    note = "case weights: replicates are drawn row by row, which several systems, clusters and several scores need too"
    yield Case("binary, 100,000 weighted rows, 2,000 replicates", ours, "CPU s", "YDF", ydf, note=note)


def one_million(repeats: int, *, full: bool) -> Iterator[Case]:
    """1,000,000 rows and 2,000 replicates against YDF, whose cost is extrapolated unless `full`."""
    rows = Rows.simulated(1_000_000)
    with_adjudge(rows)
    ((ours, _),) = turn_by_turn(repeats, lambda: with_adjudge(rows))
    if full:
        peer, note = cpu_seconds(lambda: with_ydf(rows, REPLICATES))[0], "YDF at 1,000,000 rows: run in full, once"
    else:
        (none, _), (some, _) = turn_by_turn(1, lambda: with_ydf(rows, False), lambda: with_ydf(rows, YDF_FEWEST))
        peer = none + (some - none) * REPLICATES / YDF_FEWEST
        note = (
            f"YDF at 1,000,000 rows: {none:.1f} s without replicates and {some:.1f} s with {YDF_FEWEST}, "
            f"extrapolated linearly to {REPLICATES:,} (--full runs them all)"
        )
    name = "binary, 1,000,000 rows, 2,000 replicates"
    yield Case(name, ours, "CPU s", "YDF", peer, "≥ 100×", peer / ours >= 100, note)
    ours = in_child("speed.with_adjudge(speed.Rows.simulated(1_000_000))")["peak"]
    peer = in_child("speed.with_ydf(speed.Rows.simulated(1_000_000), False)")["peak"]
    without = "peak memory at 1,000,000 rows: of a process of its own; YDF without replicates"
    yield Case("binary, 1,000,000 rows: peak memory", ours, "MB", "YDF", peer, note=without)


def streamed(repeats: int) -> Iterator[Case]:
    """2,000,000 rows of a Parquet file through each engine."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        rows, path = Rows.simulated(STREAM_ROWS), Path(folder) / "rows.parquet"
        table = pa.table({"label": rows.label, "score": rows.score.astype(np.float64)})
        pq.write_table(table, path, row_group_size=250_000)
        stream = [in_child(f"speed.evaluate_file({str(path)!r}, 'stream')") for _ in range(repeats)]
        memory = in_child(f"speed.evaluate_file({str(path)!r}, 'memory')")
    cost, peak = (median(run[key] for run in stream) for key in ("cost", "peak"))
    speed = f"stream: {STREAM_ROWS / cost:,.0f} rows a CPU second, one column of labels and one of scores"
    name = "Parquet, 2,000,000 rows, 2,000 replicates, stream"
    yield Case(name, cost, "CPU s", "memory engine", memory["cost"], note=speed)
    yield Case(f"{name}: peak memory", peak, "MB", "memory engine", memory["peak"])


def evaluate_file(path: str, engine: str) -> dict[str, float]:
    """Every metric with every interval, from a file."""
    import adjudge

    adjudge.evaluate  # noqa: B018 - imports are not timed
    cost, _ = cpu_seconds(lambda: adjudge.evaluate(path, reference="label", score="score", positive=1, engine=engine))
    return {"cost": cost}


def in_child(code: str) -> dict[str, float]:
    """An expression in a process of its own: what it returns, and the most memory the process held, in MB."""
    program = (
        "import json\nfrom bench import speed\n"
        f"found = {code}\n"
        "found = found if isinstance(found, dict) else {}\n"
        "print(json.dumps({**found, 'peak': speed.most_memory_held()}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def most_memory_held() -> float:
    """The most memory this process has held, in MB, the interpreter included."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not ru_maxrss: on Linux a child inherits the mark of the process that started it.
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
