"""Cells, cubes and saved results that are probably a mistake are refused or said first; those beside them are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import adjudge
from adjudge.data.cubes.files import read_counted_cells
from adjudge.data.cubes.meaning import CubeMeaning, CubeSystem
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.saving import sealed
from adjudge.report.cubes import evaluate_cube

MEANING = CubeMeaning(
    task="classification", reference="label", systems=(CubeSystem("guess", "guess"),), slices=("site",)
)
KEYS = ["site", "reference", "prediction:guess"]


def rows(seed: int, number: int = 600) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    label = random.choice(["ham", "spam"], number, p=[0.6, 0.4])
    guess = np.where(random.random(number) < 0.8, label, random.choice(["ham", "spam"], number))
    return pd.DataFrame({"label": label, "guess": guess, "site": random.choice(["a", "b", "c"], number)})


def counted(number: int = 600, seed: int = 1) -> pd.DataFrame:
    table = rows(seed, number).rename(columns={"label": "reference", "guess": "prediction:guess"})
    return table.groupby(KEYS).size().reset_index(name="n")


def evaluated(cells: pd.DataFrame, path: Path) -> list[str]:
    """What is said of cells in a file, above everything else."""
    cells.to_csv(path / "cells.csv", index=False)
    found = evaluate_cube(read_counted_cells(str(path / "cells.csv"), MEANING), ["site"], replicates=100)
    return [check.sentence for check in found.checks if check.severity == "serious"]


CELLS = counted()
ALL_SITES = CELLS.groupby(KEYS[1:]).n.sum().reset_index().assign(site="all")[CELLS.columns]
GRAND = pd.DataFrame([["Total", "Total", "Total", CELLS.n.sum()]], columns=CELLS.columns)
OF_SITES = CELLS.groupby("site").n.sum().reset_index().assign(reference="Total", **{"prediction:guess": "Total"})
PER_SITE = CELLS.assign(n=(CELLS.n / CELLS.groupby("site").n.transform("sum") * 100).round().astype(int))

SAID = {
    "the sums of all sites": (pd.concat([CELLS, ALL_SITES]), '"site" = "all" are the sums of all others'),
    "ROLLUP's missing level": (pd.concat([CELLS, ALL_SITES.assign(site=None)]), '"site" = "(missing)" are the sums'),
    "a grand total": (pd.concat([CELLS, GRAND]), "are the sums of all others"),
    "a total of each site": (pd.concat([CELLS, OF_SITES[CELLS.columns]]), '"Total" are the sums of all others'),
    "percentages": (CELLS.assign(n=[18, 3, 2, 11, 18, 2, 2, 11, 17, 2, 2, 11]), "add up to 99"),
    "percentages of each site": (PER_SITE, 'each level of "site" add up to about 100'),
}
REFUSED = {
    "a cell twice": (pd.concat([CELLS, CELLS.iloc[:1]]), "Each cell must stand once, but site"),
    "all cells twice, with an index": (
        pd.concat([CELLS, CELLS]).reset_index(drop=True).reset_index(),
        "Each cell must stand once",
    ),
    "rows that were not counted": (
        rows(1).rename(columns={"label": "reference", "guess": "prediction:guess"}).assign(n=1),
        "Each cell must stand once",
    ),
    "row numbers": (CELLS.assign(n=range(1, 13)), "counts the cells one by one"),
}
FINE = {
    "as counted": CELLS,
    "by day, too": pd.concat([CELLS.assign(day=1), counted(seed=2).assign(day=2)]),
    "with an index": CELLS.reset_index(),
    "of 100 rows": counted(100),
    "of 100 rows of each site": CELLS.groupby("site").apply(lambda of: of.assign(n=[60, 8, 7, 25])).reset_index(),
    "of two sites of one size": CELLS[CELLS.site != "c"].assign(n=[120, 20, 30, 130, 125, 15, 28, 132]),
}


@pytest.mark.parametrize("name", SAID)
def test_cells_that_are_no_counts_of_rows_are_said_first(name: str, tmp_path: Path) -> None:
    cells, sentence = SAID[name]
    assert any(sentence in said for said in evaluated(cells, tmp_path)), evaluated(cells, tmp_path)


@pytest.mark.parametrize("name", REFUSED)
def test_cells_that_stand_twice_and_row_numbers_are_refused(name: str, tmp_path: Path) -> None:
    cells, sentence = REFUSED[name]
    with pytest.raises(AdjudgeError, match=sentence):
        evaluated(cells, tmp_path)


@pytest.mark.parametrize("name", FINE)
def test_ordinary_cells_say_nothing(name: str, tmp_path: Path) -> None:
    assert evaluated(FINE[name], tmp_path) == []


COUNTS = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "a", "b"], "count": [120, 14, 20, 96]}


def said(table: Any, **given: Any) -> set[str]:
    found = adjudge.evaluate(table, reference="label", prediction="guess", replicates=100, **given).checks
    return {check.key for check in found if check.severity == "serious"}


def test_a_table_of_counts_is_told_from_rows_with_a_count() -> None:
    assert said(COUNTS) == {"C41"}
    assert said(COUNTS, weight="count") == set()
    beside = rows(3, 40).assign(count=np.random.default_rng(1).integers(1, 30, 40))  # words of a text
    assert said(beside) == set()
    assert said(beside.assign(id=range(40))) == set()
    tenths = {"label": ["a", "b"] * 5, "guess": ["a"] * 6 + ["b"] * 4, "count": range(3, 13)}
    assert said({**tenths, "score": np.arange(10) / 10}) == set()
    assert said({**COUNTS, "count": [1, 1, 1, 1]}) == set()


def cube(adjudge_cli: Any, path: Path, name: str, table: pd.DataFrame, *more: str) -> str:
    table.to_csv(path / f"{name}.csv", index=False)
    roles = ("--reference", "label", "--prediction", "guess", "--slices", "site", *more)
    out = str(path / f"{name}.cube")
    assert adjudge_cli("classification", str(path / f"{name}.csv"), *roles, "--save-cube", out, "--quiet").code == 0
    return out


def test_cubes_that_do_not_go_together_are_not_added(tmp_path: Path, adjudge_cli: Any) -> None:
    one, other = (cube(adjudge_cli, tmp_path, f"day{seed}", rows(seed)) for seed in (1, 2))
    shuffled = cube(adjudge_cli, tmp_path, "again", rows(1).sample(frac=1, random_state=1))
    capitals = rows(2).assign(label=rows(2).label.str.upper(), guess=rows(2).guess.str.upper())
    words = capitals.replace({"HAM": "no", "SPAM": "yes"})
    merged = str(tmp_path / "all.cube")
    assert adjudge_cli("merge", one, other, "--save-cube", merged).code == 0
    for path, sentence in (
        (shuffled, 'both hold the cells of "day1.csv" with the same numbers of rows'),
        (cube(adjudge_cli, tmp_path, "capitals", capitals), "differ only in case"),
        (cube(adjudge_cli, tmp_path, "words", words), "must have labels in common, but have none"),
    ):
        refused = adjudge_cli("merge", one, path, "--save-cube", merged)
        assert refused.code == 2
        assert sentence in refused.err.replace("\n", " ")
        assert adjudge_cli("merge", one, path, "--save-cube", merged, "--ok", "C42").code == 0
    for door in (("reslice", one, "--where", "site=a", "site=x"), ("classification", one, "--reference", "reference")):
        assert adjudge_cli(*door).code == 2


def test_cubes_of_scales_that_begin_elsewhere_are_not_added(tmp_path: Path, adjudge_cli: Any) -> None:
    def rated(name: str, seed: int, first: int) -> str:
        random = np.random.default_rng(seed)
        points = random.integers(0, 5, 400)
        second = np.clip(points + random.integers(-1, 2, 400), 0, 4)
        pd.DataFrame({"ann": points + first, "ben": second + first}).to_csv(tmp_path / f"{name}.csv", index=False)
        asked = ("--raters", "ann", "ben", "--measurement", "ordinal", "--quiet")
        out = str(tmp_path / f"{name}.cube")
        assert adjudge_cli("agreement", str(tmp_path / f"{name}.csv"), *asked, "--save-cube", out).code == 0
        return out

    merged = str(tmp_path / "all.cube")
    assert adjudge_cli("merge", rated("a", 1, 1), rated("b", 2, 1), "--save-cube", merged).code == 0
    refused = adjudge_cli("merge", rated("a", 1, 1), rated("c", 3, 0), "--save-cube", merged)
    assert refused.code == 2
    assert "must be on one scale" in refused.err


def beside(one: adjudge.Evaluation, other: adjudge.Evaluation) -> list[tuple[str, str]]:
    checks = adjudge.compare(one, other, names=["old", "new"]).checks
    return [(check.severity, check.sentence) for check in checks if check.key == "C42"]


def result(path: Path, table: pd.DataFrame, **given: Any) -> adjudge.Evaluation:
    table.to_csv(path / "t.csv", index=False)
    asked = {"reference": "label", "prediction": "guess", "replicates": 100} | given
    return adjudge.evaluate(str(path / "t.csv"), **asked)


def test_results_side_by_side_say_what_else_differs(tmp_path: Path) -> None:
    first, again = (result(tmp_path, rows(1)) for _ in range(2))
    capitals = rows(2).assign(label=rows(2).label.str.upper(), guess=rows(2).guess.str.upper())
    assert beside(first, again)[0][0] == "serious"
    assert "are one evaluation" in beside(first, again)[0][1]
    (remark,) = beside(first, result(tmp_path, rows(2)))
    assert remark[0] == "remark"
    assert "are of different tables" in remark[1]
    both = rows(1).assign(other=rows(1).label, truth=rows(1).guess)
    one = result(tmp_path, both)
    assert beside(one, result(tmp_path, both, prediction="other"))[0][0] == "remark"
    assert "different columns" in beside(one, result(tmp_path, both, reference="truth"))[0][1]
    assert beside(first, result(tmp_path, capitals))[0][0] == "serious"
    with pytest.raises(AdjudgeError, match="intervals of one level"):
        beside(first, result(tmp_path, rows(2), level=0.9))
    with pytest.raises(AdjudgeError, match="must have a metric in common"):
        beside(result(tmp_path, rows(1), metrics="accuracy"), result(tmp_path, rows(2), metrics="recall"))


def test_results_in_other_units_are_said_first(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    y = random.normal(50, 10, 200)
    near = pd.DataFrame({"label": y, "guess": y + random.normal(0, 3, 200)})
    asked = {"task": "regression"}
    (unit,) = [
        said
        for severity, said in beside(result(tmp_path, near, **asked), result(tmp_path, near * 1000, **asked))
        if severity == "serious"
    ]
    assert "1,000 times as much" in unit
    assert {
        severity for severity, _ in beside(result(tmp_path, near, **asked), result(tmp_path, near * 3, **asked))
    } == {"remark"}


@pytest.mark.parametrize(
    ("row", "data"),
    [({"low": 0.99, "high": 0.995}, {}), ({"estimate": 1.7}, {}), ({"n": -5}, {}), ({}, {"rows": 10})],
)
def test_a_save_with_numbers_that_nobody_computes_is_refused(
    row: dict[str, Any], data: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.adjudge"
    result(tmp_path, rows(1)).save(path)
    assert adjudge.load(path).get("accuracy").value > 0.8
    document = json.loads(path.read_bytes())
    del document["digest"]
    document["results"][0] |= row
    document["data"] |= data
    path.write_bytes(sealed(json.dumps(document, separators=(",", ":")).encode()))
    with pytest.raises(AdjudgeError, match="must be a whole saved evaluation"):
        adjudge.load(path)
