"""Spark: runs of spans as tasks of a SparkSession, wave after wave."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from adjudge.data.foreign import MOST_REASON
from adjudge.engines.spread import SpanRun
from adjudge.errors import SettingError

Result = TypeVar("Result")
# Tasks of each core in a wave: a wave's states are in the driver's memory at once.
AHEAD = 4


@dataclass(frozen=True)
class Spark:
    """A session of a Spark cluster; adjudge must be installed on its workers."""

    session: object
    name: str = "spark"

    def map(self, work: Callable[[SpanRun], Result], runs: Sequence[SpanRun]) -> Iterator[tuple[SpanRun, Result]]:
        """What work makes of each run. Spark does the tasks of an executor that is lost again."""
        context = context_of(self.session)
        wave = AHEAD * max(context.defaultParallelism, 1)
        for start in range(0, len(runs), wave):
            some = list(runs[start : start + wave])
            with carried_out():
                # One partition a run: a slow one holds back no other.
                yield from context.parallelize(some, len(some)).map(lambda run: (run, work(run))).collect()


def context_of(session: object) -> Any:  # a SparkContext, which has no types
    """What runs Python on workers."""
    context = getattr(session, "sparkContext", None)
    if context is None:
        raise SettingError("`engine` must be a session of Spark itself: Spark Connect cannot run Python on spans.")
    return context


@contextmanager
def carried_out() -> Iterator[None]:
    """Turns what Spark says of work that failed into one sentence."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise SettingError(f"Spark must carry out the work, but a task failed: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """What the worker said, from a report of many lines."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reasons = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception")) and " at " not in line]
    if any("No module named 'adjudge'" in line for line in lines):
        return "adjudge is not installed on the workers; see docs/scale.md"
    return (reasons or lines or [type(error).__name__])[-1].rstrip(".")


@contextmanager
def connect(master: str | None) -> Iterator[Spark]:
    """A session of the cluster at a master's URL; without one, the session there is, or one of this machine.

    A session that is started here is stopped after it: the next one would have its master whatever it asked for.
    """
    try:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError:
        raise SettingError(
            'engine="spark" must have Spark, but it is not installed. Install it: pip install "adjudge[spark]".'
        ) from None
    if (master or "local").startswith("local"):  # its workers are here: this Python, not the first one on the path
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("adjudge").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")  # its bars would write over ours
    begun = SparkContext._active_spark_context is None
    try:
        session = (builder.master(master) if master else builder).getOrCreate()
    except Exception as error:
        reason = str(error).strip().partition("\n")[0][:MOST_REASON]
        raise SettingError(
            f"`master` must be the URL of a Spark cluster, and Java must be there, but: {reason}."
        ) from error
    try:
        yield Spark(session)
    finally:
        if begun:
            session.stop()
