"""What scores that are kept in cells leave uncertain, in words: each metric by the bound that it declares."""

from __future__ import annotations

from collections.abc import Mapping
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
    curves = statistics.get(Curves)
    if curves is None:
        return {}
    cells = {id(curve): CellOrders(curve) for curve in curves.curves}
    if not any(one.matter for one in cells.values()):
        return {}
    size = max(len(curve.thresholds) for curve in curves.curves)
    return {
        metric: [_in_words(size, off) for off in np.atleast_1d(_off(metric, value, curves, cells)).tolist()]
        for metric, value in points.items()
        if metric.over is Curves or (metric.over is Losses and not _summed_by_row(cells))
    }


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


def _in_words(cells: int, off: float) -> str:
    if np.isposinf(off):
        return f"scores in {cells:,} cells, no bound on what that changes"
    return f"scores in {cells:,} cells: within {_at_most(off)} of the value of all scores" if off > LEAST else ""


def _at_most(value: float) -> str:
    """A number in one digit, rounded up.

    >>> _at_most(0.00012), _at_most(0.99), _at_most(12.0)
    ('0.0002', '1', '20')
    """
    step = 10.0 ** np.floor(np.log10(value))
    return f"{np.ceil(value / step) * step:.6g}"
