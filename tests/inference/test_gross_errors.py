"""Gross errors that few rows show: intervals and gates allow for them (docs/validation/heldout.md, decisions.md)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.gates import ERRORS, of_statistic, passing, tried
from bench.heldout_designs import contaminated

from adjudge.inference import jackknife, tailed_means
from adjudge.inference.closed_form import closed_form
from adjudge.metrics import mean_absolute_error, mean_bias_error, pearson, r_squared, rmse
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.rating_vectors import RatingVectors

SAMPLES = 150


def held(truth: float, limits: list[tuple[float, float]]) -> float:
    low, high = np.array(limits).T
    return float(np.mean((low <= truth) & (truth <= high)))


def first_limits(metric: object, statistic: object) -> tuple[float, float]:
    bounds = closed_form(metric.intervals[0], metric, statistic, 0.95)  # type: ignore[attr-defined, arg-type]
    assert bounds is not None
    return float(bounds.low), float(bounds.high)


def test_a_correlation_with_one_rating_in_twenty_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings are 1 + 0.4² apart, of which a twentieth is replaced by noise of variance 9: so r is known."""
    truth = 0.95 / math.sqrt(1.16 * (0.95 * 1.16 + 0.05 * 9))
    draw, random = contaminated(0.05, 3.0, 0.4, lambda r, n: r.standard_normal(n)), np.random.default_rng(4)
    tables = [draw(random, 50) for _ in range(SAMPLES)]
    vectors = [RatingVectors.of_arrays(table["a"], table["b"]) for table in tables]
    assert held(truth, [first_limits(pearson, one) for one in vectors]) >= 0.92
    monkeypatch.setattr(jackknife, "GROSS", 0.0)
    assert held(truth, [first_limits(pearson, one) for one in vectors]) < 0.92


def test_the_root_mean_square_of_errors_of_which_one_in_twenty_is_fourfold(monkeypatch: pytest.MonkeyPatch) -> None:
    random, truth = np.random.default_rng(5), math.sqrt(0.95 + 0.05 * 16)
    errors = random.standard_normal((SAMPLES, 50)) * np.where(random.random((SAMPLES, 50)) < 0.05, 4, 1)
    pairs = [NumberPairs.of_arrays(np.zeros(50), row) for row in errors]
    assert held(truth, [first_limits(rmse, one) for one in pairs]) >= 0.92
    monkeypatch.setattr(tailed_means, "GROSS", 0.0)
    assert held(truth, [first_limits(rmse, one) for one in pairs]) < 0.92


def test_the_bias_of_skewed_errors_reaches_further_to_that_side() -> None:
    """By hand: mean 2, s.e. √(48/7/8), t(7) = 2.3646, skewness 198 / 48^1.5, Johnson's (1 + 2 t²) / 6 of it."""
    pairs = NumberPairs.of_arrays([0] * 8, [0, 0, 1, 1, 1, 2, 3, 8])
    error, t = math.sqrt(48 / 7 / 8), 2.364624251
    further = 198 / 48**1.5 * (1 + 2 * t**2) / 6 * error
    assert mean_bias_error.intervals[0] == "johnson"
    assert first_limits(mean_bias_error, pairs) == pytest.approx((2 - t * error, 2 + t * error + further), rel=1e-8)


@pytest.mark.parametrize("metric", [rmse, mean_absolute_error, r_squared], ids=lambda one: one.name)
def test_a_gate_seldom_passes_where_one_error_in_thirty_is_tenfold(metric: object) -> None:
    """Before, 25 % of tables of 30 rows passed a root mean square that was exactly at its bound."""
    random, draw = np.random.default_rng(6), ERRORS["one in thirty tenfold"]
    square = 29 / 30 + 100 / 30
    size = math.sqrt(2 / math.pi) * (29 / 30 + 10 / 30)
    bound = {"rmse": math.sqrt(square), "mean_absolute_error": size, "r_squared": 1 - square / 100}[metric.name]  # type: ignore[attr-defined]

    def one() -> object:
        y = 10 * random.standard_normal(30)
        return of_statistic(metric, metric.statistic_of(y, y + draw(random, 30)), by_formula=True)  # type: ignore[attr-defined]

    passed, _, _ = passing((tried(one) for _ in range(120)), bound, lower=metric is r_squared)  # type: ignore[arg-type]
    assert passed <= 0.06
