"""An engine that could be anybody's: blocks are summed in other processes, in any order, and travel as bytes."""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

from adjudge.data.reading import Place, Reading, batches_of
from adjudge.data.source import Batch, Source
from adjudge.engines.base import Collected, Planner, Progress, SumPlan, added
from adjudge.engines.blocks import sum_batch


@cache
def workers() -> ProcessPoolExecutor:
    """Two processes that start from nothing: a fork of one that has threads may wait forever."""
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


def summed(sent: bytes) -> bytes:
    """What a worker does: it knows a batch, its place, how to read it and what to sum, and nothing else."""
    work: tuple[Reading, SumPlan, Place, Batch] = pickle.loads(sent)
    reading, plan, place, batch = work
    return pickle.dumps(sum_batch(batch, reading, place, plan))


@dataclass(frozen=True)
class Processes:
    """Two processes, blocks in a random order."""

    seed: int = 1
    name: str = "processes"
    holds_table: bool = False

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        batches = list(batches_of(source, reading, gather=self.holds_table))
        first = next(block for place, batch in batches if (block := reading.read(batch, place.first_row)).rows)
        plan = planner(first) if self.holds_table else planner(first).without_units()
        order = random.Random(self.seed).sample(range(len(batches)), len(batches))
        sent = [pickle.dumps((reading, plan, *batches[k])) for k in order]
        states = dict(zip(order, workers().map(summed, sent), strict=True))
        return added((batches[k][0].number, pickle.loads(states[k])) for k in range(len(batches)))
