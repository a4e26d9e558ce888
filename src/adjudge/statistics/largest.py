"""The largest of several values over rows: what can be said of a tail when rows are gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.statistics.base import Array

# More than the root of the number of rows, up to a hundred thousand rows.
MOST_LARGEST = 320


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest values of each kind, falling; values are not negative, and zeros fill up.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; two parts, added, equal the whole.

    >>> part = Largest.collect({"over": np.array([1.0, 4.0, 2.0])}, None)
    >>> (part + part).of({"over": 2.0})[:3].tolist()
    [8.0, 8.0, 4.0]
    """

    names: tuple[str, ...]
    values: Array  # (kinds, MOST_LARGEST)

    @classmethod
    def collect(cls, columns: Mapping[str, Array], case: Array | None) -> Self:
        """From a value of each kind for every row; rows without weight do not count."""
        rows = np.stack(list(columns.values()))
        return cls(tuple(columns), _largest(rows if case is None else rows[:, case > 0]))

    def __add__(self, other: Self) -> Self:
        return replace(self, values=_largest(np.concatenate([self.values, other.values], axis=1)))

    def of(self, factors: Mapping[str, float]) -> Array:
        """The largest of several kinds together, each times a factor, falling."""
        chosen = [self.values[self.names.index(name)] * factor for name, factor in factors.items()]
        return np.asarray(_largest(np.concatenate(chosen)[None])[0])


def _largest(rows: Array) -> Array:
    if rows.shape[1] > MOST_LARGEST:
        rows = np.partition(rows, rows.shape[1] - MOST_LARGEST, axis=1)[:, -MOST_LARGEST:]
    falling = -np.sort(-rows, axis=1)
    return np.asarray(np.pad(falling, ((0, 0), (0, MOST_LARGEST - falling.shape[1]))))
