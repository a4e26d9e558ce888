"""What each rater said of each item: clean codes, whatever shape the ratings came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.decode import text_of
from adjudge.data.labels import label_text, ordered, positions
from adjudge.errors import BadValue, SettingError, listed, quoted

Codes = NDArray[np.int64]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Items in rows, raters in columns: a code into the categories, -1 where an item was not rated.

    `categories` is the declared scale, in its order, or what was seen in its natural order.
    """

    codes: Codes
    categories: tuple[str, ...]
    raters: tuple[str, ...]
    numbers: Array | None = None  # of measurements too many to be named: codes then point here, not to categories

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def named(self) -> Ratings:
        """The same ratings with a category for every number."""
        return self if self.numbers is None else replace(self, categories=_texts(self.numbers), numbers=None)

    def of_rows(self, rows: NDArray[np.int64]) -> Ratings:
        """Some of the items."""
        return replace(self, codes=self.codes[rows])

    @property
    def labels(self) -> tuple[str, ...]:
        """The categories of the scale."""
        return self.categories

    def of_raters(self, places: Sequence[int]) -> Ratings:
        """Some of the raters, in this order."""
        return replace(self, codes=self.codes[:, list(places)], raters=tuple(self.raters[p] for p in places))

    @property
    def values(self) -> Array:
        """The ratings as numbers, NaN where missing: the labels' values, or their places on the scale."""
        known = category_values(self.categories) if self.numbers is None else self.numbers
        return np.append(known, np.nan)[self.codes]


@lru_cache(maxsize=64)
def category_values(categories: tuple[str, ...]) -> Array:
    """The numbers categories spell, or else their places in order.

    >>> category_values(("1", "2", "4")), category_values(("low", "high"))
    (array([1., 2., 4.]), array([0., 1.]))
    """
    try:
        values = np.array([float(category) for category in categories], dtype=np.float64)
    except ValueError:
        values = np.full(len(categories), np.nan)
    if not np.isfinite(values).all():
        values = np.arange(len(categories), dtype=np.float64)
    values.flags.writeable = False  # shared by every caller
    return values


def ratings_of(first: Any, second: Any = None, scale: Sequence[Any] | None = None) -> Ratings:
    """Ratings from a matrix of items × raters, or from two raters' lists; None and NaN are not rated.

    >>> ratings_of([["a", "b"], ["a", None]]).codes.tolist()
    [[0, 1], [0, -1]]
    """
    if second is None and isinstance(first, np.ndarray) and first.ndim == 2 and first.dtype.kind in "iuf":
        return _of_numbers(first, scale)
    columns = [first, second] if second is not None else _columns(first)
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise BadValue(
            f"Raters must have rated the same list of items, but the lists have {listed(sorted(lengths))} entries."
        )
    names = tuple(str(place + 1) for place in range(len(columns)))
    texts = [text_of(column, f"rater {name}") for column, name in zip(columns, names, strict=True)]
    seen = [
        label for text in texts for label in np.array(text.labels, dtype=object)[np.unique(text.codes[text.codes >= 0])]
    ]
    categories = on_scale(seen, scale)
    codes = [np.append(positions(text.labels, categories), -1)[text.codes] for text in texts]
    return Ratings(np.stack(codes, axis=1) if codes else np.zeros((0, 0), dtype=np.int64), categories, names)


# Whole numbers within this span are coded by subtraction, without sorting.
CODED_SPAN = 4_096
# More different numbers than this are measurements: nobody asks how often each was given.
MOST_NAMED = 10_000
BLOCK = 8_192


