"""Metrics at the edges of what they are defined for: figures by hand."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.metrics.disagreements import _relative_steps
from adjudge.metrics.plain_agreement import _mean_of_items
from adjudge.metrics.rating_counts import _counts
from adjudge.statistics.ratings.patterns import Patterns


def test_the_ratio_level_takes_any_value_from_zero_on() -> None:
    """((a − b) / (a + b))² of 0, 1/2 and 2: 1, 1 and 0.36; nothing divides two zeros."""
    expected = [[0.0, 1.0, 1.0], [1.0, 0.0, 0.36], [1.0, 0.36, 0.0]]
    assert _relative_steps(("0", "0.5", "2")).tolist() == [pytest.approx(row) for row in expected]
    with pytest.raises(SettingError, match="at least 0"):
        _relative_steps(("-0.5", "1"))


def test_the_ceiling_of_labels_is_the_mean_of_items_with_two_ratings() -> None:
    """Items aa, ab, aab and a: shares of 1, 1/2 and 2/3, the last is not counted; their mean and variance by hand."""
    patterns = np.array([[1.0, 0], [1, 1], [2, 0], [2, 1]])
    ones = np.ones(4)
    mean = _mean_of_items(Patterns(("a", "b"), patterns, ones, ones, 4))
    shares = np.array([0.5, 1.0, 2 / 3])
    assert float(mean.average) == pytest.approx(shares.mean())
    assert float(mean.variance) == pytest.approx(shares.var())
    assert float(mean.effective_rows) == pytest.approx(3.0)


def test_ratings_of_items_are_counted() -> None:
    """Two items with three ratings, one with one, and one that nobody rated."""
    rated = np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0]], dtype=bool)
    counted = _counts(rated, np.array([2.0, 1.0, 1.0]), 2, 4)
    assert [counted[name] for name in ("items", "paired_items", "ratings")] == [3.0, 2.0, 7.0]
    named = ("fewest_ratings", "mean_ratings", "most_ratings")
    assert [counted[name] for name in named] == [1.0, pytest.approx(7 / 3), 3.0]


def test_a_kappa_of_votes_that_expects_half_lies_twice_as_far_out_as_agreement() -> None:
    """Three of four agree: 2 · 0.75 − 1; its limits are Wilson's of the share, moved alike."""
    reference, votes = ["a", "b", "a", "b"], ["a", "b", "b", "b"]
    kappa = adjudge.estimate(metrics.preference_kappa, reference, votes, method="wilson")
    agreement = adjudge.estimate(metrics.preference_accuracy, reference, votes, method="wilson")
    assert kappa.value == pytest.approx(0.5)
    assert kappa.interval.low == pytest.approx(2 * agreement.interval.low - 1)
    assert kappa.interval.high == pytest.approx(2 * agreement.interval.high - 1)


@pytest.mark.parametrize("quantile", [0.0, 1.0, 1.5, "0.5"])
def test_a_quantile_lies_between_0_and_1(quantile: object) -> None:
    with pytest.raises(SettingError, match="`quantile` must lie between 0 and 1"):
        metrics.pinball_loss.using(quantile=quantile)


def test_f_with_recall_twice_as_important() -> None:
    """2 hits, 1 missed, 2 false alarms: 5 · 2 / (5 · 2 + 4 · 1 + 2) (van Rijsbergen's β of 2)."""
    reference, prediction = ["a", "a", "a", "b", "b"], ["a", "a", "b", "a", "a"]
    assert metrics.f_score(reference, prediction, positive="a", beta=2.0) == pytest.approx(10 / 16)


def test_tau_of_pairs_that_are_tied_by_one_rater() -> None:
    """Kendall's tau-b of 1, 2, 2, 3 and 1, 2, 3, 3: four pairs agree, one is tied on each side: 4 / 5."""
    assert metrics.kendall_tau([1, 2, 2, 3], [1, 2, 3, 3]) == pytest.approx(4 / 5)


def test_failures_are_held_against_the_time_that_they_were_watched() -> None:
    """2 failures in 800 against 4 in 400: a rate of 1/400 is a quarter of 1/100."""
    assert metrics.failure_ratio([[800, 2, 400, 4]]) == pytest.approx(0.25)
