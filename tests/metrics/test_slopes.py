"""How coefficients of two raters' numbers change with the weight of each item."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from adjudge.inference import replicate_values as drawing
from adjudge.inference.intervals import jackknife
from adjudge.metrics import concordance_correlation, pearson, spearman
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_numbers import rank_slopes
from adjudge.statistics.ratings.vectors import RatingVectors


def numbers(n: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.normal(size=n)
    return np.rint(truth + random.normal(0, 0.5, n)), truth + random.normal(0, 0.6, n)


def test_leaving_an_item_out_as_scipy_does() -> None:
    x, y = numbers(300)
    vectors = RatingVectors.of_arrays(x, y)
    whole = spearmanr(x, y).statistic
    of_pair = dict(zip(map(tuple, vectors.values), rank_slopes(vectors), strict=True))
    expected = [whole - spearmanr(np.delete(x, k), np.delete(y, k)).statistic for k in range(300)]
    got = [of_pair[pair] for pair in zip(x, y, strict=True)]
    assert np.abs(np.subtract(got, expected)).max() < 0.02 * np.abs(expected).max()


def test_all_weights_together_change_nothing() -> None:
    x, y = numbers(200)
    vectors = RatingVectors.of_arrays(x, y, weights=np.random.default_rng(4).uniform(0.5, 2, 200))
    assert float(vectors.counts @ rank_slopes(vectors)) == pytest.approx(0, abs=1e-12)


def test_limits_of_many_are_those_of_leaving_each_out(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = RatingVectors.of_arrays(*numbers(900))
    each = jackknife.jackknife_hill(spearman, vectors, 0.95)
    monkeypatch.setattr(jackknife, "MOST_LEFT_OUT", 0)
    by_slopes = jackknife.jackknife_hill(spearman, vectors, 0.95)
    assert each is not None
    assert by_slopes is not None
    assert np.allclose(by_slopes, each, rtol=0, atol=2e-4)


@pytest.mark.parametrize("metric", [pearson, concordance_correlation, spearman], ids=lambda one: one.name)
def test_slopes_are_the_derivatives(metric: Metric) -> None:
    x, y = numbers(40)
    vectors = RatingVectors.of_arrays(x, y, weights=np.random.default_rng(5).uniform(0.5, 2, 40))
    assert metric.slopes is not None
    step = 1e-6 * np.eye(len(vectors.counts))
    change = metric.values(vectors.with_counts(vectors.counts + step)) - metric.values(
        vectors.with_counts(vectors.counts - step)
    )
    assert metric.slopes(vectors) == pytest.approx(change / 2e-6, abs=1e-6)


@pytest.mark.parametrize("metric", [pearson, concordance_correlation, spearman], ids=lambda one: one.name)
def test_replicates_along_slopes_are_those_of_the_formula(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = RatingVectors.of_arrays(*numbers(2_000))
    draws = vectors.resampled("multinomial", 200, 1, "test")
    expected = metric.values(draws)
    monkeypatch.setattr(drawing, "LINEAR_FROM", 100)
    got = drawing._values_in(metric, vectors)(draws)
    assert (got - expected).std() < 0.06 * expected.std()
    assert got.std() == pytest.approx(expected.std(), rel=0.02)


@pytest.mark.parametrize("metric", [pearson, concordance_correlation, spearman], ids=lambda one: one.name)
def test_replicates_of_weighted_units_go_along_slopes_too(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(7)
    vectors = RatingVectors.of_arrays(*numbers(2_000), weights=random.uniform(0.2, 3, 2_000))
    draws = vectors.with_counts(vectors.counts * random.poisson(1.0, (200, len(vectors.counts))))
    expected = metric.values(draws)
    monkeypatch.setattr(drawing, "LINEAR_FROM", 100)
    got = drawing._values_in(metric, vectors)(draws)
    assert not np.array_equal(got, expected)
    assert (got - expected).std() < 0.08 * expected.std()
    assert got.std() == pytest.approx(expected.std(), rel=0.03)


def test_few_heavy_units_are_drawn_by_the_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.ones(2_000)
    weights[:20] = 1_000
    vectors = RatingVectors.of_arrays(*numbers(2_000), weights=weights)
    draws = vectors.with_counts(vectors.counts * np.random.default_rng(7).poisson(1.0, (20, len(vectors.counts))))
    monkeypatch.setattr(drawing, "LINEAR_FROM", 100)
    assert np.array_equal(drawing._values_in(spearman, vectors)(draws), spearman.values(draws))
