"""Real Spark executors and Dask workers give the bits of a stream, also when one is killed at work."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.engines.bits import digest_of
from tests.engines.clusters import Interrupted, at_work, needs_spark, spark
from tests.engines.test_spread import asked, written

from adjudge.data.source import open_source
from adjudge.engines.choice import engine_for
from adjudge.engines.dask import Dask
from adjudge.engines.spark import Spark
from adjudge.evaluation.walk import collect

# Every task, with weights, clusters and slices; all cases are summed in any order in `test_spread`.
EVERY_TASK = (
    "classification: a score and slices",
    "scoring: by person and slices",
    "regression: by cluster and slices, with intervals",
    "agreement: in columns, weighted, and slices",
    "agreement: in rows, items together",
    "ranking: two systems and slices, weighted",
    "uplift: two systems and slices, weighted",
    "preference: traits and models, slices, weighted",
)
HELD = "classification: two systems by cluster, weighted"


def killing(folder: Path, victim: Any) -> threading.Thread:
    """Ends, with SIGKILL, a process of the cluster that holds work; then lets the others go on."""

    def kill() -> None:
        try:
            os.kill(victim(at_work(folder)[0]), signal.SIGKILL)
        finally:
            (folder / "killed").touch()

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def check(cases: Any, scheduler: Any, victim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table"
    table.mkdir()
    written(table)
    for case in cases:
        expected = digest_of(collect(asked(case, table, monkeypatch)))
        assert digest_of(collect(asked(case, table, monkeypatch, scheduler))) == expected, case
    notes = tmp_path / "notes"
    notes.mkdir()
    thread = killing(notes, victim)
    expected = digest_of(collect(asked(HELD, table, monkeypatch)))
    interrupted = Interrupted(scheduler, str(notes))
    assert digest_of(collect(asked(HELD, table, monkeypatch, interrupted))) == expected
    thread.join()
    assert len(list(notes.glob("pid-*"))) > 1


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster of two executors: every task; then one with an executor killed in the middle."""
    needs_spark()
    import psutil

    def executor(worker: int) -> int:
        parents = psutil.Process(worker).parents()
        return next(one.pid for one in parents if any("ExecutorBackend" in part for part in one.cmdline()))

    assert engine_for(spark(), "auto", open_source({"a": [1]})).name == "spark"
    check(EVERY_TASK, Spark(spark()), executor, tmp_path, monkeypatch)


@pytest.mark.dask
def test_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worker processes: every task; then one with a worker killed in the middle."""
    distributed = pytest.importorskip("distributed", reason="DASK IS NOT TESTED: pip install --group clusters")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.abspath("src"), os.path.abspath(".")]))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert engine_for(client, "auto", open_source({"a": [1]})).name == "dask"
        check(EVERY_TASK, Dask(client), lambda pid: pid, tmp_path, monkeypatch)
