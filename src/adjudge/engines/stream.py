"""A block of rows at a time, in bounded memory."""

from __future__ import annotations

from adjudge.data.prepare import Preparation
from adjudge.data.source import Source
from adjudge.engines.base import PILOT_ROWS, Collected, Plan, Progress, fold


class Stream:
    """Blocks of the same size whatever the file's own chunks, added in the order of the table."""

    name = "stream"

    def collect(self, source: Source, preparation: Preparation, plan: Plan, progress: Progress) -> Collected:
        """All sums of the plan."""
        return fold(source, preparation, plan, progress, rows_in_a_block=PILOT_ROWS)
