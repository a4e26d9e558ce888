"""Every response with the error of each form of each score."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.judgements.responses import Responses
from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import RowAnswers, row_items
from adjudge.evaluation.take_away.tables import Part
from adjudge.tasks.scoring.study import ScoringStudy


def scoring_items(request: Request) -> Iterator[Part]:
    """Each response and form of a score: the loss is the squared error against the human score."""
    study = request.study_as(ScoringStudy)

    def telling(block: Block, name: str, proper: bool) -> RowAnswers:
        responses: Responses = block.views[name]
        error = responses.second - responses.first
        return RowAnswers({"human": responses.first, "score": responses.second, "error": error}, error**2)

    return row_items(request, study.forms.in_order, telling)
