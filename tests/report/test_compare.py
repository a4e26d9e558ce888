"""`adjudge.compare`: tables joined by an id, systems of one table, saved evaluations, folders of RSMTool."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.written import csv_file

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError, ColumnNotFound, SettingError
from adjudge.inference.differences.paired_shares import share_limits, square_and_add
from adjudge.report.cubes import cube_of, evaluate_cube


def tables(n: int = 200) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two systems; the second has other rows too, in another order."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, n)
    order = rng.permutation(n)[: n - 20]
    old = {"id": np.arange(n), "y": y, "guess": np.where(rng.random(n) < 0.7, y, 1 - y)}
    new_y = np.append(y[order], [0, 1])
    right = rng.random(len(new_y)) < 0.9
    new = {
        "id": np.append(np.arange(n)[order], [7001, 7002]),
        "y": new_y,
        "guess": np.where(right, new_y, 1 - new_y),
    }
    return old | {"part": rng.choice(["a", "b"], n)}, new


GIVEN: dict[str, Any] = {"reference": "y", "prediction": "guess", "replicates": 300}


def compared(*given: Any, **more: Any) -> Any:
    return adjudge.compare(*(given or tables()), **{"names": ["old", "new"], "id": "id"} | GIVEN | more)


def test_rows_of_the_same_id_are_paired() -> None:
    old, new = tables()
    result = compared(slices=["part"])
    by_id = {key: place for place, key in enumerate(old["id"].tolist())}
    both = [(by_id[key], place) for place, key in enumerate(new["id"].tolist()) if key in by_id]
    one, two = (np.array(side) for side in zip(*both, strict=True))
    gain = (new["guess"] == new["y"])[two].mean() - (old["guess"] == old["y"])[one].mean()
    row = result.table.find("accuracy", system="new", baseline="old")
    assert row.estimate == pytest.approx(gain)
    assert (row.n, row.method) == (180, "tango")
    assert row.differing == int((new["guess"][two] != old["guess"][one]).sum())
    assert result.left_out == {"not in all tables (old)": 20, "not in all tables (new)": 2}
    data = result.outcome.data
    assert data.rows == data.used + sum(data.left_out.values())
    assert "180 rows in all tables" in result.outcome.settings.choices["Tables joined"]
    assert result.table.find("accuracy", system="new", baseline="old", slice="part = a").n < 180


def test_joining_is_the_same_as_one_table() -> None:
    old, new = tables()
    by_id = dict(zip(new["id"].tolist(), new["guess"].tolist(), strict=True))
    kept = [place for place, key in enumerate(old["id"].tolist()) if key in by_id]
    one = {name: [values[place] for place in kept] for name, values in old.items()}
    one |= {"old": one["guess"], "new": [by_id[key] for key in one["id"]]}
    whole = adjudge.compare(one, reference="y", prediction=["old", "new"], id="id", replicates=300)
    joined = compared()
    assert list(whole.table.differences) == list(joined.table.differences)


def test_wins_ties_losses_and_flips() -> None:
    old, new = tables()
    panel = compared().outcome.panels.units[0]
    answers = dict(zip(new["id"].tolist(), new["guess"].tolist(), strict=True))
    fixed = [k for k, y, g in zip(old["id"], old["y"], old["guess"], strict=True) if answers.get(k) == y != g]
    broken = [
        k for k, y, g in zip(old["id"], old["y"], old["guess"], strict=True) if k in answers and answers[k] != y == g
    ]
    assert (panel.better, panel.worse, panel.equal) == (len(fixed), len(broken), 180 - len(fixed) - len(broken))
    assert [flip.id for flip in panel.flips if flip.better] == [str(key) for key in sorted(fixed)[:20]]
    assert [flip.id for flip in panel.flips if not flip.better] == [str(key) for key in sorted(broken)[:20]]
    assert all(flip.after == flip.reference != flip.before for flip in panel.flips if flip.better)


def newcombe(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float]:
    """Two shares (right, rows) of different rows: Newcombe's hybrid of two Wilson intervals."""
    return square_and_add(share_limits(*first, 0.95), share_limits(*second, 0.95), 0.0)


