"""The statement for Postgres, run by a server of its own on loopback: the same cells as ours."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from tests.data import test_cells_of_labels, test_cubes

from adjudge.data.cubes.cube import Cube
from adjudge.data.cubes.files import read_counted_cells
from adjudge.data.cubes.meaning import CubeMeaning, replace_meaning
from adjudge.data.cubes.sql import cells_sql
from adjudge.errors import SettingError
from adjudge.report.cubes import cube_of

Count = Callable[[dict[str, Any], CubeMeaning], Cube]
NUMBERS = {"big": "bigint"} | dict.fromkeys(("p", "q", "w", *(f"{a}{k}" for a in "pq" for k in range(3))), "float8")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def count(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Count]:
    """What loads a table, counts its cells by the statement and reads them back."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), *(Path(p) for p in os.environ["PATH"].split(":"))]
    programs = next((folder for folder in found if (folder / "initdb").exists()), None)
    is_root = os.geteuid() == 0
    if programs is None or shutil.which("psql") is None or (is_root and shutil.which("runuser") is None):
        pytest.skip("POSTGRES WAS NOT RUN: no server is installed here that can be started")
    folder = tmp_path_factory.mktemp("postgres")
    as_user = ["runuser", "-u", "postgres", "--"] if is_root else []  # it does not run as root
    data = Path(subprocess.check_output([*as_user, "mktemp", "-d"], text=True).strip())
    subprocess.run([*as_user, programs / "initdb", "-D", data, "-A", "trust", "-U", "judge", "-E", "UTF8"], check=True)
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    options = f"-h 127.0.0.1 -p {port} -k {data}"
    subprocess.run(
        [*as_user, programs / "pg_ctl", "-D", data, "-w", "-l", data / "log", "-o", options, "start"], check=True
    )

    def ask(statement: str) -> str:
        asked = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", port, "-U", "judge", "postgres"]
        return subprocess.run(asked, input=statement, text=True, check=True, stdout=subprocess.PIPE).stdout

    def counted(table: dict[str, Any], meaning: CubeMeaning) -> Cube:
        with (folder / "table.csv").open("w", newline="") as file:
            rows = zip(*table.values(), strict=True)
            csv.writer(file).writerows(["\\N" if value is None else value for value in row] for row in rows)
        columns = ", ".join(f"{_quoted(name)} {NUMBERS.get(name, 'text')}" for name in table)
        ask(f"DROP TABLE IF EXISTS judged; CREATE TABLE judged ({columns});")
        ask(f"\\copy judged FROM '{folder}/table.csv' (FORMAT csv, NULL '\\N')\n")
        cells = ask(f"COPY ({cells_sql(meaning, 'judged', 'postgres')}) TO STDOUT (FORMAT csv, HEADER)")
        (folder / "cells.csv").write_text(cells)
        return read_counted_cells(str(folder / "cells.csv"), meaning)

    yield counted
    subprocess.run([*as_user, programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], check=True)
    subprocess.run([*as_user, "rm", "-r", data], check=True)


def test_awkward_values(count: Count) -> None:
    table = test_cubes.nasty()
    test_cubes.assert_same_cells(test_cubes.counted(table), count(table, test_cubes.meaning()))


def test_a_score_for_each_label(count: Count) -> None:
    table = test_cells_of_labels.judged()
    ours = cube_of(test_cells_of_labels.evaluated(table))
    test_cells_of_labels.same_cells(ours, count(table, ours.meaning))


def test_weights_and_bags(count: Count, tmp_path: Path) -> None:
    """Bags of SQL are by MD5, those of tables by another hash: DuckDB counts beside."""
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = test_cells_of_labels.judged()
    roles = {"score": test_cells_of_labels.scores(), "weight": "w", "cluster": "who"}
    meaning = cube_of(test_cells_of_labels.evaluated(table, **roles), 2).meaning
    with duckdb.connect() as database:
        database.register("judged", pa.table(table))
        cells = database.sql(cells_sql(meaning, "judged", "duckdb")).to_arrow_table()
    pq.write_table(cells, tmp_path / "cells.parquet")
    test_cells_of_labels.same_cells(read_counted_cells(str(tmp_path / "cells.parquet"), meaning), count(table, meaning))


def test_names_that_postgres_cuts_off() -> None:
    with pytest.raises(SettingError, match=r'at most 63 bytes.*"ééé'):
        cells_sql(replace_meaning(test_cubes.meaning(), slices=("é" * 32,)), "judged", "postgres")
