"""What each rater said of each item: clean codes, whatever shape the ratings came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import rows_in
from adjudge.data.decode import text_of
from adjudge.data.judgements.columns import Array, Codes, refuse_beyond
from adjudge.data.judgements.labels import label_text, ordered_labels, positions
from adjudge.data.judgements.scales import Scale, category_places, category_values, on_scale
from adjudge.data.keys import Keys
from adjudge.data.label_values import kinds_of, meeting_of, refuse_strangers, renamed
from adjudge.errors import BadValue, SettingError, listed

Entry = TypeVar("Entry", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Kinds of items in rows, raters in columns: a code into the categories, -1 where an item was not rated.

    `categories` is the declared scale, in its order, or what was seen in its natural order. Items that were rated
    alike may share a kind: there are few kinds however many items there are.
    """

    kinds: Codes
    categories: tuple[str, ...]
    raters: tuple[str, ...]
    numbers: Array | None = None  # measurements too many to be named: codes then point here, not to categories
    kind: Codes | None = None  # of each item; None when every item is a kind of its own
    clusters: Keys | None = None  # of each item, where items belong together and are left out together

    def __len__(self) -> int:
        return len(self.kinds if self.kind is None else self.kind)

    @property
    def rated_by(self) -> list[str]:
        """Who rated an item: a column may well be empty."""
        return [name for name, codes in zip(self.raters, self.kinds.T, strict=True) if (codes >= 0).any()]

    @property
    def codes(self) -> Codes:
        """The kinds of all items, one after another."""
        return self.of_items(self.kinds)

    def of_items(self, values: NDArray[Entry]) -> NDArray[Entry]:
        """What is known of each kind, for each item."""
        return values if self.kind is None else values.take(self.kind, axis=0)

    @property
    def named(self) -> Ratings:
        """The same ratings with a category for every number."""
        if self.numbers is None:
            return self
        distinct, place = np.unique(self.numbers, return_inverse=True)  # NaN, which no code points to, comes last
        known = distinct[~np.isnan(distinct)]
        return replace(self, kinds=np.append(place, -1)[self.kinds], categories=_texts(known), numbers=None)

    @property
    def measured(self) -> Ratings:
        """The same ratings as numbers without categories: the labels' values, or their places on the scale."""
        if self.numbers is not None:
            return self
        used = np.unique(self.kinds[self.kinds >= 0])
        numbers, place = np.unique(category_places(self.categories)[used], return_inverse=True)
        code = np.full(len(self.categories) + 1, -1, dtype=np.int64)
        code[used] = place
        return replace(self, kinds=code[self.kinds], categories=(), numbers=numbers)

    @classmethod
    def joined(cls, parts: Sequence[Ratings]) -> Ratings:
        """Items of several parts, one after another; raters who are not in all parts come in order of their names.

        >>> a = Ratings(np.array([[0, 1]]), ("x", "y"), ("ann", "ben"))
        >>> b = Ratings(np.array([[0, 0]]), ("w",), ("ann", "eva"))
        >>> both = Ratings.joined([a, b])
        >>> both.raters, both.categories, both.codes.tolist()
        (('ann', 'ben', 'eva'), ('w', 'x', 'y'), [[1, 2, -1], [0, -1, 0]])
        """
        first = parts[0]
        if len(parts) == 1:
            return first
        same = all(part.raters == first.raters for part in parts)
        raters = first.raters if same else tuple(sorted({name for part in parts for name in part.raters}))
        scaled = all(part.categories == first.categories for part in parts)
        categories = (
            first.categories if scaled else ordered_labels({name for part in parts for name in part.categories})
        )
        items = sum(len(part) for part in parts)
        check_cells(items, len(raters))
        kinds, start = np.full((items, len(raters)), -1, dtype=np.int64), 0
        for part in parts:
            codes = np.append(positions(part.categories, categories), -1)[part.codes]
            kinds[start : start + len(part), positions(part.raters, raters)] = codes
            start += len(part)
        return cls(kinds, categories, raters)

    def of_rows(self, rows: NDArray[np.int64]) -> Ratings:
        """Some of the items, with the kinds that they are of."""
        clusters = None if self.clusters is None else self.clusters[rows]
        if self.kind is None:
            return replace(self, kinds=self.kinds[rows], clusters=clusters)
        kind = self.kind[rows]
        used = np.bincount(kind, minlength=len(self.kinds)) > 0
        return replace(self, kinds=self.kinds[used], kind=(np.cumsum(used) - 1)[kind], clusters=clusters)

    def counting(self, weights: Array | None) -> Ratings:
        """The same ratings without categories that only items of no weight have, unless the scale was declared.

        Coefficients that count categories must not see them. Such ratings are not rated: they count nothing anyway.
        """
        if weights is None or isinstance(self.categories, Scale) or self.numbers is not None or (weights > 0).all():
            return self
        used = np.unique(self.codes[weights > 0])
        used = used[used >= 0]
        place = np.full(len(self.categories) + 1, -1, dtype=np.int64)
        place[used] = np.arange(len(used))
        return replace(self, kinds=place[self.kinds], categories=tuple(self.categories[code] for code in used))

    @property
    def labels(self) -> tuple[str, ...]:
        """The categories of the scale."""
        return self.categories

    def of_raters(self, places: Sequence[int]) -> Ratings:
        """Some of the raters, in this order."""
        return replace(self, kinds=self.kinds[:, list(places)], raters=tuple(self.raters[p] for p in places))

    @property
    def values(self) -> Array:
        """The ratings as numbers, NaN where missing: the labels' values, or their places on the scale."""
        known = category_values(self.categories) if self.numbers is None else self.numbers
        return self.of_items(np.append(known, np.nan)[self.kinds])


