"""Steps of methods worked out otherwise, where a changed sign or constant went unnoticed."""

from __future__ import annotations

import math
import warnings
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from adjudge.data.judgements.ratings import ratings_of
from adjudge.diagnosis.raters.distinct_ratings import distinct
from adjudge.errors import SettingError
from adjudge.evaluation.measuring.statistics import row_draws
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.logistic import anchored_fit
from adjudge.inference.planning import sample_size
from adjudge.inference.resampling import Bootstrap, spread_as_well


def test_a_start_far_away_is_walked_back_from() -> None:
    """Newton's step overshoots there and must be halved; the maximum is that of another optimiser."""
    random = np.random.default_rng(3)
    x = random.normal(size=(60, 2))
    y = (random.random(60) < 1 / (1 + np.exp(-x @ [1.0, -0.5]))).astype(float)

    def lost(beta: np.ndarray) -> float:
        z = x @ beta
        prior = sum(np.logaddexp(0, b) - b / 2 for b in beta)
        return float((np.logaddexp(0, z) - y * z).sum() + prior)

    best = minimize(lost, np.zeros(2), method="BFGS", options={"gtol": 1e-9}).x
    for start in ([0.0, 0.0], [6.0, -9.0], [-8.0, 8.0]):
        assert anchored_fit(x, y, start=np.array(start)).beta == pytest.approx(best, abs=1e-5)


def test_rows_are_drawn_by_the_weights_that_were_asked_for() -> None:
    assert [row_draws(Bootstrap(kind=kind)) for kind in ("percentile", "bca", "poisson", "bayesian")] == [
        "poisson",
        "poisson",
        "poisson",
        "bayesian",
    ]


def test_one_weight_below_zero_is_refused() -> None:
    with pytest.raises(SettingError, match="at least 0"):
        distinct(ratings_of([["a", "a"], ["a", "b"]]), weights=[1.0, -1.0])


def test_a_class_that_weighs_nothing_has_no_area() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        areas = paired_areas([1, 1, 0], [0.9, 0.4, 0.5], [0.8, 0.7, 0.3], weights=[0.0, 0.0, 1.0])
    assert math.isnan(areas.first)


def test_power_of_the_sign_test_counts_p_values_that_are_the_level_itself() -> None:
    """All tables of 6 rows: 6 to 0 has p = 2 / 64, which is the level."""
    a, b = 0.5, 0.2
    total = 0.0
    for rows in product((1, -1, 0), repeat=6):
        first, differing = rows.count(1), 6 - rows.count(0)
        tail = sum(math.comb(differing, k) for k in range(min(first, differing - first) + 1)) / 2**differing
        if differing and min(1.0, 2 * tail) <= 2 / 64:
            total += a**first * b ** rows.count(-1) * (1 - a - b) ** rows.count(0)
    assert sample_size.power_of_pairs(6, a, b, 2 / 64, mid=False) == pytest.approx(total)


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        ((0.0, 1.0), lambda x, r: (1 / (1 + (1 - x) / x * np.exp(r)), 1 / (1 + (1 - x) / x * np.exp(-r)))),
        ((0.0, np.inf), lambda x, r: (x * np.exp(-r), x * np.exp(r))),
        ((-np.inf, np.inf), lambda x, r: (x - r, x + r)),
    ],
)
def test_limits_of_few_clusters_by_hand(within: tuple[float, float], expected: object) -> None:
    """21 clusters: Student's t of ten degrees of freedom is 2.2281 (any printed table), times √(21 / 20)."""
    point = 0.8
    free = {1.0: lambda v: np.log(v / (1 - v)), np.inf: np.log if within[0] == 0 else np.asarray}[within[1]]
    back = {1.0: lambda v: 1 / (1 + np.exp(-v)), np.inf: np.exp if within[0] == 0 else np.asarray}[within[1]]
    steps = np.array([-0.1, 0.1] * 50)  # a standard deviation of a tenth on the free scale
    narrow = Bounds("bootstrap", np.asarray(point), np.asarray(point))
    values = back(free(np.full(100, point)) + steps)
    found = spread_as_well(narrow, values, np.asarray(point), 0.95, units=21, within=within, rows=1_000)
    reach = 2.2281 * math.sqrt(21 / 20) * 0.1
    low, high = expected(point, reach)  # type: ignore[operator]
    assert (float(found.low), float(found.high)) == pytest.approx((low, high), abs=2e-5)
    wide = Bounds("bootstrap", np.asarray(0.1), np.asarray(0.99))
    kept = spread_as_well(wide, values, np.asarray(point), 0.95, units=21, within=within, rows=1_000)
    assert float(kept.low) == 0.1
    assert float(kept.high) == pytest.approx(max(0.99, high), abs=2e-5)
