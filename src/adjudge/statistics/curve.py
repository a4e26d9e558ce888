"""Rows ordered by score. Receives scores and weights; gives, for each distinct score, what lies there.

Cells run from the highest score to the lowest, so a running sum is what a threshold selects
("score at least as high"). A curve is exact up to MOST_SCORES distinct scores; beyond that, scores are
grouped by their leading bits, as few bits dropped as fit, which does not depend on the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import scored_of
from adjudge.data.columns import Judgements
from adjudge.statistics.base import Array, Statistic, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.grouping import Inside, cells_in, coarse_starts, leading_bits, levels_needed
from adjudge.statistics.weights import Weights

MOST_SCORES = 2**20


class Scored(NamedTuple):
    """What a curve is made of: which rows are positive, and what they score."""

    positive: NDArray[np.bool_]
    score: Array

    def of_rows(self, rows: NDArray[np.int64]) -> Scored:
        """Some of the rows."""
        return Scored(self.positive[rows], self.score[rows])


@dataclass(frozen=True)
class Curve(Statistic):
    """Weight of positives and negatives in each cell of scores.

    Laws: (a + b) + c == a + (b + c), a + b == b + a, a + Curve.empty() == a; collecting two parts and
    adding equals collecting the whole.
    """

    thresholds: Array  # (T,), falling: the lowest score of each cell
    counts: Array  # (…, 2, T): positives, negatives
    squares: Array  # (2, T), squared case weights
    rows: int
    level: int = 0  # leading bits dropped from each score
    inside: Inside | None = None  # what binned cells look like inside; None when a cell is one score

    @classmethod
    def empty(cls) -> Self:
        """The curve of no rows."""
        return cls(np.zeros(0), np.zeros((2, 0)), np.zeros((2, 0)), 0)

    @classmethod
    def summing(cls, scored: Scored, pilot: Array | None = None) -> Callable[[Weights], Curve]:
        """What turns weights into a curve: by distinct score, or in the cells of a grid, which draws need."""
        if pilot is not None:
            return cls._summing_on(pilot, scored)
        return lambda weights: cls._by_score(scored.positive, scored.score, weights)

    @classmethod
    def _by_score(cls, positive: NDArray[np.bool_], score: Array, weights: Weights) -> Self:
        """The rows at each distinct score."""
        order = np.argsort(-score, kind="stable")
        falling = score[order]
        new = np.empty(len(score), dtype=np.bool_)
        new[:1], new[1:] = True, falling[1:] != falling[:-1]
        cells, size = np.cumsum(new) - 1, int(new.sum())
        cells = cells + np.where(positive[order], 0, size)
        sorted_weights = weights.of_rows(order)
        counts, squares = (sums.reshape(2, size) for sums in sorted_weights.sums_by(cells, 2 * size))
        return cls(falling[new], counts, squares, len(score)).compressed()

    @classmethod
    def _summing_on(cls, grid: Array, scored: Scored) -> Callable[[Weights], Curve]:
        """What turns weights, draws too, into counts in the cells of a grid of falling thresholds."""
        cells = cells_in(grid, scored.score) + np.where(scored.positive, 0, len(grid))
        nothing = np.zeros((2, len(grid)))

        def sums(weights: Weights) -> Curve:
            counts = weights.sum_by(cells, 2 * len(grid))
            return cls(grid, counts.reshape(*counts.shape[:-1], 2, len(grid)), nothing, weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        if np.array_equal(self.thresholds, other.thresholds):
            counts, squares = self.counts + other.counts, self.squares + other.squares
            level = max(self.level, other.level)
            return replace(self, counts=counts, squares=squares, rows=self.rows + other.rows, level=level)
        level = max(self.level, other.level)
        thresholds = np.concatenate([self.thresholds, other.thresholds])
        order = np.argsort(-thresholds, kind="stable")
        counts = np.concatenate([self.counts, other.counts], axis=-1)[..., order]
        plain = self.squares is self.counts and other.squares is other.counts
        squares = counts if plain else np.concatenate([self.squares, other.squares], axis=-1)[..., order]
        both = replace(
            self,
            thresholds=thresholds[order],
            counts=counts,
            squares=squares,
            rows=self.rows + other.rows,
            level=level,
        )
        del thresholds, order
        return both._merged(leading_bits(both.thresholds, level)).compressed()

    def compressed(self) -> Self:
        """The same curve with few enough cells: as many leading bits of each score as fit."""
        if len(self.thresholds) <= MOST_SCORES:
            return self
        level = levels_needed(self.thresholds, self.level, MOST_SCORES)
        return replace(self, level=level)._merged(leading_bits(self.thresholds, level))

    def _merged(self, groups: NDArray[np.int64]) -> Self:
        """Neighbouring cells with the same group become one."""
        starts = np.flatnonzero(np.diff(groups, prepend=groups[:1] + 1)) if len(groups) else np.zeros(0, dtype=int)
        return self if len(starts) == len(groups) else self._joined(starts)

    def _joined(self, starts: NDArray[np.int64]) -> Self:
        lowest = self.thresholds[np.append(starts[1:], len(self.thresholds)) - 1]
        counts = np.add.reduceat(self.counts, starts, axis=-1)
        squares = counts if self.squares is self.counts else np.add.reduceat(self.squares, starts, axis=-1)
        return replace(self, thresholds=lowest, counts=counts, squares=squares)

    def grid(self, cells: int, cuts: tuple[float, ...] = ()) -> Array:
        """Thresholds for about this many cells: even steps in both rates and finer at both ends."""
        if len(self.thresholds) <= 2 * cells:
            return self.thresholds
        starts = coarse_starts(self.thresholds, self.counts, cells, cuts)
        return np.asarray(self.thresholds[np.append(starts[1:], len(self.thresholds)) - 1])

    def thinned(self, cells: int) -> Self:
        """The same rows in about this many cells, for pictures: the curve's own points, fewer of them."""
        if len(self.thresholds) <= 2 * cells:
            return self
        return self._joined(coarse_starts(self.thresholds, self.counts, cells, ()))

    def onto(self, grid: Array) -> Self:
        """The same rows in the cells of a grid, remembering what each cell is like inside."""
        if len(grid) == len(self.thresholds) and np.array_equal(grid, self.thresholds):
            return self
        cell = cells_in(grid, self.thresholds)
        inside = Inside.of_cells(self.thresholds, self.counts, cell, len(grid))
        counts, squares = np.zeros((2, len(grid))), np.zeros((2, len(grid)))
        for sums, amounts in ((counts, self.counts), (squares, self.squares)):
            for kind in range(2):
                sums[kind] = np.bincount(cell, weights=amounts[kind], minlength=len(grid))
        return replace(self, thresholds=grid, counts=counts, squares=squares, inside=inside)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        drawn = np.zeros((replicates, len(cells)))
        drawn[:, occupied] = draw_cells(cells[occupied], kind, replicates, generator(seed, stream))
        return replace(self, counts=drawn.reshape(replicates, *self.counts.shape))

    def without_one(self) -> tuple[Self, Array]:
        """The curve without one row of each occupied cell, and how many rows that cell has."""
        cells = self.counts.reshape(-1)
        occupied = np.flatnonzero(cells)
        left = np.repeat(cells[None], len(occupied), axis=0)
        left[np.arange(len(occupied)), occupied] -= 1
        return replace(self, counts=left.reshape(-1, *self.counts.shape)), cells[occupied]

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, counts=self.counts[start:stop])

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return parts[0].with_counts(np.concatenate([part.counts for part in parts]))

    def with_draws(self, draws: Self) -> Self:
        """These cells, with the counts of replicates in place of their own."""
        return self.with_counts(draws.counts)

    def with_counts(self, counts: Array) -> Self:
        """The same cells, counted otherwise: (…, 2, T)."""
        return replace(self, counts=counts)

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.total**2, self.squares.sum()))

    @cached_property
    def true_positives(self) -> Array:
        """Positives selected by each threshold, (…, T)."""
        return np.cumsum(self.counts[..., 0, :], axis=-1)

    @cached_property
    def false_positives(self) -> Array:
        """Negatives selected by each threshold, (…, T)."""
        return np.cumsum(self.counts[..., 1, :], axis=-1)

    @cached_property
    def positive_total(self) -> Array:
        """Weight of all positives, (…)."""
        return np.asarray(self.counts[..., 0, :].sum(-1))

    @cached_property
    def negative_total(self) -> Array:
        """Weight of all negatives, (…)."""
        return np.asarray(self.counts[..., 1, :].sum(-1))

    @property
    def total(self) -> Array:
        """Weight of all rows, (…)."""
        return self.positive_total + self.negative_total

    @cached_property
    def recall(self) -> Array:
        """Share of the positives that each threshold selects, (…, T)."""
        return np.asarray(ratio(self.true_positives, self.positive_total[..., None]))

    @cached_property
    def false_positive_rate(self) -> Array:
        """Share of the negatives that each threshold selects, (…, T)."""
        return np.asarray(ratio(self.false_positives, self.negative_total[..., None]))

    @cached_property
    def precision(self) -> Array:
        """Share of positives among what each threshold selects, (…, T)."""
        return np.asarray(ratio(self.true_positives, self.true_positives + self.false_positives))

    @property
    def are_probabilities(self) -> bool:
        """Whether every score lies in [0, 1]."""
        return bool(len(self.thresholds) == 0 or (self.thresholds[0] <= 1 and self.thresholds[-1] >= 0))

    @property
    def within(self) -> Inside:
        """What each cell is like inside: exact for a curve of distinct scores."""
        return self.inside if self.inside is not None else Inside.of_scores(self.thresholds)


