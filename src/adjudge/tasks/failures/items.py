"""Every row with how long each system was watched in it, and how often it failed."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import blocks_with_rows, named_rows
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.tasks.failures.reading import WATCHES, WatchReading


def failure_items(request: Request) -> Iterator[Part]:
    """Each row and system."""
    reading = request.reading_as(WatchReading)
    for first_row, batch, block in blocks_with_rows(request):
        values = block.views[WATCHES].values
        for place, name in enumerate(reading.watches):
            columns: dict[str, Column] = {"exposure": values[:, 2 * place], "failures": values[:, 2 * place + 1]}
            yield {**named_rows(request, batch, block, first_row), "system": [name] * block.rows, **columns}
