"""Which paths are files of another tool, and not an ordinary table."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from adjudge.data.files import open_files
from adjudge.data.formats import imported, recognised
from adjudge.data.formats.base import Imported
from adjudge.errors import InputError



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
    found = recognised(paths[0]) if paths else None
    return [] if found is None or (len(paths) > 1 and found[0].alone) else paths


def open_foreign(
    table: object, named: Mapping[str, Any], picks: Mapping[str, str], tables: Sequence[str]
) -> Imported | None:
    """A table that another tool wrote; None where it is an ordinary one, or a role names one of its own columns.

    A role that the tool's own records must be looked up for, such as item=data.doc, is what is picked of them.
    """
    paths = foreign_paths(table)
    if not paths:
        return None
    found = recognised(paths[0])
    assert found is not None
    if not picks and _is_ordinary(paths[0], named, plain=found[0].plain):
        return None
    also = {role: name for role, name in named.items() if role in found[0].picks and isinstance(name, str)}
    return imported(paths, {**also, **picks}, tables)


def _is_ordinary(path: Path, named: Mapping[str, Any], *, plain: bool) -> bool:
    try:
        columns = open_files(str(path)).column_names
    except InputError:
        return False
    return plain or any(name in columns for name in _names(named.values()))


def _names(values: Iterable[Any]) -> Iterator[str]:
    """Every text in what was given."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _names(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _names(value)
