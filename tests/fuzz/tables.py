"""Tables made at random, and every door through which a table comes in."""

from __future__ import annotations

import csv
import gzip
import io
import json
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import narwhals
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.parquet as pq
from tests.fuzz.values import ODD_TEXTS, labels, number, odd_value

from adjudge.cli.demo import demos
from adjudge.evaluation.declaration import Demo

Columns = dict[str, list[Any]]
KINDS = (
    "label",
    "label",
    "label",
    "number",
    "number",
    "number",
    "name",
    "name",
    "weight",
    "place",
    "sets",
    "spans",
    "tags",
)


def columns(random: Random) -> tuple[Columns, dict[str, str]]:
    """Columns by name, and the kind of each: those of a kind are about the same question."""
    rows = random.choice((0, 1, 2, 3, 5, 8, 8, 12, 12, 20, 20, 40))
    pool, kinds = labels(random), {}
    table: Columns = {}
    for place in range(random.choice((1, 4, 8, 8, 12, 12))):
        kind = random.choice(KINDS)
        column = f"{kind} {place}" if random.random() < 0.9 else random.choice(ODD_TEXTS)[:3000]
        table[column], kinds[column] = [_cell(random, kind, pool) for _ in range(rows)], kind
        damage = random.random()
        if damage < 0.15:
            table[column] = [value if random.random() < 0.7 else None for value in table[column]]
        elif damage < 0.22:
            table[column] = [value if random.random() < 0.8 else odd_value(random) for value in table[column]]
        elif damage < 0.25 and rows:
            table[column] = [odd_value(random)] * rows
    return table, kinds


def tidy_columns(random: Random) -> tuple[Columns, Demo, str]:
    """Some rows of a task's bundled table, seldom with an odd cell, its question and its name."""
    name = random.choice(list(demos()))
    demo = demos()[name]
    rows = _bundled(demo.file)
    start = random.randrange(max(1, len(rows) - 60))
    some = rows[start : start + random.choice((3, 12, 40, 60))]
    table = {column: [_number_or_text(row[column]) for row in some] for column in rows[0]}
    if random.random() < 0.25:
        column = random.choice(list(table))
        table[column][random.randrange(len(some))] = odd_value(random)
    return table, demo, name


