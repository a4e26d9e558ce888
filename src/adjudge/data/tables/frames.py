"""Tables in memory: dicts of columns, lists of records, data frames, Arrow tables and streams, queries.

`Table` holds columns and decodes them slice by slice, so a frame is never copied whole. `Query` runs again for
whichever columns are wanted.

A library is only asked about a table if it is already imported: a table it made could not exist otherwise.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from adjudge.data.arrays import check_same_order
from adjudge.data.decode import decoded, is_numeric
from adjudge.data.foreign import asking, is_arrow, unmasked
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Several, Source, check_request, distinct_names
from adjudge.data.tables.arrow_stream import ArrowStream
from adjudge.data.tables.fingerprints import fingerprint_of
from adjudge.errors import InputError, quoted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from adjudge.data.decode import Values

Name = TypeVar("Name")  # of a column, which need not be text


@dataclass(frozen=True, slots=True)
class Table(Remarks):
    """A table held in memory as named columns of the same length.

    >>> table = Table.of("a dict of columns", {"label": ["spam", "ham"], "score": [0.9, 0.2]})
    >>> [batch.rows for batch in table.batches(["label"], ["score"], rows=1)]
    [1, 1]
    """

    name: str
    column_names: tuple[str, ...]
    columns: Mapping[str, object] = field(repr=False)
    rows: int
    doubts: tuple[str, ...] = ()  # what looks like a mistake in the files that it was made of

    rereads: ClassVar[bool] = True  # the first rows cost little to read again

    @classmethod
    def of(cls, name: str, columns: Mapping[Name, object]) -> Table:
        """The columns, refused unless their names are distinct and their lengths the same."""
        names = distinct_names(columns, name)
        held = {text: _column(values, text) for text, values in zip(names, columns.values(), strict=True)}
        first, *others = names
        for other in others:
            if len(held[other]) != len(held[first]):
                raise InputError(
                    f"Columns must have the same length, but {quoted(first)} has {len(held[first])} values "
                    f"and {quoted(other)} has {len(held[other])}."
                )
        return cls(name, names, held, len(held[first]))

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block."""
        check_request([*texts, *numbers], self.column_names, rows)
        return (
            decoded({name: self._part(name, start, rows) for name in (*texts, *numbers)}, texts, size)
            for start in range(0, self.rows, rows)
            for size in [min(rows, self.rows - start)]
        )

    def _part(self, name: str, start: int, rows: int) -> Values:
        with asking(name):
            return _slice(self.columns[name], start, rows)

    def fingerprint(self) -> str:
        """A digest of names and values, the same however the table is cut into chunks."""
        return fingerprint_of(_typed(self, name) for name in self.column_names)

    def holds_numbers(self, name: str) -> bool:
        """Whether the column is typed as numbers; a list is if its values all are of one such type."""
        column = self.columns[name]
        if isinstance(column, list):
            return set(map(type, column)) in ({bool}, {int}, {float})
        none = _slice(column, 0, 0)
        if is_arrow(none):
            return is_numeric(none.type)
        return isinstance(none, np.ndarray) and none.dtype.kind in "biuf"


