"""How values are written, where it is not as usual: words for what is missing, and the sign before decimals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.decode import numbers_of
from adjudge.data.remarks import MadeOfAnother
from adjudge.data.source import ROWS, Batch, NumberedSource, Numbers, Source, Text, numbered, open_source
from adjudge.errors import SettingError, literal, quoted

_BY_NAME = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|"}
# A number with a decimal comma; dots or blanks may part its thousands.
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:[. \u00a0\u202f][0-9]{3})+")  # the same without decimals
_WITH_COMMA = re.compile(r"[+-]?(?:[0-9]{1,3}(?:[. \u00a0\u202f][0-9]{3})+|[0-9]*),[0-9]+")


@dataclass(frozen=True, slots=True)
class Dialect(MadeOfAnother):
    """A table whose values are written otherwise than usual."""

    source: Source
    missing: frozenset[str] = frozenset()
    comma: bool = False  # whether decimals follow a comma

    def origin(self) -> Source:
        """The table as it is written."""
        return self.source

    def numbered(self) -> NumberedDialect | None:
        """The same rows by their numbers, where the table knows them."""
        source = numbered(self.source)
        return None if source is None else NumberedDialect(source, self.missing, self.comma)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block; all are read as text, for that is what was declared."""
        for batch in self.source.batches([*texts, *numbers], (), rows):
            columns = {name: self._column(column, name in numbers) for name, column in batch.columns.items()}
            yield Batch(batch.rows, columns)

    def _column(self, column: Text | Numbers, number: bool) -> Text | Numbers:
        assert isinstance(column, Text)
        place: dict[str, int] = {}
        labels = [None if label in self.missing else self._written(label, number) for label in column.labels]
        codes = [-1 if label is None else place.setdefault(label, len(place)) for label in labels]
        text = Text(np.array([*codes, -1], dtype=np.int64)[column.codes], tuple(place))
        return numbers_of([*text.labels, None], "")[text.codes] if number else text

    def _written(self, label: str, number: bool) -> str:
        shown = label.strip()
        # Of a label nobody knows whether it is a number at all: 1.234 may be a version.
        parted = number and _THOUSANDS.fullmatch(shown)
        if not self.comma or not (parted or _WITH_COMMA.fullmatch(shown)):
            return label
        return re.sub(r"[. \u00a0\u202f]", "", shown).replace(",", ".")


@dataclass(frozen=True, slots=True)
class NumberedDialect(Dialect):
    """The same of a table that knows how many rows it has."""

    source: NumberedSource

    @property
    def edges(self) -> tuple[int, ...]:
        """Where reading may begin."""
        return self.source.edges

    def between(self, first: int, last: int) -> NumberedDialect:
        """Some of the rows."""
        return replace(self, source=self.source.between(first, last))

    def digests(self) -> dict[int, str]:
        """Of the files that begin within these rows."""
        return self.source.digests()

    def learn(self, digests: Mapping[int, str]) -> None:
        """Take digests that were made elsewhere."""
        self.source.learn(digests)


def opened(
    table: object, delimiter: str | None = None, missing: str | Iterable[str] | None = None, decimal: str | None = None
) -> Source:
    """A table, with how it is written.

    >>> source = opened({"p": ["0,5", "-", "1.024,5"]}, missing=["-"], decimal=",")
    >>> next(source.batches((), ["p"])).columns["p"].values.tolist()
    [0.5, nan, 1024.5]
    """
    source = open_source(table, checked_delimiter(delimiter))
    if decimal is not None and not (isinstance(decimal, str) and decimal in (".", ",")):
        raise SettingError(f'`decimal` must be "." or ",", not {quoted(decimal)}. Leave it out for a dot.')
    words = frozenset(_words(missing))
    return Dialect(source, words, decimal == ",") if words or decimal == "," else source


def _words(missing: object) -> list[str]:
    """What is written where a value is missing: a word, or several."""
    words = [missing] if isinstance(missing, str) else () if missing is None else missing
    if not isinstance(words, Iterable) or isinstance(words, (bytes, Mapping)):
        raise SettingError(f"`missing` must be a word, or a list of words, not {literal(missing)}.")
    words = list(words)
    if odd := [word for word in words if not isinstance(word, str)]:
        raise SettingError(f"`missing` must be a word, or a list of words, but {literal(odd[0])} is none.")
    return words


def checked_delimiter(delimiter: str | None) -> str | None:
    """The sign between cells, by itself or by its name."""
    if delimiter is None:
        return None
    sign = _BY_NAME.get(delimiter, delimiter) if isinstance(delimiter, str) else ""
    if len(sign) != 1 or sign in '"\r\n' or not sign.isascii():
        raise SettingError(f'`delimiter` must be one character, such as ";" or "tab", not {quoted(delimiter)}.')
    return sign
