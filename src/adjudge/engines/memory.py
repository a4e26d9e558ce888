"""All rows at once."""

from __future__ import annotations

from adjudge.data.prepare import Preparation
from adjudge.data.source import Source
from adjudge.engines.base import Collected, Plan, Progress, fold


class Memory:
    """The whole table as one block: fastest, and needs room for it."""

    name = "memory"

    def collect(self, source: Source, preparation: Preparation, plan: Plan, progress: Progress) -> Collected:
        """All sums of the plan."""
        return fold(source, preparation, plan, progress, rows_in_a_block=2**40)