@dataclass(frozen=True, slots=True)
class Query(Remarks):
    """A table computed when read, for the wanted columns only: a polars LazyFrame, a DuckDB relation."""

    name: str
    column_names: tuple[str, ...]
    fetch: Callable[[Sequence[str]], Table | ArrowStream] = field(repr=False)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block."""
        names_read = [*texts, *numbers]
        check_request(names_read, self.column_names, rows)
        return self._fetched(names_read or self.column_names[:1]).batches(texts, numbers, rows)

    def fingerprint(self) -> str:
        """A digest of names and values; the query runs once per column, which keeps memory small."""
        return fingerprint_of(_typed(self._fetched([name]), name) for name in self.column_names)

    def _fetched(self, names_read: Sequence[str]) -> Table | ArrowStream:
        with asking(self.name):
            return self.fetch(names_read)


def _typed(source: Table | ArrowStream, name: str) -> tuple[str, bool, Iterator[Batch]]:
    """One column by its own type, for a fingerprint: typed numbers as numbers, all else as labels."""
    numeric = source.holds_numbers(name)
    return name, numeric, source.batches([] if numeric else [Several(name)], [name] if numeric else [])


def open_frame(table: object) -> Source:
    """The source of a table in memory.

    >>> open_frame([{"label": "spam"}, {"label": "ham", "score": 0.2}]).column_names
    ('label', 'score')
    """
    in_memory = (_from_mapping, _from_records, _from_pandas, _from_polars, _from_arrow)
    with asking(_named(table)):
        for door in (*in_memory, _from_duckdb, _from_spark, _from_wrapper, _from_stream):
            source = door(table)
            if source is not None:
                return source
        return _from_narwhals(table)


def _named(table: object) -> str:
    """What a table is, by its type."""
    module = type(table).__module__.partition(".")[0]
    module = "duckdb" if module == "_duckdb" else module
    known = "" if module in ("builtins", "__main__") else f"{module} "
    return f"a {known}{type(table).__name__}"


# The doors, each None for a table that is not its own


def _from_mapping(table: object) -> Source | None:
    if not isinstance(table, Mapping):
        return None
    check_same_order(*table.values())
    return Table.of("a dict of columns", table)


def _from_records(table: object) -> Source | None:
    if not isinstance(table, list | tuple) or not all(isinstance(record, Mapping) for record in table):
        return None
    return Table.of("a list of records", columns_of(table, dict.fromkeys(key for record in table for key in record)))


def columns_of(records: Sequence[Mapping[Name, object]], names: Iterable[Name]) -> dict[Name, list[object]]:
    """Records turned into columns; an absent key is a missing value.

    >>> columns_of([{"a": 1}, {"b": 2}], ["a", "b"])
    {'a': [1, None], 'b': [None, 2]}
    """
    return {name: [record.get(name) for record in records] for name in names}


def _from_pandas(table: object) -> Source | None:
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(table, pandas.DataFrame):
        return None
    names = distinct_names(table.columns, "a pandas DataFrame")
    return Table.of("a pandas DataFrame", {name: table.iloc[:, i] for i, name in enumerate(names)})


def _from_polars(table: object) -> Source | None:
    polars = sys.modules.get("polars")
    if polars is None or not isinstance(table, polars.DataFrame | polars.LazyFrame):
        return None
    if isinstance(table, polars.DataFrame):
        return _polars_columns("a polars DataFrame", table)
    names = distinct_names(table.collect_schema().names(), "a polars LazyFrame")
    return Query(
        "a polars LazyFrame",
        names,
        lambda names_read: _polars_columns("a polars LazyFrame", table.select(list(names_read)).collect()),
    )


def _polars_columns(name: str, frame: pl.DataFrame) -> Table:
    return Table.of(name, {series.name: series for series in frame.get_columns()})


def _from_arrow(table: object) -> Source | None:
    if not is_arrow(table):
        return None
    import pyarrow as pa

    if isinstance(table, pa.RecordBatchReader):
        return ArrowStream("a pyarrow RecordBatchReader", table)
    if isinstance(table, pa.Table | pa.RecordBatch):
        return _arrow_columns(f"a pyarrow {type(table).__name__}", table)
    return None


def _arrow_columns(name: str, table: pa.Table | pa.RecordBatch) -> Table:
    names = distinct_names(table.schema.names, name)
    return Table.of(name, dict(zip(names, table.columns, strict=True)))


def _from_duckdb(table: object) -> Source | None:
    duckdb = sys.modules.get("duckdb")
    if duckdb is None or not isinstance(table, duckdb.DuckDBPyRelation):
        return None
    name = "a DuckDB relation"

    def fetch(names_read: Sequence[str]) -> ArrowStream:
        fields = ", ".join('"' + column.replace('"', '""') + '"' for column in names_read)
        relation = table.project(fields)
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch  # its older name
        return ArrowStream(name, read(ROWS))

    return Query(name, distinct_names(table.columns, name), fetch)


def _from_spark(table: object) -> Source | None:
    if not (type(table).__module__.startswith("pyspark.") and hasattr(table, "mapInArrow")):
        return None
    from adjudge.data.tables.spark_frames import SparkTable

    return SparkTable.of(table)


def _from_wrapper(table: object) -> Source | None:
    narwhals = sys.modules.get("narwhals")
    if narwhals is None or not isinstance(table, narwhals.DataFrame | narwhals.LazyFrame):
        return None
    return open_frame(table.to_native())


def _from_stream(table: object) -> Source | None:
    if not hasattr(table, "__arrow_c_stream__"):
        return None
    import pyarrow as pa

    try:
        return ArrowStream("an Arrow stream", pa.RecordBatchReader.from_stream(table))
    except (pa.ArrowException, ValueError, TypeError, AttributeError):
        raise _not_a_table(table) from None  # a stream of single values, such as a Series; the type of a frame


def _from_narwhals(table: Any) -> Source:  # Any: narwhals refuses what is no frame
    try:
        import narwhals as nw

        frame = nw.from_native(table)
    except (ImportError, TypeError):
        raise _not_a_table(table) from None
    arrow = frame.to_arrow() if isinstance(frame, nw.DataFrame) else frame.collect("pyarrow").to_native()
    return _arrow_columns(_named(table), arrow)


def _not_a_table(table: object) -> InputError:
    if isinstance(table, list | tuple) and table and all(isinstance(one, str | os.PathLike) for one in table):
        return InputError(
            "A table in several files must be named by their folder, or by a pattern such as 'runs/*.csv', but this is "
            "a list of names."
        )
    return InputError(
        "A table must be a file, a data frame (pandas, polars, Arrow, DuckDB), a dict of columns or "
        f"a list of records, but this is of type {type(table).__name__}."
    )


# Single columns


def _column(values: object, name: str) -> Values:
    """Something with a length that can be cut; what already can is kept as it is."""
    if _is_series(values, "pandas") or _is_series(values, "polars") or is_arrow(values):
        return values
    if hasattr(values, "__arrow_c_stream__"):
        import pyarrow as pa

        return pa.chunked_array(values)
    if hasattr(values, "__array__"):
        values = np.ma.asarray(values) if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
        if values.ndim == 1:
            return values
        what = f"an array with {values.ndim} dimensions"
    elif isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping):
        return values if isinstance(values, list) else list(values)
    else:
        what = f"of type {type(values).__name__}"
    raise InputError(f"Each column must be a list or an array of values, but {quoted(name)} is {what}.")


def _slice(column: Any, start: int, rows: int) -> Values:  # of a series of any library
    """Rows of a column, as a list, a NumPy array or a pyarrow array."""
    if _is_series(column, "pandas"):
        return _pandas_values(column.iloc[start : start + rows])
    part = column[start : start + rows]
    if _is_series(part, "polars"):
        # Arrow knows no integers of 128 bits, and polars ends the process over a name with a NUL.
        plain = part.dtype.is_nested() or str(part.dtype) in ("Object", "Int128", "UInt128")
        return part.to_list() if plain else part.alias("").to_arrow()
    return unmasked(part)


def _pandas_values(series: pd.Series) -> object:
    """Its NumPy array where it has one, Arrow's where that knows the type, single values otherwise."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(series.dtype, np.dtype):
        return series.to_numpy()
    if isinstance(series.dtype, pd.PeriodDtype | pd.IntervalDtype):
        return series.to_numpy(object)
    if isinstance(series.dtype, pd.CategoricalDtype):
        bands = series.dtype.categories
        if isinstance(bands.dtype, pd.PeriodDtype | pd.IntervalDtype):  # what `pandas.cut` makes
            series = series.cat.rename_categories([str(band) for band in bands])
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return series.to_numpy(object)


def _is_series(values: object, library: str) -> bool:
    module = sys.modules.get(library)
    return module is not None and isinstance(values, getattr(module, "Series", ()))
