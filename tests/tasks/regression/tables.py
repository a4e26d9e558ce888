"""Tables of predicted numbers, and a short way to evaluate them."""

from __future__ import annotations

from typing import Any

import numpy as np

import adjudge

SMALL: dict[str, list[Any]] = {"y": [1, 2, 3, 4, 10], "m": [2, 2, 5, 3, 8]}


def evaluated(table: Any, **given: Any) -> adjudge.Evaluation:
    """A quick evaluation; None takes a default away."""
    settings = {"reference": "y", "prediction": "m", "replicates": 100} | given
    return adjudge.evaluate(table, "regression", **{k: v for k, v in settings.items() if v is not None})


def table_of(rows: int = 300, seed: int = 1) -> dict[str, list[Any]]:
    """Numbers that two systems predict, one of them with heavy tails; weights, places, and people with three rows."""
    random = np.random.default_rng(seed)
    y = random.gamma(4.0, 2.0, rows)
    m = 0.8 * y + 1 + random.normal(size=rows)
    other = y + random.standard_t(3, rows)
    return {
        "y": y.tolist(),
        "m": m.tolist(),
        "other": other.tolist(),
        "low": (m - 1.5).tolist(),
        "high": (m + 1.5).tolist(),
        "w": random.gamma(2.0, 1.0, rows).tolist(),
        "person": [f"p{row // 3}" for row in range(rows)],
        "place": random.choice(["here", "there", "elsewhere"], rows).tolist(),
    }


def part(table: dict[str, list[Any]], keep: Any) -> dict[str, list[Any]]:
    """Some of the rows."""
    return {name: [value for value, kept in zip(values, keep, strict=True) if kept] for name, values in table.items()}


def estimates(evaluation: adjudge.Evaluation, **where: Any) -> dict[tuple[str, ...], float]:
    """Every estimate by what it is of."""
    rows = [row for row in evaluation.table if all(getattr(row, name) == value for name, value in where.items())]
    return {(row.system, row.slice, row.metric, row.method): row.estimate for row in rows}
