"""Cubes of rows that are alike: of every task whose rows tell by themselves what is summed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.counted_tables import counted_table

import adjudge
from adjudge.data.cubes.files import read_cube
from adjudge.data.cubes.number_labels import labels_of_numbers, numbers_of_labels
from adjudge.data.source import open_source
from adjudge.errors import InputError, SettingError
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.tasks import task_named

TASKS = ("diagnostic", "failures", "judges", "preference", "regression", "scoring", "uplift")
GOLDEN = Path(__file__).parent / "format_1_rows.cube.parquet"
ASKED: dict[str, Any] = {"replicates": 100, "seed": 3}


def asked(task: str, **more: Any) -> dict[str, Any]:
    return {**counted_table(task).roles, "slices": ["site", "day"], **ASKED, **more}


def evaluated(task: str, table: dict[str, list[Any]], **more: Any) -> Any:
    return adjudge.evaluate(table, task, **asked(task, engine="stream", **more))


def written(cube: Any, folder: Path) -> Any:
    path = folder / "x.cube.parquet"
    path.write_bytes(cube.to_bytes())
    return read_cube(str(path))


def rows_of(evaluation: Any) -> dict[Any, Any]:
    return {(r.system, r.baseline, r.slice, r.category, r.metric, r.method): r for r in evaluation.table}


def assert_same(cells: Any, rows: Any, *, limits: bool = True) -> None:
    """The same rows of results, what they rest on, and what was left out."""
    ours, theirs = rows_of(cells), rows_of(rows)
    if limits:
        assert ours.keys() == theirs.keys()
    both = [key for key in ours if key in theirs]
    assert len(both) >= min(len(theirs), 12)
    for key in both:
        one, two = ours[key], theirs[key]
        assert one.estimate == pytest.approx(two.estimate, rel=1e-12, abs=1e-12, nan_ok=True), key
        assert (one.n, one.differing) == (two.n, two.differing), key
        if limits:
            assert (one.low, one.high) == pytest.approx((two.low, two.high), rel=1e-9, abs=1e-12, nan_ok=True), key
            assert (one.p is None, one.note) == (two.p is None, two.note), key
            assert two.p is None or one.p == pytest.approx(two.p, rel=1e-9), key
    data, other = cells.outcome.data, rows.outcome.data
    assert (data.left_out, data.rows, data.used) == (other.left_out, other.rows, other.used)


@pytest.mark.parametrize("task", TASKS)
def test_a_cube_tells_what_the_rows_tell(task: str, tmp_path: Path) -> None:
    """Estimates, limits, notes and checks; what is left out too."""
    rows = evaluated(task, counted_table(task).table)
    cells = evaluate_cube(written(cube_of(rows), tmp_path), ["site", "day"], **ASKED)
    assert_same(cells, rows)
    assert [check.key for check in cells.outcome.checks] == [check.key for check in rows.outcome.checks]
    assert "day = </script>" not in cells.content("html")


@pytest.mark.parametrize("task", TASKS)
def test_some_levels_are_as_good_as_some_rows(task: str) -> None:
    table = counted_table(task).table
    cube = cube_of(evaluated(task, table))
    part = {
        name: [v for v, day in zip(column, table["day"], strict=True) if day == "x"] for name, column in table.items()
    }
    rows = evaluated(task, part)
    assert_same(evaluate_cube(cube.chosen("day", ["x"]), ["site", "day"], **ASKED), rows)


@pytest.mark.parametrize("units", ["w", "c", "wc"])
@pytest.mark.parametrize("task", TASKS)
def test_weights_are_counted_by_and_units_kept_in_bags(task: str, units: str, tmp_path: Path) -> None:
    """Estimates are those of the rows; bags are drawn like clusters."""
    table, _, unit = counted_table(task)
    more = {**({"weight": "w"} if "w" in units else {}), **({unit: "who"} if "c" in units else {})}
    rows = adjudge.evaluate(table, task, **asked(task, engine="memory", **more))
    cube = written(cube_of(rows), tmp_path)
    assert ("bag" in cube.labels) == ("c" in units)
    if "c" in units:
        assert {*cube.labels["bag"].labels} <= {str(bag) for bag in range(64)}
        assert "who" not in pq.read_schema(tmp_path / "x.cube.parquet").names
    cells = evaluate_cube(cube, ["site", "day"], **ASKED)
    assert_same(cells, rows, limits=False)
    bounded = [row for row in cells.table if not math.isnan(row.low)]
    assert len(bounded) > len(cells.table) / 4
    assert all(row.low <= row.high for row in bounded)


@pytest.mark.parametrize("task", TASKS)
def test_laws_of_adding(task: str, tmp_path: Path) -> None:
    """Days add up to the week in any order, bytes and all; a day twice is refused, and so are other roles."""
    days = [counted_table(task, 200, seed).table for seed in (1, 2, 3)]
    week = {name: [value for day in days for value in day[name]] for name in days[0]}
    a, b, c = (cube_of(evaluated(task, day)) for day in days)
    whole = cube_of(evaluated(task, week))
    added = (a + b) + c
    assert added.to_bytes() == (a + (b + c)).to_bytes() == ((c + a) + b).to_bytes()
    same = replace(added, meaning=whole.meaning)
    assert same.to_bytes() == whole.to_bytes() == cube_of(evaluated(task, week)).to_bytes()
    assert written(added, tmp_path).to_bytes() == added.to_bytes()
    assert (written(a, tmp_path) + b).to_bytes() == (a + b).to_bytes()
    assert int(whole.n.sum()) == 600
    with pytest.raises(InputError, match="counted once"):
        _ = added + a
    other = cube_of(evaluated(task, days[1], weight="w"))
    with pytest.raises(InputError, match="same roles and cells"):
        _ = a + other


def test_the_golden_file_of_format_1_is_read() -> None:
    """Written when rows were first counted; every later version must read it. It also holds a member nobody knows."""
    table, _, unit = counted_table("diagnostic")
    rows = adjudge.evaluate(table, "diagnostic", **asked("diagnostic", weight="w", **{unit: "who"}))
    cube, again = read_cube(str(GOLDEN)), cube_of(rows)
    assert cube.more == {"note": "from a later version"}
    assert replace(again, meaning=cube.meaning, more=cube.more).to_bytes() == cube.to_bytes()
    assert_same(evaluate_cube(cube, ["site", "day"], **ASKED), rows, limits=False)


def test_changed_cases_are_held_against_their_originals(tmp_path: Path) -> None:
    """Cases that must stay, or whose score must move, joined expansions, known failures: all outcomes are counted."""
    demo = task_named("diagnostic").demo
    assert demo is not None
    path = next(Path(adjudge.__file__).parent.rglob(f"demo/{demo.file}"))
    given = {role: column for role, column in demo.given.items() if role not in ("repeats", "template")}
    rows = adjudge.evaluate(str(path), "diagnostic", **given, **ASKED)
    cube = cube_of(rows)
    cells = evaluate_cube(written(cube, tmp_path), **ASKED)
    assert_same(cells, rows)
    assert {*cube.labels["outcome:v42"].labels} == {"failed 1", "failed 2", "met 1", "met 2"}
    assert cells.outcome.settings.choices == rows.outcome.settings.choices
    covered = [
        next(t for t in one.outcome.panels.tables if t.title == "What the suite covers") for one in (cells, rows)
    ]
    assert covered[0].rows == covered[1].rows
    bags = evaluate_cube(cube_of(adjudge.evaluate(str(path), "diagnostic", **given, template="template", **ASKED)))
    assert bags.outcome.settings.choices["Bags"] == "43"


def test_answers_that_differ_are_told_where_both_are_met() -> None:
    """Two systems that stay each at its own answer meet an invariance, and differ."""
    suite = {"what": ["x"] * 4, "kind": [None, "inv"] * 2, "group": ["1", "1", "2", "2"], "want": [None] * 4}
    suite |= {"old": ["a", "a", "a", "a"], "new": ["b", "b", "a", "a"]}
    roles = {"phenomenon": "what", "kind": "kind", "group": "group", "expect": "want", "prediction": ["old", "new"]}
    rows = adjudge.diagnostic(suite, **roles, **ASKED)
    assert {row.differing for row in rows.table if row.baseline} == {1}
    assert_same(evaluate_cube(cube_of(rows), **ASKED), rows)


def test_what_needs_all_rows_is_told_in_memory() -> None:
    rows = adjudge.evaluate(counted_table("regression").table, "regression", **asked("regression", engine="memory"))
    cells = evaluate_cube(cube_of(rows), ["site", "day"], engine="memory", **ASKED)
    assert_same(cells, rows)
    assert cells["spearman"].value == pytest.approx(rows["spearman"].value, rel=1e-12)


def test_errors_of_sorted_cells_come_in_no_stretches() -> None:
    rows = evaluated("regression", counted_table("regression", 3_000).table)
    cells = evaluate_cube(cube_of(rows), **ASKED)
    assert not [check for check in cells.outcome.checks if check.key == "C16"]


def test_numbers_read_back_to_the_same_numbers() -> None:
    values = [
        0.1,
        float(np.float32(0.1)),
        1 / 3,
        1e300,
        5e-324,
        2.0**53 + 2,
        -0.0,
        7,
        math.inf,
        -math.inf,
        None,
        "x1",
        "",
    ]
    [batch] = open_source({"v": values}).batches([], ["v"])
    column = batch.columns["v"]
    text = labels_of_numbers(column)  # type: ignore[arg-type]
    again = numbers_of_labels(text)
    np.testing.assert_array_equal(again.values, column.values)  # type: ignore[union-attr]
    assert again.missing.tolist() == column.missing.tolist()  # type: ignore[union-attr]
    assert again.unreadable.tolist() == column.unreadable.tolist()  # type: ignore[union-attr]
    assert text.labels[text.codes[7]] == "7"


def test_what_is_no_number_is_left_out_with_its_reason() -> None:
    table = counted_table("regression").table
    table["m"] = ["x1", math.inf, -math.inf, "", None, *table["m"][5:]]
    rows = evaluated("regression", table)
    assert len(rows.outcome.data.left_out) >= 3
    assert_same(evaluate_cube(cube_of(rows), ["site", "day"], **ASKED), rows)


def test_what_cells_would_not_tell_is_refused(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    fine = {"y": random.random(9_000).tolist(), "m": random.random(9_000).tolist(), "site": ["x"] * 9_000}
    roles = {"reference": "y", "prediction": "m", "replicates": 100}
    with pytest.raises(SettingError, match="it would be the table"):
        cube_of(adjudge.regression(fine, **roles))
    scored = counted_table("scoring")
    people = {**scored.roles, "candidate": "who", "min_items": 2, **ASKED}
    with pytest.raises(SettingError, match="bags of people do not tell"):
        cube_of(adjudge.scoring(scored.table, **people))
    trained = tmp_path / "training.csv"
    trained.write_text("h1,h2,m\n1,1,1\n2,2,3\n3,4,4\n", encoding="utf-8")
    with pytest.raises(SettingError, match="`training` names another"):
        cube_of(adjudge.scoring(scored.table, **scored.roles, training=str(trained), **ASKED))
    votes = counted_table("preference")
    with pytest.raises(SettingError, match="order of pairs"):
        cube_of(adjudge.preference(votes.table, **votes.roles, rating="elo", **ASKED))
    lists = {"q": ["1", "1"], "rel": [1, 0], "s": [0.5, 0.1]}
    with pytest.raises(SettingError, match="worked out of all its rows"):
        cube_of(adjudge.ranking(lists, query="q", relevance="rel", score="s", replicates=100))


def test_fine_numbers_are_rounded_where_that_is_asked(tmp_path: Path, adjudge_cli: Any) -> None:
    """Means of errors are within the sum of both halves of a step of those of the rows, and every output says so."""
    random = np.random.default_rng(1)
    truth = random.normal(50, 20, 9_000)
    table = {"y": truth.tolist(), "m": (truth + random.normal(1, 5, 9_000)).tolist(), "site": ["x", "y", "z"] * 3_000}
    rows = adjudge.regression(table, reference="y", prediction="m", slices=["site"], engine="stream", **ASKED)
    steps = {"y": 2.0, "m": 0.5}
    cube = cube_of(rows, cube_steps=steps)
    cells = evaluate_cube(written(cube, tmp_path), ["site"], **ASKED)
    assert len(cube.n) < 9_000 / 2
    for metric in ("mean_absolute_error", "rmse", "mean_bias_error"):
        for one in ("all", "site = x"):
            told, known = (e.table.find(metric, slice=one).estimate for e in (cells, rows))
            assert told != known
            assert abs(told - known) <= 1.25
    at_hand = {name: [step * round(v / step) for v in table[name]] for name, step in steps.items()}
    again = adjudge.regression(
        {**table, **at_hand}, reference="y", prediction="m", slices=["site"], engine="stream", **ASKED
    )
    assert_same(cells, again)
    assert '"y" was rounded to multiples of 2' in cells.content("markdown")
    with pytest.raises(InputError, match='differ in "rounded"'):
        _ = cube + cube_of(
            adjudge.regression({**table, "m": truth.tolist()}, reference="y", prediction="m", slices=["site"], **ASKED),
            cube_steps={"y": 2.0, "m": 1},
        )
    for wrong, message in (
        ({"site": 1}, "must name columns of numbers"),
        ({"y": 0}, "above 0"),
        ({"y": "x"}, "NAME=NUMBER"),
    ):
        with pytest.raises(SettingError, match=message):
            cube_of(rows, cube_steps=wrong)
    labels = adjudge.evaluate({"a": ["x", "y"] * 9, "b": ["x", "x"] * 9}, reference="a", prediction="b", **ASKED)
    with pytest.raises(SettingError, match="and there are none"):
        cube_of(labels, cube_steps={"a": 1})
    with pytest.raises(SettingError, match="`score_cells` must be left out"):
        cube_of(rows, 8)
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    typed = ["regression", str(tmp_path / "t.parquet"), "--reference", "y", "--prediction", "m", "--replicates", "100"]
    saved = ["--save-cube", str(tmp_path / "y.parquet")]
    assert adjudge_cli(*typed, *saved, "--cube-steps", "y=2", "m=0.5").code == 0
    refused = adjudge_cli(*typed, *saved)
    assert (refused.code, "Give `--cube-steps`" in refused.err) == (2, True)
    assert "must come with" in adjudge_cli(*typed, "--cube-steps", "y=2").err


def test_names_that_a_file_cannot_have_are_refused() -> None:
    table = counted_table("regression").table
    for name, more, told in (
        ("weight", {"weight": "w"}, "must not be called"),
        ("n", {}, "must not be called"),
        ("who", {"cluster": "who"}, "must not be what rows are drawn by"),
    ):
        rows = adjudge.regression({**table, name: table["who"]}, **{**asked("regression", slices=[name]), **more})
        with pytest.raises(SettingError, match=told):
            cube_of(rows)
    labelled = {"label": ["a", "b"] * 20, "guess": ["a", "a"] * 20, "reference": ["x", "y"] * 20}
    roles = {"reference": "label", "prediction": "guess", "slices": ["reference"], "replicates": 100}
    with pytest.raises(SettingError, match="must not be called"):
        cube_of(adjudge.evaluate(labelled, **roles))


def damaged(cube: Any, path: Path, column: str, values: list[Any], **members: Any) -> str:
    """A file in which a column, or what the cells mean, is something else."""
    path.write_bytes(cube.to_bytes())
    table = pq.read_table(path)
    meaning = {**json.loads(table.schema.metadata[b"adjudge.cube"]), **members}
    table = table.set_column(table.column_names.index(column), column, pa.array(values * table.num_rows))
    pq.write_table(table.replace_schema_metadata({b"adjudge.cube": json.dumps(meaning)}), path)
    return str(path)


def test_files_that_were_changed_are_refused(tmp_path: Path) -> None:
    """A sentence, not a traceback."""
    table, _, unit = counted_table("diagnostic")
    cube = cube_of(adjudge.evaluate(table, "diagnostic", **asked("diagnostic", weight="w", **{unit: "who"})))
    path = tmp_path / "x.parquet"
    for column, value, told in (
        ("bag", "oops", "must be numbers below 64"),
        ("weight", "oops", "must be written as such"),
        ("outcome:new", "oops", "An outcome of a case must be"),
        ("outcome:new", None, "An outcome of a case must be"),
        ("weight", "inf", "must be cases"),
    ):
        with pytest.raises(InputError, match=told):
            evaluate_cube(read_cube(damaged(cube, path, column, [value])), **ASKED)
    for many, told in ((1e11, "at most 100,000,000,000 rows"), (2.0**54, "whole numbers up to"), (1e300, "whole num")):
        with pytest.raises(InputError, match=told):
            read_cube(damaged(cube, path, "n", [many]))
    for members in ({"numbers": ["x"]}, {"needed": ["x"]}, {"slices": ["n"]}):
        with pytest.raises(InputError, match="cannot be a key"):
            read_cube(damaged(cube, path, "n", [1], **members))


def options(given: dict[str, Any]) -> list[str]:
    """What was given, as it is typed."""
    typed: list[str] = []
    for name, value in given.items():
        if name == "systems":
            for system, columns in value.items():
                typed += ["--system", system, *(f"{role}={column}" for role, column in columns.items())]
        elif isinstance(value, dict):
            typed += [f"--{name}", *(f"{key}={','.join(values)}" for key, values in value.items())]
        else:
            typed += [f"--{name.replace('_', '-')}", *map(str, value if isinstance(value, list) else [value])]
    return typed


@pytest.mark.parametrize("task", TASKS)
def test_the_commands(task: str, tmp_path: Path, adjudge_cli: Any) -> None:
    """Tables become cubes, cubes one, one is made fit to be shared and sliced again."""
    roles = counted_table(task).roles
    if task == "failures":
        roles = {"exposure": ["old_h", "new_h"], "failures": ["old", "new"]}
    cubes = [str(tmp_path / f"{seed}.cube.parquet") for seed in (1, 2)]
    for seed, cube in enumerate(cubes, 1):
        pq.write_table(pa.table(counted_table(task, 200, seed).table), tmp_path / f"{seed}.parquet")
        typed = [*options({**roles, "slices": ["site", "day"]}), "--replicates", "100", "--quiet"]
        told = adjudge_cli(task, str(tmp_path / f"{seed}.parquet"), *typed, "--save-cube", cube)
        assert (told.code, told.err) == (0, "")
    both = str(tmp_path / "both.cube.parquet")
    merged = adjudge_cli("merge", *cubes, "--save-cube", both, "--share")
    assert (merged.code, "400 rows" in merged.out, "day: </script>, x" in merged.out) == (0, True, True)
    again = ["reslice", both, "--where", "day=x", "--replicates", "100", "--engine", "memory"]
    shown = adjudge_cli(*again, "--csv", str(tmp_path / "x.csv"), "--html", str(tmp_path / "x.html"))
    assert (shown.code, shown.err) == (0, "")
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").count("\n") > 2
    told = adjudge_cli("merge", cubes[0], cubes[0], "--save-cube", both)
    assert (told.code, "counted once" in told.err) == (2, True)


def test_a_ranking_says_why_it_has_no_cube(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "t.csv").write_text("q,rel,s\n1,1,0.5\n1,0,0.1\n", encoding="utf-8")
    typed = ["--query", "q", "--relevance", "rel", "--score", "s", "--save-cube", str(tmp_path / "x.parquet")]
    told = adjudge_cli("ranking", str(tmp_path / "t.csv"), *typed)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "each query has a value of its own" in told.err
