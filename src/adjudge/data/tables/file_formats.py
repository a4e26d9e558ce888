"""How each file format is read: its column names, and its rows in order, a few blocks in memory at a time.

Text stays as written in the file: nothing guesses types, and only an empty cell is missing. A spreadsheet,
which cannot be large, is held whole.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.data.decode import arrow_pieces, decoded
from adjudge.data.foreign import refusing, validated
from adjudge.data.source import Batch, no_columns
from adjudge.data.tables.csv_batches import CELL, csv_batches
from adjudge.data.tables.frames import Table, columns_of
from adjudge.data.tables.sheets import sheet_columns
from adjudge.data.tables.text_files import not_utf8, open_text, refuse_wide, text_lines
from adjudge.data.values import whole_in
from adjudge.errors import InputError, SettingError, quoted

if TYPE_CHECKING:
    import pyarrow as pa

_READ_AHEAD = 1 << 18  # bytes per column; pyarrow's own choice is whole column chunks, gigabytes in a large file
_RECORD = 1 << 26  # characters of a line of JSON
_JSON = "; a list of objects is a table as JSON lines (.jsonl), one object in each line"
_FIRST_LINES = 10_000  # JSON lines have no header: these name the columns


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    label: str
    column_names: Callable[[Path], Sequence[str]]
    pieces: Callable[[Path, Sequence[str], Sequence[str], int], Iterator[Batch]]
    zipped: bool = False  # whether it may end in .gz
    has_header: bool = True  # whether an absent column is a fault of the file
    delimiter: str = ""  # what parts the cells of a line


def format_of(path: Path) -> Format:
    """The format that a file's name announces; of a name that announces none, Parquet where it begins so.

    >>> format_of(Path("judgements.jsonl.gz")).label
    'JSON lines'
    """
    name = path.name.casefold()
    plain = name.removesuffix(".gz")
    known = FORMATS.get(Path(plain).suffix) or (FORMATS[".parquet"] if _begins_as_parquet(path) else None)
    if known is None or (plain != name and not known.zipped):
        raise InputError(
            f"A file's name must end in one of {', '.join(FORMATS)} (.gz may follow where it is text), "
            f"but this is {quoted(path.name)}. Convert or rename it{_JSON * plain.endswith('.json')}."
        )
    return known


# Parquet and Arrow


def _begins_as_parquet(path: Path) -> bool:
    """Whether a file begins with the sign of Parquet: cubes and other tools' files are called by any name."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"
    except (OSError, ValueError):
        return False


