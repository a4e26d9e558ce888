"""Small evaluations checked with pencil and paper."""

from __future__ import annotations

from math import isnan, log, sqrt
from typing import Any

import pytest
from scipy.stats import beta
from tests.evaluation.tables import BINARY, THREE, evaluate, wilson

import adjudge

SCORE_ONLY = {
    "accuracy": 4 / 6,
    "error_rate": 2 / 6,
    "balanced_accuracy": 2 / 3,
    "precision": 2 / 3,
    "recall": 2 / 3,
    "specificity": 2 / 3,
    "f_score": 2 / 3,
    "matthews_correlation": (2 * 2 - 1 * 1) / sqrt(3 * 3 * 3 * 3),
    "cohen_kappa": (4 / 6 - 1 / 2) / (1 - 1 / 2),
    "roc_auc": 8 / 9,
    "average_precision": (1 + 1 + 3 / 4) / 3,
    "max_accuracy": 5 / 6,
    "log_loss": -(log(0.9) + log(0.8) + log(0.4) + log(0.3) + log(0.7) + log(0.9)) / 6,
    "brier_score": (0.1**2 + 0.2**2 + 0.6**2 + 0.7**2 + 0.3**2 + 0.1**2) / 6,
    "precision_at_recall(at=0.9)": 3 / 4,
    "false_positive_rate_at_recall(at=0.9)": 1 / 3,
    "baseline_accuracy": 1 / 2,
    "baseline_roc_auc": 1 / 2,
    "baseline_log_loss": log(2),
    "baseline_brier_score": 1 / 4,
}


@pytest.mark.parametrize("metric", list(SCORE_ONLY))
def test_a_lone_score(metric: str) -> None:
    assert evaluate(BINARY, score="score")[metric].value == pytest.approx(SCORE_ONLY[metric], abs=1e-12)


