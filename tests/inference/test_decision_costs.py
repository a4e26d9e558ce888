"""What thresholds cost: by hand, on other rows, and with clusters."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.inference.intervals.decision_costs import (
    UnitCounts,
    chosen_threshold,
    cost_difference,
    worth_of_benefit,
    worth_of_errors,
    worth_with_limits,
)
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.weights import Weights

POSITIVE, SCORE = np.array([1.0, 0, 1, 0, 0]) > 0, np.array([0.9, 0.2, 0.4, 0.6, 0.1])


def curve_of(positive: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> Curve:
    return Curve.collect(Scored(positive, score), Weights(len(score), weights))


def test_costs_and_net_benefit_by_hand() -> None:
    curve, cuts = curve_of(POSITIVE, SCORE), np.array([0.3, 0.5])
    cost, (low, high) = worth_with_limits(curve, cuts, worth_of_errors((1.0, 5.0)), UnitCounts(5, 5), bound=5.0)
    assert cost.tolist() == pytest.approx([0.2, 1.2])  # one false alarm; one false alarm and one missed
    # Costs 0 0 0 1 0: SS = 0.8; (0.8 + 2 · 5²) / (6 · 7), Student's t with 4 degrees of freedom.
    assert high[0] - cost[0] == pytest.approx(2.7764451052 * np.sqrt(50.8 / 42))
    assert low[0] == pytest.approx(2 * cost[0] - high[0])
    benefit, _ = worth_with_limits(curve, cuts, worth_of_benefit(cuts), UnitCounts(5, 5))
    assert benefit.tolist() == pytest.approx([2 / 5 - 1 / 5 * 0.3 / 0.7, 1 / 5 - 1 / 5])


def test_a_weight_is_as_many_rows_and_its_scale_is_nothing() -> None:
    cuts, worth = np.array([0.3, 0.5]), worth_of_errors((1.0, 5.0))
    weights = np.array([1.0, 2, 3, 1, 2])
    times = weights.astype(int)
    weighed = curve_of(POSITIVE, SCORE, weights)
    repeated = curve_of(np.repeat(POSITIVE, times), np.repeat(SCORE, times))
    assert worth_with_limits(weighed, cuts, worth, UnitCounts(5, 5))[0] == pytest.approx(
        worth_with_limits(repeated, cuts, worth, UnitCounts(9, 9))[0]
    )
    units = UnitCounts(float(weighed.effective_rows), float(weighed.effective_rows))
    scaled = curve_of(POSITIVE, SCORE, weights * 1000)
    for one, other in zip(
        worth_with_limits(weighed, cuts, worth, units)[1], worth_with_limits(scaled, cuts, worth, units)[1], strict=True
    ):
        assert one == pytest.approx(other)


def test_draws_tell_the_variance_where_rows_belong_together() -> None:
    curve, cuts = curve_of(POSITIVE, SCORE), np.array([0.5])
    draws = curve.with_counts(np.stack([curve.counts, 2 * curve.counts]))  # replicates that say the same
    _, (low, high) = worth_with_limits(curve, cuts, worth_of_errors((1.0, 5.0)), UnitCounts(5, 5, draws), bound=5.0)
    assert high - low == pytest.approx(2 * 2.7764451052 * np.sqrt(50 / 42))
    assert np.isnan(
        worth_with_limits(curve, cuts, worth_of_errors((1, 5)), UnitCounts(1, 5, draws), bound=5.0)[1]
    ).all()


def test_a_threshold_chosen_on_the_same_rows_flatters() -> None:
    apparent, corrected, true = [], [], []
    for seed in range(40):
        r = np.random.default_rng(seed)
        curve = curve_of(r.random(60) < 0.4, r.random(60))
        found = chosen_threshold(
            curve, curve.resampled("multinomial", 100, seed, "rows"), (1.0, 1.0), UnitCounts(60, 60)
        )
        apparent.append(found.apparent)
        corrected.append(found.corrected)
        share = float(np.clip(1 - found.threshold, 0, 1))  # of scores that say nothing, taken at that threshold
        true.append(0.6 * share + 0.4 * (1 - share))
    assert np.mean(apparent) < np.mean(true) - 0.02
    assert abs(np.mean(corrected) - np.mean(true)) < 0.5 * abs(np.mean(apparent) - np.mean(true))


def test_scores_that_never_err_are_not_certain() -> None:
    curve = curve_of(np.arange(30) >= 15, np.arange(30) / 30)
    found = chosen_threshold(curve, curve.resampled("multinomial", 200, 7, "rows"), (1.0, 5.0), UnitCounts(30, 30))
    assert found.apparent == 0
    assert found.threshold == 0.5
    assert found.low == 0
    assert found.high > 0.2


def test_the_same_scores_cost_the_same() -> None:
    r = np.random.default_rng(3)
    curve = curve_of(r.random(100) < 0.5, r.random(100))
    found = chosen_threshold(curve, curve.resampled("multinomial", 200, 7, "rows"), (1.0, 1.0), UnitCounts(100, 100))
    difference, low, high = cost_difference((found, found), (1.0, 1.0), UnitCounts(100, 100), 0.95)
    assert difference == 0
    assert low < 0 < high
