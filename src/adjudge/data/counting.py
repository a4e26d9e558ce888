"""Rows that say the same in every column of labels, read once: a batch becomes its distinct rows, counted."""

from __future__ import annotations

import math

import numpy as np

from adjudge.data.order import Order
from adjudge.data.source import MOST_NUMBER, Batch, Numbers, Text

# A table of all rows that there could be has at most so many cells; then counting costs less than reading.
MOST_ROWS = 2**12


def counted_rows(batch: Batch) -> Batch | None:
    """The distinct rows of a batch, each with how many there are; None where there could be many.

    Numbers stay as they are, in the order of the table; where any cannot be used, nothing is counted.

    >>> label, by = Text(np.array([0, 1, 0]), ("ham", "spam")), Text(np.array([-1, 0, -1]), ("x",))
    >>> batch = Batch(3, {"label": label, "by": by})
    >>> few = counted_rows(batch)
    >>> few.times.tolist(), few.columns["label"].codes.tolist(), few.columns["by"].codes.tolist()
    ([2, 1], [0, 1], [-1, 0])
    >>> few.order.spread(np.array([True, False])).tolist()
    [True, False, True]
    """
    texts = {name: column for name, column in batch.columns.items() if isinstance(column, Text)}
    numbers = {name: column for name, column in batch.columns.items() if isinstance(column, Numbers)}
    if not (texts and batch.rows and all(column.within(MOST_NUMBER) for column in numbers.values())):
        return None
    # A missing value is a digit of its own, before the others, where there is one.
    firsts = [min(int(text.codes.min()), 0) for text in texts.values()]
    sizes = [len(text.labels) - first for text, first in zip(texts.values(), firsts, strict=True)]
    size = math.prod(sizes)
    if size > MOST_ROWS or batch.times is not None:
        return None
    codes, lowest = np.zeros(batch.rows, dtype=np.int16), 0
    for text, first, many in zip(texts.values(), firsts, sizes, strict=True):
        codes *= np.int16(many)
        codes += text.codes.astype(np.int16, copy=False) if text.codes.dtype.itemsize > 2 else text.codes
        lowest = lowest * many + first
    if lowest:
        codes -= np.int16(lowest)
    places = codes.astype(np.intp)  # once, not whenever something is looked up by them
    times = np.bincount(places, minlength=size)
    used = np.flatnonzero(times)
    columns = {
        name: Text(digits + first, text.labels)
        for (name, text), first, digits in zip(texts.items(), firsts, np.unravel_index(used, sizes), strict=True)
    }
    return Batch(len(used), {**columns, **numbers}, times[used], Order(places, used, size))
