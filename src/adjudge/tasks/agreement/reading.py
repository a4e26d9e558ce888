"""How rows become ratings of items: one column for each rater, or one row for each rating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import (
    Rows,
    case_weights,
    check_columns,
    check_same_within,
    label_keys,
    levels_of_rows,
    text_column,
)
from adjudge.data.counting import counted_rows
from adjudge.data.facts import CROSS, NO_KEYS, Facts, ends, named_again
from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.label_sets import SetCells
from adjudge.data.judgements.labels import label_text, positions
from adjudge.data.judgements.rated import Rated
from adjudge.data.judgements.ratings import Ratings, check_cells
from adjudge.data.judgements.scales import on_scale
from adjudge.data.keys import Keys, NameKeys, RowNames, Twins, fewest_keys, keys_of_numbers, quick_keys
from adjudge.data.label_values import BY_VALUE, KINDS, kinds_of, renamed, settled_values
from adjudge.data.order import Order
from adjudge.data.reading import BLOCK_ROWS, Block
from adjudge.data.source import Batch, Several, Text
from adjudge.data.systems import slices_of
from adjudge.errors import BadValue, SettingError, listed, quoted
from adjudge.evaluation.cubes.keys import CellKeys, kept_settings
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.request import Request
from adjudge.metrics.weightings import are_numbers

EVERYBODY = "all raters"  # the view of ratings
ITEMS = "items"  # the view of the items themselves
REPEATED = "a rater's repeated rating of an item (the first is kept)"
# Facts: the labels, raters and ways of writing that were met, and whether labels are numbers too many to be kept.
LABELS, RATERS, WRITINGS, CROWD = "labels", "raters", "writings", "crowd"


@dataclass(frozen=True, slots=True)
class ItemRatings:
    """The items of a batch: what was said of each, its name and first row; and why rows were left out."""

    ratings: Ratings
    names: Sequence[str]
    rows: Rows
    left_out: dict[str, int]
    again: tuple[str, ...] = ()  # items whose rows are not together
    kinds: frozenset[str] = frozenset()  # of labels

    def of_items(self, places: Rows, left_out: dict[str, int]) -> ItemRatings:
        """Some of the items, with one more reason why others are not."""
        names = tuple(self.names[place] for place in places)
        left_out = self.left_out | left_out
        return ItemRatings(self.ratings.of_rows(places), names, self.rows[places], left_out, kinds=self.kinds)


@dataclass(frozen=True)
class RatingReading:
    """Where the ratings are: `raters` names one column each (wide), or `item`, `rater`, `rating` (long)."""

    raters: tuple[str, ...] = ()
    item: str | None = None
    rater: str | None = None
    rating: str | None = None
    weight: str | None = None
    cluster: str | None = None
    batch: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)  # columns of parts of a rating, by role
    cells: SetCells | None = None  # how a cell that may hold several values becomes a rating
    scale: tuple[object, ...] | None = None
    most: int | None = None  # numbers with more values than this are not kept as labels
    meeting: str = BY_VALUE  # when two labels are one

    block_rows = BLOCK_ROWS
    countable = False  # ratings that are alike share a kind: see `Ratings`

    @property
    def is_wide(self) -> bool:
        """Whether each rater has a column."""
        return bool(self.raters)

    @property
    def together(self) -> str | None:
        """The item, when its ratings are in several rows."""
        return None if self.is_wide else self.item

    @property
    def explicit(self) -> bool:
        """Whether items must be drawn one by one: they differ in weight or belong together."""
        return self.weight is not None or self.cluster is not None

    @property
    def holds_lists(self) -> bool:
        """Whether a cell may hold several values."""
        return self.cells is not None

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels."""
        ratings = [name for name in (*self.raters, self.rating) if name is not None]
        named = (*map(Several if self.holds_lists else str, ratings), self.item, self.rater, self.cluster, self.batch)
        crossed = (column for columns in self.slices for column in columns)
        return tuple(dict.fromkeys(name for name in (*named, *self.parts.values(), *crossed) if name is not None))

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        return () if self.weight is None else (self.weight,)

    def checked(self, columns: Sequence[str]) -> RatingReading:
        """The same reading, if the roles make one of the two shapes and every column exists."""
        long = (self.rater, self.rating)
        if self.is_wide == any(name is not None for name in long):
            raise SettingError(
                "Ratings must be in columns or in rows: give either `raters` (a column each), or `item`, `rater` and "
                "`rating`."
            )
        if not self.is_wide and None in (self.item, *long):
            raise SettingError(
                "Ratings in rows must have all of `item`, `rater` and `rating`. "
                "With a column for each rater, give `raters`."
            )
        if self.is_wide and (len(self.raters) < 2 or len(set(self.raters)) < len(self.raters)):
            raise SettingError(f"`raters` must name at least two different columns, not {listed(self.raters)}.")
        check_columns(self._named(), columns)
        if self.weight in self.texts():
            raise SettingError(
                f"A column must be read either as labels or as weights, but {quoted(self.weight)} was given for both. "
                "Copy it under another name."
            )
        return self

    def _named(self) -> Iterator[tuple[str, str]]:
        yield from (("raters", name) for name in self.raters)
        for role in ("item", "rater", "rating", "weight", "cluster", "batch"):
            if (name := getattr(self, role)) is not None:
                yield role, name
        yield from (("slices", name) for names in self.slices for name in names)

    def read(self, batch: Batch, first_row: int) -> Block:
        """The items of a batch that somebody rated, each complete."""
        items = self._in_columns(batch, first_row) if self.is_wide else self._in_rows(batch)
        # An item that comes again is named in a part of its own, as if it came again in another block.
        parts = () if self.is_wide else (items.names, items.again)
        ids = tuple(np.sort(np.asarray(NameKeys(names))) for names in parts)
        if self.cluster is not None:
            known = np.flatnonzero(text_column(batch, self.cluster).codes[items.rows] >= 0)
            if missing := len(items.rows) - len(known):
                items = items.of_items(known, {"cluster of the item is missing": missing})
        names, rows = items.names, items.rows
        keys = NameKeys(names) if self.cluster is None else label_keys(batch, self.cluster, rows)
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        weight = self._weights(batch, rows)
        ratings = items.ratings.counting(weight)
        if self.cluster is not None and self.most is not None:  # numbers of a cluster are left out together
            ratings = replace(ratings, clusters=np.asarray(keys))
        judgements, seen, left_out = self.judged(replace(items, ratings=ratings))
        facts = Facts(
            read=batch.rows,
            used=len(rows),
            left_out=items.left_out | left_out,
            seen=seen,
            levels={
                CROSS.join(names): frozenset(one.categories) for names, one in zip(self.slices, levels, strict=True)
            },
            ids=ids,
            units=ends(keys),
            gathered=self._again(batch, keys),
            weight=float(len(rows) if weight is None else weight.sum()),
            squared_weight=float(len(rows) if weight is None else (weight**2).sum()),
            whole_weights=weight is None or bool((weight == np.rint(weight)).all()),
            weights=NO_KEYS if weight is None else fewest_keys(keys_of_numbers(weight)),
        )
        if not len(rows):
            return Block(0, facts)
        batches = levels_of_rows(batch, (self.batch,), rows) if self.batch is not None else None
        views = {EVERYBODY: judgements, ITEMS: Rated(judgements, names, keys, batches)}
        return Block(len(rows), facts, views, weight, keys, levels)

    def _again(self, batch: Batch, keys: Keys | NameKeys) -> Twins:
        """How often clusters are named again; without them, items that should have one row each."""
        if self.cluster is None and self.is_wide and self.item is not None:
            text = text_column(batch, self.item)
            return Twins.of(quick_keys(text.labels)[text.codes[text.codes >= 0]])
        return named_again(keys)

    def settled(self, facts: Facts) -> RatingReading:
        """The same with labels that meet as all of them must."""
        return settled_values(self, facts)

    def judged(self, items: ItemRatings) -> tuple[Ratings | Annotations, dict[str, frozenset[str]], dict[str, int]]:
        """The judgements as statistics take them, what was met in them, and what was left out of them."""
        labels = items.ratings.categories
        crowd = self.most is not None and len(labels) > self.most and (self.scale is not None or are_numbers(labels))
        met = {CROWD: frozenset(["numbers"])} if crowd else {LABELS: frozenset(labels)}
        return items.ratings, {**met, RATERS: frozenset(items.ratings.rated_by), KINDS: items.kinds}, {}

    def _weights(self, batch: Batch, rows: Rows) -> NDArray[np.float64] | None:
        weight = case_weights(batch, self.weight, rows)
        if weight is not None and (odd := int((~np.isfinite(weight)).sum())):
            raise BadValue(
                f"`weight` must be a finite number for every item, but {quoted(self.weight)} has none for {odd:,} of "
                f"{len(weight):,}. Fill it in, or leave those items out."
            )
        return weight

    def _said(self, batch: Batch, name: str) -> tuple[Text, frozenset[str]]:
        """A column of ratings, with the labels in use, and which kinds of labels these are."""
        text = in_use(text_column(batch, name))
        if self.cells is not None:
            return self.cells.sets_of(text, self.meeting)
        return renamed(text, self.meeting), kinds_of([*text.labels, *map(label_text, self.scale or ())])

    def _on_scale(self, labels: Iterable[str]) -> tuple[str, ...]:
        return on_scale(labels, self.scale, self.meeting)

    def _in_columns(self, batch: Batch, first_row: int) -> ItemRatings:
        texts, kinds, order = self._said_by_all(batch)
        categories = self._on_scale(label for text in texts for label in text.labels)
        codes = [np.append(positions(text.labels, categories), -1)[text.codes] for text in texts]
        kind = None if order is None else order.places
        ratings = Ratings(np.stack(codes, axis=1), categories, self.raters, kind=kind)
        known = np.asarray((ratings.kinds >= 0).any(1))
        rows, left_out = np.arange(batch.rows), {}
        if not known.all():
            rows = np.flatnonzero(ratings.of_items(known))
            left_out = {"no rater rated the item": batch.rows - len(rows)}
            ratings = ratings.of_rows(rows)
        names = _names(batch, self.item, rows, first_row)
        return ItemRatings(ratings, names, rows, left_out, kinds=kinds)

    def _said_by_all(self, batch: Batch) -> tuple[list[Text], frozenset[str], Order | None]:
        """What raters said and the kinds of labels; where few rows differ, of those, and which of them each row is."""
        columns = Batch(batch.rows, {name: text_column(batch, name) for name in self.raters})
        few = counted_rows(columns)  # as written, before anything is done for each row
        said = [self._said(few or columns, name) for name in self.raters]
        texts, kinds = [text for text, _ in said], frozenset[str]().union(*(kinds for _, kinds in said))
        if few is None and (few := counted_rows(Batch(batch.rows, dict(zip(self.raters, texts, strict=True))))):
            texts = [text_column(few, name) for name in self.raters]
        return texts, kinds, few.order if few else None

    def _in_rows(self, batch: Batch) -> ItemRatings:
        item, rater = (text_column(batch, str(name)) for name in (self.item, self.rater))
        rating, kinds = self._said(batch, str(self.rating))
        left_out: dict[str, int] = {}
        keep = np.ones(batch.rows, dtype=np.bool_)
        for text, role in ((item, "item"), (rater, "rater"), (rating, "rating")):
            missing = (text.codes < 0) & keep
            if missing.any():
                left_out[f"{role} is missing"] = int(missing.sum())
                keep &= ~missing
        rows = np.flatnonzero(keep)
        first, repeated = _first_of_each(item.codes[rows].astype(np.int64) * len(rater.labels) + rater.codes[rows])
        if repeated:
            left_out[REPEATED] = repeated
        rows = rows[first]
        distinct, first_row, place = np.unique(item.codes[rows], return_index=True, return_inverse=True)
        # Items in the order of the table, whatever the order of their codes.
        order = np.argsort(first_row)
        rank = np.argsort(order)[place.reshape(-1)]
        ratings = self._matrix(rater, rating, rows, rank)
        names = tuple(item.labels[code] for code in distinct[order])
        again = tuple(item.labels[code] for code in np.intersect1d(_scattered(item.codes), distinct))
        named = [(role, name) for role, name in self._named() if role in ("weight", "cluster", "slices")]
        check_same_within(
            batch, named, (rows, rows[first_row][place.reshape(-1)]), "ratings of an item", str(self.item)
        )
        return ItemRatings(ratings, names, rows[first_row[order]], left_out, again, kinds)

    def _matrix(self, rater: Text, rating: Text, rows: Rows, item: Rows) -> Ratings:
        """Items in rows, raters in columns, in order of their names."""
        said = in_use(rating.of_rows(rows))
        categories = self._on_scale(said.labels)
        who = in_use(rater.of_rows(rows))
        items, raters = int(item.max(initial=-1)) + 1, tuple(sorted(who.labels))
        check_cells(items, len(raters))
        matrix = np.full((items, len(raters)), -1, dtype=np.int64)
        matrix[item, positions(who.labels, raters)[who.codes]] = positions(said.labels, categories)[said.codes]
        return Ratings(matrix, categories, raters)


