"""Text files through Arrow's reader: as fast as it goes where they are plain, and as carefully as they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.decode import in_numpy
from adjudge.data.source import Lengths

if TYPE_CHECKING:
    import pyarrow as pa

CELL = 1 << 23  # bytes; a quoted cell must fit in one block
BLOCK = 1 << 21  # of plain lines: what is made of larger ones leaves fast memory before it is used


def is_zipped(path: Path) -> bool:
    """Whether a file's name says so."""
    return path.name.casefold().endswith(".gz")


def csv_batches(
    path: Path, texts: Sequence[str], numbers: Sequence[str], other: Sequence[str], delimiter: str, *, plain: bool
) -> Iterator[object]:
    """The rows of a text file as Arrow's record batches; `other` columns are read where none is named.

    `plain` takes cells to have no line ends in them and numbers to be written as Arrow reads them, which costs half as
    much. Where that is not so it raises ArrowInvalid, before it gives a row that it reads wrongly.
    """
    import pyarrow as pa
    import pyarrow.csv as pcsv

    # Bytes, of which each different cell is looked at once, and not every cell, whether it is text.
    names_read, encoded = [*texts, *numbers] or list(other), pa.dictionary(pa.int32(), pa.binary())
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
    parse = pcsv.ParseOptions(delimiter=delimiter, newlines_in_values=not plain)
    with pa.input_stream(str(path), compression="gzip" if is_zipped(path) else None) as stream:
        for batch in pcsv.open_csv(stream, read_options=read, parse_options=parse, convert_options=convert):
            # What Arrow takes for "not a number" may be other text, such as "nan(abc)".
            if any(_has_nan(batch.column(name)) for name in direct):
                raise pa.ArrowInvalid("not a number")
            columns = [_known(column) if column.type == encoded else column for column in batch.columns]
            yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


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
