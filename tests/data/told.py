"""What a column that was read holds, value by value."""

from __future__ import annotations

from typing import Any

from adjudge.data.source import Numbers, Text


def values_of(column: Text | Numbers) -> list[Any]:
    """Labels or numbers, None where a cell is empty, and "unreadable" where it holds no number."""
    if isinstance(column, Text):
        assert len(set(column.labels)) == len(column.labels)
        return [None if code < 0 else column.labels[code] for code in column.codes.tolist()]
    flags = zip(column.values.tolist(), column.missing.tolist(), column.unreadable.tolist(), strict=True)
    return ["unreadable" if bad else None if missing else value for value, missing, bad in flags]
