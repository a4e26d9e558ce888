"""Regression metrics where numbers are hard: large values with a tiny spread, constants, zeros, nothing at all."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

from adjudge import metrics
from adjudge.errors import AdjudgeError, BadValue
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import chapters
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals

CHAPTER = chapters()["regression"]
EVERY = pytest.mark.parametrize("metric", CHAPTER, ids=repr)
NEED_BOUNDS = ("interval_coverage", "interval_width")


def exact(reference: np.ndarray, prediction: np.ndarray) -> dict[str, float]:
    """Means, variances and their ratios in rational arithmetic."""
    x, y = ([Fraction(float(v)) for v in column] for column in (reference, prediction))
    n = len(x)

    def deviations(values: list[Fraction], others: list[Fraction]) -> Fraction:
        a, b = sum(values) / n, sum(others) / n
        return sum((p - a) * (q - b) for p, q in zip(values, others, strict=True))

    errors = [q - p for p, q in zip(x, y, strict=True)]
    squared = sum(e * e for e in errors)
    return {
        "mean_squared_error": float(squared / n),
        "mean_bias_error": float(sum(errors) / n),
        "mean_absolute_error": float(sum(map(abs, errors)) / n),
        "r_squared": float(1 - squared / deviations(x, x)),
        "explained_variance": float(1 - deviations(errors, errors) / deviations(x, x)),
        "correlation": float(deviations(x, y)) / (float(deviations(x, x)) * float(deviations(y, y))) ** 0.5,
    }


@pytest.mark.parametrize("level", [0.0, 1e6, 1e9, -1e12])
@pytest.mark.parametrize("spread", [1.0, 1e-2])
def test_large_numbers_with_a_tiny_spread(level: float, spread: float) -> None:
    """As NIST's StRD asks of a standard deviation (NumAcc3 and NumAcc4): digits are lost to nothing but the data."""
    random = np.random.default_rng(3)
    reference = level + spread * random.standard_normal(501)
    prediction = reference + spread * 0.3 * random.standard_normal(501) + spread * 5
    for name, value in exact(reference, prediction).items():
        assert getattr(metrics, name)(reference, prediction) == pytest.approx(value, rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("level", [1e9, 1e12])
def test_parts_with_other_centres_lose_no_digits(level: float) -> None:
    random = np.random.default_rng(4)
    reference = level + np.sort(random.standard_normal(400))  # the first part lies lower than the second
    prediction = reference + 0.1 * random.standard_normal(400)
    parts = [NumberPairs.of_arrays(reference[rows], prediction[rows]) for rows in (slice(0, 150), slice(150, None))]
    assert parts[0].centres != parts[1].centres
    for name, value in exact(reference, prediction).items():
        assert float(getattr(metrics, name).values(parts[0] + parts[1])) == pytest.approx(value, rel=1e-8), name


DEGENERATE = {
    "one row": ([2.0], [3.0]),
    "one row, right": ([2.0], [2.0]),
    "all right": ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
    "constant reference": ([1.1] * 7, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0]),
    "constant prediction": ([1.0, 2.0, 3.0], [1.1, 1.1, 1.1]),
    "all zero": ([0.0, 0.0], [0.0, 0.0]),
    "huge": ([1e50, -1e50, 1.0], [-1e50, 1e50, 2.0]),
    "tiny": ([5e-324, 1e-310], [1e-310, 5e-324]),
    "negative": ([-5.0, -1.0], [-2.0, 3.0]),
}


@EVERY
@pytest.mark.parametrize("rows", [([1e51, 1.0], [1.0, 2.0]), ([1.0, 2.0], [1.0, -1e300])])
def test_numbers_too_large_to_calculate_with_are_refused(metric: Metric, rows) -> None:
    with pytest.raises(BadValue, match=r"must lie within ±1e\+50, but there is (1e\+51|-1e\+300)"):
        metric.over.of_arrays(*rows)


