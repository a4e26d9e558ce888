"""Cells of tables: counted here or by SQL, saved, added, sliced again; what they tell is what the rows tell."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.clusters import needs_spark, spark

import adjudge
from adjudge.data.cubes.files import read_counted_cells, read_cube
from adjudge.data.cubes.grid import CubeGrid, grid_of
from adjudge.data.cubes.meaning import KEY, CubeMeaning, CubeSystem, replace_meaning
from adjudge.data.cubes.privacy import smallest, with_at_least
from adjudge.data.cubes.sql import DIALECTS, cells_sql
from adjudge.errors import InputError, SettingError
from adjudge.report.cubes import cube_of, evaluate_cube

GOLDEN = Path(__file__).parent / "format_1.cube.parquet"
LABELS = ("NA", "none", "日本", 'it\'s "so"\\')


def nasty(rows: int = 3_000, seed: int = 1) -> dict[str, list[Any]]:
    """Labels and names that mean something elsewhere, halves, edges of cells, both zeros, what is no number."""
    random = np.random.default_rng(seed)
    score = random.choice([0.0, -0.0, 0.5, 0.25, 1.0, 1 / 3, 0.1, 2**-13, 0.999999], rows)
    odd = {7: None, 11: math.nan, 13: math.inf, 17: -math.inf}
    return {
        'it\'s "label"': [None if k % 50 == 3 else LABELS[k % 4] for k in random.integers(0, 1_000, rows)],
        "guess": [LABELS[k] for k in random.integers(0, 4, rows)],
        "p": [odd.get(row % 101, float(value)) for row, value in enumerate(score)],
        "q": random.random(rows).tolist(),
        "big": [int(2**53 + k) for k in random.integers(0, 3, rows)],
        "where": [None if k == 0 else "🙂" if k == 1 else "a.b" for k in random.integers(0, 3, rows)],
    }


ROLES: dict[str, Any] = {
    "reference": 'it\'s "label"',
    "systems": {"m": {"prediction": "guess", "score": "p"}},
    "slices": ["where", "big"],
    "positive": LABELS[3],
    "replicates": 100,
    "ok": ["C3", "C5"],
}


def meaning() -> CubeMeaning:
    return CubeMeaning(
        task="classification",
        reference=ROLES["reference"],
        systems=(CubeSystem("m", "guess", "p"),),
        slices=("where", "big"),
        positive=ROLES["positive"],
    )


def counted(table: dict[str, list[Any]], **more: Any) -> Any:
    return cube_of(adjudge.evaluate(table, **{**ROLES, **more}))


def assert_same_cells(one: Any, two: Any, tolerance: float = 1e-12) -> None:
    for name, text in one.labels.items():
        assert text.labels == two.labels[name].labels
        assert text.codes.tolist() == two.labels[name].codes.tolist()
    assert {name: cells.tolist() for name, cells in one.cells.items()} == {
        name: cells.tolist() for name, cells in two.cells.items()
    }
    assert one.n.tolist() == two.n.tolist()
    usable = one.cells["m"] > -(2**31) + 3
    np.testing.assert_allclose(one.sums["m"][usable], two.sums["m"][usable], rtol=tolerance, atol=tolerance)


def test_duckdb_counts_the_same_cells(tmp_path: Path) -> None:
    table = nasty()
    judged = pa.table(table)
    with duckdb.connect() as database:
        database.register('odd "name"', judged)
        result = database.sql(cells_sql(meaning(), 'odd "name"', "duckdb")).to_arrow_table()
    pq.write_table(result, tmp_path / "cells.parquet")
    ours, theirs = counted(table), read_counted_cells(str(tmp_path / "cells.parquet"), meaning())
    assert int(theirs.n.sum()) == len(table["p"])
    assert_same_cells(ours, theirs)
    here, there = (evaluate_cube(cube, ["where"], replicates=100, ok=["C3", "C5"]) for cube in (ours, theirs))
    assert here.outcome.data.left_out == there.outcome.data.left_out
    assert [row[:4] for row in map(tuple_of, here.table)] == [row[:4] for row in map(tuple_of, there.table)]


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_spark_counts_the_same_cells(tmp_path: Path) -> None:
    needs_spark()
    table = nasty()
    pq.write_table(pa.table(table), tmp_path / "judged.parquet")
    spark().read.parquet(str(tmp_path / "judged.parquet")).createOrReplaceTempView("judged")
    spark().sql(cells_sql(meaning(), "judged", "spark")).coalesce(1).write.parquet(str(tmp_path / "cells"))
    assert_same_cells(counted(table), read_counted_cells(str(tmp_path / "cells"), meaning()))


def tuple_of(row: Any) -> tuple[Any, ...]:
    return row.system, row.slice, row.category, row.metric, row.estimate


def test_every_dialect_quotes_names_and_labels() -> None:
    for dialect in DIALECTS:
        statement = cells_sql(meaning(), "a.b", dialect)
        assert "GROUP BY 1, 2, 3, 4, 5" in statement
        assert ("''s" in statement) != ("\\'s" in statement)
    with pytest.raises(SettingError, match="`sql` must be one of"):
        cells_sql(meaning(), "t", "oracle")


EXACT = ("accuracy", "precision", "recall", "specificity")


def usable(reference: Any, score: Any) -> bool:
    return reference is not None and score is not None and math.isfinite(score)


def rows_of(evaluation: Any) -> dict[Any, Any]:
    return {(row.system, row.slice, row.category, row.metric, row.method): row for row in evaluation.table}


def test_a_cube_tells_what_the_rows_tell() -> None:
    """Everything of labels and losses exactly; areas within the bound that is printed."""
    table = nasty(6_000)
    roles = {**ROLES, "systems": {"m": {"prediction": "guess", "score": "q"}}}
    rows = adjudge.evaluate(table, **roles)
    cells = evaluate_cube(cube_of(rows), ["where", "big"], replicates=100, ok=["C3", "C5"])
    assert cells.outcome.data.left_out == rows.outcome.data.left_out
    assert (cells.outcome.data.rows, cells.outcome.data.used) == (rows.outcome.data.rows, rows.outcome.data.used)
    ours, theirs = rows_of(cells), rows_of(rows)
    assert ours.keys() == theirs.keys()
    exact = ("accuracy", "precision", "recall", "f_score", "cohen_kappa", "matthews_correlation", "specificity")
    for key, row in ours.items():
        other, metric = theirs[key], key[3].removeprefix("baseline_")
        if metric in exact:
            assert row.estimate == other.estimate or math.isnan(row.estimate)
            if key[4] != "bootstrap":
                assert (row.low, row.high) == (other.low, other.high) or math.isnan(row.low)
        if metric == "calibration_error":  # a cell at the edge of two bins goes to one of them
            assert row.estimate == pytest.approx(other.estimate, abs=2e-3)
        if bounds := re.findall(r"within ([0-9.e-]+) of", row.note):
            assert abs(row.estimate - other.estimate) <= float(bounds[0])
        if metric in ("log_loss", "brier_score"):
            assert row.estimate == pytest.approx(other.estimate, rel=1e-9)
        if key[3] == "roc_auc":
            bound = float(re.findall(r"within ([0-9.e-]+)", row.note)[0])
            assert abs(row.estimate - other.estimate) <= bound < 1e-3


def test_two_systems_are_drawn_on_the_same_cells() -> None:
    table = nasty(4_000)
    roles = {**ROLES, "systems": {"m": {"prediction": "guess"}, "k": {"prediction": "other"}}}
    table["other"] = [LABELS[k] for k in np.random.default_rng(5).integers(0, 4, 4_000)]
    del roles["positive"]
    rows = adjudge.evaluate(table, **roles)
    cells = evaluate_cube(cube_of(rows), ["where", "big"], replicates=100, ok=["C3", "C5"])
    assert repr(cells.table) == repr(rows.table)


@pytest.mark.parametrize("units", [{"cluster": "who"}, {"weight": "w"}, {"weight": "w", "cluster": "who"}])
def test_weights_and_clusters_are_kept_in_bags(units: dict[str, str], tmp_path: Path) -> None:
    """Estimates are those of the rows; doubt is over 64 bags, each a cluster; days add up, and files read back."""
    random = np.random.default_rng(3)
    days = [nasty(1_500, seed) for seed in (1, 2)]
    for day in days:
        day["w"], day["who"] = random.gamma(2.0, 1.0, 1_500).tolist(), [f"k{k}" for k in random.integers(0, 300, 1_500)]
    week = {name: days[0][name] + days[1][name] for name in days[0]}
    exact = ["accuracy", "precision", "recall", "f_score", "cohen_kappa", "log_loss", "brier_score"]
    roles = {**ROLES, "systems": {"m": {"prediction": "guess", "score": "q"}}, "metrics": exact, **units}
    rows, parts = adjudge.evaluate(week, **roles), [cube_of(adjudge.evaluate(day, **roles)) for day in days]
    cube = parts[0] + parts[1]
    assert {*cube.labels["bag"].labels} <= {str(bag) for bag in range(64)}
    (tmp_path / "x.parquet").write_bytes(cube.to_bytes())
    assert pq.read_schema(tmp_path / "x.parquet").field("bag").type == pa.uint8()
    asked = {"metrics": exact, "replicates": 100, "ok": ["C3", "C5"]}
    cells = evaluate_cube(read_cube(str(tmp_path / "x.parquet")), ["where"], **asked)
    assert (cells.outcome.data.rows, cells.outcome.data.used) == (rows.outcome.data.rows, rows.outcome.data.used)
    assert cells.outcome.data.left_out == rows.outcome.data.left_out
    ours, theirs = rows_of(cells), rows_of(rows)
    compared = [key for key in ours if key[3] in exact and key[4] == "bootstrap"]
    assert len(compared) > 20
    for key in compared:
        assert ours[key].estimate == pytest.approx(theirs[key].estimate, rel=1e-9, nan_ok=True)
        assert ours[key].n == theirs[key].n
        assert math.isnan(ours[key].low) or ours[key].low < ours[key].high
    assert smallest(with_at_least(cube, 10)) >= 10


def test_laws_of_adding() -> None:
    """Days add up to the week, in any order; the same day twice is refused; other roles too."""
    days = [nasty(500, seed) for seed in (1, 2, 3)]
    week = {name: [value for day in days for value in day[name]] for name in days[0]}
    a, b, c = (counted(day) for day in days)
    for one, two in (((a + b) + c, a + (b + c)), (a + b, b + a), ((a + b) + c, counted(week))):
        assert_same_cells(one, two)
    with pytest.raises(InputError, match="counted once"):
        _ = (a + b) + a
    with pytest.raises(InputError, match="same roles and cells"):
        _ = a + cube_of(adjudge.evaluate(days[1], **ROLES), 8)


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    first, again = counted(nasty()).to_bytes(), counted(nasty()).to_bytes()
    assert first == again
    path = tmp_path / "x.cube.parquet"
    path.write_bytes(first)
    cube = read_cube(str(path))
    assert cube.to_bytes() == first
    assert cube.meaning.sources == {adjudge.evaluate(nasty(), **ROLES).outcome.data.fingerprint: "a dict of columns"}


def test_the_golden_file_of_format_1_is_read() -> None:
    """Written when the format was made; every later version must read it. It also holds a member nobody knows."""
    cube = read_cube(str(GOLDEN))
    assert cube.more == {"note": "from a later version"}
    assert_same_cells(cube, counted(nasty()))
    table = nasty()
    right = [
        g == r for r, g, p in zip(table[ROLES["reference"]], table["guess"], table["p"], strict=True) if usable(r, p)
    ]
    told = evaluate_cube(cube, ["where"], replicates=100, ok=["C3", "C5"])
    assert told["accuracy"].value == sum(right) / len(right) == 766 / 2_821
    rows = adjudge.evaluate(table, **{**ROLES, "slices": ["where"]})
    assert [tuple_of(row) for row in told.table if row.metric in EXACT] == [
        tuple_of(row) for row in rows.table if row.metric in EXACT
    ]
    assert (told.outcome.data.rows, told.outcome.data.left_out) == (rows.outcome.data.rows, rows.outcome.data.left_out)
    assert (cube + counted(nasty(500, 2))).more == cube.more


def test_files_that_are_no_cubes_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [1]}), tmp_path / "plain.parquet")
    with pytest.raises(InputError, match="does not say what its cells mean"):
        read_cube(str(tmp_path / "plain.parquet"))
    later = counted(nasty())
    later = type(later)(
        replace_meaning(later.meaning, format="adjudge.cube/2"), later.labels, later.cells, later.sums, later.n
    )
    (tmp_path / "later.parquet").write_bytes(later.to_bytes())
    with pytest.raises(InputError, match="must be of the format"):
        read_cube(str(tmp_path / "later.parquet"))
    with pytest.raises(InputError, match="`cells` must name a column"):
        read_counted_cells(str(tmp_path / "plain.parquet"), meaning())


def test_cells_finer_than_any_score_are_refused(tmp_path: Path) -> None:
    evaluation = adjudge.evaluate(nasty(), **ROLES)
    for bits in (0, 25, 5_000, 12.5):
        with pytest.raises(SettingError, match="`bits` must be a whole number from 1 to 24"):
            cube_of(evaluation, bits)  # type: ignore[arg-type]
    cube = counted(nasty())
    for grid, told in (
        (CubeGrid(k=5_000), "scores cannot be in cells of 1/2\\^5000"),
        (CubeGrid(kind="spline"), "cells of the kind"),
        (CubeGrid(edges=(0.3, 0.2)), "must be numbers that rise"),
        (CubeGrid(edges=(0.3,), digest=grid_of(12, [0.2]).digest), "is not theirs"),
    ):
        finer = replace(cube, meaning=replace_meaning(cube.meaning, grids={"m": grid}))
        (tmp_path / "finer.parquet").write_bytes(finer.to_bytes())
        with pytest.raises(InputError, match=told):
            read_cube(str(tmp_path / "finer.parquet"))


def test_small_cells_are_joined_until_none_is_small() -> None:
    """No cell of the file, those of predictions and scores among them; rows that are left out are not in it."""
    rows = adjudge.evaluate(nasty(400), **ROLES)
    cube = cube_of(rows)
    assert smallest(cube) < 10
    shared = with_at_least(cube, 10)
    assert smallest(shared) == shared.n.min() >= 10
    assert int(shared.n.sum()) == rows.outcome.data.used == 372
    assert shared.meaning.merged
    assert (shared.meaning.min_cell, shared.meaning.rows_read, shared.meaning.left_out) == (10, 372, {})
    again = evaluate_cube(shared, replicates=100, ok=["C3", "C5"])
    for metric in ("accuracy", "brier_score"):
        assert again[metric].value == pytest.approx(rows[metric].value, rel=1e-12)
    with pytest.raises(InputError, match="rows at least to be shared"):
        with_at_least(cube, 401)


def rated(rows: int = 400, seed: int = 1) -> dict[str, list[Any]]:
    """Three raters with gaps and odd labels, and two slices."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, rows)

    def said(right: float) -> list[Any]:
        heard = np.where(random.random(rows) < right, truth, random.integers(0, 4, rows))
        return [None if random.random() < 0.1 else LABELS[k] for k in heard]

    where = [None if k == 0 else "🙂" if k == 1 else "a.b" for k in random.integers(0, 3, rows)]
    return {"ann": said(0.9), "ben": said(0.7), "eva": said(0.6), "where": where, "day": ["x", "y"] * (rows // 2)}


def test_a_cube_of_ratings_tells_what_the_items_tell(tmp_path: Path) -> None:
    """Numbers, limits and what was left out; days add up and are counted once, small slices are joined."""
    roles = {"raters": ["ann", "ben", "eva"], "slices": ["where", "day"], "replicates": 100}
    days = [rated(seed=seed) for seed in (1, 2)]
    week = {name: days[0][name] + days[1][name] for name in days[0]}
    parts = [cube_of(adjudge.agreement(day, **roles)) for day in days]
    (tmp_path / "x.parquet").write_bytes((parts[0] + parts[1]).to_bytes())
    cube = read_cube(str(tmp_path / "x.parquet"))
    assert len(cube.n) < 800 == cube.n.sum()
    items = adjudge.agreement(week, engine="stream", **roles)
    cells = evaluate_cube(cube, ["where", "day"], replicates=100)
    assert cells.outcome.data.left_out == items.outcome.data.left_out
    ours, theirs = rows_of(cells), rows_of(items)
    assert ours.keys() == theirs.keys()
    assert len(ours) > 50
    for key, row in ours.items():
        other = theirs[key]
        assert (row.estimate, row.low, row.high) == pytest.approx(
            (other.estimate, other.low, other.high), rel=1e-9, nan_ok=True
        ), key
    assert evaluate_cube(cube.chosen("day", ["x"]), replicates=100).outcome.data.rows == 400
    with pytest.raises(InputError, match="counted once"):
        _ = cube + parts[0]
    with pytest.raises(InputError, match=r'most of them because of "rating:(ann|ben|eva)", which stays as it is'):
        with_at_least(cube, 200)


def test_ratings_that_counts_do_not_tell_are_refused() -> None:
    table = {**rated(20), "w": [1.5] * 20}
    for more in ({"weight": "w"}, {"cluster": "day"}, {"measurement": "sets"}):
        with pytest.raises(SettingError, match="items that count one each"):
            cube_of(adjudge.agreement(table, raters=["ann", "ben"], replicates=100, **more))


def test_what_cells_do_not_hold_is_refused() -> None:
    table = {**nasty(200), "w": [1.5, None] * 100}
    with pytest.raises(SettingError, match="must all have a weight"):
        cube_of(adjudge.evaluate(table, **{**ROLES, "weight": "w"}))
    table["w"] = [1.5] * 200
    with pytest.raises(SettingError, match="must be of one system"):
        cube_of(
            adjudge.evaluate(table, **{**ROLES, "systems": {"m": {"score": "p"}, "k": {"score": "q"}}, "weight": "w"})
        )
    with pytest.raises(SettingError, match="`slices` must be columns of the cube"):
        evaluate_cube(counted(nasty(200)), ["nowhere"])


def test_scores_that_are_no_numbers_are_left_out() -> None:
    """How they were written is not kept, and not asked for: that ended in a KeyError."""
    table = {"label": ["a", "b"] * 60, "p": ["0,5", "0.25", 0.5, "x"] * 30}
    rows = adjudge.evaluate(table, reference="label", score="p", positive="a", replicates=100)
    cells = evaluate_cube(cube_of(rows), replicates=100)
    assert cells.outcome.data.left_out == rows.outcome.data.left_out == {'score "p" is not a number': 60}


def test_the_commands(tmp_path: Path, adjudge_cli: Any) -> None:
    """A table becomes cubes, cubes one, one other slices; SQL is printed and its result evaluated."""
    plain = {"label": ["a", "b", "a", "b"] * 30, "guess": ["a", "b", "b", "b"] * 30, "site": ["x", "y"] * 60}
    for day, shift in (("one", 0), ("two", 1)):
        pq.write_table(pa.table({**plain, "day": [shift] * 120}), tmp_path / f"{day}.parquet")
        roles = ["--reference", "label", "--prediction", "guess", "--slices", "site", "day", "--quiet"]
        cube = ["--save-cube", str(tmp_path / f"{day}.cube.parquet")]
        assert adjudge_cli("classification", str(tmp_path / f"{day}.parquet"), *roles, *cube).code == 0
    cubes = [str(tmp_path / f"{day}.cube.parquet") for day in ("one", "two")]
    both = str(tmp_path / "both.cube.parquet")
    assert "240 rows" in adjudge_cli("merge", *cubes, "--save-cube", both, "--min-cell", "5", "--share").out
    shown = adjudge_cli("reslice", both, "--slices", "site", "--where", "day=0", "--csv", str(tmp_path / "x.csv"))
    assert shown.code == 0
    assert "site = x" in (tmp_path / "x.csv").read_text()
    again = adjudge_cli("merge", cubes[0], cubes[0], "--save-cube", both)
    assert (again.code, "counted once" in again.err) == (2, True)
    asked = ["--reference", "label", "--prediction", "guess", "--slices", "site"]
    statement = adjudge_cli("cells", "judged", "--sql", "duckdb", *asked).out
    with duckdb.connect() as database:
        database.register("judged", pa.table(plain))
        pq.write_table(database.sql(statement).to_arrow_table(), tmp_path / "cells.parquet")
    told = adjudge_cli(
        "cells", "--from-cells", str(tmp_path / "cells.parquet"), *asked, "--json", str(tmp_path / "x.json")
    )
    assert told.code == 0
    assert adjudge_cli("cells", *asked).code == 2


def test_a_cube_whose_meaning_is_no_text_is_refused(tmp_path: Path) -> None:
    table = pa.table({"n": [1]}).replace_schema_metadata({KEY: b'{"form\xa2t": 1}'})
    pq.write_table(table, tmp_path / "t.cube.parquet")
    with pytest.raises(InputError, match="must say what its cells mean"):
        read_cube(str(tmp_path / "t.cube.parquet"))
