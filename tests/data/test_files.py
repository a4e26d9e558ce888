"""Files: text exactly as written, what is missing, and every refusal in words."""

import csv
import gc
import gzip
import itertools
import sys
import tracemalloc
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.told import values_of

import adjudge
from adjudge.data.source import Numbers, Text, open_source
from adjudge.data.tables import csv_batches, file_formats
from adjudge.errors import BadValue, ColumnNotFound, InputError


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def labels(table: object, column: str, rows: int = 1000) -> list[Any]:
    batches = open_source(table).batches([column], [], rows)
    return [value for batch in batches for value in values_of(batch.columns[column])]


def numbers(table: object, column: str, rows: int = 1000) -> list[Any]:
    batches = open_source(table).batches([], [column], rows)
    return [value for batch in batches for value in values_of(batch.columns[column])]


# Delimited text


def test_only_an_empty_cell_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'a,b\nNA,1\n,2\n"",3\n null ,4\n" ",5\nNaN,6\n#N/A,7\n')
    assert labels(path, "a") == ["NA", None, None, " null ", " ", "NaN", "#N/A"]


def test_newlines_and_quotes_inside_cells(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'a,b\r\n"line 1\nline 2","say ""hi"", ok"\r\nx,y\r\n')
    assert labels(path, "a") == ["line 1\nline 2", "x"]
    assert labels(path, "b") == ['say "hi", ok', "y"]