@cache
def _bundled(name: str) -> list[dict[str, str]]:
    with (files("adjudge") / "demo" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _number_or_text(cell: str) -> Any:
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell or None


def _cell(random: Random, kind: str, pool: Any) -> Any:
    if kind == "label":
        return random.choice(pool)
    if kind == "name":
        return f"n{random.randrange(6)}"
    if kind == "sets":
        return "|".join(random.sample("abcd", random.randrange(3)))
    if kind == "spans":
        return json.dumps([["PER", random.randrange(4), 4 + random.randrange(4)] for _ in range(random.randrange(3))])
    if kind == "tags":
        return " ".join(random.choice(("O", "O", "B-PER", "I-PER", "B-LOC")) for _ in range(4))
    if kind == "weight":
        return random.choice((1, 1, 2, 0.5, 0, 3.25))
    return random.randrange(9) if kind == "place" else number(random)


# Doors of tables in memory


def _frame(table: Columns) -> pd.DataFrame:
    return pd.DataFrame({column: pd.Series(values, dtype=object) for column, values in table.items()})


def _typed_frame(table: Columns) -> pd.DataFrame:
    return pd.DataFrame(table)


def _wide_integers(table: Columns) -> pl.DataFrame:
    return pl.DataFrame({column: _whole(values) for column, values in table.items()})


def _whole(values: list[Any]) -> Any:
    if values and all(type(value) is int for value in values):
        return pl.Series(values, dtype=pl.Int128)
    return pl.Series(values, dtype=pl.Categorical) if all(type(value) is str for value in values) else values


def _arrow(table: Columns) -> pa.Table:
    return pa.table({column: _arrow_array(values) for column, values in table.items()})


def _dictionaries(table: Columns) -> pa.Table:
    return pa.table({column: _arrow_array(values).dictionary_encode() for column, values in table.items()})


ARROW_TYPES: tuple[Callable[[], pa.DataType], ...] = (
    pa.large_string,
    pa.string_view,
    pa.binary,
    lambda: pa.dictionary(pa.int8(), pa.string()),
    lambda: pa.decimal128(20, 2),
    lambda: pa.decimal256(60, 3),
    pa.float16,
    pa.uint64,
    pa.date32,
    lambda: pa.timestamp("ns", "Europe/Berlin"),
    lambda: pa.duration("s"),
    pa.null,
)


def _arrow_types(table: Columns) -> pa.Table:
    """Each column in the first type, from one of its own on, that holds its values; far dates in what holds none."""
    return pa.table({column: _of_a_type(values, place) for place, (column, values) in enumerate(table.items())})


def _of_a_type(values: list[Any], place: int) -> pa.Array:
    plain = _arrow_array(values)
    for step in range(len(ARROW_TYPES)):
        try:
            return plain.cast(ARROW_TYPES[(place + len(values) + step) % len(ARROW_TYPES)]())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
            continue
    return plain


def _runs(table: Columns) -> pa.Table:
    return pa.table({column: pc.run_end_encode(_arrow_array(values)) for column, values in table.items()})


def _days(table: Columns) -> pa.Table:
    """One column as days, some of them further away than Python's own."""
    arrow = _arrow(table)
    far = pa.array([2**31 - 1 - row if row % 5 else row for row in range(arrow.num_rows)], pa.int32())
    return arrow.set_column(0, arrow.column_names[0], far.view(pa.date32()))


def _arrays(table: Columns) -> dict[str, Any]:
    """NumPy's arrays, every second of a longer one, of which some are masked."""
    arrays = {
        column: np.array([one for value in values for one in (value, value)])[::2] for column, values in table.items()
    }
    return {
        column: np.ma.array(array, mask=np.arange(len(array)) % 3 == 0) if place % 3 == 0 else array
        for place, (column, array) in enumerate(arrays.items())
    }


def _arrow_array(values: list[Any]) -> pa.Array:
    if any(isinstance(value, np.datetime64) and value.dtype == "M8" for value in values):
        raise TypeError("pyarrow ends the process over times without a unit among other values")
    return pa.array(values)


MEMORY: Mapping[str, Callable[[Columns], Any]] = {
    "dict": lambda table: table,
    "records": lambda table: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)],
    "pandas": _typed_frame,
    "pandas objects": _frame,
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "pandas of arrow": lambda table: pd.DataFrame(table).convert_dtypes(dtype_backend="pyarrow"),
    "pandas categories": lambda table: pd.DataFrame(table).astype("category"),
    "polars": lambda table: pl.DataFrame(table, strict=False),
    "polars lazy": lambda table: pl.LazyFrame(table, strict=False),
    "polars wide": _wide_integers,
    "polars objects": lambda table: pl.DataFrame({c: pl.Series(v, dtype=pl.Object) for c, v in table.items()}),
    "arrow": _arrow,
    "arrow dictionaries": _dictionaries,
    "arrow types": _arrow_types,
    "arrow runs": _runs,
    "arrow days": _days,
    "arrays": _arrays,
    "arrow batches": lambda table: _arrow(table).to_reader(max_chunksize=3),
    "duckdb": lambda table: duckdb.from_arrow(_arrow(table)),
    "narwhals": lambda table: narwhals.from_native(pl.DataFrame(table, strict=False)),
}


LIBRARIES = tuple(door for door in MEMORY if door not in ("dict", "records", "pandas objects"))


def _is_deep(cell: Any) -> bool:
    for _ in range(20):
        if not isinstance(cell, list) or not cell:
            return False
        cell = cell[0]
    return True


# Doors of files


def _text(table: Columns, delimiter: str, **how: Any) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, **how)
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return text.getvalue().encode("utf-8", "surrogatepass")


def _json_lines(table: Columns) -> bytes:
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    return "\n".join(json.dumps(row, default=str) for row in rows).encode()


def _parquet(table: Columns) -> bytes:
    packed = io.BytesIO()
    pq.write_table(_arrow(table), packed, compression="none", row_group_size=7)
    return packed.getvalue()


