"""One Spark session and one Dask cluster for all tests, and what interrupts them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def java_missing() -> str:
    """Why Spark cannot run here; empty if it can."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed: pip install --group clusters"
    java = os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java") if "JAVA_HOME" in os.environ else "java"
    if shutil.which(java) is None:
        return "there is no Java: Spark needs Java 17 or newer"
    started = subprocess.run([java, "-version"], capture_output=True, check=False)
    return "" if started.returncode == 0 else "Java does not start"


def needs_spark() -> None:
    """Skip, loudly, where Spark cannot run."""
    if why := java_missing():
        warnings.warn(f"SPARK IS NOT TESTED: {why}", stacklevel=1)
        pytest.skip(f"SPARK IS NOT TESTED: {why}")


BARS = "spark.ui.showConsoleProgress"
# A session that lives for a minute: little is compiled, and little queried again for its own sake.
SHORT_LIVED = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "2",
    "spark.shuffle.compress": "false",
    "spark.ui.enabled": "false",
    BARS: "false",
}


@cache
def spark() -> Any:
    """A cluster of two executors, each a process with one core, started once."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    builder = SparkSession.builder
    for name, value in SHORT_LIVED.items():
        builder = builder.config(name, value)
    session = (
        builder.master("local-cluster[2,1,1024]")
        .appName("adjudge tests")
        .config("spark.executorEnv.PYTHONPATH", path)
        .config("spark.executorEnv.OMP_NUM_THREADS", "1")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session


@dataclass(frozen=True)
class Noted:
    """Work that says which process does it, and waits there until somebody has been killed."""

    work: Callable[[Any], Any]
    folder: str

    def __call__(self, run: Any) -> Any:
        (Path(self.folder) / f"pid-{os.getpid()}").touch()
        for _ in range(600):
            if (Path(self.folder) / "killed").exists():
                break
            time.sleep(0.05)
        return self.work(run)


@dataclass(frozen=True)
class Interrupted:
    """A scheduler whose work is held until a process is killed."""

    scheduler: Any
    folder: str

    @property
    def name(self) -> str:
        return str(self.scheduler.name)

    def map(self, work: Any, runs: Any) -> Any:
        return self.scheduler.map(Noted(work, self.folder), runs)


def at_work(folder: Path, seconds: float = 60) -> list[int]:
    """The processes that hold work, once there are some."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if pids := [int(path.name[4:]) for path in folder.glob("pid-*")]:
            return pids
        time.sleep(0.05)
    raise AssertionError("no work was begun")
