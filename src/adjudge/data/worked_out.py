"""What is worked out once of a value, and then known by its name."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Value = TypeVar("Value")


class WorkedOut:
    """What was worked out of a value, by name: several sums or intervals ask for the same.

    >>> known = WorkedOut()
    >>> known.once("sum", lambda: sum([1, 2])), known.once("sum", lambda: 0)
    (3, 3)
    """

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}  # each of the type that its name stands for

    def once(self, name: Hashable, work: Callable[[], Value]) -> Value:
        """What has this name; worked out when it is asked for first."""
        if name not in self._values:
            self._values[name] = work()
        value: Value = self._values[name]
        return value
