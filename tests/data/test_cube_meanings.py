"""What cubes say besides counts: thresholds and other settings, what was counted, versions, tables that stand twice."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.test_cubes import LABELS, ROLES, counted, nasty

import adjudge
from adjudge.data.cubes.files import read_cube
from adjudge.data.cubes.meaning import KEY
from adjudge.data.cubes.privacy import with_at_least
from adjudge.errors import InputError
from adjudge.report.cubes import cube_of, evaluate_cube


def scored(rows: int = 4_000, seed: int = 1) -> dict[str, Any]:
    """A score of many digits, its label, weights, clusters and two slices."""
    random = np.random.default_rng(seed)
    yes = random.random(rows) < 0.3
    return {
        "label": np.where(yes, "yes", "no").tolist(),
        "p": np.clip(0.3 * yes + 0.6 * random.random(rows), 0, 1).tolist(),
        "q": np.clip(0.1 * yes + 0.8 * random.random(rows), 0, 1).tolist(),
        "site": random.choice(["a", "b", "c"], rows, p=[0.6, 0.39, 0.01]).tolist(),
        "w": random.gamma(2.0, 1.0, rows).tolist(),
        "who": [f"k{k}" for k in random.integers(0, 300, rows)],
    }


SCORED: dict[str, Any] = {"reference": "label", "score": "p", "positive": "yes", "slices": ["site"]}


def estimates(evaluation: Any, metrics: Sequence[str], where: str = "") -> dict[Any, float]:
    """By whatever method, of these metrics."""
    return {
        (row.system, row.slice, row.category, row.metric): row.estimate
        for row in evaluation.table
        if row.metric.partition("(")[0] in metrics and not row.baseline and row.slice.startswith(where)
    }


@pytest.mark.parametrize(
    "asked",
    [
        {"threshold": 0.25},
        {"threshold": 0.3},
        {"threshold": 0.3, "cluster": "who"},
        {"threshold": 1 / 3, "weight": "w"},
        {"threshold": [0.3, 1 / 3], "score": ["p", "q"]},
    ],
)
def test_decisions_of_a_cube_are_those_of_its_threshold(asked: dict[str, Any], tmp_path: Path) -> None:
    """Also of one between the cells, also after cells were joined for sharing: a cell begins at it."""
    rows = adjudge.evaluate(scored(), **{**SCORED, **asked}, replicates=100)
    (tmp_path / "x.parquet").write_bytes(cube_of(rows).to_bytes())
    cube = read_cube(str(tmp_path / "x.parquet"))
    exact = ("accuracy", "precision", "recall", "f_score", "log_loss", "brier_score")
    told, known = (estimates(one, exact) for one in (evaluate_cube(cube, ["site"], replicates=100), rows))
    assert len(told) > 20
    assert told == pytest.approx(known, rel=1e-9, nan_ok=True)
    shared = with_at_least(cube, 10)
    assert shared.n.min() >= 10
    told, known = (estimates(one, exact, "all") for one in (evaluate_cube(shared, replicates=100), rows))
    assert len(told) > 5
    assert told == pytest.approx(known, rel=1e-9, nan_ok=True)
    (tmp_path / "x.parquet").write_bytes(shared.to_bytes())
    assert read_cube(str(tmp_path / "x.parquet")).to_bytes() == shared.to_bytes()


def test_settings_of_cubes_are_kept_and_must_be_the_same() -> None:
    """Thresholds and costs; a cube of one threshold does not go with that of another."""
    at = [
        cube_of(adjudge.evaluate(scored(500, seed), **SCORED, replicates=100, **more))
        for seed, more in enumerate(({"threshold": 0.25}, {"threshold": 0.5}, {"costs": ["fp=1", "fn=5"]}, {}))
    ]
    for one in at[1:]:
        with pytest.raises(InputError, match=r'differ in .*"settings".*`(threshold|costs)` is'):
            _ = at[0] + one
    told = evaluate_cube(at[2], replicates=100)
    assert told.outcome.settings.threshold == 0.5
    rows = adjudge.evaluate(scored(500, 2), **SCORED, costs={"fp": 1, "fn": 5}, replicates=100)
    cheapest = [[t for t in one.outcome.panels.tables if t.title == "The cheapest threshold"] for one in (told, rows)]
    assert [len(tables) for tables in cheapest] == [1, 1]


def test_a_cube_says_what_was_counted(tmp_path: Path) -> None:
    """Section 6: grids, label order, rows read, used and left out, unit, versions; sums of them in a sum."""
    days = [{**nasty(500, seed), "who": [f"k{k % 40}" for k in range(500)]} for seed in (1, 2)]
    rows = [adjudge.evaluate(day, **ROLES, cluster="who") for day in days]
    cubes = [cube_of(one) for one in rows]
    for number, cube in enumerate(cubes):
        (tmp_path / f"{number}.parquet").write_bytes(cube.to_bytes())
    document = json.loads(pq.read_schema(tmp_path / "0.parquet").metadata[KEY])
    data = rows[0].outcome.data
    assert (document["rows_read"], document["rows_used"], document["left_out"]) == (500, data.used, data.left_out)
    assert document["unit"] == "cluster"
    assert (document["grids"]["m"]["kind"], document["grids"]["m"]["k"]) == ("dyadic", 12)
    assert document["labels"] == {"reference": sorted(LABELS), "prediction:m": sorted(LABELS)}
    assert document["min_cell"] == 0
    added = (read_cube(str(tmp_path / "0.parquet")) + read_cube(str(tmp_path / "1.parquet"))).meaning
    both = [one.outcome.data for one in rows]
    assert (added.rows_read, added.rows_used) == (1_000, sum(one.used for one in both))
    assert added.left_out == {reason: both[0].left_out[reason] + both[1].left_out[reason] for reason in data.left_out}


def rewritten(cube: Any, path: Path, **members: Any) -> Any:
    """The cube from a file with other members."""
    path.write_bytes(cube.to_bytes())
    table = pq.read_table(path)
    document = {**json.loads(table.schema.metadata[KEY]), **members}
    pq.write_table(table.replace_schema_metadata({KEY: json.dumps(document)}), path)
    return read_cube(str(path))


def test_a_later_minor_version_is_read_and_its_members_are_kept(tmp_path: Path) -> None:
    one, two = (counted(nasty(500, seed)) for seed in (1, 2))
    later = rewritten(one, tmp_path / "x.parquet", format="adjudge.cube/1.7", hue="red")
    for added in (later + two, two + later):
        assert (added.more, added.meaning.format) == ({"hue": "red"}, "adjudge.cube/1.7")
        (tmp_path / "y.parquet").write_bytes(added.to_bytes())
        assert read_cube(str(tmp_path / "y.parquet")).more == {"hue": "red"}
    with pytest.raises(InputError, match='they differ in "hue"'):
        _ = later + rewritten(two, tmp_path / "x.parquet", hue="blue")
    for other in ("adjudge.cube/2", "adjudge.cube/2.1", "adjudge.cube/1.x", "adjudge.cube/10", None):
        with pytest.raises(InputError, match="must be of the format"):
            rewritten(one, tmp_path / "x.parquet", format=other)


def test_a_table_that_was_added_before_is_refused_in_any_order_and_format(tmp_path: Path, adjudge_cli: Any) -> None:
    """Day 1 in the cube of a week, and day 1 again, written otherwise; and both days as one table."""
    days = [scored(300, seed) for seed in (1, 2, 3)]
    week = {name: days[0][name] + days[1][name] for name in days[0]}
    backwards = {name: values[::-1] for name, values in days[0].items()}
    tables = {"d1": days[0], "d2": days[1], "d3": days[2], "week": week, "again": backwards}
    for name, table in tables.items():
        if name == "again":
            header = ",".join(table)
            lines = (",".join(map(str, values)) for values in zip(*table.values(), strict=True))
            (tmp_path / "again.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
        else:
            pq.write_table(pa.table(table), tmp_path / f"{name}.parquet")
        file = tmp_path / ("again.csv" if name == "again" else f"{name}.parquet")
        typed = ["--reference", "label", "--score", "p", "--positive", "yes", "--slices", "site", "--weight", "w"]
        saved = ["--replicates", "100", "--quiet", "--save-cube", str(tmp_path / f"{name}.cube")]
        assert adjudge_cli("classification", str(file), *typed, *saved).code == 0

    def merged(*names: str, more: tuple[str, ...] = ()) -> Any:
        cubes = [str(tmp_path / f"{name}.cube") for name in names]
        return adjudge_cli("merge", *cubes, "--save-cube", str(tmp_path / "sum.cube"), *more)

    assert merged("d1", "d2").code == 0
    (tmp_path / "sum.cube").rename(tmp_path / "sum12.cube")
    for others in (("sum12", "again"), ("again", "sum12"), ("d1", "again"), ("week", "sum12"), ("sum12", "d1")):
        told = merged(*others)
        assert (told.code, told.err.count("\n")) == (2, 1), others
    assert "d1.parquet" in merged("sum12", "again").err
    assert merged("sum12", "again", more=("--ok", "C42")).code == 0
    assert merged("sum12", "d3").code == 0


def test_a_shared_file_has_no_small_cell_and_says_what_was_joined(tmp_path: Path, adjudge_cli: Any) -> None:
    """Read as any Parquet file, not by us; where answers themselves are rare, nothing is written."""
    pq.write_table(pa.table(scored(2_000)), tmp_path / "t.parquet")
    cube, shared = str(tmp_path / "t.cube"), str(tmp_path / "shared.cube")
    roles = ["--reference", "label", "--score", "p", "--positive", "yes", "--threshold", "0.3", "--slices", "site"]
    saved = ["--replicates", "100", "--quiet", "--save-cube", cube]
    assert adjudge_cli("classification", str(tmp_path / "t.parquet"), *roles, *saved).code == 0
    told = adjudge_cli("merge", cube, "--save-cube", shared, "--min-cell", "10")
    assert (told.code, told.err) == (0, "")
    assert "joined: rare levels of site as (other)" in told.out
    assert re.search(r"joined: scores of p in \d+ cells instead of \d", told.out)
    table = pq.read_table(shared)
    assert min(table["n"].to_pylist()) >= 10
    document = json.loads(table.schema.metadata[KEY])
    assert (document["min_cell"], sum(table["n"].to_pylist())) == (10, 2_000)
    assert 0.3 in document["grids"]["p"]["edges"]
    random = np.random.default_rng(1)
    pq.write_table(pa.table({name: random.choice(["x", "y", "z"], 60) for name in "ab"}), tmp_path / "r.parquet")
    assert adjudge_cli("agreement", str(tmp_path / "r.parquet"), "--raters", "a", "b", *saved).code == 0
    before = Path(shared).read_bytes()
    told = adjudge_cli("merge", cube, "--save-cube", shared, "--min-cell", "10")
    assert told.code == 2
    assert 'of 9 have fewer, most of them because of "rating:' in told.err
    assert Path(shared).read_bytes() == before
