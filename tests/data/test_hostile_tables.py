"""Tables that are damaged, endless or odd: each is read as it is, or refused in a sentence; none ends the process."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from tests.data.test_files import labels, numbers, written

import adjudge
from adjudge.data.source import open_source
from adjudge.data.tables import file_formats as formats
from adjudge.data.tables import sheets, text_files
from adjudge.errors import AdjudgeError, BadValue, InputError

ROOT = Path(__file__).parents[2]
LONG = 10**5000
ODD: dict[str, Any] = {"long": LONG, "negative": -LONG, "in lists": [[LONG]], "signals": Decimal("sNaN")}
ODD |= {"escape": "\x1b[31m\u202e\n"}


def in_a_process(code: str, *arguments: object, memory: int = 0) -> subprocess.CompletedProcess[str]:
    """Python code in a process of its own, which may have no more memory than this."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))\n" if memory else ""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", limit + code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


# Arrow


def ipc(table: pa.Table) -> bytes:
    packed = io.BytesIO()
    pyarrow.feather.write_feather(table, packed, compression="uncompressed")
    return packed.getvalue()


READ_ALL = """
import sys
from adjudge.data.source import open_source
from adjudge.errors import AdjudgeError
for path in sys.argv[1:]:
    try:
        for batch in open_source(path).batches(["label"], ["score"]):
            pass
    except AdjudgeError as error:
        assert len(str(error).splitlines()) == 1
print("alive")
"""


def test_arrow_whose_offsets_lead_astray(tmp_path: Path) -> None:
    """Offsets of text beyond its buffer: read unchecked they are a segmentation fault."""
    whole = ipc(pa.table({"label": ["spam", "ham", "eggs", "spam"] * 50, "score": [0.5] * 200}))
    paths = []
    for place in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[place : place + 4] = b"\xf0\xff\xff\x7f"
        paths.append(written(tmp_path / f"{place}.feather", bytes(damaged)))
    done = in_a_process(READ_ALL, *paths)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


def test_arrow_text_is_checked_before_it_is_used(tmp_path: Path) -> None:
    text = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\xff\0\0\0\x02\0\0\0"), pa.py_buffer(b"ab")]
    )
    path = written(tmp_path / "t.arrow", ipc(pa.table({"label": text})))
    with pytest.raises(InputError, match="cannot be read"):
        labels(path, "label")
    with pytest.raises(InputError, match="cannot be read"):
        labels(pa.table({"label": text}).to_reader(), "label")


def test_an_arrow_file_that_shrinks(tmp_path: Path) -> None:
    path = written(tmp_path / "t.feather", ipc(pa.table({"label": ["a"] * 300_000, "score": [1.0] * 300_000})))
    code = """
import sys
from adjudge.data.source import open_source
from adjudge.errors import InputError
batches = open_source(sys.argv[1]).batches(["label"], ["score"], rows=1000)
next(batches)
open(sys.argv[1], "r+b").truncate(1000)
try:
    list(batches)
except InputError as error:
    print(error)
"""
    done = in_a_process(code, path)
    assert done.returncode == 0, done.stderr
    assert "cannot be read" in done.stdout or "must not change" in done.stdout


# Spreadsheets


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_one_cell_far_away(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["label", "guess"])
    book.active["XFD1048576"] = "x"
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(
        InputError, match=r"at most 20,000,000 cells, but .* reaches to row 1,048,576 and column 16,384"
    ):
        open_source(tmp_path / "far.xlsx")
    with zipfile.ZipFile(workbook(tmp_path / "t.xlsx", [["label"], ["a"]])) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].replace(
        b'<row r="2"><c r="A2"', b'<row r="99999999"><c   r="ZZZZ99999999"'
    )
    with zipfile.ZipFile(tmp_path / "beyond.xlsx", "w") as new:
        for name, content in (parts | {"xl/worksheets/sheet1.xml": sheet}).items():
            new.writestr(name, content)
    with pytest.raises(InputError, match="reaches to row 99,999,999"):
        open_source(tmp_path / "beyond.xlsx")


