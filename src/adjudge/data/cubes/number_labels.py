"""Numbers as labels that read back to the same numbers: how rows are counted by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import number_in
from adjudge.data.source import Numbers, Text
from adjudge.errors import InputError, quoted

UNREADABLE = "not a number"  # in place of what is none
INFINITE = ("inf", "-inf")
MOST_STEPS = 1e15  # to a multiple of which a number is rounded


def labels_of_numbers(column: Numbers, step: float | None = None) -> Text:
    """Numbers as labels, each the shortest text that reads back to it, or to the multiple of `step` next to it.

    >>> labels_of_numbers(Numbers(np.array([2.0, 0.1, 2.0])))
    Text(codes=array([1, 0, 1]), labels=('0.1', '2', 'not a number'))
    >>> labels_of_numbers(Numbers(np.array([2.0, 0.29, 2.01])), 0.1).labels
    ('0.3', '2', 'not a number')
    """
    known = ~column.missing & ~column.unreadable
    exact = column.values[known]
    values, place = np.unique((exact if step is None else _multiples(exact, step)) + 0.0, return_inverse=True)
    codes = np.where(column.unreadable, len(values), -1)
    codes[known] = place.reshape(-1)
    return Text(codes, (*map(_written, values.tolist()), UNREADABLE))


def numbers_of_labels(text: Text) -> Numbers:
    """The numbers that were written so.

    >>> numbers_of_labels(Text(np.array([1, -1]), ("0.1", "2"))).values.tolist()
    [2.0, nan]
    """
    is_none = np.array([*(label == UNREADABLE for label in text.labels), False], dtype=np.bool_)
    values = [np.nan if label == UNREADABLE else _number(label) for label in text.labels]
    return Numbers(np.array([*values, np.nan])[text.codes], is_none[text.codes])


def usable(text: Text, *, number: bool) -> NDArray[np.bool_]:
    """Which values are known, and of numbers finite.

    >>> usable(Text(np.array([1, -1, 0]), ("0.1", "inf")), number=True).tolist()
    [False, False, True]
    """
    is_none = np.array([*(number and label in (UNREADABLE, *INFINITE) for label in text.labels), True], dtype=np.bool_)
    return np.asarray(~is_none[text.codes])


def _number(label: str) -> float:
    value = number_in(label.removeprefix("-")) if label not in INFINITE else np.inf
    if value is None:
        raise InputError(f"Numbers of cells must be written as such, but one is {quoted(label)}. Count again.")
    return -value if label.startswith("-") else value


def _multiples(values: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """The multiples of a step next to numbers, to fifteen digits; numbers of more digits stay as they are."""
    with np.errstate(over="ignore"):
        times = values / step
    distinct, place = np.unique(np.rint(times), return_inverse=True)
    near = np.array([float(f"{many * step:.15g}") for many in distinct.tolist()], dtype=np.float64)
    return np.where(np.abs(times) < MOST_STEPS, near[place.reshape(-1)], values)


def _written(value: float) -> str:
    """As people write it where that is the same number: 2, not 2.0."""
    short = f"{value:.15g}"
    return short if float(short) == value else repr(value)
