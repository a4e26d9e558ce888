"""Cells of a score for each label, crossed: what they tell is what the rows tell, exactly or within what is printed."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.clusters import needs_spark, spark

import adjudge
from adjudge.data.cubes.cube import Cube
from adjudge.data.cubes.files import read_counted_cells, read_cube
from adjudge.data.cubes.grid import BEYOND
from adjudge.data.cubes.meaning import WEIGHTS, CubeMeaning, CubeSystem, check_meaning
from adjudge.data.cubes.privacy import with_at_least
from adjudge.data.cubes.sql import cells_sql
from adjudge.errors import InputError, SettingError
from adjudge.report.cubes import cube_of, evaluate_cube

LABELS = ("NA", "日本", "it's \\ </script>")
EXACT = ("accuracy", "precision", "recall", "f_score", "cohen_kappa", "log_loss", "brier_score")
BOUND = re.compile(r"scores in \d+ cells: within ([0-9.e-]+) of the (?:value|difference) of all scores")
ASKED: dict[str, Any] = {"replicates": 100, "ok": ["C3", "C5"]}


def judged(rows: int = 4_000, seed: int = 1) -> dict[str, Any]:
    """Three labels with a probability each, on edges of cells, in ties, missing, infinite and no number."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, rows)
    table: dict[str, Any] = {
        "y": [None if k == 1 else LABELS[label] for k, label in zip(random.integers(0, 60, rows), truth, strict=True)],
        "site": random.choice(["🙂", "a.b"], rows).tolist(),
        "who": [f"p{k}" for k in random.integers(0, 400, rows)],
        "w": random.choice([0.5, 1.0, 2.0], rows),
    }
    odd = {7: None, 11: math.nan, 13: math.inf, 17: -math.inf}
    for name, sharp in (("p", 2.0), ("q", 1.0)):
        logits = sharp * (random.normal(size=(rows, 3)) + 1.5 * np.eye(3)[truth])
        share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        share[:200] = np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.5], [1 / 3, 1 / 3, 1 / 3], [1.0, -0.0, 0.0]])[
            random.integers(0, 4, 200)
        ]
        # Nobody is certain of what does not happen: an infinite loss would hide all others.
        share[:200][share[np.arange(200), truth[:200]] == 0] = 1 / 3
        for k in range(3):
            table[f"{name}{k}"] = [odd.get(row % (211 + k), value) for row, value in enumerate(share[:, k].tolist())]
    return table


def scores(name: str = "p") -> dict[str, str]:
    return {label: f"{name}{k}" for k, label in enumerate(LABELS)}


def evaluated(table: dict[str, Any], **roles: Any) -> Any:
    return adjudge.classification(table, reference="y", slices=["site"], **{**ASKED, **(roles or {"score": scores()})})


def written(cube: Cube, folder: Path) -> Cube:
    path = folder / "a.cube.parquet"
    path.write_bytes(cube.to_bytes())
    again = read_cube(str(path))
    assert again.to_bytes() == cube.to_bytes()
    return again


def figures(evaluation: Any) -> dict[tuple[str, ...], Any]:
    return {(r.system, r.slice, r.category, r.metric, r.method, r.baseline or ""): r for r in evaluation.table}


@pytest.mark.parametrize(
    ("roles", "bits"),
    [
        ({"score": scores()}, None),
        ({"score": scores()}, 3),
        ({"prediction": "y", "score": scores()}, 4),
        ({"score": scores(), "cluster": "who"}, 2),
        ({"score": scores(), "weight": "w"}, 2),
        ({"systems": {"a": {"score": scores()}, "b": {"score": scores("q")}}}, 2),
    ],
    ids=["usual", "coarse", "decided", "clusters", "weights", "two systems"],
)
def test_cells_tell_what_rows_tell(roles: dict[str, Any], bits: int | None, tmp_path: Path) -> None:
    rows = evaluated(judged(), **{**roles, **({"ok": ["C1", "C3", "C5"]} if "prediction" in roles else {})})
    cube = written(cube_of(rows, bits), tmp_path)
    cells = evaluate_cube(cube, ["site"], **{**ASKED, "ok": [f"C{k}" for k in range(1, 43)]})
    assert cells.outcome.data.left_out == rows.outcome.data.left_out
    theirs, within = figures(cells), set()
    for key, row in figures(rows).items():
        if key not in theirs or math.isnan(row.estimate):
            continue
        metric, told = key[3].split("(")[0], theirs[key]
        if metric in EXACT:
            assert told.estimate == pytest.approx(row.estimate, abs=1e-12)
        elif bound := BOUND.search(told.note):
            assert abs(told.estimate - row.estimate) <= float(bound[1])
            within.add(metric)
        else:
            assert told.estimate == pytest.approx(row.estimate, abs=1e-12), key
    assert {"roc_auc", "average_precision", "calibration_error"} <= within


