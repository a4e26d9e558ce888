"""One word, one meaning: no two public things share a name, and a variable says which thing it holds."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import adjudge

SOURCE = Path(adjudge.__file__).parent
# Requests, texts, results, statistics, plans and replicates have names of their own.
UNSPOKEN = {"asked", "told", "found", "made", "wanted", "able", "drawn"}
# The one thing that every file of a folder offers under one name, and what peers call theirs.
OFFERED = {"run", "read", "render", "connect", "main", "evaluate", "metric", "quadratic_weighted_kappa"}


@cache
def trees() -> dict[str, ast.Module]:
    """The source, read once where it is asked for: not by every process that collects tests."""
    return {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


def test_no_two_public_things_share_a_name() -> None:
    places = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    shared = {name: paths for name, paths in places.items() if len(paths) > 1 and name not in OFFERED}
    assert not shared


def test_a_variable_says_which_thing_it_holds() -> None:
    unspoken = []
    for path, tree in trees().items():
        for node in ast.walk(tree):
            name = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else None
            name = node.arg if isinstance(node, ast.arg) else name
            if name in UNSPOKEN:
                unspoken.append(f"{path}:{node.lineno} {name}")
    assert not unspoken