# Any: a list, or an array of any library.
def ratings_of(first: object, second: Any = None, scale: Sequence[object] | None = None) -> Ratings:
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
    written = [label for text in texts for label in text.labels]
    meeting = meeting_of(kinds_of([*written, *map(label_text, () if scale is None else scale)]))
    texts = [renamed(text, meeting) for text in texts]
    seen = [
        label for text in texts for label in np.array(text.labels, dtype=object)[np.unique(text.codes[text.codes >= 0])]
    ]
    if len(texts) == 2:
        refuse_strangers(texts[0].labels, texts[1].labels)
    categories = on_scale(seen, scale, meeting)
    codes = [np.append(positions(text.labels, categories), -1)[text.codes] for text in texts]
    return Ratings(np.stack(codes, axis=1) if codes else np.zeros((0, 0), dtype=np.int64), categories, names)


# Items × raters beyond this do not fit one matrix.
MOST_CELLS = 300_000_000
# Whole numbers within this span are coded by subtraction, without sorting.
CODED_SPAN = 4_096
# Items are joined by counting in a table of all possible kinds up to this many.
MOST_KINDS = 2**20
# More different numbers than this are measurements: nobody asks how often each was given.
MOST_NAMED = 10_000
BLOCK = 8_192


def _of_numbers(given: NDArray[np.generic], scale: Sequence[object] | None) -> Ratings:
    """Ratings from a matrix of numbers: the same labels as one by one, at a fraction of the cost."""
    matrix = np.asarray(given, dtype=np.float64)
    low, high = (float(end.reduce(matrix, axis=None, initial=np.nan)) for end in (np.fmin, np.fmax))
    if np.isinf(low) or np.isinf(high):
        raise BadValue("Ratings must be finite numbers, but some are infinite. Leave those out.")
    refuse_beyond(np.array([low, high]), "Ratings that are numbers")
    steps, kind = _steps_above(matrix, low, int(high - low) + 1) if high - low < CODED_SPAN else (None, None)
    names = tuple(str(rater + 1) for rater in range(matrix.shape[1]))
    if steps is None and scale is None and _measured(matrix):
        places = np.arange(matrix.size).reshape(matrix.shape)
        return Ratings(np.where(np.isnan(matrix), -1, places), (), names, matrix.reshape(-1))
    if steps is None:
        rated = ~np.isnan(matrix)
        distinct, inverse = np.unique(matrix[rated], return_inverse=True)
        kinds = np.full(matrix.shape, -1, dtype=np.int64)
        kinds[rated] = inverse
    else:
        seen = np.flatnonzero(np.bincount(steps.reshape(-1) + 1)[1:])
        distinct = np.asarray(low + seen, dtype=np.float64)
        kinds = _replaced(steps, seen, np.arange(len(seen)))
    # Distinct numbers that rise have distinct labels in their natural order: the text of a float is its own.
    if scale is None and len(distinct) > MOST_NAMED:
        return Ratings(kinds, (), names, distinct, kind)
    labels = _texts(distinct)
    if scale is None:
        return Ratings(kinds, labels, names, kind=kind)
    categories = on_scale(labels, scale)
    return Ratings(
        _replaced(kinds, np.arange(len(labels)), positions(labels, categories)), categories, names, kind=kind
    )


def _measured(matrix: Array) -> bool:
    """Whether the first numbers already differ too much to be named: the others need not be sorted then."""
    return len(np.unique(matrix.reshape(-1)[: 2 * MOST_NAMED])) > MOST_NAMED