def test_without_an_id_nothing_is_paired_and_that_is_said() -> None:
    old, new = tables()
    result = compared(id=None)
    row = result.table.find("accuracy", system="new", baseline="old")
    counts = [(int((one["guess"] == one["y"]).sum()), len(one["y"])) for one in (new, old)]
    assert (row.low, row.high) == pytest.approx(newcombe(counts[0], counts[1]))
    assert (row.test, row.note) == ("not paired", "not paired")
    assert "not paired" in result.outcome.settings.choices["Differences"]
    assert "not paired" in result.content("markdown")
    assert "not paired" in result.content("html")


def test_with_few_rows_in_common_nothing_is_paired() -> None:
    old, new = tables()
    new = new | {"id": np.where(np.arange(len(new["id"])) < 30, new["id"], new["id"] + 10_000)}
    result = compared(old, new)
    assert result.table.find("accuracy", system="new", baseline="old").test == "not paired"
    assert "30 rows in common" in result.outcome.settings.choices["Differences"]


def test_each_table_may_have_a_column_of_its_own() -> None:
    old, new = tables()
    new["answer"] = new.pop("guess")
    result = compared(old, new, prediction=["guess", "answer"])
    assert result.table.find("accuracy", system="new", baseline="old") == compared().table.find(
        "accuracy", system="new", baseline="old"
    )


@pytest.mark.parametrize("task", ["regression", "scoring", "ranking"])
def test_every_task_with_systems(task: str) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 120)
    one, two = (
        {"q": np.repeat(np.arange(20), 6), "d": np.tile(np.arange(6), 20), "y": y, "m": y + rng.normal(0, s, 120)}
        for s in (9, 0.1)
    )
    given: dict[str, Any] = {
        "regression": {"reference": "y", "prediction": "m"},
        "scoring": {"raters": ["y"], "prediction": "m", "min": 0, "max": 3, "zeros": "keep"},
        "ranking": {"query": "q", "relevance": "y", "score": "m"},
    }[task]
    result = adjudge.compare(one, two, task=task, id=["q", "d"], names=["a", "b"], replicates=200, **given)
    better = {"regression": "rmse", "scoring": "quadratic_weighted_kappa", "ranking": "ndcg(at=5)"}[task]
    row = next(row for row in result.table.differences if row.metric == better)
    assert (row.estimate < 0) == (task == "regression")
    assert row.p is not None
    assert row.p < 0.05
    assert row.test != "not paired"


def test_saved_with_their_items_they_are_paired(tmp_path: Path) -> None:
    files = []
    for name, table in zip(("old", "new"), tables(), strict=True):
        evaluation = adjudge.classification(table, id="id", **GIVEN)
        files.append(evaluation.save(tmp_path / f"{name}.adjudge", with_items=True))
    result = adjudge.compare(*files, margin={"accuracy": 0.05})
    of_tables = compared(margin={"accuracy": 0.05})
    assert list(result.table.differences) == list(of_tables.table.differences)
    assert adjudge.load(files[0]).content("save_with_items") == files[0].read_bytes()


def test_saved_of_one_table_they_are_paired_without_an_id(tmp_path: Path) -> None:
    table = {"y": ["a", "b", "a", "b", "a", "b"] * 9, "old": ["a", "b", "b"] * 18, "new": ["a", "b", "a"] * 18}
    files = []
    for name in ("old", "new"):
        evaluation = adjudge.classification(table, reference="y", prediction=name, replicates=100)
        files.append(evaluation.save(tmp_path / f"{name}.adjudge", with_items=True))
    paired = adjudge.compare(*files).table.find("accuracy", system="new", baseline="old")
    both = adjudge.classification(table, reference="y", prediction=["old", "new"], replicates=100).table
    assert paired == both.find("accuracy", system="new", baseline="old")
    assert paired.differing == 18
    other = adjudge.classification({**table, "y": table["y"][::-1]}, reference="y", prediction="new", replicates=100)
    beside = adjudge.compare(files[0], other.save(tmp_path / "other.adjudge", with_items=True))
    assert beside.outcome.settings.choices["Differences"].startswith("not paired")


