"""Which paths are files of another tool, and not an ordinary table."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from adjudge.data.formats import imported, readers_of
from adjudge.data.formats.base import Imported
from adjudge.data.tables.files import open_files
from adjudge.errors import InputError, SettingError, listed, quoted


def foreign_paths(table: object) -> list[Path]:
    """The files that a path means, where another tool wrote them; none otherwise.

    Several files, by a pattern, are one table where the tool gives each rater a file of its own.
    """
    if not isinstance(table, (str, os.PathLike)):
        return []
    where = os.path.expanduser(os.fspath(table))
    path = Path(where)
    if not where or "\0" in where:
        return []
    if os.path.isfile(path) or os.path.isdir(path):
        paths = [path]
    elif glob.has_magic(where):
        paths = [Path(name) for name in sorted(glob.glob(where, recursive=True))]
    else:
        return []
    readers = readers_of(paths[0])[1] if paths else []
    return [] if not readers or (len(paths) > 1 and readers[0].alone) else paths


def open_foreign(
    table: object, named: Mapping[str, object], picks: Mapping[str, str], tables: Sequence[str]
) -> Imported | None:
    """A table that another tool wrote; None where it is an ordinary one, or a role names one of its own columns.

    A role that the tool's own records must be looked up for, such as item=data.doc, is what is picked of them.
    """
    paths = foreign_paths(table)
    if not paths:
        return None
    reader = readers_of(paths[0])[1][0]
    columns = () if picks else _ordinary_columns(paths[0])
    if columns and (reader.plain or any(name in columns for name in _names(named.values()))):
        return None
    single = {role: name[0] if isinstance(name, list) and len(name) == 1 else name for role, name in named.items()}
    also = {role: name for role, name in single.items() if role in reader.picks and isinstance(name, str)}
    try:
        foreign = imported(paths, {**also, **picks}, tables)
    except (InputError, SettingError):
        if columns and named:  # it is an ordinary table too, and roles were given: what is wrong is said of those
            return None
        raise
    if foreign is None or foreign.table in tables:
        return foreign
    if columns:
        return None
    raise SettingError(
        f"The table must hold {listed(tables) if tables else 'columns'} for this task, but {quoted(foreign.name)}, a "
        f"file of {foreign.tool}, holds {foreign.table}. Name another task, or write it as a table with "
        "`adjudge convert`."
    )


def _ordinary_columns(path: Path) -> tuple[str, ...]:
    try:
        return open_files(str(path)).column_names
    except InputError:
        return ()


def _names(values: Iterable[object]) -> Iterator[str]:
    """Every text in what was given."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _names(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _names(value)