def _ipc(table: Columns) -> bytes:
    packed = io.BytesIO()
    pyarrow.feather.write_feather(_arrow(table), packed, compression="uncompressed")
    return packed.getvalue()


def _ipc_stream(table: Columns) -> bytes:
    packed, whole = io.BytesIO(), _dictionaries(table)
    with pa.ipc.new_stream(packed, whole.schema) as writer:
        writer.write_table(whole, max_chunksize=5)
    return packed.getvalue()


def _sheet(table: Columns) -> bytes:
    book, packed = openpyxl.Workbook(), io.BytesIO()
    for row in (list(table), *zip(*table.values(), strict=True)):
        book.active.append(list(row))
    book.save(packed)
    return packed.getvalue()


FILES: Mapping[str, Callable[[Columns], bytes]] = {
    "t.csv": lambda table: _text(table, ","),
    "t.tsv": lambda table: _text(table, "\t"),
    "semicolon.csv": lambda table: _text(table, ";", quoting=csv.QUOTE_ALL),
    "mark.csv": lambda table: b"\xef\xbb\xbf" + _text(table, ",", lineterminator="\r"),
    "two bytes.csv": lambda table: _text(table, ",").decode("utf-8", "replace").encode("utf-16"),
    "t.csv.gz": lambda table: gzip.compress(_text(table, ","), mtime=0),
    "t.jsonl": _json_lines,
    "t.jsonl.gz": lambda table: gzip.compress(_json_lines(table), mtime=0),
    "t.parquet": _parquet,
    "t.feather": _ipc,
    "t.arrow": _ipc_stream,
    "t.xlsx": _sheet,
}


def in_memory(random: Random, table: Columns) -> Any:
    """The table through one of the doors; what a library cannot hold comes in as plain lists."""
    door = random.choice(list(MEMORY))
    if door in LIBRARIES:  # which look for minutes at lists in lists in lists
        table = {name: [None if _is_deep(cell) else cell for cell in cells] for name, cells in table.items()}
    try:
        with warnings.catch_warnings():  # what the library says of odd values is none of ours
            warnings.simplefilter("ignore")
            return MEMORY[door](table)
    except BaseException:  # the library refuses to make such a table; polars panics, which is no Exception
        return table


def in_file(random: Random, table: Columns, folder: Path, damage: float) -> Path:
    """The table in a file of some format, now and then damaged."""
    ending = random.choice(list(FILES))
    try:
        content = FILES[ending](table)
    except Exception:  # what this format cannot hold
        ending = "t.jsonl"
        content = _json_lines({name: [_plain(cell) for cell in cells] for name, cells in table.items()})
    if random.random() < damage:
        content = _repacked(random, content) if ending == "t.xlsx" else damaged(random, content)
    path = folder / ending
    path.write_bytes(content)
    return path


def _plain(cell: Any) -> Any:
    """A cell that JSON can write; what it cannot is missing."""
    try:
        json.dumps(cell, default=str)
    except (TypeError, ValueError, RecursionError):
        return None
    return cell


def damaged(random: Random, content: bytes) -> bytes:
    """Bytes that were cut, changed, doubled or exchanged."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 5))):
        how, size = random.random(), max(len(changed), 1)
        place = random.randrange(size)
        if how < 0.2:
            del changed[place:]
        elif how < 0.6:
            changed[place : place + 1] = bytes([random.randrange(256)])
        elif how < 0.75:
            changed[place:place] = random.choice((b'"', b"\xff", b"\x00", b"\n", b",,,", b"\xef\xbb\xbf", b"[" * 2000))
        elif how < 0.9:
            end = place + random.randrange(40)
            changed[place:end] = changed[place:end] * 2
        else:
            changed[place : place + 8] = random.choice((b"\xff" * 8, bytes(8), b"\x7f" + b"\xff" * 7))
    return bytes(changed)


def _repacked(random: Random, content: bytes) -> bytes:
    """A spreadsheet with damage inside, where its checksums do not find it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for part in old.namelist():
            inside = old.read(part)
            new.writestr(part, damaged(random, inside) if part.endswith("sheet1.xml") else inside)
    return packed.getvalue()
