"""What is given in place of something else on the way through commands and functions: a sentence, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.saving import SEAL, sealed
from adjudge.statistics.systems.counted_flips import FlipSums
from adjudge.statistics.weights import Weights

SUITE = "case,what,expect,old,new\n" + "".join(
    f"{row},{'ab'[row % 2]},{row % 3},{row % 3},{(row + (row % 7 == 0)) % 3}\n" for row in range(40)
)
ASKED = ("--case", "case", "--phenomenon", "what", "--expect", "expect", "--prediction", "old", "new")


def test_saved_suites_are_compared(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "suite.csv").write_text(SUITE)
    save, page = tmp_path / "e.adjudge", tmp_path / "page.html"
    said = adjudge_cli("diagnostic", tmp_path / "suite.csv", *ASKED, "--replicates", "100", "--save", save, "--quiet")
    assert said.code == 0
    said = adjudge_cli("compare", save, save, "--names", "a", "b", "--task", "diagnostic", "--html", page)
    assert (said.code, page.exists()) == (0, True)


def test_a_part_of_a_saved_file_is_no_option(tmp_path: Path, adjudge_cli: Any) -> None:
    table = {"label": ["a", "b"] * 10, "guess": ["a", "b"] * 10}
    adjudge.evaluate(table, reference="label", prediction="guess", replicates=100).save(path := tmp_path / "e.adjudge")
    document = json.loads(b"{" + path.read_bytes()[len(SEAL) + 66 :])
    del document["results"][0]["level"]
    path.write_bytes(sealed(json.dumps(document).encode()))
    said = adjudge_cli("report", path)
    assert (said.code, "'level'" in said.err, "--level" in said.err) == (2, True, False)


def test_a_gate_takes_the_task_of_its_table() -> None:
    table = {"true": [1.0, 2.0, 3.0] * 20, "said": [1.1, 2.1, 2.9] * 20}
    gate = adjudge.Gate.of("mean_absolute_error <= 1")
    assert gate.run(table, task="regression", reference="true", prediction="said", replicates=100).passed
    with pytest.raises(AdjudgeError, match="`require` must be left out of a gate"):
        gate.run(table, task="regression", reference="true", prediction="said", require="mean_absolute_error <= 2")


def test_an_option_that_is_unknown_ends_in_one_sign(adjudge_cli: Any) -> None:
    said = adjudge_cli("agreement", "t.csv", "--rater-s", "a")
    assert said.code == 2
    assert said.err.rstrip().endswith("?")


@pytest.mark.parametrize("column", [5, 0.5, [1, 2], None])
def test_a_column_of_a_trade_is_a_name(column: Any) -> None:
    axes = [{"characteristic": name, "metric": "mean", "column": column} for name in ("cost", "time")]
    with pytest.raises(AdjudgeError, match="`column` must"):
        adjudge.tradeoffs({"a": [1, 2], "b": [2, 3]}, ["a", "b"], axes)


def test_a_pick_of_lists_in_lists_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(AdjudgeError, match="`pick` must be given as NAME=VALUE, not as something of the type list"):
        adjudge.evaluate({"a": ["x"], "b": ["x"]}, reference="a", prediction="b", pick=[deep])


def test_a_pick_may_have_more_digits_than_python_writes() -> None:
    with pytest.raises(AdjudgeError):
        adjudge.evaluate({"a": [1]}, reference="a", prediction="a", pick={"question": 10**5000})
    with pytest.raises(AdjudgeError, match="NAME=VALUE"):
        adjudge.evaluate({"a": [1]}, reference="a", prediction="a", pick={"nothing": 10**5000})


@pytest.mark.parametrize("name", ["a\rb", "\u2066a\u2069", "a\0b"])
def test_sql_holds_no_sign_that_acts_on_its_reader(name: str, adjudge_cli: Any) -> None:
    said = adjudge_cli("cells", name, "--reference", "a", "--prediction", "b", "--sql", "duckdb")
    assert (said.code, "must be text that SQL can show" in said.err) == (2, True)


def test_systems_of_a_task_without_them_are_refused(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "adjudge.toml").write_text('[agreement]\nraters = ["a", "b"]\nsystems = {one = "a"}\n')
    (tmp_path / "t.csv").write_text("a,b\nx,x\ny,x\n")
    said = adjudge_cli("agreement", tmp_path / "t.csv", "--config", tmp_path / "adjudge.toml")
    assert (said.code, said.err.count("\n")) == (2, 1)


def test_a_column_without_a_name_is_one() -> None:
    table = {"": ["a", None], "expect": ["a", "b"], "what": ["x", "y"], "case": [1, 2]}
    given = {"case": "case", "phenomenon": "what", "expect": "expect", "replicates": 100}
    assert adjudge.diagnostic(table, prediction="", **given).left_out == {
        'prediction "" is missing, in the row or its original': 1
    }


def test_rows_that_weigh_nothing_flip_nothing() -> None:
    """A level of a slice in which every case has the weight 0."""
    rows = [line.split(",") for line in SUITE.splitlines()]
    table: dict[str, Any] = {name: [row[at] for row in rows[1:]] for at, name in enumerate(rows[0])}
    table["weight"] = [0 if what == "b" else 2.5 for what in table["what"]]
    given = {"case": "case", "phenomenon": "what", "expect": "expect", "prediction": ["old", "new"]}
    assert len(adjudge.diagnostic(table, **given, weight="weight", replicates=100).table)


def test_a_table_to_take_away_is_safe_for_spreadsheets(tmp_path: Path) -> None:
    table = {"=ref": ["=1+1", "b"] * 20, "guess": ["=1+1", "=1+1"] * 20}
    items = adjudge.evaluate(table, reference="=ref", prediction="guess", replicates=100).items
    items.write(tmp_path / "i.csv")
    items.write(tmp_path / "i.safe.csv")
    exact, safe = ((tmp_path / name).read_text().splitlines()[1] for name in ("i.csv", "i.safe.csv"))
    assert (exact.count("'=1+1"), exact.count("=1+1")) == (0, 2)
    assert safe.count("'=1+1") == 2


def test_a_requirement_of_levels_none_of_which_it_applies_to() -> None:
    table = {"label": [0, 1] * 30, "score": [0.2, 0.7, 0.6] * 20, "group": ["x", "y"] * 30}
    gate = adjudge.Gate.of({"metric": "roc_auc", "every": "group", "at_least": 0.5})
    assert gate.run(table, reference="label", score="score", positive=1, replicates=100).exit_code == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("level = 95", "level must lie between 0 and 1"),
        ("replicates = 3", "replicates must be a whole number from 100"),
        ('metrics = ["acuracy"]', 'There is no metric "acuracy"'),
        ('bootstrap = "bcaa"', "bootstrap must be"),
        ("level = 0.9", ""),
        ('slices = ["a × b"]', ""),
    ],
)
def test_values_of_settings_are_checked_without_a_table(line: str, said: str, tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "adjudge.toml").write_text(f'[classification]\nreference = "y"\nprediction = ["p"]\n{line}\n')
    found = adjudge_cli("init", "--check", tmp_path / "adjudge.toml")
    assert (found.code, said in found.err) == (2 if said else 0, True)


def test_an_engine_of_many_signs_is_told_in_few() -> None:
    with pytest.raises(AdjudgeError) as refusal:
        adjudge.evaluate({"a": [1]}, reference="a", prediction="a", engine="9" * 5000)
    assert len(str(refusal.value)) < 300


def test_a_dash_is_no_output(tmp_path: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("label,guess\n" + "a,a\nb,a\n" * 10)
    said = adjudge_cli("classification", "t.csv", "--reference", "label", "--prediction", "guess", "--json", "-")
    assert (said.code, "/dev/stdout" in said.err, (tmp_path / "-").exists()) == (2, True, False)


def test_a_fit_of_one_vote_has_no_limits_beside_it() -> None:
    table = {"a": ["x"], "b": ["y"], "model_a": ["one"], "model_b": ["two"], "vote": ["text_a"]}
    given = {"text_a": "a", "text_b": "b", "model_a": "model_a", "model_b": "model_b", "reference": "vote"}
    for row in adjudge.evaluate(table, "preference", **given, replicates=100).table:
        assert not row.low > row.estimate, row
        assert not row.estimate > row.high, row


@pytest.mark.parametrize("column", [0.5, pytest.param(10**5000, id="long")])
def test_ids_of_a_comparison_are_names(column: Any) -> None:
    with pytest.raises(AdjudgeError, match="`id` must be the name of a column"):
        adjudge.compare({"a": [1], "b": [1]}, {"a": [1], "b": [1]}, id=column, reference="a", prediction="b")


def test_labels_of_five_thousand_digits_are_no_points_of_a_scale() -> None:
    labels = ["9" * 5000, "1", "2"] * 10
    assert str(adjudge.agreement({"r": labels, "s": labels[::-1]}, raters=["r", "s"], replicates=100))


def test_flips_of_draws_that_weigh_nothing() -> None:
    losses = UnitLosses(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros((2, 2)))
    sums = FlipSums.collect(losses, Weights(2, np.zeros(2)))
    assert sums.flips(1, FlipSums.collect(losses, Weights(2, np.zeros(2), np.ones((2, 3))))).units == 1


@pytest.mark.parametrize("task", ["classification", "agreement", "preference", "ranking"])
def test_a_name_that_no_file_can_have(task: str, adjudge_cli: Any) -> None:
    """Words of a settings file may hold what the words of a shell cannot."""
    said = adjudge_cli(task, "table\0.csv")
    assert said.code == 2
    assert said.err.startswith("adjudge: ")


def test_long_names_of_columns_are_cut_where_a_role_is_missing(tmp_path: Path, adjudge_cli: Any) -> None:
    table = tmp_path / "t.csv"
    table.write_text(",".join(f"{'x' * 800}{n}" for n in range(8)) + "\n" + ",".join("abcdefgh") + "\n")
    said = adjudge_cli("classification", table)
    assert said.code == 2
    assert len(said.err) < 1_000


def test_more_places_than_lists_can_have_are_refused(tmp_path: Path, adjudge_cli: Any) -> None:
    table = tmp_path / "t.csv"
    table.write_text("q,r,s\n" + "".join(f"q{row // 3},{row % 3},{row}\n" for row in range(60)))
    roles = ["--query", "q", "--relevance", "r", "--score", "s"]
    said = adjudge_cli("ranking", table, *roles, "--metrics", f"ndcg(at={10**20})")
    assert said.code == 2
    assert "`--at` must be at most 1,000,000,000" in said.err
