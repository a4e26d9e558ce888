"""Tables of ratings, wide and long, for the tests of agreement."""

from __future__ import annotations

from typing import Any

import numpy as np

import adjudge

RATERS = ["ann", "ben", "eva"]
IN_ROWS = {"item": "item", "rater": "rater", "rating": "rating"}


def agree(table: Any, **asked: Any) -> adjudge.Evaluation:
    """An evaluation with few replicates; of columns, unless rows are asked for."""
    roles = {} if "rater" in asked else {"raters": RATERS}
    return adjudge.evaluate(table, "agreement", **{"replicates": 200, **roles, **asked})


def wide(items: int = 120, seed: int = 1, missing: float = 0.2, size: int = 4) -> dict[str, list[Any]]:
    """Three raters who are right about four times in five, with pages of ten items, batches, kinds and weights."""
    random = np.random.default_rng(seed)
    truth = random.integers(1, size + 1, items)
    table: dict[str, list[Any]] = {"item": [f"item {row:05}" for row in range(items)]}
    for place, name in enumerate(RATERS):
        said = np.where(random.random(items) < 0.85 - 0.1 * place, truth, random.integers(1, size + 1, items))
        rated = random.random(items) >= missing
        table[name] = [int(code) if known else None for code, known in zip(said, rated, strict=True)]
    table["page"] = [f"page {row // 10}" for row in range(items)]
    table["batch"] = ["early" if row < items // 2 else "late" for row in range(items)]
    table["kind"] = random.choice(["mail", "chat", "call"], items).tolist()
    table["weight"] = random.integers(1, 4, items).tolist()
    return table


def long(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The same ratings, a row each, item by item."""
    rest = [name for name in table if name not in (*RATERS, "item")]
    rows: list[dict[str, Any]] = [
        {"item": item, "rater": name, "rating": table[name][row]} | {other: table[other][row] for other in rest}
        for row, item in enumerate(table["item"])
        for name in RATERS
        if table[name][row] is not None
    ]
    return {name: [row[name] for row in rows] for name in ("item", "rater", "rating", *rest)}


def some(table: dict[str, list[Any]], rows: Any) -> dict[str, list[Any]]:
    """Some of the rows."""
    return {name: [column[row] for row in rows] for name, column in table.items()}


def width(evaluation: adjudge.Evaluation, metric: str, **which: Any) -> float:
    """How wide the default interval is."""
    interval = evaluation.get(metric, **which).interval
    return interval.high - interval.low
