"""Tables of sets of labels, wide and long, for the tests of agreement."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.tasks.agreement.ratings_tables import RATERS

import adjudge

LABELS = ["anger", "fear", "joy", "love", "sad", "</script>"]


def agree(table: Any, **asked: Any) -> adjudge.Evaluation:
    """An evaluation with few replicates; of columns, unless rows are asked for."""
    roles = {} if "rater" in asked else {"raters": RATERS}
    return adjudge.evaluate(table, "agreement", **{"measurement": "sets", "replicates": 200, **roles, **asked})


def wide(items: int = 80, seed: int = 1, missing: float = 0.15) -> dict[str, list[Any]]:
    """Three raters who add or leave out a label now and then; the empty set is a rating."""
    random = np.random.default_rng(seed)
    truth = [set(random.choice(LABELS, random.integers(0, 4), replace=False).tolist()) for _ in range(items)]
    table: dict[str, list[Any]] = {"item": [f"item {row:03}" for row in range(items)]}
    for place, name in enumerate(RATERS):
        said = []
        for labels in truth:
            changed = {LABELS[random.integers(len(LABELS))]} if random.random() < 0.3 + 0.1 * place else set()
            said.append(sorted(labels ^ changed) if random.random() >= missing else None)
        table[name] = said
    table["page"] = [f"page {row // 8}" for row in range(items)]
    table["kind"] = random.choice(["mail", "chat"], items).tolist()
    table["weight"] = random.integers(1, 4, items).tolist()
    return table


def as_text(table: dict[str, list[Any]], separator: str = "|") -> dict[str, list[Any]]:
    """The same table with sets written as text, as a text file holds them; the empty set is a lone separator."""
    return {
        name: [None if cell is None else separator.join(cell) or separator for cell in column]
        if name in (*RATERS, "rating")
        else column
        for name, column in table.items()
    }
