"""Who read which items, where only what was marked has a row: another table says so, and its rows are added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from adjudge.data.blocks import reblocked
from adjudge.data.cleaning import text_column
from adjudge.data.remarks import MadeOfAnother
from adjudge.data.source import ROWS, Batch, Source, Text, open_source
from adjudge.errors import ColumnNotFound, SettingError

ITEMS = "seen_items"


@dataclass(frozen=True, slots=True)
class WithRead(MadeOfAnother):
    """A table, and after it a row for each item and rater who read it, in which nothing is marked."""

    table: Source
    read: Batch  # the columns of items and of raters

    def origin(self) -> Source:
        """The table without them."""
        return self.table

    def fingerprint(self) -> str:
        """That of both."""
        texts = [text_column(self.read, name) for name in self.read.columns]
        added = sha256(repr([(text.codes.tolist(), text.labels) for text in texts]).encode()).hexdigest()
        return sha256(f"{self.table.fingerprint()} {added}".encode()).hexdigest()[:16]

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The table, then who read what; nothing else is known of those rows."""
        if numbers:  # of what is marked in rows, no column is read as a number but weights, which these rows lack
            raise SettingError(f"`weight` must be left out with `{ITEMS}`: it does not say what those items weigh.")
        nothing = Text(np.full(self.read.rows, -1, dtype=np.int64), ())
        added = Batch(self.read.rows, {name: self.read.columns.get(name, nothing) for name in texts})

        def both() -> Iterator[Batch]:
            yield from self.table.batches(texts, (), rows)
            yield added

        return reblocked(both(), rows)


def opened_ratings(table: object, given: Mapping[str, object]) -> tuple[Source, Mapping[str, object]]:
    """The table, with who read what where another table says so."""
    source, rest = open_source(table), {name: value for name, value in given.items() if name != ITEMS}
    if given.get(ITEMS) is None:
        return source, rest
    if any(given.get(role) is None for role in ("item", "rater", "start", "end")):
        raise SettingError(
            f"`{ITEMS}` must be left out unless each span has a row, with `item`, `rater`, `start` and `end`: "
            "elsewhere a rating says that the item was read."
        )
    item, rater = str(given["item"]), str(given["rater"])
    for role, name in (("item", item), ("rater", rater)):
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    return WithRead(source, _read(open_source(given[ITEMS]), source, item, rater)), rest


def _read(items: Source, table: Source, item: str, rater: str) -> Batch:
    """A row for each item that a rater read; without a column of raters, by all of the table's."""
    if item not in items.column_names:
        raise ColumnNotFound(ITEMS, item, items.column_names)
    names = [item, *({rater} & {*items.column_names})]
    parts = list(items.batches(names, ()))
    which = [text_column(part, item).labels[code] for part in parts for code in _known(part, item)]
    who: list[str | None]
    if rater in names:
        who = [_label(part, rater, code) for part in parts for code in _known(part, item, rater)]
    else:
        everybody = sorted({label for part in table.batches([rater], ()) for label in _labels(part, rater)})
        who = [*everybody * len(which)]
        which = [one for one in which for _ in everybody]
    pairs = [(one, name) for one, name in zip(which, who, strict=True) if name is not None]
    return Batch(
        len(pairs), {item: _text([one for one, _ in pairs]), rater: _text([name for _, name in pairs if name])}
    )


def _known(part: Batch, item: str, column: str | None = None) -> NDArray[np.int64]:
    """The codes of a column where the item is known."""
    known = text_column(part, item).codes >= 0
    return text_column(part, column or item).codes[known]


def _label(part: Batch, column: str, code: int) -> str | None:
    return text_column(part, column).labels[code] if code >= 0 else None


def _labels(part: Batch, column: str) -> list[str]:
    text = text_column(part, column)
    return [text.labels[code] for code in np.unique(text.codes) if code >= 0]


def _text(labels: Sequence[str]) -> Text:
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(label, len(place)) for label in labels], dtype=np.int64)
    return Text(codes, tuple(place))
