"""The front door of the data: any table, in a file or in memory, becomes batches of labels and numbers.

A file, a folder, a data frame, a query or a dict of lists all answer the same two questions: which columns
are there, and, block by block, what do the wanted ones hold. Nothing else in adjudge knows where a table came
from.

Importing this module costs NumPy only; every other library is imported when a table needs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from adjudge.data.order import Order
from adjudge.data.remarks import Remarks
from adjudge.errors import ColumnNotFound, InputError, SettingError, listed, quoted

ROWS = 131_072
MOST_FINITE = float(np.finfo(np.float64).max)
# Products of three squared errors, and of two squares and a weight, must still be numbers.
MOST_NUMBER = 1e50


class Several(str):
    """The name of a text column whose cells may hold several values; such a cell is read as the JSON that writes it."""


class Lengths(str):
    """The name of a column of text that is read as numbers: how many characters each cell has."""


Places = NDArray[np.signedinteger]  # among labels, of any width


@dataclass(frozen=True, slots=True)
class Text:
    """One column of labels in one batch.

    >>> Text(np.array([0, 1, 0, -1]), ("ham", "spam"))[1:3].codes.tolist()
    [1, 0]
    """

    codes: Places  # (rows,), -1 where missing; signed, of any width: widen before calculating with them
    labels: tuple[str, ...]  # distinct; may contain labels that no row uses

    def __getitem__(self, rows: slice) -> Text:
        return Text(self.codes[rows], self.labels)

    def of_rows(self, rows: NDArray[np.int64]) -> Text:
        """Some of the rows, in this order."""
        return Text(self.codes[rows], self.labels)

    @property
    def trimmed(self) -> Text:
        """The same rows without the labels of others, where there are more labels than rows: part of a table has all.

        >>> Text(np.array([7, -1]), tuple("abcdefgh")).trimmed
        Text(codes=array([ 0, -1]), labels=('h',))
        """
        if len(self.labels) <= len(self.codes):
            return self
        used = np.unique(self.codes[self.codes >= 0])
        codes = np.where(self.codes < 0, -1, np.searchsorted(used, self.codes))
        return Text(codes, tuple(self.labels[code] for code in used.tolist()))


# Of so many of the first numbers most columns that are not whole have one that is none.
FIRST = 2**6


@dataclass(frozen=True, slots=True)
class Numbers:
    """One column of numbers in one batch."""

    values: NDArray[np.float64]  # NaN where missing or unreadable; infinities stay
    not_numbers: NDArray[np.bool_] | None = None  # which rows hold something that is no number; None: none does
    inside: NDArray[np.float64] | None = None  # (rows, 3), of cells: see `Scores.inside`
    _ends: list[tuple[float, float]] = field(default_factory=list, init=False, repr=False, compare=False)
    _whole: list[NDArray[np.int8] | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> Numbers:
        not_numbers = None if self.not_numbers is None else self.not_numbers[rows]
        return Numbers(self.values[rows], not_numbers, None if self.inside is None else self.inside[rows])

    @property
    def unreadable(self) -> NDArray[np.bool_]:
        """Which rows hold something that is not a number."""
        return np.zeros(len(self.values), dtype=np.bool_) if self.not_numbers is None else self.not_numbers

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows are blank, null or NaN."""
        nothing = np.isnan(self.values)
        return nothing if self.not_numbers is None else nothing & ~self.not_numbers

    def of_rows(self, rows: NDArray[np.int64]) -> Numbers:
        """Some of the rows, in this order."""
        return self[rows]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest; NaN where any number is missing or unreadable."""
        if not self._ends:  # asked for by all who look at the numbers
            every = self.values if self.whole is None else self.whole
            self._ends.append((float(every.min()), float(every.max())) if len(every) else (0.0, 0.0))
        return self._ends[0]

    @property
    def whole(self) -> NDArray[np.int8] | None:
        """The numbers in a byte each; None where not all of them are whole and so small."""
        if not self._whole:
            self._whole.append(None if in_bytes(self.values[:FIRST]) is None else in_bytes(self.values))
        return self._whole[0]

    def within(self, most: float) -> bool:
        """Whether there is a finite number in every row, none further from zero than this."""
        low, high = self.ends
        return -most <= low and high <= most


def in_bytes(values: NDArray[np.float64]) -> NDArray[np.int8] | None:
    """The numbers in a byte each; None where not all of them are whole and so small.

    >>> in_bytes(np.array([3.0, -1.0])), in_bytes(np.array([3.0, 0.5])), in_bytes(np.array([3.0, np.nan]))
    (array([ 3, -1], dtype=int8), None, None)
    """
    with np.errstate(invalid="ignore"):  # of what is missing or far away, anything
        whole = values.astype(np.int8)
    return whole if (whole == values).all() else None


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive rows of a table, wanted columns only."""

    rows: int
    columns: Mapping[str, Text | Numbers]
    times: NDArray[np.int64] | None = None  # how many rows of the table each stands for; None: one each
    order: Order | None = None  # which of them each row of the table is, where that is known
    squares: NDArray[np.float64] | None = None  # of those, the sum of their squared weights

    def __getitem__(self, rows: slice) -> Batch:
        start, stop, _ = rows.indices(self.rows)
        times = None if self.times is None else self.times[start:stop]
        return Batch(stop - start, {name: column[start:stop] for name, column in self.columns.items()}, times)


