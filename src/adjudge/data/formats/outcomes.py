"""Answers of a system with what a scorer made of them: what follows for the roles of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

RIGHT, WRONG = "right", "wrong"


def with_outcome(
    columns: dict[str, list[Any]], scorers: Sequence[str], system: str, *, unit: str = "id"
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The columns and the roles that they play: labels against labels, or what the first scorer says is right.

    Where being equal to the reference is what the first scorer calls right, on every row, reference and prediction
    are compared; where it is not (any of several answers is right, or capitals do not count), the scorer decides.
    """
    roles: dict[str, Any] = {unit: "item"}
    reference, prediction = columns.get("reference", []), columns.get("prediction", [])
    right = next((columns[name] for name in scorers if _is_yes_or_no(columns[name])), None)
    plain = all(isinstance(value, (str, type(None))) for value in reference)
    same = [a == b for a, b in zip(reference, prediction, strict=True)]
    if right is not None and not (plain and all(x is None or bool(x) == y for x, y in zip(right, same, strict=True))):
        columns = {**columns, "expected": [RIGHT] * len(right)}
        columns["outcome"] = [None if one is None else RIGHT if one else WRONG for one in right]
        return columns, roles | {"reference": "expected", "systems": {system: {"prediction": "outcome"}}}
    return columns, roles | {"reference": "reference", "systems": {system: {"prediction": "prediction"}}}


def _is_yes_or_no(values: Sequence[Any]) -> bool:
    known = {value for value in values if value is not None and not isinstance(value, (list, dict))}
    return bool(known) and known <= {0, 1}
