"""Every row with how far off each system is."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import RowAnswers, row_items
from adjudge.evaluation.take_away.tables import Part
from adjudge.tasks.regression.study import RegressionStudy


def regression_items(request: Request) -> Iterator[Part]:
    """Each row and system: the loss is the squared error, whose mean's root is the RMSE."""
    study = request.study_as(RegressionStudy)

    def telling(block: Block, name: str, proper: bool) -> RowAnswers:
        numbers = block.views[name]
        error = numbers.prediction - numbers.reference
        return RowAnswers({"reference": numbers.reference, "prediction": numbers.prediction, "error": error}, error**2)

    return row_items(request, [system.name for system in study.reading.systems], telling)
