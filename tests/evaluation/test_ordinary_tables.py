"""What looks odd and is not: tables that no check calls a mistake, and single rows that do not decide an interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.data.number_facts import NumberColumn
from adjudge.inference.intervals.closed_form import korn_graubard
from adjudge.inference.intervals.regression import rubin_hill
from adjudge.metrics import average_precision, rmse
from adjudge.statistics.curves.curve import Curves

RANDOM = np.random.default_rng(5)
GAIN = RANDOM.choice(4, 600, p=[0.6, 0.2, 0.1, 0.1])
COUNT = RANDOM.poisson(0.5, 400)
WALK = np.zeros(400)
for _row in range(1, 400):
    WALK[_row] = 0.7 * WALK[_row - 1] + RANDOM.normal()
THIRDS = np.rint(RANDOM.normal(3, 1, (300, 3)).clip(1, 5)).sum(1) / 3
SOLD = np.where(RANDOM.random(300) < 0.06, 0.0, RANDOM.normal(50, 10, 300))


@pytest.mark.parametrize(
    ("task", "table", "given"),
    [
        (
            "ranking",
            {
                "q": np.repeat(range(60), 10),
                "rel": GAIN,
                "s": 1 / (1 + np.exp(1.5 - GAIN - RANDOM.normal(0, 0.7, 600))),
            },
            {"query": "q", "relevance": "rel", "score": "s"},
        ),
        ("regression", {"y": COUNT, "m": (0.3 * COUNT + 0.2 * RANDOM.random(400)).clip(0, 1)}, {}),
        ("regression", {"y": WALK[1:], "m": 0.7 * WALK[:-1]}, {}),
        ("regression", {"y": np.cumsum(COUNT), "m": np.cumsum(COUNT) + np.arange(400) % 2 * 0.25}, {}),
        ("regression", {"y": THIRDS, "m": np.where(RANDOM.random(300) < 0.4, THIRDS, THIRDS[::-1])}, {}),
        ("regression", {"y": SOLD, "m": np.where(SOLD > 0, SOLD, 50) + RANDOM.normal(0, 3, 300)}, {}),
    ],
)
def test_nothing_is_serious(task: str, table: dict[str, Any], given: dict[str, Any]) -> None:
    columns = {name: np.asarray(values).tolist() for name, values in table.items()}
    given = given or {"reference": "y", "prediction": "m"}
    checks = adjudge.evaluate(columns, task, replicates=100, **given).checks
    assert [check.sentence for check in checks if check.severity == "serious"] == []


@pytest.mark.parametrize("rows", [4_096, 4_097])
def test_one_gross_error_does_not_make_an_end_absurd(rows: int) -> None:
    errors = np.random.default_rng(2).normal(size=rows)
    errors[0] = 1_000
    limits = rubin_hill(rmse, rmse.statistic_of(np.zeros(rows), errors), 0.95)
    assert limits is not None
    assert float(limits[1]) < 10 * float(rmse.values(rmse.statistic_of(np.zeros(rows), errors)))


def test_a_perfect_ranking_is_a_share_of_its_positives() -> None:
    label, score = np.r_[np.ones(6), np.zeros(88)].astype(int), np.linspace(0.99, 0.01, 94)
    for weight in (1.0, 3.7):
        weights = np.full(94, weight)
        curve = Curves.of_arrays(label, score, weights=weights, **average_precision.array_options).curves[-1]
        low, high = korn_graubard(curve, average_precision.formula(curve), 0.95)
        assert (float(low), float(high)) == pytest.approx((0.5407, 1.0), abs=1e-4)  # Clopper and Pearson's of 6 in 6


@pytest.mark.parametrize(
    "blocks",
    [
        [[1.0, 2.0], [np.nan], [3.0]],
        [[1.0, 100.0, np.nan], [1.0, 2.0]],
        [[np.nan, np.nan], [1.0, 2.0]],
        [[1.0, 2.0, np.inf], [3.0], []],
    ],
)
def test_numbers_add_where_some_are_missing(blocks: list[list[float]]) -> None:
    whole = NumberColumn.of(np.array([value for block in blocks for value in block]))
    parts = NumberColumn()
    for block in blocks:
        parts += NumberColumn.of(np.array(block))
    for name in ("rows", "others", "total", "largest", "steps", "rises", "ends"):
        assert getattr(parts, name) == getattr(whole, name), name
    assert parts.edges == pytest.approx(whole.edges, nan_ok=True)


def test_a_level_that_claims_nothing_has_no_claim_of_a_margin() -> None:
    table = {"y": ["a", "b"] * 40, "old": ["a", "a"] * 40, "new": ["a", "b", "a", "a"] * 20}
    given = {"reference": "y", "prediction": ["old", "new"], "replicates": 100, "margin": {"accuracy": 0.1}}
    assert all(row.level > 0 for row in adjudge.classification(table, **given, level=0.4).table)


def test_versions_capitals_and_rare_grades_are_ordinary() -> None:
    """1.1 and 1.10 are two versions, queries are typed as people do, and a rare grade is no total."""
    random = np.random.default_rng(8)
    label = random.choice(["yes", "no"], 600)
    guess = np.where(random.random(600) < 0.8, label, "no")
    versions = [f"1.{1 + place % 12}" for place in range(600)]
    found = adjudge.classification(
        {"y": label, "m": guess, "v": versions}, reference="y", prediction="m", slices=["v"], replicates=100
    )
    assert not [check for check in found.outcome.checks if check.severity == "serious"]
    grades = np.array([0] * 90 + [1] * 3 + [3])
    found = adjudge.classification({"y": grades, "m": grades[::-1]}, reference="y", prediction="m", replicates=100)
    assert "C32" not in {check.key for check in found.outcome.checks}
    want = np.array(["none", "mild", "severe"] * 40)
    said = np.where(random.random(120) < 0.8, want, "none")
    suite = {
        "id": [f"c{place}" for place in range(120)],
        "want": want,
        "old": said,
        "new": want,
        "about": ["a", "b"] * 60,
    }
    roles = {"case": "id", "phenomenon": "about", "expect": "want", "prediction": ["old", "new"]}
    found = adjudge.diagnostic(suite, **roles, replicates=100)
    assert "C22" not in {check.key for check in found.outcome.checks}


def test_raters_who_are_called_as_their_labels_are_repeat_no_heading() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 80)
    said = {name: np.array(["a", "b"])[truth ^ (random.random(80) < 0.15)] for name in ("a", "b")}
    assert ((said["a"] == "a") & (said["b"] == "b")).any()
    assert "C32" not in {check.key for check in adjudge.agreement(said, raters=["a", "b"]).outcome.checks}
    joined = {name: [*values[:40], name, *values[40:]] for name, values in zip(("x", "y"), said.values(), strict=True)}
    assert "C32" in {check.key for check in adjudge.agreement(joined, raters=["x", "y"]).outcome.checks}
