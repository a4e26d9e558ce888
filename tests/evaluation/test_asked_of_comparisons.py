"""What is asked of a comparison is answered, or refused where nothing is compared; never left out in silence."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.errors import SettingError

DRAWN = np.random.default_rng(5)
ROWS = 60
ANSWERS = DRAWN.integers(0, 2, ROWS)
NUMBERS = DRAWN.normal(size=(3, ROWS))
TABLE = {
    "truth": ANSWERS,
    "one": np.where(NUMBERS[0] > 1, 1 - ANSWERS, ANSWERS),
    "two": np.where(NUMBERS[1] > 1, 1 - ANSWERS, ANSWERS),
    "again": np.where(NUMBERS[2] > 1, 1 - ANSWERS, ANSWERS),
    "arm": DRAWN.integers(0, 2, ROWS),
    "human": DRAWN.integers(1, 5, ROWS),
    **{f"number {place}": 3 + numbers for place, numbers in enumerate(NUMBERS)},
    "labelled": [int(label) if row < 40 else None for row, label in enumerate(ANSWERS)],
    "query": np.arange(ROWS) // 6,
}
UPLIFT = {"outcome": "truth", "treatment": "arm", "score": ["number 0", "number 1"]}
SETTINGS = {"against": "all", "margin": {"accuracy": 0.01}, "tests": "mcnemar", "adjust": "holm", "family": "all"}


@pytest.mark.parametrize(("name", "value"), SETTINGS.items())
def test_a_setting_of_comparisons_is_refused_of_one_system(name: str, value: object) -> None:
    with pytest.raises(SettingError, match=f"`{name}` must be left out where a single system is measured"):
        adjudge.classification(TABLE, reference="truth", prediction="one", replicates=100, **{name: value})


@pytest.mark.parametrize("score", ["number 0", ["number 0", "number 1"]])
def test_repeats_are_refused_of_a_task_that_compares_nothing(score: object) -> None:
    with pytest.raises(SettingError, match="`repeats` must be left out of uplift, which does not compare systems"):
        adjudge.uplift(TABLE, **{**UPLIFT, "score": score}, repeats="number 2", replicates=100)


def test_repeats_are_refused_where_a_judge_tells_differences() -> None:
    roles = {"reference": "labelled", "judge": "truth", "prediction": ["one", "two"]}
    with pytest.raises(SettingError, match="`repeats` must be left out of judges"):
        adjudge.judges(TABLE, **roles, repeats="again", replicates=100)
    assert adjudge.judges(TABLE, **roles, baseline="two", family="all", replicates=100).table.differences


def test_repeats_are_refused_of_systems_with_two_columns() -> None:
    with pytest.raises(SettingError, match="`repeats` must be left out of failures, where a system has more than one"):
        adjudge.failures(TABLE, exposure="human", failures=["one", "two"], repeats="again", replicates=100)


def test_no_baseline_of_systems_that_are_not_compared_is_called_the_only_one() -> None:
    with pytest.raises(SettingError, match="`baseline` must be left out of uplift, which does not compare systems"):
        adjudge.uplift(TABLE, **UPLIFT, baseline="number 0", replicates=100)
    with pytest.raises(SettingError, match="`adjust` must be left out where systems are not compared"):
        adjudge.uplift(TABLE, **UPLIFT, adjust="holm", replicates=100)


def test_a_single_system_is_still_shown_beside_itself() -> None:
    found = adjudge.classification(TABLE, reference="truth", prediction="one", repeats="again", replicates=100)
    assert "one beside itself" in found.panels


def test_a_margin_is_of_a_metric_that_is_measured() -> None:
    asked = {"query": "query", "relevance": "human", "score": ["number 0", "number 1"], "replicates": 100}
    with pytest.raises(SettingError, match=r'but "ndcg" is not. Did you mean "ndcg\(at=10\)" or "ndcg\(at=5\)"'):
        adjudge.ranking(TABLE, **asked, margin={"ndcg": 0.01})
    assert adjudge.ranking(TABLE, **asked, margin={"ndcg(at=5)": 0.01})


def test_tests_of_units_are_made_of_scores_too() -> None:
    found = adjudge.scoring(
        TABLE, raters="human", prediction=["number 0", "number 1"], min=1, max=4, tests="wilcoxon", replicates=100
    )
    told = [row.metric for row in found.table.differences if row.test == "Wilcoxon's test"]
    assert "mean_squared_error" in told


def test_tests_of_nothing_that_is_compared_are_named() -> None:
    found = adjudge.classification(
        TABLE, reference="truth", prediction=["one", "two"], tests=["delong", "mcnemar"], replicates=100
    )
    assert found.outcome.settings.choices["Tests left out"] == '"delong", of nothing that is compared here'
