"""Units in a few bags, each by its key: what cells keep of clusters, so that those of several tables meet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import text_column
from adjudge.data.keys import Keys, keys_of_labels, keys_of_rows
from adjudge.data.source import Batch, Text

BAGS = 64  # a unit is in one by its key, so that units of several tables can be left out or drawn together


def bags_of_keys(keys: Keys, known: NDArray[np.bool_] | None = None) -> Text:
    """Which bag each row is in, by the key of its unit; a row without a unit is in none.

    >>> bags_of_keys(np.array([65, 2], dtype=np.uint64), np.array([True, False])).codes.tolist()
    [1, -1]
    """
    bags = (keys % np.uint64(BAGS)).astype(np.int64)
    return Text(bags if known is None else np.where(known, bags, -1), tuple(map(str, range(BAGS))))


def bags_in(keys: Keys) -> Keys:
    """Which bag each unit is, where units are bags: by the keys of their numbers, written out.

    >>> bags_in(keys_of_labels(("63", "0")))
    array([63,  0], dtype=uint64)
    """
    each = keys_of_labels(tuple(map(str, range(BAGS))))
    rising = np.argsort(each)
    return np.asarray(rising[np.searchsorted(each[rising], keys).clip(max=BAGS - 1)], dtype=np.uint64)


def bags_of(batch: Batch, unit: str | None, first_row: int) -> Text:
    """Which bag each row is in, by the column of units, or as a unit of its own."""
    if unit is None:
        return bags_of_keys(keys_of_rows(first_row, first_row + batch.rows))
    text = text_column(batch, unit)
    return bags_of_keys(keys_of_labels((*text.labels, ""))[text.codes], text.codes >= 0)
