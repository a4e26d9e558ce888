"""Cells that SQL counts with weights, clusters and thresholds: what they tell is what the rows tell."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.test_cube_meanings import estimates, scored
from tests.engines.clusters import needs_spark, spark

import adjudge
from adjudge.data.cubes.files import read_counted_cells
from adjudge.data.cubes.meaning import CubeMeaning, CubeSystem, grids_of
from adjudge.data.cubes.sql import DIALECTS, cells_sql

EXACT = ("accuracy", "precision", "recall", "f_score", "log_loss", "brier_score")
ROLES = ["--reference", "label", "--score", "p", "--positive", "yes", "--slices", "site"]


def counted(adjudge_cli: Any, folder: Path, table: dict[str, Any], *more: str, ending: str = "parquet") -> str:
    """The file of what DuckDB counted by the statement that was printed."""
    statement = adjudge_cli("cells", "judged", "--sql", "duckdb", *ROLES, *more).out
    with duckdb.connect() as database:
        database.register("judged", pa.table(table))
        result = database.sql(statement)
        path = folder / f"cells.{ending}"
        pq.write_table(result.to_arrow_table(), path) if ending == "parquet" else result.write_csv(str(path))
    return str(path)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize(
    "units",
    [
        {"cluster": "who"},
        {"weight": "w", "cluster": "who"},
        {"weight": "w", "id": "row"},
        {"threshold": 0.3},
        {"threshold": 1 / 3, "weight": "w", "id": "row"},
    ],
)
def test_duckdb_counts_weights_and_units(units: dict[str, Any], ending: str, tmp_path: Path, adjudge_cli: Any) -> None:
    table = {**scored(3_000), "row": list(range(3_000))}
    table["who"] = [None if k % 200 == 7 else who for k, who in enumerate(table["who"])]
    rows = adjudge.evaluate(
        table, reference="label", score="p", positive="yes", slices=["site"], replicates=100, **units
    )
    typed = [word for role, value in units.items() for word in (f"--{role}", str(value))]
    cells = counted(adjudge_cli, tmp_path, table, *typed, ending=ending)
    saved = str(tmp_path / "x.saved")
    told = adjudge_cli("cells", "--from-cells", cells, *ROLES, *typed, "--replicates", "100", "--save", saved)
    assert (told.code, told.err) == (0, "")
    evaluation = adjudge.load(saved)
    ours, theirs = estimates(evaluation, EXACT), estimates(rows, EXACT)
    assert len(ours) > 20
    assert ours == pytest.approx(theirs, rel=1e-9, nan_ok=True)
    data, other = evaluation.outcome.data, rows.outcome.data
    assert (data.rows, data.used, data.left_out) == (other.rows, other.used, other.left_out)
    wide = [row for row in evaluation.table if row.metric == "accuracy" and row.slice == "all" and row.low < row.high]
    assert wide


def test_units_are_in_all_bags_and_in_one_each() -> None:
    meaning = CubeMeaning(
        task="classification",
        reference="label",
        systems=(CubeSystem("m", "label"),),
        slices=("who",),
        cluster="who",
        bags=64,
    )
    with duckdb.connect() as database:
        database.register("judged", pa.table({"label": ["a"] * 4_000, "who": [f"k{k // 2}" for k in range(4_000)]}))
        cells = database.sql(cells_sql(meaning, "judged", "duckdb")).to_arrow_table().to_pydict()
    assert {*cells["bag"]} == {*range(64)}
    assert cells["n"] == [2] * 2_000
    assert max(map(cells["bag"].count, range(64))) < 2 * 2_000 / 64
    for dialect in DIALECTS:
        assert '"bag"' in (statement := cells_sql(meaning, "t", dialect)) or "`bag`" in statement


def test_rows_without_a_weight_are_refused(tmp_path: Path, adjudge_cli: Any) -> None:
    typed = ["--weight", "w", "--cluster", "who"]
    for odd in (None, -1.0, math.nan, math.inf):
        table = scored(200)
        table["w"][3] = odd
        cells = counted(adjudge_cli, tmp_path, table, *typed)
        told = adjudge_cli("cells", "--from-cells", cells, *ROLES, *typed)
        assert (told.code, "must all have a weight" in told.err) == (2, True)
    for wrong, sentence in (
        (["--weight", "w"], "must go with `--cluster` or `--id`"),
        (["--threshold", "0.3", "0.4"], "one for each of the 1 systems"),
        (["--cluster", "site"], "must not be what rows are drawn by"),
    ):
        told = adjudge_cli("cells", "judged", "--sql", "duckdb", *ROLES, *wrong)
        assert (told.code, told.out, sentence in told.err) == (2, "", True)


def test_advice_names_only_options_that_there_are(tmp_path: Path, adjudge_cli: Any) -> None:
    """No --items of cells, which hold no rows; words for what is missing are taken where they are advised."""
    table = scored(3_000)
    table["label"] = ["" if k % 9 == 4 else label for k, label in enumerate(table["label"])]
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    cube, cells = str(tmp_path / "t.cube"), counted(adjudge_cli, tmp_path, table)
    typed = ["classification", str(tmp_path / "t.parquet"), *ROLES, "--quiet", "--replicates", "100"]
    assert adjudge_cli(*typed, "--save-cube", cube).code == 0
    for command in (["reslice", cube, "--slices", "site"], ["cells", "--from-cells", cells, *ROLES]):
        for more in ([], ["--all"]):
            told = adjudge_cli(*command, *more, "--replicates", "100")
            assert told.code == 0
            assert "--items" not in told.out
            assert "missing=[" not in told.out
        saved = str(tmp_path / "x.saved")
        typed = [*command, "--missing", "", "--ok", "C10", "--level", "0.9", "--replicates", "100", "--save", saved]
        assert adjudge_cli(*typed).code == 0
        left = adjudge.load(saved).outcome
        assert (left.data.used, left.settings.level) == (2_667, 0.9)
    told = adjudge_cli("reslice", cube, "--items", str(tmp_path / "x.csv"))
    assert (told.code, "has no option --items" in told.err) == (2, True)


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_spark_counts_the_same_weights_and_bags(tmp_path: Path) -> None:
    needs_spark()
    table = scored(2_000)
    table["who"] = [None if k % 200 == 7 else f"日本 {who}" for k, who in enumerate(table["who"])]
    systems = (CubeSystem("p", None, "p"),)
    meaning = CubeMeaning(
        task="classification",
        reference="label",
        systems=systems,
        slices=("site",),
        settings={"threshold": [0.3]},
        positive="yes",
        weight="w",
        cluster="who",
        bags=64,
        grids=grids_of(systems, [0.3]),
    )
    pq.write_table(pa.table(table), tmp_path / "judged.parquet")
    spark().read.parquet(str(tmp_path / "judged.parquet")).createOrReplaceTempView("judged")
    spark().sql(cells_sql(meaning, "judged", "spark")).coalesce(1).write.parquet(str(tmp_path / "cells"))
    with duckdb.connect() as database:
        database.register("judged", pa.table(table))
        pq.write_table(database.sql(cells_sql(meaning, "judged", "duckdb")).to_arrow_table(), tmp_path / "duck.parquet")
    one, two = (read_counted_cells(str(tmp_path / name), meaning) for name in ("cells", "duck.parquet"))
    assert {name: text.codes.tolist() for name, text in one.labels.items()} == {
        name: text.codes.tolist() for name, text in two.labels.items()
    }
    assert (one.cells["p"].tolist(), one.n.tolist()) == (two.cells["p"].tolist(), two.n.tolist())
    for name, sums in one.sums.items():
        np.testing.assert_allclose(sums, two.sums[name], rtol=1e-12)
