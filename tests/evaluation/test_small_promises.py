"""Small promises of evaluations: who pays for what, what is warned of, what the first screen says was searched for."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.data.source import MOST_NUMBER
from adjudge.evaluation.gates.verdicts import INCONCLUSIVE, Verdict
from adjudge.report.gates.words import why

RANDOM = np.random.default_rng(1)
TRUTH = RANDOM.integers(0, 2, 200)


def scores(spread: float) -> np.ndarray:
    return np.clip(np.where(TRUTH == 1, 0.6, 0.4) + RANDOM.normal(0, spread, 200), 0.01, 0.99)


def test_a_difference_that_is_refused_is_not_paid_for() -> None:
    """Scores beyond 1 are decided nowhere, so that one difference of accuracy is tested, and pays for itself."""
    table = {"y": TRUTH, "a": scores(0.1), "b": scores(0.25), "c": np.append(1.4, scores(0.11)[1:])}
    found = adjudge.classification(
        table,
        reference="y",
        positive="1",
        systems={name: {"score": name} for name in "abc"},
        metrics=["accuracy"],
        adjust="holm",
        replicates=100,
    )
    rows = {row.system: row for row in found.table.differences.first_methods()}
    assert rows["b"].p_adjusted == rows["b"].p
    assert rows["c"].p is None
    assert "give `threshold`" in rows["c"].note


def test_systems_that_nearly_always_give_one_label_are_alike_by_chance() -> None:
    """Copies are named where answers vary, and not where both always answer alike for want of anything else."""
    for said, named in ((TRUTH, True), (np.ones(200, dtype=int), False)):
        checks = adjudge.classification(
            {"y": TRUTH, "a": said, "b": said}, reference="y", systems={"a": "a", "b": "b"}, replicates=100
        ).checks
        assert any("the same answer in all 200 rows" in check.sentence for check in checks) == named


@pytest.mark.parametrize("end", [MOST_NUMBER, 1.001 * MOST_NUMBER])
def test_the_largest_number_may_be_the_end_of_an_interval(end: float) -> None:
    """And a larger one is none: a row without both ends is not counted."""
    y = np.arange(1.0, 61)
    table = {"y": y, "m": y + 0.5, "low": np.full(60, -end), "high": np.full(60, end)}
    found = adjudge.regression(
        table, reference="y", prediction="m", lower="low", upper="high", metrics=["interval_coverage"], replicates=100
    )
    covered = found.get("interval_coverage").value
    assert covered == 1.0 if end == MOST_NUMBER else np.isnan(covered)


def searched(share: float) -> str:
    """A first screen after a search where one of five levels fails by so much."""
    random = np.random.default_rng(3)
    level = np.array(list("abcde"))[np.arange(1_000) % 5]
    wrong = random.random(1_000) < np.where(level == "c", share, 0.1)
    table = {"y": ["x", "y"] * 500, "where": level}
    table["said"] = np.where(wrong, "z", table["y"])
    return str(
        adjudge.classification(table, reference="y", prediction="said", search=["where"], search_null=5, replicates=100)
    )


def test_the_first_screen_says_what_a_search_found() -> None:
    """The slice where half fails is named with the rest beside it; where there is none, that is said."""
    found, nothing = searched(0.5), searched(0.1)
    assert "where = c: " in found
    assert "no slice is shown to fail more than the rest" not in found
    assert "no slice is shown to fail more than the rest" in nothing


def test_a_requirement_that_may_stay_undecided_says_so() -> None:
    """Only where it is undecided, and only where undecided would otherwise stop the release."""
    said = {
        undecided: why(Verdict("r", "r", INCONCLUSIVE, "w", undecided=undecided)) for undecided in ("block", "warn")
    }
    assert said == {"block": "w", "warn": 'w; undecided = "warn", so it does not stop the release'}
    assert why(Verdict("r", "r", "passed", "w", undecided="warn")) == "w"
