"""The categories of ratings: in the order that was declared, in their natural order, and as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from adjudge.data.judgements.columns import Array, refuse_beyond
from adjudge.data.judgements.labels import label_text, number_in, ordered_labels
from adjudge.data.label_values import BY_VALUE, called
from adjudge.errors import BadValue, SettingError, listed, quoted


class Scale(tuple[str, ...]):
    """Categories whose order was declared."""

    __slots__ = ()


def some_of(categories: tuple[str, ...], places: Iterable[int]) -> tuple[str, ...]:
    """Some of the categories, in their order, which stays declared if it was.

    >>> some_of(Scale(["low", "mid", "high"]), [0, 2]) == Scale(["low", "high"])
    True
    """
    return type(categories)(categories[place] for place in places)


def category_values(categories: tuple[str, ...]) -> Array:
    """The numbers categories spell, or else their places in the order that was declared.

    Words have no order by themselves: of more than two, it must be given.

    >>> category_values(("1", "2", "4")), category_values(Scale(["low", "mid", "high"]))
    (array([1., 2., 4.]), array([0., 1., 2.]))
    """
    values, numbers = _values_or_places(categories)
    if not numbers and len(categories) > 2 and not isinstance(categories, Scale):
        raise SettingError(
            "`categories` (in a task, `scale`) must give the order of labels that are not numbers, where the metric "
            f"takes an order, but there are {listed(categories)}. List them from the lowest to the highest."
        )
    return values


def category_places(categories: tuple[str, ...]) -> Array:
    """Numbers that tell categories apart: those they spell, or any others."""
    return _values_or_places(categories)[0]


@lru_cache(maxsize=64)
def _values_or_places(categories: tuple[str, ...]) -> tuple[Array, bool]:
    """The numbers categories spell, or else their places, and which it is."""
    spelled = [number_in(category) for category in categories]
    numbers = None not in spelled
    values = np.array(spelled if numbers else range(len(categories)), dtype=np.float64)
    refuse_beyond(values, "Ratings that are numbers")
    values.flags.writeable = False  # shared by every caller
    return values, numbers


def joined_scale(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The categories of two parts together: a declared scale is the same in both and keeps its order."""
    declared = next((one for one in (first, second) if isinstance(one, Scale)), None)
    return declared or (first if first == second else ordered_labels({*first, *second}))


def on_scale(seen: Iterable[str], scale: Sequence[object] | None, meeting: str = BY_VALUE) -> tuple[str, ...]:
    """The declared scale, which must contain every label seen; without one, the labels in natural order."""
    if scale is None:
        return ordered_labels(seen)
    declared = tuple(called(label_text(category), meeting) for category in scale)
    if not declared:
        raise SettingError("`scale` must list the categories in their order, but it is empty. Leave it out.")
    if len(set(declared)) < len(declared):
        raise SettingError(f"`scale` must name each category once, but it is {listed(declared)}.")
    if stray := [label for label in ordered_labels(seen) if label not in declared]:
        raise BadValue(
            f"Ratings must be on the scale {listed(declared)}, but {quoted(stray[0])} was found. "
            "Declare it, or leave it out."
        )
    return Scale(declared)
