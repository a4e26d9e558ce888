"""Rows with a score and what they are: how they become the cells of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from adjudge.data.judgements.columns import Judgements, Scores
from adjudge.data.judgements.labels import Labels
from adjudge.data.order import Order
from adjudge.data.worked_out import WorkedOut
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.curves.grouping import Inside, ScoreValues, cells_in
from adjudge.statistics.curves.growing import CellTable, GrowingCells, Parts, Truths, compact, small
from adjudge.statistics.curves.points import Points
from adjudge.statistics.weights import Weights

Sliced = tuple[Codes, int]  # the level of each row, and how many there are


class Scored(NamedTuple):
    """What a curve is made of: which rows are positive, and what they score."""

    positive: Truths
    score: Array
    inside: Array | None = None  # (rows, 3): of rows that stand for several, mean score, surprise, squared error
    cut: float = np.inf  # the score that decides
    known: WorkedOut | None = None  # what was worked out once for all slices
    order: Order | None = None  # which row each score is of, where rows that are alike stand once

    @property
    def short(self) -> ScoreValues:
        """The scores in as few bytes as hold them."""
        return compact(self.score) if self.known is None else self.known.once("short", lambda: compact(self.score))

    def one_each(self, weights: Weights) -> bool:
        """Whether a score is of one row; otherwise it is of a cell of several."""
        return weights.times is None or self.order is not None

    def of_rows(self, rows: Codes) -> Scored:
        """Some of the rows."""
        inside = None if self.inside is None else self.inside[rows]
        return Scored(self.positive[rows], self.score[rows], inside, self.cut)


def columns_of_scores(judgements: Judgements, grids: tuple[Array, ...] | None) -> list[tuple[Scored, Array | None]]:
    """The rows of each score column, with its grid."""
    scores = judgements.scores
    assert scores is not None, "a curve needs scores"
    each = judgements.known.once("scored", lambda: _each_scored(judgements.reference, scores))
    return list(zip(each, grids or (None,) * len(each), strict=True))


def _each_scored(reference: Labels, scores: Scores) -> list[Scored]:
    return [
        Scored(
            reference.are(category),
            scores.values[:, k],
            None if scores.inside is None else scores.inside[:, k],
            scores.cut,
            WorkedOut(),
            scores.order,
        )
        for k, category in enumerate(scores.categories)
    ]


def binned_by(scored: Scored, levels: Codes, size: int, grid: Array) -> Callable[[Weights], list[Points]]:
    """What turns weights, draws too, into counts of each level in the cells of a grid of falling thresholds.

    >>> rows = Scored(np.array([True, False, True]), np.array([0.9, 0.2, 0.4]))
    >>> [points.counts.tolist() for points in binned_by(rows, np.array([0, 0, 1]), 2, np.array([0.5, 0.1]))(Weights(3))]
    [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 0.0]]]
    """
    side, nothing = len(grid), np.zeros((2, len(grid)))
    # The level is the leading digit of a cell, what a row is the next.
    cells = cells_in(grid, scored.score) + np.where(scored.positive, 0, side) + levels * (2 * side)

    def sums(weights: Weights) -> list[Points]:
        counts = weights.sum_by(cells, size * 2 * side)
        counts = counts.reshape(*counts.shape[:-1], size, 2, side)
        rows = enumerate(weights.rows_by(levels, size))
        return [Points(grid, counts[..., level, :, :], nothing, many, binned=True) for level, many in rows]

    return sums


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
    inside = None if scored.inside is None else Inside.of_means(scored.inside, weights.amounts, cells, counts)
    return Points(rising[::-1].copy(), counts, squares, weights.rows), inside


def grown(scored: Scored, weights: Weights) -> GrowingCells:
    """The cells of these rows."""
    [[cells]] = grown_by(scored, weights, [(np.zeros(len(scored.positive), dtype=np.int8), 1)])
    return GrowingCells(Parts(), 0) if cells is None else cells


# Rows are put in order of all slices at once where there are at most so many combinations of levels.
MOST_TOGETHER = 2**7


def grown_by(scored: Scored, weights: Weights, slices: Sequence[Sliced]) -> list[list[GrowingCells | None]]:
    """The cells of each level's rows, slice by slice; None where a level has none."""
    if weights.draws is not None:
        raise SettingError("Replicates of curves must be summed in the cells of a grid: give it as `pilot`.")
    if weights.case is not None:
        return [_weighted_by(scored, weights.case, *by) for by in slices]
    if len(slices) > 1 and math.prod(size for _, size in slices) > MOST_TOGETHER:
        return [_waiting_by(scored, weights, [by])[0] for by in slices]
    return _waiting_by(scored, weights, slices)


def _waiting_by(scored: Scored, weights: Weights, slices: Sequence[Sliced]) -> list[list[GrowingCells | None]]:
    """Rows that count one each, in order of what they are and of all these slices; each level has some of the runs."""
    shape = [2, *(size for _, size in slices)]
    codes = (~scored.positive).astype(np.min_scalar_type(math.prod(shape) - 1))
    for levels, size in slices:
        codes *= codes.dtype.type(size)
        codes += levels.astype(codes.dtype, copy=False)
    times = None if scored.order is None else weights.times
    sizes = np.bincount(codes, times, minlength=math.prod(shape)).astype(np.int64)
    codes = codes if scored.order is None else scored.order.spread(codes)
    rising, edges = scored.short.take(np.argsort(codes, kind="stable")), [0, *np.cumsum(sizes).tolist()]
    places = np.arange(len(sizes)).reshape(shape)
    return [
        [
            _waiting(rising, edges, of_level, scored.cut)
            for of_level in np.moveaxis(places, axis, 0).reshape(size, 2, -1).tolist()
        ]
        for axis, (_, size) in enumerate(slices, 1)
    ]


def _waiting(
    rising: ScoreValues, edges: Sequence[int], places: Sequence[Sequence[int]], cut: float
) -> GrowingCells | None:
    """The rows of some runs, which end where the next begins: of positives, and of negatives."""
    positives, negatives = (_joined_runs(rising, edges, of_side) for of_side in places)
    rows = len(positives) + len(negatives)
    return GrowingCells(Parts((), (positives,), (negatives,), cut), rows) if rows else None


def _joined_runs(rising: ScoreValues, edges: Sequence[int], places: Sequence[int]) -> ScoreValues:
    # Copies: a view would keep the whole block for the sake of a rare level.
    if places[-1] - places[0] == len(places) - 1:
        return rising[edges[places[0]] : edges[places[-1] + 1]].copy()
    return np.concatenate([rising[edges[place] : edges[place + 1]] for place in places])


def _weighted_by(scored: Scored, case: Array, levels: Codes, size: int) -> list[GrowingCells | None]:
    scores = scored.short
    rising = np.argsort(scores, kind="stable")
    order = rising[np.argsort(small(levels[rising], size), kind="stable")]
    ends = np.cumsum(np.bincount(levels, minlength=size)).tolist()
    each = [order[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    return [
        GrowingCells(
            Parts((CellTable.of_weighted(scored.positive[rows], scores[rows], case[rows]),), cut=scored.cut), len(rows)
        )
        if len(rows)
        else None
        for rows in each
    ]