@pytest.mark.parametrize("late", ['"a\nb",0.5', '"a\r\n""b""\n",x', "c,nan(abc)", "c,+1", "c, "])
def test_what_is_not_plain_may_come_late(late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way through a text file is left where a row is not plain, and no row is lost, read twice or wrongly."""
    monkeypatch.setattr(csv_batches, "BLOCK", 256)
    rows = ["label,score", *(f'"{place}",{place / 8}' for place in range(300)), late, *["d,0.25"] * 200]
    path = written(tmp_path / "t.csv", "\n".join(rows) + "\n")
    [[label, score]] = csv.reader([late] if "\n" not in late else late.splitlines(keepends=True))
    assert labels(path, "label", 64) == [*map(str, range(300)), label, *["d"] * 200]
    known = {"x": "unreadable", "nan(abc)": "unreadable", " ": None}
    value = known[score] if score in known else float(score)
    assert numbers(path, "score", 64) == [*(place / 8 for place in range(300)), value, *[0.25] * 200]


def test_numbers_in_text(tmp_path: Path) -> None:
    cells = {"1e-3": 1e-3, " 0.5 ": 0.5, "+1": 1.0, "-inf": -np.inf, "inf": np.inf, "nan": None, "NaN": None}
    cells |= {
        "": None,
        "   ": None,
        "abc": "unreadable",
        "NA": "unreadable",
        '"1,5"': "unreadable",
        "1.": 1.0,
    }
    cells |= {".5": 0.5, "1e400": np.inf, "1_000": "unreadable", "0x10": "unreadable", "nan(1)": "unreadable"}
    cells |= {
        "٣": "unreadable",
        "1e": "unreadable",
        "-": "unreadable",
        "Infinity": np.inf,
        "5%": "unreadable",
    }
    path = written(tmp_path / "t.csv", "a,b\n" + "".join(f"{cell},x\n" for cell in cells))
    assert numbers(path, "a") == list(cells.values())
    assert numbers(path, "a", rows=1) == list(cells.values()), "each value alone"
    plain = [cell.strip('"') for cell in cells]
    assert numbers({"a": plain}, "a") == list(cells.values()), "from a list"
    assert numbers({"a": pa.array(plain).dictionary_encode()}, "a") == list(cells.values())


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_a_header_alone_is_a_table_without_rows(ending: str, tmp_path: Path) -> None:
    source = open_source(written(tmp_path / "t.csv", f"a,b{ending}"))
    assert source.column_names == ("a", "b")
    assert list(source.batches(["a"], ["b"])) == []


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f'must at least name its columns, but "{name}" is empty'):
        open_source(written(tmp_path / name, content))


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    for name, content in {"t.csv": "a,b\nx,y\n", "t.jsonl": '{"a": "x", "b": "y"}\n'}.items():
        path = written(tmp_path / name, b"\xef\xbb\xbf" + content.encode())
        assert open_source(path).column_names == ("a", "b")
        assert labels(path, "a") == ["x"]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_another_encoding_is_refused_with_the_byte(name: str, tmp_path: Path) -> None:
    content = "a,b\nx,y\ncafé,z\n".encode("latin1")
    path = written(tmp_path / name, gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(InputError, match=f'"{name}" must be UTF-8 .* line 3 holds the byte 0xe9. Convert it'):
        labels(path, "a")


def test_another_encoding_in_the_header_or_in_json(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1 holds the byte 0xe9"):
        open_source(written(tmp_path / "t.csv", "clé,b\nx,y\n".encode("latin1")))
    with pytest.raises(InputError, match=r"line 1 holds the byte 0xff"):
        open_source(written(tmp_path / "u.csv", "a,b\nx,y\n".encode("utf-16")))
    with pytest.raises(InputError, match=r"line 1 holds the byte 0xe9"):
        open_source(written(tmp_path / "t.jsonl", '{"a": "é"}\n'.encode("latin1")))


@pytest.mark.parametrize(("row", "cells"), [("1,2,3", 3), ("1", 1)])
def test_a_row_of_another_width_is_refused_with_its_line(row: str, cells: int, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", f'a,b\n"x\ny",1\n{row}\n1,2\n')
    expected = f'Every row of "t.csv" must have 2 cells.*row that ends on line 4 has {cells}'
    with pytest.raises(InputError, match=expected):
        labels(path, "a")


def test_a_quotation_mark_never_closed(tmp_path: Path) -> None:
    for rows in (1_000_000, 3_000_000):  # less and more than one block of the reader
        path = written(tmp_path / "t.csv", 'a,b\n"x,1\n' + "y,2\n" * rows)
        with pytest.raises(InputError, match=r"cannot be read: .* opened and never closed"):
            labels(path, "b")


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv"])
def test_a_quotation_mark_never_closed_in_the_last_cell(name: str, tmp_path: Path) -> None:
    """All rows that follow fit into one cell: nothing but the end of the file tells that they are none."""
    text = "a,b\n" + "x,1\n" * 30 + 'x,"1\n' + "y,2\n" * 30
    content = text.replace(",", "\t" if name.endswith(".tsv") else ",").encode()
    path = written(tmp_path / name, gzip.compress(content) if name.endswith(".gz") else content)
    with pytest.raises(InputError, match=r"ends within a cell.* opened and never closed"):
        labels(path, "a")
    with pytest.raises(InputError, match=r"ends within a cell.* opened and never closed"):
        labels(written(tmp_path / name, path.read_bytes() if name.endswith(".gz") else content.rstrip()), "a")


def test_a_wide_row_that_is_no_text_prints_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow cannot hand such a row on, and said so on the terminal, with a traceback."""
    path, heard = tmp_path / "t.csv", list[object]()
    path.write_bytes(b"label,guess\n" + b"a,a\nb,b\n" * 20 + b"a,b,x\xd7")
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    hook = sys.unraisablehook
    with pytest.raises(InputError, match="Expected 2 columns, got 3"):
        list(open_source(path).batches(["label", "guess"], []))
    gc.collect()
    assert heard == []
    assert sys.unraisablehook == hook


@pytest.mark.parametrize("zipped", [False, True])
def test_cells_of_many_lines_at_the_end_of_a_block(
    zipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of a cell look like rows where they have as many separators, and a block may end in any of them."""
    monkeypatch.setattr(csv_batches, "BLOCK", 4_096)
    cell = "\n".join(["b,a,of a text"] * 10)
    for before, after in itertools.product(range(200, 400, 23), (300, 3_000)):
        rows = ["x" * before + ",b,c", *["a,b,c"] * 616, f'a,c,"{cell}"', *["a,b,c"] * after]
        content = "\n".join(["y,p,c", *rows, ""]).encode()
        path = written(tmp_path / ("t.csv.gz" if zipped else "t.csv"), gzip.compress(content) if zipped else content)
        assert labels(path, "p") == ["b"] * 617 + ["c"] + ["b"] * after


def test_names_that_arrow_did_not_find_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line was read before: if Arrow misses a name of it, the file is read again with more care."""
    path, careful = written(tmp_path / "t.csv", "a,b\nx,1\ny,2\n"), file_formats.csv_batches

    def missing(*given: Any, plain: bool) -> Any:
        if plain:
            raise pa.ArrowKeyError("Column 'b' in include_columns does not exist in CSV file")
        return careful(*given, plain=plain)

    monkeypatch.setattr(file_formats, "csv_batches", missing)
    assert labels(path, "b") == ["1", "2"]


def test_a_long_cell(tmp_path: Path) -> None:
    cell = "word\n" * 500_000
    path = written(tmp_path / "t.csv", f'a,b\n"{cell}",1\nx,2\n')
    assert labels(path, "a") == [cell, "x"]
    with pytest.raises(InputError, match=r"straddling .* a cell must be shorter than 8 MB"):
        labels(written(tmp_path / "u.csv", f'a,b\nx,y\n"{cell * 8}",1\nx,2\n'), "a")


@pytest.mark.parametrize(("name", "content"), [("t.csv", "a,b,a\n1,2,3\n"), ("t.tsv", "a\tb\ta\n1\t2\t3\n")])
def test_two_columns_of_one_name_are_refused(name: str, content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'distinct, but "t.[ct]sv" has more than one "a"'):
        open_source(written(tmp_path / name, content))


def test_two_parquet_or_excel_columns_of_one_name(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]), tmp_path / "t.parquet")
    book = openpyxl.Workbook()
    book.active.append(["a", "a"])
    book.save(tmp_path / "t.xlsx")
    for path in (tmp_path / "t.parquet", tmp_path / "t.xlsx"):
        with pytest.raises(InputError, match=f'"{path.name}" has more than one "a"'):
            open_source(path)


