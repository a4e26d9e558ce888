"""Every row with its arm, its outcome and the scores."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.judgements.treated import Treated
from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import rows_of_systems
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.tasks.uplift.reading import TrialReading


def uplift_items(request: Request) -> Iterator[Part]:
    """Each row and system. Of one row nobody knows what the other arm would have brought: there is no loss."""

    def columns(block: Block, name: str) -> dict[str, Column]:
        rows: Treated = block.views[name]
        return {"outcome": rows.outcome, "treated": rows.treated, "score": rows.score}

    return rows_of_systems(request, list(request.reading_as(TrialReading).scores), columns)