def test_saved_without_they_stand_side_by_side(tmp_path: Path) -> None:
    files = []
    for name, table in zip(("old", "new"), tables(), strict=True):
        evaluation = adjudge.classification(table, id="id", **GIVEN)
        files.append(evaluation.save(tmp_path / f"{name}.adjudge"))
    result = adjudge.compare(*files)
    row = result.table.find("accuracy", system="new", baseline="old")
    assert row.test == "not paired"
    assert result.outcome.panels.tables[0].title == "Evaluations side by side"
    assert result.outcome.panels.tables[0].columns == ["metric", "old", "new"]
    assert 'no rows with an `id` were saved of "old", "new"' in result.outcome.settings.choices["Differences"]
    other = adjudge.compare(*files, baseline="new").table.find("accuracy", system="old", baseline="new")
    assert (other.estimate, other.low, other.high) == pytest.approx((-row.estimate, -row.high, -row.low))
    again = result.save(tmp_path / "both.adjudge")
    assert adjudge.load(again).table.records() == result.table.records()


def rsmtool_folder(folder: Path, name: str, agreement: float) -> Path:
    (folder / name / "output").mkdir(parents=True)
    head = ",N,h_mean,corr,wtkappa,R2,kappa,exact_agr,adj_agr,SMD,RMSE\n"
    rows = "".join(
        f"{form},100,3.1,0.8,{agreement},0.6,0.5,55.0,97.0,0.02,0.7\n" for form in ("raw_trim", "raw_trim_round")
    )
    (folder / name / "output" / f"{name}_eval.csv").write_text(head + rows)
    return folder / name


def test_folders_of_rsmtool_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (rsmtool_folder(tmp_path, name, agreement) for name, agreement in (("first", 0.7), ("second", 0.75)))
    out = tmp_path / "both.csv"
    assert main(["compare", str(one), str(two), "--csv", str(out), "--html", str(tmp_path / "p.html"), "--all"]) == 0
    assert "second" in capsys.readouterr().out
    lines = out.read_text().splitlines()
    difference = next(line for line in lines if line.startswith("second: raw_trim,") and "first: raw_trim" in line)
    assert "quadratic_weighted_kappa" in difference
    assert "0.05" in difference
    (one / "output" / "again_eval.csv").write_text("x")
    assert main(["compare", str(one), str(two)]) == 2
    assert "the output of one experiment" in capsys.readouterr().err


def test_an_answer_about_one_of_three_results_says_why_they_are_not_compared_and_what_to_do() -> None:
    made = [
        adjudge.judges(
            {"y": ["1", "0", "1", "1", "0"] * 20 + [None] * 60, "judge": [0.9, 0.2, 0.7, 0.8, 0.4] * 32},
            reference="y",
            judge="judge",
            replicates=100,
            seed=seed,
        )
        for seed in (1, 2, 3)
    ]
    answer = adjudge.compare(*made, names=["may", "june", "july"]).summary.answer
    assert answer is not None
    assert answer.headline.endswith(
        'The results are not compared: they are not paired: no rows with an `id` were saved of "may", "june", "july" '
        "(evaluate with an `id` and save `with_items`, and each row is compared with the same one)."
    )