def test_a_sheet_too_large_to_unpack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "t.xlsx", [["label"], ["a" * 5000]])
    assert labels(path, "label") == ["a" * 5000]
    monkeypatch.setattr(sheets, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="A sheet must have at most"):
        open_source(path)


def test_rows_of_errors_are_counted(tmp_path: Path) -> None:
    rows = [["label", "guess"], ["a", "a"], ["#N/A", "#N/A"], [None, None], ["b", "b"], ["#DIV/0!", "#REF!"]]
    path = workbook(tmp_path / "t.xlsx", rows)
    assert labels(path, "label") == ["a", None, "b", None], "a row of blank cells is none, a row of errors is one"
    evaluation = adjudge.evaluate(path, reference="label", prediction="guess", replicates=100)
    assert evaluation.left_out == {'reference "label" is missing': 2}


def test_spreadsheets_that_are_none(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "empty.xlsx", "w"):
        pass
    for name, content in {"text.xlsx": b"label\n", "cut.xlsx": b"PK\x03\x04" + bytes(40)}.items():
        written(tmp_path / name, content)
    for name in ("empty.xlsx", "text.xlsx", "cut.xlsx"):
        with pytest.raises(InputError, match=name):
            open_source(tmp_path / name)


# Text


def test_json_lines_nested_deeply(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", '{"label": "a"}\n{"label": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    with pytest.raises(InputError, match=r"line 2 of .* is nested too deeply"):
        open_source(path)


def test_one_line_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Megabytes of a packed file may be gigabytes of one line: it is refused before it is held."""
    monkeypatch.setattr(formats, "CELL", 1 << 20)
    monkeypatch.setattr(formats, "_RECORD", 1 << 20)
    for name, begins in {"t.csv.gz": b"label", "t.jsonl.gz": b'{"label": "'}.items():
        path = written(tmp_path / name, gzip.compress(begins + b"x" * (1 << 22), 1))
        with pytest.raises(InputError, match="A line must be shorter than 1 MB, but line 1 of"):
            open_source(path)
    path = written(tmp_path / "second.csv.gz", gzip.compress(b"label\n" + b"x" * (1 << 22), 1))
    with pytest.raises(InputError, match="but line 2 of"):
        labels(path, "label")


def test_a_packed_line_of_gigabytes_costs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(256):
            file.write(bytes(1 << 20))
    code = """
import re, sys
from pathlib import Path
from adjudge.data.source import open_source
try:
    open_source(sys.argv[1])
except ValueError as error:
    print(error)
# What this process itself held at most: ru_maxrss counts what the one that started it held.
status = Path("/proc/self/status")
assert not status.exists() or int(re.search(r"VmHWM:\\s+([0-9]+) kB", status.read_text())[1]) < 700_000
"""
    done = in_a_process(code, path)
    assert done.returncode == 0, done.stderr
    assert "A line must be shorter than 64 MB" in done.stdout


def test_which_line_is_not_utf8(tmp_path: Path) -> None:
    """Also where a character is cut by the end of a piece."""
    for before in (b"a" * ((1 << 20) - 3), b"a\n" * 600_000):
        path = written(tmp_path / "t.jsonl", before + "é".encode() * 9 + b"\n\xff\n")
        line = before.count(b"\n") + 2
        with pytest.raises(InputError, match=rf"line {line} holds the byte 0xff"):
            raise text_files.not_utf8(path)


def test_text_of_two_bytes_a_character(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="iconv -f utf-16"):
        open_source(written(tmp_path / "t.csv", "label,guess\na,a\n".encode("utf-16")))
    with pytest.raises(InputError, match="iconv -f utf-32"):
        open_source(written(tmp_path / "u.csv", "label,guess\na,a\n".encode("utf-32")))


def test_names_that_no_file_has(tmp_path: Path, adjudge_cli: Any) -> None:
    for command in (("classification", "--reference", "a", "--prediction", "b"), ("report",), ("rsmeval",)):
        for name in ("", "\0"):
            said = adjudge_cli(command[0], name, *command[1:])
            assert (said.code, said.err.count("\n")) == (2, 1)


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "label,guess\n" + "a,a\n" * 2_000_000)
    batches = open_source(path).batches(["label", "guess"], [], 10_000)
    next(batches)
    with path.open("r+") as file:
        file.truncate(7_000_001)  # in the middle of a row, which then has one cell
    with pytest.raises(InputError, match="must not change while it is read"):
        list(batches)


def test_a_file_is_no_folder_of_outputs(tmp_path: Path, adjudge_cli: Any) -> None:
    path = written(tmp_path / "t.csv", "label,guess\n" + "a,a\nb,a\n" * 20)
    said = adjudge_cli("classification", path, "--reference", "label", "--prediction", "guess", "--csv", path / "o.csv")
    assert said.code == 2
    assert "is a file. Name another." in said.err


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "label,guess\n" + "a,a\n" * 200_000)
    source = open_source(path)
    batches = source.batches(["label"], [])
    next(batches)
    with path.open("a") as file:
        file.write("b,a\n")
    with pytest.raises(InputError, match="must not change while it is read"):
        list(batches)
    source = open_source(path)
    list(source.batches(["label"], []))
    path.write_text("label,guess\nb,b\n")
    with pytest.raises(InputError, match="must not change while it is read"):
        source.fingerprint()
    source = open_source(path)
    path.unlink()
    with pytest.raises(InputError, match=r"cannot be read: No such file"):
        source.fingerprint()


def test_what_can_be_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    for where, what in {
        str(tmp_path / "pipe.csv"): '"pipe.csv" is a pipe',
        "-": "standard input",
        "/dev/null": "device",
    }.items():
        with pytest.raises(InputError, match=f"must be a file, because it is read more than once, but .*{what}"):
            open_source(where)


# Values


def test_integers_of_128_bits() -> None:
    frame = pl.DataFrame({"label": pl.Series([1, 2**100, None], dtype=pl.Int128)})
    assert labels(frame, "label") == ["1", str(2**100), None]
    assert numbers(frame, "label") == [1.0, float(2**100), None]
    assert open_source(frame).fingerprint().startswith("sha256:")


def test_a_nul_in_a_name() -> None:
    frame = pl.DataFrame({"nul\0inside": ["a", "b"]})
    record = pl.DataFrame({"cell": [{"nul\0inside": 1}]})
    for table in (frame, frame.lazy(), narwhals.from_native(frame)):
        assert labels(table, "nul\0inside") == ["a", "b"]
    with pytest.raises(BadValue, match="Each cell must hold one value"):
        labels(record, "cell")


def test_numbers_that_signal() -> None:
    table = {"label": [Decimal("sNaN"), Decimal("NaN"), Decimal("1.5")]}
    assert labels(table, "label") == [None, None, "1.5"]
    assert numbers(table, "label") == [None, None, 1.5]


def test_integers_of_thousands_of_digits(tmp_path: Path) -> None:
    text = "1" + "0" * 5000
    assert labels({"label": [LONG, -LONG, 3]}, "label") == [text, "-" + text, "3"]
    assert numbers({"label": [LONG, 3]}, "label") == [float("inf"), 3.0]
    assert labels(pd.DataFrame({"label": [LONG, 3]}).astype("category"), "label") == [text, "3"]
    path = written(tmp_path / "t.jsonl", f'{{"label": {text}}}\n{{"label": "b"}}\n')
    assert labels(path, "label") == [text, "b"], "the same label from a file"
    table = {"label": [LONG, 3], "guess": [LONG, LONG]}
    assert adjudge.evaluate(table, reference="label", prediction="guess", replicates=100)["accuracy"].value == 0.5


@pytest.mark.parametrize(
    "setting", ["threshold", "level", "replicates", "seed", "positive", "metrics", "weight", "engine"]
)
@pytest.mark.parametrize("odd", ODD)
def test_odd_settings_are_refused_in_a_line(setting: str, odd: str) -> None:
    plain = nested = ODD[odd]
    for _ in range(2000):
        nested = [nested]
    table = {"label": [0, 1, 1], "score": [0.1, 0.5, 0.9]}
    for value in (plain, nested, {odd: nested}):
        with pytest.raises(AdjudgeError) as refused:
            adjudge.evaluate(table, reference="label", score="score", **{"replicates": 100, setting: value})
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 600


def test_odd_fields_of_a_configuration(tmp_path: Path) -> None:
    from adjudge.interop.rsmtool import run_evaluation

    usual = {"experiment_id": "e", "predictions_file": str(written(tmp_path / "p.csv", "spkitemid,sc1,m\n1,2,3\n"))}
    usual |= {"system_score_column": "m", "trim_min": 1, "trim_max": 4}
    deep: Any = []
    for _ in range(3000):
        deep = [deep]
    for odd in (LONG, deep, {"\x1b[31m": "\u202e"}):
        for field in (
            "trim_min",
            "flag_column",
            "subgroups",
            "min_n_per_group",
            "experiment_id",
            "file_format",
            "description",
            "exclude_zero_scores",
        ):
            with pytest.raises(AdjudgeError) as refused:
                run_evaluation({**usual, field: odd}, tmp_path / "out", replicates=100)
            assert str(refused.value).isprintable()
    written(tmp_path / "c.json", json.dumps(usual)[:-1] + f', "trim_tolerance": {"9" * 5000}}}')
    with pytest.raises(AdjudgeError, match="trim_tolerance"):
        run_evaluation(tmp_path / "c.json", tmp_path / "out", replicates=100)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gzip.compress(b"a,b\n1,2\n", mtime=0), "is compressed by gzip. Add .gz"),
        (b"PK\x03\x04\x14\xff\xfe", "is a spreadsheet or an archive"),
        (b"PAR1\x15\xff\xfe", "is a Parquet file"),
        ("a,b\n1,2\n".encode("utf-16-le"), "Is it UTF-16?"),
        ("a,b\n1,2\n".encode("utf-16-be"), "Is it UTF-16?"),
        (b"\xff\xfea\0", "iconv -f utf-16 "),
        (b"a,b\n\xe9,2\n", "iconv -f latin1 "),
        ("a,b\nthé,2\n".encode("utf-16-le"), "iconv -f utf-16le "),
        ("a,b\nthé,2\n".encode("utf-16-be"), "iconv -f utf-16be "),
    ],
)
def test_a_file_that_is_something_else_is_told_what(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError) as refusal:
        labels(tmp_path / "t.csv", "a")
    assert says in str(refusal.value)


@pytest.mark.parametrize("address", ["https://example.org/t.csv", "s3://bucket/t.csv"])
def test_an_address_is_no_file(address: str) -> None:
    with pytest.raises(InputError, match="nothing is fetched"):
        labels(address, "a")


@pytest.mark.parametrize(
    ("task", "roles", "number"),
    [
        ("classification", {"reference": "label", "score": "x", "positive": "b"}, 'score "x"'),
        ("regression", {"reference": "y", "prediction": "x"}, 'prediction "x"'),
        ("uplift", {"treatment": "arm", "outcome": "y", "score": "x", "control": "c"}, 'score "x"'),
        ("failures", {"exposure": "x", "failures": "count"}, 'exposure "x"'),
        ("failures", {"exposure": ["x", "y"], "failures": ["count", "other"]}, 'exposure "x"'),
    ],
)
def test_numbers_too_large_to_calculate_with_are_left_out_in_every_task(
    task: str, roles: dict[str, Any], number: str
) -> None:
    rows = 60
    table = {
        "x": [0.1, 0.9, 0.4] * (rows // 3 - 1) + [1e149, 0.2, 1e300],
        "y": [0.2, 0.7] * (rows // 2),
        "label": ["a", "b"] * (rows // 2),
        "arm": ["t", "t", "c"] * (rows // 3),
        "count": [0, 1, 2] * (rows // 3),
        "other": [1, 0, 2] * (rows // 3),
    }
    found = adjudge.evaluate(table, task, **roles, replicates=100)
    assert found.left_out[f"{number} is beyond 1e+50"] == 2