def roles_of(columns: Sequence[str], given: Given) -> Given:
    """What was given for roles, as the fields of a reading."""
    roles = {name: value for name, value in given.items() if value is not None}
    raters = roles.pop("raters", None) or ()
    return {
        **roles,
        "raters": (raters,) if isinstance(raters, str) else tuple(raters),
        "slices": slices_of(roles.pop("slices", None), columns),
    }


def in_use(text: Text) -> Text:
    """The same column with the labels that it uses: a part of a table has its labels all the same."""
    used = np.flatnonzero(np.bincount(np.add(text.codes, 1, dtype=np.intp), minlength=1)[1:])
    if len(used) == len(text.labels):
        return text
    place = np.full(len(text.labels) + 1, -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    return Text(place[text.codes], tuple(text.labels[code] for code in used))


def _names(batch: Batch, column: str | None, rows: Rows, first_row: int) -> Sequence[str]:
    if column is None:
        return RowNames(first_row, rows)
    text = text_column(batch, column)
    return tuple(
        text.labels[code] if code >= 0 else f"row {first_row + row + 1}"
        for row, code in zip(rows.tolist(), text.codes[rows].tolist(), strict=True)
    )


def _scattered(codes: Rows) -> Rows:
    """The codes that stand in several runs of equal neighbours."""
    starts = np.flatnonzero(np.diff(codes, prepend=-2))
    runs, times = np.unique(codes[starts], return_counts=True)
    return np.asarray(runs[times > 1])


def _first_of_each(codes: Rows) -> tuple[Rows, int]:
    """Where each code first stands, in order, and how many stand again."""
    _, first = np.unique(codes, return_index=True)
    return np.sort(first), len(codes) - len(first)


def rating_keys(request: Request) -> CellKeys:
    """A column `rating:<rater>` for every rater; ratings that are missing are keys like any other."""
    reading = request.reading_as(RatingReading)
    if not reading.is_wide or reading.holds_lists or reading.explicit or reading.batch is not None:
        raise SettingError(
            "A cube of ratings must have a column for each rater, and items that count one each: items in rows, sets, "
            "spans, weights, clusters and batches are not told by counts of alike items. Evaluate the table."
        )
    return CellKeys(
        given=kept_settings(request),
        labels={f"rating:{name}": name for name in reading.raters},
        members={"raters": reading.raters, "keys": {}, "unit": "item"},
    )
