"""Rows that say the same as another in every column, beside what chance makes of that: a fact that adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from adjudge.data.keys import Keys, Twins, keys_of_numbers, mixed, quick_keys
from adjudge.data.source import Numbers, Text

NONE = np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Repeats:
    """Of rows with a number of many values: how many there are like each, in all columns, but for it, and in it.

    >>> y, f = np.array([1.5, 2.5, 1.5, 1.5]), np.array([0.1, 0.2, 0.1, 0.4])
    >>> found = Repeats.of({"y": Numbers(y), "f": Numbers(f)}, "f")
    >>> found.rows, found.whole.again, found.rest.again, found.alike(found.rest)
    (4, 1, 2, 1.5)
    """

    rows: int = 0
    whole: Twins = field(default_factory=lambda: Twins.of(NONE))
    rest: Twins = field(default_factory=lambda: Twins.of(NONE))
    number: Twins = field(default_factory=lambda: Twins.of(NONE))

    @classmethod
    def of(cls, columns: Mapping[str, Text | Numbers], number: str) -> Repeats:
        """Of the rows of a block in which the number is known."""
        fine = columns.get(number)
        if not isinstance(fine, Numbers):
            return cls()
        known = np.isfinite(fine.values)
        own = keys_of_numbers(fine.values[known])
        rest = np.zeros(len(own), dtype=np.uint64)
        for name in sorted(name for name in columns if name != number):
            rest = mixed(rest ^ _keys(columns[name])[known])
        return cls(len(own), Twins.of(mixed(rest ^ own)), Twins.of(rest), Twins.of(own))

    def __add__(self, other: Repeats) -> Repeats:
        return Repeats(
            self.rows + other.rows, self.whole + other.whole, self.rest + other.rest, self.number + other.number
        )

    def alike(self, of: Twins) -> float:
        """How many other rows a row is like, on average."""
        return float((of.times * (of.times - 1)).sum()) / max(of.rows, 1)


def _keys(column: Text | Numbers) -> Keys:
    if isinstance(column, Numbers):
        return keys_of_numbers(column.values)
    return np.append(quick_keys(column.labels), np.uint64(0))[column.codes]
