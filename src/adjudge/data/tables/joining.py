"""Tables of the same units, side by side: a row for each unit that is in all of them, found by its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import number_in
from adjudge.data.label_values import texts_called
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Numbers, Source, Text, whole_batch
from adjudge.errors import BadValue, ColumnNotFound, SettingError, listed, quoted, with_minus

ENOUGH_IN_COMMON = 0.2
"""Tables with a smaller share of common ids are not paired: spec A.6, of the smallest table."""


@dataclass(frozen=True)
class Joined(Remarks):
    """Several tables as one: each table's own columns under new names, the others as in the first table that has them.

    >>> from adjudge.data.source import open_source
    >>> one = open_source({"id": ["a", "b", "c"], "g": ["x", "y", "y"]})
    >>> two = open_source({"id": ["c", "a", "b"], "g": ["x", "x", "z"]})
    >>> table = Joined({"old": one, "new": two}, ("id",), {"old": ("old", "g"), "new": ("new", "g")})
    >>> [batch] = table.batches(["id", "new"], [])
    >>> [batch.columns["new"].labels[code] for code in batch.columns["new"].codes]
    ['x', 'z', 'x']
    """

    tables: Mapping[str, Source]  # by name
    id: tuple[str, ...]
    own: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a new name: of which table, which column

    @property
    def name(self) -> str:
        """What reports call it."""
        return ", ".join(source.name for source in self.tables.values())

    @property
    def column_names(self) -> tuple[str, ...]:
        """Those that are each table's own, then all others."""
        taken = {column for _, column in self.own.values()}
        shared = dict.fromkeys(name for source in self.tables.values() for name in source.column_names)
        return (*self.own, *(name for name in shared if name not in taken and name not in self.own))

    def fingerprint(self) -> str:
        """Of all tables together."""
        parts = [source.fingerprint() for source in self.tables.values()]
        return f"sha256:{sha256(repr(parts).encode()).hexdigest()[:16]}" if all(parts) else ""

    @cached_property
    def ids(self) -> dict[str, list[tuple[str, ...]]]:
        """The ids of each table, row by row; refused where one is missing or there twice."""
        named = {name: _names(source, self.id) for name, source in self.tables.items()}
        for place in range(len(self.id)):
            texts = [columns[place] for columns in named.values()]
            together = texts_called(*texts)
            if all(len(text.labels) == len(was.labels) for text, was in zip(together, texts, strict=True)):
                for columns, text in zip(named.values(), together, strict=True):
                    columns[place] = text
        return {name: _ids(source, named[name]) for name, source in self.tables.items()}

    @cached_property
    def common(self) -> dict[str, NDArray[np.int64]]:
        """Of each table the rows of the units that all have, in the order of the first."""
        places = {name: {key: row for row, key in enumerate(keys)} for name, keys in self.ids.items()}
        everywhere = [key for key in next(iter(self.ids.values())) if all(key in rows for rows in places.values())]
        return {name: np.array([rows[key] for key in everywhere], dtype=np.int64) for name, rows in places.items()}

    @property
    def rows(self) -> int:
        """How many units all tables have."""
        return len(next(iter(self.common.values())))

    @property
    def share(self) -> float:
        """Which part of the smallest table is in all others."""
        smallest = min(len(keys) for keys in self.ids.values())
        return self.rows / smallest if smallest else 0.0

    @property
    def unmatched(self) -> dict[str, int]:
        """How many rows of each table are not in all others."""
        return {name: len(keys) - self.rows for name, keys in self.ids.items()}

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns of the common units."""
        columns: dict[str, Text | Numbers] = {}
        for name, source in self.tables.items():
            sources = {column: self._column_in(name, column, source) for column in (*texts, *numbers)}
            here = {column: given for column, given in sources.items() if given is not None}
            if not here:
                continue
            as_text = list(dict.fromkeys(given for column, given in here.items() if column in texts))
            as_number = dict.fromkeys(given for column, given in here.items() if column in numbers)
            batch = whole_batch(source, as_text, [given for given in as_number if given not in as_text])
            both = [given for given in as_number if given in as_text]  # one system's answer, another's score
            again = whole_batch(source, [], both) if both else batch
            for column, given in here.items():
                read = again if column in numbers and given in both else batch
                column_rows = read.columns[given].of_rows(self.common[name])
                if column in columns and column not in self.id:
                    self._refuse_others(column, columns[column], column_rows, name)
                columns.setdefault(column, column_rows)
        whole = Batch(self.rows, {column: columns[column] for column in (*texts, *numbers)})
        for start in range(0, whole.rows, rows):
            yield whole[start : start + rows]

    def _column_in(self, name: str, column: str, source: Source) -> str | None:
        """What a column is called in one table; None where it is not there."""
        if column in self.own:
            of_table, given = self.own[column]
            return given if of_table == name else None
        return column if column in source.column_names else None

    def _refuse_others(self, column: str, one: Text | Numbers, other: Text | Numbers, name: str) -> None:
        """Refuse a column that says something else in another table: then the ids do not name the same units."""
        differ = np.flatnonzero(_different(one, other))
        if len(differ):
            first = next(iter(self.ids.values()))[int(next(iter(self.common.values()))[differ[0]])]
            said = [_said(column_, int(differ[0])) for column_ in (other, one)]
            raise BadValue(
                f"{quoted(column)} must say the same of a row in all tables, but {quoted(name)} says something else in "
                f"{len(differ):,} of {self.rows:,} rows, first {said[0]} in place of {said[1]} where the id is "
                f"{quoted(' '.join(first))}. Are these the same rows?"
            )


def _said(column: Text | Numbers, row: int) -> str:
    """What a cell holds, for a message."""
    if isinstance(column, Numbers):
        return with_minus(float(column.values[row]))
    code = int(column.codes[row])
    return quoted(column.labels[code]) if code >= 0 else "nothing"


def _names(source: Source, columns: tuple[str, ...]) -> list[Text]:
    """The columns that name the rows of a table; refused where one is not there, or a row has no name."""
    for column in columns:
        if column not in source.column_names:
            raise ColumnNotFound("id", column, source.column_names)
    batch = whole_batch(source, list(columns), [])
    texts = []
    for column in columns:
        text = batch.columns[column]
        assert isinstance(text, Text)
        if missing := int((text.codes < 0).sum()):
            raise BadValue(
                f"Every row must have an id to be joined by, but {missing:,} of {quoted(source.name)} have none in "
                f"{quoted(column)}. Remove them, or name another column."
            )
        texts.append(text)
    return texts


def _ids(source: Source, columns: Sequence[Text]) -> list[tuple[str, ...]]:
    """What each row is called; refused where two are called alike."""
    names = [[text.labels[code] for code in text.codes] for text in columns]
    keys = list(zip(*names, strict=True))
    if len(set(keys)) < len(keys):
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        twice = next(key for place, key in enumerate(keys) if first[key] < place)
        raise BadValue(
            f"Every id must stand once in a table that is joined, but {quoted(' '.join(twice))} stands "
            f"{keys.count(twice):,} times in {quoted(source.name)}. Remove the repeated rows, or add a column to `id`."
        )
    return keys


def _different(one: Text | Numbers, other: Text | Numbers) -> NDArray[np.bool_]:
    """Where two columns of the same rows say something else; numbers written otherwise are the same."""
    if isinstance(one, Numbers) and isinstance(other, Numbers):
        return np.asarray((one.values != other.values) & ~(np.isnan(one.values) & np.isnan(other.values)))
    assert isinstance(one, Text)
    assert isinstance(other, Text)
    one, other = texts_called(one, other)
    codes = {label: code for code, label in enumerate(dict.fromkeys(map(_value, (*one.labels, *other.labels))))}
    both = [
        np.array([*(codes[_value(label)] for label in text.labels), -1], dtype=np.int64)[text.codes]
        for text in (one, other)
    ]
    return np.asarray(both[0] != both[1])


def _value(label: str) -> str | float:
    number = number_in(label)
    return label if number is None else number


def refuse_nothing_common(table: Joined) -> None:
    """Refuse tables none of whose rows meet."""
    if table.rows == 0:
        examples = {name: " ".join(keys[0]) if keys else "(no rows)" for name, keys in table.ids.items()}
        examples_text = ", ".join(f"{quoted(key)} in {quoted(name)}" for name, key in examples.items())
        raise SettingError(
            f"`id` must name rows that the tables have in common, but none is: the first are {examples_text}. "
            f"Is {listed(table.id)} the right column?"
        )
