"""This machine: block after block, of a table in memory or of a file that never is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from adjudge.data.reading import Block, Place, Reading, batches_of
from adjudge.data.source import Batch, Source
from adjudge.engines.base import Collected, Planner, Progress, SumPlan, added
from adjudge.engines.blocks import looked_at, sum_batch, sum_block

# First blocks without a usable row wait for the plan, which says what is looked at in them: so many before it.
WAITING_BLOCKS = 16


@dataclass(frozen=True, slots=True)
class Local:
    """Blocks are read and added in the order of the table.

    "memory" holds the table, so that what needs the units themselves can be had; "stream" forgets each block.
    """

    name: str
    holds_table: bool

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan."""
        return added(self._sums(source, reading, planner, progress))

    def _sums(
        self, source: Source, reading: Reading, planner: Planner, progress: Progress
    ) -> Iterator[tuple[int, Collected]]:
        plan, waiting = None, list[tuple[Place, Batch, Block]]()
        for place, batch in batches_of(source, reading, gather=self.holds_table):
            if plan is None:
                waiting.append((place, batch, reading.read(batch, place.first_row)))
                yield from _waited(waiting, None, progress, before=place.number - WAITING_BLOCKS)
                plan = self._plan(waiting[-1][2], planner)
                if plan is not None:
                    yield from _waited(waiting, plan, progress)
            else:
                sums = sum_batch(batch, reading, place, plan, progress)
                yield place.number, sums
                progress("reading", sums.facts.read, 0)
        yield from _waited(waiting, plan, progress)

    def _plan(self, block: Block, planner: Planner) -> SumPlan | None:
        """What to sum, told by the first block with a complete row; None where this is none."""
        if not block.rows:
            return None
        return planner(block) if self.holds_table else planner(block).without_units()


def _waited(
    waiting: list[tuple[Place, Batch, Block]], plan: SumPlan | None, progress: Progress, before: float = math.inf
) -> Iterator[tuple[int, Collected]]:
    """The sums of waiting blocks with a number below this; their facts alone where there is no plan."""
    while waiting and waiting[0][0].number < before:
        place, batch, block = waiting.pop(0)
        known = block if plan is None else looked_at(block, batch, plan, place)
        sums = Collected(known.facts) if plan is None else sum_block(known, plan, progress)
        yield place.number, sums
        progress("reading", sums.facts.read, 0)


def blocks_of(source: Source, reading: Reading, *, gather: bool) -> Iterator[tuple[Place, Block]]:
    """The clean blocks of a table, each with its place."""
    for place, batch in batches_of(source, reading, gather=gather):
        yield place, reading.read(batch, place.first_row)


MEMORY, STREAM = Local("memory", holds_table=True), Local("stream", holds_table=False)