def _of_numbers(matrix: NDArray[Any], scale: Sequence[Any] | None) -> Ratings:
    """Ratings from a matrix of numbers: the same labels as one by one, at a fraction of the cost."""
    matrix = np.asarray(matrix, dtype=np.float64)
    low, high = (float(end.reduce(matrix, axis=None, initial=np.nan)) for end in (np.fmin, np.fmax))
    if np.isinf(low) or np.isinf(high):
        raise BadValue("Ratings must be finite numbers, but some are infinite. Leave those out.")
    steps = _steps_above(matrix, low, int(high - low) + 1) if high - low < CODED_SPAN else None
    if steps is None:
        rated = ~np.isnan(matrix)
        distinct, inverse = np.unique(matrix[rated], return_inverse=True)
        seen, places = np.arange(len(distinct)), np.full(matrix.shape, -1, dtype=np.int64)
        places[rated] = inverse
    else:
        places, seen = steps
        distinct = low + seen
    # Distinct numbers that rise have distinct labels in their natural order: the text of a float is its own.
    names = tuple(str(rater + 1) for rater in range(matrix.shape[1]))
    if scale is None and len(distinct) > MOST_NAMED:
        return Ratings(places, (), names, distinct)
    labels = _texts(distinct)
    categories = labels if scale is None else on_scale(labels, scale)
    place = np.full(int(seen[-1]) + 2 if len(seen) else 1, -1, dtype=np.int64)
    place[seen] = np.arange(len(seen)) if scale is None else positions(labels, categories)
    return Ratings(places if _counts_up(place) else place[places], categories, names)


def _texts(distinct: Array) -> tuple[str, ...]:
    """Numbers as labels: the text of a float is its own, so distinct numbers have distinct labels."""
    texts = list(map(repr, (distinct + 0.0).tolist()))
    for whole in np.flatnonzero(distinct == np.floor(distinct)):
        texts[whole] = texts[whole].removesuffix(".0")
    return tuple(texts)


def _counts_up(place: Codes) -> bool:
    """Whether codes are right as they are: 0, 1, 2 … and -1 for missing."""
    return bool((place[:-1] == np.arange(len(place) - 1)).all())


def _steps_above(matrix: Array, low: float, span: int) -> tuple[Codes, Codes] | None:
    """How many whole steps each number is above the lowest, -1 where missing, and which steps there are.

    None if some numbers are not whole steps.
    """
    steps = np.empty(matrix.shape, dtype=np.int64)
    times = np.zeros(span + 1, dtype=np.int64)
    # A block at a time, so that every pass over it finds it in fast memory.
    for start in range(0, len(matrix), BLOCK):
        block = matrix[start : start + BLOCK] - low
        np.fmax(block, -1.0, out=block)  # NaN becomes -1
        part = steps[start : start + BLOCK]
        part[...] = block
        if not np.array_equal(part, block):
            return None
        times += np.bincount(part.reshape(-1) + 1, minlength=span + 1)
    return steps, np.flatnonzero(times[1:])


def _columns(matrix: Any) -> list[Any]:
    """The raters' columns of a matrix given row by row."""
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise BadValue(f"Ratings must be a matrix of items × raters, but the array has {matrix.ndim} dimensions.")
        return list(matrix.T)
    if (hasattr(matrix, "columns") and hasattr(matrix, "__dataframe__")) or hasattr(matrix, "iloc"):
        return [matrix[name].to_numpy() for name in matrix.columns]
    rows = [list(row) for row in matrix]
    if len({len(row) for row in rows}) > 1:
        raise BadValue(
            "Ratings must be a matrix of items × raters, but its rows differ in length. Use None for a missing rating."
        )
    return [list(column) for column in zip(*rows, strict=True)]


def refuse_measurements(numbers: Array | None) -> None:
    """Measurements have no categories to count."""
    if numbers is not None:
        raise SettingError(
            f"Categories must be few enough to be counted, but there are {len(numbers):,} different numbers. "
            "Use `interval_alpha` or `icc`, or round the ratings."
        )


def joined_scale(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The categories of two parts together: a declared scale is the same in both and keeps its order."""
    return first if first == second else ordered({*first, *second})


def on_scale(seen: Sequence[str], scale: Sequence[Any] | None) -> tuple[str, ...]:
    """The declared scale, which must contain every label seen; without one, the labels in natural order."""
    if scale is None:
        return ordered(seen)
    declared = tuple(label_text(category) for category in scale)
    if not declared:
        raise SettingError("`scale` must list the categories in their order, but it is empty. Leave it out.")
    if len(set(declared)) < len(declared):
        raise SettingError(f"`scale` must name each category once, but it is {listed(declared)}.")
    if stray := [label for label in ordered(seen) if label not in declared]:
        raise BadValue(
            f"Ratings must be on the scale {listed(declared)}, but {quoted(stray[0])} was found. "
            "Declare it, or leave it out."
        )
    return declared