def test_the_command_joins_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, table in zip(("old", "new"), tables(), strict=True):
        csv_file(tmp_path / f"{name}.csv", table)
    files = [str(tmp_path / "old.csv"), str(tmp_path / "new.csv")]
    roles = ["--id", "id", "--reference", "y", "--prediction", "guess", "--replicates", "300"]
    assert main(["compare", *files, *roles, "--margin", "accuracy=1%", "--csv", str(tmp_path / "c.csv")]) == 0
    printed = capsys.readouterr().out
    assert "new" in printed
    assert "not worse by 1 %" in (tmp_path / "c.csv").read_text()
    assert main(["compare", *files, "--task", "regression", *roles]) == 0
    assert main(["compare", *files, *roles, "--out"]) == 2


def test_the_command_saves_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = []
    for name, table in zip(("old", "new"), tables(), strict=True):
        csv_file(tmp_path / f"{name}.csv", table)
        saved.append(str(tmp_path / f"{name}.adjudge"))
        roles = ["--id", "id", "--reference", "y", "--prediction", "guess", "--replicates", "300", "--quiet"]
        assert main(["classification", str(tmp_path / f"{name}.csv"), *roles, "--save", saved[-1], "--with-items"]) == 0
    assert main(["compare", *saved, "--all"]) == 0
    assert "180 rows in all tables" in capsys.readouterr().out
    assert main(["classification", str(tmp_path / "old.csv"), *roles, "--with-items"]) == 2
    assert "`--with-items` must go with `--save`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "key"}, '`id` must name a column of the table, but there is no column "key"'),
        ({"baseline": "nwe"}, '`baseline` must be one of the systems, not "nwe"'),
        ({"prediction": "answer"}, "`prediction` must name a column of each table"),
        ({"prediction": None}, "`prediction` or `score` must name the column"),
        ({"names": ["old", "old"]}, "must have different names"),
        ({"names": ["old"]}, "`names` must name each of what is compared"),
        ({"systems": {"a": "guess"}}, "`systems` must be left out"),
        ({"task": "preference"}, "must be one table to be compared"),
    ],
)
def test_what_cannot_be_compared_is_said(change: dict[str, Any], said: str) -> None:
    with pytest.raises(AdjudgeError) as refused:
        compared(**change)
    assert said in str(refused.value)


def test_ids_must_be_there_once_and_meet() -> None:
    old, new = tables()
    cases = {
        "stands 2 times": {"id": np.append(new["id"][:-1], new["id"][0])},
        "have none in": {"id": [None, *new["id"].tolist()[1:]]},
        "none is: the first are": {"id": new["id"] + 100_000},
        '"y" must say the same of a row in all tables': {"y": 1 - new["y"]},
    }
    for said, change in cases.items():
        with pytest.raises(AdjudgeError) as refused:
            compared(old, new | change)
        assert said in str(refused.value)


def test_one_system_is_no_comparison(tmp_path: Path) -> None:
    old, _ = tables()
    with pytest.raises(AdjudgeError, match="At least two systems must be compared"):
        adjudge.compare(old, **GIVEN)
    saved = adjudge.classification(old, **GIVEN).save(tmp_path / "a.adjudge")
    with pytest.raises(AdjudgeError, match="At least two evaluations must be compared"):
        adjudge.compare(saved)
    with pytest.raises(AdjudgeError, match="must not be mixed"):
        adjudge.compare(saved, old)
    with pytest.raises(AdjudgeError, match="must be compared as they are"):
        adjudge.compare(saved, saved, names=["a", "b"], reference="y")


