"""What cells of scores tell: the sums of every view, from powers of where scores lie in their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.responses import Responses, ResponseView
from adjudge.statistics.base import AnyStatistic, Array, Codes, steady_product
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import CellSums, ErrorCells
from adjudge.statistics.scores.features import HUMAN, MACHINES, OF_WHOLE, named_features
from adjudge.statistics.scores.grid import ScoreGrid, ToldSum
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights, summed_by


@dataclass(frozen=True)
class ToldCells:
    """The cells that hold responses: human scores, each form of a score where the cell starts, how steep it is there.

    In a cell a form is `start + slope · u`, and `moments` are the sums of u⁰ to u⁴ over its responses.
    """

    responses: Responses
    slopes: Mapping[str, Array]
    moments: Array  # (powers, cells)
    ends: Mapping[str, tuple[float, float]]  # of all scores, in each form

    @classmethod
    def of(cls, grid: ScoreGrid, cells: Codes, moments: Array, ends: tuple[float, float]) -> ToldCells:
        """From the cells of a grid that hold responses."""
        responses, slopes = grid.responses_of(cells)
        reach = {name: grid.form_of(np.array(ends), form) for name, form in grid.forms.items()}
        return cls(responses, slopes, moments, {name: (float(of[0]), float(of[1])) for name, of in reach.items()})

    @property
    def rows(self) -> int:
        """How many responses."""
        return int(self.moments[0].sum())

    def line(self, view: ResponseView) -> tuple[Array, Array, Array]:
        """Of two scores side by side: the first, where the second starts, and how steep it is."""
        seen = view.seen(self.responses)
        flat = np.zeros(len(seen))
        return seen.first, seen.second, flat if view.system is None else self.slopes[view.system]


def told_sum(spec: ToldSum, cells: ToldCells, pilot: object) -> AnyStatistic:
    """A statistic of one view."""
    return TOLD[spec.statistic](spec.view, cells, pilot)


def _totals(view: ResponseView, cells: ToldCells, pilot: object) -> ScoreTotals:
    """Sums and sums of products of what are polynomials of the second degree in each cell."""
    assert isinstance(pilot, ScorePilot)
    seen = view.seen(cells.responses)
    points = None if pilot.in_slices else pilot.points
    named = dict(named_features(seen.ratings, seen.scores, pilot.centres, points))
    named = {name: column for name, column in named.items() if not (pilot.in_slices and name.startswith(OF_WHOLE))}
    rated = np.isfinite(seen.ratings).sum(1)
    moments = cells.moments * (rated > 0)
    degrees = np.zeros((3, len(rated), len(named)))
    degrees[0] = np.stack(list(named.values()), axis=1)
    place = {name: number for number, name in enumerate(named)}
    for system in seen.scores:
        for name, (first, second) in _steepness(system, seen, cells.slopes[system], pilot.centres).items():
            if name in place:
                degrees[1:, :, place[name]] = first, second
    # Σ f gᵀ of f = Σ fᵢ uⁱ and g = Σ gⱼ uʲ is Σ fᵢ (Σⱼ gⱼ Σ uⁱ⁺ʲ).
    weighted = [sum(moments[i + j][:, None] * degrees[j] for j in range(3)) for i in range(3)]
    totals = np.asarray(weighted[0].sum(0))
    products = steady_product(degrees.reshape(-1, len(named)).T, np.concatenate(weighted))
    rows = int(moments[0].sum())
    sums = LinearSums(tuple(named), totals, (products + products.T) / 2, None, rows, rows)
    return ScoreTotals(sums, pilot.centres, int(moments[0][rated > 1].sum()))


def _steepness(
    system: str, responses: Responses, slope: Array, centres: Mapping[str, float]
) -> dict[str, tuple[Array, Array]]:
    """What u and u² are multiplied with in what responses add to the sums of a system's scores."""
    first, scores, nothing = responses.first, responses.scores[system], np.zeros(len(slope))
    rated = np.isfinite(responses.ratings)
    times = rated.sum(1)
    pair = {
        "y": (slope, nothing),
        "yy": (2 * (scores - centres[system]) * slope, slope**2),
        "xy": ((first - centres[HUMAN]) * slope, nothing),
        "squared": (2 * (scores - first) * slope, slope**2),
        "absolute": (np.sign(scores - first) * slope, nothing),
    }
    both = np.isfinite(first)
    keeps = dict(zip(MACHINES, (both, both & (times > 1)), strict=True))
    steep = {
        f"{view} {system} {name}": (np.where(keep, one, 0.0), np.where(keep, two, 0.0))
        for view, keep in keeps.items()
        for name, (one, two) in pair.items()
    }
    mean = np.where(rated, responses.ratings, 0.0).sum(1) / np.maximum(times, 1)
    steep[f"gap {system}"] = 2 * times * (scores - mean) * slope, times * slope**2
    return steep


def _table(view: ResponseView, cells: ToldCells, pilot: object) -> ScoreTable:
    assert pilot is None or isinstance(pilot, int | float)
    times = cells.moments[0].astype(np.int64)
    return ScoreTable.collect(view.seen(cells.responses), Weights.standing_for(times), pilot)


def _described(view: ResponseView, cells: ToldCells, pilot: object) -> Descriptives:
    _, start, slope = cells.line(view)
    known = np.isfinite(start)
    start, slope, (n, first, second, *_) = start[known], slope[known], cells.moments[:, known]
    if not len(start):
        return Descriptives.of(start)
    many = float(n.sum())
    mean = float((n * start + slope * first).sum() / many)
    apart = start - mean
    squares = float((n * apart**2 + 2 * apart * slope * first + slope**2 * second).sum())
    low, high = (float(start.min()), float(start.max())) if view.system is None else cells.ends[view.system]
    return Descriptives(int(many), many, mean, squares, low, high)


def _errors(view: ResponseView, cells: ToldCells, pilot: object) -> ErrorCells:
    assert pilot is None or isinstance(pilot, np.ndarray)
    human, start, slope = cells.line(view)
    values, column = np.unique(human, return_inverse=True)
    base = start - human
    error = np.stack([base, slope, np.zeros(len(base))])
    squared = np.stack([base**2, 2 * base * slope, slope**2])
    times = summed_by(cells.moments[0], column, len(values))[None]
    sums = [_cell_sums(of, cells.moments, column, len(values)) for of in (error, squared)]
    return ErrorCells(("",), values, pilot, False, times, float(cells.rows), sums[0], sums[1])


def _cell_sums(line: Array, moments: Array, column: Codes, size: int) -> CellSums:
    """Sums and squares, by human score, of what is a polynomial in each cell: about the mean of all."""
    total = sum(line[i] * moments[i] for i in range(3))
    centre = float(np.sum(total) / moments[0].sum())
    line = line - np.array([[centre], [0.0], [0.0]])
    first = sum(line[i] * moments[i] for i in range(3))
    second = sum(line[i] * line[j] * moments[i + j] for i in range(3) for j in range(3))
    counts, once, twice = (summed_by(np.asarray(of), column, size)[None] for of in (moments[0], first, second))
    return CellSums(counts, once, twice, centre)


TOLD: Mapping[type[AnyStatistic], Callable[[ResponseView, ToldCells, object], AnyStatistic]] = {
    ScoreTotals: _totals,
    ScoreTable: _table,
    Descriptives: _described,
    ErrorCells: _errors,
}
