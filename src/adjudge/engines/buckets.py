"""Rows without an order, as Arrow's batches: what a worker makes of a bucket of them, and of distinct ones counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.reading import Block, Reading, batches_of
from adjudge.data.source import Batch, Source
from adjudge.data.tables.spark_frames import stream_of, with_rows
from adjudge.engines.base import Collected, SumPlan, spans_of
from adjudge.engines.blocks import looked_at, sum_block
from adjudge.errors import AdjudgeError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Bucket:
    """What a worker does with a bucket; all that it knows."""

    shell: Source  # the table as it is written, without rows
    names: tuple[str, ...]
    reading: Reading
    plan: SumPlan | None

    def blocks(self, batches: Iterable[pa.RecordBatch], first_row: int = 0) -> Iterator[tuple[int, Block]]:
        """Arrow's batches as blocks of judgements."""
        rows = with_rows(self.shell, stream_of(batches, self.names))
        for place, batch in batches_of(rows, self.reading, gather=False):
            block = self.reading.read(batch, first_row + place.first_row)
            block = block if self.plan is None else looked_at(block, batch, self.plan, place)
            # How rows follow one another says nothing where they have no order.
            yield place.number, replace(block, facts=block.facts.without_order())

    def sums(self, batches: Iterable[pa.RecordBatch], number: int) -> Collected | AdjudgeError:
        """All sums of a bucket, or why they are refused; no two buckets have rows of the same number."""
        plan, each = self.plan, self.blocks(batches, number << 40)
        summed = ((number, Collected(b.facts) if plan is None else sum_block(b, plan)) for number, b in each)
        try:
            with np.errstate(all="ignore"):
                return reduce(add, (span for _, span in spans_of(summed)), Collected())
        except AdjudgeError as error:
            return error

    def of_cells(self, counted: pa.Table, plan: SumPlan) -> Collected:
        """All sums of distinct rows, each with how often it stands."""
        rows = with_rows(self.shell, stream_of(counted.drop_columns("count").combine_chunks().to_batches(), self.names))
        times = np.asarray(counted.column("count"), dtype=np.int64)
        [batch] = rows.batches(self.reading.texts(), self.reading.numbers(), max(len(times), 1))
        return sum_block(self.reading.read(Batch(batch.rows, batch.columns, times), 0), plan)
