"""Spreadsheets: the first sheet of an .xlsx file, held whole, which it can be because it cannot be large."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import unescape

from adjudge.data.decode import text_of
from adjudge.data.foreign import refusing
from adjudge.data.source import distinct_names, no_columns
from adjudge.errors import InputError, listed, quoted

# The reader lays out every cell from the first to the last, blank ones too, and ends the process where that fails.
MOST_CELLS = 20_000_000
MOST_BYTES = 1 << 30  # of the sheet unpacked
MOST_SHEETS = 20  # that a column is looked for in
_PIECE = 1 << 20
_LONGEST_TAG = 1 << 12
_PLACE = re.compile(rb'<c\s[^<>]*?\br="([A-Za-z]{1,9})(\d{1,18})"')
_ROW = re.compile(rb'<row\s[^<>]*?\br="(\d{1,18})"')
_NO_VALUE = re.compile(  # of text, which may be empty, the type is told
    rb'<c\s(?![^<>]*?\bt="str")[^<>]*?\br="([A-Za-z]{1,9}\d{1,18})"[^<>]*>'
    rb"<f(?:[^<>]*/>|[^<>]*>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>"
)
_ERROR = re.compile(rb'<c\s(?=[^<>]*?\bt="e")[^<>]*?\br="[A-Za-z]{1,9}(\d{1,18})"')


@dataclass
class Extent:
    """How far a sheet reaches, and which of its rows hold an error such as #N/A."""

    rows: int = 0
    columns: int = 0
    errors: set[int] = field(default_factory=set)

    def add(self, text: bytes) -> None:
        """Look at a piece of the sheet."""
        places = _PLACE.findall(text)
        self.rows = max([self.rows, *map(int, {row for _, row in places}), *map(int, _ROW.findall(text))])
        self.columns = max([self.columns, *(_column_number(letters) for letters in {name for name, _ in places})])
        if b'"e"' in text:
            self.errors.update(map(int, _ERROR.findall(text)))


def sheet_columns(path: Path) -> dict[str, list[object]]:
    """The columns of the first sheet; what has no name, and rows of blank cells, are left out. An error is missing."""
    # calamine rather than openpyxl: it imports in 5 ms instead of 230 and has no dependency of its own.
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise InputError("Reading .xlsx needs python-calamine. Run `pip install python-calamine`.") from None
    extent = _checked_extent(path)
    try:
        sheet = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0)
        cells = sheet.to_python()
    except CalamineError as error:
        raise InputError(f"{quoted(path.name)} must be a spreadsheet, but: {error}.") from None
    if not cells:
        raise no_columns(path.name)
    names = ["".join(text_of([cell], "header").labels) for cell in cells[0]]
    first = 1 + (sheet.start or (0, 0))[0]  # rows of a sheet are counted from 1
    rows = [
        [None if cell == "" else cell for cell in row]
        for number, row in enumerate(cells[1:], first + 1)
        if number in extent.errors or any(cell != "" for cell in row)
    ]
    return _named_columns(path, names, rows)


def other_sheets(path: Path) -> tuple[str, ...]:
    """A note where there are more sheets than the first, which alone is read."""
    names = _sheet_names(path)
    if len(names) < 2:
        return ()
    read = f"{quoted(path.name)} is read from its first sheet, {quoted(names[0])}, alone"
    return (f"{read}: what stands in {listed(names[1:], 5)} is left out.",)


def sheets_with(path: Path, column: str) -> list[str]:
    """The sheets after the first that have such a column, of a book's first few."""
    from python_calamine import CalamineWorkbook

    sheets, book = [], CalamineWorkbook.from_path(str(path))
    for place, name in enumerate(_sheet_names(path)[:MOST_SHEETS]):
        if place and _checked_extent(path, place).rows:
            header = book.get_sheet_by_index(place).to_python(nrows=1)
            sheets += [name] if header and column in text_of(header[0], "header").labels else []
    return sheets


