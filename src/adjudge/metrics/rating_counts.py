"""How much was rated: what stands beside a coefficient of agreement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.vectors import RatingVectors


def counts_of_ratings(
    over: type[object], first: object, second: object = None, categories: Sequence[object] | None = None
) -> dict[str, float]:
    """Items, ratings and categories in arrays of ratings: labels or numbers, or the sets that `over` is of.

    >>> counts = counts_of_ratings(RatingVectors, [["a", "b"], ["a", None], [None, None]], categories=["a", "b", "c"])
    >>> [counts[name] for name in ("items", "paired_items", "ratings", "categories_used", "categories_declared")]
    [2.0, 1.0, 3.0, 2.0, 3.0]
    """
    if over is SetRatings:
        sets = SetRatings.of_arrays(first, second)
        return _counts(sets.table.vectors >= 0, sets.counts, len(sets.table.sets), len(sets.table.sets))
    vectors = RatingVectors.of_arrays(first, second, categories=categories)
    rated = vectors.vectors >= 0
    codes = vectors.vectors[rated]
    used = np.unique(codes if vectors.numbers is None else vectors.numbers[codes])
    return _counts(rated, vectors.counts, len(used), len(vectors.categories))


def _counts(rated: NDArray[np.bool_], counts: Array, used: int, declared: int) -> dict[str, float]:
    """From rows of who rated, (rows, raters), and how many items have each."""
    items = np.repeat(rated.sum(1), counts.astype(np.int64))
    items = items[items > 0]
    spread = (items.min(), items.mean(), items.max()) if len(items) else (np.nan,) * 3
    return {
        "items": float(len(items)),
        "paired_items": float((items >= 2).sum()),
        "ratings": float(items.sum()),
        "fewest_ratings": float(spread[0]),
        "mean_ratings": float(spread[1]),
        "most_ratings": float(spread[2]),
        "categories_used": float(used),
        "categories_declared": float(declared),
    }
