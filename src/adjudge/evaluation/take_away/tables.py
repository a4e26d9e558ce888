"""Tables to take away: a row for each row, item, query or pair of the table, however many there are.

A table is made part by part whenever it is asked for, so that one of a long file is written without being held.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data.values import encodable
from adjudge.errors import SettingError, path_text, quoted
from adjudge.evaluation.take_away.exports import AnyFrame, delimited_text, inert
from adjudge.evaluation.take_away.writing import Where, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

Column = Sequence[object] | NDArray[np.generic]
LARGEST = 2**1023  # of whole numbers that a float can hold; larger ones stay text
Part = Mapping[str, Column]  # columns of one length: arrays of numbers or truths, lists of texts, or `Nested`


class Nested(list[object]):
    """A column of dictionaries or lists: JSON lines hold them as they are, other files as JSON text."""


@dataclass(frozen=True)
class TakenTable(AnyFrame):
    """A table to take away.

    >>> table = TakenTable("items", "what each row is", lambda: [{"row": np.array([1, 2]), "label": ["a", None]}])
    >>> table.records()
    [{'row': 1, 'label': 'a'}, {'row': 2, 'label': None}]
    >>> print(*table.pieces(".csv"), sep="", end="")
    row,label
    1,a
    2,
    """

    name: str
    note: str
    parts: Callable[[], Iterable[Part]] = field(repr=False, compare=False)

    def records(self) -> list[dict[str, object]]:
        """The rows as dictionaries; what is missing is None."""
        return [record for part in self.parts() for record in _records(part)]

    def to_arrow(self) -> pa.Table:
        """The table as a pyarrow Table."""
        import pyarrow

        parts = [_arrow(part) for part in self.parts()]
        return pyarrow.concat_tables(parts) if parts else pyarrow.table({})

    def __len__(self) -> int:
        return sum(max((len(column) for column in part.values()), default=0) for part in self.parts())

    def write(self, path: Where) -> Path:
        """Write it as .csv, .tsv, .jsonl, .parquet or, for spreadsheets, .safe.csv; whole or not at all."""
        return write_whole(path, self.pieces(taken_ending(path, self.name)))

    def pieces(self, ending: str) -> Iterator[str | bytes]:
        """What a file of this kind holds, part by part."""
        return WRITERS[ending](self.parts())


def taken_ending(path: Where, option: str) -> str:
    """The ending of a file's name, refused where no table is written so.

    >>> taken_ending("items.CSV", "items"), taken_ending("items.safe.csv", "items")
    ('.csv', '.safe.csv')
    """
    path = Path(path_text(path))
    name = path.name.lower()
    fitting = [ending for ending in WRITERS if name.endswith(ending)]
    if not fitting:
        raise SettingError(f"`{option}` must end in one of {', '.join(WRITERS)}, not {quoted(path.suffix.lower())}.")
    return max(fitting, key=len)


def plain_column(values: Sequence[object]) -> Column:
    """A column of whatever kind its values are: truths, whole numbers, numbers, or else text.

    >>> plain_column([1, 2]).tolist(), plain_column([1, None]).tolist(), plain_column([10**400])[0][:3]
    ([1, 2], [1.0, nan], '100')
    """
    kinds = {type(value) for value in values if value is not None}
    known = [value for value in values if isinstance(value, int | float)] if kinds and kinds <= {int, float} else []
    if known and all(isinstance(value, float) or abs(value) < LARGEST for value in known):
        if len(known) == len(values) and kinds == {int} and all(abs(value) < 2**63 for value in known):
            return np.array(known, dtype=np.int64)
        return np.array([float(v) if isinstance(v, int | float) else math.nan for v in values], dtype=np.float64)
    return [None if value is None else value if isinstance(value, str) else str(value) for value in values]


def _plain(column: Column) -> list[object]:
    """Values as Python has them; numbers that are none are None."""
    if isinstance(column, np.ndarray):
        return [None if value != value else value for value in column.tolist()]
    return list(column)


def _records(part: Part) -> Iterator[dict[str, object]]:
    columns = [_plain(column) for column in part.values()]
    return (dict(zip(part, row, strict=True)) for row in zip(*columns, strict=True))


def _as_text(column: Column) -> list[object]:
    """Cells of a file that knows no dictionaries."""
    if isinstance(column, Nested):
        return [None if value is None else json.dumps(value, ensure_ascii=False) for value in column]
    return _plain(column)


def _arrow(part: Part) -> pa.Table:
    import pyarrow

    def column(values: Column) -> pa.Array:
        if isinstance(values, np.ndarray):
            return pyarrow.array(values, from_pandas=values.dtype.kind == "f")
        return pyarrow.array(encodable(_as_text(values)), pyarrow.string())

    return pyarrow.table({encodable(name): column(values) for name, values in part.items()})


def _delimited(parts: Iterable[Part], delimiter: str, *, safe: bool = False) -> Iterator[str]:
    for number, part in enumerate(parts):
        rows: Iterable[Sequence[object]] = zip(*(_as_text(column) for column in part.values()), strict=True)
        rows = [list(part), *rows] if number == 0 else rows
        yield delimited_text(([inert(cell) for cell in row] for row in rows) if safe else rows, delimiter)


def _json_lines(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield "".join(json.dumps(_finite(record), ensure_ascii=False) + "\n" for record in _records(part))


def _finite(record: dict[str, object]) -> dict[str, object]:
    """JSON knows no infinite number: it is text there."""
    return {name: str(value) if value in (math.inf, -math.inf) else value for name, value in record.items()}


class _Drained:
    """A file that gives away what was written to it."""

    closed = False

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._place = 0

    def write(self, data: bytes | pa.Buffer) -> int:
        self._held.append(bytes(data))
        self._place += len(self._held[-1])
        return len(self._held[-1])

    def tell(self) -> int:
        return self._place

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def drain(self) -> bytes:
        held, self._held = b"".join(self._held), []
        return held


def _parquet(parts: Iterable[Part]) -> Iterator[bytes]:
    import pyarrow
    import pyarrow.parquet

    sink, writer = _Drained(), None
    for part in parts:
        table = _arrow(part)
        if writer is None:
            writer = pyarrow.parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), table.schema)
        writer.write_table(table)
        yield sink.drain()
    if writer is None:
        writer = pyarrow.parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), pyarrow.schema([]))
    writer.close()
    yield sink.drain()


WRITERS: dict[str, Callable[[Iterable[Part]], Iterator[str] | Iterator[bytes]]] = {
    ".csv": lambda parts: _delimited(parts, ","),
    ".safe.csv": lambda parts: _delimited(parts, ",", safe=True),
    ".tsv": lambda parts: _delimited(parts, "\t"),
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
