"""Rows ordered by score. Receives scores and weights; gives, for each distinct score, what lies there.

Cells run from the highest score to the lowest, so a running sum is what a threshold selects
("score at least as high"). A curve is exact up to MOST_SCORES distinct scores; beyond that, scores are in
MOST_CELLS cells of their leading bits, as few bits dropped as fit, which does not depend on the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.arrays import scored_of
from adjudge.data.judgements.columns import Judgements
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, Statistic, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.curves.grouping import Bins, Cells, Inside, OneScore, coarse_starts
from adjudge.statistics.curves.growing import GrowingCells, Parts
from adjudge.statistics.curves.points import Points, Read
from adjudge.statistics.curves.scored import Scored, Sliced, binned_by, columns_of_scores, counted, grown, grown_by
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class Curve(Read, Statistic[Scored, Array]):
    """Weight of positives and negatives in each cell of scores.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, a + Curve.empty() == a; collecting two parts and
    adding equals collecting the whole.

    >>> scored = Scored(np.array([True, False, True]), np.array([0.9, 0.2, 0.2]))
    >>> curve = Curve.collect(scored, Weights(3))
    >>> curve.thresholds.tolist(), curve.counts.tolist()
    ([0.9, 0.2], [[1.0, 1.0], [0.0, 1.0]])
    """

    cells: GrowingCells | Points  # growing while rows are added, points once they are drawn or put on a grid
    inside: Inside | None = None  # what binned cells look like inside; None when a cell is one score

    @classmethod
    def empty(cls) -> Self:
        """The curve of no rows."""
        return cls(GrowingCells(Parts(), 0))

    @classmethod
    def of_points(
        cls,
        thresholds: Array,
        counts: Array,
        squares: Array,
        rows: int,
        *,
        level: int = 0,
        inside: Inside | None = None,
    ) -> Self:
        """A curve of falling thresholds (T,) and what lies there, (…, 2, T)."""
        return cls(Points(thresholds, counts, squares, rows, level), inside)

    @classmethod
    def summing(cls, scored: Scored, pilot: Array | None = None) -> Callable[[Weights], Curve]:
        """What turns weights into a curve: by distinct score, or in the cells of a grid, which draws need."""
        if pilot is not None:
            binned = binned_by(scored, np.zeros(len(scored.score), dtype=np.int64), 1, pilot)
            return lambda weights: cls(binned(weights)[0])
        return lambda weights: (
            cls(grown(scored, weights)) if scored.one_each(weights) else cls(*counted(scored, weights))
        )

    @classmethod
    def summing_by(
        cls, scored: Scored, levels: Codes, size: int, pilot: Array | None = None
    ) -> Callable[[Weights], list[Self | None]]:
        """The same of each level; on a grid, all counted at once."""
        if pilot is None:
            return super().summing_by(scored, levels, size)
        summing = binned_by(scored, levels, size, pilot)
        return lambda weights: [cls(points) if points.rows else None for points in summing(weights)]

    @classmethod
    def collect_slices(
        cls, scored: Scored, weights: Weights, slices: Sequence[Sliced], pilot: Array | None = None
    ) -> list[list[Self | None]]:
        """The curve of each level: rows are put in order once for all slices."""
        if pilot is not None or not scored.one_each(weights):
            return super().collect_slices(scored, weights, slices, pilot)
        grown_of = grown_by(scored, weights, slices)
        return [[None if cells is None else cls(cells) for cells in of_slice] for of_slice in grown_of]

    def __add__(self, other: Self) -> Self:
        mine, theirs = self.cells, other.cells
        if not (self.rows and other.rows):
            return self if self.rows else other
        if self.inside is not None or other.inside is not None:
            raise SettingError("Curves must be added before they are put on a grid with `onto`, not after.")
        points = [cells for cells in (mine, theirs) if isinstance(cells, Points)]
        if len(points) == 2 and np.array_equal(points[0].thresholds, points[1].thresholds):
            return replace(self, cells=points[0] + points[1])
        if any(cells.binned for cells in points):
            raise SettingError("The grid of a curve must be the same in all parts that are added, but is not.")
        return type(self)(_growing(mine) + _growing(theirs))

    @property
    def points(self) -> Points:
        """What lies at each threshold, worked out from the cells."""
        return self.cells.points

    @property
    def rows(self) -> int:
        """How many rows were summed."""
        return self.cells.rows

    def with_counts(self, counts: Array) -> Self:
        """The same cells, counted otherwise: (…, 2, T)."""
        return replace(self, cells=replace(self.points, counts=counts))

    def _joined(self, starts: Codes) -> Self:
        """Neighbouring cells as one, from each of these places to the next."""
        points = self.points
        lowest = points.thresholds[np.append(starts[1:], len(points.thresholds)) - 1]
        counts = np.add.reduceat(points.counts, starts, axis=-1)
        squares = counts if points.squares is points.counts else np.add.reduceat(points.squares, starts, axis=-1)
        return replace(self, cells=Points(lowest, counts, squares, points.rows, points.level))

    def grid(self, cells: int, cuts: tuple[float, ...] = ()) -> Array:
        """Thresholds for about this many cells: even steps in both rates and finer at both ends."""
        if len(self.thresholds) <= 2 * cells:
            return self.thresholds
        starts = self._coarse_starts(cells, cuts)
        return np.asarray(self.thresholds[np.append(starts[1:], len(self.thresholds)) - 1])

    def thinned(self, cells: int) -> Self:
        """The same rows in about this many cells, for pictures: the curve's own points, fewer of them."""
        if len(self.thresholds) <= 2 * cells:
            return self
        return self._joined(self._coarse_starts(cells))

    def _coarse_starts(self, cells: int, cuts: tuple[float, ...] = ()) -> Cells:
        """In units of an average row: those of the weights must not matter."""
        one = np.nan_to_num(ratio(self.total, self.rows)) or 1.0
        return coarse_starts(self.thresholds, (self.true_positives / one, self.false_positives / one), cells, cuts)

    def onto(self, grid: Array) -> Self:
        """The same rows in the cells of a grid, remembering what each cell is like inside."""
        if len(grid) == len(self.thresholds) and np.array_equal(grid, self.thresholds):
            return self
        points = self.points
        bins = Bins.on_grid(grid, points.thresholds)
        inside = Inside.of_bins(self.within, points.counts, bins)
        points.one_score.forget()
        counts = bins.sums(points.counts)
        squares = counts if points.squares is points.counts else bins.sums(points.squares)
        return replace(self, cells=Points(grid, counts, squares, self.rows, self.level), inside=inside)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        drawn_counts = np.zeros((replicates, len(cells)))
        drawn_counts[:, occupied] = draw_cells(cells[occupied], kind, replicates, generator(seed, stream))
        return self.with_counts(drawn_counts.reshape(replicates, *self.counts.shape))

    def without_one(self) -> tuple[Self, Array]:
        """The curve without one row of each occupied cell, and how many rows that cell has."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        left = np.repeat(cells[None], len(occupied), axis=0)
        left[np.arange(len(occupied)), occupied] -= 1
        return self.with_counts(left.reshape(len(occupied), *self.counts.shape)), cells[occupied]

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return self.with_counts(self.counts[start:stop])

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return parts[0].with_counts(np.concatenate([part.counts for part in parts]))

    def with_draws(self, draws: Self) -> Self:
        """These cells, with the counts of replicates in place of their own."""
        return self.with_counts(draws.counts)

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        points = self.points
        return replace(self, cells=replace(points, counts=points.counts * unit, squares=points.squares * unit**2))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squared_weight))

    @property
    def are_probabilities(self) -> bool:
        """Whether every score lies in [0, 1]."""
        if not len(self.thresholds):
            return True
        points = self.points
        highest = points.thresholds[0] if points.scores is None else points.scores[:, 0].max()
        return bool(highest <= 1 and points.thresholds[-1] >= 0)

    @property
    def within(self) -> Inside | OneScore:
        """What each cell is like inside: exact for a curve of distinct scores."""
        return self.points.one_score if self.inside is None else self.inside


def _growing(cells: GrowingCells | Points) -> GrowingCells:
    return GrowingCells.of_points(cells) if isinstance(cells, Points) else cells


@dataclass(frozen=True)
class Curves(Statistic[Judgements, tuple[Array, ...]]):
    """One curve for each category that has a score column: that category against the rest.

    Laws: as those of Curve, category by category.
    """

    categories: tuple[str, ...]
    curves: tuple[Curve, ...]

    is_of_cells = adds_exactly = draws_by_level = True  # cells hold whole numbers where every row counts one

    @classmethod
    def summing(cls, judgements: Judgements, pilot: tuple[Array, ...] | None = None) -> Callable[[Weights], Curves]:
        """What turns weights into curves of these rows: by distinct score, or in the cells of grids."""
        scores = judgements.scores
        assert scores is not None, "a curve needs scores"
        each = [Curve.summing(scored, grid) for scored, grid in columns_of_scores(judgements, pilot)]
        return lambda weights: cls(scores.categories, tuple(sums(weights) for sums in each))

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: Sequence[object] | None = None,
        pilot: tuple[Array, ...] | None = None,
    ) -> tuple[int, Callable[[Weights], Curves]]:
        """Of a reference and a score for each row, or for each row and category."""
        judgements = scored_of(first, second, positive, categories)
        return len(judgements), cls.summing(judgements, pilot)

    @classmethod
    def collect_by(
        cls,
        judgements: Judgements,
        weights: Weights,
        levels: Codes,
        size: int,
        pilot: tuple[Array, ...] | None = None,
    ) -> list[Self | None]:
        """The curves of each level."""
        return cls.collect_slices(judgements, weights, [(levels, size)], pilot)[0]

    @classmethod
    def summing_by(
        cls, judgements: Judgements, levels: Codes, size: int, pilot: tuple[Array, ...] | None = None
    ) -> Callable[[Weights], list[Self | None]]:
        """What turns weights into the curves of each level."""
        each = [Curve.summing_by(scored, levels, size, g) for scored, g in columns_of_scores(judgements, pilot)]
        return lambda weights: cls._of_levels(judgements, [sums(weights) for sums in each])

    @classmethod
    def collect_slices(
        cls, judgements: Judgements, weights: Weights, slices: Sequence[Sliced], pilot: tuple[Array, ...] | None = None
    ) -> list[list[Self | None]]:
        """The curves of each level of each slice."""
        each = [Curve.collect_slices(scored, weights, slices, g) for scored, g in columns_of_scores(judgements, pilot)]
        return [cls._of_levels(judgements, of_slice) for of_slice in zip(*each, strict=True)]

    @classmethod
    def _of_levels(cls, judgements: Judgements, each: Sequence[list[Curve | None]]) -> list[Self | None]:
        """The curves of each level, from those of each category by level."""
        assert judgements.scores is not None, "a curve needs scores"
        of_levels = (tuple(c for c in of_level if c is not None) for of_level in zip(*each, strict=True))
        return [cls(judgements.scores.categories, curves) if curves else None for curves in of_levels]

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        same_category = zip(*(part.curves for part in parts), strict=True)
        return replace(parts[0], curves=tuple(Curve.stacked(curves) for curves in same_category))

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, curves=tuple(curve.tile(start, stop) for curve in self.curves))

    def with_draws(self, draws: Self) -> Self:
        """These cells, with the counts of replicates in place of their own."""
        pairs = zip(self.curves, draws.curves, strict=True)
        return replace(self, curves=tuple(own.with_draws(other) for own, other in pairs))

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(self, curves=tuple(curve.scaled(unit) for curve in self.curves))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return self.curves[0].effective_rows

    def __add__(self, other: Self) -> Self:
        return type(self)(self.categories, tuple(a + b for a, b in zip(self.curves, other.curves, strict=True)))

    @property
    def rows(self) -> int:
        """How many rows were summed."""
        return self.curves[0].rows

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return self.curves[0].total

    def in_cells_of(self, draws: Self) -> Self:
        """The same curves in the cells in which replicates were counted."""
        return self.onto(tuple(curve.thresholds for curve in draws.curves))

    def each_category(self, formula: Callable[[Curve], Array]) -> Array:
        """A formula of one curve, for every category, (…, K)."""
        return np.stack([formula(curve) for curve in self.curves], axis=-1)

    @property
    def category_weight(self) -> Array:
        """How much of the reference each category is, (…, K): the weights of a weighted average."""
        return np.stack([curve.positive_total for curve in self.curves], axis=-1)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on each curve's cells."""
        drawn_counts = (curve.resampled(kind, replicates, seed, stream) for curve in self.curves)
        return replace(self, curves=tuple(drawn_counts))

    def without_one(self) -> tuple[Self, Array]:
        """The single curve without one row of each occupied cell, and how many rows that cell has."""
        (curve,) = self.curves
        left, rows = curve.without_one()
        return replace(self, curves=(left,)), rows

    def onto(self, grids: tuple[Array, ...]) -> Self:
        """The same rows in the cells of grids, one grid for each curve."""
        return replace(self, curves=tuple(c.onto(grid) for c, grid in zip(self.curves, grids, strict=True)))
