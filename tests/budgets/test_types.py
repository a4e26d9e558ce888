"""`Any` stands only where a type cannot be written, each time with its reason, and nowhere more often than today."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import adjudge

SOURCE = Path(adjudge.__file__).parent
# Lines that say `Any`, by room; a room that needs fewer says so here.
MOST = {"evaluation": 19, "tasks": 3, "report": 7, "cli": 1, "interop": 1, "diagnosis": 2}


def lines_of_any(path: Path) -> list[int]:
    """The lines on which `Any` is a type."""
    tree = ast.parse(path.read_text())
    return sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "Any"})


def places(room: str) -> list[tuple[Path, int]]:
    return [(path, line) for path in sorted((SOURCE / room).rglob("*.py")) for line in lines_of_any(path)]


def test_no_room_says_any_more_often() -> None:
    counts = Counter({room: len(places(room)) for room in MOST})
    assert dict(counts) == MOST


def test_every_any_has_its_reason() -> None:
    silent = []
    for path, line in (place for room in MOST for place in places(room)):
        lines = path.read_text().splitlines()
        own, above = lines[line - 1], lines[max(line - 4, 0) : line - 1]
        if "#" not in own and not any("# `Any`" in one or "(`Any`)" in one for one in above):
            silent.append(f"{path.relative_to(SOURCE)}:{line} {own.strip()}")
    assert not silent