def test_three_results_that_are_not_paired_are_ranked_and_named() -> None:
    """Shares of 62, 75 and 80 in 100 with Wilson's limits; the chance of being best by an integral of normals."""
    from scipy.integrate import quad
    from scipy.stats import norm

    right = {"a": 62, "b": 75, "c": 80}
    made = [
        adjudge.classification({"y": ["x", "z"] * 50, "guess": [*["x", "z"] * 50][:k] + ["w"] * (100 - k)}, **GIVEN)
        for k in right.values()
    ]
    result = adjudge.compare(*made, names=list(right))
    panel = next(one for one in result.outcome.panels.standings if one.metric == "accuracy")
    assert [(line.system, line.estimate) for line in panel.lines] == [("c", 0.8), ("b", 0.75), ("a", 0.62)]
    assert [line.letters for line in panel.lines] == ["a", "ab", "b"]
    assert [(line.rank_low, line.rank_high) for line in panel.lines] == [(1, 2), (1, 3), (2, 3)]
    usual = newcombe((62, 100), (80, 100))
    longer = norm.ppf(1 - 0.025 / 3) / norm.ppf(0.975)
    last = panel.lines[2]
    assert (last.difference_low, last.difference_high) == pytest.approx([-0.18 + (x + 0.18) * longer for x in usual])
    errors = {line.system: (line.high - line.low) / 2 / norm.ppf(0.975) for line in panel.lines}  # type: ignore[operator]
    for line in panel.lines:
        others = [one for one in panel.lines if one is not line]

        def density(x: float, own: Any = line, rest: Any = others) -> float:
            below = np.prod([norm.cdf(x, one.estimate, errors[one.system]) for one in rest])
            return float(norm.pdf(x, own.estimate, errors[own.system]) * below)

        assert line.probability_best == pytest.approx(quad(density, 0, 1.5)[0], abs=0.015)
    assert "systems may be the best: c, b" in result.summary.answer.headline
    block = result.summary.answer.blocks[0]
    assert block.title == "results side by side"
    assert [row[0].text for row in block.rows] == list(right)  # type: ignore[union-attr]
    assert "not paired" in result.summary.answer.doubt
    assert result.content("json") == adjudge.compare(*made, names=list(right)).content("json")


def test_evaluations_of_one_table_that_were_asked_otherwise_stand_side_by_side(tmp_path: Path) -> None:
    table = {"y": ["0", "1"] * 30, "p": ["0", "1", "1"] * 20, "s": [0.1, 0.9, 0.4] * 20}
    files = []
    for name, given in (("one", {"prediction": "p"}), ("two", {"score": "s"})):
        evaluation = adjudge.classification(table, reference="y", replicates=100, **given)
        files.append(evaluation.save(tmp_path / f"{name}.adjudge", with_items=True))
    assert adjudge.compare(*files).outcome.settings.choices["Differences"].startswith("not paired")


def test_the_rows_of_cells_are_not_kept(tmp_path: Path) -> None:
    table = {"y": ["a", "b"] * 30, "p": ["a", "b", "b"] * 20}
    cells = evaluate_cube(cube_of(adjudge.classification(table, reference="y", prediction="p", replicates=100)))
    with pytest.raises(adjudge.errors.InputError, match="must be left out where cells are evaluated"):
        cells.save(tmp_path / "cells.adjudge", with_items=True)


@pytest.mark.parametrize("named", [3, [3], [["a"]]])
def test_columns_that_rows_are_joined_by_are_named(named: object) -> None:
    endless: list[object] = []
    endless.append(endless)
    table = {"y": ["a", "b"], "m": ["a", "b"], "s": ["a", "a"]}
    for odd in (named, endless):
        with pytest.raises((SettingError, ColumnNotFound), match=r"^`id` must (be the name of|name) a column"):
            adjudge.compare(table, id=odd, reference="y", prediction=["m", "s"])


def test_results_that_share_no_answer_are_not_said_to_hold_nothing(tmp_path: Path) -> None:
    table = {"y": ["0", "1"] * 30, "p": ["0", "1", "1"] * 20}
    given = {"reference": "y", "prediction": "p", "replicates": 100}
    one = adjudge.classification(table, **given).save(tmp_path / "one.adjudge")
    two = adjudge.classification(table, metrics=["recall"], **given).save(tmp_path / "two.adjudge")
    answer = adjudge.compare(one, two).summary.answer.headline
    assert answer == "No answer: of 120 rows other figures were measured than the answer is about."
