"""One messy table in every format: the same rows, as each format can hold them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

NAMES = ["the label", "score, new", "old", "where", "kind", "weight", ""]
PLACES = [
    "</script><script>alert(1)</script>",
    "🐸",
    "St. Ives",
    "NA",
    None,
    "01",
    "line 1\nline 2",
    'say "hi", ok',
    "=1+1",
]
SETTINGS = [
    "--reference=the label",
    "--system",
    "new",
    "score=score, new",
    "--system",
    "old",
    "score=old",
    "--weight=weight",
    "--positive=😀 yes",
    "--slices",
    "where",
    "where × kind",
    "--replicates=100",
]


def rows() -> list[list[str | None]]:
    """240 rows of text cells; None is an empty cell."""
    made: list[list[str | None]] = []
    for row in range(240):
        positive = (row * 7919) % 5 < 2
        new = ((row * 104729) % 97) / 97 * 0.7 + 0.3 * positive
        cells: list[str | None] = [
            "😀 yes" if positive else "None",
            f"{new:.4f}",
            f"{((row * 1299709) % 89) / 89:.3f}",
            PLACES[row % len(PLACES)],
            "NaN" if row % 3 else "x × y",
            str(1 + row % 4),
            str(row),
        ]
        if row % 40 == 3:
            cells[1] = "n/a"
        if row % 40 == 5:
            cells[0] = None
        if row % 40 == 11:
            cells[2] = None
        made.append(cells)
    return made


def comma_separated(part: list[list[str | None]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(NAMES)
    writer.writerows([["" if cell is None else cell for cell in row] for row in part])
    return "\ufeff" + text.getvalue()


def arrow(part: list[list[str | None]]) -> pa.Table:
    return pa.table({name: pa.array([row[place] for row in part], pa.string()) for place, name in enumerate(NAMES)})


def write_csv(folder: Path) -> Path:
    (folder / "messy.csv").write_bytes(comma_separated(rows()).encode())
    return folder / "messy.csv"


def write_gz(folder: Path) -> Path:
    (folder / "messy.csv.gz").write_bytes(gzip.compress(comma_separated(rows()).encode()))
    return folder / "messy.csv.gz"


def write_glob(folder: Path) -> Path:
    for number in range(3):
        part = rows()[80 * number : 80 * number + 80]
        (folder / f"part-{number}.csv").write_bytes(comma_separated(part).encode())
    return folder / "part-*.csv"


def write_parquet_folder(folder: Path) -> Path:
    for number in range(2):
        pq.write_table(
            arrow(rows()[120 * number : 120 * number + 120]), folder / f"{number}.parquet", row_group_size=50
        )
    return folder


def write_json_lines(folder: Path) -> Path:
    records: list[dict[str, Any]] = [dict(zip(NAMES, row, strict=True)) for row in rows()]
    (folder / "messy.jsonl").write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return folder / "messy.jsonl"


def write_sheet(folder: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    for cells in [[*NAMES[:-1], "row"], *rows()]:
        sheet.append(cells)
    for row in sheet.iter_rows():
        for cell in row:
            cell.data_type = "s" if cell.value is not None else "n"  # "=1+1" is a label, not a formula
    book.save(folder / "messy.xlsx")
    return folder / "messy.xlsx"


WRITERS = {
    "csv": write_csv,
    "csv.gz": write_gz,
    "pattern": write_glob,
    "parquet folder": write_parquet_folder,
    "jsonl": write_json_lines,
    "xlsx": write_sheet,
}