@dataclass(frozen=True)
class Curves(Statistic):
    """One curve for each category that has a score column: that category against the rest.

    Laws: as those of Curve, category by category.
    """

    categories: tuple[str, ...]
    curves: tuple[Curve, ...]

    @classmethod
    def summing(cls, judgements: Judgements, pilot: tuple[Array, ...] | None = None) -> Callable[[Weights], Curves]:
        """What turns weights into curves of these rows: by distinct score, or in the cells of grids."""
        scores = judgements.scores
        assert scores is not None, "a curve needs scores"
        grids = pilot or (None,) * len(scores.categories)
        each = [
            Curve.summing(Scored(judgements.reference.are(category), scores.values[:, column]), grid)
            for column, (category, grid) in enumerate(zip(scores.categories, grids, strict=True))
        ]
        return lambda weights: cls(scores.categories, tuple(sums(weights) for sums in each))

    @classmethod
    def summing_arrays(
        cls,
        first: Any,
        second: Any = None,
        *,
        positive: Any = None,
        categories: Any = None,
        pilot: tuple[Array, ...] | None = None,
    ) -> tuple[int, Callable[[Weights], Curves]]:
        """Of a reference and a score for each row, or for each row and category."""
        judgements = scored_of(first, second, positive, categories)
        return len(judgements), cls.summing(judgements, pilot)

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
        return replace(self, curves=tuple(a + b for a, b in zip(self.curves, other.curves, strict=True)))

    @property
    def rows(self) -> int:
        """How many rows were summed."""
        return self.curves[0].rows

    def each_category(self, formula: Callable[[Curve], Array]) -> Array:
        """A formula of one curve, for every category, (…, K)."""
        return np.stack([formula(curve) for curve in self.curves], axis=-1)

    @property
    def category_weight(self) -> Array:
        """How much of the reference each category is, (…, K): the weights of a weighted average."""
        return np.stack([curve.positive_total for curve in self.curves], axis=-1)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on each curve's cells."""
        drawn = (curve.resampled(kind, replicates, seed, stream) for curve in self.curves)
        return replace(self, curves=tuple(drawn))

    def without_one(self) -> tuple[Self, Array]:
        """The single curve without one row of each occupied cell, and how many rows that cell has."""
        (curve,) = self.curves
        left, rows = curve.without_one()
        return replace(self, curves=(left,)), rows

    def onto(self, grids: tuple[Array, ...]) -> Self:
        """The same rows in the cells of grids, one grid for each curve."""
        return replace(self, curves=tuple(c.onto(grid) for c, grid in zip(self.curves, grids, strict=True)))
