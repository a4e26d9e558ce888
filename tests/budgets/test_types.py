"""`Any` stands only where NumPy, an untyped library or somebody else's data forces it, each time with its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import adjudge

SOURCE = Path(adjudge.__file__).parent
# Lines that say `Any`, by room; a room that needs fewer says so here.
MOST = {
    "data": 22,
    "statistics": 1,
    "metrics": 1,
    "inference": 3,
    "engines": 2,
    "diagnosis": 2,
    "evaluation": 17,
    "tasks": 3,
    "report": 7,
    "interop": 1,
    "cli": 1,
}


def lines_of_any(code: str) -> list[int]:
    """The lines on which `Any` is a type."""
    names = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and node.id == "Any")
    return sorted({name.lineno for name in names})


def places(room: str) -> list[tuple[Path, int]]:
    files = sorted((SOURCE / room).rglob("*.py"))
    return [(path, line) for path in files for line in lines_of_any(path.read_text(encoding="utf-8"))]


def test_every_room_is_held() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(MOST)


@pytest.mark.parametrize("room", MOST)
def test_no_room_says_any_more_often(room: str) -> None:
    assert len(places(room)) == MOST[room], places(room)


@pytest.mark.parametrize("room", MOST)
def test_every_any_has_its_reason(room: str) -> None:
    silent = []
    for path, line in places(room):
        lines = path.read_text(encoding="utf-8").splitlines()
        own, above = lines[line - 1], lines[max(line - 4, 0) : line - 1]
        if "#" not in own and not any("# Any" in one or "# `Any`" in one or "(`Any`)" in one for one in above):
            silent.append(f"{path.relative_to(SOURCE)}:{line} {own.strip()}")
    assert not silent


def test_any_would_be_seen() -> None:
    assert lines_of_any("from typing import Any\n# Any\nx: dict[str, Any] = {}\n") == [3]
