"""What does not grow with the table: memory that a stream takes, names that are kept, footers in place of all bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge.data.facts import Facts
from adjudge.errors import SettingError

ROWS = 15_000_000

# A first evaluation takes what any does; beyond that, there is address space for a part of the table.
LIMITED = """
import resource, sys
import pyarrow.parquet as pq
import adjudge
roles = dict(reference="label", score="p", positive="1", replicates=100, metrics=["roc_auc"], ok=["C1"])
path, few = sys.argv[1:]
adjudge.evaluate(few, engine="stream", **roles)
peak = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmPeak"))
resource.setrlimit(resource.RLIMIT_AS, (peak + 170 * 2**20,) * 2)
print(adjudge.evaluate(path, engine="stream", **roles).outcome.data.used)
try:
    print(pq.read_table(path, use_threads=False).num_rows)
except MemoryError:
    print("too many")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")
def test_a_stream_fits_where_the_table_does_not(tmp_path: Path) -> None:
    """Fifteen million rows, 240 MB, under a limit of 170 MiB more than a small table takes; 85 are needed."""
    cycle = np.arange(1_000) / 1_000
    few = pa.concat_tables([pa.table({"label": (cycle > 0.5).astype(np.int64), "p": cycle})] * 300).combine_chunks()
    pq.write_table(few, tmp_path / "few.parquet")
    with pq.ParquetWriter(tmp_path / "many.parquet", few.schema) as writer:
        for _ in range(ROWS // few.num_rows):
            writer.write_table(few)
    alone = {"MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    files = [str(tmp_path / name) for name in ("many.parquet", "few.parquet")]
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, *files],
        env={**os.environ, **alone},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split("\n")[:2] == [str(ROWS), "too many"], ended.stderr[-2_000:]


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
    assert adjudge.evaluate(str(path), **roles).outcome.data.fingerprint.startswith("sha256:")
    with pytest.raises(SettingError, match="where there are no footers"):
        adjudge.evaluate(table, fingerprint="footers", **roles)
    with pytest.raises(SettingError, match="must be bytes or footers"):
        adjudge.evaluate(table, fingerprint="none", **roles)