@EVERY
@pytest.mark.parametrize("rows", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_degenerate_rows_give_nan_or_a_value_in_range(metric: Metric, rows) -> None:
    from adjudge.inference.intervals.closed_form import closed_form

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        statistic = metric.over.of_arrays(*rows)
        value = float(metric.values(statistic))
        assert np.isnan(value) or metric.range[0] <= value <= metric.range[1]
        with np.errstate(all="ignore"):
            for method in metric.intervals:
                bounds = closed_form(method, metric, statistic, 0.95) if method != "bootstrap" else None
                assert bounds is None or np.isnan(bounds.low) or bounds.low <= bounds.high


@EVERY
def test_no_rows_have_no_value(metric: Metric) -> None:
    empty: list[float] = []
    assert np.isnan(metric(empty, np.zeros((0, 2)) if metric.name in NEED_BOUNDS else empty))


@EVERY
def test_perfect_predictions_reach_the_best_value(metric: Metric) -> None:
    reference = np.array([1.5, 2.0, 4.0, 7.25])
    prediction = np.stack([reference] * 2, axis=1) if metric.name in NEED_BOUNDS else reference
    assert metric(reference, prediction) == metric.best


@pytest.mark.parametrize("metric", [m for m in CHAPTER if m.symmetric], ids=repr)
def test_symmetric_metrics_are_symmetric(metric: Metric) -> None:
    first, second = np.array([1.0, 2.5, 4.0, 9.0]), np.array([2.0, 2.0, 5.5, 3.0])
    assert metric(first, second) == pytest.approx(metric(second, first), rel=1e-12)


@pytest.mark.parametrize("metric", [m for m in CHAPTER if not m.symmetric and m.name not in NEED_BOUNDS], ids=repr)
def test_the_others_say_rightly_that_they_are_not(metric: Metric) -> None:
    first, second = np.array([1.0, 2.5, 4.0, 9.0]), np.array([2.0, 2.0, 5.5, 3.0])
    metric = metric.using(quantile=0.9) if metric.name == "pinball_loss" else metric
    assert metric(first, second) != pytest.approx(metric(second, first), rel=1e-3)


def test_where_a_loss_is_undefined_it_says_so_and_counts_the_rows() -> None:
    pairs = NumberPairs.of_arrays([0.0, 2.0, 0.0, -3.0], [1.0, 2.0, 0.0, 4.0])
    assert np.isnan(metrics.mean_absolute_percentage_error.values(pairs))
    assert np.isnan(metrics.mean_squared_log_error.values(pairs))
    assert (float(pairs.of("zero")), float(pairs.of("no_log"))) == (2.0, 1.0)
    assert "zero" in metrics.mean_absolute_percentage_error.undefined
    assert "-1 or less" in metrics.mean_squared_log_error.undefined


def test_a_zero_that_weighs_nothing_does_not_count() -> None:
    assert metrics.mean_absolute_percentage_error([0, 2], [1, 3], weights=[0, 1]) == 0.5
    assert metrics.max_error([0, 2], [9, 3], weights=[0, 1]) == 1.0


def test_rows_without_bounds_do_not_count_in_coverage() -> None:
    from adjudge.data.judgements.numbers import PredictedNumbers
    from adjudge.statistics.weights import Weights

    bounds = np.array([[0.0, 2.0], [np.nan, 3.0], [5.0, 6.0], [9.0, 1.0]])
    numbers = PredictedNumbers(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 5.5, 5.0]), *bounds.T)
    pairs = NumberPairs.collect(numbers, Weights(4))
    assert (float(metrics.interval_coverage.values(pairs)), float(metrics.interval_width.values(pairs))) == (0.5, 1.5)
    assert np.isnan(metrics.interval_coverage([1, 2], [1, 2]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.rmse([1, 2], None), "needs two arrays of numbers"),
        (lambda: metrics.rmse([1, 2], [1, np.nan]), "`prediction` must be finite numbers"),
        (lambda: metrics.rmse([1, np.inf], [1, 2]), "`reference` must be finite numbers"),
        (lambda: metrics.rmse(["a", "b"], [1, 2]), "`reference` must be numbers"),
        (lambda: metrics.rmse([1, 2, 3], [1, 2]), "as long as `reference`"),
        (lambda: metrics.rmse([[1, 2]], [1]), "one number for each row"),
        (lambda: metrics.rmse(1, 2), "in a list or an array"),
        (lambda: metrics.rmse([1], [[1, 2, 3, 4]]), "two columns"),
        (lambda: metrics.pinball_loss([1, 2], [1, 2], quantile=1.0), "`quantile` must lie between 0 and 1"),
        (lambda: metrics.pinball_loss([1, 2], [1, 2], quantile=True), "`quantile` must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_asked(call, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        call()


def test_the_order_statistics_of_a_median() -> None:
    """Ranks 6 and 15 of 20, 40 and 61 of 100: the usual tables of nonparametric limits of a median."""
    from adjudge.inference.intervals.closed_form import closed_form

    for n, ends in ((20, (6, 15)), (100, (40, 61)), (6, (1, 6))):
        residuals = Residuals.of_arrays(np.zeros(n), np.arange(1.0, n + 1))
        bounds = closed_form("order_statistics", metrics.median_absolute_error, residuals, 0.95)
        assert (float(bounds.low), float(bounds.high)) == ends
    five = Residuals.of_arrays(np.zeros(5), np.arange(5.0))
    assert closed_form("order_statistics", metrics.median_absolute_error, five, 0.95) is None