@runtime_checkable
class Source(Remarks, Protocol):
    """A table that can be read from its first row to its last."""

    @property
    def name(self) -> str:
        """What reports call it: a file name, never a path, or a kind of table."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """All its columns, in order."""

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns in blocks of exactly `rows` rows, the last one shorter."""

    def fingerprint(self) -> str:
        """A short digest of the content, or "" where reading it would use the table up."""


class NumberedSource(Source, Protocol):
    """A table that knows how many rows it has, and can be read from any of them on; it may travel to other machines."""

    @property
    def edges(self) -> tuple[int, ...]:
        """The rows at which reading may begin without what is before them, by number; last, how many rows there are."""

    def between(self, first: int, last: int) -> NumberedSource:
        """The rows from one number up to another."""

    def digests(self) -> dict[int, str]:
        """What the fingerprint is made of: digests of the parts that begin within these rows, by number."""

    def learn(self, digests: Mapping[int, str]) -> None:
        """Take digests of parts that were made where these were read."""


def numbered(source: Source) -> NumberedSource | None:
    """The same table by the numbers of its rows; None where these are known only when it has been read.

    >>> numbered(open_source({"label": ["spam"]})) is None
    True
    """
    known: NumberedSource | None = source.numbered() if hasattr(source, "numbered") else None
    return known


def around(source: Source, inner: Source) -> Source:
    """The same source, of what it is made of another one."""
    written: Any = source  # a dataclass with such a field
    again: Source = replace(written, source=inner)
    return again


def expected_rows(source: Source) -> int:
    """About how many rows a table has, to tell what share of them was read; 0 where nothing tells it beforehand.

    >>> expected_rows(open_source({"label": ["spam", "ham"]}))
    2
    """
    if hasattr(source, "expected_rows"):
        return int(source.expected_rows())
    if isinstance(inner := getattr(source, "source", None), Source):
        return expected_rows(inner)
    known = getattr(source, "rows", 0)
    return known if isinstance(known, int) else 0


def open_source(table: object, delimiter: str | None = None) -> Source:
    """Whatever holds a table, ready to be read; a `Source` passes unchanged. `delimiter` parts the cells of text files.

    >>> source = open_source({"label": ["spam", "ham", "spam"], "score": [0.9, 0.2, None]})
    >>> source.column_names
    ('label', 'score')
    >>> [batch] = source.batches(texts=["label"], numbers=["score"])
    >>> batch.columns["label"].labels, batch.columns["score"].missing.tolist()
    (('spam', 'ham'), [False, False, True])
    """
    # The doors are opened late: they are half of this room's code, and one table needs one of them.
    if isinstance(table, str | os.PathLike):
        from adjudge.data.tables.files import open_files

        return open_files(os.fspath(table), delimiter)
    if isinstance(table, Source):
        return table
    from adjudge.data.tables.frames import open_frame

    return open_frame(table)


