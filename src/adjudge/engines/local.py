"""This machine: block after block, of a table in memory or of a file that never is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adjudge.data.reading import Block, Reading, batches_of
from adjudge.data.source import Source
from adjudge.engines.base import Collected, Planner, Progress, added, sum_block


@dataclass(frozen=True, slots=True)
class Local:
    """Blocks are read and added in the order of the table.

    "memory" holds the table, so that what needs the units themselves can be had; "stream" forgets each block.
    """

    name: str
    holds_table: bool

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan."""
        return added(self._sums(source, reading, planner, progress), reading.block_rows)

    def _sums(
        self, source: Source, reading: Reading, planner: Planner, progress: Progress
    ) -> Iterator[tuple[int, Collected]]:
        plan = None
        for first_row, block in blocks_of(source, reading, gather=self.holds_table):
            if plan is None and block.rows:
                plan = planner(block) if self.holds_table else planner(block).without_units()
            yield first_row, Collected(block.facts) if plan is None else sum_block(block, plan)
            progress(block.facts.read)


def blocks_of(source: Source, reading: Reading, *, gather: bool) -> Iterator[tuple[int, Block]]:
    """The clean blocks of a table, each with the number of its first row."""
    for first_row, batch in batches_of(source, reading, gather=gather):
        yield first_row, reading.read(batch, first_row)


ENGINES = {name: Local(name, holds_table) for name, holds_table in (("memory", True), ("stream", False))}
