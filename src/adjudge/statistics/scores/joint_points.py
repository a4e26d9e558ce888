"""Points that several systems gave the same responses: their tables drawn together, by response or by person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.responses import Responses
from adjudge.statistics.base import Array, Codes, check_same_pilot, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.scores.clustered_table import by_person
from adjudge.statistics.scores.table import names_of
from adjudge.statistics.systems.imagined import imagined_rows, with_kinds
from adjudge.statistics.weights import Weights

Pilot = tuple[tuple[str, ...], float]  # the forms of scores that are points, and the step of the scale
Span = tuple[int, int, float]  # the lowest point in steps, how many there are, and the step


@dataclass(frozen=True)
class JointPoints(Kinds[Responses, Pilot]):
    """The distinct rows of points, in steps: the reference, then each system's; and the responses that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.

    >>> scores = {"a": np.array([1.0, 2.0, 2.0]), "b": np.array([1.0, 1.0, 1.0])}
    >>> points = JointPoints.collect(Responses(np.array([[1.0], [2.0], [2.0]]), scores), Weights(3), (("a", "b"), 1.0))
    >>> points.kinds.tolist(), points.table_of(1, (1, 2, 1.0)).counts.tolist()
    ([[1, 1, 1], [2, 2, 1]], [[1.0, 0.0], [2.0, 0.0]])
    """

    kinds: Codes  # (V, 1 + systems), distinct, in lexical order
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int
    pilot: Pilot | None = None

    @classmethod
    def summing(cls, judgements: Responses, pilot: Pilot | None = None) -> Callable[[Weights], JointPoints]:
        """What turns weights into counts of these responses."""
        kinds, place = _distinct(_in_steps(judgements, pilot))

        def sums(weights: Weights) -> JointPoints:
            return cls(kinds, *weights.sums_by(place, len(kinds)), weights.rows, pilot)

        return sums

    def __add__(self, other: Self) -> Self:
        check_same_pilot("Whose points are counted, in which steps,", self.pilot, other.pilot)
        kinds, place = _distinct(np.concatenate([self.kinds, other.kinds]))
        return replace(self, kinds=kinds, **self.counted_with(other, place, len(kinds)))

    def table_of(self, system: int, span: Span) -> Confusion:
        """One system's points against the reference, over all points of a span."""
        first, second = self.kinds[:, 0], self.kinds[:, 1 + system]
        return _table(self.counts, (first, second), self.squares, span, self.rows)

    def differing(self, first: int, second: int) -> float:
        """How many responses, in effect, got other points from two systems."""
        differ = self.kinds[:, 1 + first] != self.kinds[:, 1 + second]
        return float(np.nan_to_num(ratio(self.counts[differ].sum() ** 2, self.squares[differ].sum())))

    def with_disagreements(self, first: int, second: int, mass: float = 1.0) -> Self:
        """The responses and imagined ones on which only one of two systems gave the point of the reference.

        As `JointRows` has it; a system's wrong points are those that it or the reference gives at all.
        """
        columns = (1 + first, 1 + second)
        choices = [np.unique(self.kinds[:, [0, column]]) for column in columns]
        kinds, extra = imagined_rows(self, columns, (choices[0], choices[1]))
        return with_kinds(self, kinds, mass * extra)


@dataclass(frozen=True)
class PointsByPerson(OfLinearSums[Responses, Pilot]):
    """Each system's table of points, side by side: all responses of a person are drawn together, for all systems.

    A cell is named by the system's place and its two points, in steps. Laws: those of `LinearSums`.
    """

    pilot: Pilot | None = None

    @classmethod
    def summing(cls, judgements: Responses, pilot: Pilot | None = None) -> Callable[[Weights], PointsByPerson]:
        """What turns weights into sums of these responses."""
        points = _in_steps(judgements, pilot)
        rows, systems = len(points), points.shape[1] - 1
        cells = np.concatenate(
            [np.stack([np.full(rows, place), points[:, 0], points[:, 1 + place]], axis=1) for place in range(systems)]
        )
        distinct, cell = _distinct(cells)
        names = tuple(" ".join(map(str, one)) for one in distinct.tolist())
        assert judgements.people is not None, "people are drawn where they are known"
        keys, who = np.unique(judgements.people, return_inverse=True)

        def sums(weights: Weights) -> PointsByPerson:
            case = None if weights.case is None else np.tile(weights.case, systems)
            units = keys, np.tile(who.reshape(-1), systems), cell
            return cls(replace(by_person(names, units, Weights(rows * systems, case)), rows=rows), pilot)

        return sums

    def __add__(self, other: Self) -> Self:
        check_same_pilot("Whose points are counted, in which steps,", self.pilot, other.pilot)
        names = tuple(dict.fromkeys([*self.sums.names, *other.sums.names]))
        return replace(self, sums=self.sums.over(names) + other.sums.over(names))

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """The tables over all cells that occur anywhere."""
        return replace(self, sums=self.sums.over(whole.sums.names))

    def table_of(self, system: int, span: Span) -> Confusion:
        """One system's points against the reference, over all points of a span."""
        of_system = [one for one, name in enumerate(self.sums.names) if name.split()[0] == str(system)]
        cells = np.array([[int(point) for point in self.sums.names[one].split()[1:]] for one in of_system])
        first, second = cells.reshape(-1, 2).T
        counts = np.maximum(self.sums.totals[..., of_system], 0.0)  # normal draws of rare cells may lie below
        squares = np.diagonal(self.sums.products)[of_system]
        return _table(counts, (first, second), squares, span, self.rows)

    @property
    def _first(self) -> LinearSums:
        return self.sums.only([name for name in self.sums.names if name.startswith("0 ")])

    @property
    def total(self) -> Array:
        """What the responses weigh, (…)."""
        return np.asarray(self._first.totals.sum(-1))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of people."""
        return np.asarray(ratio(self.total**2, self._first.products.sum()))

    @property
    def drawn_units(self) -> float | None:
        """The same: people are drawn, whatever follows from the tables."""
        return float(self.effective_rows)


def _in_steps(responses: Responses, pilot: Pilot | None) -> Codes:
    forms, step = (tuple(responses.scores), 1.0) if pilot is None else pilot
    columns = [responses.first, *(responses.scores[name] for name in forms)]
    return np.rint(np.stack(columns, axis=1) / step).astype(np.int64)


def _distinct(rows: Codes) -> tuple[Codes, Codes]:
    kinds, place = np.unique(rows, axis=0, return_inverse=True)
    return kinds, place.reshape(-1)


def _table(counts: Array, points: tuple[Codes, Codes], squares: Array, span: Span, rows: int) -> Confusion:
    """Counts in cells that are named by two points, as a table over all points of a span."""
    from scipy.sparse import csr_array

    low, size, step = span
    cell = (points[0] - low) * size + points[1] - low
    into = csr_array((np.ones(len(cell)), cell, np.arange(len(cell) + 1)), shape=(len(cell), size**2))
    table = np.asarray(counts @ into).reshape(*counts.shape[:-1], size, size)
    return Confusion(names_of(low, size, step), table, np.asarray(squares @ into).reshape(size, size), rows)