def distinct_names(names: Iterable[object], source: str) -> tuple[str, ...]:
    """The column names as text, refused when two are the same.

    >>> distinct_names(["label", 7], "a table")
    ('label', '7')
    """
    texts = tuple(str(name) for name in names)
    if not texts:
        raise InputError(f"A table must have at least one column, but {source} has none.")
    if len(set(texts)) < len(texts):
        twice = [name for name in dict.fromkeys(texts) if texts.count(name) > 1]
        raise InputError(f"Column names must be distinct, but {source} has more than one {listed(twice)}. Rename them.")
    return texts


def no_columns(name: str) -> InputError:
    """The refusal of a file in which nothing stands."""
    return InputError(f"A table must at least name its columns, but {quoted(name)} is empty.")


def check_request(names_read: Sequence[str], names: Sequence[str], rows: int) -> None:
    """Every wanted column is there and a block has a size."""
    if rows < 1:
        raise SettingError(f"`rows` must be at least 1, but it is {rows}.")
    for name in names_read:
        if name not in names:
            raise ColumnNotFound("column", name, names)


def joined_batches(parts: Sequence[Batch]) -> Batch:
    """Batches one after the other, as one."""
    if len(parts) == 1:
        return parts[0]
    columns = {name: join_columns([part.columns[name] for part in parts]) for name in parts[0].columns}
    return Batch(sum(part.rows for part in parts), columns)


def whole_batch(source: Source, texts: Sequence[str], numbers: Sequence[str]) -> Batch:
    """The wanted columns of all rows at once; of a table without rows, columns without any.

    >>> whole_batch(open_source({"a": []}), ["a"], []).columns["a"]
    Text(codes=array([], dtype=int64), labels=())
    """
    if parts := list(source.batches(texts, numbers)):
        return joined_batches(parts)
    columns: dict[str, Text | Numbers] = {name: Text(np.zeros(0, dtype=np.int64), ()) for name in texts}
    return Batch(0, columns | {name: Numbers(np.zeros(0)) for name in numbers})


def join_columns(parts: Sequence[Text | Numbers]) -> Text | Numbers:
    """Pieces of one column, one after the other.

    >>> join_columns([Text(np.array([0]), ("b",)), Text(np.array([0, 1, -1]), ("a", "b"))])
    Text(codes=array([ 0,  1,  0, -1]), labels=('b', 'a'))
    """
    if len(parts) == 1:
        return parts[0]
    texts = [part for part in parts if isinstance(part, Text)]
    if texts:
        if all(text.labels is texts[0].labels for text in texts):
            return Text(np.concatenate([text.codes for text in texts]), texts[0].labels)
        index: dict[str, int] = {}
        return Text(np.concatenate([recoded(text.trimmed, index) for text in texts]), tuple(index))
    numbers = [part for part in parts if isinstance(part, Numbers)]
    readable = all(part.not_numbers is None for part in numbers)
    return Numbers(
        np.concatenate([part.values for part in numbers]),
        None if readable else np.concatenate([part.unreadable for part in numbers]),
    )


def recoded(text: Text, index: dict[str, int]) -> Places:
    """The codes of a column over a growing index of labels."""
    places = [index.setdefault(label, len(index)) for label in text.labels]
    if places == list(range(len(places))):
        return text.codes
    # The extra last place is what a missing value's code, -1, picks.
    return np.array([*places, -1], dtype=code_type(len(index))).take(text.codes)


def code_type(labels: int) -> np.dtype[np.signedinteger]:
    """The smallest type that holds the codes of so many labels, and that of a missing one.

    >>> code_type(2).name, code_type(128).name, code_type(129).name
    ('int8', 'int8', 'int16')
    """
    return np.min_scalar_type(-max(labels, 1))


Entry = TypeVar("Entry", bound=np.generic)


def by_appearance(array: NDArray[Entry]) -> tuple[NDArray[Entry], NDArray[np.int64]]:
    """The distinct values in the order they first appear, and each row's place among them.

    >>> by_appearance(np.array([7, 3, 7]))
    (array([7, 3]), array([0, 1, 0]))
    """
    distinct, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return distinct[order], place[inverse]
