"""Spark DataFrames: SQL counts their distinct rows where these tell all, else units are summed in 256 fixed buckets.

A DataFrame has no order, so nothing here depends on one, or on how many executors there are: a unit's bucket is a hash
of what it is, a bucket is sorted before it is summed, and buckets are added by their number. A row's number is that of
its bucket and its place there: rows that are drawn one by one are drawn alike on every cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adjudge.data.reading import Reading
from adjudge.data.source import Source
from adjudge.data.tables.spark_frames import SparkTable, arrow_of, spark_table, stream_of, with_rows
from adjudge.engines.base import Collected, Planner, Progress, SumPlan, whole_of
from adjudge.engines.buckets import Bucket
from adjudge.engines.spark import AHEAD, carried_out, context_of
from adjudge.engines.transport import sealed_states, unsealed
from adjudge.errors import AdjudgeError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

# Buckets there are at most, and rows for each of which there is one: by the table alone, never by the cluster.
BUCKETS, BUCKET_ROWS = 256, 4_096
# Distinct rows that SQL counts, and how often each must stand on average for that to pay.
MOST_DISTINCT, WORTH = 2**18, 4


@dataclass(frozen=True)
class SparkFrames:
    """Where a DataFrame is: in the cluster of its own session."""

    name: str = "spark"
    holds_table: bool = False
    summed: str = ", added by bucket"

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan, which is made once, of the rows with the least hashes."""
        table = spark_table(source)
        assert table is not None
        names = list(dict.fromkeys([*reading.texts(), *reading.numbers()]))
        frame, shell = table.selected(names), with_rows(source, stream_of((), names))
        first = Bucket(shell, tuple(names), reading, None)
        with carried_out():
            plan = _plan(frame, first, planner)
            rows, distinct = _counted(frame)
            if plan is not None and _tell_all(plan, reading) and distinct <= min(rows // WORTH, MOST_DISTINCT):
                counts = frame.groupBy(*frame.columns).count().orderBy(*frame.columns)
                return whole_of([first.of_cells(arrow_of(counts), plan)])
            many = min(1 + rows // BUCKET_ROWS, BUCKETS)
            return whole_of(_buckets(table, frame, replace(first, plan=plan), many, progress))


def _plan(frame: DataFrame, bucket: Bucket, planner: Planner) -> SumPlan | None:
    """What is summed, by the first rows in an order that is always the same; None where no row is complete."""
    hashed, least = f"xxhash64({', '.join(frame.columns)}) AS hash", -(2**63)
    while True:
        rows = frame.selectExpr("*", hashed).where(f"hash >= {least}").orderBy("hash", *frame.columns)
        some = arrow_of(rows.limit(bucket.reading.block_rows))
        for _, block in bucket.blocks(some.drop_columns("hash").to_batches()):
            if block.rows:
                return planner(block).without_units()
        if some.num_rows < bucket.reading.block_rows:
            return None
        least = some.column("hash")[-1].as_py() + 1


def _tell_all(plan: SumPlan, reading: Reading) -> bool:
    """Whether distinct rows tell what is asked; names of rows are looked at one by one."""
    alone = reading.together is None and getattr(reading, "id", None) is None
    return alone and plan.of_cells


def _counted(frame: DataFrame) -> tuple[int, int]:
    """How many rows there are, and about how many distinct ones; HyperLogLog says the same on every cluster."""
    [row] = frame.selectExpr("count(*)", f"approx_count_distinct(struct({', '.join(frame.columns)}))").collect()
    return int(row[0]), int(row[1])


def _buckets(table: SparkTable, frame: DataFrame, bucket: Bucket, many: int, progress: Progress) -> Iterator[Collected]:
    """The sums of all buckets by number; so many at a time as the driver holds."""
    together = bucket.reading.together
    keys = [f"c{bucket.names.index(together)}"] if together else frame.columns
    sent = sealed_states(bucket)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyspark import TaskContext

        task = TaskContext.get()
        bucket = unsealed(sent)
        assert isinstance(bucket, Bucket)
        state = bucket.sums(batches, 0 if task is None else task.partitionId())
        yield pa.record_batch([pa.array([sealed_states(state)], pa.binary())], names=["state"])

    rows = frame.repartition(many, *keys).sortWithinPartitions(*keys, *frame.columns)
    states, context = rows.mapInArrow(work, "state binary").rdd, context_of(table.frame.sparkSession)
    wave = AHEAD * max(context.defaultParallelism, 1)
    for start in range(0, many, wave):
        for row in context.runJob(states, list, range(start, min(start + wave, many))):
            state = unsealed(bytes(row[0]))
            if isinstance(state, AdjudgeError):
                raise state
            assert isinstance(state, Collected)
            progress("reading", state.facts.read, 0)
            yield state
