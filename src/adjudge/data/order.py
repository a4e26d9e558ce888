"""Rows of a table in their order, where those that are alike stand once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Entry = TypeVar("Entry", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Order:
    """Rows of a table in their order, where those that are alike stand once: see `data/counting.py`."""

    codes: NDArray[np.intp]  # (rows of the table,)
    used: NDArray[np.int64]  # the codes there are, in the order of the rows that stand for them
    size: int  # codes are below it

    def spread(self, values: NDArray[Entry]) -> NDArray[Entry]:
        """What each row of the table has, from what those have that stand for them.

        >>> Order(np.array([4, 1, 4]), np.array([1, 4]), 5).spread(np.array([True, False])).tolist()
        [False, True, False]
        """
        every = np.zeros(self.size, dtype=values.dtype)
        every[self.used] = values
        return every.take(self.codes)

    def of_rows(self, rows: NDArray[np.int64]) -> Order:
        """Some of the rows of the table."""
        return Order(self.codes[rows], self.used, self.size)

    def among(self, some: NDArray[np.int64]) -> tuple[Order, NDArray[np.int64]]:
        """Without the rows that all but some of those stand for; and which rows of the table stay.

        >>> order, rows = Order(np.array([4, 1, 4]), np.array([1, 4]), 5).among(np.array([1]))
        >>> order.places.tolist(), rows.tolist()
        ([0, 0], [0, 2])
        """
        stays = np.zeros(len(self.used), dtype=np.bool_)
        stays[some] = True
        rows = np.flatnonzero(self.spread(stays))
        return Order(self.codes[rows], self.used[some], self.size), rows

    @property
    def places(self) -> NDArray[np.int64]:
        """Which of those that stand for them each row of the table is.

        >>> Order(np.array([4, 1, 4]), np.array([1, 4]), 5).places.tolist()
        [1, 0, 1]
        """
        return self.spread(np.arange(len(self.used)))
