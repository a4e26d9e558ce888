"""Every row of the trial with what each system expected of treating it."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.judgements.treated import Treated
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import blocks_with_rows, named_rows
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.tasks.uplift.reading import TrialReading


def uplift_items(request: Request) -> Iterator[Part]:
    """Each row and system. Of one row nobody knows what the other arm would have brought: there is no loss."""
    reading = request.reading_as(TrialReading)
    for first_row, batch, block in blocks_with_rows(request):
        for name in reading.scores:
            rows: Treated = block.views[name]
            columns: dict[str, Column] = {"outcome": rows.outcome, "treated": rows.treated, "score": rows.score}
            yield {**named_rows(request, batch, block, first_row), "system": [name] * block.rows, **columns}
