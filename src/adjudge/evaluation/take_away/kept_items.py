"""The rows behind an evaluation, saved with it: what was read of them, and what was asked, so that it can be paired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.data.reading import batches_of
from adjudge.data.source import Numbers, Text, joined_batches
from adjudge.errors import InputError, SettingError
from adjudge.evaluation.request import Request
from adjudge.metrics.base import Metric

ROW_NUMBER = "number of the row"
# How a file is written, and where sums run: of no use once rows are read.
OF_THE_FILE = ("delimiter", "missing", "decimal", "engine")


@dataclass(frozen=True)
class KeptItems:
    """Every row of a table, the columns that were used, and what was asked of them."""

    given: dict[str, object]
    columns: dict[str, list[object]]

    @property
    def id(self) -> str | None:
        """The column that names each row."""
        column = self.given.get("id")
        return None if column is None else str(column)

    def by_row(self) -> KeptItems:
        """The same rows, named by their numbers: what pairs evaluations of one table.

        >>> KeptItems({}, {"y": ["a", "b"]}).by_row()
        KeptItems(given={'id': 'number of the row'}, columns={'y': ['a', 'b'], 'number of the row': ['1', '2']})
        """
        rows = max(map(len, self.columns.values()), default=0)
        numbers: dict[str, list[object]] = {ROW_NUMBER: [str(row + 1) for row in range(rows)]}
        return KeptItems(self.given | {"id": ROW_NUMBER}, self.columns | numbers)


def kept_items(request: Request) -> KeptItems:
    """The rows of a request, read again."""
    reading = request.study.reading
    parts = [batch for _, batch in batches_of(request.source, reading, gather=request.engine.holds_table)]
    if not parts:
        raise InputError("`with_items` must find the rows of the table again, but there are none.")
    if any(part.times is not None for part in parts) or not (request.source.ordered or "id" in request.given):
        raise InputError("`with_items` must be left out where cells are evaluated: they do not tell rows apart.")
    batch = joined_batches(parts)
    given = {name: _plain(name, value) for name, value in request.given.items() if name not in OF_THE_FILE}
    return KeptItems(given, {name: _values(column) for name, column in batch.columns.items()})


def _values(column: Text | Numbers) -> list[object]:
    if isinstance(column, Text):
        labels = [*column.labels, None]
        return [labels[code] for code in column.codes.tolist()]
    return [None if value != value else value for value in column.values.tolist()]


def _plain(name: str, value: object) -> object:
    """What was asked as a file can hold it."""
    if isinstance(value, Metric):
        return repr(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(name, part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(name, part) for part in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise SettingError(f"`with_items` must be left out where `{name}` is given: it cannot be saved.")
