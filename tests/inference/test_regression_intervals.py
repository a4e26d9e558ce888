"""Intervals of regression metrics: they exist, heed weights by their ratios, and allow for what was not seen."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import estimate, metrics
from adjudge.evaluation.arrays.estimate import row_of_statistic
from adjudge.inference.intervals import tailed_means
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import chapters
from adjudge.statistics.numbers.pairs import NumberPairs

CHAPTER = chapters()["regression"]
EVERY = pytest.mark.parametrize("metric", CHAPTER, ids=repr)


def rows(seed: int = 1, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """References and predictions with their bounds."""
    random = np.random.default_rng(seed)
    prediction = random.lognormal(2, 0.4, n)
    reference = np.abs(prediction + random.normal(0, 1, n)) + 0.01
    reach = random.uniform(1, 2, n)
    return reference, np.column_stack([prediction, prediction - reach, prediction + reach])


@EVERY
def test_the_default_interval_is_the_declared_one_and_holds_the_value(metric: Metric) -> None:
    result = estimate(metric, *rows())
    assert result.method == metric.intervals[0]
    assert result.n == 80
    if result.method != "none":
        assert result.interval.low < result.value < result.interval.high


@EVERY
def test_every_declared_method_has_an_interval(metric: Metric) -> None:
    for method in metric.intervals:
        result = estimate(metric, *rows(), method=method)
        assert result.method == method
        assert method == "none" or result.interval.low < result.interval.high


@EVERY
@pytest.mark.parametrize("factor", [1 / 50, 100.0])
def test_rescaling_the_weights_changes_no_closed_form(metric: Metric, factor: float) -> None:
    weights = np.random.default_rng(2).choice([0.25, 1.0, 3.0], 80)
    one, other = (metric.over.of_arrays(*rows(), weights=weights * unit) for unit in (1.0, factor))
    for method in metric.intervals:
        if method != "bootstrap":
            a, b = (closed_form(method, metric, statistic, 0.95) for statistic in (one, other))
            assert (a is None) == (b is None)
            if a is not None:
                assert (float(b.low), float(b.high)) == pytest.approx((float(a.low), float(a.high)), rel=1e-7)


@EVERY
def test_a_higher_level_is_wider(metric: Metric) -> None:
    statistic = metric.over.of_arrays(*rows())
    for method in (method for method in metric.intervals if method not in ("bootstrap", "none")):
        narrow, wide = (closed_form(method, metric, statistic, level) for level in (0.8, 0.99))
        if method == "guarded_wilson" and (narrow is None or wide is None):
            continue  # where Wilson's ends reach as far, there is none
        assert wide.low < narrow.low <= narrow.high < wide.high


def test_student_is_the_usual_interval_of_a_mean() -> None:
    from scipy import stats

    reference, prediction = rows()
    errors = prediction[:, 0] - reference
    expected = stats.t.interval(0.95, 79, errors.mean(), stats.sem(errors))
    bounds = closed_form("student", metrics.mean_bias_error, NumberPairs.of_arrays(reference, prediction), 0.95)
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(expected)


def test_what_lies_beyond_the_largest_follows_the_tail() -> None:
    """Of a Pareto tail with index α the mean beyond the largest is α / (α − 1) times the largest."""
    n = 10_000
    places = (np.arange(n) + 0.5) / n
    for index in (2.0, 4.0):
        largest = np.sort(places ** (-1 / index))[::-1][:320]
        beyond = tailed_means.beyond_largest(largest, n)
        assert beyond / largest[0] == pytest.approx(index / (index - 1), rel=0.05)


def test_one_wild_row_moves_the_upper_end_far_and_the_lower_end_little() -> None:
    reference, prediction = rows()
    wild = prediction.copy()
    wild[0, 0] = reference[0] + 15
    plain, moved = (estimate(metrics.rmse, reference, p) for p in (prediction, wild))
    bootstrap = estimate(metrics.rmse, reference, wild, method="bootstrap")
    assert moved.interval.high > bootstrap.interval.high > plain.interval.high
    assert moved.interval.low < moved.value
    assert moved.interval.low > plain.interval.low


@EVERY
def test_perfect_predictions_have_an_interval_without_width_or_none(metric: Metric) -> None:
    reference, _ = rows()
    prediction = np.stack([reference] * 3, axis=1)
    result = estimate(metric, reference, prediction)
    assert result.value == metric.best
    low, high = result.interval.low, result.interval.high
    assert np.isnan(low) or low <= metric.best <= high


def test_parts_that_are_added_have_the_interval_of_the_whole() -> None:
    reference, prediction = rows(3, 900)
    whole = NumberPairs.of_arrays(reference, prediction)
    parts = [NumberPairs.of_arrays(reference[cut], prediction[cut]) for cut in (slice(0, 250), slice(250, None))]
    for metric in (metrics.rmse, metrics.r_squared, metrics.correlation, metrics.pinball_loss.using(quantile=0.9)):
        a, b = (closed_form("rubin_hill", metric, pairs, 0.95) for pairs in (whole, parts[0] + parts[1]))
        assert (float(b.low), float(b.high)) == pytest.approx((float(a.low), float(a.high)), rel=1e-8)


def test_scores_of_a_system_share_the_sums() -> None:
    """The pairs of score sums are those of the first rater and the system, replicates too."""
    from adjudge.statistics.scores.sums import ScoreSums

    random = np.random.default_rng(4)
    ratings, system = random.integers(1, 6, (60, 2)).astype(float), random.normal(3, 1, 60)
    sums, pairs = ScoreSums.of_arrays(ratings, system), NumberPairs.of_arrays(ratings[:, 0], system)
    for metric in (metrics.rmse, metrics.mean_absolute_error, metrics.r_squared, metrics.correlation):
        assert float(metric.values(sums.numbers)) == pytest.approx(float(metric.values(pairs)), rel=1e-12)
        assert metric.values(sums.resampled("poisson", 20, 7, "s").numbers).shape == (20,)
    assert closed_form("rubin_hill", metrics.rmse, sums.numbers, 0.95) is None
    assert np.isnan(metrics.mean_absolute_percentage_error.values(sums.numbers))


def test_the_smallest_level_is_no_division_by_zero() -> None:
    losses = [0.5, -1.0, 2.0, 0.25, -3.0]
    mae = metrics.mean_absolute_error
    row = row_of_statistic(mae, mae.statistic_of(losses, [0.0] * 5), level=0.001)
    assert row is not None
    assert row.low <= row.estimate <= row.high