def _replaced(codes: Codes, old: Codes, new: Codes) -> Codes:
    """Codes by other codes; what is missing stays missing."""
    if np.array_equal(old, new):
        return codes
    place = np.full(int(old[-1]) + 2 if len(old) else 1, -1, dtype=np.int64)
    place[old] = new
    return place[codes]


def _texts(distinct: Array) -> tuple[str, ...]:
    """Numbers as labels: the text of a float is its own, so distinct numbers have distinct labels."""
    texts = list(map(repr, (distinct + 0.0).tolist()))
    for whole in np.flatnonzero(distinct == np.floor(distinct)):
        texts[whole] = texts[whole].removesuffix(".0")
    return tuple(texts)


def _steps_above(matrix: Array, low: float, span: int) -> tuple[Codes | None, Codes | None]:
    """How many whole steps each number is above the lowest, -1 where missing, for each kind of item, and the kinds.

    Nothing if some numbers are not whole steps; without kinds where there could be too many.
    """
    items, raters = matrix.shape
    few = raters * np.log2(span + 1) <= np.log2(MOST_KINDS)
    powers = (span + 1.0) ** np.arange(raters - 1, -1, -1) if few else np.zeros(raters)
    key, steps = np.empty(items if few else 0, dtype=np.int64), np.empty((0 if few else items, raters), dtype=np.int64)
    # A block at a time, so that every pass over it finds it in fast memory.
    for start in range(0, items, BLOCK):
        block = matrix[start : start + BLOCK] - low
        np.fmax(block, -1.0, out=block)  # NaN becomes -1
        if not (np.floor(block) == block).all():
            return None, None
        if few:
            key[start : start + BLOCK] = block @ powers + powers.sum()
        else:
            steps[start : start + BLOCK] = block
    if not few:
        return steps, None
    seen, kind = joined_keys(key, (span + 1) ** raters)
    return digits_of(seen, span + 1, raters) - 1, kind


def ratings_alike(codes: Codes, categories: int) -> tuple[Codes, Codes] | None:
    """The distinct rows of codes in lexical order, and which each row is; None if there could be too many.

    >>> [part.tolist() for part in ratings_alike(np.array([[1, -1], [0, 1], [1, -1]]), 2)]
    [[[0, 1], [1, -1]], [1, 0, 1]]
    """
    base, raters = categories + 1, codes.shape[1]
    if raters * np.log2(max(base, 2)) > 62:
        return None
    key = np.zeros(len(codes), dtype=np.int64)
    for rater in range(raters):
        key *= base
        key += codes[:, rater]
        key += 1
    seen, kind = joined_keys(key, base**raters)
    return digits_of(seen, base, raters) - 1, kind


def joined_keys(key: Codes, size: int) -> tuple[Codes, Codes]:
    """The distinct keys, rising, and each key's place among them; keys lie below the size."""
    if size > MOST_KINDS:
        seen, place = np.unique(key, return_inverse=True)
        return seen, place.reshape(-1)
    seen = np.flatnonzero(np.bincount(key, minlength=1))
    place = np.zeros(size, dtype=np.int64)
    place[seen] = np.arange(len(seen))
    return seen, place[key]


def digits_of(keys: Codes, base: int, count: int) -> Codes:
    """Each key's digits, the most significant first, (keys, count)."""
    digits = np.empty((len(keys), count), dtype=np.int64)
    for place in range(count - 1, -1, -1):
        keys, digits[:, place] = np.divmod(keys, base)
    return digits


def _columns(matrix: Any) -> list[Any]:  # of whatever library
    """The raters' columns of a matrix given row by row."""
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise BadValue(f"Ratings must be a matrix of items × raters, but the array has {matrix.ndim} dimensions.")
        return list(matrix.T)
    if (hasattr(matrix, "columns") and hasattr(matrix, "__dataframe__")) or hasattr(matrix, "iloc"):
        return [matrix[name].to_numpy() for name in matrix.columns]
    rows = rows_in(matrix, "Ratings")
    if len({len(row) for row in rows}) > 1:
        raise BadValue(
            "Ratings must be a matrix of items × raters, but its rows differ in length. Use None for a missing rating."
        )
    return [list(column) for column in zip(*rows, strict=True)]


def check_cells(items: int, raters: int) -> None:
    """Refuse more items and raters than fit one table."""
    if items * raters > MOST_CELLS:
        raise BadValue(
            f"Items × raters must fit one table, but there are {items:,} × {raters:,}. "
            'Use engine="stream", with the rows sorted by item.'
        )


def refuse_measurements(numbers: Array | None) -> None:
    """Measurements have no categories to count."""
    if numbers is not None:
        raise SettingError(
            f"Categories must be few enough to be counted, but there are more than {MOST_NAMED:,} different numbers. "
            "Use `interval_alpha` or `icc`, or round the ratings."
        )
