"""What statistics with a part for each category have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeGuard

from adjudge.statistics.base import Array


class OfCategories(Protocol):
    """A statistic whose formulas may give a value for each category."""

    @property
    def categories(self) -> tuple[str, ...]:
        """What the values are of."""
        ...

    def each_category(self, formula: Callable[[object], Array]) -> Array:
        """A formula of the part of each category, (…, K)."""
        ...

    @property
    def category_weight(self) -> Array:
        """What the categories weigh in a weighted average, (…, K)."""
        ...


class Pooled(OfCategories, Protocol):
    """One whose categories can also be counted together."""

    def pooled(self, formula: Callable[[object], Array]) -> Array:
        """A formula of all categories counted together, (…)."""
        ...


# Told by the class, since to ask an object for a property is to work it out.
def has_categories(statistic: object) -> TypeGuard[OfCategories]:
    """Whether formulas of a statistic may give a value for each category.

    >>> has_categories([1.0])
    False
    """
    return hasattr(type(statistic), "each_category")


def can_be_pooled(statistic: object) -> TypeGuard[Pooled]:
    """Whether the categories of a statistic can be counted together.

    >>> from adjudge.statistics.confusion import Confusion
    >>> can_be_pooled(Confusion.of_arrays(["a"], ["a"]))
    True
    """
    return hasattr(type(statistic), "pooled")
