"""Where RSMTool is wrong and we are right: each row of the table in docs/rsmtool.md has its test here or beside."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.written import csv_file

from adjudge.interop.rsmtool import Evaluated, run_evaluation

DOCS = Path(__file__).parents[2] / "docs" / "rsmtool.md"
CONFIG = {
    "experiment_id": "x",
    "system_score_column": "engine",
    "human_score_column": "h1",
    "second_human_score_column": "h2",
    "id_column": "id",
    "trim_min": 1,
    "trim_max": 6,
}


def columns(size: int = 60, **more: list[Any]) -> dict[str, list[Any]]:
    draw = np.random.default_rng(5)
    first = draw.integers(1, 7, size)
    second = np.clip(first + draw.integers(-1, 2, size), 1, 6)
    engine = (first + draw.normal(0, 0.7, size)).round(4)
    made: dict[str, list[Any]] = {"id": [f"{n:03d}" for n in range(size)], "h1": first.tolist()}
    return made | {"h2": second.tolist(), "engine": engine.tolist()} | more


def run(folder: Path, table: dict[str, list[Any]], **fields: Any) -> Evaluated:
    config = {**CONFIG, "predictions_file": str(csv_file(folder / "p.csv", table)), **fields}
    return run_evaluation(config, folder / "out", True, replicates=100)


def file(folder: Path, name: str) -> dict[str, dict[str, str]]:
    """Rows by their name."""
    with (folder / "out" / "output" / f"x_{name}.csv").open(newline="") as text:
        header, *rows = csv.reader(text)
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


def every(levels: list[str], size: int = 60) -> list[str]:
    return [levels[n % len(levels)] for n in range(size)]


def test_labels_that_look_missing_or_alike_stay_apart(tmp_path: Path) -> None:
    levels = ["NA", "None", "null", "nan", "01", "1", "1.0"]
    run(tmp_path, columns(group=every(levels)), subgroups=["group"])
    found = file(tmp_path, "estimates_osa_by_group")
    assert {re.sub(r"Intercept \((.*)\)", r"\1", name) for name in found} == set(levels)
    assert set(file(tmp_path, "eval_by_group")) == {*levels, "All data"}
    assert sum(int(row["N responses"]) for row in file(tmp_path, "data_composition_by_group").values()) == 60
    assert sum(float(row["N"]) for name, row in file(tmp_path, "eval_by_group").items() if name != "All data") == 60


def test_labels_are_not_cut(tmp_path: Path) -> None:
    levels = ["St. Ives", "a]b", "C(d)[T.e]", 'f,"g"', "h\ni", "=1+1", "<b>&amp;</b>"]
    done = run(tmp_path, columns(group=every(levels)), subgroups=["group"])
    for model in ("osa", "osd", "csd"):
        found = [
            re.sub(r"^Intercept \((.*)\)$", r"\1", n, flags=re.S) for n in file(tmp_path, f"estimates_{model}_by_group")
        ]
        assert set(found) == set(levels)
    assert "<b>&amp;</b>" not in done.report.read_text()


def test_a_level_called_all_data_is_not_the_total(tmp_path: Path) -> None:
    run(tmp_path, columns(group=every(["All data", "b"])), subgroups=["group"])
    for name in ("eval", "consistency", "disattenuated_correlations"):
        assert list(file(tmp_path, f"{name}_by_group")) == ["All data", "##All data##", "b"]
    assert {n: float(row["N"]) for n, row in file(tmp_path, "eval_by_group").items()} == {
        "All data": 60,
        "##All data##": 30,
        "b": 30,
    }
    assert list(file(tmp_path, "data_composition_by_group")) == ["All data", "b"]


@pytest.mark.parametrize("column", ["h1", "engine", "h2"])
def test_infinite_scores_are_left_out_and_counted(column: str, tmp_path: Path) -> None:
    table = columns()
    table[column][:3] = ["inf", "-Infinity", "1e999"]
    run(tmp_path, table)
    left = 60 if column == "h2" else 57
    assert int(file(tmp_path, "data_composition")["Evaluation"]["responses"]) == left
    assert int(file(tmp_path, "consistency")[""]["N"]) == 57
    found = file(tmp_path, "test_excluded_composition")
    if column == "h1":
        assert found["non-numeric human score"]["numeric system score"] == "3.0"
    if column == "engine":
        assert found["numeric non-zero human score"]["non-numeric system score"] == "3"


@pytest.mark.parametrize("score", [1.1, 3])
def test_human_scores_that_do_not_vary(score: float, tmp_path: Path) -> None:
    run(tmp_path, columns(7, h1=[score] * 7, engine=[1, 2, 3, 1, 2, 3, 1]))
    row = file(tmp_path, "eval")["raw"]
    assert (row["R2"], row["SMD"], row["corr"]) == ("", "", "")
    assert float(row["wtkappa"]) == 0.0


def test_prmse_is_not_figured_from_a_negative_variance(tmp_path: Path) -> None:
    run(tmp_path, columns(4, h1=[1, 5, 1, 5], h2=[5, 1, 5, 1], engine=[3, 3, 3, 3.5]))
    row = file(tmp_path, "true_score_eval")["raw"]
    assert float(row["True score var"]) < 0
    assert row["PRMSE true"] == ""


def test_sections_do_not_need_one_another(tmp_path: Path) -> None:
    run(tmp_path, columns(), general_sections=["true_score_evaluation"])
    assert file(tmp_path, "true_score_eval")


@pytest.mark.parametrize("name", ["h1", "sc1"])
def test_a_flag_may_name_the_human_score(name: str, tmp_path: Path) -> None:
    table = columns()
    run(tmp_path, table, flag_column={name: ["3", 4.0]})
    kept = sum(score in (3, 4) for score in table["h1"])
    assert int(file(tmp_path, "data_composition")["Evaluation"]["responses"]) == kept
    assert len(file(tmp_path, "test_responses_with_excluded_flags")) == 60 - kept


def test_one_column_may_have_several_uses(tmp_path: Path) -> None:
    run(tmp_path, columns(), candidate_column="id")
    assert file(tmp_path, "data_composition")["Evaluation"]["candidates"] == "60"
    run(tmp_path, columns(who=every(["a", "b", "c"])), candidate_column="who", subgroups=["who"])
    assert file(tmp_path, "data_composition")["Evaluation"] == {
        "partition": "Evaluation",
        "responses": "60",
        "candidates": "3",
        "who": "3",
    }


def test_no_least_number_of_responses(tmp_path: Path) -> None:
    run(tmp_path, columns(group=every(["a", "b"])), subgroups=["group"], min_n_per_group=0)
    assert set(file(tmp_path, "eval_by_group")) == {"All data", "a", "b"}


def test_scores_one_apart_are_adjacent(tmp_path: Path) -> None:
    pairs = [(1.2, 2.2), (1.7, 2.7), (3.4, 4.4)]
    assert all(second - first > 1 for first, second in pairs)
    run(tmp_path, columns(3, h1=[first for first, _ in pairs], engine=[second for _, second in pairs]))
    assert float(file(tmp_path, "eval")["raw"]["adj_agr"]) == 100.0


def test_other_columns_are_as_they_were_written(tmp_path: Path) -> None:
    run(tmp_path, columns(code=every(["007", "2.50", "NA", "1e3"]), raw=every(["x"]), sc2=every(["y"])))
    found = list(file(tmp_path, "test_other_columns").values())
    assert [row["code"] for row in found[:4]] == ["007", "2.50", "NA", "1e3"]
    assert list(found[0]) == ["spkitemid", "code", "##raw##", "##sc2##"]


@pytest.mark.parametrize("name", ["error", "SE", "group", "sc1_cat", "sc1", "raw", "scale", "N"])
def test_any_column_can_be_a_subgroup(name: str, tmp_path: Path) -> None:
    run(tmp_path, columns(**{name: every(["a", "b", "c"])}), subgroups=[name])
    assert len(file(tmp_path, f"estimates_csd_by_{name}")) == 3
    assert list(file(tmp_path, "test_metadata")["000"]) == ["spkitemid", name]


def test_one_response(tmp_path: Path) -> None:
    run(tmp_path, columns(1, group=["a"]), subgroups=["group"])
    assert file(tmp_path, "fairness_metrics_by_group")["sig"]["Overall score difference"] == ""
    assert file(tmp_path, "eval")["raw"]["N"] == "1"


def test_every_row_of_the_table_names_a_test_that_is_there() -> None:
    named = re.findall(r"`(test_\w+)`", DOCS.read_text())
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("test_rsmtool_*.py"))
    assert len(set(named)) >= 15
    assert [name for name in named if f"def {name}(" not in sources] == []