def guarded(part: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's limits, or the exact one-sided ones of that level where they lie further out."""
    low, high = wilson(part, n, level)
    return min(low, beta.ppf(1 - level, part, n - part + 1)), max(high, beta.ppf(level, part + 1, n - part))


def test_a_share_of_few_rows_has_wilsons_interval_guarded_and_then_plain() -> None:
    e = evaluate(BINARY, score="score")
    found = e["accuracy"]
    assert (found.method, found.n, found.interval.level) == ("guarded_wilson", 6, 0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx(guarded(4, 6))
    plain = next(row for row in e.table if row.metric == "accuracy" and row.method == "wilson")
    assert (plain.low, plain.high) == pytest.approx(wilson(4, 6))


def test_a_share_of_many_rows_has_wilsons_interval_first() -> None:
    many = {name: list(column) * 20 for name, column in BINARY.items()}
    e = evaluate(many, score="score")
    assert e["accuracy"].method == "wilson"
    assert (e["accuracy"].interval.low, e["accuracy"].interval.high) == pytest.approx(wilson(80, 120))
    assert "guarded_wilson" not in {row.method for row in e.table if row.metric == "accuracy"}


def test_a_prediction_decides_and_the_score_ranks() -> None:
    e = evaluate(BINARY, score="score", prediction="guess")
    assert e["accuracy"].value == pytest.approx(5 / 6), "by the guesses, not by 0.5"
    assert e["recall"].value == 1
    assert e["precision"].value == pytest.approx(3 / 4)
    assert e["roc_auc"].value == pytest.approx(8 / 9)


def test_another_threshold() -> None:
    e = evaluate(BINARY, score="score", threshold=0.4)
    assert e["recall"].value == 1, "a score equal to the threshold is taken"
    assert e["precision"].value == pytest.approx(3 / 4)
    assert e["roc_auc"].value == pytest.approx(8 / 9)


def test_the_other_label_as_positive() -> None:
    e = evaluate({**BINARY, "score": [1 - s for s in BINARY["score"]]}, score="score", positive="0")
    assert e["roc_auc"].value == pytest.approx(8 / 9)
    assert e["recall"].value == pytest.approx(2 / 3)
    assert e.outcome.settings.positive == "0"


@pytest.mark.parametrize("asked", [{"prediction": "guess"}, {"score": {"a": "a", "b": "b", "c": "c"}}])
def test_three_labels(asked: dict[str, Any]) -> None:
    """The largest score decides as the guesses do, so both give the same table."""
    e = evaluate(THREE, **asked)
    recall = {category: e.get("recall", category=category).value for category in "abc"}
    precision = {category: e.get("precision", category=category).value for category in "abc"}
    assert recall == pytest.approx({"a": 2 / 3, "b": 1 / 2, "c": 1})
    assert precision == pytest.approx({"a": 1, "b": 1 / 2, "c": 1 / 2})
    assert e["accuracy"].value == pytest.approx(4 / 6)
    assert e["balanced_accuracy"].value == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert e["recall(average=macro)"].value == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert e["precision(average=weighted)"].value == pytest.approx((3 * 1 + 2 / 2 + 1 / 2) / 6)
    chance = (3 * 2 + 2 * 2 + 1 * 2) / 36
    assert e["cohen_kappa"].value == pytest.approx((4 / 6 - chance) / (1 - chance))


def test_scores_by_category() -> None:
    e = evaluate(THREE, score={"a": "a", "b": "b", "c": "c"})
    given = [THREE[label][row] for row, label in enumerate(THREE["label"])]
    assert e["log_loss"].value == pytest.approx(-sum(map(log, given)) / 6)
    assert e.get("roc_auc", category="a").value == 1
    assert e.get("roc_auc", category="b").value == pytest.approx(6.5 / 8), "2 × 4 pairs, one out of order, one tied"
    assert e["roc_auc(average=macro)"].value == pytest.approx((1 + 6.5 / 8 + 1) / 3)


def test_of_equal_scores_the_first_given_decides() -> None:
    table = {"label": ["a", "b"], "x": [0.5, 0.5], "y": [0.5, 0.5]}
    assert evaluate(table, score={"a": "x", "b": "y"}).get("recall", category="a").value == 1
    assert evaluate(table, score={"b": "y", "a": "x"}).get("recall", category="b").value == 1


def test_two_systems_share_their_rows() -> None:
    """A row that one system cannot answer counts for neither, so that they are compared on the same rows."""
    table = {"label": ["0", "1", "1", "0"], "old": [0.2, 0.9, None, 0.6], "new": [0.1, 0.8, 0.7, 0.2]}
    e = evaluate(table, score=["old", "new"])
    assert e.get("accuracy", system="old").n == e.get("accuracy", system="new").n == 3
    assert e.get("accuracy", system="old").value == pytest.approx(2 / 3)
    assert e.get("accuracy", system="new").value == 1
    assert e.left_out == {'score "old" is missing': 1}


def test_systems_by_name() -> None:
    e = evaluate(BINARY, systems={"rule": "guess", "model": {"score": "score"}})
    assert e.get("accuracy", system="rule").value == pytest.approx(5 / 6)
    assert e.get("accuracy", system="model").value == pytest.approx(4 / 6)
    assert e["roc_auc"].value == pytest.approx(8 / 9), "only the model has a score"


def mixed(rows: float, kish: float) -> float:
    """Rows by Taylor's variance; where those are more than Kish's, by a variance between the two."""
    return rows if rows < kish else (kish + 40) / (kish / rows + 40 / kish)


def test_case_weights_are_repeated_rows() -> None:
    table = {"label": ["1", "1", "0"], "guess": ["1", "0", "0"], "weight": [3.0, 1.0, 2.0]}
    e = evaluate(table, prediction="guess", weight="weight")
    assert e["accuracy"].value == pytest.approx(5 / 6)
    assert e.get("recall", category="1").value == pytest.approx(3 / 4)
    # Rows of right and of wrong answers weigh differently: Taylor's variance, half a row of each kind added to tell it.
    one, kish = 14 / 6, 6**2 / 14
    p = (5 + one / 2) / (6 + one)
    variance = ((9 + 4 + one**2 / 2) * (1 - p) ** 2 + (1 + one**2 / 2) * p**2) / (6 + one) ** 2
    n = mixed(p * (1 - p) / variance * kish / (kish + 1), kish)
    # A wrong row that was not seen may weigh as much as rows do, which is 4 / 3 more than the one that was seen.
    more = one - 1
    share = 5 / (6 + more)
    spread = ((9 + 4) * (1 - share) ** 2 + (1 + more * one) * share**2) / (6 + more) ** 2
    fewer = mixed(share * (1 - share) / spread, kish)
    plain = next(row for row in e.table if row.metric == "accuracy" and row.method == "wilson")
    assert (plain.low, plain.high) == pytest.approx((wilson(share * fewer, fewer)[0], wilson(5 / 6 * n, n)[1]))
    assert e["accuracy"].method == "guarded_wilson"
    assert e["accuracy"].interval.high == pytest.approx(guarded(5 / 6 * n, n)[1])


def test_one_class_only() -> None:
    e = evaluate({"label": ["1", "1"], "score": [0.2, 0.8]}, score="score")
    assert e["recall"].value == pytest.approx(0.5)
    assert isnan(e["roc_auc"].value)
    assert isnan(e["roc_auc"].interval.low)
    assert e["roc_auc"].note.startswith("undefined: ")
    assert "undefined" in str(e["roc_auc"])


def test_estimate_of_two_arrays() -> None:
    found = adjudge.estimate(adjudge.metrics.accuracy, BINARY["label"], BINARY["guess"], level=0.8)
    assert found.value == pytest.approx(5 / 6)
    assert (found.interval.low, found.interval.high) == pytest.approx(guarded(5, 6, 0.8))
    area = adjudge.estimate(adjudge.metrics.roc_auc, [1, 1, 1, 0, 0, 0], BINARY["score"], method="hanley")
    assert (area.value, area.method) == (pytest.approx(8 / 9), "hanley")
    with pytest.raises(adjudge.errors.AdjudgeError, match="method"):
        adjudge.estimate(adjudge.metrics.roc_auc, [1, 0], [0.9, 0.1], method="wislon")
