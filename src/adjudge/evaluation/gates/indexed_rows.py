"""The rows of a table by the number they are of: gone through once, however many requirements ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudge.evaluation.results import Row

Number = tuple[str, str, str, str | None]  # system, slice, metric, baseline


@dataclass(frozen=True, slots=True)
class RowsOfNumber:
    """The rows of one number: the limits by their test, those that could not be made, and its estimates."""

    limits: dict[str, list[Row]] = field(default_factory=dict)
    unlimited: list[Row] = field(default_factory=list)  # tested, but without any limit
    estimates: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """One more row, behind those there are."""
        if row.test is not None and row.method == "none":
            self.unlimited.append(row)
        if row.test is not None and row.is_limit:
            self.limits.setdefault(row.test, []).append(row)
        else:
            self.estimates.append(row)


@dataclass(frozen=True, slots=True)
class IndexedRows:
    """What a table holds: its slices and systems in their order, and the rows of each number."""

    slices: dict[str, None] = field(default_factory=dict)
    systems: dict[str, None] = field(default_factory=dict)
    measured: dict[str, dict[str, None]] = field(default_factory=dict)  # the systems of each metric
    numbers: dict[Number, RowsOfNumber] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> IndexedRows:
        """Gone through once."""
        index = cls()
        for row in rows:
            index.slices[row.slice] = index.systems[row.system] = None
            index.measured.setdefault(row.metric, {})[row.system] = None
            index.numbers.setdefault((row.system, row.slice, row.metric, row.baseline), RowsOfNumber()).add(row)
        return index

    def of_number(self, number: Number) -> RowsOfNumber:
        """The rows of a number; none where it was not measured."""
        return self.numbers.get(number, RowsOfNumber())
