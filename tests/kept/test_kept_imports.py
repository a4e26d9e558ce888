"""What files of other tools become, with what is left out and what is remarked, kept as text.

Rows are held to golden tables elsewhere (tests/data/test_formats.py); this holds their order, roles and sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.data.test_formats import CASES, GOLDEN, SIGNATURES, picks_of
from tests.kept.keeping import KEPT, kept

from adjudge.data.formats import imported
from adjudge.data.formats.base import TABLES, Imported
from adjudge.errors import AdjudgeError

FIRST = 8
"""Of each column so many cells are kept."""


def described(found: Imported) -> Iterator[str]:
    """A line for what the file is, one for each column, and one for each thing said of it."""
    yield f"{found.tool} {found.table} {found.rows} rows, {json.dumps(dict(found.roles), default=str)}"
    for name, cells in found.columns.items():
        yield f"{name}: {json.dumps(list(cells)[:FIRST], ensure_ascii=False, default=str)}"
    yield from (f"left out: {many} {reason}" for reason, many in found.left_out.items())
    yield from (f"remark: {one}" for one in found.remarks)
    yield from (f"doubt: {one}" for one in found.doubts)
    yield f"joins {found.joins}, here {found.here}"


def read(paths: list[Path], picks: dict[str, str]) -> Iterator[str]:
    yield f"# {' '.join(str(path.relative_to(GOLDEN)) for path in paths)} {picks or ''}".rstrip()
    try:
        found = imported(paths, picks, TABLES)
    except AdjudgeError as refusal:
        yield f"refused: {refusal}".replace(str(GOLDEN), "…")
    else:
        yield from described(found) if found is not None else ["no file of another tool"]


def every() -> Iterator[str]:
    for name in sorted(SIGNATURES):
        yield from read([GOLDEN / name], {})
    for tool, case in (one.values for one in CASES):
        if picks := picks_of(str(tool), case):
            yield from read([GOLDEN / str(tool) / name for name in case["files"]], picks)


def test_files_of_other_tools_become_what_they_became() -> None:
    made = "\n".join(every()) + "\n"
    assert made == kept(KEPT / "imports.txt", made)
