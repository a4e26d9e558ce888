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
from tests.engines.test_any_scheduler import CASES
from tests.engines.test_spread import asked, written

from adjudge.data.source import open_source
from adjudge.engines.choice import engine_for
from adjudge.engines.dask import Dask, connect
from adjudge.engines.spark import Spark
from adjudge.errors import InputError, SettingError
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import collect, measure, walk
from adjudge.tasks import task_named

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
BY_LABEL = "classification: a score for each label, bca"
# As Spark DataFrames: distinct rows counted by SQL, curves, rows drawn by cluster, and items from anywhere.
OF_FRAMES = (
    "classification: labels and slices",
    "classification: a score and slices",
    "regression: two systems and slices, weighted",
    "ranking: two systems and slices, weighted",
    "preference: traits and models, slices, weighted",
)
BY_ROWS = ("regression: two systems and slices, weighted",)
CUT_TWICE = (OF_FRAMES[0], OF_FRAMES[2], OF_FRAMES[3])  # counted; in buckets of whole rows; of what belongs together
SAME_DRAWS = OF_FRAMES[:2]  # of counts; others begin from other first rows, or add in another order


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
    (one_file := tmp_path / "one").mkdir()
    check_frames(OF_FRAMES, tmp_path / "table", written(one_file, "one group"), monkeypatch)


def check_frames(cases: Any, folder: Path, one_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a DataFrame is cut, the same bits; they are those of files but for the order of additions."""
    monkeypatch.setattr("adjudge.engines.spark_frames.BUCKET_ROWS", 1_700)  # three buckets
    frame, uncut = (spark().read.parquet(str(path)) for path in (folder, one_file))
    assert frame.rdd.getNumPartitions() > uncut.rdd.getNumPartitions() == 1
    for case in cases:
        given = {"cluster": "person"} if case in BY_ROWS else {}
        task, roles = task_named(case.split(":", maxsplit=1)[0]), {"replicates": 100, **CASES[case], **given}
        expected = walk(request(task, str(folder), engine="stream", **roles)).table
        asked_of_frame = request(task, frame, **roles)
        one = collect(asked_of_frame)
        if case in CUT_TWICE:
            assert digest_of(one) == digest_of(collect(request(task, uncut, **roles))), case
        for row, other in zip(measure(asked_of_frame, one).table, expected, strict=True):
            assert (row.metric, row.slice, row.system, row.n) == (other.metric, other.slice, other.system, other.n)
            assert row.estimate == pytest.approx(other.estimate, rel=1e-12, abs=1e-12, nan_ok=True), (case, row)
            if case in SAME_DRAWS:
                assert repr((row.low, row.high)) == repr((other.low, other.high)), (case, row)
    with pytest.raises(SettingError, match="`id`, or what says which rows belong together"):
        collect(request(task_named("classification"), frame, replicates=100, **CASES[BY_LABEL]))
    with pytest.raises(InputError, match="must name a column"):
        request(task_named("regression"), frame, reference="y", prediction="nowhere")


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


def test_dask_that_cannot_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def start(*_: Any, **__: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "Client", start)
    with pytest.raises(SettingError, match=r"^Dask must start processes here, but: Nanny failed to start\.$"):
        connect(None)
    with pytest.raises(SettingError, match="`master` must be the address of a Dask scheduler, but: Nanny failed"):
        connect("tcp://127.0.0.1:1")


def test_what_is_of_dask_but_no_client_is_refused_in_one_sentence() -> None:
    distributed = pytest.importorskip("distributed")
    with pytest.raises(SettingError, match="a Dask Client, not something of the type Lock"):
        engine_for(distributed.Lock("x"), "auto", open_source({"label": ["a"]}))
