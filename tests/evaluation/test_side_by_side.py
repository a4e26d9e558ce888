"""Evaluations of different rows: Welch for means, the score test for shares, and what they have in common."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.inference.differences.shares_apart import miettinen_nurminen, score_p

RNG = np.random.default_rng(4)


def errors(rows: int, spread: float) -> tuple[np.ndarray, adjudge.Evaluation]:
    y = RNG.normal(size=rows)
    answers = y + RNG.normal(size=rows) * spread
    evaluation = adjudge.regression({"y": y, "p": answers}, reference="y", prediction="p", replicates=100)
    return np.abs(answers - y), evaluation


def test_means_of_different_rows_are_compared_by_welch_as_scipy_does() -> None:
    (old, first), (new, second) = errors(80, 1.0), errors(50, 1.5)
    compared = adjudge.compare(first, second, names=["old", "new"])
    rows = [r for r in compared.table.differences if r.metric == "mean_absolute_error"]
    assert [row.method for row in rows] == ["welch", "square_and_add"]
    other = stats.ttest_ind(new, old, equal_var=False)
    limits = other.confidence_interval(0.95)
    assert (rows[0].p, rows[0].low, rows[0].high) == pytest.approx((other.pvalue, limits.low, limits.high), rel=1e-9)
    assert rows[0].test == "Welch's t, not paired"
    swapped = adjudge.compare(second, first, names=["new", "old"])
    mirror = next(r for r in swapped.table.differences if r.metric == "mean_absolute_error")
    assert (-mirror.high, -mirror.low) == pytest.approx((rows[0].low, rows[0].high))


def answers(right: int, rows: int) -> adjudge.Evaluation:
    y = ["a", "b"] * (rows // 2)
    guess = [label if i < right else {"a": "b", "b": "a"}[label] for i, label in enumerate(y)]
    return adjudge.classification({"y": y, "p": guess}, reference="y", prediction="p", replicates=100)


def test_shares_of_different_rows_have_newcombes_interval_and_the_score_interval() -> None:
    """56 of 70 and 48 of 80: (0.0524, 0.3339) and (0.0528, 0.3382), Newcombe 1998, methods 10 and 4 of unpaired."""
    compared = adjudge.compare(answers(48, 80), answers(56, 70), names=["old", "new"])
    rows = {row.method: row for row in compared.table.differences if row.metric == "accuracy"}
    assert list(rows) == ["square_and_add", "miettinen_nurminen"]
    assert (rows["square_and_add"].low, rows["square_and_add"].high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    score = rows["miettinen_nurminen"]
    assert (score.low, score.high) == pytest.approx((0.0528, 0.3382), abs=5e-5)
    assert score.p == pytest.approx(score_p((56, 70), (48, 80)))


@pytest.mark.parametrize("counts", [((5, 20), (12, 25)), ((50, 60), (40, 70)), ((9, 10), (3, 12)), ((0, 9), (0, 8))])
def test_the_score_test_rejects_exactly_where_its_interval_leaves_out_0(
    counts: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    low, high = miettinen_nurminen(*counts, 0.95)
    assert (score_p(*counts) < 0.05) == (not low <= 0 <= high)
    assert score_p(*counts) == pytest.approx(score_p(counts[1], counts[0]))
