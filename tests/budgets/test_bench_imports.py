"""Benchmarks run seldom: what they take from the package must still be there."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize("file", sorted(BENCH.rglob("*.py")), ids=lambda file: str(file.relative_to(BENCH)))
def test_what_a_benchmark_imports_exists(file: Path) -> None:
    taken = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "adjudge"
        for alias in node.names
    ]
    missing = [f"{module}.{name}" for module, name in taken if not hasattr(import_module(str(module)), name)]
    assert missing == []
