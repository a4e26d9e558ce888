"""What scores that are kept in cells leave uncertain, in words: each metric by the bound that it declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.metrics.score_cells import Extremes
from adjudge.statistics.base import Array
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.orders import CellOrders
from adjudge.statistics.losses import Losses

# A bound below this is what rounding leaves of none.
LEAST = 1e-12


def cell_notes(points: Mapping[Metric, Array], statistics: Together) -> dict[Metric, list[str]]:
    """How far scores in cells may put each value off: of each category, or one note; nothing where they cannot."""
    size, each = _bounds(points, statistics)
    return {
        metric: [_in_words(size, off, "value") for off in np.atleast_1d(of).tolist()] for metric, of in each.items()
    }


def difference_note(metric: Metric, place: int | None, sides: Sequence[tuple[Array, Together]]) -> str:
    """The same of a difference, from the values of both and what they are of: both may be off, either way."""
    known = [(size, each[metric]) for size, each in (_bounds({metric: v}, of) for v, of in sides) if metric in each]
    off = sum(float(of if place is None else of[place]) for _, of in known)
    return _in_words(max(size for size, _ in known), off, "difference") if known else ""


def _bounds(points: Mapping[Metric, Array], statistics: Together) -> tuple[int, dict[Metric, Array]]:
    """In how many cells scores are, and how far that may put each value off; nothing where it cannot."""
    curves = statistics.get(Curves)
    cells = {} if curves is None else {id(curve): CellOrders(curve) for curve in curves.curves}
    if curves is None or not any(one.matter for one in cells.values()):
        return 0, {}
    size = max(len(curve.thresholds) for curve in curves.curves)
    moved = {m: v for m, v in points.items() if m.over is Curves or (m.over is Losses and not _summed_by_row(cells))}
    return size, {metric: _off(metric, value, curves, cells) for metric, value in moved.items()}


def _summed_by_row(cells: Mapping[int, CellOrders]) -> bool:
    """Whether losses are those of the rows: summed beside cells, or, of several scores, on their own."""
    return len(cells) > 1 or all(one.know_sums for one in cells.values())


def _off(metric: Metric, value: Array, curves: Curves, cells: Mapping[int, CellOrders]) -> Array:
    """How far each value may be from that of all scores."""
    if metric.in_cells is None:
        return np.full_like(value, np.inf)
    each = {key: metric.in_cells(one, metric.formula, **metric.settings) for key, one in cells.items()}
    low, high = next(iter(each.values())) if metric.over is Losses else _averaged(metric, curves, each)
    return np.asarray(np.maximum(value - low, high - value))


def _averaged(metric: Metric, curves: Curves, each: Mapping[int, Extremes]) -> list[Array]:
    """Both ends as the metric is: by category, or an average."""

    def end_of(curve: Curve, end: int) -> Array:
        return each[id(curve)][end]

    ends = (lambda curve, **_: end_of(curve, 0), lambda curve, **_: end_of(curve, 1))
    return [replace(metric, formula=end).values(curves) for end in ends]


def _in_words(cells: int, off: float, what: str) -> str:
    if np.isposinf(off):
        return f"scores in {cells:,} cells, no bound on what that changes"
    return f"scores in {cells:,} cells: within {_at_most(off)} of the {what} of all scores" if off > LEAST else ""


def _at_most(value: float) -> str:
    """A number in one digit, rounded up.

    >>> _at_most(0.00012), _at_most(0.99), _at_most(12.0)
    ('0.0002', '1', '20')
    """
    step = 10.0 ** np.floor(np.log10(value))
    return f"{np.ceil(value / step) * step:.6g}"
