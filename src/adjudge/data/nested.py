"""Cells that hold several values: lists of labels, records of spans, written as JSON and read back."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Set
from datetime import date, time

import numpy as np

from adjudge.data.source import Several
from adjudge.errors import BadValue, quoted

NESTED = (Mapping, Set, list, tuple, np.ndarray)


def nested(column: str, kind: str) -> BadValue:
    """The refusal of a column whose cells hold several values."""
    return BadValue(
        f"Each cell must hold one value, but column {quoted(column)} holds values of type {kind}. "
        "Name another column, or unnest it first."
    )


def nested_text(value: object, column: str) -> str:
    """A cell of several values as JSON, where the column may hold such; two equal cells give the same text.

    >>> nested_text({"b", "a"}, Several("labels")), nested_text(("PER", 0, 5), Several("spans"))
    ('["a", "b"]', '["PER", 0, 5]')
    """
    if not isinstance(column, Several):
        raise nested(column, type(value).__name__)
    try:
        return json.dumps(_plain(value), ensure_ascii=False)
    except RecursionError:
        raise BadValue(
            f"Cells must not be nested deeply, but one of column {quoted(column)} is: lists in lists in lists. "
            "Name another column, or unnest it first."
        ) from None


def nested_in(text: str) -> list[object] | set[object] | dict[object, object] | None:
    """The list, set or record that a text writes, in JSON or as Python prints it; None if it writes none.

    >>> nested_in('["a", 1]'), nested_in("['a', 'b']"), nested_in("[NAME]")
    (['a', 1], ['a', 'b'], None)
    """
    shown = text.strip()
    if (shown[:1], shown[-1:]) not in (("[", "]"), ("{", "}")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(shown)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, (list, set, dict)) else None
    return None


def is_missing(value: object) -> bool:
    """Whether a part of a cell says that nothing is there."""
    return value is None or (isinstance(value, float) and value != value)


def _plain(value: object) -> object:
    """The same value made of what JSON knows; sets in order."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, Set):
        return sorted((_plain(part) for part in value), key=str)
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if is_missing(value):
        return None
    if isinstance(value, (str, bool, float)) or (isinstance(value, int) and value.bit_length() < 2**13):
        return value
    return value.isoformat() if isinstance(value, (date, time)) else str(value)
