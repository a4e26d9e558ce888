"""Every row with how long each system was watched, and how often it failed."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import rows_of_systems
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.tasks.failures.reading import WATCHES, WatchReading


def failure_items(request: Request) -> Iterator[Part]:
    """Each row and system."""
    systems = list(request.reading_as(WatchReading).watches)

    def columns(block: Block, name: str) -> dict[str, Column]:
        values, place = block.views[WATCHES].values, 2 * systems.index(name)
        return {"exposure": values[:, place], "failures": values[:, place + 1]}

    return rows_of_systems(request, systems, columns)
