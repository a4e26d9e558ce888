"""Dictionaries of things that add."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Protocol, Self, TypeVar


class Adds(Protocol):
    """What is added to others of its kind."""

    def __add__(self, other: Self, /) -> Self:
        """Both together."""
        ...


Key = TypeVar("Key", bound=Hashable)
Part = TypeVar("Part", bound=Adds)


def added_by_key(a: Mapping[Key, Part], b: Mapping[Key, Part]) -> dict[Key, Part]:
    """Two dictionaries of things that add, key by key.

    >>> added_by_key({"x": 1}, {"x": 2, "y": 3})
    {'x': 3, 'y': 3}
    """
    both = dict(a)
    for key, part in b.items():
        known = both.get(key)
        both[key] = part if known is None else known + part
    return both
