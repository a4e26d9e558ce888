"""From a table to ratings: one column for each rater, or one row for each rating."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import case_weights, levels_of_rows, text_column
from adjudge.data.keys import keys_of_labels, keys_of_rows
from adjudge.data.labels import Labels, positions
from adjudge.data.ratings import Ratings, on_scale
from adjudge.data.source import Batch, Several, Source, Text
from adjudge.data.systems import slice_columns
from adjudge.errors import BadValue, ColumnNotFound, InputError, SettingError, listed, quoted

# Items × raters beyond this do not fit one matrix.
MOST_CELLS = 300_000_000


@dataclass(frozen=True, slots=True)
class RatingRoles:
    """Where the ratings are: `raters` names one column each (wide), or `item`, `rater`, `rating` (long)."""

    raters: tuple[str, ...] = ()
    item: str | None = None
    rater: str | None = None
    rating: str | None = None
    weight: str | None = None
    cluster: str | None = None
    batch: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()
    cells: Callable[[Text], Text] | None = None  # how a cell that may hold several values becomes a rating
    also: Mapping[str, str] = field(default_factory=dict)  # columns of parts of a rating, by role
    gather: Callable[[Batch, RatingRoles], tuple[Batch, RatingRoles, dict[str, int]]] | None = None  # … and their maker

    @property
    def is_wide(self) -> bool:
        """Whether each rater has a column."""
        return bool(self.raters)

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        ratings = [name for name in (*self.raters, self.rating) if name is not None]
        parts = (self.item, self.rater, self.cluster, self.batch, *self.also.values())
        named = (*map(Several if self.cells else str, ratings), *parts)
        crossed = (column for columns in self.slices for column in columns)
        return tuple(dict.fromkeys(name for name in (*named, *crossed) if name is not None))

    def gathering(self, rating: str) -> RatingRoles:
        """The same roles once parts are gathered in a column of ratings."""
        return replace(self, rating=rating, gather=None)

    def said(self, batch: Batch, name: str) -> Text:
        """A column of ratings."""
        text = text_column(batch, name)
        return text if self.cells is None else self.cells(text)

    def checked(self, columns: Sequence[str]) -> RatingRoles:
        """The same roles, if they make one of the two shapes and every column exists."""
        long = (self.rater, self.rating)
        if self.is_wide == any(name is not None for name in long):
            raise SettingError(
                "Ratings must be in columns or in rows: give either `raters` (a column each), or `item`, `rater` and "
                "`rating`."
            )
        if not self.is_wide and None in (self.item, *long):
            raise SettingError("Ratings in rows must have all of `item`, `rater` and `rating`.")
        if self.is_wide and (len(self.raters) < 2 or len(set(self.raters)) < len(self.raters)):
            raise SettingError(f"`raters` must name at least two different columns, not {listed(self.raters)}.")
        roles = dict.fromkeys(self.raters, "raters")
        for role in ("item", "rater", "rating", "weight", "cluster", "batch"):
            if (name := getattr(self, role)) is not None:
                roles.setdefault(name, role)
        roles |= {name: "slices" for crossed in self.slices for name in crossed}
        for name, role in roles.items():
            if name not in columns:
                raise ColumnNotFound(role, name, columns)
        if self.weight in self.texts():
            raise SettingError(
                f"A column must be read either as labels or as weights, but {quoted(self.weight)} was given for both. "
                "Copy it under another name."
            )
        return self


def rating_roles(columns: Sequence[str], *, slices: Sequence[str] = (), **roles: object) -> RatingRoles:
    """The roles of a table with these columns."""
    named = [slices] if isinstance(slices, str) else list(slices)
    raters = roles.pop("raters", None) or ()
    raters = (raters,) if isinstance(raters, str) else raters
    crossed = tuple(slice_columns(name, columns) for name in named)
    return RatingRoles(raters=tuple(raters), slices=crossed, **roles).checked(columns)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Rated:
    """Items with their ratings, and what else is known of each item."""

    ratings: Any  # Ratings, or what a kind of rating makes of them
    items: tuple[str, ...]
    weight: NDArray[np.float64] | None
    keys: NDArray[np.uint64]
    slices: tuple[Labels, ...]
    batches: Labels | None
    read: int
    left_out: dict[str, int] = field(default_factory=dict)


def read_rated(source: Source, roles: RatingRoles, scale: Sequence[object] | None) -> Rated:
    """All items of a table at once."""
    blocks = list(source.batches(roles.texts(), [roles.weight] if roles.weight else [], rows=2**40))
    if not blocks:
        raise InputError(f"The table must have rows, but {source.name} has none.")
    (batch,) = blocks
    return _wide(batch, roles, scale, 0) if roles.is_wide else _in_rows(batch, roles, scale)


def rated_blocks(source: Source, roles: RatingRoles, scale: Sequence[object] | None, rows: int) -> Iterator[Rated]:
    """Items block by block. Ratings in rows must come item by item."""
    numbers = [roles.weight] if roles.weight else []
    if roles.is_wide:
        start = 0
        for batch in source.batches(roles.texts(), numbers, rows=rows):
            yield _wide(batch, roles, scale, start)
            start += batch.rows
        return
    assert roles.item is not None
    finished: set[str] = set()
    waiting: Batch | None = None
    for batch in source.batches(roles.texts(), numbers, rows=rows):
        whole = batch if waiting is None else _after(waiting, batch)
        cut = _start_of_last_item(whole, roles.item)
        yield from _finish(whole[:cut], roles, scale, finished)
        waiting = whole[cut : whole.rows]
    if waiting is not None:
        yield from _finish(waiting, roles, scale, finished)


def _finish(batch: Batch, roles: RatingRoles, scale: Sequence[object] | None, finished: set[str]) -> Iterator[Rated]:
    if batch.rows == 0:
        return
    rated = _in_rows(batch, roles, scale)
    if again := finished.intersection(rated.items):
        raise BadValue(
            f"Streamed ratings of an item must come together, but {quoted(min(again))} comes again later. "
            'Sort the table by item, or use engine="memory".'
        )
    finished.update(rated.items)
    yield rated


def _in_rows(batch: Batch, roles: RatingRoles, scale: Sequence[object] | None) -> Rated:
    if roles.gather is None:
        return _long(batch, roles, scale)
    made, named, left_out = roles.gather(batch, roles)
    rated = _long(made, named, scale)
    return replace(rated, read=batch.rows, left_out={**rated.left_out, **left_out})


def _after(first: Batch, second: Batch) -> Batch:
    from adjudge.data.source import joined

    return joined([first, second])


def _start_of_last_item(batch: Batch, item: str) -> int:
    codes = text_column(batch, item).codes
    changes = np.flatnonzero(codes[1:] != codes[:-1])
    return int(changes[-1]) + 1 if len(changes) else 0


def _wide(batch: Batch, roles: RatingRoles, scale: Sequence[object] | None, start: int) -> Rated:
    texts = [roles.said(batch, name) for name in roles.raters]
    seen = [text.labels[code] for text in texts for code in np.unique(text.codes[text.codes >= 0])]
    categories = on_scale(seen, scale)
    codes = [np.append(positions(text.labels, categories), -1)[text.codes] for text in texts]
    matrix = np.stack(codes, axis=1)
    rated = (matrix >= 0).any(1)
    rows = np.flatnonzero(rated)
    left_out = {"no rater rated the item": int((~rated).sum())} if not rated.all() else {}
    names = _names(batch, roles.item, rows, start)
    return _rated(batch, roles, Ratings(matrix[rows], categories, roles.raters), (names, rows, left_out))


def _names(batch: Batch, column: str | None, rows: NDArray[np.int64], start: int) -> tuple[str, ...]:
    if column is None:
        return tuple(f"row {start + row + 1}" for row in rows)
    text = text_column(batch, column)
    return tuple(
        text.labels[code] if code >= 0 else f"row {start + row + 1}"
        for row, code in zip(rows, text.codes[rows], strict=True)
    )


def _long(batch: Batch, roles: RatingRoles, scale: Sequence[object] | None) -> Rated:
    item, rater = (text_column(batch, str(name)) for name in (roles.item, roles.rater))
    rating = roles.said(batch, str(roles.rating))
    left_out: dict[str, int] = {}
    keep = np.ones(batch.rows, dtype=np.bool_)
    for text, role in ((item, "item"), (rater, "rater"), (rating, "rating")):
        missing = (text.codes < 0) & keep
        if missing.any():
            left_out[f"{role} is missing"] = int(missing.sum())
            keep &= ~missing
    rows = np.flatnonzero(keep)
    if len(item.labels) * len(rater.labels) > MOST_CELLS:
        raise BadValue(
            f"Items × raters must fit one table, but there are {len(item.labels):,} × {len(rater.labels):,}. "
            'Use engine="stream", with the rows sorted by item.'
        )
    first, repeated = _first_of_each(item.codes[rows] * len(rater.labels) + rater.codes[rows])
    if repeated:
        left_out["a rater's repeated rating of an item (the first is kept)"] = repeated
    rows = rows[first]
    categories = on_scale([rating.labels[code] for code in np.unique(rating.codes[rows])], scale)
    distinct, first_row, place = np.unique(item.codes[rows], return_index=True, return_inverse=True)
    who = np.unique(rater.codes[rows])
    matrix = np.full((len(distinct), len(who)), -1, dtype=np.int64)
    matrix[place, np.searchsorted(who, rater.codes[rows])] = positions(rating.labels, categories)[rating.codes[rows]]
    order = np.argsort([rater.labels[code] for code in who]) if len(who) else who
    raters = tuple(rater.labels[who[place]] for place in order)
    names = tuple(item.labels[code] for code in distinct)
    ratings = Ratings(matrix[:, order], categories, raters)
    return _rated(batch, roles, ratings, (names, rows[first_row], left_out))


def _first_of_each(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Where each code first stands, in order, and how many stand again."""
    _, first = np.unique(codes, return_index=True)
    return np.sort(first), len(codes) - len(first)


def _rated(
    batch: Batch, roles: RatingRoles, ratings: Ratings, found: tuple[tuple[str, ...], NDArray[np.int64], dict[str, int]]
) -> Rated:
    """The ratings with what the items' own rows say of them."""
    names, rows, left_out = found
    unit = keys_of_rows(0, 0)
    if roles.cluster is not None:
        cluster = text_column(batch, roles.cluster)
        known = np.flatnonzero(cluster.codes[rows] >= 0)
        if len(known) < len(rows):
            left_out = {**left_out, "cluster of the item is missing": len(rows) - len(known)}
            names, rows, ratings = tuple(names[place] for place in known), rows[known], ratings.of_rows(known)
        unit = np.append(keys_of_labels(cluster.labels), np.uint64(0))[cluster.codes[rows]]
    elif names:
        unit = keys_of_labels(names)
    return Rated(
        ratings=ratings,
        items=names,
        weight=case_weights(batch, roles.weight, rows),
        keys=unit,
        slices=tuple(levels_of_rows(batch, columns, rows) for columns in roles.slices),
        batches=levels_of_rows(batch, (roles.batch,), rows) if roles.batch is not None else None,
        read=batch.rows,
        left_out=left_out,
    )
