"""Spark: runs of spans as tasks of a SparkSession, wave after wave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from adjudge.engines.spread import Run
from adjudge.errors import SettingError

Result = TypeVar("Result")
# Tasks of each core in a wave: a wave's states are in the driver's memory at once.
AHEAD = 4


@dataclass(frozen=True)
class Spark:
    """A session of a Spark cluster; adjudge must be installed on its workers."""

    session: Any
    name: str = "spark"

    def map(self, work: Callable[[Run], Result], runs: Sequence[Run]) -> Iterator[tuple[Run, Result]]:
        """What work makes of each run. Spark does the tasks of an executor that is lost again."""
        from pyspark.errors import PySparkException

        context = getattr(self.session, "sparkContext", None)
        if context is None:
            raise SettingError("`engine` must be a session of Spark itself: Spark Connect cannot run Python on spans.")
        wave = AHEAD * max(context.defaultParallelism, 1)
        for start in range(0, len(runs), wave):
            some = list(runs[start : start + wave])
            try:
                # One partition a run: a slow one holds back no other.
                yield from context.parallelize(some, len(some)).map(lambda run: (run, work(run))).collect()
            except (PySparkException, _py4j_error()) as error:
                raise SettingError(f"Spark must carry out the work, but a task failed: {_reason(error)}.") from error


def _py4j_error() -> type[Exception]:
    from py4j.protocol import Py4JError

    return Py4JError  # type: ignore[no-any-return]


def _reason(error: Exception) -> str:
    """What the worker said, from a report of many lines."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception")) and " at " not in line]
    if any("No module named 'adjudge'" in line for line in lines):
        return "adjudge is not installed on the workers; see docs/scale.md"
    return (told or lines or [type(error).__name__])[-1].rstrip(".")


def connect(master: str | None) -> Spark:
    """A session of the cluster at a master's URL; without one, the session there is, or one of this machine."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise SettingError(
            'engine="spark" must have Spark, but it is not installed. Install it: pip install "adjudge[spark]".'
        ) from None
    builder = SparkSession.builder.appName("adjudge").config("spark.ui.enabled", "false")
    try:
        return Spark((builder.master(master) if master else builder).getOrCreate())
    except Exception as error:
        raise SettingError(
            f"`master` must be the URL of a Spark cluster, and Java must be there, but: {error}."
        ) from error
