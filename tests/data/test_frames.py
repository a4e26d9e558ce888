"""Tables in memory: what each kind of value becomes, and every refusal in words."""

import enum
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.told import values_of

from adjudge.data.source import open_source
from adjudge.errors import BadValue, InputError


def labels(values: object, rows: int = 1000) -> list[Any]:
    batches = open_source({"x": values}).batches(["x"], [], rows)
    return [value for batch in batches for value in values_of(batch.columns["x"])]


def numbers(values: object, rows: int = 1000) -> list[Any]:
    batches = open_source({"x": values}).batches([], ["x"], rows)
    return [value for batch in batches for value in values_of(batch.columns["x"])]


class Colour(enum.StrEnum):
    RED = "red"


MIXED = [1, 1.0, True, "1", "1.0", None, float("nan"), pd.NA, pd.NaT, Decimal("1.0"), np.float32(0.1), -0.0]
MIXED_LABELS = ["1", "1", "True", "1", "1.0", None, None, None, None, "1.0", "0.1", "0"]


def test_mixed_values_keep_their_own_writing() -> None:
    assert labels(MIXED) == MIXED_LABELS
    assert labels(MIXED, rows=1) == MIXED_LABELS
    assert labels(np.array(MIXED, dtype=object)) == MIXED_LABELS
    assert labels(pd.Series(MIXED, dtype=object)) == MIXED_LABELS


def test_mixed_values_as_numbers() -> None:
    expected = [1.0, 1.0, 1.0, 1.0, 1.0, None, None, None, None, 1.0, float(np.float32(0.1)), 0.0]
    assert numbers(MIXED) == expected
    others = [
        "",
        " ",
        date(2020, 1, 1),
        timedelta(1),
        1j,
        Fraction(1, 4),
        10**400,
        -(10**400),
        b"2",
        np.True_,
    ]
    unreadable = "unreadable"
    assert numbers(others) == [
        None,
        None,
        unreadable,
        unreadable,
        unreadable,
        0.25,
        np.inf,
        -np.inf,
        2.0,
        1.0,
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["", " a ", "a"], ["", " a ", "a"]),
        ([2**63, -1, 2**63 + 1], ["9223372036854775808", "-1", "9223372036854775809"]),
        ([3, 10**30], ["3", "1" + "0" * 30]),
        ([0.5, 1e16, 1e-7, float("inf")], ["0.5", "1e+16", "1e-07", "inf"]),
        ([True, False], ["True", "False"]),
        (
            [date(2020, 1, 2), datetime(2020, 1, 2, 3), timedelta(hours=1)],
            ["2020-01-02", "2020-01-02T03:00:00", "1:00:00"],
        ),
        ([Colour.RED, b"bytes", Fraction(1, 2)], ["red", "bytes", "1/2"]),
        (np.array([3, 2, 3], dtype=np.uint8), ["3", "2", "3"]),
        (np.array([0.1, np.nan, 2], dtype=np.float32), ["0.1", None, "2"]),
        (np.array(["b", "", "b"]), ["b", "", "b"]),
        (np.array([b"b", b"a"]), ["b", "a"]),
        (np.array(["2020-01-02", "NaT"], dtype="M8[D]"), ["2020-01-02", None]),
        (np.array(["2020-01-02", "NaT"], dtype="M8[ns]"), ["2020-01-02T00:00:00", None]),
        (np.array([3600, "NaT"], dtype="m8[s]"), ["1:00:00", None]),
        (np.ma.masked_array([1.0, 2.0], mask=[False, True]), ["1", None]),
        (range(2), ["0", "1"]),
        (("a", "b"), ["a", "b"]),
        (dict.fromkeys("ab").keys(), ["a", "b"]),
        (pd.Series([1, None], dtype="Int64"), ["1", None]),
        (pd.Series([1, None]), ["1", None]),
        (pd.Series([True, None], dtype="boolean"), ["True", None]),
        (pd.Series(["a", None], dtype="string"), ["a", None]),
        (pd.Series(pd.to_datetime(["2020-01-02", None])), ["2020-01-02T00:00:00", None]),
        (
            pd.Series(pd.to_datetime(["2020-01-02"]).tz_localize("Europe/Paris")),
            ["2020-01-02T00:00:00+01:00"],
        ),
        (pd.Series(pd.period_range("2020-01", periods=2, freq="M")), ["2020-01", "2020-02"]),
        (pd.Series(pd.cut([1, 11, np.nan], [0, 10, 20])), ["(0, 10]", "(10, 20]", None]),
        (pd.Series([2, 1, 2], dtype="category"), ["2", "1", "2"]),
        (pd.Series([1, "a", None], dtype="category"), ["1", "a", None]),
        (pd.Series([1.0, 0.0], dtype="Sparse[float]"), ["1", "0"]),
        (pd.Series(["a", "b", "c"], index=[5, 5, 5]).iloc[1:], ["b", "c"]),
        (pl.Series([Decimal("1.50"), None]), ["1.50", None]),
        (pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])), ["b", None, "a"]),
        (pl.Series([date(2020, 1, 2)]), ["2020-01-02"]),
        (pl.Series([Fraction(1, 2), "a"], dtype=pl.Object), ["1/2", "a"]),
        (pa.chunked_array([["a"], ["b", None]]), ["a", "b", None]),
        (pa.chunked_array([], pa.string()), []),
    ],
)
def test_labels_of_every_kind_of_column(values: object, expected: list[Any]) -> None:
    assert labels(values) == expected
    assert labels(values, rows=1) == expected


