"""Where a column is that the first sheet of a workbook, which is read, does not have."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudge.data.tables.sheets import sheets_with
from adjudge.errors import AdjudgeError, ColumnNotFound, listed


@contextmanager
def naming_sheets(table: object) -> Iterator[None]:
    """Say of a column that is missing in a workbook which of its other sheets has it."""
    try:
        yield
    except ColumnNotFound as error:
        if sheets := _sheets_with(table, error.name):
            where = f"Another sheet has it, {listed(sheets, 3)}, but only the first is read"
            error.args = (f"{error} {where}: move the one that is meant to the front.",)
        raise


def _sheets_with(table: object, column: str) -> list[str]:
    if not isinstance(table, (str, os.PathLike)):
        return []
    path = Path(os.path.expanduser(os.fspath(table)))
    if path.suffix.casefold() != ".xlsx" or not path.is_file():
        return []
    try:
        return sheets_with(path, column)
    except AdjudgeError:  # another sheet that cannot be read is no matter of this table
        return []
