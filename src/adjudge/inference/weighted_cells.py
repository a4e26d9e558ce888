"""Replicates on cells whose units weigh more or less than one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.kinds import AnyKinds, Kinds

WholeCells = AnyKinds | Confusion | Curve
ROUNDED = 9  # decimals of a number of units: what is beyond them is rounding, and must not decide how it is drawn
Weighable = TypeVar("Weighable", bound=AnyStatistic)


class Drawable(Protocol):
    """What replicates are drawn of: a statistic, or what stands for one while it is drawn."""

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> object:
        """Replicates under multinomial, poisson or bayesian weights."""

    def without_one(self) -> tuple[object, Array]:
        """The sums without one unit of each kind, and how many units are of that kind."""


@dataclass(frozen=True, slots=True)
class WeightedCells:
    """A statistic drawn as cells of equal units: as many, and as heavy, as give each cell its weight and variance.

    A cell whose units weigh Σw in all, with squares Σw², becomes (Σw)² / Σw² units of Σw² / Σw each. Its total then
    has in a replicate the mean and the variance it has when the units themselves are drawn.
    """

    statistic: WholeCells

    @property
    def counts(self) -> Array:
        """How many equal units each cell is worth; a whole number is whole whatever the unit of the weights."""
        units = np.nan_to_num(ratio(self.statistic.counts**2, self.statistic.squares))
        return np.asarray(np.round(units, ROUNDED))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> WholeCells:
        """Replicates of the statistic; the number of units is not whole, so "multinomial" is drawn as Poisson.

        Prior mass of a table is added in units of a row that was not seen, whatever rows of its cell weigh: of a cell
        that has light rows alone the next may be heavy.
        """
        own = WeightedCells(self.statistic.in_drawn_order) if isinstance(self.statistic, Kinds) else self
        table, kind = own.statistic, "poisson" if kind == "multinomial" else kind
        equal = table.with_counts(own.counts)
        if not (isinstance(table, Confusion) and isinstance(equal, Confusion)):
            return own._whole(own._weighed(equal.resampled(kind, replicates, seed, stream)))
        draws = own._weighed(equal.drawn(kind, replicates, seed, stream))
        assert isinstance(draws, Confusion), "what was drawn"
        return own._whole(draws.smoothed(table, seed, f"{stream}/prior") if kind == "bayesian" else draws)

    def without_one(self) -> tuple[WholeCells, Array]:
        """The statistic without one equal unit of each cell, and how many of them the cell has."""
        left, units = self.statistic.with_counts(self.counts).without_one()
        return self._weighed(left), units

    def _weighed(self, draws: WholeCells) -> WholeCells:
        """The cells in units of weight; prior cells, which no unit is in, in units of an average one."""
        own = self.statistic
        one = float(np.nan_to_num(ratio(own.squares.sum(), own.counts.sum())))
        each = np.nan_to_num(ratio(own.squares, own.counts), nan=one)
        cells = draws.counts.shape[1:]
        if isinstance(own, Confusion) and isinstance(draws, Confusion):
            each = own.amounts_in_cells_of(draws, each, one)
        elif cells != each.shape:
            each = np.concatenate([each, np.full(cells[0] - len(each), one)])
        return draws.with_counts(draws.counts * each)

    def _whole(self, draws: WholeCells) -> WholeCells:
        """Replicates with as much weight in all as there is."""
        counts = draws.counts
        total = counts.reshape(len(counts), -1).sum(-1).reshape(-1, *(1,) * (counts.ndim - 1))
        return draws.with_counts(counts * np.nan_to_num(ratio(self.statistic.counts.sum(), total)))


@dataclass(frozen=True, slots=True)
class WeightedCurve:
    """The curve of a lone score, drawn by weight: replicates of it are curves of one category again."""

    statistic: Curves
    cells: WeightedCells

    @property
    def counts(self) -> Array:
        """How many equal units each cell is worth."""
        return self.cells.counts

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Curves:
        """Replicates of the curve."""
        return self._of(self.cells.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Curves, Array]:
        """The curve without one equal unit of each cell, and how many of them the cell has."""
        left, units = self.cells.without_one()
        return self._of(left), units

    def _of(self, curve: WholeCells) -> Curves:
        assert isinstance(curve, Curve), "what was drawn"
        return replace(self.statistic, curves=(curve,))


def weighed(statistic: Weighable) -> Weighable | WeightedCells | WeightedCurve:
    """The statistic, or what draws its cells by weight when its units do not count one each and are no clusters.

    >>> table = Confusion.of_arrays(["a", "b", "a"], ["a", "b", "a"], weights=[1, 3, 3])
    >>> weighed(table).counts.tolist()
    [[1.6, 0.0], [0.0, 1.0]]
    """
    if isinstance(statistic, Curves) and len(statistic.curves) == 1:
        cells = weighed(statistic.curves[0])
        return WeightedCurve(statistic, cells) if isinstance(cells, WeightedCells) else statistic
    if not isinstance(statistic, (Kinds, Confusion, Curve)) or statistic.by_cluster:
        return statistic
    squares, counts = statistic.squares, statistic.counts
    alike = np.array_equal(squares, counts) or np.allclose(squares, counts, atol=0.0)  # equal, nearly always
    return statistic if alike else WeightedCells(statistic)