def _sheet_names(path: Path) -> list[str]:
    """The sheets of a book, in their order."""
    with refusing(path.name), zipfile.ZipFile(path) as archive:
        named = re.findall(rb'<(?:\w+:)?sheet\s[^<>]*?\bname="([^"]*)"', archive.read("xl/workbook.xml"))
    return [unescape(name.decode("utf-8", "replace"), {"&quot;": '"'}) for name in named]


def formulas_without_value(path: Path) -> tuple[str, ...]:
    """What is said of formulas whose values were not saved: the program that wrote the sheet did not work them out."""
    cells: dict[bytes, None] = {}  # in the order of the sheet; pieces overlap
    with refusing(path.name), zipfile.ZipFile(path) as archive:
        for text in _pieces(archive, path.name):
            cells.update(dict.fromkeys(_NO_VALUE.findall(text)) if b"<f" in text else {})
    if not cells:
        return ()
    n, first = len(cells), next(iter(cells)).decode()
    formulas = "1 formula" if n == 1 else f"{n:,} formulas"
    said = (
        f"{quoted(path.name)} has {formulas} without a saved value, the first in {first}, so such cells count as empty"
    )
    return (f"{said}. Open it in a spreadsheet, and save it there.",)


def _named_columns(path: Path, names: Sequence[str], rows: Sequence[Sequence[object]]) -> dict[str, list[object]]:
    kept = [place for place, name in enumerate(names) if name]
    distinct_names([names[place] for place in kept], quoted(path.name))  # a dict would lose the second of two
    return {names[place]: [row[place] for row in rows] for place in kept}


def _checked_extent(path: Path, place: int = 0) -> Extent:
    """How far a sheet reaches, usually the first, refused where it is too far to be laid out."""
    extent = Extent()
    with refusing(path.name):
        try:
            with zipfile.ZipFile(path) as archive:
                for text in _pieces(archive, path.name, place):
                    extent.add(text)
        except zipfile.BadZipFile as error:
            raise InputError(f"{quoted(path.name)} must be a spreadsheet, but: {error}.") from None
    if extent.rows * extent.columns > MOST_CELLS:
        raise InputError(
            f"A spreadsheet must have at most {MOST_CELLS:,} cells, but {quoted(path.name)} reaches to row "
            f"{extent.rows:,} and column {extent.columns:,}. Delete what stands far from the table, or save it as CSV."
        )
    return extent


def _pieces(archive: zipfile.ZipFile, name: str, place: int = 0) -> Iterator[bytes]:
    """A sheet, usually the first, in pieces that overlap by a tag."""
    kept, size = b"", 0
    with archive.open(_sheet(archive, place)) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > MOST_BYTES:
                raise InputError(f"A sheet must have at most {MOST_BYTES >> 20:,} MB, but {quoted(name)} has more.")
            yield kept + piece
            kept = piece[-_LONGEST_TAG:]


def _sheet(archive: zipfile.ZipFile, place: int) -> str:
    """The part that holds a sheet: the book names it by a relation, whose target is the part."""
    book = archive.read("xl/workbook.xml")
    relations = archive.read("xl/_rels/workbook.xml.rels")
    sheets = re.findall(rb'<(?:\w+:)?sheet\s[^<>]*?\b\w+:id="([^"]+)"', book)[place:]
    tags = re.findall(rb"<(?:\w+:)?Relationship\s[^<>]*>", relations)
    targets = [re.search(rb'\bTarget="([^"]+)"', tag) for tag in tags if sheets and b'"' + sheets[0] + b'"' in tag]
    if not targets or targets[0] is None:
        raise KeyError("it names no sheet")
    target = targets[0][1].decode("utf-8", "replace")
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _column_number(letters: bytes) -> int:
    """
    >>> _column_number(b"A"), _column_number(b"AB"), _column_number(b"xfd")
    (1, 28, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number
