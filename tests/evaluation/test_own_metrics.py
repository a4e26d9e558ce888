"""A metric of the user's own joins an evaluation: with an interval, in slices, with weights and clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError, SettingError
from adjudge.metrics.own import OWN


@pytest.fixture(autouse=True)
def session_as_it_was():
    before = dict(OWN)
    yield
    OWN.clear()
    OWN.update(before)


def table(rows: int = 400) -> dict[str, list]:
    random = np.random.default_rng(3)
    label = random.integers(0, 2, rows)
    guess = np.where(random.random(rows) < 0.8, label, 1 - label)
    return {
        "label": label.tolist(),
        "guess": guess.tolist(),
        "score": np.clip(0.6 * label + 0.4 * random.random(rows), 0, 1).tolist(),
        "y": random.normal(size=rows).tolist(),
        "where": random.choice(["x", "y"], rows).tolist(),
        "who": [f"p{k}" for k in random.integers(0, 60, rows)],
        "w": random.gamma(2.0, 1.0, rows).tolist(),
    }


def hits(reference, prediction, weights=None):
    """Share of hits."""
    return np.average(reference == prediction, weights=weights)


@pytest.mark.parametrize("more", [{}, {"weight": "w"}])
def test_it_equals_the_metric_of_the_house_with_about_the_same_interval(more: dict) -> None:
    """Rows are drawn one by one for what is given all of them, cells of labels for the house."""
    own = adjudge.metric(hits, range=(0, 1))
    given = {"reference": "label", "prediction": "guess", "slices": ["where"], "metrics": [own, "accuracy"], **more}
    found = adjudge.evaluate(table(), **given)
    for part in ("all", "where = x"):
        mine, house = (found.get(name, slice=part, method="bootstrap") for name in ("hits", "accuracy"))
        assert mine.value == pytest.approx(house.value)
        width = house.interval.high - house.interval.low
        assert mine.interval.low == pytest.approx(house.interval.low, abs=0.15 * width)
        assert mine.interval.high == pytest.approx(house.interval.high, abs=0.15 * width)


@pytest.mark.parametrize("more", [{"cluster": "who"}, {"weight": "w", "cluster": "who"}])
def test_clusters_are_drawn_as_for_other_metrics(more: dict) -> None:
    own = adjudge.metric(hits, range=(0, 1))
    found = adjudge.evaluate(
        table(), reference="label", prediction="guess", metrics=[own, "accuracy"], replicates=500, **more
    )
    mine, house = (found.get(name, method="bootstrap") for name in ("hits", "accuracy"))
    assert mine.value == pytest.approx(house.value)
    assert mine.interval.low == pytest.approx(house.interval.low)
    assert mine.interval.high == pytest.approx(house.interval.high)


def test_of_a_score_and_of_predicted_numbers() -> None:
    gap = adjudge.metric(lambda a, s: s[a == 1].mean() - s[a == 0].mean(), name="gap", of="score")
    found = adjudge.classification(table(), reference="label", score="score", metrics=[gap])
    rows = table()
    label, score = np.array(rows["label"]), np.array(rows["score"])
    assert found["gap"].value == pytest.approx(score[label == 1].mean() - score[label == 0].mean())
    far = adjudge.metric(lambda a, b: np.abs(a - b).max(), name="furthest", direction="lower", range=(0, np.inf))
    found = adjudge.regression(rows, reference="y", prediction="score", metrics=[far, "max_error"])
    assert found["furthest"].value == pytest.approx(found["max_error"].value)


def test_what_cannot_be_is_refused() -> None:
    own = adjudge.metric(hits, range=(0, 1))
    with pytest.raises(SettingError, match="all rows at once"):
        adjudge.evaluate(table(), reference="label", prediction="guess", metrics=[own], engine="stream")
    with pytest.raises(SettingError, match="give `prediction`"):
        adjudge.evaluate(table(), reference="label", score="score", metrics=[own])


def test_a_value_beyond_the_declared_range_is_refused() -> None:
    def distance(reference: np.ndarray, prediction: np.ndarray) -> float:
        return float(np.abs(reference - prediction).mean())

    numbers = np.arange(40.0)
    with pytest.raises(AdjudgeError, match="must give numbers in its `range`, from 0 to 1, but it gave 3"):
        adjudge.estimate(adjudge.metric(distance, name="bounded", range=(0, 1)), numbers, numbers + 3)
    assert adjudge.estimate(adjudge.metric(distance, name="free", range=(0, np.inf)), numbers, numbers + 3).value == 3


@pytest.mark.parametrize(
    ("function", "given", "said"),
    [
        (lambda a: 1.0, {}, "must take two arrays"),
        (lambda a, b, c: 1.0, {}, "must take two arrays"),
        (lambda *, a, b: 1.0, {}, "must take two arrays"),
        (lambda a, b: 0.5, {"range": (0, 1), "best": 2}, "`best` must be in `range`, from 0 to 1, but it is 2"),
    ],
)
def test_a_function_that_could_not_be_called_is_refused_at_once(function: Any, given: dict, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        adjudge.metric(function, name="odd", **given)


@pytest.mark.parametrize("function", [lambda a, b, weights: 1.0, lambda *arrays: 1.0, lambda a, b, k=1: 1.0, max])
def test_a_function_of_two_arrays_is_taken(function: Any) -> None:
    assert adjudge.metric(function, name="plain").name == "plain"
