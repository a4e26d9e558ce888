"""Regression metrics beside scikit-learn's, on random numbers with and without weights."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import metrics
from adjudge.metrics.base import Metric

REPEATABLE = settings(max_examples=40, deadline=None, derandomize=True)
SAME = {
    "rmse": (metrics.rmse, sklearn.metrics.root_mean_squared_error, {}),
    "mean_squared_error": (metrics.mean_squared_error, sklearn.metrics.mean_squared_error, {}),
    "mean_absolute_error": (metrics.mean_absolute_error, sklearn.metrics.mean_absolute_error, {}),
    "median_absolute_error": (metrics.median_absolute_error, sklearn.metrics.median_absolute_error, {}),
    "r_squared": (metrics.r_squared, sklearn.metrics.r2_score, {}),
    "explained_variance": (metrics.explained_variance, sklearn.metrics.explained_variance_score, {}),
    "mape": (metrics.mean_absolute_percentage_error, sklearn.metrics.mean_absolute_percentage_error, {}),
    "msle": (metrics.mean_squared_log_error, sklearn.metrics.mean_squared_log_error, {}),
    "pinball .5": (metrics.pinball_loss, sklearn.metrics.mean_pinball_loss, {"alpha": 0.5}),
    "pinball .9": (metrics.pinball_loss.using(quantile=0.9), sklearn.metrics.mean_pinball_loss, {"alpha": 0.9}),
    "pinball .05": (metrics.pinball_loss.using(quantile=0.05), sklearn.metrics.mean_pinball_loss, {"alpha": 0.05}),
}
EVERY = pytest.mark.parametrize(("metric", "theirs", "settings"), SAME.values(), ids=SAME.keys())


def numbers(seed: int, rows: int, digits: int) -> tuple[np.ndarray, np.ndarray]:
    """Positive references and predictions; few digits give ties and exact hits."""
    random = np.random.default_rng(seed)
    reference = np.round(random.lognormal(1, 0.6, rows), digits) + 0.1
    return reference, np.round(np.abs(reference + random.normal(0, 1, rows)), digits)


@EVERY
@REPEATABLE
@given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from([0, 1, 12]), st.booleans())
def test_the_same_value(metric: Metric, theirs, settings, seed: int, rows: int, digits: int, weighted: bool) -> None:
    reference, prediction = numbers(seed, rows, digits)
    if metric.range[1] == 1.0 and np.ptp(reference) == 0:
        return  # scikit-learn: 0 or 1; ours is undefined, see the test of degenerate rows
    weights = np.random.default_rng(seed).choice([0.5, 1.0, 2.0, 4.0], rows) if weighted else None
    expected = theirs(reference, prediction, sample_weight=weights, **settings)
    assert metric(reference, prediction, weights=weights) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@REPEATABLE
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_the_largest_error_is_the_same(seed: int, rows: int) -> None:
    reference, prediction = numbers(seed, rows, 12)
    assert metrics.max_error(reference, prediction) == sklearn.metrics.max_error(reference, prediction)


@REPEATABLE
@given(st.integers(0, 10**6), st.integers(3, 60))
def test_correlation_is_that_of_numpy(seed: int, rows: int) -> None:
    reference, prediction = numbers(seed, rows, 12)
    weights = np.random.default_rng(seed).integers(1, 4, rows)
    covariance = np.cov(reference, prediction, fweights=weights)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert metrics.correlation(reference, prediction, weights=weights) == pytest.approx(expected, abs=1e-12)


@REPEATABLE
@given(st.integers(0, 10**6), st.integers(2, 40), st.sampled_from([0.1, 0.5, 0.8]))
def test_no_constant_does_better_than_the_baseline(seed: int, rows: int, quantile: float) -> None:
    """The baselines of squared, absolute and pinball losses are the least that any constant gets."""
    from adjudge.statistics.numbers.pairs import NumberPairs
    from adjudge.statistics.numbers.residuals import Residuals

    reference, _ = numbers(seed, rows, 1)
    constants = np.append(reference, reference.mean())
    pairs, residuals = (of.of_arrays(reference, reference) for of in (NumberPairs, Residuals))
    for metric, statistic in (
        (metrics.rmse, pairs),
        (metrics.mean_squared_error, pairs),
        (metrics.mean_absolute_error, residuals),
        (metrics.pinball_loss.using(quantile=quantile), residuals),
    ):
        given_ = metric.settings if statistic is residuals else {}
        least = min(metric(reference, np.full(rows, constant)) for constant in constants)
        assert float(metric.baseline(statistic, **given_)) == pytest.approx(least, rel=1e-9, abs=1e-12)
