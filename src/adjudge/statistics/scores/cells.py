"""Responses counted on a grid of human scores and parts of the line: from a few sums in each cell follow all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.responses import Responses
from adjudge.data.judgements.score_types import score_types
from adjudge.statistics.base import AnyStatistic, Array, Codes, Undrawn, of_given_units
from adjudge.statistics.linear_sums import MOST_KEPT
from adjudge.statistics.scores.cell_sums import ToldCells, told_sum
from adjudge.statistics.scores.features import OF_WHOLE
from adjudge.statistics.scores.grid import ScoreGrid, ToldSum
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights

POWERS = 5  # of how far a score lies from where its part starts: products of squares need the fourth

Others = tuple[AnyStatistic, ...]


@dataclass(frozen=True)
class ScoreCells(Undrawn[Responses, ScoreGrid]):
    """How many responses lie in each cell of a grid, and the sums of powers of where they lie in it.

    From these follow the sums that every view of the scores is read from (`told`), to the last bits. Responses that lie
    in no cell are summed one by one; of few responses all are kept, and told as they are. Every response counts one.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; two parts, added, equal the whole, if they have the same grid.
    """

    grid: ScoreGrid
    moments: Array  # (powers, cells)
    low: float  # the lowest score, and the highest
    high: float
    rows: int
    kept: Array | None  # (responses, raters and the score), while there are few
    others: Others | None = None  # what those add that lie in no cell, for each that is told

    @classmethod
    def summing(cls, judgements: Responses, pilot: ScoreGrid | None = None) -> Callable[[Weights], ScoreCells]:
        """What turns weights, which must all be one, into the cells of these responses."""
        one = np.zeros(len(judgements), dtype=np.int64)

        def sums(weights: Weights) -> ScoreCells:
            [part] = cls.collect_by(judgements, weights, one, 1, pilot)
            assert part is not None
            return part

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Responses, weights: Weights, levels: Codes, size: int, pilot: ScoreGrid | None = None
    ) -> list[Self | None]:
        """Count the cells of all levels at once."""
        assert pilot is not None
        assert weights.case is None
        cells, powers, other = _cells_of(judgements, pilot)
        levels = levels.astype(np.int64)
        moments = _moments(levels * pilot.size + cells, powers, other, size * pilot.size)
        moments = moments.reshape(POWERS, size, pilot.size)
        scores = judgements.scores[pilot.system]
        rows = np.bincount(levels, minlength=size) if other is not None else moments[0].sum(1).astype(np.int64)
        low, high = _lowest(scores, levels, size), -_lowest(-scores, levels, size)
        kept = _kept(judgements, pilot, levels, rows)
        others = [None] * size if other is None else _others(judgements, pilot, (levels, size), other)
        return [
            cls(pilot, moments[:, level], low[level], high[level], many, kept[level], others[level]) if many else None
            for level, many in enumerate(rows.tolist())
        ]

    def __add__(self, other: Self) -> Self:
        rows = self.rows + other.rows
        few = self.kept is not None and other.kept is not None and rows <= MOST_KEPT
        return replace(
            self,
            moments=self.moments + other.moments,
            low=min(self.low, other.low),
            high=max(self.high, other.high),
            rows=rows,
            kept=np.concatenate([self.kept, other.kept]) if few else None,
            others=_added(self.others, other.others),
        )

    @classmethod
    def adds_exactly(cls, case: Array | None) -> bool:
        """The whole is made of its levels; not to the last bits of a sum of all rows, but the same everywhere."""
        return case is None

    def scaled(self, unit: float) -> Self:
        """Refused: every response counts one."""
        raise TypeError("Cells of scores know no weights: what they tell does.")

    def derived(self, place: int, *, whole: bool) -> AnyStatistic:
        """One of the statistics that the grid says are told, of all responses or of a slice."""
        spec = self.grid.tells[place]
        pilot = spec.pilot_of(whole=whole)
        if self.kept is not None:
            return _of_rows(spec, _responses(self.grid, self.kept), pilot)
        counted = None if self._cells is None else told_sum(spec, self._cells, pilot)
        more = None if self.others is None else _narrowed(self.others[place], pilot)
        return reduce(add, [part for part in (counted, more) if part is not None])

    @cached_property
    def _cells(self) -> ToldCells | None:
        """The cells that have responses; None without any."""
        known = np.flatnonzero(self.moments[0])
        ends = (self.low, self.high)
        return ToldCells.of(self.grid, known, self.moments[:, known], ends) if len(known) else None


Located = tuple[Codes, list[Array], NDArray[np.bool_] | None]


def _cells_of(responses: Responses, grid: ScoreGrid) -> Located:
    """Where responses lie, as powers from the first to the fourth; worked out once for the whole and all slices."""

    def located() -> Located:
        cells, apart, other = grid.cells_of(responses)
        square = apart * apart
        return cells, [apart, square, square * apart, square * square], other

    return responses.worked_out.once(grid.system, located)


def _moments(place: Codes, powers: Sequence[Array], other: NDArray[np.bool_] | None, size: int) -> Array:
    """The sums of powers, from none to the fourth, in each cell."""
    if other is not None:
        place, powers = place[~other], [power[~other] for power in powers]
    moments = np.empty((POWERS, size))
    moments[0] = np.bincount(place, minlength=size)
    for number, power in enumerate(powers, 1):
        moments[number] = np.bincount(place, power, minlength=size)
    return moments


# Of so many of the first numbers, one in so many tells what is low.
FIRST, LOW = 2**12, 2**6


def _lowest(numbers: Array, levels: Codes, size: int) -> Array:
    """The lowest number of each level, infinite where it has none: few are looked at where they hold one of each."""
    some = numbers[:FIRST]
    few = np.flatnonzero(numbers <= np.partition(some, len(some) // LOW)[len(some) // LOW])
    lowest = np.full(size, np.inf)
    np.minimum.at(lowest, levels[few], numbers[few])
    if np.isinf(lowest).any():
        np.minimum.at(lowest, levels, numbers)
    return lowest


def _kept(responses: Responses, grid: ScoreGrid, levels: Codes, rows: Codes) -> list[Array | None]:
    """The responses of each level that has few."""
    if (rows > MOST_KEPT).all():
        return [None] * len(rows)
    order, ends = np.argsort(levels, kind="stable"), np.cumsum(rows)
    scores = responses.scores[grid.system]
    return [
        np.column_stack([responses.ratings[(some := order[end - many : end])], scores[some]])
        if many <= MOST_KEPT
        else None
        for end, many in zip(ends.tolist(), rows.tolist(), strict=True)
    ]


def _responses(grid: ScoreGrid, kept: Array) -> Responses:
    """The responses that were kept, in every form."""
    forms = score_types(np.ascontiguousarray(kept[:, -1]), grid.scale, grid.scaling)
    return Responses(kept[:, :-1], {name: forms[form] for name, form in grid.forms.items()})


def _others(
    responses: Responses, grid: ScoreGrid, by: tuple[Codes, int], other: NDArray[np.bool_]
) -> Sequence[Others | None]:
    """What responses in no cell add to each level, one statistic for each that is told."""
    rows, (levels, size) = np.flatnonzero(other), by
    some, of_level = responses.of_rows(rows), levels[rows]
    parts = [
        of_given_units(spec.statistic).collect_by(spec.view.seen(some), Weights(len(rows)), of_level, size, spec.pilot)
        for spec in grid.tells
    ]
    return [
        tuple(sums for part in parts if (sums := part[level]) is not None) if known else None
        for level, known in enumerate(np.bincount(of_level, minlength=size))
    ]


def _of_rows(spec: ToldSum, responses: Responses, pilot: object) -> AnyStatistic:
    return of_given_units(spec.statistic).collect(spec.view.seen(responses), Weights(len(responses)), pilot)


def _narrowed(statistic: AnyStatistic, pilot: object) -> AnyStatistic:
    """Of sums of all responses, what is looked at in slices."""
    if not (isinstance(statistic, ScoreTotals) and isinstance(pilot, ScorePilot) and pilot.in_slices):
        return statistic
    names = [name for name in statistic.sums.names if not name.startswith(OF_WHOLE)]
    return replace(statistic, sums=statistic.sums.only(names))


def _added(one: Others | None, two: Others | None) -> Others | None:
    if one is None or two is None:
        return two if one is None else one
    return tuple(a + b for a, b in zip(one, two, strict=True))
