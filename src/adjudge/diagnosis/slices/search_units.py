"""What is searched: rows with what each cost and their levels, and a slice of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.keys import Keys
from adjudge.statistics.base import Array

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class SearchedColumn:
    """A column that is searched: the level of each row, the last code for levels too rare to be told."""

    name: str
    levels: tuple[str, ...]
    codes: Codes

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.levels) + 1


@dataclass(frozen=True)
class SearchUnits:
    """Rows to search in: what each cost, which belong together, and what they weigh."""

    columns: tuple[SearchedColumn, ...]
    losses: Array
    keys: Keys
    clustered: bool = False
    weights: Array | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.losses)

    @property
    def counted(self) -> bool:
        """Whether rows are right or wrong, independent, and count one each."""
        alone = self.weights is None and not self.clustered
        return alone and bool(((self.losses == 0) | (self.losses == 1)).all())

    def of_rows(self, rows: NDArray[np.int64]) -> SearchUnits:
        """Some of the rows."""
        return replace(
            self,
            columns=tuple(replace(column, codes=column.codes[rows]) for column in self.columns),
            losses=self.losses[rows],
            keys=self.keys[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def inside(self, one: Slice) -> NDArray[np.bool_]:
        """The rows of a slice."""
        held = [self.columns[place].codes == code for place, code in one.cells]
        return np.asarray(np.logical_and.reduce(held))


@dataclass(frozen=True)
class Slice:
    """A level of a column, or of two: by their places and codes."""

    cells: tuple[tuple[int, int], ...]
    name: str
