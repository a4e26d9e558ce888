"""Sets of labels that differ: on which items, and which labels stand for which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.statistics.base import Array
from adjudge.statistics.ratings.set_rows import SetRows


@dataclass(frozen=True, slots=True)
class HardItem:
    """An item whose ratings differ: how alike they are on average, and what each rater said."""

    item: str
    similarity: float
    said: dict[str, str]


@dataclass(frozen=True, slots=True)
class Swap:
    """Two labels of which one rater gives the first and another the second, neither giving both.

    `items` counts each item by the share of its pairs of ratings that do so.
    """

    first: str
    second: str
    items: float


def hardest_sets(items: SetRows, names: Sequence[str], distance: str, most: int) -> list[HardItem]:
    """The items with the least similar ratings, the first in the table first among equals.

    >>> rows = SetRows(("a", "b"), ("{a}", "{b}"), ("ann", "ben"), np.array([[0, 0], [0, 1]]))
    >>> hardest_sets(rows, ["one", "two"], "jaccard", 5)
    [HardItem(item='two', similarity=0.0, said={'ann': '{a}', 'ben': '{b}'})]
    """
    apart = items.apart(distance)
    hardest = []
    for place in np.argsort(-apart, kind="stable")[:most]:
        if apart[place] <= 0:
            break
        codes = items.vectors[place]
        said = {rater: items.sets[code] for rater, code in zip(items.raters, codes, strict=True) if code >= 0}
        hardest.append(HardItem(names[place], 1 - float(apart[place]), said))
    return hardest


def swapped_labels(items: SetRows, weights: Array | None, most: int) -> list[Swap]:
    """The labels that most often stand in each other's place, the most frequent first.

    >>> rows = SetRows(("a", "b"), ("{a}", "{b}"), ("ann", "ben"), np.array([[0, 0], [0, 1], [1, 0]]))
    >>> swapped_labels(rows, None, 5)
    [Swap(first='a', second='b', items=2.0)]
    """
    from scipy.sparse import csr_array

    row, a, b = items.pairs
    r = items.ratings[row]
    share = 2 / (r * (r - 1)) * (1.0 if weights is None else weights[row])
    held = csr_array(items.held)
    one, other = held[a], held[b]
    common = one.multiply(other)
    only_one, only_other = csr_array(one - common), csr_array(other - common)
    only_one = only_one.multiply(share[:, None]).tocsr()
    crossed = np.asarray((only_one.T @ only_other).todense())
    table = np.triu(crossed + crossed.T, 1)
    order = np.argsort(-table, axis=None, kind="stable")[:most]
    firsts, seconds = np.unravel_index(order, table.shape)
    return [
        Swap(items.labels[first], items.labels[second], float(table[first, second]))
        for first, second in zip(firsts, seconds, strict=True)
        if table[first, second] > 0
    ]
