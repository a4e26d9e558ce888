"""Every row with what was decided: right or wrong, and what the probabilities cost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.reading import Block
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import RowAnswers, row_items
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.evaluation.walk import settled_by_facts
from adjudge.statistics.base import Array
from adjudge.statistics.losses import row_losses
from adjudge.tasks.classification.study import ClassificationStudy


def classification_items(request: Request) -> Iterator[Part]:
    """Each row and system: the loss is that of the probabilities (minus their logarithm), or 1 where it is wrong."""
    request, facts = settled_by_facts(request)
    study = request.study_as(ClassificationStudy)
    labels = ordered_labels(facts.seen["labels"])

    def telling(block: Block, name: str, proper: bool) -> RowAnswers:
        judgements: Judgements = block.views[name]
        scores = judgements.scores
        reference = _texts(judgements.reference.categories, judgements.reference.codes)
        decided = _decided(judgements, study.reading.cut_of(name), labels, proper or bool(study.reading.cuts))
        columns: dict[str, Column] = {"reference": reference}
        loss: Array = np.full(block.rows, np.nan)
        if decided is not None:
            right = _right(judgements, reference, decided)
            columns |= {"prediction": decided, "right": right}
            loss = (~right).astype(np.float64)
        if scores is None:
            return RowAnswers(columns, loss)
        columns |= _scores(scores.categories, scores.values)
        surprise, improper = row_losses(judgements)
        return RowAnswers(columns, surprise if proper else loss, proper=not improper.any())

    yield from row_items(request, [system.name for system in study.reading.systems], telling)


def _texts(categories: tuple[str, ...], codes: NDArray[np.integer]) -> list[str]:
    return [categories[code] for code in codes.tolist()]


def _scores(categories: tuple[str, ...], values: Array) -> dict[str, Column]:
    if len(categories) == 1:
        return {"score": values[:, 0]}
    return {f"score of {label}": column for label, column in zip(categories, values.T, strict=True)}


def _right(judgements: Judgements, reference: list[str], decided: list[str]) -> NDArray[np.bool_]:
    """Which rows were decided right; a lone score decides about its own label only, whatever the others are."""
    both = zip(reference, decided, strict=True)
    if judgements.prediction is None and judgements.scores is not None:
        (positive,) = judgements.scores.categories
        return np.array([(a == positive) == (b == positive) for a, b in both], dtype=np.bool_)
    return np.array([a == b for a, b in both], dtype=np.bool_)


def _decided(judgements: Judgements, cut: float, labels: tuple[str, ...], cuts: bool) -> list[str] | None:
    """What was predicted, or what a lone score decides; None where it decides nothing."""
    if judgements.prediction is not None:
        return _texts(judgements.prediction.categories, judgements.prediction.codes)
    if judgements.scores is None or not cuts:
        return None
    (positive,) = judgements.scores.categories
    others = [label for label in labels if label != positive]
    rest = others[0] if len(others) == 1 else f"not {positive}"
    return [positive if above else rest for above in (judgements.scores.values[:, 0] >= cut).tolist()]
