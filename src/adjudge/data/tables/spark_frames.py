"""Spark DataFrames as tables: read partition by partition where somebody must see rows, left where they are otherwise.

Nothing of Spark is imported here: a frame is asked in SQL, and what it answers comes as Arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar

from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Source, around, check_request, distinct_names
from adjudge.data.tables.arrow_stream import ArrowStream
from adjudge.data.tables.frames import Table
from adjudge.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


Frame = Any  # a DataFrame of Spark itself or of Spark Connect


@dataclass(frozen=True, eq=False)
class SparkTable(Remarks):
    """A Spark DataFrame. Its rows have no order and no numbers, and the files behind it are nobody's business."""

    frame: Frame = field(repr=False)
    column_names: tuple[str, ...]
    name: str = "a Spark DataFrame"

    scattered: ClassVar[bool] = True  # rows of one item may stand anywhere
    ordered: ClassVar[bool] = False

    @classmethod
    def of(cls, frame: Frame) -> SparkTable:
        """The frame, refused where two columns have one name."""
        return cls(frame, distinct_names(frame.columns, cls.name))

    def selected(self, names: Sequence[str]) -> Frame:
        """The wanted columns by their places, c0, c1 …: names may hold anything. One at least."""
        names = list(dict.fromkeys(names)) or self.column_names[:1]
        return self.frame.selectExpr(*(f"{in_sql(name)} AS c{place}" for place, name in enumerate(names)))

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns as Spark hands them out, one partition after the other."""
        names = [*texts, *numbers]
        check_request(names, self.column_names, rows)
        names = list(dict.fromkeys(names)) or list(self.column_names[:1])
        sent = (row[0] for row in self.selected(names).mapInArrow(_written, "rows binary").toLocalIterator())
        return stream_of((batch for part in sent for batch in _opened(part)), names).batches(texts, numbers, rows)

    def fingerprint(self) -> str:
        """A digest of the types, and of all rows in any order: how many they are, and the sum of their hashes."""
        names = [field.name for field in self.frame.schema if "map" not in field.dataType.simpleString()]
        hashed = f"xxhash64({', '.join(map(in_sql, names)) or '0'})"
        [row] = self.frame.selectExpr("count(*)", f"sum(CAST({hashed} AS DECIMAL(38, 0)))").collect()
        described = f"{self.frame.schema.simpleString()} {row[0]} {row[1]}"
        return f"rows:{sha256(described.encode('utf-8', 'backslashreplace')).hexdigest()[:16]}"


def in_sql(name: str) -> str:
    """A column's name, which may hold anything.

    >>> in_sql("it`s")
    '`it``s`'
    """
    return f"`{name.replace('`', '``')}`"


def stream_of(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> Source:
    """Batches of Arrow as a table that can be read once; there is a table without rows where there are none."""
    import pyarrow as pa

    pieces = iter(batches)
    first = next(pieces, None)
    if first is None:
        return Table.of(SparkTable.name, {name: [] for name in names})
    schema = first.rename_columns(list(names)).schema

    def every() -> Iterator[pa.RecordBatch]:
        yield first.rename_columns(list(names))
        yield from (piece.rename_columns(list(names)) for piece in pieces)

    return ArrowStream(SparkTable.name, pa.RecordBatchReader.from_batches(schema, every()))


def spark_table(source: Source) -> SparkTable | None:
    """The DataFrame inside a source; None where there is none."""
    inner = getattr(source, "source", source)
    return inner if isinstance(inner, SparkTable) else None


def with_rows(source: Source, rows: Source) -> Source:
    """The same table, as it is written, with other rows."""
    inner = getattr(source, "source", None)
    return rows if inner is None else around(source, with_rows(inner, rows))


def _written(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each batch as bytes, on a worker."""
    import pyarrow as pa

    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["rows"])


def _opened(sent: bytes) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    with pa.ipc.open_stream(sent) as reader:
        yield from reader


def arrow_of(frame: object) -> pa.Table:
    """What a query answered."""
    if not hasattr(frame, "toArrow"):
        raise InputError(
            "A Spark DataFrame must come from Spark 4.0 or later. Install it, or read the files behind it."
        )
    return frame.toArrow()
