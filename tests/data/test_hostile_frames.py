"""Tables in memory whose library, or whose owner, cannot hand over what they hold: one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge.data.source import open_source
from adjudge.errors import InputError
from adjudge.interop.rsmtool_config import read_experiment

FAR = pa.array([2**31 - 1, 0], pa.int32()).view(pa.date32())
EARLY = pa.array([-(2**63) + 1, 5]).view(pa.timestamp("us", tz="UTC"))
ELSEWHERE = pa.array([4, 5]).view(pa.timestamp("us", tz="Mars/Olympus"))
OFFSETS = pa.py_buffer(np.arange(3, dtype=np.int32).tobytes())
NOT_UTF8 = pa.Array.from_buffers(pa.string(), 2, [None, OFFSETS, pa.py_buffer(b"\xff\xfe")])


def read(table: Any, text: bool) -> None:
    list(open_source(table).batches(*((["x"], []) if text else ([], ["x"]))))


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize(
    ("values", "says"),
    [
        (FAR, 'Dates must be of the years 1 to 9999, but column "x" holds others.'),
        (EARLY, 'Dates must be of the years 1 to 9999, but column "x" holds others.'),
        (ELSEWHERE, 'Times must be of a known zone, but those of column "x" are of "Mars/Olympus".'),
        (NOT_UTF8, 'Text must be UTF-8, but column "x" holds other bytes.'),
    ],
)
def test_arrow_values_that_python_cannot_hold(values: pa.Array, says: str, text: bool) -> None:
    with pytest.raises(InputError) as refused:
        read(pa.table({"x": values}), text)
    assert str(refused.value) == says


def test_far_dates_of_other_frames_and_files(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": FAR}), tmp_path / "far.parquet")
    for table in (
        pl.DataFrame({"x": pl.Series([2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date)}),
        tmp_path / "far.parquet",
    ):
        with pytest.raises(InputError, match=r"^Dates must be of the years 1 to 9999"):
            read(table, text=True)


@pytest.mark.skipif(not hasattr(pa, "decimal32"), reason="this pyarrow has no short decimals")
def test_short_decimals_are_labels_and_numbers() -> None:
    table = pa.table({"x": pa.array([Decimal("1.50"), None], pa.decimal32(5, 2))})
    (batch,) = open_source(table).batches(["x"], [])
    assert batch.columns["x"].labels == ("1.50",)  # type: ignore[union-attr]
    (batch,) = open_source(table).batches([], ["x"])
    assert batch.columns["x"].values[0] == 1.5  # type: ignore[union-attr]


class Untold:
    """What has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text\nat all")


class Unread:
    """A column that cannot be read."""

    def __iter__(self) -> Iterator[object]:
        raise RuntimeError


def gone() -> pa.RecordBatchReader:
    """A reader whose source goes away."""
    table = pa.table({"x": [1, 2]})

    def batches() -> Iterator[pa.RecordBatch]:
        yield table.to_batches()[0]
        raise LookupError("the source went away" + "!" * 1000)

    return pa.RecordBatchReader.from_batches(table.schema, batches())


def closed() -> duckdb.DuckDBPyRelation:
    """A relation whose connection was closed."""
    connection = duckdb.connect()
    relation = connection.sql("select 1 as x")
    connection.close()
    return relation


FRAMES: dict[str, tuple[Any, str]] = {
    "a value": ({"x": [Untold()]}, r'^"x" cannot be read: no text\.$'),
    "a name": ({Untold(): [1]}, r'^"a dict" cannot be read: no text\.$'),
    "a column": ({"x": Unread()}, r'^"a dict" cannot be read: RuntimeError\.$'),
    "a reader": (gone, r'^"a pyarrow RecordBatchReader" cannot be read: .*the source went away!{200,300}\.\.\.$'),
    "a query": (
        pl.LazyFrame({"x": [1]}).with_columns(pl.col("nothing")),
        r'^"a polars LazyFrame" cannot be read: [^\n]*nothing[^\n]*\.$',
    ),
    "a query of steps": (
        pl.LazyFrame({"x": ["a"]}).with_columns(pl.col("x").cast(pl.Int64)),
        r'^"a polars LazyFrame" cannot be read: [^\n]*\.$',
    ),
    "a relation": (closed, r'^"a duckdb DuckDBPyRelation" cannot be read: [^\n]*closed[^\n]*\.$'),
    "a type": (lambda: pd.DataFrame, r"^A table must be a file, .* but this is of type type\.$"),
}


@pytest.mark.parametrize("which", FRAMES)
def test_what_a_library_or_a_caller_raises(which: str) -> None:
    table, says = FRAMES[which]
    with pytest.raises(InputError, match=says):
        read(table() if callable(table) else table, text=True)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no such devices here")
def test_a_device_without_an_end_is_not_read() -> None:
    for read_all in (adjudge.load, read_experiment, adjudge.Gate.read, adjudge.adequacy):
        with pytest.raises(InputError, match=r'^"/dev/zero" must be a file, but it is a device'):
            read_all("/dev/zero")


@pytest.mark.parametrize(
    "days",
    [
        pa.array([10**12] * 4, pa.timestamp("s")),
        pa.array([2**62] * 4, pa.timestamp("s")),
        np.array(["12000-01-01"] * 4, "datetime64[D]"),
    ],
    ids=["far", "beyond", "days"],
)
def test_dates_that_nobody_can_write_are_refused(days: object) -> None:
    table = {"y": ["a", "b"] * 2, "m": ["a", "b"] * 2, "day": days}
    with pytest.raises(InputError, match=r'^Dates must be of the years 1 to 9999, but column "day" holds others'):
        adjudge.classification(table, reference="y", prediction="m", slices=["day"])