def test_many_blocks_of_text(tmp_path: Path) -> None:
    rows = 700_000  # more than one block of the reader
    path = written(tmp_path / "t.csv", "label,x\n" + "".join(f"label {i % 7},{i}\n" for i in range(rows)))
    total, seen = 0.0, 0
    for batch in open_source(path).batches(["label"], ["x"]):
        label, x = batch.columns["label"], batch.columns["x"]
        assert isinstance(label, Text)
        assert isinstance(x, Numbers)
        names = np.array(label.labels)[label.codes]
        assert (names == np.char.add("label ", (x.values % 7).astype(int).astype(str))).all()
        total, seen = total + x.values.sum(), seen + batch.rows
    assert (total, seen) == (rows * (rows - 1) / 2, rows)


# Parquet and Arrow


def typed_table() -> pa.Table:
    return pa.table(
        {
            "int": pa.array([3, None, 2**60 + 1]),
            "float": [3.0, float("nan"), 0.1],
            "small": pa.array([3.0, None, 0.1], pa.float32()),
            "bool": [True, None, False],
            "date": [date(2020, 1, 2), None, date(1999, 12, 31)],
            "time": [datetime(2020, 1, 2), None, datetime(2020, 1, 2, 3, 4, 5, 678)],
            "nanoseconds": pa.array([10**18, None, 10**18 + 1], pa.timestamp("ns")),
            "zoned": pa.array([0, None, 10**6], pa.timestamp("us", "Europe/Paris")),
            "decimal": [Decimal("1.50"), None, Decimal("2.00")],
            "bytes": [b"x", None, "é".encode()],
            "nothing": pa.nulls(3),
        }
    )


TYPED_LABELS = {
    "int": ["3", None, "1152921504606846977"],
    "float": ["3", None, "0.1"],
    "small": ["3", None, "0.1"],
    "bool": ["True", None, "False"],
    "date": ["2020-01-02", None, "1999-12-31"],
    "time": ["2020-01-02T00:00:00", None, "2020-01-02T03:04:05.000678"],
    "nanoseconds": ["2001-09-09T01:46:40", None, "2001-09-09T01:46:40.000000001"],
    "zoned": ["1970-01-01T01:00:00+01:00", None, "1970-01-01T01:00:01+01:00"],
    "decimal": ["1.50", None, "2.00"],
    "bytes": ["x", None, "é"],
    "nothing": [None, None, None],
}


@pytest.mark.parametrize("name", TYPED_LABELS)
def test_labels_of_typed_columns(name: str, tmp_path: Path) -> None:
    pq.write_table(typed_table(), tmp_path / "t.parquet")
    assert labels(tmp_path / "t.parquet", name) == TYPED_LABELS[name]
    assert labels(tmp_path / "t.parquet", name, rows=1) == TYPED_LABELS[name]
    assert labels(typed_table(), name) == TYPED_LABELS[name]


