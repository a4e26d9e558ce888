"""How often each point of a scale met each other, by whoever gave the responses: people are drawn, not responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Codes, check_same_pilot, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.linear_sums import MOST_KEPT, LinearSums
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.scores.features import MOST_POINTS
from adjudge.statistics.scores.table import crossed_steps, names_of
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class ClusteredTable(OfLinearSums[Responses, float]):
    """Weight in each cell that occurs, summed by person; cells are named by their two points, in steps.

    Laws: those of `LinearSums`. With more than 60 points there is no table, whatever is added.

    >>> people = np.array([7, 7, 8], dtype=np.uint64)
    >>> responses = Responses(np.array([[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]]), {}, people)
    >>> table = ClusteredTable.collect(responses, Weights(3))
    >>> table.confusion.counts.tolist(), round(table.drawn_units, 2)
    ([[2.0, 0.0], [1.0, 0.0]], 1.8)
    """

    step: float
    crowded: bool = False

    @classmethod
    def summing(cls, judgements: Responses, pilot: float | None = None) -> Callable[[Weights], ClusteredTable]:
        """What turns weights into the table of the responses that have both scores; the pilot is the step."""
        step = 1.0 if pilot is None else pilot
        codes, rows, (low, size) = crossed_steps(judgements, step)
        distinct, cells = np.unique(codes, return_inverse=True)
        names = tuple(f"{low + code // size} {low + code % size}" for code in distinct.tolist())
        assert judgements.people is not None, "people are drawn where they are known"
        keys, who = np.unique(judgements.people[rows], return_inverse=True)
        units = keys, who.reshape(-1), cells.reshape(-1)

        def sums(weights: Weights) -> ClusteredTable:
            assert weights.draws is None, "people are drawn after their responses are summed"
            if not size:
                keys_alone = np.zeros(0, dtype=np.uint64)
                nothing = LinearSums((), np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)), len(rows), 0, keys_alone)
                return cls(nothing, step, crowded=len(rows) > 0)
            return cls(by_person(names, units, weights.of_rows(rows)), step)

        return sums

    def __add__(self, other: Self) -> Self:
        check_same_pilot("The step of the scale", self.step, other.step)
        names = tuple(dict.fromkeys([*self.sums.names, *other.sums.names]))
        if self.crowded or other.crowded or _span(names)[1] > MOST_POINTS:
            return replace(self, sums=self.sums.only(()) + other.sums.only(()), crowded=True)
        return replace(self, sums=self.sums.over(names) + other.sums.over(names))

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """The table over all cells that occur anywhere."""
        return self if whole.crowded else replace(self, sums=self.sums.over(whole.sums.names))

    @cached_property
    def confusion(self) -> Confusion:
        """The table with its points named."""
        low, size = _span(self.sums.names)
        cells = [[int(point) - low for point in name.split()] for name in self.sums.names]
        first, second = np.array(cells, dtype=np.int64).reshape(-1, 2).T
        counts = np.zeros((*self.sums.totals.shape[:-1], size, size))
        counts[..., first, second] = np.maximum(self.sums.totals, 0.0)  # normal draws of rare cells may lie below
        squares = np.zeros((size, size))
        squares[first, second] = np.diagonal(self.sums.products)
        return Confusion(names_of(low, size, self.step), counts, squares, self.rows)

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return np.asarray(self.sums.totals.sum(-1))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of people."""
        return np.asarray(ratio(self.total**2, self.sums.products.sum()))

    @property
    def drawn_units(self) -> float | None:
        """The same: people are drawn, whatever follows from the table."""
        return float(self.effective_rows)


def by_person(names: tuple[str, ...], units: tuple[Keys, Codes, Codes], weights: Weights) -> LinearSums:
    """What each person adds to each cell; most people are in few of them."""
    from scipy.sparse import csr_array

    keys, who, cells = units
    amounts = np.ones(weights.rows) if weights.case is None else weights.case
    table = csr_array((amounts, (who, cells)), shape=(len(keys), len(names)))
    few = len(keys) <= MOST_KEPT
    return LinearSums(
        names,
        np.bincount(cells, weights=amounts, minlength=len(names)).astype(np.float64),
        (table.T @ table).toarray(),
        table.toarray() if few else None,
        weights.rows,
        len(keys),
        keys if few else None,
    )


def _span(names: Sequence[str]) -> tuple[int, int]:
    points = [int(point) for name in names for point in name.split()]
    return (min(points), max(points) - min(points) + 1) if points else (0, 0)
