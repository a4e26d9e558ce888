"""What does not grow with the table: memory that a stream takes, names that are kept, footers in place of all bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge.data.facts import Facts
from adjudge.errors import SettingError

PART = 300_000  # rows of the small table; the large one has as many in each of its parts

# A first evaluation takes what any does; beyond that, there is address space for a part of the table.
LIMITED = """
import json, resource, sys
import pyarrow.parquet as pq
import adjudge
path, few, roles, more = *sys.argv[1:3], json.loads(sys.argv[3]), int(sys.argv[4])
adjudge.evaluate(few, engine="stream", **roles)
peak = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmPeak"))
resource.setrlimit(resource.RLIMIT_AS, (peak + more * 2**20,) * 2)
print(adjudge.evaluate(path, engine="stream", **roles).outcome.data.used)
try:
    print(pq.read_table(path, use_threads=False).num_rows)
except MemoryError:
    print("too many")
"""


def few_scores(part: int) -> pa.Table:
    cycle = np.tile(np.arange(1_000) / 1_000, PART // 1_000)
    return pa.table({"label": (cycle > 0.5).astype(np.int64), "p": cycle})


def continuous(part: int) -> pa.Table:
    """No score twice, and slices of which all levels have scores of their own."""
    random = np.random.default_rng(part)
    label = random.random(PART) < 0.3
    score = 1 / (1 + np.exp(-(random.standard_normal(PART) + 2 * label - 1)))
    slices = {"country": random.integers(0, 12, PART), "device": random.integers(0, 4, PART)}
    return pa.table({"label": label.astype(np.int64), "p": score, **slices})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")
@pytest.mark.parametrize(
    ("made", "parts", "asked", "more"),
    [
        pytest.param(
            few_scores, 50, {"metrics": ["roc_auc"]}, 170, id="fifteen million rows, of which 85 MiB hold all"
        ),
        pytest.param(
            continuous, 20, {"slices": ["country", "device"]}, 260, id="six million scores in 17 views, all metrics"
        ),
    ],
)
def test_a_stream_fits_where_the_table_does_not(
    made: Callable[[int], pa.Table], parts: int, asked: dict[str, Any], more: int, tmp_path: Path
) -> None:
    """Under a limit of so many MiB more than a small table takes: 85 are needed of the first, and 212 of the second.

    Of the second, curves that every block touched took 1,001; curves that keep all their scores take 690.
    """
    pq.write_table(made(0), tmp_path / "few.parquet")
    with pq.ParquetWriter(tmp_path / "many.parquet", made(0).schema) as writer:
        for part in range(parts):
            writer.write_table(made(part))
    roles = {"reference": "label", "score": "p", "positive": "1", "replicates": 100, "ok": ["C1"], **asked}
    alone = {"MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    files = [str(tmp_path / name) for name in ("many.parquet", "few.parquet")]
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, *files, json.dumps(roles), str(more)],
        env={**os.environ, **alone},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split("\n")[:2] == [str(parts * PART), "too many"], ended.stderr[-2_000:]


def test_too_many_names_are_looked_at_by_an_even_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same share in whatever order parts are added; names that repeat are still found in it, and it is said."""
    monkeypatch.setattr("adjudge.data.facts.MOST_NAMES", 100)
    random = np.random.default_rng(1)
    parts = [Facts(ids=(np.sort(random.integers(0, 2**63, 60, dtype=np.uint64) * 2),)) for _ in range(12)]
    for order in (parts, parts[::-1]):
        whole = sum(order, Facts())
        assert whole.halved == 3
        assert sum(map(len, whole.ids)) <= 100
    assert whole.repeated == 0
    assert (whole + Facts(ids=whole.ids[:1], halved=3)).repeated == len(whole.ids[0])
    table = {"label": ["a", "b"] * 100, "guess": ["a", "b"] * 100, "name": [f"n{k}" for k in range(200)]}
    monkeypatch.setattr("adjudge.tasks.classification.reading.LabelReading.block_rows", 50)
    rows = adjudge.evaluate(table, reference="label", prediction="guess", id="name", engine="stream", replicates=100)
    assert rows.outcome.settings.choices["Names that repeat"] == "looked for among one in 2 of all names"


def test_a_fingerprint_of_footers(tmp_path: Path) -> None:
    """Of Parquet alone; another table has another, and the bytes before the footer are not read."""
    roles: dict[str, Any] = {"reference": "label", "prediction": "guess", "replicates": 100, "ok": ["C1"]}
    table = {"label": ["a", "b", "b"] * 9, "guess": ["a", "b", "a"] * 9}
    path = tmp_path / "t.parquet"
    digests = []
    for rows in (table, {**table, "guess": ["a", "b", "c"] * 9}):
        pq.write_table(pa.table(rows), path)
        outcome = adjudge.evaluate(str(path), fingerprint="footers", **roles).outcome
        digests.append(outcome.data.fingerprint)
    assert digests[0].startswith("footers:")
    assert digests[0] != digests[1]
    assert adjudge.evaluate(str(path), **roles).outcome.data.fingerprint.startswith("columns:")
    with pytest.raises(SettingError, match="where columns do not stand apart"):
        adjudge.evaluate(table, fingerprint="footers", **roles)
    with pytest.raises(SettingError, match='must be one of "columns", "bytes", "footers"'):
        adjudge.evaluate(table, fingerprint="none", **roles)
