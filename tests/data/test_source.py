"""The front door: one table gives the same columns through every door, whatever the size of a block."""

import csv
import gzip
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.told import values_of

from adjudge.data.blocks import reblocked
from adjudge.data.reading import batches_of
from adjudge.data.source import Batch, Source, Text, open_source
from adjudge.errors import AdjudgeError, ColumnNotFound, InputError, SettingError
from adjudge.tasks.preference.reading import VoteReading

LABELS = ["spam", "NA", None, "01", " a ", "</script>", "🍎", "spam", "None", "1.0", 'x,"y"\nz', "null"]
SCORES = [0.5, None, 3.0, -1.25, 1e-3, 0.0, 7.0, 1e300, 2.0, -0.5, 1.0, 4.0]
COUNTS = list(range(12))
TABLE: dict[str, list[Any]] = {"label": LABELS, "score": SCORES, "count": COUNTS}
ROWS = [dict(zip(TABLE, row, strict=True)) for row in zip(*TABLE.values(), strict=True)]


def in_csv(folder: Path, name: str = "t.csv", delimiter: str = ",") -> Path:
    opened = gzip.open if name.endswith(".gz") else open
    with opened(folder / name, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(TABLE)
        writer.writerows(ROWS[i].values() for i in range(len(ROWS)))
    return folder / name


def in_parquet(folder: Path) -> Path:
    pq.write_table(pa.table(TABLE), folder / "t.parquet", row_group_size=5)
    return folder / "t.parquet"


def in_parquet_folder(folder: Path) -> Path:
    (folder / "parts" / "more").mkdir(parents=True)
    table = pa.table(TABLE)
    pq.write_table(table.slice(0, 4), folder / "parts" / "a.parquet")
    pq.write_table(table.slice(4, 1), folder / "parts" / "b.parquet")
    pq.write_table(table.slice(5), folder / "parts" / "more" / "a.parquet")
    (folder / "parts" / "_SUCCESS").touch()
    (folder / "parts" / "_temporary.parquet").write_bytes(b"half written")
    return folder / "parts"


def in_pattern(folder: Path) -> Path:
    table = pa.table(TABLE)
    for number, start in enumerate([0, 6]):
        pq.write_table(table.slice(start, 6), folder / f"part-{number}.parquet")
    return folder / "part-*.parquet"


def in_jsonl(folder: Path, name: str = "t.jsonl") -> Path:
    opened = gzip.open if name.endswith(".gz") else open
    with opened(folder / name, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in ROWS)
    return folder / name


def in_arrow_file(folder: Path) -> Path:
    with pa.ipc.new_file(folder / "t.arrow", pa.table(TABLE).schema) as writer:
        writer.write_table(pa.table(TABLE), max_chunksize=5)
    return folder / "t.arrow"


def in_arrow_stream(folder: Path) -> Path:
    with pa.ipc.new_stream(folder / "t.ipc", pa.table(TABLE).schema) as writer:
        writer.write_table(pa.table(TABLE), max_chunksize=5)
    return folder / "t.ipc"


def in_feather(folder: Path) -> Path:
    pl.DataFrame(TABLE).write_ipc(folder / "t.feather", compression="zstd")
    return folder / "t.feather"


def in_xlsx(folder: Path) -> Path:
    book = openpyxl.Workbook()
    for row in [list(TABLE), *(list(row.values()) for row in ROWS)]:
        book.active.append(row)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


@dataclass
class OnlyAnArrowStream:
    table: pa.Table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def in_duckdb(folder: Path) -> duckdb.DuckDBPyRelation:
    return duckdb.from_arrow(pa.table(TABLE))


DOORS = {
    "csv": in_csv,
    "csv.gz": lambda folder: in_csv(folder, "t.csv.gz"),
    "tsv": lambda folder: in_csv(folder, "t.TSV", "\t"),
    "path as text": lambda folder: str(in_csv(folder)),
    "parquet": in_parquet,
    "folder of parquet": in_parquet_folder,
    "pattern": in_pattern,
    "jsonl": in_jsonl,
    "ndjson.gz": lambda folder: in_jsonl(folder, "t.ndjson.gz"),
    "arrow file": in_arrow_file,
    "arrow stream file": in_arrow_stream,
    "feather": in_feather,
    "xlsx": in_xlsx,
    "dict of lists": lambda _: TABLE,
    "dict of arrays": lambda _: {name: np.array(values, dtype=object) for name, values in TABLE.items()},
    "dict of series": lambda _: dict(pd.DataFrame(TABLE).items()),
    "dict of polars": lambda _: {name: pl.Series(values) for name, values in TABLE.items()},
    "dict of arrow": lambda _: {name: pa.array(values) for name, values in TABLE.items()},
    "records": lambda _: ROWS,
    "pandas": lambda _: pd.DataFrame(TABLE),
    "pandas objects": lambda _: pd.DataFrame(TABLE, dtype=object),
    "pandas categories": lambda _: pd.DataFrame(TABLE).astype({"label": "category"}),
    "pandas arrow": lambda _: pa.table(TABLE).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda _: pl.DataFrame(TABLE),
    "polars lazy": lambda _: pl.LazyFrame(TABLE),
    "polars categories": lambda _: pl.DataFrame(TABLE).cast({"label": pl.Categorical}),
    "arrow table": lambda _: pa.table(TABLE),
    "arrow batch": lambda _: pa.RecordBatch.from_pydict(TABLE),
    "arrow reader": lambda _: pa.table(TABLE).to_reader(max_chunksize=5),
    "arrow views": lambda _: pa.table(TABLE).set_column(0, "label", pa.array(LABELS, pa.string_view())),
    "any arrow stream": lambda _: OnlyAnArrowStream(pa.table(TABLE)),
    "duckdb": in_duckdb,
    "narwhals": lambda _: nw.from_native(pl.DataFrame(TABLE)),
    "narwhals lazy": lambda _: nw.from_native(pl.LazyFrame(TABLE)),
}


def whole(source: Source, texts: list[str], numbers: list[str], rows: int = 1000) -> dict[str, list[Any]]:
    """All rows: labels and numbers with None where missing."""
    found: dict[str, list[Any]] = {name: [] for name in (*texts, *numbers)}
    for batch in source.batches(texts, numbers, rows):
        for name, column in batch.columns.items():
            assert len(values_of(column)) == batch.rows
            found[name] += values_of(column)
    return found


@pytest.mark.parametrize("door", DOORS)
def test_the_same_table_through_every_door(door: str, tmp_path: Path) -> None:
    source = open_source(DOORS[door](tmp_path))
    assert source.column_names == tuple(TABLE)
    assert whole(source, ["label"], ["count", "score"]) == TABLE


@pytest.mark.parametrize("door", DOORS)
def test_numbers_as_labels_through_every_door(door: str, tmp_path: Path) -> None:
    typed = "csv" not in door and "tsv" not in door and "text" not in door
    found = whole(open_source(DOORS[door](tmp_path)), ["score", "count"], [])
    assert found["count"] == [str(value) for value in COUNTS]
    assert found["score"][2:5] == (["3", "-1.25", "0.001"] if typed else ["3.0", "-1.25", "0.001"])


@pytest.mark.parametrize("rows", [1, 3, 5, 12, 1000])
@pytest.mark.parametrize("door", DOORS)
def test_blocks_have_the_size_asked_for(door: str, rows: int, tmp_path: Path) -> None:
    batches = list(open_source(DOORS[door](tmp_path)).batches(["label"], ["score"], rows))
    assert [batch.rows for batch in batches[:-1]] == [rows] * (len(batches) - 1)
    assert sum(batch.rows for batch in batches) == 12
    assert [value for batch in batches for value in values_of(batch.columns["label"])] == LABELS
    assert [value for batch in batches for value in values_of(batch.columns["score"])] == SCORES


@pytest.mark.parametrize("door", DOORS)
def test_without_columns_the_rows_are_still_counted(door: str, tmp_path: Path) -> None:
    assert [batch.rows for batch in open_source(DOORS[door](tmp_path)).batches([], [], 7)] == [7, 5]


@pytest.mark.parametrize("door", DOORS)
def test_a_fingerprint_is_of_the_content(door: str, tmp_path: Path) -> None:
    source, again = (open_source(DOORS[door](folder)) for folder in _two_folders(tmp_path))
    if door in ("arrow reader", "any arrow stream"):
        assert source.fingerprint() == ""
        return
    assert source.fingerprint() == source.fingerprint()
    assert source.fingerprint().startswith("sha256:")
    assert len(source.fingerprint()) == len("sha256:") + 16
    if door != "xlsx":  # openpyxl writes the time into the file
        assert source.fingerprint() == again.fingerprint()


def _two_folders(folder: Path) -> list[Path]:
    for name in ("one", "two"):
        (folder / name).mkdir()
    return [folder / "one", folder / "two"]


@pytest.mark.parametrize("other", [{"a": ["x", "z"]}, {"b": ["x", "y"]}, {"a": ["x", None]}, {"a": ["x", "y"] * 2}])
def test_another_content_has_another_fingerprint(other: dict[str, list[Any]]) -> None:
    assert open_source({"a": ["x", "y"]}).fingerprint() != open_source(other).fingerprint()


def test_a_fingerprint_does_not_depend_on_chunks_and_survives_nested_columns() -> None:
    table = pa.table({"a": ["x", "y", "x"], "b": [1.0, None, 2.0], "lists": [[1], [2, 3], []]})
    cut = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    assert open_source(table).fingerprint() == open_source(cut).fingerprint()
    assert open_source(pl.from_arrow(table)).fingerprint() == open_source(table).fingerprint()


@pytest.mark.parametrize("door", ["csv", "duckdb", "pandas", "arrow reader", "polars lazy"])
def test_an_unknown_column_is_refused_at_once(door: str, tmp_path: Path) -> None:
    with pytest.raises(ColumnNotFound, match=r'`column` .* no column "lable"\. Did you mean "label"\?'):
        open_source(DOORS[door](tmp_path)).batches(["lable"], [])


def test_a_block_must_have_rows() -> None:
    with pytest.raises(SettingError, match="`rows` must be at least 1, but it is 0"):
        open_source(TABLE).batches([], [], 0)


def test_a_source_passes_unchanged() -> None:
    source = open_source(TABLE)
    assert open_source(source) is source


@pytest.mark.parametrize("table", [None, 3, [1, 2], np.zeros((2, 2)), pd.Series([1]), pl.Series([1]), object()])
def test_what_is_no_table_is_refused(table: object) -> None:
    with pytest.raises(InputError, match=f"A table must be .* of type {type(table).__name__}"):
        open_source(table)


def test_all_errors_are_of_the_family() -> None:
    with pytest.raises(AdjudgeError):
        open_source("nowhere.csv")


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=6), st.integers(1, 9))
def test_reblocking_keeps_every_row_in_order(cuts: list[list[str]], rows: int) -> None:
    def batch(labels: list[str]) -> Batch:
        distinct = tuple(sorted(set(labels), reverse=True))
        return Batch(len(labels), {"a": Text(np.array([distinct.index(x) for x in labels], np.int64), distinct)})

    blocks = list(reblocked([batch(cut) for cut in cuts], rows))
    assert all(block.rows == rows for block in blocks[:-1])
    assert [x for block in blocks for x in values_of(block.columns["a"])] == [x for cut in cuts for x in cut]


def test_blocks_of_whole_items_forget_the_labels_of_earlier_blocks(tmp_path: Path) -> None:
    names = [f"prompt {row}" for row in range(300)]
    rows = [json.dumps({"prompt": name, "winner": "a", "t": "b"}) for name in names]
    (tmp_path / "pairs.jsonl").write_text("\n".join(rows))
    reading = VoteReading(columns=("winner",), annotators=("t",), cluster="prompt")
    object.__setattr__(reading, "block_rows", 10)
    blocks = list(batches_of(open_source(tmp_path / "pairs.jsonl"), reading, gather=False))
    prompts = [text for _, block in blocks if isinstance(text := block.columns["prompt"], Text)]
    assert max(len(text.labels) for text in prompts) <= 11
    assert [text.labels[code] for text in prompts for code in text.codes] == names


def test_plain_lists_need_no_library() -> None:
    code = """
import sys
from adjudge.data.source import open_source
before = set(sys.modules)
import numpy
[batch] = open_source({"a": ["x", "y"], "b": numpy.array([1.0, 2.0])}).batches(["a"], ["b"])
open_source([{"a": 1}]).fingerprint()
assert batch.rows == 2
print(sorted({"pyarrow", "pandas", "polars", "narwhals", "duckdb", "scipy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
