"""The cells of a file as text, exactly as they are written; records within JSON lines are unfolded as RSMTool does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from adjudge.data.decode import text_of
from adjudge.data.foreign import refusing
from adjudge.data.source import Text, distinct_names, open_source
from adjudge.data.tables.file_formats import records
from adjudge.errors import InputError, quoted

ALL_ROWS = 2**40
JSON_LINES = (".jsonlines", ".jsonl", ".ndjson")


def read_text_columns(path: Path) -> dict[str, Text]:
    """Every column of a file as text; records within JSON lines are unfolded."""
    if path.suffix.casefold() in JSON_LINES:
        columns = _unfolded(path)
        return {name: text_of(values, name) for name, values in columns.items()}
    source = open_source(path)
    batches = list(source.batches(source.column_names, (), rows=ALL_ROWS))
    if not batches:
        return {name: Text(np.zeros(0, np.int64), ()) for name in source.column_names}
    return {name: cells for name, cells in batches[0].columns.items() if isinstance(cells, Text)}


def _unfolded(path: Path) -> dict[str, list[object]]:
    """One level of nesting is opened; what lies deeper is named with dots."""
    with refusing(path.name):
        rows = [list(_pairs(record)) for record in records(path)]
    for number, pairs in enumerate(rows, 1):
        if pairs:
            distinct_names([name for name, _ in pairs], f"record {number} of {quoted(path.name)}")
    cells = [dict(pairs) for pairs in rows]
    names = list(dict.fromkeys(name for record in cells for name in record))
    if not names:
        raise InputError(f"The predictions must have rows, but {quoted(path.name)} has none.")
    return {name: [record.get(name) for record in cells] for name in names}


def _pairs(record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """
    >>> list(_pairs({"id": 7, "scores": {"h1": 2, "by": {"engine": 3}}}))
    [('id', 7), ('h1', 2), ('by.engine', 3)]
    """
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _deeper("", value)
        else:
            yield name, _one_cell(value)


def _deeper(prefix: str, record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _deeper(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", _one_cell(value)


def _one_cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def arrow(cells: Text) -> object:
    """Cells as an Arrow column; made of buffers, because Arrow's own way imports pandas where it is installed."""
    import pyarrow as pa

    texts = [label.encode("utf-8", "surrogatepass") for label in cells.labels]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    labels = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    known = np.packbits(cells.codes >= 0, bitorder="little")
    codes = [pa.py_buffer(known), pa.py_buffer(np.ascontiguousarray(cells.codes, dtype=np.int64))]
    return pa.DictionaryArray.from_arrays(
        pa.Array.from_buffers(pa.int64(), len(cells.codes), codes),
        pa.Array.from_buffers(pa.large_string(), len(texts), labels),
    )


def filled(cells: Text, label: str) -> Text:
    """The cells with blank ones labelled.

    >>> filled(Text(np.array([0, 1, -1]), ("a", " ")), "none")
    Text(codes=array([0, 1, 1]), labels=('a', 'none'))
    """
    index: dict[str, int] = {}
    places = [index.setdefault(text if text.strip() else label, len(index)) for text in cells.labels]
    missing = index.setdefault(label, len(index))
    return Text(np.array([*places, missing], dtype=np.int64)[cells.codes], tuple(index))
