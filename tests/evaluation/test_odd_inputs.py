"""What is left out is counted with its reason; what cannot be computed says why. Refusals are in tests/messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import by_method, evaluate

import adjudge
from adjudge.data.cubes.files import read_cube
from adjudge.data.remarks import Remarks
from adjudge.data.source import Batch, Numbers, Text
from adjudge.errors import BadValue, InputError, SettingError
from adjudge.evaluation.answers.evidence import differs
from adjudge.evaluation.results import Row
from adjudge.inference.intervals.left_out import About, limits_without_one
from adjudge.report.cubes import cube_of, evaluate_cube

PROBABILITY = ("log_loss", "brier_score", "calibration_error")
DECISION = ("accuracy", "precision", "recall", "f_score", "cohen_kappa", "matthews_correlation")


@pytest.mark.parametrize("door", ["python", "file"])
def test_what_is_left_out_is_counted_by_its_first_reason(door: str, tmp_path: Path) -> None:
    rows: list[tuple[Any, ...]] = [
        ("1", "1", 0.9, 1, "a"),
        ("0", "0", 0.1, 2, "b"),
        (None, "1", 0.9, 1, "a"),
        ("1", None, 0.9, 1, "a"),
        ("1", "1", None, 1, "a"),
        ("1", "1", "n/a", 1, "a"),
        ("1", "1", inf, 1, "a"),
        ("1", "1", 0.9, None, "a"),
        ("1", "1", 0.9, "heavy", "a"),
        ("1", "1", 0.9, -inf, "a"),
        ("1", "1", 0.9, 1, None),
        (None, None, None, None, None),
    ]
    names = ("label", "guess", "score", "weight", "person")
    table: Any = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    if door == "file":
        table = tmp_path / "odd.csv"
        lines = (",".join("" if value is None else str(value) for value in row) for row in (names, *rows))
        table.write_text("\n".join(lines))
    e = evaluate(table, prediction="guess", score="score", weight="weight", cluster="person")
    assert e.left_out == {
        'reference "label" is missing': 2,
        'cluster "person" is missing': 1,
        'prediction "guess" is missing': 1,
        'score "score" is infinite': 1,
        'score "score" is missing': 1,
        'score "score" is not a number': 1,
        'weight "weight" is infinite': 1,
        'weight "weight" is missing': 1,
        'weight "weight" is not a number': 1,
    }
    assert (e.outcome.data.rows, e.outcome.data.used, e["accuracy"].n) == (12, 2, 2)
    assert "left out" in repr(e) or "2 of 12 rows" in repr(e)


def test_only_an_empty_cell_of_a_file_is_missing(tmp_path: Path) -> None:
    """NA, None and the like are labels; so is an empty text in memory, which a cell cannot be told from."""
    (tmp_path / "t.csv").write_text('label,guess\nNA,NA\nNone,NA\n" ",NA\n,NA\n"",NA\nnan,NA\n')
    e = evaluate(tmp_path / "t.csv", prediction="guess")
    assert (e.outcome.data.categories, e.left_out) == ([" ", "NA", "None", "nan"], {'reference "label" is missing': 2})
    e = evaluate({"label": ["", "a", None, nan], "guess": ["", "a", "a", "a"]}, prediction="guess")
    assert (e.outcome.data.categories, e["accuracy"].n) == (["", "a"], 2)


def test_labels_are_kept_as_written() -> None:
    labels = ["NA", "None", "01", "1", "1.0", "</script>", "🐸", "St. Ives", "All data", "all", "a\nb", "=1+1", "\x00"]
    e = evaluate({"label": labels, "guess": labels}, prediction="guess")
    assert set(e.outcome.data.categories) == set(labels)
    assert all(e.get("recall", category=label).value == 1 for label in labels)


@pytest.mark.parametrize("labels", [("0", "1"), ("no", "yes"), ("False", "True"), (False, True), (0, 1), (0.0, 1.0)])
def test_what_a_lone_score_speaks_of_by_itself(labels: tuple[Any, Any]) -> None:
    e = evaluate({"label": [*labels, *labels], "score": [0.1, 0.9, 0.2, 0.8]}, score="score")
    assert e["roc_auc"].value == 1
    assert evaluate({"label": [*labels], "score": [0.1, 0.9]}, score="score", positive=labels[1])["roc_auc"].value == 1


def test_scores_that_are_no_probabilities() -> None:
    table = {"label": ["0", "1", "1", "0"], "score": [-2.0, 3.0, 0.4, 0.2], "where": list("aabb")}
    e = evaluate(table, score="score", slices=["where"])
    assert e["roc_auc"].value == 1
    for part in ("all", "where = a", "where = b"):
        for metric in (*PROBABILITY, *DECISION):
            found = e.get(metric, slice=part)
            assert isnan(found.value), "also where a slice happens to lie within [0, 1]"
            assert "[0, 1]" in found.note
    decided = evaluate(table, score="score", threshold=0.3)
    assert decided["accuracy"].value == 1
    assert isnan(decided["log_loss"].value)
    guessed = evaluate({**table, "guess": ["0", "1", "1", "1"]}, score="score", prediction="guess")
    assert guessed["accuracy"].value == 0.75


def test_scores_by_category_that_do_not_sum_to_one() -> None:
    table = {"label": ["a", "b", "a"], "a": [0.9, 0.2, 0.8], "b": [0.3, 0.9, 0.1]}
    e = evaluate(table, score={"a": "a", "b": "b"})
    assert e["accuracy"].value == 1
    assert e.get("roc_auc", category="a").value == 1
    assert isnan(e["log_loss"].value)
    assert "undefined" in e["log_loss"].note
    rounded = evaluate({**table, "a": [0.7, 0.1, 0.8], "b": [0.3, 0.9, 0.2004]}, score={"a": "a", "b": "b"})
    assert not isnan(rounded["log_loss"].value), "few digits are no offence"


def test_a_label_without_a_score_column() -> None:
    table = {"label": ["a", "b", "c"], "a": [0.9, 0.2, 0.5], "b": [0.1, 0.8, 0.5]}
    e = evaluate(table, score={"a": "a", "b": "b"})
    assert e["accuracy"].value == pytest.approx(2 / 3)
    assert isnan(e["log_loss"].value)
    assert "probability 0" in e["log_loss"].note


def test_a_certain_mistake_has_an_infinite_loss() -> None:
    e = evaluate({"label": ["1", "0"], "score": [0.0, 0.2]}, score="score")
    assert isnan(e["log_loss"].value)
    assert "infinite" in e["log_loss"].note


def test_the_same_column_under_two_names() -> None:
    e = evaluate({"label": ["a", "b"], "guess": ["a", "a"]}, systems={"one": "guess", "two": "guess"})
    accuracies = [row for row in e.table if row.metric == "accuracy"]
    one, two = ([r.estimate for r in accuracies if (r.system, r.baseline) == (name, None)] for name in ("one", "two"))
    assert one == two
    assert {row.estimate for row in accuracies if row.baseline == "one"} == {0.0}


def test_columns_without_names_are_called_by_their_numbers() -> None:
    assert evaluate({0: ["a", "b"], 1: ["a", "a"]}, reference=0, prediction=1)["accuracy"].value == 0.5


def test_an_extreme_score_does_not_stop_the_rest() -> None:
    with np.errstate(all="ignore"):
        table = {"label": ["0", "1", "0", "1"], "score": [-1e308, 1e308, 0.1, 0.9]}
        e = evaluate(table, score="score", metrics=["roc_auc"])
    assert e["roc_auc"].value == 1
    assert e.left_out == {'score "score" is beyond 1e+50': 2}


class Made(Remarks):
    """A source of blocks made by hand: what a long file looks like to an engine."""

    name = "made"
    column_names = ("label", "score", "where")

    def __init__(self, blocks: Sequence[tuple[list[str | None], list[float], list[str]]]) -> None:
        self.blocks = blocks

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = 0) -> Iterator[Batch]:
        for label, score, where in self.blocks:
            values = np.array(score)
            known = sorted({value for value in label if value is not None})
            codes = np.array([-1 if value is None else known.index(value) for value in label])
            places = sorted(set(where))
            yield Batch(
                len(label),
                {
                    "label": Text(codes, tuple(known)),
                    "score": Numbers(values),
                    "where": Text(np.array([places.index(value) for value in where]), tuple(places)),
                },
            )

    def fingerprint(self) -> str:
        return ""


def test_blocks_without_a_complete_row_are_counted() -> None:
    gone = ([None, None], [nan, nan], ["x", "y"])
    good = (["0", "1"], [0.2, 0.9], ["x", "y"])
    e = evaluate(Made([gone, gone, good, gone, good, gone]), score="score", slices=["where"], engine="stream")
    assert (e.outcome.data.rows, e.outcome.data.used) == (12, 4)
    assert e.left_out == {'reference "label" is missing': 8}
    assert e.get("accuracy", slice="where = y").n == 2
    alone = evaluate(Made([good, good]), score="score", slices=["where"], engine="stream")
    assert by_method(e).keys() == by_method(alone).keys()
    with pytest.raises(InputError, match="all 4 were left out"):
        evaluate(Made([gone, gone]), score="score", engine="stream")


def test_what_a_later_block_holds_is_checked_too() -> None:
    first, odd = (["0", "1"], [0.2, 0.9], ["x", "y"]), (["0", "maybe"], [0.2, 0.9], ["x", "y"])
    with pytest.raises(SettingError, match=r'The reference has "0", "1", "maybe"'):
        evaluate(Made([first, odd]), score="score")
    many = [(["0", "1"], [0.2, 0.9], [f"x{block}", f"y{block}"]) for block in range(1_001)]
    with pytest.raises(BadValue, match="at most 2,000 levels"):
        evaluate(Made(many), score="score", slices=["where"], metrics=["roc_auc"])
    with pytest.raises(BadValue, match="far apart"):
        evaluate(Made([first, first]), score="score", id="where")


def test_a_system_whose_column_has_no_name() -> None:
    table = {"label": [0, 1, 1, 0], "one": [0.1, 0.8, 0.4, 0.6], "": [0.2, 0.9, 0.7, 0.3]}
    e = evaluate(table, score=["one", ""], metrics=["roc_auc"])
    own = [row for row in e.table if row.metric == "roc_auc" and row.baseline is None]
    assert {row.system: row.estimate for row in own} == {"one": 0.75, "": 1.0}


def test_a_row_without_a_name_is_refused_before_rows_are_looked_up_by_it() -> None:
    table = {
        "label": [0, 1, 1, 0],
        "one": [0.1, 0.8, 0.4, 0.6],
        "two": [0.2, 0.9, 0.7, 0.3],
        "row": ["a", None, "c", "d"],
    }
    with pytest.raises(BadValue, match="`id` must be filled in for every row"):
        evaluate(table, score=["one", "two"], id="row")


def test_requirements_in_an_array_are_refused_in_a_sentence() -> None:
    with pytest.raises(SettingError):
        evaluate({"label": [0, 1], "one": [0.1, 0.8]}, score="one", require=np.array([1.0, 2.0]))


def test_numbers_whose_fourth_powers_are_beyond_all_have_no_jackknife() -> None:
    units, left = np.ones(20), np.linspace(-1.0, 1.0, 20) * 1e90
    plain = About((lambda value: value, lambda value: value))
    assert limits_without_one(np.asarray(0.0), left, units, 0.95, plain) is None
    assert limits_without_one(np.asarray(0.0), left / 1e90, units, 0.95, plain) is not None


def test_a_judge_of_whom_one_row_weighs_all_has_no_spread() -> None:
    table = {"human": [1.0, 0.0, 1.0, None], "judge": [0.9, 0.1, 0.8, 0.7], "w": [1.0, 1.0, 1.0, 5.0]}
    evaluation = adjudge.judges(table, reference="human", judge="judge", weight="w", replicates=100)
    assert all(not (row.low > row.estimate or row.estimate > row.high) for row in evaluation.table)


def test_a_long_name_of_a_table_is_cut() -> None:
    evaluation = adjudge.evaluate({"y": ["a", "b"], "p": ["a", "b"]}, reference="y", prediction="p")
    with pytest.raises(adjudge.errors.AdjudgeError) as refused:
        evaluation.taken("9" * 5_000)
    assert len(str(refused.value)) < 300


def test_a_system_whose_column_has_no_name_is_compared() -> None:
    table = {"h1": [1, 2, 3, 4] * 10, "h2": [1, 2, 3, 3] * 10, "a": [1.2, 2.1, 3.3, 3.9] * 10, "": [1, 2, 2, 4] * 10}
    found = adjudge.scoring(table, raters=["h1", "h2"], prediction=["a", ""], metrics=["r_squared"], replicates=100)
    assert {row.baseline for row in found.table if row.baseline is not None} == {"a · raw"}


def test_a_configuration_of_lists_in_lists_is_refused() -> None:
    from adjudge.interop.rsmtool import _written

    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(SettingError, match="must not hold lists so deep in lists"):
        _written({"description": deep})


def test_numbers_beyond_any_float_are_no_settings() -> None:
    with pytest.raises(SettingError, match="`deviation` must be a number, not something of the type int"):
        adjudge.plan("accuracy >= 0.9", deviation=10**400)
    with pytest.raises(SettingError, match="`quantile` must be a number"):
        adjudge.regression({"y": [1.0, 2.0], "m": [1.0, 2.5]}, reference="y", prediction="m", quantile=10**400)


def test_what_is_no_name_has_no_nearest_column() -> None:
    endless: list[object] = []
    endless.append(endless)
    axes = [{"characteristic": name, "metric": name, "column": "{system}"} for name in ("mean", "quantile(at=0.95)")]
    with pytest.raises(SettingError, match="`cluster` must be a text or left out"):
        adjudge.tradeoffs({"a": [1.0, 2.0], "b": [2.0, 1.0]}, ["a", "b"], axes, cluster=endless)


def test_a_long_metric_of_a_requirement_is_cut() -> None:
    with pytest.raises(SettingError) as refused:
        adjudge.evaluate(
            {"y": ["a", "b"], "m": ["a", "b"]},
            reference="y",
            prediction="m",
            require=[{"metric": f"cohen_kappa(weighting={'9' * 5_000})"}],
        )
    assert len(str(refused.value)) < 300


def test_half_a_character_may_name_an_annotator() -> None:
    votes = ["a", "b", "a", "b"] * 10
    rows = {
        "pair": [f"p{place}" for place in range(40)] * 2,
        "who": ["people"] * 40 + ["\ud800"] * 40,
        "vote": [*votes, *reversed(votes)],
    }
    result = adjudge.preference(rows, pair="pair", annotator="who", vote="vote", reference="people", replicates=100)
    assert result.outcome.data.fingerprint.startswith("sha256:")


def test_slices_beyond_counting_have_no_plan() -> None:
    with pytest.raises(SettingError, match="`slices` must be a whole number from 1 to 1,000,000"):
        adjudge.plan("accuracy >= 0.9", slices=10**18)


def test_the_cube_of_a_table_with_half_characters_is_written_and_read(tmp_path: Path) -> None:
    half = {"y": ["\ud800", "b"] * 10, "p": ["\ud800", "b", "b", "b"] * 5, "s\ud800": ["\udfff", "x"] * 10}
    whole = adjudge.evaluate(half, reference="y", prediction="p", slices="s\ud800", replicates=100)
    path = tmp_path / "c.cube.parquet"
    path.write_bytes(cube_of(whole).to_bytes())
    again = evaluate_cube(read_cube(str(path)), ["s\\ud800"], replicates=100)
    assert (
        again.get("accuracy", slice="s\\ud800 = \\udfff").value == whole.get("accuracy", slice="s\ud800 = \udfff").value
    )


def test_an_array_as_a_setting_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n2,2\n3,1\n" * 6)
    given = {"raters": ["a", "b"], "scale": np.array([1, 2, 3]), "metrics": ["cohen_kappa"], "replicates": 100}
    of_list = adjudge.agreement(path, **given | {"scale": [1, 2, 3]})
    assert adjudge.agreement(path, **given)["cohen_kappa"].value == of_list["cohen_kappa"].value


def test_tests_by_permutation_are_written() -> None:
    table = {"y": np.arange(20.0), "a": np.arange(20.0) ** 1.1, "b": np.arange(20.0)[::-1] * 1.0}
    given = {"reference": "y", "prediction": ["a", "b"], "tests": ["permutation"], "metrics": ["rmse"]}
    compared = adjudge.regression(table, **given, replicates=100)
    (row,) = [row for row in compared.table if row.test == "permutation"]
    assert type(row.p) is float
    results = json.loads(compared.content("json"))["results"]
    assert [one["p"] for one in results if one["test"] == "permutation"] == [row.p]


def test_limits_far_beyond_a_square_are_beside_the_rest() -> None:
    def row(name: str, n: int, scale: float) -> Row:
        return Row("m", name, "", "rmse", 2.0 * scale, scale, 3.0 * scale, 0.95, "johnson", n, "")

    plain = differs(row("g = x", 10, 1.0), row("all", 30, 1.5))
    far = differs(row("g = x", 10, 1e200), row("all", 30, 1.5e200))
    assert far["p_differs"] == pytest.approx(plain["p_differs"], rel=1e-12)
    assert far["rest"] == pytest.approx(float(plain["rest"]) * 1e200)


def test_long_names_of_a_table_without_rows_are_cut(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "t.csv").write_text(f"{'x' * 20_000},y\n")
    said = adjudge_cli(tmp_path / "t.csv")
    assert said.code == 2
    assert said.err.startswith(f"t.csv has no rows, only the columns {'x' * 57}..., y. ")


def test_ids_beyond_what_a_float_tells_apart_are_labels_of_their_own() -> None:
    """Three ids of 64 bits and more that differ in the last digit are not one label in three writings."""
    first = 2**70
    table = {"label": [first + row % 3 for row in range(60)], "guess": [first + row % 2 for row in range(60)]}
    made = adjudge.evaluate(table, reference="label", prediction="guess", replicates=100)
    assert "C2" not in [check.key for check in made.checks]
