"""Slopes against differences, accelerations against the textbook, and p-values of what can be counted."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from adjudge import metrics
from adjudge.inference import logistic
from adjudge.inference.differences.paired_units import sign_flip_p
from adjudge.inference.differences.spread_alike import ENOUGH, TABLES, spread_by_units
from adjudge.inference.intervals.columns import conditional_binomial
from adjudge.inference.many.multiplicity import max_t
from adjudge.inference.reach import guarded_reach, student_reach
from adjudge.inference.resampling import bca

NORMAL = NormalDist()


@settings(max_examples=8, deadline=None)
@given(seed=some.integers(0, 10_000), anchor=some.sampled_from([0.0, 0.5, 2.0]))
def test_slope_and_hessian_are_derivatives_of_the_likelihood(seed: int, anchor: float) -> None:
    random = np.random.default_rng(seed)
    x, y, weight = random.normal(size=(40, 3)), random.random(40).round(1), random.random(40)
    beta, step = random.normal(size=3), 1e-5
    _, hessian, slope = logistic._at(x, y, weight, beta, anchor)
    for place, away in enumerate(np.eye(3) * step):
        (above, _, upper), (below, _, lower) = (logistic._at(x, y, weight, beta + d, anchor) for d in (away, -away))
        assert (above - below) / (2 * step) == pytest.approx(float(slope[place]), rel=1e-5, abs=1e-6)
        assert (lower - upper) / (2 * step) == pytest.approx(hessian[place], rel=1e-5, abs=1e-6)


def test_rows_in_parts_add_to_the_same_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    x, y, weight, beta = random.normal(size=(23, 2)), random.random(23), random.random(23), np.array([0.4, -1.0])
    value, hessian, slope = logistic._at(x, y, weight, beta, 0.5)
    monkeypatch.setattr(logistic, "AT_ONCE", 7)
    in_parts = logistic._at(x, y, weight, beta, 0.5)
    assert in_parts[0] == pytest.approx(value)
    assert np.allclose(in_parts[1], hessian)
    assert np.allclose(in_parts[2], slope)


def efrons(values: np.ndarray, point: float, left_out: np.ndarray, level: float) -> list[float]:
    """Efron and Tibshirani 1993, (14.9) to (14.15)."""
    z0 = NORMAL.inv_cdf(float((values < point).mean()))
    away = left_out.mean() - left_out
    a = float((away**3).sum() / (6 * (away**2).sum() ** 1.5))
    ends = [z0 + NORMAL.inv_cdf(tail) for tail in ((1 - level) / 2, (1 + level) / 2)]
    return [float(np.quantile(values, NORMAL.cdf(z0 + end / (1 - a * end)))) for end in ends]


@pytest.mark.parametrize("rows", [[1, 1, 1, 1, 1], [3, 1, 2, 1, 4]])
def test_bias_and_acceleration_are_efrons(rows: list[int]) -> None:
    """The mean of a skewed sample; rows that are alike may be one cell."""
    values = np.random.default_rng(1).gamma(1.0, size=999)
    sample = np.array([0.1, 0.2, 0.4, 0.9, 6.0])
    all_rows = np.repeat(sample, rows)
    without = (all_rows.sum() - sample) / (len(all_rows) - 1)
    point = np.asarray(1.2)
    bounds = bca(values, point, without, np.array(rows, dtype=float), 0.9)
    expected = efrons(values, 1.2, np.repeat(without, rows), 0.9)
    assert [float(bounds.low), float(bounds.high)] == pytest.approx(expected)


def test_signs_that_are_drawn_count_those_as_far_and_themselves() -> None:
    """Of 40 units all on one side hardly any pattern is as far: p is one of all patterns and the one seen."""
    assert sign_flip_p(np.ones(40), permutations=99) == 1 / 100
    assert sign_flip_p(np.ones(14)) == 2 / 2**14


def test_every_pattern_is_as_far_as_no_difference() -> None:
    assert sign_flip_p(np.repeat([1.0, -1.0], 20), permutations=99) == 1.0


def test_dealing_ends_at_five_hundred_as_far_apart() -> None:
    """Two units in each of two parts: of six ways to deal them, two part those that are fixed from those broken."""
    one, two = np.array([[3.0, 0], [0, 3]]), np.array([[3.0, 0], [0, 3]])
    alike = spread_by_units([one, two])
    assert alike is not None
    assert alike.p == 1.0
    apart = spread_by_units([np.array([[3.0, 0], [3, 0]]), np.array([[0.0, 3], [0, 3]])])
    assert apart is not None
    dealt = ENOUGH / apart.p
    assert dealt == pytest.approx(round(dealt))
    assert ENOUGH <= dealt < TABLES
    assert apart.p == pytest.approx(1 / 3, abs=0.05)


def test_no_exposure_of_one_leaves_no_limits_of_a_ratio() -> None:
    for rows in ([[0, 0, 10, 2]], [[10, 2, 0, 0]], [[10, 0, 10, 0]]):
        assert conditional_binomial(metrics.failure_ratio, metrics.failure_ratio.statistic_of(rows), 0.95) is None


def test_the_quantile_of_all_comparisons_is_an_order_statistic() -> None:
    """Of 19 replicates the 19th is beyond 95 % of 20; of 18 none is; at 50 % it is the tenth."""
    centred = np.arange(1.0, 20)[:, None]
    one, error = np.array([1.0]), np.array([1.0])
    assert max_t(one, centred, error, 0.95).quantile == 19
    assert max_t(one, centred, error, 0.5).quantile == 10
    assert max_t(one, centred[:18], error, 0.95).quantile == math.inf
    low, high = max_t(one, centred, error, 0.5).intervals(one, error)
    assert (float(low[0]), float(high[0])) == (-9.0, 11.0)


def test_students_limits_lie_on_both_sides() -> None:
    """With ten degrees of freedom 97.5 % lie below 2.228; of one unit nothing is known."""
    assert student_reach("t", 2.0, 0.5, 11.0).limits(0.95) == pytest.approx((2 - 1.114069, 2 + 1.114069), abs=1e-6)
    assert guarded_reach(2.0, 0.01, 11.0, 11.0, 1.0).limits(0.0) == pytest.approx((2.0, 2.0))
    assert all(math.isnan(end) for end in student_reach("t", 2.0, 0.5, 1.0).limits(0.95))
