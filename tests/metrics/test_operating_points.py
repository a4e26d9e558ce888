"""X@Y by trying every threshold, in the words of the seed document: conservatively and without interpolation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import metrics

REPEATABLE = settings(max_examples=120, deadline=None, derandomize=True)
ROUNDING = 1e-12


class Point:
    """What "score at least t" selects, for one threshold t."""

    def __init__(self, positive: np.ndarray, score: np.ndarray, weights: np.ndarray, threshold: float) -> None:
        taken = score >= threshold
        self.threshold = threshold
        tp, fp = weights[positive & taken].sum(), weights[~positive & taken].sum()
        self.recall = tp / weights[positive].sum()
        self.false_positive_rate = fp / weights[~positive].sum()
        self.volume = (tp + fp) / weights.sum()
        self.precision = tp / (tp + fp) if tp + fp else None  # of nothing taken: none
        self.accuracy = (tp + weights[~positive & ~taken].sum()) / weights.sum()


def every_threshold(positive: np.ndarray, score: np.ndarray, weights: np.ndarray) -> list[Point]:
    """One point for each distinct score, falling, after the point that takes nothing."""
    return [Point(positive, score, weights, t) for t in [np.inf, *sorted(set(score.tolist()), reverse=True)]]


def precision_at_recall(points: list[Point], at: float) -> float:
    """Precision with the highest threshold such that the recall is greater or equal to the limit."""
    return next(p for p in points if p.recall >= at - ROUNDING).precision


def precision_at_volume(points: list[Point], at: float) -> float:
    """Precision with the highest threshold such that the volume is greater or equal to the limit."""
    return next(p for p in points if p.volume >= at - ROUNDING).precision


def recall_at_precision(points: list[Point], at: float) -> float:
    """Highest recall with precision greater or equal to the limit; taking nothing is always precise enough."""
    return max((p.recall for p in points if p.precision is None or p.precision >= at - ROUNDING), default=0.0)


def recall_at_false_positive_rate(points: list[Point], at: float) -> float:
    """Highest recall with a false positive rate less or equal to the limit."""
    return max(p.recall for p in points if p.false_positive_rate <= at + ROUNDING)


def false_positive_rate_at_recall(points: list[Point], at: float) -> float:
    """Smallest (best) false positive rate with recall greater or equal to the limit."""
    return min(p.false_positive_rate for p in points if p.recall >= at - ROUNDING)


WORDS = {
    function.__name__: function
    for function in (
        precision_at_recall,
        precision_at_volume,
        recall_at_precision,
        recall_at_false_positive_rate,
        false_positive_rate_at_recall,
    )
}


@st.composite
def scored_rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(2, 25))
    positive = random.random(size) < draw(st.sampled_from([0.2, 0.5, 0.8]))
    positive[:2] = True, False
    score = np.round(
        random.normal(size=size) + draw(st.sampled_from([-1, 0, 1, 2])) * positive, draw(st.sampled_from([0, 1, 9]))
    )
    weights = random.choice([1.0, 0.5, 2.0], size) if draw(st.booleans()) else np.ones(size)
    return positive, score, weights


@pytest.mark.parametrize("name", WORDS)
@REPEATABLE
@given(rows=scored_rows(), at=st.one_of(st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.floats(0.01, 1)))
def test_the_value_is_the_one_of_all_thresholds(name: str, rows, at: float) -> None:
    positive, score, weights = rows
    points = every_threshold(positive, score, weights)
    value = getattr(metrics, name)(positive.astype(int), score, weights=weights, positive=1, at=at)
    assert value == pytest.approx(WORDS[name](points, at), rel=0, abs=1e-12)


@pytest.mark.parametrize("name", WORDS)
@REPEATABLE
@given(rows=scored_rows(), at=st.floats(0.01, 1))
def test_the_threshold_gives_the_value(name: str, rows, at: float) -> None:
    """Applied to the rows, the threshold named beside the value reaches the value and keeps the limit."""
    positive, score, weights = rows
    metric = getattr(metrics, name)
    arrays = {"weights": weights, "positive": 1}
    point = Point(positive, score, weights, metric.threshold_of(positive.astype(int), score, at=at, **arrays))
    value = metric(positive.astype(int), score, at=at, **arrays)
    what, limit = name.split("_at_")
    assert {"precision": point.precision, "recall": point.recall}.get(what, point.false_positive_rate) == pytest.approx(
        value
    )
    if limit == "false_positive_rate":
        assert point.false_positive_rate <= at + ROUNDING
    elif limit != "precision" or point.precision is not None:
        assert getattr(point, limit) >= at - ROUNDING


@REPEATABLE
@given(rows=scored_rows())
def test_max_accuracy_is_the_largest_of_all(rows) -> None:
    positive, score, weights = rows
    points = every_threshold(positive, score, weights)
    value = metrics.max_accuracy(positive.astype(int), score, weights=weights, positive=1)
    assert value == pytest.approx(max(p.accuracy for p in points), rel=0, abs=1e-12)
    threshold = metrics.max_accuracy.threshold_of(positive.astype(int), score, weights=weights, positive=1)
    assert Point(positive, score, weights, threshold).accuracy == pytest.approx(value)


def test_a_share_is_reached_in_spite_of_rounding() -> None:
    """Three tenths of ten rows are 0.3, though the sum of three 0.1 is not."""
    score, weights = np.arange(10, 0, -1.0), np.full(10, 0.1)
    positive = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    assert metrics.precision_at_volume(positive, score, weights=weights, at=0.3) == 1.0


@pytest.mark.parametrize(
    ("name", "reference", "expected"),
    [
        ("precision_at_recall", [0, 0], np.nan),
        ("recall_at_precision", [0, 0], np.nan),
        ("recall_at_false_positive_rate", [0, 0], np.nan),
        ("recall_at_false_positive_rate", [1, 1], np.nan),
        ("false_positive_rate_at_recall", [0, 0], np.nan),
        ("false_positive_rate_at_recall", [1, 1], np.nan),
        ("precision_at_volume", [0, 0], 0.0),
        ("precision_at_recall", [1, 1], 1.0),
        ("recall_at_precision", [1, 1], 1.0),
    ],
)
def test_one_class_alone(name: str, reference: list[int], expected: float) -> None:
    value = getattr(metrics, name)(reference, [0.2, 0.7], positive=1)
    assert value == pytest.approx(expected, nan_ok=True)


def test_precision_is_not_monotonic_and_the_document_says_which_point_counts() -> None:
    """Recall .5 is reached by the top row alone; a lower threshold would be less precise, or more."""
    reference, score = [1, 0, 0, 1, 1, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert metrics.precision_at_recall(reference, score, at=0.25) == 1.0
    assert metrics.precision_at_recall(reference, score, at=0.5) == 0.5
    assert metrics.precision_at_recall(reference, score, at=0.75) == 0.6
    assert metrics.precision_at_recall(reference, score, at=1.0) == pytest.approx(4 / 6)
