"""Gross errors that few rows show: intervals and gates allow for them (docs/validation/heldout.md, decisions.md)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from bench.gates import ERRORS, of_statistic, passing, tried
from bench.heldout.designs import contaminated

from adjudge.data.judgements.numbers import predicted_numbers
from adjudge.inference import reach
from adjudge.inference.intervals import jackknife, tailed_means
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.regression import rows_in_effect
from adjudge.metrics import mean_absolute_error, mean_bias_error, pearson, r_squared, rmse, upper_limit_of_agreement
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights

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


def test_a_limit_of_agreement_where_one_difference_in_25_is_sixfold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 differences a tenth of samples shows none of these: what shows none must reach as far as such ones do.

    Where they were seen they tell it themselves: half of these samples had intervals of 11 and more, on a logarithm.
    """
    random, truth = np.random.default_rng(14), 1.959964 * math.sqrt(0.96 + 0.04 * 36)
    off = random.standard_normal((SAMPLES, 60)) * np.where(random.random((SAMPLES, 60)) < 0.04, 6, 1)
    vectors = [RatingVectors.of_arrays(np.zeros(60), row) for row in off]
    limits = [first_limits(upper_limit_of_agreement, one) for one in vectors]
    assert held(truth, limits) >= 0.92
    assert np.median([high - low for low, high in limits]) < 8
    monkeypatch.setattr(tailed_means, "GROSS_SPREAD", 0.0)
    assert held(truth, [first_limits(upper_limit_of_agreement, one) for one in vectors]) < 0.92


def test_the_variance_of_weighted_squares_is_that_of_as_many() -> None:
    squares = np.random.default_rng(5).exponential(size=40)
    once = tailed_means.variance_at_most(np.repeat(squares, 3), np.ones(120), 0.95)
    assert tailed_means.variance_at_most(squares, np.full(40, 3.0), 0.95) == pytest.approx(once, rel=1e-12)


def test_the_variance_of_few_gross_squares_by_hand() -> None:
    """Fifty squares of 1 have no spread to tell of; 1 − .025^(1/50) of all may be 2.75² times as large."""
    far = 1 + (1 - 0.025 ** (1 / 50)) * 2.75**2
    squares = 1 + 1e-9 * np.arange(50)
    assert tailed_means.variance_at_most(squares, np.ones(50), 0.95) == pytest.approx(far, rel=1e-6)


def test_intervals_and_requirements_allow_for_errors_as_gross() -> None:
    """Squares of 1 in a hundred rows: 1 − .025^(1/100) of all may be twice as far off as the largest."""
    assert (reach.FURTHER, reach.GROSS) == (tailed_means.GROSS_MOST, tailed_means.GROSS) == (2.0, 6.5)
    squares = np.ones(100)
    limits = tailed_means.rubin_hill_limits(1.0, 1e-9, 100.0, squares, 0.95, of_squares=True)
    assert limits is not None
    assert float(limits[1]) == pytest.approx(1 + 4 * (1 - 0.025 ** (1 / 100)), rel=1e-9)


def test_the_root_mean_square_of_errors_of_which_one_in_twenty_is_fourfold(monkeypatch: pytest.MonkeyPatch) -> None:
    random, truth = np.random.default_rng(5), math.sqrt(0.95 + 0.05 * 16)
    errors = random.standard_normal((SAMPLES, 50)) * np.where(random.random((SAMPLES, 50)) < 0.05, 4, 1)
    pairs = [NumberPairs.of_arrays(np.zeros(50), row) for row in errors]
    assert held(truth, [first_limits(rmse, one) for one in pairs]) >= 0.92
    monkeypatch.setattr(tailed_means, "GROSS", 0.0)
    assert held(truth, [first_limits(rmse, one) for one in pairs]) < 0.92


def test_the_bias_of_skewed_errors_reaches_further_to_that_side() -> None:
    """By hand: mean 2, s.e. √(48/7/8), t(7) = 2.3646, skewness 198 / 48^1.5, Johnson's (1 + 2 t²) / 6 of it.

    The kurtosis is 8 · 1332 / 48² = 4.625, which leaves 2 · 8 / 3.625 degrees of freedom: t(4.41) = 2.6767.
    """
    pairs = NumberPairs.of_arrays([0] * 8, [0, 0, 1, 1, 1, 2, 3, 8])
    error, t = math.sqrt(48 / 7 / 8), 2.364624251
    further = 198 / 48**1.5 * (1 + 2 * t**2) / 6 * error
    assert mean_bias_error.intervals[0] == "johnson"
    reach = 2.6767432575 * error
    assert first_limits(mean_bias_error, pairs) == pytest.approx((2 - reach, 2 + reach + further), rel=1e-8)


def passed(metric: object, design: str, rows: int, bound: float, samples: int) -> float:
    random, draw = np.random.default_rng(6), ERRORS[design]

    def one() -> object:
        y = 10 * random.standard_normal(rows)
        return of_statistic(metric, metric.statistic_of(y, y + draw(random, rows)), by_formula=True)  # type: ignore[attr-defined]

    return passing((tried(one) for _ in range(samples)), bound, lower=metric is r_squared)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", [rmse, mean_absolute_error, r_squared], ids=lambda one: one.name)
def test_a_gate_seldom_passes_where_one_error_in_twenty_is_fivefold(
    metric: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 30 rows a fifth of tables show none of them."""
    square, size = 0.95 + 0.05 * 25, math.sqrt(2 / math.pi) * (0.95 + 0.05 * 5)
    bound = {"rmse": math.sqrt(square), "mean_absolute_error": size, "r_squared": 1 - square / 100}[metric.name]  # type: ignore[attr-defined]
    assert passed(metric, "one in twenty fivefold", 30, bound, 200) <= 0.06
    if metric is rmse:
        monkeypatch.setattr(reach, "GROSS", 0.0)
        monkeypatch.setattr(reach, "FURTHER", 0.0)
        assert passed(metric, "one in twenty fivefold", 30, bound, 200) > 0.10


@pytest.mark.parametrize(("rows", "most"), [(30, 1.87), (50, 1.63), (100, 1.39), (300, 1.2), (1_000, 1.08)])
def test_what_the_allowance_costs_where_errors_are_normal(rows: int, most: float) -> None:
    """A limit that nobody can pass proves nothing: the median of the limit in terms of the measured value."""
    random = np.random.default_rng(8)
    ratios = []
    for _ in range(60):
        limit = of_statistic(rmse, rmse.statistic_of(np.zeros(rows), random.standard_normal(rows)), by_formula=True)
        ratios.append(limit.at(0.9)[1] / limit.value)
    assert np.median(ratios) <= most


def test_rows_of_a_cluster_that_are_one_row_count_as_one() -> None:
    """Copies of a row in a cluster tell nothing more; rows that differ tell nearly as much as rows by themselves."""
    random = np.random.default_rng(9)
    once, keys = random.standard_normal(40), np.repeat(np.arange(40, dtype=np.uint64), 8)

    def rows_of(errors: np.ndarray) -> float:
        numbers = replace(predicted_numbers(np.zeros(len(errors)), errors), clusters=keys)
        pairs = NumberPairs.summing(numbers)(Weights(len(errors)))
        squares = -np.sort(-(errors**2))
        return rows_in_effect(pairs, {"squared": 1.0}, float((errors**2).mean()), squares[:320])

    assert rows_of(np.repeat(once, 8)) == pytest.approx(40, abs=1.5)
    assert 200 < rows_of(random.standard_normal(320)) <= 320
