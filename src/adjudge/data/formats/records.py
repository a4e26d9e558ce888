"""Records of other tools' files, one after another: JSON lines, arrays of any length, members of objects, rows of text.

An array is decoded element by element from a window, so that a file is never held whole.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import IO

from adjudge.data.cleaning import text_column
from adjudge.data.foreign import refusing
from adjudge.data.formats.sample import DECODER, Json, Record
from adjudge.data.tables.file_formats import records
from adjudge.data.tables.files import open_files
from adjudge.data.tables.text_files import not_utf8, open_text
from adjudge.errors import InputError, quoted

WINDOW = 1 << 20  # characters
MOST_ELEMENT = 1 << 28  # characters of one element
MOST_DEPTH = 100


class JsonText:
    """JSON that is read from its first character to its last."""

    def __init__(self, file: IO[str], name: str) -> None:
        self.file, self.name = file, name
        self.text, self.place, self.ended = "", 0, False

    def _more(self) -> None:
        if len(self.text) - self.place > MOST_ELEMENT:
            raise self._damaged("a value is longer than can be held")
        more = self.file.read(max(WINDOW, len(self.text) - self.place))
        self.ended = not more
        self.text, self.place = self.text[self.place :] + more, 0

    def _damaged(self, why: str) -> InputError:
        return InputError(f"{quoted(self.name)} must be whole JSON, but {why}. Export it again.")

    def next_sign(self) -> str:
        """The next sign that is no blank, "" at the end; it is not passed."""
        while True:
            while self.place < len(self.text) and self.text[self.place] in " \t\r\n":
                self.place += 1
            if self.place < len(self.text) or self.ended:
                return self.text[self.place : self.place + 1]
            self._more()

    def passed(self, signs: str) -> str:
        """The next sign, which must be one of these."""
        sign = self.next_sign()
        if not sign or sign not in signs:
            raise self._damaged("it is cut off" if not sign else f"{quoted(sign)} stands where {quoted(signs)} must")
        self.place += 1
        return sign

    def value(self) -> object:
        """The next value."""
        self.next_sign()
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.place)
            except RecursionError:
                raise self._damaged("it is nested too deeply") from None
            except json.JSONDecodeError:
                if self.ended:
                    raise self._damaged("it is cut off or damaged") from None
            except ValueError:
                raise self._damaged("a number has thousands of digits") from None
            else:
                # A number may go on beyond the window.
                if end < len(self.text) or self.ended:
                    check_depth(
                        value, self.text.count("[", self.place, end) + self.text.count("{", self.place, end), self.name
                    )
                    self.place = end
                    return value
            self._more()

    def elements(self) -> Iterator[object]:
        """The elements of an array, one by one."""
        self.passed("[")
        if self.next_sign() == "]":
            self.passed("]")
            return
        while True:
            yield self.value()
            if self.passed(",]") == "]":
                return

    def members(self) -> Iterator[str]:
        """The keys of an object; after each, its value or its elements must be read."""
        self.passed("{")
        if self.next_sign() == "}":
            self.passed("}")
            return
        while True:
            key = self.value()
            self.passed(":")
            yield str(key)
            if self.passed(",}") == "}":
                return


def check_depth(value: object, brackets: int, name: str) -> None:
    """Refuse what is nested too deeply; with few brackets it cannot be."""
    if brackets <= MOST_DEPTH:
        return
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise InputError(
                f"{quoted(name)} must not be nested deeper than {MOST_DEPTH}, but it is. Is it the right file?"
            )
        inside: list[object] = []
        for one in level:
            if isinstance(one, (dict, list)):
                inside += one.values() if isinstance(one, dict) else one
        level = [one for one in inside if isinstance(one, (dict, list))]


def objects_in(path: Path) -> Iterator[Record]:
    """The records of an array, of JSON lines, or of one object of columns."""
    with refusing(path.name):
        try:
            with open_text(path) as file:
                text = JsonText(file, path.name)
                if text.next_sign() == "[":
                    yield from _objects(text.elements(), path.name)
                    return
        except UnicodeDecodeError:
            raise not_utf8(path) from None
    for record in records(path):
        check_depth(record, MOST_DEPTH + 1, path.name)
        yield record


def objects_of_text(content: str, name: str) -> Iterator[Mapping[str, object]]:
    """The same of text that is at hand."""
    text = JsonText(StringIO(content), name)
    if text.next_sign() == "[":
        yield from _objects(text.elements(), name)
        return
    while text.next_sign():
        yield from _objects([text.value()], name)


def _objects(values: Iterable[object], name: str) -> Iterator[Mapping[str, object]]:
    for value in values:
        if not isinstance(value, dict):
            raise InputError(
                f"{quoted(name)} must hold JSON objects, but one is a {type(value).__name__}. Export it again."
            )
        yield value


def whole_object(path: Path) -> dict[str, Json]:
    """A file that is one JSON object."""
    with refusing(path.name):
        try:
            with open_text(path) as file:
                value = JsonText(file, path.name).value()
        except UnicodeDecodeError:
            raise not_utf8(path) from None
    if not isinstance(value, dict):
        raise InputError(f"{quoted(path.name)} must be one JSON object, but it is a {type(value).__name__}.")
    return value


def rows_of_columns(columns: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The records of an object of columns; what is no list is said of all."""
    rows = max((len(value) for value in columns.values() if isinstance(value, list)), default=0)
    for place in range(rows):
        yield {
            name: (value[place] if place < len(value) else None) if isinstance(value, list) else value
            for name, value in columns.items()
        }


def table_rows(path: Path) -> Iterator[dict[str, str | None]]:
    """The rows of a CSV or TSV file, as text."""
    source = open_files(str(path))
    selected = source.column_names
    for batch in source.batches(selected, ()):
        columns = []
        for name in selected:
            text = text_column(batch, name)
            labels = [*text.labels, None]
            columns.append([labels[code] for code in text.codes.tolist()])
        for row in zip(*columns, strict=True):
            yield dict(zip(selected, row, strict=True))


def csv_records(content: str, name: str) -> Iterator[Mapping[str, object]]:
    """The same of text that is at hand; lines may end in any way."""
    try:
        yield from csv.DictReader(StringIO(content, newline=""))
    except csv.Error as error:
        raise InputError(f"{quoted(name)} must hold CSV, but {error}. Export it again.") from None


def json_in(cell: str | None, where: str) -> object:
    """What JSON in a cell says; text that is none stays text."""
    if cell is None or cell[:1] not in "[{":
        return cell
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    check_depth(value, cell.count("[") + cell.count("{"), where)
    return value


# Without zones, whose names mean nothing to a computer: times of one file are taken to be of one zone.
WRITINGS = (
    "%a %b %d %H:%M:%S %Y",
    "%Y/%m/%d %I:%M:%S %p",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
)


def moment(text: str | None) -> str | None:
    """A moment as text that sorts; one in no known writing has none.

    >>> moment("Mon Jan 05 10:02:00 PST 2026"), moment("2026/01/05 10:09:00 PM GMT+1"), moment("soon")
    ('2026-01-05T10:02:00', '2026-01-05T22:09:00', None)
    """
    if text is None:
        return None
    plain = re.sub(r"\s+(?:GMT|UTC)?[+-]\d+$", "", re.sub(r"\b(?!AM|PM)[A-Z]{3,4}\b ?", "", text)).strip()
    plain = re.sub(r"\s*[+-]\d+$", "", plain)
    for writing in WRITINGS:
        try:
            return datetime.strptime(plain, writing).isoformat()
        except ValueError:
            continue
    return None
