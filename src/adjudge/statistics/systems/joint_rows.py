"""What several systems said of the same rows: rows judged alike by all of them are counted together.

Drawing these counts draws rows, so the replicates of all systems are of the same rows: they are paired.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.columns import Array, Codes, JointJudgements
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.errors import SettingError
from adjudge.statistics.cells import MULTINOMIAL_ROWS, draw_by_table, draw_cells, generator
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.grouping import cells_in
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.systems.imagined import imagined_rows, with_kinds
from adjudge.statistics.weights import Weights

Grids = tuple[Array | None, ...]  # for each system the falling thresholds of its lone score, if it has one


@dataclass(frozen=True)
class JointRows(Kinds[JointJudgements, Grids]):
    """Distinct rows of codes: the reference, then each system's decision and the cell of its score, -1 for none.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole. Grids
    are the pilot, and must be the same in all parts; labels are aligned on `+`.
    """

    labels: tuple[str, ...]
    grids: Grids
    kinds: Codes  # (V, 1 + 2 × systems), distinct, in lexical order
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int

    is_of_cells = True

    @classmethod
    def summing(cls, judgements: JointJudgements, pilot: Grids | None = None) -> Callable[[Weights], JointRows]:
        """What turns weights into counts of these rows."""
        grids, systems = pilot or (), judgements.systems
        decided = [system.prediction for system in systems]
        labels = ordered_labels(
            {c for one in (systems[0].reference, *decided) if one is not None for c in one.categories}
        )
        columns = [systems[0].reference.recoded(labels).codes]
        none = np.full(len(columns[0]), -1, dtype=np.int64)
        for system, grid in zip(systems, grids, strict=True):
            columns.append(none if system.prediction is None else system.prediction.recoded(labels).codes)
            columns.append(
                none if grid is None or system.scores is None else cells_in(grid, system.scores.values[:, 0])
            )
        kinds, place = distinct_kinds(np.stack(columns, axis=1))

        def sums(weights: Weights) -> JointRows:
            return cls(labels, grids, kinds, *weights.sums_by(place, len(kinds)), weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        alike = zip(self.grids, other.grids, strict=True)
        if not all(a is b or (a is not None and b is not None and np.array_equal(a, b)) for a, b in alike):
            raise SettingError("Rows must be counted in the same cells of scores in all parts, but they are not.")
        labels = ordered_labels({*self.labels, *other.labels})
        both = np.concatenate([part._aligned(labels) for part in (self, other)])
        kinds, place = distinct_kinds(both)
        return replace(self, labels=labels, kinds=kinds, **self.counted_with(other, place, len(kinds)))

    def _aligned(self, labels: tuple[str, ...]) -> Codes:
        """The rows' codes over more labels."""
        if labels == self.labels:
            return self.kinds
        kinds, place = self.kinds.copy(), np.append(positions(self.labels, labels), -1)
        of_labels = [0, *range(1, kinds.shape[1], 2)]
        kinds[:, of_labels] = place[kinds[:, of_labels]]
        return kinds

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the distinct rows."""
        random = generator(seed, stream)
        if self.rows <= MULTINOMIAL_ROWS or not np.array_equal(self.counts, np.floor(self.counts)):
            return self.with_counts(draw_cells(self.counts, kind, replicates, random))
        # Rows of equal counts side by side: each count has a table of its own.
        order = np.argsort(self.counts, kind="stable")
        draws = draw_by_table(self.counts[order], kind, replicates, random)
        return replace(self, kinds=self.kinds[order], counts=draws, squares=self.squares[order])

    def table_of(self, system: int) -> Confusion:
        """One system's decisions against the reference."""
        size = len(self.labels)
        counts, squares = self._summed_by(self.kinds[:, 0] * size + self.kinds[:, 1 + 2 * system], size**2)
        return Confusion(
            self.labels, counts.reshape(*counts.shape[:-1], size, size), squares.reshape(size, size), self.rows
        )

    def differing(self, first: int, second: int) -> float:
        """How many rows two systems decided differently; NaN where one decided none."""
        one, two = self.kinds[:, 1 + 2 * first], self.kinds[:, 1 + 2 * second]
        return float(self.counts[..., one != two].sum()) if (one >= 0).all() and (two >= 0).all() else np.nan

    def with_disagreements(self, first: int, second: int, mass: float = 1.0) -> Self:
        """The rows and, of every label, some imagined ones that only one of two systems got right, and only the other.

        What the other said is spread as its wrong answers of that label are, or evenly where it has none. Drawing from
        these, two systems that never differ are not taken to be the same for certain. Other systems' answers to the
        imagined rows mean nothing.
        """
        choices = np.arange(len(self.labels))
        kinds, extra = imagined_rows(self, (1 + 2 * first, 1 + 2 * second), (choices, choices))
        return with_kinds(self, kinds, mass * extra)

    def curves_of(self, system: int, positive: str) -> Curves:
        """One system's lone score, in the cells of its grid."""
        grid = self.grids[system]
        assert grid is not None, "the system has no score"
        named = self.labels.index(positive) if positive in self.labels else -2
        cell = self.kinds[:, 2 + 2 * system] + np.where(self.kinds[:, 0] == named, 0, len(grid))
        counts, squares = self._summed_by(cell, 2 * len(grid))
        shape = (*counts.shape[:-1], 2, len(grid))
        return Curves((positive,), (Curve.of_points(grid, counts.reshape(shape), squares.reshape(2, -1), self.rows),))

    def _summed_by(self, cell: Codes, size: int) -> tuple[Array, Array]:
        """Counts and squares of all rows in the same cell, (…, size) and (size,)."""
        from scipy.sparse import csc_array

        squares = np.bincount(cell, weights=self.squares, minlength=size).astype(np.float64)
        table = csc_array((np.ones(len(cell)), cell, np.arange(len(cell) + 1)), shape=(size, len(cell)))
        return np.ascontiguousarray((table @ self.counts.T).T), squares


def distinct_kinds(codes: Codes) -> tuple[Codes, Codes]:
    """The distinct rows of codes in lexical order, and each row's place among them."""
    base = codes.max(initial=0) + 2
    if codes.shape[1] * np.log2(base) > 62:
        kinds, place = np.unique(codes, axis=0, return_inverse=True)
        return kinds, place.reshape(-1)
    key = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        key *= base
        key += column + 1
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return codes[first], place.reshape(-1)
