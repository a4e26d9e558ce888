"""Text files through Arrow's reader: as fast as it goes where they are plain, and as carefully as they need."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.decode import in_numpy
from adjudge.data.source import Lengths

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.csv as pcsv

CELL = 1 << 23  # bytes; a quoted cell must fit in one block
BLOCK = 1 << 21  # of plain lines: what is made of larger ones leaves fast memory before it is used


def is_zipped(path: Path) -> bool:
    """Whether a file's name says so."""
    return path.name.casefold().endswith(".gz")


def csv_batches(
    path: Path, texts: Sequence[str], numbers: Sequence[str], columns: Sequence[str], delimiter: str, *, plain: bool
) -> Iterator[object]:
    """The rows of a text file with these columns as Arrow's record batches; the first is read where none is named.

    `plain` takes cells to have no line ends in them and numbers to be written as Arrow reads them, which costs half as
    much. Where that is not so it raises ArrowInvalid, before it gives a row that it reads wrongly.
    """
    import pyarrow as pa
    import pyarrow.csv as pcsv

    # Bytes, of which each different cell is looked at once, and not every cell, whether it is text.
    names_read, encoded = [*texts, *numbers] or [*columns[:1]], pa.dictionary(pa.int32(), pa.binary())
    direct = [name for name in numbers if plain and not isinstance(name, Lengths) and name not in texts]
    types = dict.fromkeys(names_read, pa.string()) | dict.fromkeys(direct, pa.float64()) | dict.fromkeys(texts, encoded)
    convert = pcsv.ConvertOptions(
        include_columns=names_read,
        column_types=types,
        null_values=[""],
        strings_can_be_null=pa.string() in types.values(),  # of codes, each different cell is looked at once instead
        quoted_strings_can_be_null=True,
    )
    read = pcsv.ReadOptions(block_size=BLOCK if plain else CELL)
    end = _End(delimiter * len(columns))
    parse = pcsv.ParseOptions(delimiter=delimiter, newlines_in_values=not plain, invalid_row_handler=end.met)
    with pa.input_stream(str(path), compression="gzip" if is_zipped(path) else None) as stream, _unsaid(end):
        ended = pa.PythonFile(_Ended(stream, end, plain=plain), mode="r")
        for batch in pcsv.open_csv(ended, read_options=read, parse_options=parse, convert_options=convert):
            # What Arrow takes for "not a number" may be other text, such as "nan(abc)".
            if any(_has_nan(batch.column(name)) for name in direct):
                raise pa.ArrowInvalid("not a number")
            cells = [_known(column) if column.type == encoded else column for column in batch.columns]
            yield pa.RecordBatch.from_arrays(cells, names=batch.schema.names)
    if not end.seen:
        raise pa.ArrowInvalid("the file ends within a cell that begins with a quotation mark")


class _End:
    """A row that is wider than all others, to follow the last one: a cell that never ends takes it in."""

    def __init__(self, separators: str) -> None:
        self.row, self.seen = f"\x1eend of the file{separators}", False

    def met(self, row: pcsv.InvalidRow) -> str:
        """What to do about a row of another width."""
        self.seen = row.text == self.row
        return "skip" if self.seen else "error"


@contextmanager
def _unsaid(end: _End) -> Iterator[None]:
    """Nothing is printed of a row that Arrow cannot hand on, because it is no UTF-8: it is refused all the same."""
    usual = sys.unraisablehook

    def heard(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.object != end.met:
            usual(unraisable)

    sys.unraisablehook = heard
    try:
        yield
    finally:
        sys.unraisablehook = usual


class _Ended:
    """A stream that another row follows, together with its last bytes: of a block by itself Arrow begins anew.

    Arrow takes the first and the last line end of a block of `plain` lines for ends of rows. Where there is an odd
    number of quotation marks before one, it may stand in a cell, and what follows would be read as rows.
    """

    closed = False

    def __init__(self, stream: pa.NativeFile, end: _End, *, plain: bool) -> None:
        self._stream, self._next, self._rest = stream, b"", f"\n{end.row}\n".encode()
        self._plain, self._marks = plain, 0

    def read(self, most: int) -> bytes:
        """The next bytes; one more is looked at to know which are the last."""
        import pyarrow as pa

        content: bytes = self._next + self._stream.read(most - len(self._rest) - 1)
        self._next = self._stream.read(1)
        if not self._next:
            content, self._rest = content + self._rest, b""
        if self._plain and (self._marks % 2 or b'"' in content):
            sign = b"\n" if b"\n" in content else b"\r"
            marks = self._marks + int(np.count_nonzero(np.frombuffer(content, dtype=np.uint8) == ord('"')))
            ends = (
                self._marks + content.count(b'"', 0, content.find(sign) + 1),
                marks - content.count(b'"', content.rfind(sign) + 1),
            )
            if any(before % 2 for before in ends):
                raise pa.ArrowInvalid("a cell may go on in another block")
            self._marks = marks
        return content


# Of few cells NumPy looks at the buffers in a tenth of the time that it takes Arrow to begin.


def _has_nan(numbers: pa.DoubleArray) -> bool:
    """Whether any of the numbers is none; what stands where there is no cell counts, too."""
    values, _ = in_numpy(numbers, np.float64)
    return bool(np.isnan(values.min(initial=0.0)))


def _known(cells: pa.DictionaryArray) -> pa.DictionaryArray:
    """Codes of cells of bytes as those of text; an empty one is missing, and bytes that are no text are refused."""
    import pyarrow as pa

    different = cells.dictionary.cast(pa.string())
    _, starts, data = different.buffers()
    first = different.offset
    lengths = np.diff(np.frombuffer(b"" if starts is None else starts, np.int32)[first : first + len(different) + 1])
    if not lengths.all():
        known = pa.py_buffer(np.packbits(np.append(np.ones(first, np.bool_), lengths > 0), bitorder="little"))
        different = pa.Array.from_buffers(pa.string(), len(lengths), [known, starts, data], offset=first)
    return pa.DictionaryArray.from_arrays(cells.indices, different, safe=False)
