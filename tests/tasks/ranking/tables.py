"""Tables of ranked lists, and a short way to evaluate them."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np

import adjudge

# By hand: in a the relevant item is first, in b second; nothing is relevant in c.
SMALL: dict[str, list[Any]] = {
    "q": ["a", "a", "b", "b", "b", "c"],
    "rel": [1, 0, 0, 2, 1, 0],
    "m": [0.9, 0.1, 0.8, 0.5, 0.2, 0.7],
    "w": [2, 2, 1, 1, 1, 5],
    "kind": ["x", "x", "y", "y", "y", "y"],
}


def evaluated(table: Any, **given: Any) -> adjudge.Evaluation:
    """A quick evaluation; None takes a default away."""
    settings = {"query": "q", "relevance": "rel", "score": "m", "replicates": 100} | given
    return adjudge.evaluate(table, "ranking", **{k: v for k, v in settings.items() if v is not None})


def table_of(queries: int = 60, seed: int = 1, digits: int = 1) -> dict[str, list[Any]]:
    """Lists of two to nine items with tied scores; a few queries without a relevant item."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 10, queries)
    query = np.repeat(np.arange(queries), sizes)
    relevance = random.choice([0, 0, 0, 1, 2, 4], len(query))
    return {
        "q": [f"q{k}" for k in query],
        "doc": [f"d{k}" for k in range(len(query))],
        "rel": relevance.tolist(),
        "m": (0.5 * relevance + random.normal(size=len(query))).round(digits).tolist(),
        "other": random.normal(size=len(query)).round(digits).tolist(),
        "w": [1 + k % 3 for k in query],
        "kind": [("short", "long")[k % 2] for k in query],
        "topic": [f"t{k // 3}" for k in query],
    }


def rows_of(table: dict[str, list[Any]], places: Any) -> dict[str, list[Any]]:
    """Some of the rows, in this order."""
    return {name: [values[place] for place in places] for name, values in table.items()}


def every_order(scores: list[float]) -> list[list[int]]:
    """All orders of the items by falling score; tied items in every order."""
    return [
        list(order)
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
