"""Rows with a score and what they are: how they become the cells of a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from adjudge.data.columns import Judgements
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.grouping import Inside, Scores
from adjudge.statistics.growing import CellTable, GrowingCells, Parts, Truths, compact, small, stable_order
from adjudge.statistics.points import Points
from adjudge.statistics.weights import Weights


class Scored(NamedTuple):
    """What a curve is made of: which rows are positive, and what they score."""

    positive: Truths
    score: Array
    inside: Array | None = None  # (rows, 3): of rows that stand for several, sums of score, surprise, squared error
    cut: float = np.inf  # the score that decides
    known: dict[str, Scores] | None = None  # what was worked out once for all slices

    @property
    def short(self) -> Scores:
        """The scores in as few bytes as hold them."""
        if self.known is None:
            return compact(self.score)
        if "short" not in self.known:
            self.known["short"] = compact(self.score)
        return self.known["short"]

    def of_rows(self, rows: Codes) -> Scored:
        """Some of the rows."""
        inside = None if self.inside is None else self.inside[rows]
        return Scored(self.positive[rows], self.score[rows], inside, self.cut)


def columns_of_scores(judgements: Judgements, grids: tuple[Array, ...] | None) -> list[tuple[Scored, Array | None]]:
    """The rows of each score column, with its grid."""
    scores = judgements.scores
    assert scores is not None, "a curve needs scores"
    each = judgements.known.get("scored")
    if each is None:
        each = judgements.known["scored"] = [
            Scored(judgements.reference.are(category), scores.values[:, column], scores.inside, scores.cut, {})
            for column, category in enumerate(scores.categories)
        ]
    return list(zip(each, grids or (None,) * len(each), strict=True))


def counted(scored: Scored, weights: Weights) -> tuple[Points, Inside | None]:
    """The points of rows that stand for several each, whose score is the least of a cell, and what is inside.

    >>> cells = Scored(np.array([True, False, False]), np.array([0.5, 0.5, 0.25]))
    >>> counted(cells, Weights.standing_for(np.array([2, 3, 4])))[0].counts.tolist()
    [[2.0, 0.0], [3.0, 4.0]]
    """
    rising, place = np.unique(scored.score, return_inverse=True)
    size = len(rising)
    cells = size - 1 - place.reshape(-1) + np.where(scored.positive, 0, size)
    counts, squares = (sums.reshape(2, size) for sums in weights.sums_by(cells, 2 * size))
    inside = None if scored.inside is None else Inside.of_sums(scored.inside, cells, counts)
    return Points(rising[::-1].copy(), counts, squares, weights.rows), inside


def grown(scored: Scored, weights: Weights) -> GrowingCells:
    """The cells of these rows."""
    (cells,) = grown_by(scored, weights, np.zeros(len(scored.score), dtype=np.int64), 1)
    return GrowingCells(Parts(), 0) if cells is None else cells


def grown_by(scored: Scored, weights: Weights, levels: Codes, size: int) -> list[GrowingCells | None]:
    """The cells of each level's rows, None where it has none."""
    if weights.draws is not None:
        raise SettingError("Replicates of curves must be summed in the cells of a grid: give it as `pilot`.")
    scores = scored.short
    if weights.case is None:
        sides = small(levels, 2 * size)
        sides *= 2
        sides += ~scored.positive
        order = stable_order(sides)
        sizes, by_side = np.bincount(sides, minlength=2 * size), scores.take(order)
        ends = np.cumsum(sizes).tolist()
        # Copies: a view would keep the whole block for the sake of a rare level.
        parts = [by_side[start:end].copy() for start, end in zip([0, *ends[:-1]], ends, strict=True)]
        return [
            GrowingCells(Parts((), (positives,), (negatives,), scored.cut), len(positives) + len(negatives))
            if len(positives) + len(negatives)
            else None
            for positives, negatives in zip(parts[::2], parts[1::2], strict=True)
        ]
    rising = np.argsort(scores, kind="stable")
    order = rising[stable_order(small(levels[rising], size))]
    ends = np.cumsum(np.bincount(levels, minlength=size)).tolist()
    each = [order[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    return [
        GrowingCells(
            Parts((CellTable.of_weighted(scored.positive[rows], scores[rows], weights.case[rows]),), cut=scored.cut),
            len(rows),
        )
        if len(rows)
        else None
        for rows in each
    ]