def test_numbers_of_typed_columns() -> None:
    assert numbers(typed_table(), "int") == [3.0, None, float(2**60)]
    assert numbers(typed_table(), "float") == [3.0, None, 0.1]
    assert numbers(typed_table(), "bool") == [1.0, None, 0.0]
    assert numbers(typed_table(), "decimal") == [1.5, None, 2.0]
    assert numbers(typed_table(), "nothing") == [None, None, None]
    assert numbers(typed_table(), "date") == ["unreadable", None, "unreadable"]
    assert numbers(typed_table(), "bytes") == ["unreadable", None, "unreadable"]


def test_dictionaries_with_nulls_repeats_and_spare_labels() -> None:
    column = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 3, None, 3], pa.uint8()), pa.array(["a", "b", None, "a", "never used"])
    )
    [batch] = open_source(pa.table({"x": column})).batches(["x"], [])
    assert values_of(batch.columns["x"]) == ["a", "b", None, "a", None, "a"]
    assert labels(pa.table({"x": column}), "x", rows=2) == ["a", "b", None, "a", None, "a"]


def test_dictionaries_that_differ_by_row_group(tmp_path: Path) -> None:
    values = [*"aab", *"cba", None, *"cc"]
    pq.write_table(pa.table({"x": values}), tmp_path / "t.parquet", row_group_size=3)
    for rows in (1, 2, 4, 100):
        assert labels(tmp_path / "t.parquet", "x", rows) == values


def test_a_long_dictionary_is_not_carried_by_every_block(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [f"id {i}" for i in range(20_000)]}), tmp_path / "t.parquet")
    for batch in open_source(tmp_path / "t.parquet").batches(["id"], [], rows=100):
        column = batch.columns["id"]
        assert isinstance(column, Text)
        assert len(column.labels) == 100


@pytest.mark.parametrize("nested", [[[1], [2]], [{"a": 1}, {"a": 2}]])
def test_nested_columns_are_refused_by_name(nested: list[Any], tmp_path: Path) -> None:
    pq.write_table(pa.table({"deep": nested, "flat": [1, 2]}), tmp_path / "t.parquet")
    assert labels(tmp_path / "t.parquet", "flat") == ["1", "2"]
    for table in (tmp_path / "t.parquet", {"deep": nested}):
        for read in (labels, numbers):
            with pytest.raises(BadValue, match=r'one value, but column "deep" holds values of type'):
                read(table, "deep")


def test_a_table_without_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), tmp_path / "t.parquet")
    assert open_source(tmp_path / "t.parquet").column_names == ("a",)
    assert labels(tmp_path / "t.parquet", "a") == []


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.xlsx", "t.csv.gz", "t.jsonl.gz"])
def test_a_damaged_file_is_refused_by_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f'"{name}" (cannot be read|must be a spreadsheet)'):
        open_source(written(tmp_path / name, b"this is something else entirely"))


def test_a_file_cut_short(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.csv.gz",
        gzip.compress(b"a,b\n" + np.random.default_rng(7).bytes(10).hex().encode())[:-9],
    )
    with pytest.raises(InputError, match=r'"t.csv.gz" cannot be read'):
        labels(path, "a")


# JSON lines


def test_json_columns_may_change_type_and_be_absent(tmp_path: Path) -> None:
    lines = [
        '{"a": null}',
        '{"a": 1, "b": "x"}',
        "",
        '{"b": "y", "a": "01"}',
        '{"a": 2.0}',
        '{"a": true}',
        '{"a": NaN}',
    ]
    path = written(tmp_path / "t.jsonl", "\n".join(lines))
    assert open_source(path).column_names == ("a", "b")
    assert labels(path, "a", rows=2) == [None, "1", "01", "2", "True", None]
    assert numbers(path, "a") == [None, 1.0, 1.0, 2.0, 1.0, None]
    assert labels(path, "b") == [None, "x", "y", None, None, None]


