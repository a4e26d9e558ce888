"""Between which values a metric of scores lies when only the cells of the scores are known.

Inside a cell rows may stand in any order, tied or not. A metric declares as `in_cells` what gives the least and the
largest value over all of them: most by the orders at the ends, areas under precision by integrals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.grouping import products
from adjudge.statistics.curves.orders import CellOrders

Extremes = tuple[Array, Array]  # the least and the largest value


def any_order(cells: CellOrders, formula: Callable[..., Array], **settings: object) -> Extremes:
    """Of a metric that counts pairs, or is the best over all points: of all positives first and all negatives first."""
    return _ends(formula(order, **settings) for order in cells.tied)


def any_place(cells: CellOrders, formula: Callable[..., Array], **settings: object) -> Extremes:
    """Of a point that is looked for by how much it takes: in these orders, after tied rows or anywhere among them."""
    return _ends(formula(order, **settings) for order in (*cells.tied, *cells.evenly))


def _ends(values: Iterable[Array]) -> Extremes:
    every = np.stack(list(values))
    return every.min(0), every.max(0)


def ordered_steps(cells: CellOrders, formula: Callable[..., Array]) -> Extremes:
    """Of precision at the end of each step: positives first and tied, or one by one after all negatives."""
    before, _, after = _above(cells)
    tied = cells.curve.counts[0] * _precision(cells.curve.true_positives, before)
    return _over_positives(cells, _one_by_one(cells, after)), _over_positives(cells, tied)


def ordered_trapezoids(cells: CellOrders, formula: Callable[..., Array]) -> Extremes:
    """Of the mean precision over each step: positives one by one before all negatives, or tied after them."""
    before, taken, after = _above(cells)
    both = _precision(taken, after) + _precision(cells.curve.true_positives, after)
    return _over_positives(cells, cells.curve.counts[0] * both / 2), _over_positives(cells, _one_by_one(cells, before))


def _above(cells: CellOrders) -> tuple[Array, Array, Array]:
    """Negatives above each cell, positives above it, and negatives above its end."""
    curve, (positives, negatives) = cells.curve, cells.curve.counts
    return curve.false_positives - negatives, curve.true_positives - positives, curve.false_positives


def _precision(positives: Array, negatives: Array) -> Array:
    """Of nothing taken, that of the positive which would be next."""
    return np.asarray(np.nan_to_num(ratio(positives, positives + negatives), nan=1.0))


def _one_by_one(cells: CellOrders, negatives: Array) -> Array:
    """Precision summed over the positives of each cell, taken bit by bit after so many negatives: an integral."""
    positives = cells.curve.counts[0]
    taken = cells.curve.true_positives - positives
    return np.asarray(positives - negatives * np.log1p(np.nan_to_num(ratio(positives, taken + negatives))))


def _over_positives(cells: CellOrders, sums: Array) -> Array:
    return np.asarray(ratio(sums.sum(-1), cells.curve.positive_total))


def mean_of_convex(cells: CellOrders, loss: Callable[[Array, Array], Array]) -> Extremes:
    """Of a loss of the rows that bends one way: no less than at the mean of a cell, no more than on a line across it.

    `loss` is that of scores of positives, which falls with them, and of scores of negatives, which rises, (2, T).
    """
    low, high = (np.broadcast_to(side, cells.curve.counts.shape) for side in (cells.curve.thresholds, cells.highest))
    at_low, at_high = loss(*low), loss(*high)

    def line(scores: Array) -> Array:
        along = np.nan_to_num(ratio(scores - low, high - low))
        return np.nan_to_num(at_low + along * (at_high - at_low), nan=np.inf, posinf=np.inf)

    less, more = cells.means
    return (
        _mean(cells, loss(more[0], less[1])),
        _mean(cells, line(np.stack([less[0], more[1]]))),
    )


def _mean(cells: CellOrders, values: Array) -> Array:
    return np.asarray(ratio(products(values, cells.curve.counts).sum(), cells.curve.total))
