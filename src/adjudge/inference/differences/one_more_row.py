"""How far a metric moves with one row more, on which a system errs: what two systems may differ by and no row shows."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Unseen
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.queries.means import QueryMeans

# Scores of each label at which one more row is tried, evenly spread over its rows.
TRIED = 32
# Of a curve of more than twice so many scores, in about so many cells: a row more is a step of one of many.
CELLS = 1_024


def moved_by_a_row(metric: Metric, statistic: AnyStatistic) -> Array:
    """How far a metric moves with one row of any label, root mean square over labels: of means, with the rarest most.

    Of answers, a row of each label in turn is answered as it mostly is where it was not, and else as its label mostly
    is taken for. Of scores, one more row has the score of one of the other label, and is of the label that moves the
    area more; of losses, it costs what rows cost on average if another label than theirs had happened. Rows that weigh
    differently weigh what the label's own do on average. Tables that list their cells, and averages over curves, say
    nothing: 0.

    >>> from adjudge.metrics import accuracy, average_precision, balanced_accuracy
    >>> table = Confusion.of_arrays(["a"] * 8 + ["b"] * 2, ["a"] * 7 + ["b"] * 3)
    >>> [round(float(moved_by_a_row(metric, table)), 3) for metric in (accuracy, balanced_accuracy)]
    [0.1, 0.182]
    >>> curves = Curves.of_arrays([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1], positive=1)
    >>> moved_by_a_row(average_precision, curves).round(3).tolist()
    [0.243]
    """
    value = metric.values(statistic)
    if isinstance(statistic, Losses):
        tail = None if metric.tail is None else metric.tail(statistic)
        return np.asarray(tail.loss / statistic.effective_rows if isinstance(tail, Unseen) else np.zeros_like(value))
    if isinstance(statistic, QueryMeans):
        return _of_lists(metric, statistic)
    if isinstance(statistic, Curves) and metric.by_category:
        return np.array([_of_curve(metric, curve.once(_coarse)) for curve in statistic.curves])
    if isinstance(statistic, Confusion) and statistic.cells is None:
        return _of_answers(metric, statistic, value)
    return np.zeros_like(value)


def _of_lists(metric: Metric, means: QueryMeans) -> Array:
    """One more query is as far apart as two that have nothing to do with each other; two more lists are at the ends."""
    assert metric.mean is not None
    mean, (low, high) = metric.mean(means, **metric.settings), metric.range
    squares = mean.variance * mean.effective_rows + (high - low) ** 2 / 2
    return np.sqrt(2 * squares / (mean.effective_rows + 2)) / mean.effective_rows


def _of_answers(metric: Metric, table: Confusion, value: Array) -> Array:
    labels = np.flatnonzero(table.counts.sum(-1) > 0)
    counts, turn = table.counts[labels], np.arange(len(labels))
    usual = counts.argmax(-1)
    likely = counts + 1e-9 * table.counts.sum(0)
    likely[turn, labels] = -1.0  # any wrong answer, of a label that is mostly right
    other = np.where(usual == labels, likely.argmax(-1), labels)
    weight = np.minimum(ratio(table.squares[labels].sum(-1), counts.sum(-1)), counts[turn, usual])
    moved = np.repeat(table.counts[None], len(labels), axis=0)
    moved[turn, labels, usual] -= weight
    moved[turn, labels, other] += weight
    with np.errstate(all="ignore"):
        off = np.abs(metric.values(table.with_counts(moved)) - value)
    return np.asarray(np.sqrt((np.nan_to_num(off) ** 2).mean(axis=0)))


def _coarse(curve: Curve) -> Curve:
    return curve.onto(curve.grid(CELLS))


def _of_curve(metric: Metric, curve: Curve) -> float:
    """One more negative where positives are, one more positive where negatives are."""
    value = metric.formula(curve, **metric.settings)
    weights = np.nan_to_num(ratio(curve.squared_weights, curve.counts.sum(-1)))
    squares = []
    for label in (0, 1):
        there = np.cumsum(curve.counts[1 - label])
        if not there[-1] > 0:
            continue
        places = np.searchsorted(there, (np.arange(TRIED) + 0.5) / TRIED * there[-1])
        moved = np.repeat(curve.counts[None], TRIED, axis=0)
        moved[np.arange(TRIED), label, places] += weights[label]
        with np.errstate(all="ignore"):
            off = metric.formula(curve.with_counts(moved), **metric.settings) - value
        squares.append(float((np.nan_to_num(off) ** 2).mean()))
    return float(np.sqrt(max(squares, default=0.0)))