def _parquet_names(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    return list(pq.read_schema(path).names)


def parquet_pieces(
    path: Path,
    texts: Sequence[str],
    numbers: Sequence[str],
    rows: int,
    groups: Sequence[int] | None = None,
    *,
    skipped: int = 0,
) -> Iterator[Batch]:
    """The rows of a Parquet file, or of some of its row groups; the first ones may be left out."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with refusing(path.name):
        schema = pq.read_schema(path)
        as_text = (pa.string(), pa.large_string(), pa.binary())
        labels = [name for name in texts if schema.field(name).type in as_text]
        with pq.ParquetFile(path, read_dictionary=labels, buffer_size=_READ_AHEAD, pre_buffer=False) as file:
            columns = [*texts, *numbers]
            # One thread: tables large enough for several are spread over them by runs of rows.
            batches = file.iter_batches(batch_size=rows, row_groups=groups, columns=columns, use_threads=False)
            yield from arrow_pieces(batches, texts, numbers, rows, skipped)


def _ipc_reader(path: Path, names_read: Sequence[str] | None = None) -> pa.RecordBatchReader:
    """A reader of either Arrow layout, the file with an index or the stream without."""
    import pyarrow as pa

    def opened(options: object = None) -> pa.RecordBatchReader:
        # Read rather than mapped into memory: a mapped file that shrinks ends the process.
        try:
            return pa.ipc.open_file(pa.OSFile(str(path)), options=options)
        except pa.ArrowInvalid:
            return pa.ipc.open_stream(pa.OSFile(str(path)), options=options)

    reader = opened()
    if names_read is None:
        return reader
    places = [reader.schema.get_field_index(name) for name in names_read or reader.schema.names[:1]]
    return opened(pa.ipc.IpcReadOptions(included_fields=places))


def _ipc_names(path: Path) -> list[str]:
    return list(_ipc_reader(path).schema.names)


def _ipc_pieces(path: Path, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
    with refusing(path.name):
        reader = _ipc_reader(path, [*texts, *numbers])
        indexed = hasattr(reader, "get_batch")
        batches = map(reader.get_batch, range(reader.num_record_batches)) if indexed else reader
        yield from arrow_pieces(map(validated, batches), texts, numbers, rows)


# Text


def _header(path: Path, delimiter: str) -> tuple[list[str], bool]:
    """The names in the first line, and whether any row follows."""
    try:
        with open_text(path) as file:
            lines = text_lines(file, CELL, path.name)
            names = next((row for row in csv.reader(lines, delimiter=delimiter) if row), [])
            refuse_wide(names, path.name)
            return names, any(line.strip("\r\n") for line in lines)
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except csv.Error as error:
        raise InputError(f"{quoted(path.name)} must begin with the names of its columns, but: {error}.") from None


def _delimited_names(path: Path, *, delimiter: str) -> list[str]:
    names, _ = _header(path, delimiter)
    if not names:
        raise no_columns(path.name)
    return names


def _delimited_pieces(
    path: Path, texts: Sequence[str], numbers: Sequence[str], rows: int, *, delimiter: str
) -> Iterator[Batch]:
    import pyarrow as pa

    with refusing(path.name):
        names, has_rows = _header(path, delimiter)
    if not has_rows:  # pyarrow refuses a header that no line end follows
        return
    done = 0
    for plain in (True, False):
        with refusing(path.name):
            try:
                batches = csv_batches(path, texts, numbers, names, delimiter, plain=plain)
                for piece in arrow_pieces(batches, texts, numbers, rows, done):
                    yield piece
                    done += piece.rows
                return
            except (pa.ArrowInvalid, pa.ArrowKeyError) as error:  # the latter: names of columns that it split otherwise
                if not plain:
                    raise _delimited_error(path, delimiter, len(names), str(error)) from error


def _delimited_error(path: Path, delimiter: str, width: int, reason: str) -> InputError:
    """What is wrong with a file that pyarrow refused, found by reading it again the slow way."""
    if "UTF8" in reason:
        return not_utf8(path)
    try:
        with open_text(path) as file:
            rows = csv.reader(text_lines(file, CELL, path.name), delimiter=delimiter)
            known = next((len(row) for row in rows if row and len(row) != width), width)
            line = rows.line_num
    except (csv.Error, UnicodeDecodeError):
        known = width
    if known == width:
        return InputError(
            f"{quoted(path.name)} cannot be read: {reason.splitlines()[0]}. Look for a quotation mark that "
            f"is opened and never closed; a cell must be shorter than {CELL >> 20} MB."
        )
    return InputError(
        f"Every row of {quoted(path.name)} must have {width} cells, as its first line has, but the row that "
        f"ends on line {line} has {known}. Put quotation marks around cells that contain the separator."
    )


# JSON lines


def records(path: Path) -> Iterator[Mapping[str, object]]:
    """One record per line, by Python's own reader: pyarrow's fixes a column's type by its first block."""
    try:
        with open_text(path) as file:
            for number, line in enumerate(text_lines(file, _RECORD, path.name), 1):
                if not line.isspace():
                    yield _record(line, f"line {number} of {quoted(path.name)}")
    except UnicodeDecodeError:
        raise not_utf8(path) from None


_KINDS = {list: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number", type(None): "null"}


def _record(line: str, where: str) -> Mapping[str, object]:
    try:
        record = json.loads(line, parse_int=whole_in)
    except json.JSONDecodeError as error:
        raise InputError(f"Each line must hold one JSON object, but {where} does not: {error.msg}.") from None
    except RecursionError:
        raise InputError(f"Each line must hold one JSON object, but {where} is nested too deeply.") from None
    if not isinstance(record, dict):
        raise InputError(f"Each line must hold one JSON object, but {where} holds {_KINDS[type(record)]}.")
    return record


def _json_names(path: Path) -> list[str]:
    names = list(dict.fromkeys(name for record in islice(records(path), _FIRST_LINES) for name in record))
    if not names:
        raise no_columns(path.name)
    return names


def _json_pieces(path: Path, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
    with refusing(path.name):
        remaining = records(path)
        while block := list(islice(remaining, rows)):
            yield decoded(columns_of(block, [*texts, *numbers]), texts, len(block))


# Spreadsheets


def _sheet_names(path: Path) -> list[str]:
    return list(sheet_columns(path))


def _sheet_pieces(path: Path, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
    return Table.of(path.name, sheet_columns(path)).batches(texts, numbers, rows)


def _delimited(label: str, delimiter: str) -> Format:
    return Format(
        label,
        partial(_delimited_names, delimiter=delimiter),
        partial(_delimited_pieces, delimiter=delimiter),
        zipped=True,
        delimiter=delimiter,
    )


def delimited_as(kind: Format, path: Path, delimiter: str | None = None) -> Format:
    """The same format with another sign between cells: the one given, or the one that the first lines show.

    A file that has one column by the sign its name announces, and several of equal number in its first two lines by
    another, is written with that one.
    """
    if delimiter is not None and not kind.delimiter:
        raise SettingError(
            f"`delimiter` must be left out for {kind.label}: it separates the cells of .csv and .tsv files."
        )
    if not kind.delimiter or delimiter == kind.delimiter:
        return kind
    if delimiter is not None:
        return _delimited(kind.label, delimiter)
    widths = {sign: _widths(path, sign) for sign in (kind.delimiter, *_SIGNS)}
    if widths[kind.delimiter][:1] != [1]:
        return kind
    several = {sign: counts[0] for sign, counts in widths.items() if len(set(counts)) == 1 and counts[0] > 1}
    return _delimited(kind.label, max(several, key=lambda sign: several[sign])) if several else kind


def _widths(path: Path, delimiter: str) -> list[int]:
    """How many cells the first two lines have."""
    try:
        with open_text(path) as lines:
            rows = (row for row in csv.reader(text_lines(lines, CELL, path.name), delimiter=delimiter) if row)
            return [len(row) for row in islice(rows, 2)]
    except (InputError, UnicodeDecodeError, csv.Error, OSError, EOFError, zlib.error):
        return []  # what is wrong is said when the names are read


_SIGNS = (",", ";", "\t", "|")
_JSON_LINES = Format("JSON lines", _json_names, _json_pieces, zipped=True, has_header=False)
_ARROW = Format("Arrow", _ipc_names, _ipc_pieces)
FORMATS: Mapping[str, Format] = {
    ".csv": _delimited("CSV", ","),
    ".tsv": _delimited("TSV", "\t"),
    ".parquet": Format("Parquet", _parquet_names, parquet_pieces),
    ".jsonl": _JSON_LINES,
    ".ndjson": _JSON_LINES,
    ".jsonlines": _JSON_LINES,
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".ipc": _ARROW,
    ".xlsx": Format("Excel", _sheet_names, _sheet_pieces),
}