def test_limits_are_near_those_of_the_rows() -> None:
    """Draws are others, of the same rows; formulas know losses by cell."""
    rows = evaluated(judged(), score=scores(), replicates=1_000)
    cells = figures(evaluate_cube(cube_of(rows), ["site"], **{**ASKED, "replicates": 1_000}))
    for key, row in figures(rows).items():
        if key[3] in ("accuracy", "log_loss", "brier_score", "roc_auc") and key[4] in ("bootstrap", "rubin", "delong"):
            told = cells[key]
            assert told.high - told.low == pytest.approx(row.high - row.low, rel=0.1), key


def test_days_add_up_to_the_week() -> None:
    table = judged()
    halves = [{name: column[part] for name, column in table.items()} for part in (slice(0, 2_000), slice(2_000, None))]
    one, two, whole = (cube_of(evaluated(part), 3) for part in (*halves, table))
    both = one + two
    assert both.n.tolist() == whole.n.tolist()
    for name in whole.sums:
        np.testing.assert_allclose(both.sums[name], whole.sums[name], rtol=1e-12)
    with pytest.raises(InputError, match="grids"):
        _ = one + cube_of(evaluated(halves[1]), 4)


def same_cells(one: Cube, two: Cube) -> None:
    for name, text in one.labels.items():
        assert (text.labels, text.codes.tolist()) == (two.labels[name].labels, two.labels[name].codes.tolist())
    assert one.n.tolist() == two.n.tolist()
    if WEIGHTS in one.sums:
        np.testing.assert_allclose(one.sums[WEIGHTS], two.sums[WEIGHTS], rtol=1e-12)
    for name, cells in one.cells.items():
        assert cells.tolist() == two.cells[name].tolist()
        known = cells > BEYOND
        np.testing.assert_allclose(one.sums[name][known], two.sums[name][known], rtol=1e-12, atol=1e-12)


def test_duckdb_counts_the_same_cells(tmp_path: Path, adjudge_cli: Any) -> None:
    table = judged()
    ours = cube_of(evaluated(table))
    asked = [
        "--reference",
        "y",
        "--slices",
        "site",
        "--score",
        *(f"{label}={name}" for label, name in scores().items()),
    ]
    with duckdb.connect() as database:
        database.register("judged", pa.table(table))
        statement = adjudge_cli("cells", "judged", "--sql", "duckdb", *asked).out
        pq.write_table(database.sql(statement).to_arrow_table(), tmp_path / "cells.parquet")
    same_cells(ours, read_counted_cells(str(tmp_path / "cells.parquet"), ours.meaning))
    told = adjudge_cli("cells", "--from-cells", str(tmp_path / "cells.parquet"), *asked, "--ok", "C3", "C5")
    assert told.code == 0
    assert "3,740 rows, 260 left out" in told.out


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_spark_counts_the_same_cells(tmp_path: Path) -> None:
    needs_spark()
    ours = cube_of(evaluated(table := judged()))
    pq.write_table(pa.table(table), tmp_path / "judged.parquet")
    spark().read.parquet(str(tmp_path / "judged.parquet")).createOrReplaceTempView("judged_labels")
    statement = cells_sql(ours.meaning, "judged_labels", "spark")
    spark().sql(statement).coalesce(1).write.parquet(str(tmp_path / "cells"))
    same_cells(ours, read_counted_cells(str(tmp_path / "cells"), ours.meaning))


def test_too_many_cells_are_refused_and_shared_ones_are_not_small() -> None:
    rows = evaluated(judged(9_000))
    with pytest.raises(SettingError, match=r"9,000 rows make [\d,]+ cells, because the scores of 3 labels are crossed"):
        cube_of(rows, 12)
    cube = cube_of(rows, 3)
    shared = with_at_least(cube, 10)
    assert cube.n.min() < 10 <= shared.n.min()
    exact = {key: row.estimate for key, row in figures(evaluate_cube(cube, **ASKED)).items() if key[3] in EXACT}
    told = figures(evaluate_cube(shared, **ASKED))
    assert all(told[key].estimate == pytest.approx(value, abs=1e-12) for key, value in exact.items())


def test_systems_and_labels_need_names_that_differ() -> None:
    systems = (CubeSystem("a", "guess", None, {"x:y": "p", "z": "q"}), CubeSystem("a:x", "other", None, {"y": "r"}))
    with pytest.raises(SettingError, match='"a:x:y" is two'):
        check_meaning(CubeMeaning(task="classification", reference="y", systems=systems, slices=()))


@pytest.mark.parametrize("name", ["cell:m:a", "loss_sum:m:b", "n", "bag", "reference", "w2"])
def test_a_slice_is_no_other_column_of_the_file(name: str) -> None:
    systems = (CubeSystem("m", "guess", None, {"a": "p", "b": "q"}),)
    with pytest.raises(SettingError, match="must not be called"):
        check_meaning(CubeMeaning(task="classification", reference="y", systems=systems, slices=(name,), weight="how"))
