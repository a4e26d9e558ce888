"""What a fingerprint is made of: of a file all its bytes, its footer, or that and columns; of a frame its values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.foreign import refusing
from adjudge.data.source import Batch, Numbers, Text, by_appearance

if TYPE_CHECKING:
    from hashlib import _Hash as Digest

    import pyarrow as pa

BYTES, FOOTERS, COLUMNS = "bytes", "footers", "columns"
PARTED = "-"  # between what is of the footers, which tells the table, and what is of the columns
_BUFFER = 1 << 16


def file_digest(path: Path, of: str, columns: Sequence[str] = ()) -> str:
    """The digest of the size and the bytes of a file; or of its footer; or of that and of the bytes of some columns."""
    with refusing(path.name), path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        digests = [sha256(size.to_bytes(8, "little"))]
        _update(digests[0], file, 0 if of == BYTES else _footer(file, size), size)
        if of == COLUMNS:
            digests.append(sha256())
            for start, length in chunks(path, columns):
                _update(digests[1], file, min(max(start, 0), size), length)
        return PARTED.join(digest.hexdigest() for digest in digests)


def _update(digest: Digest, file: FileIO, start: int, length: int) -> None:
    """Add so many bytes of a file, or those that there are."""
    block = memoryview(bytearray(_BUFFER))
    file.seek(start)
    while length > 0 and (read := file.readinto(block[: min(length, _BUFFER)])):
        digest.update(block[:read])
        length -= read


def _footer(file: FileIO, size: int) -> int:
    """Where the footer of a Parquet file begins: its length stands before the last four bytes."""
    file.seek(max(size - 8, 0))
    return max(size - 8 - int.from_bytes(file.read(4), "little"), 0)


def chunks(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the bytes of some columns of a Parquet file begin, and how many they are, row group by row group."""
    import pyarrow.parquet as pq

    footer = pq.read_metadata(path)
    fields = footer.schema.to_arrow_schema()
    names = [field.name for field in fields for _ in range(_leaves(field.type))]
    chosen = [place for place, name in zip(range(footer.num_columns), names, strict=True) if name in columns]
    for place in range(footer.num_row_groups):
        group = footer.row_group(place)
        for chunk in map(group.column, chosen):
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
                start = min(start, chunk.dictionary_page_offset)
            yield start, chunk.total_compressed_size


def _leaves(kind: pa.DataType) -> int:
    """How many columns of a Parquet file hold a column of this type: of a structure, one for each of its parts."""
    kind = getattr(kind, "storage_type", kind)
    return sum(_leaves(kind.field(place).type) for place in range(kind.num_fields)) or 1


def joined_digests(digests: Sequence[str]) -> str:
    """The digests of several files, in order, as the short one of a table.

    >>> joined_digests(["0123456789abcdef0123-fedcba9876543210fedc"])
    '0123456789abcdef-fedcba9876543210'
    """
    by_part = zip(*(digest.split(PARTED) for digest in digests), strict=True)
    whole = (part[0] if len(part) == 1 else sha256("".join(part).encode()).hexdigest() for part in by_part)
    return PARTED.join(one[:16] for one in whole)


def fingerprint_of(columns: Iterable[tuple[str, bool, Iterable[Batch]]]) -> str:
    """A digest of columns: each its name, whether it is typed as numbers, and its batches."""
    digest = sha256()
    for name, numeric, batches in columns:
        digest.update(repr((name, numeric)).encode())
        for batch in batches:
            digest.update(_content(batch.columns[name]))
    return f"sha256:{digest.hexdigest()[:16]}"


def _content(column: Text | Numbers) -> bytes:
    """The same bytes for the same values, in whatever order the labels come."""
    if isinstance(column, Numbers):
        return np.where(column.missing, np.nan, column.values).tobytes()
    used, codes = by_appearance(column.codes)
    labels = [None if code < 0 else column.labels[code] for code in used.tolist()]
    return repr(labels).encode("utf-8", "backslashreplace") + codes.tobytes()