@pytest.mark.parametrize("line", ["{", "[1]", "3", "{'a': 1}"])
def test_a_line_that_is_no_json_object(line: str, tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", f'{{"a": 1}}\n{line}\n')
    with pytest.raises(InputError, match=r'one JSON object, but line 2 of "t.jsonl"'):
        open_source(path)


# Spreadsheets


def test_a_spreadsheet_keeps_its_types(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    rows = [
        ["a", 2020, None],
        ["01", 1, None],
        ["x", 0.5, "a remark"],
        [None, "n/a", None],
        [None] * 3,
        [True, 3, None],
    ]
    for row in [*rows, [date(2020, 1, 2), None, None]]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert open_source(tmp_path / "t.xlsx").column_names == ("a", "2020")
    assert labels(tmp_path / "t.xlsx", "a") == ["01", "x", None, "True", "2020-01-02"]
    assert numbers(tmp_path / "t.xlsx", "2020") == [1.0, 0.5, "unreadable", 3.0, None]


# Paths


def test_a_missing_file_names_its_neighbours(tmp_path: Path) -> None:
    written(tmp_path / "judgements.csv", "a\n1\n")
    with pytest.raises(InputError, match=r'no "judgement.csv" in its folder. Did you mean "judgements.csv"\?'):
        open_source(tmp_path / "judgement.csv")
    with pytest.raises(InputError, match=r'there is no folder "nowhere"'):
        open_source(tmp_path / "nowhere" / "t.csv")
    with pytest.raises(InputError, match=r'none matches "\*.parquet"'):
        open_source(tmp_path / "*.parquet")


@pytest.mark.parametrize("name", ["t.txt", "t", "t.xls", "t.parquet.gz", "t.json"])
def test_an_unknown_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"must end in one of \.csv, \.tsv, .* but this is \"{name}\""):
        open_source(written(tmp_path / name, "a\n1\n"))


def test_a_folder_without_parquet(tmp_path: Path) -> None:
    written(tmp_path / "t.csv", "a\n1\n")
    with pytest.raises(InputError, match=r"A folder must hold Parquet files, but .* holds none"):
        open_source(tmp_path)


def test_several_files(tmp_path: Path) -> None:
    written(tmp_path / "b.csv", "x,a\n1,3\n")
    written(tmp_path / "a.csv", "a,x\n1,1\n2,1\n")
    source = open_source(str(tmp_path / "*.csv"))
    assert source.name == "*.csv (2 files)"
    assert labels(tmp_path / "*.csv", "a") == ["1", "2", "3"]
    written(tmp_path / "c.csv", "x\n1\n")
    with pytest.raises(InputError, match=r'same columns, but "c.csv" has no "a" and "a.csv" has'):
        labels(tmp_path / "*.csv", "a")
    written(tmp_path / "d.tsv", "a\n1\n")
    with pytest.raises(InputError, match=r'one format, but "a.csv" is CSV and "d.tsv" is TSV'):
        open_source(tmp_path / "*.?sv")


def test_a_name_is_not_a_path(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a\n1\n")
    assert open_source(path).name == "t.csv"
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    assert open_source(tmp_path).name == f"{tmp_path.name} (1 file)"


def test_a_name_with_the_signs_of_a_pattern(tmp_path: Path) -> None:
    assert labels(written(tmp_path / "run[1].csv", "a\n1\n"), "a") == ["1"]


def test_a_file_renamed_keeps_its_fingerprint(tmp_path: Path) -> None:
    one = open_source(written(tmp_path / "one.csv", "a\n1\n")).fingerprint()
    two = open_source(written(tmp_path / "two.csv", "a\n1\n")).fingerprint()
    other = open_source(written(tmp_path / "other.csv", "a\n2\n")).fingerprint()
    assert one == two != other


def test_cells_longer_than_a_block_of_plain_lines_are_read(tmp_path: Path) -> None:
    """Plain lines come in blocks of two megabytes; a longer line, or line ends within cells, are read with care."""
    long, lines = "b" * (csv_batches.BLOCK + 7), "x,1\n" * (csv_batches.BLOCK // 16)
    plain, quoted = tmp_path / "plain.csv", tmp_path / "quoted.csv"
    rows = [("a", "0.5")] * (csv_batches.BLOCK // 12)
    plain.write_text("label,score\n" + "".join(f"{a},{b}\n" for a, b in [*rows, (long, "0.25"), ("", "1")]))
    quoted.write_text("label,score\n" + f'"{lines}",1\n' * 10 + "a,2\n")
    read = list(open_source(plain).batches(["label"], ["score"]))
    assert sum(batch.rows for batch in read) == len(rows) + 2
    text, numbers = read[-1].columns["label"], read[-1].columns["score"]
    assert isinstance(text, Text)
    assert isinstance(numbers, Numbers)
    assert [text.labels[code] if code >= 0 else None for code in text.codes[-3:].tolist()] == ["a", long, None]
    assert numbers.values[-3:].tolist() == [0.5, 0.25, 1.0]
    [batch] = open_source(quoted).batches(["label"], ["score"])
    assert batch.rows == 11
    cells = batch.columns["label"]
    assert isinstance(cells, Text)
    assert cells.labels == (lines, "a")


@pytest.mark.parametrize("name", ["t.csv.gz", "t.conll.gz"])
def test_a_long_line_after_short_ones_is_refused_before_it_is_held(name: str, tmp_path: Path) -> None:
    """How many columns the second line has was looked at without a limit: gigabytes of a packed file of few bytes."""
    path = tmp_path / name
    with gzip.open(path, "wb", 1) as file:
        file.write(b"y,p\n" if ".csv" in name else b"a O\nb B-PER\n\n" * 10)
        for _ in range(200):
            file.write(b"b" * 1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=f'A line must be shorter than 8 MB, but line .* of "{name}" is longer'):
            adjudge.evaluate(path, "agreement", raters=["y", "p"]) if ".csv" in name else adjudge.agreement(path)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_sheets_that_are_not_read_are_named(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    first = book.active
    assert first is not None
    first.title = "now & then"
    first.append(["y", "p"])
    for row in range(40):
        first.append([row % 3, row % 2])
    book.save(tmp_path / "one.xlsx")
    book.create_sheet('the "rest"').append(["y", "p"])
    book.save(tmp_path / "two.xlsx")
    said = '"two.xlsx" is read from its first sheet, "now & then", alone: what stands in "the "rest"" is left out.'
    assert open_source(str(tmp_path / "two.xlsx")).notes == (said,)
    assert open_source(str(tmp_path / "one.xlsx")).notes == ()


def test_a_column_of_another_sheet_is_said_to_be_there(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    first = book.active
    assert first is not None
    first.append(["author", "year"])
    first.append(["ann", 2026])
    for name in ("Labels", "Draft"):
        book.create_sheet(name).append(["y", "p"] if name == "Labels" else ["x", "p"])
    book.create_sheet("empty")
    book.save(tmp_path / "two.xlsx")
    with pytest.raises(ColumnNotFound, match=r'Another sheet has it, "Labels", but only the first is read: move the'):
        adjudge.classification(tmp_path / "two.xlsx", reference="y", prediction="author")
    with pytest.raises(ColumnNotFound, match=r'There are: "author", "year"\.$'):
        adjudge.classification(tmp_path / "two.xlsx", reference="zzz", prediction="author")


@pytest.mark.parametrize("line", ["sep=;", "SEP=,", "# made by a script", "// export"])
def test_lines_above_the_names_are_told(tmp_path: Path, line: str) -> None:
    (tmp_path / "t.csv").write_text(f"{line}\ny;p\n1;2\n")
    with pytest.raises(InputError, match=r'The first line of "t.csv" must name the columns, but it begins with'):
        open_source(str(tmp_path / "t.csv"))
    (tmp_path / "t.csv").write_text("#,p\n1,2\n")
    assert open_source(str(tmp_path / "t.csv")).column_names == ("#", "p")


@pytest.mark.parametrize("line", ["sep=;", "SEP=,", "# made by a tool", "// made by a tool"])
def test_a_line_above_the_names_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match="must name the columns, but it begins with"):
        open_source(written(tmp_path / "t.csv", f"{line}\nlabel;guess\na;b\n"))


@pytest.mark.parametrize("line", ["Results of May;;", "answers;;", ";;"])
def test_a_title_that_is_padded_with_separators_is_refused_as_one(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"must name the columns, but \d of its \d cells are empty.* Is it a title"):
        open_source(written(tmp_path / "t.csv", f"{line}\nlabel;guess;score\na;b;0.5\n"))
    assert open_source(written(tmp_path / "u.csv", "label;guess;\na;b;\n")).column_names[:2] == ("label", "guess")


def test_a_column_may_be_called_by_a_sign(tmp_path: Path) -> None:
    assert open_source(written(tmp_path / "t.csv", "# item,label\n1,a\n")).column_names == ("# item", "label")
