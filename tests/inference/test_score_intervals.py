"""Intervals of what rests on a dozen second ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import degradation, rater_error_variance
from adjudge.statistics import linear_sums
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.weights import Weights

OF = ("correlation", "qwk", "kappa", "exact", "adjacent", "smd")


def scored(random: np.random.Generator, rows: int, double: int) -> tuple[np.ndarray, np.ndarray]:
    truth = random.normal(3.5, 1, rows)
    ratings = np.clip(np.rint(truth[:, None] + random.normal(0, 0.6, (rows, 2))), 1, 6)
    system = np.clip(np.rint(truth + random.normal(0, 0.5, rows)), 1, 6)
    return np.where((np.arange(rows) < double)[:, None] | [True, False], ratings, np.nan), system


def test_the_interval_of_a_variance_is_bonetts_with_students_quantile() -> None:
    from scipy.stats import norm, t

    ratings = np.array([[1, 2], [3, 3], [4, 5], [2, 2], [5, 4], [3, 4], [2, 4], [1, 1]], dtype=float)
    squares, m = np.diff(ratings)[:, 0] ** 2 / 2, 8
    kurtosis = m * (squares**2).sum() / squares.sum() ** 2
    c = m / (m - norm.ppf(0.975))
    reach = t.ppf(0.975, m - 1) * c * math.sqrt((kurtosis - (m - 3) / m) / (m - 1))
    bounds = closed_form("bonett", rater_error_variance, ScoreSums.of_arrays(ratings), 0.95)
    assert bounds is not None
    # Half of Johnson's term (1978): skewness / 12 √m (1 + 2 z²) errors, with twice the variation, as of gammas.
    variation = math.sqrt(squares.var()) / squares.mean()
    further = 2 * variation / (12 * math.sqrt(m)) * (1 + 2 * norm.ppf(0.975) ** 2) * reach / t.ppf(0.975, m - 1)
    assert [float(bounds.low), float(bounds.high)] == pytest.approx(
        [c * squares.mean() * math.exp(-reach), c * squares.mean() * math.exp(reach + further)]
    )


def test_intervals_hold_with_a_dozen_second_ratings() -> None:
    random = np.random.default_rng(4)
    metrics = [rater_error_variance, *(degradation.using(of=of) for of in OF)]
    population = ScoreSums.of_scores(*scored(random, 200_000, 200_000))
    held = np.zeros(len(metrics))
    samples = 200
    for _ in range(samples):
        sums = ScoreSums.of_scores(*scored(random, 100, 12))
        for place, metric in enumerate(metrics):
            bounds = closed_form(metric.intervals[0], metric, sums, 0.95)
            value = float(metric.values(population))
            held[place] += bounds is None or float(bounds.low) <= value <= float(bounds.high)
    # Three standard errors of the simulation below what is asked for.
    assert (held / samples > 0.92 - 3 * math.sqrt(0.95 * 0.05 / samples)).all(), dict(zip(metrics, held, strict=True))


@pytest.mark.parametrize("of", OF)
def test_slopes_stand_for_units_that_are_not_kept(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, system = scored(np.random.default_rng(1), 400, 200)
    metric = degradation.using(of=of)
    kept = closed_form("jackknife_mover", metric, ScoreSums.of_scores(ratings, system), 0.95)
    monkeypatch.setattr(linear_sums, "MOST_KEPT", 10)
    sums = ScoreSums.of_scores(ratings, system)
    assert sums.sums.kept is None
    slopes = closed_form("jackknife_mover", metric, sums, 0.95)
    assert kept is not None
    assert slopes is not None
    assert float(slopes.high - slopes.low) == pytest.approx(float(kept.high - kept.low), rel=0.06)


@pytest.mark.parametrize("metric", [rater_error_variance, degradation, degradation.using(of="exact")])
def test_the_unit_of_weights_and_repetition(metric) -> None:
    ratings, system = scored(np.random.default_rng(2), 60, 20)
    one, scaled = (
        closed_form(metric.intervals[0], metric, ScoreSums.of_scores(ratings, system, Weights(60, weight)), 0.95)
        for weight in (None, np.full(60, 3.0))
    )
    assert one is not None
    assert scaled is not None
    assert [float(scaled.low), float(scaled.high)] == pytest.approx([float(one.low), float(one.high)])


def test_three_second_ratings_are_too_few() -> None:
    ratings, system = scored(np.random.default_rng(3), 60, 3)
    sums = ScoreSums.of_scores(ratings, system)
    assert closed_form("bonett", rater_error_variance, sums, 0.95) is None
    assert closed_form("jackknife_mover", degradation, sums, 0.95) is None


@pytest.mark.parametrize("of", ["exact", "adjacent"])
def test_shares_of_responses_with_two_ratings_rest_on_these_alone(of: str) -> None:
    """With rows="double" the responses of one rater say nothing: without them all is the same."""
    ratings, system = scored(np.random.default_rng(6), 90, 40)
    metric = degradation.using(of=of, rows="double")
    every, double = (ScoreSums.of_scores(ratings[:many], system[:many]) for many in (90, 40))
    here, alone = (closed_form("jackknife_mover", metric, sums, 0.95) for sums in (every, double))
    assert here is not None
    assert alone is not None
    assert float(metric.values(every)) == pytest.approx(float(metric.values(double)))
    assert [float(here.low), float(here.high)] == pytest.approx([float(alone.low), float(alone.high)], abs=0.01)


def test_one_response_does_not_make_a_correlation_of_raters_worthless() -> None:
    """Without it 60 raters' pairs correlate perfectly, which has no place on the scale of Fisher's z."""
    ratings = np.array([[place % 6 + 1] * 2 for place in range(60)] + [[2, 3]], dtype=float)
    system = np.array([place % 6 + 1 + (place % 7 == 0) for place in range(60)] + [2], dtype=float)
    sums = ScoreSums.of_scores(ratings, system)
    bounds = closed_form("jackknife_mover", degradation, sums, 0.95)
    assert bounds is not None
    assert -0.1 < float(bounds.low) < float(degradation.values(sums)) < float(bounds.high) < 1
