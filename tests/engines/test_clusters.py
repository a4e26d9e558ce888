"""Real Spark executors and Dask workers give the bits of a stream, also when one is killed at work."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.bits import digest_of
from tests.engines.clusters import BARS, SHORT_LIVED, Interrupted, at_work, needs_spark, spark
from tests.engines.test_any_scheduler import CASES
from tests.engines.test_spread import asked, written

from adjudge.data.source import open_source
from adjudge.engines import dask
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
    "failures: two systems, weighted",
    "judges: two systems and slices, weighted",
    "diagnostic: two systems by template, weighted",
    "preference: traits and models, slices, weighted",
)
HELD = "classification: two systems by cluster, weighted"
# As Spark DataFrames: distinct rows counted by SQL; curves; rows drawn one by one; items and people from anywhere.
OF_FRAMES = (
    "classification: labels and slices",
    "classification: a score and slices",
    "classification: a score for each label, bca",
    "regression: two systems and slices, weighted",
    "agreement: in columns, weighted, and slices",
    "agreement: in rows, weighted, by cluster, and slices",
    "ranking: two systems and slices, weighted",
    "scoring: by person and slices",
    "uplift: two systems and slices, weighted",
    "failures: two systems, weighted",
    "judges: two systems and slices, weighted",
    "diagnostic: two systems by template, weighted",
    "preference: traits and models, slices, weighted",
)
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


@contextmanager
def of_another_size(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a cluster with other executors would do otherwise: shuffle into other partitions, add up in other waves."""
    kept = spark().conf.get("spark.sql.shuffle.partitions")
    spark().conf.set("spark.sql.shuffle.partitions", 5)
    with monkeypatch.context() as smaller:
        smaller.setattr("adjudge.engines.spark_frames.AHEAD", 1)  # two buckets at a time, instead of all three
        yield
    spark().conf.set("spark.sql.shuffle.partitions", kept)


