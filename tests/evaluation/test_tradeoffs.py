"""Trade-offs: fronts with doubt, utilities, what pulls apart, and what thresholds cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.inference.many.pareto import change_of_winner, fronts, parts, utilities

ROWS = 200
ACCURACY = {"characteristic": "accuracy", "metric": "accuracy", "column": ["y", "{system}"]}
TIME = {"characteristic": "efficiency", "metric": "mean", "column": "{system}_ms"}


def table(**versions: tuple[float, float]) -> dict[str, Any]:
    r = np.random.default_rng(4)
    found: dict[str, Any] = {"y": ["a", "b"] * (ROWS // 2), "user": [f"u{row % 25}" for row in range(ROWS)]}
    for name, (right, ms) in versions.items():
        found[name] = [one if r.random() < right else "c" for one in found["y"]]
        found[f"{name}_ms"] = ms * r.uniform(0.8, 1.2, ROWS)
    return found


def test_a_version_that_is_worse_in_all_is_dominated() -> None:
    found = adjudge.tradeoffs(table(a=(0.9, 100), b=(0.6, 200), c=(0.95, 400)), ["a", "b", "c"], [ACCURACY, TIME])
    assert [place.state for place in found.fronts] == ["on the front", "dominated", "on the front"]
    assert found.fronts[1].by == 0
    assert found.fronts[1].undominated == 0.0
    assert found.fronts[2].undominated > 0.95


def test_what_nobody_can_tell_is_undecided() -> None:
    found = adjudge.tradeoffs(table(a=(0.9, 100), b=(0.9, 100.5)), ["a", "b"], [ACCURACY, TIME])
    assert "dominated" not in [place.state for place in found.fronts]


def test_the_same_version_twice_dominates_nobody() -> None:
    data = table(a=(0.9, 100))
    data |= {"b": data["a"], "b_ms": data["a_ms"]}
    found = adjudge.tradeoffs(data, ["a", "b"], [ACCURACY, TIME])
    assert [place.state for place in found.fronts] == ["on the front", "on the front"]
    assert found.changes == [[0, 0]]


def test_what_pulls_apart() -> None:
    found = adjudge.tradeoffs(table(old=(0.7, 100), new=(0.95, 300)), ["old", "new"], [ACCURACY, TIME])
    assert found.sentences == ["new gains accuracy and loses efficiency beside old."]
    assert found.matrix[0][1] == found.matrix[1][0] == (0, 1)
    low, high = found.interval(1, 0)
    assert low < found.values[1, 0] < high


def test_clusters_are_drawn_whole() -> None:
    data = table(old=(0.7, 100), new=(0.9, 300))
    slow = np.array([int(user[1:]) % 5 == 0 for user in data["user"]])
    data["new_ms"] = np.where(slow, 900.0, 100.0)
    alone, together = (adjudge.tradeoffs(data, ["old", "new"], [ACCURACY, TIME], cluster=of) for of in (None, "user"))
    assert np.array_equal(alone.values, together.values)
    widths = [float(np.diff(one.interval(1, 1))[0]) for one in (alone, together)]
    assert widths[1] > 2 * widths[0]


def test_utility_by_hand() -> None:
    worst, target, weights = np.array([0.5, 400.0]), np.array([1.0, 0.0]), np.array([3.0, 1.0])
    values = np.array([[0.75, 100.0], [1.2, 400.0]])
    assert utilities(values, worst, target, weights).tolist() == pytest.approx([0.75 * 0.5 + 0.25 * 0.75, 0.75])
    shares = parts(values, worst, target)
    # the second wins by the first characteristic; at weight w the first has 0.5 w + 0.75 (1 − w), the second w
    assert change_of_winner(shares, weights)[0] == pytest.approx((0.6, 0))
    entries = [{**ACCURACY, "worst": 0.5, "target": 1, "weight": 1}, {**TIME, "worst": 400, "target": 0, "weight": 1}]
    found = adjudge.tradeoffs(table(a=(0.9, 100), b=(0.6, 200)), ["a", "b"], entries)
    assert found.utility is not None
    assert found.utility.best == [1.0, 0.0]
    assert found.utility.turning == [None, None]
    assert adjudge.tradeoffs(table(a=(0.9, 100), b=(0.6, 200)), ["a", "b"], [ACCURACY, TIME]).utility is None


def test_equal_systems_are_seldom_called_dominated() -> None:
    r, called = np.random.default_rng(6), 0
    for _ in range(200):
        units = r.normal(size=(40, 3, 2))
        weights = r.exponential(size=(200, 40))
        draws = np.einsum("bu,usc->bsc", weights / weights.sum(1, keepdims=True), units)
        called += any(place.state == "dominated" for place in fronts(units.mean(0), draws))
    assert called <= 20


def test_answers_that_are_the_same_here_do_not_prove_that_nothing_is_lost() -> None:
    """One in a hundred right answers is lost: 30 rows mostly show none, and the dearer was dominated in 75 %."""
    called, random = 0, np.random.default_rng(8)
    for _ in range(60):
        right, lost = random.random(30) < 0.95, random.random(30) < 0.01
        columns = {
            "y": ["a"] * 30,
            "dear": np.where(right, "a", "b").tolist(),
            "cheap": np.where(right & ~lost, "a", "b").tolist(),
            "dear_ms": (400 + random.random(30)).tolist(),
            "cheap_ms": (100 + random.random(30)).tolist(),
        }
        called += adjudge.tradeoffs(columns, ["dear", "cheap"], [ACCURACY, TIME]).fronts[0].state == "dominated"
    assert called <= 3


def test_what_is_better_in_all_dominates_still() -> None:
    found = adjudge.tradeoffs(table(a=(0.95, 100), b=(0.6, 200)), ["a", "b"], [ACCURACY, TIME])
    assert [one.state for one in found.fronts] == ["on the front", "dominated"]


@pytest.mark.parametrize(
    ("systems", "entries", "message"),
    [
        (["a"], [ACCURACY, TIME], "two systems and two characteristics at least"),
        (["a", "b"], [ACCURACY], "two systems and two characteristics at least"),
        (["a", "x"], [ACCURACY, TIME], 'there is no column "x"'),
        (["a", "b"], [ACCURACY, {**TIME, "column": "ms"}], "`column` must hold {system}"),
        (["a", "b"], [ACCURACY, {**TIME, "colum": "ms"}], 'Did you mean "column"'),
        (["a", "b"], [ACCURACY, {**TIME, "worst": 3}], "`worst` and `target` must both be there"),
        (["a", "b"], [ACCURACY, {**TIME, "weight": "much"}], "`weight` must be a number"),
        (["a", "b"], [ACCURACY, {"metric": "mean"}], "has no characteristic"),
        (["a", "b"], [ACCURACY, {**TIME, "metric": "recall"}], "must have one better side"),
        (["a", "b"], [ACCURACY, {**TIME, "column": "{system}"}], "must hold a number in every row"),
    ],
)
def test_refusals(systems: list[str], entries: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        adjudge.tradeoffs(table(a=(0.9, 100), b=(0.6, 200)), systems, entries)
    assert message in str(caught.value)