def test_numbers_of_categories_are_those_of_their_labels() -> None:
    assert numbers(pd.Series(["1", "x", None], dtype="category")) == [1.0, "unreadable", None]
    assert numbers(pd.Series([True, False], dtype="category")) == [1.0, 0.0]
    assert numbers(pl.Series(["0.5", "x", None], dtype=pl.Categorical)) == [0.5, "unreadable", None]


# What UTF-8 can write: all but surrogates. The name of the codec would say the same, and be tried on every character.
TEXT = st.text(st.characters(codec=None, exclude_categories=["Cs"]), max_size=5)


@given(st.lists(st.one_of(st.none(), TEXT, st.floats().map(repr), st.integers().map(str))))
def test_text_reads_as_the_same_numbers_in_lists_and_in_arrow(values: list[str | None]) -> None:
    assert numbers(values) == numbers(pa.array(values, pa.string()))


@given(st.lists(st.one_of(st.none(), st.floats())))
def test_numbers_read_back_from_their_labels(values: list[float | None]) -> None:
    assert numbers(labels(values)) == numbers(values)


@pytest.mark.parametrize("values", ["text", b"bytes", 3, None, {"a": 1}, np.zeros((2, 2)), np.array(1.0)], ids=repr)
def test_a_column_must_be_a_list_or_an_array(values: object) -> None:
    with pytest.raises(InputError, match=r'Each column must be a list or an array of values, but "x" is'):
        open_source({"x": values})


@pytest.mark.parametrize("cell", [[1], (1,), {"a": 1}, {1}, np.zeros(2)], ids=repr)
def test_a_cell_must_hold_one_value(cell: object) -> None:
    for read in (labels, numbers):
        with pytest.raises(BadValue, match=r'one value, but column "x" holds values of type'):
            read([None, cell])


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(InputError, match=r'column "x" holds bytes such as'):
        labels([b"\xff\xfe"])


def test_columns_must_have_the_same_length() -> None:
    with pytest.raises(InputError, match=r'"a" has 2 values and "b" has 1'):
        open_source({"a": [1, 2], "b": [1]})


@pytest.mark.parametrize("table", [{}, [], pd.DataFrame(), pl.DataFrame(), pa.table({})], ids=type)
def test_a_table_must_have_columns(table: object) -> None:
    with pytest.raises(InputError, match=r"A table must have at least one column, but a .* has none"):
        open_source(table)


def test_two_columns_of_one_name() -> None:
    array = pa.array([1])
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    for table in (frame, pa.Table.from_arrays([array, array], ["a", "a"]), {"1": [1], 1: [2]}):
        with pytest.raises(InputError, match=r"Column names must be distinct, but .* has more than one"):
            open_source(table)


def test_names_that_are_not_text() -> None:
    assert open_source(pd.DataFrame([[1, 2]])).column_names == ("0", "1")
    [batch] = open_source(pd.DataFrame([[1, 2]])).batches(["1"], [])
    assert values_of(batch.columns["1"]) == ["2"]


def test_tables_without_rows() -> None:
    for table in ({"a": []}, pd.DataFrame({"a": []}), pl.DataFrame({"a": []}), pa.table({"a": []})):
        source = open_source(table)
        assert source.column_names == ("a",)
        assert list(source.batches(["a"], [])) == []


def test_a_record_may_lack_a_key() -> None:
    source = open_source([{"a": 1}, {"b": "x"}])
    [batch] = source.batches(["b"], ["a"])
    assert values_of(batch.columns["a"]) == [1.0, None]
    assert values_of(batch.columns["b"]) == [None, "x"]


def test_a_stream_is_read_once() -> None:
    source = open_source(pa.table({"a": [1, 2]}).to_reader())
    assert [batch.rows for batch in source.batches(["a"], [])] == [2]
    with pytest.raises(InputError, match=r"read once, but a pyarrow RecordBatchReader was read already"):
        source.batches(["a"], [])


def test_a_query_is_read_again_and_for_the_wanted_columns_only() -> None:
    relation = duckdb.sql('select i as "the ""id""", i / 0 as unused from range(5) r(i)')
    source = open_source(relation)
    assert source.column_names == ('the "id"', "unused")
    for _ in range(2):
        [batch] = source.batches([], ['the "id"'])
        assert values_of(batch.columns['the "id"']) == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_a_lazy_frame_computes_the_wanted_columns_only() -> None:
    def explode(_: object) -> None:
        raise AssertionError("an unwanted column was computed")

    lazy = pl.LazyFrame({"a": [1]}).with_columns(b=pl.col("a").map_batches(explode, return_dtype=pl.Int64))
    [batch] = open_source(lazy).batches(["a"], [])
    assert values_of(batch.columns["a"]) == ["1"]


def test_reading_changes_nothing() -> None:
    table = {"a": ["x", None], "b": np.array([1.0, np.nan])}
    frame = pd.DataFrame(table)
    before = frame.copy()
    for source in (open_source(table), open_source(frame)):
        assert len(list(source.batches(["a"], ["b"], 1))) == 2
    pd.testing.assert_frame_equal(frame, before)
    assert table["a"] == ["x", None]


def test_names_of_tables() -> None:
    tables = {"a pandas DataFrame": pd.DataFrame({"a": [1]}), "a polars DataFrame": pl.DataFrame({"a": [1]})}
    tables |= {"a pyarrow Table": pa.table({"a": [1]}), "a DuckDB relation": duckdb.sql("select 1 as a")}
    tables |= {"a dict of columns": {"a": [1]}, "a list of records": [{"a": 1}]}
    assert [open_source(table).name for table in tables.values()] == list(tables)


def test_a_list_of_files_is_told_how_to_name_them() -> None:
    with pytest.raises(InputError, match=r"named by their folder, or by a pattern such as 'runs/\*\.csv'"):
        open_source(["runs/1.parquet", Path("runs/2.parquet")])