def check_frames(cases: Any, folder: Path, one_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a DataFrame is cut and on whatever cluster, the same bits; those of files but for the order of sums."""
    monkeypatch.setattr("adjudge.engines.spark_frames.BUCKET_ROWS", 1_700)  # three buckets
    frame, uncut = (spark().read.parquet(str(path)) for path in (folder, one_file))
    assert frame.rdd.getNumPartitions() > uncut.rdd.getNumPartitions() == 1
    for case in cases:
        task, roles = task_named(case.split(":", maxsplit=1)[0]), {"replicates": 100, **CASES[case]}
        expected = walk(request(task, str(folder), engine="stream", **roles)).table
        asked_of_frame = request(task, frame, **roles)
        one = collect(asked_of_frame)
        with of_another_size(monkeypatch):
            assert digest_of(one) == digest_of(collect(request(task, uncut, **roles))), case
        for row, other in zip(measure(asked_of_frame, one).table, expected, strict=True):
            assert (row.metric, row.slice, row.system, row.n) == (other.metric, other.slice, other.system, other.n)
            assert row.estimate == pytest.approx(other.estimate, rel=1e-12, abs=1e-12, nan_ok=True), (case, row)
            if case in SAME_DRAWS:
                assert repr((row.low, row.high)) == repr((other.low, other.high)), (case, row)
    with pytest.raises(InputError, match="must name a column"):
        request(task_named("regression"), frame, reference="y", prediction="nowhere")


# What a session of one core makes of a DataFrame whose rows are drawn one by one.
ON_ONE_CORE = """
import sys
from pyspark.sql import SparkSession
from tests.engines.bits import digest_of
from tests.engines.clusters import SHORT_LIVED
from tests.engines.test_any_scheduler import CASES
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import collect
from adjudge.tasks import task_named
builder = SparkSession.builder.master("local[1]")
for name, value in SHORT_LIVED.items():
    builder = builder.config(name, value)
path, case = sys.argv[1:]
task = task_named(case.partition(":")[0])
frame = builder.getOrCreate().read.parquet(path)
print(digest_of(collect(request(task, frame, replicates=100, **CASES[case]))))
"""


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_frames_on_clusters_of_two_sizes(tmp_path: Path) -> None:
    """A session of one core in this machine, and a cluster of two executors, draw the same rows."""
    needs_spark()
    case, folder = "regression: two systems and slices, weighted", written(tmp_path)
    path = os.pathsep.join([os.path.abspath("src"), os.path.abspath(".")])
    alone = subprocess.run(
        [sys.executable, "-c", ON_ONE_CORE, str(folder), case],
        env={**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert alone.returncode == 0, alone.stderr[-2_000:]
    frame = spark().read.parquet(str(folder))
    here = digest_of(collect(request(task_named("regression"), frame, replicates=100, **CASES[case])))
    assert alone.stdout.split()[-1] == here


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_quiet_means_quiet(tmp_path: Path) -> None:
    """Neither bars nor warnings of Spark, from its start to its end; workers of this machine have this Python."""
    needs_spark()
    pq.write_table(pa.table({"y": ["a", "b"] * 200, "p": ["a", "a"] * 200}), tmp_path / "t.parquet")
    command = [sys.executable, "-m", "adjudge", "classification", "t.parquet", "--reference", "y", "--prediction", "p"]
    short = " ".join(f"--conf '{name}={value}'" for name, value in SHORT_LIVED.items() if name != BARS)
    done = subprocess.run(
        [*command, "--engine", "spark", "--master", "local[1]", "--quiet", "--csv", "t.csv"],
        env={
            **{name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"},
            "PYTHONPATH": os.path.abspath("src"),
            "PYSPARK_SUBMIT_ARGS": f"{short} pyspark-shell",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "accuracy" in (tmp_path / "t.csv").read_text()


SESSIONS = """
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession
import adjudge
if sys.argv[1] == "own":
    SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
adjudge.classification("t.parquet", reference="y", prediction="p", engine="spark")
print(SparkContext._active_spark_context is not None)
"""


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize(("whose", "runs"), [("ours", "False"), ("own", "True")])
def test_only_a_session_that_was_started_for_it_ends_with_the_evaluation(tmp_path: Path, whose: str, runs: str) -> None:
    needs_spark()
    pq.write_table(pa.table({"y": ["a", "b"] * 20, "p": ["a", "a"] * 20}), tmp_path / "t.parquet")
    done = subprocess.run(
        [sys.executable, "-c", SESSIONS, whose],
        env={**os.environ, "PYTHONPATH": os.path.abspath("src"), "PYSPARK_PYTHON": sys.executable},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split()[-1] == runs


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


@pytest.mark.dask
def test_dask_of_this_machine_needs_no_port_of_its_own() -> None:
    pytest.importorskip("distributed")
    with socket.socket() as taken, warnings.catch_warnings():
        warnings.simplefilter("error")
        with suppress(OSError):  # where somebody has the port already, it is taken as well
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        with connect(None) as here:
            assert sum(here.client.nthreads().values()) > 0


def test_dask_that_cannot_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def start(*_: Any, **__: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "Client", start)
    for address, must in (
        (None, "Dask must start processes here"),
        ("tcp://127.0.0.1:1", "address of a Dask scheduler"),
    ):
        with pytest.raises(SettingError, match=rf"{must}, but: Nanny failed to start\.$"), connect(address):
            pass


@pytest.mark.dask
@pytest.mark.parametrize("raised", [None, KeyboardInterrupt])
def test_dask_of_this_machine_ends_with_the_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException] | None
) -> None:
    """Its processes ran on until the process of the evaluation ended."""
    psutil = pytest.importorskip("psutil")
    pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", os.path.abspath("src"))
    pq.write_table(pa.table({"y": ["a", "b"] * 200, "p": ["a", "a"] * 200}), tmp_path / "t.parquet")
    asked_of_dask = request(
        task_named("classification"), tmp_path / "t.parquet", reference="y", prediction="p", engine="dask"
    )

    def command(process: Any) -> str:
        try:
            return " ".join(process.cmdline())
        except psutil.NoSuchProcess:  # it has ended, whether or not somebody asked how
            return ""

    def workers() -> int:
        return sum("spawn_main" in command(child) for child in psutil.Process().children(recursive=True))

    running, seen = workers(), []

    def done(waiting: Any) -> Any:
        seen.append(workers())
        if raised is not None:
            raise raised
        return was(waiting)

    was = dask._done
    monkeypatch.setattr(dask, "_done", done)
    with nullcontext() if raised is None else pytest.raises(raised):
        collect(asked_of_dask)
    assert seen[0] > running == workers()


def test_what_is_of_dask_but_no_client_is_refused_in_one_sentence() -> None:
    distributed = pytest.importorskip("distributed")
    with pytest.raises(SettingError, match="a Dask Client, not something of the type Lock"):
        engine_for(distributed.Lock("x"), "auto", open_source({"label": ["a"]}))
