"""What was asked of a search of slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.diagnosis.slices.slice_search import WAYS
from adjudge.errors import ColumnNotFound, SettingError, check_choice
from adjudge.evaluation.declaration import Given

TABLES = 200


@dataclass(frozen=True)
class Searching:
    """Which columns are searched, in which way, and how often losses are dealt anew."""

    columns: tuple[str, ...] = ()
    way: str | None = None
    tables: int = TABLES


def searching(given: Given, columns: Sequence[str]) -> Searching:
    """What was asked of a search, checked."""
    named, way, tables = (given.get(name) for name in ("search", "search_by", "search_null"))
    if named is None:
        if way is not None or tables is not None:
            raise SettingError("`search` must name columns where `search_by` or `search_null` is given.")
        return Searching()
    names = tuple(dict.fromkeys(named))
    for name in names:
        if name not in columns:
            raise ColumnNotFound("search", name, columns)
    if way is not None:
        check_choice("search_by", way, WAYS)
    if tables is not None and not 0 <= tables <= 10_000:
        raise SettingError(f"`search_null` must lie between 0 and 10,000, but it is {tables}.")
    return Searching(names, way, TABLES if tables is None else tables)
