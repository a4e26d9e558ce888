"""Intervals where few units weigh most, and of differences that few units make."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student

import adjudge
from adjudge.data.judgements.numbers import predicted_numbers
from adjudge.inference.differences.paired_units import MeanDifference, SkewedDifference
from adjudge.inference.differences.units_apart import JackknifedDifference, skewed_mean
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.left_out import freedom_of_weights, heavy_unit_unseen
from adjudge.metrics import mean_absolute_error, mean_bias_error, quadratic_weighted_kappa, rmse
from adjudge.metrics import upper_limit_of_agreement as upper
from adjudge.metrics.base import Metric
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.weights import Weights

SAMPLES = 120


def test_the_freedom_of_weights_is_satterthwaites() -> None:
    """One unit of three and three of one: (9 + 3)² / (81 + 3); alike, as many as there are units."""
    assert freedom_of_weights(np.array([3.0, 1.0, 1.0, 1.0]), np.ones(4)) == pytest.approx(144 / 84)
    assert freedom_of_weights(np.full(7, 0.2), np.ones(7)) == pytest.approx(7.0)
    assert freedom_of_weights(np.array([3.0, 1.0]), np.array([1.0, 3.0])) == pytest.approx(144 / 84)
    assert freedom_of_weights(None, np.ones(7)) == math.inf


def test_a_heavy_unit_that_was_not_seen() -> None:
    """In effect a unit weighs 12 / 6 = 2, the heaviest 3: what it weighs more, as far off as any for its weight."""
    adds, weights = np.array([0.3, 0.2, -0.5, 0.0]), np.array([3.0, 1.0, 1.0, 1.0])
    assert heavy_unit_unseen(adds, weights, np.ones(4)) == pytest.approx(1.0 * 0.2)
    assert heavy_unit_unseen(-adds, weights, np.ones(4)) == pytest.approx(1.0 * 0.5)
    assert heavy_unit_unseen(adds, np.ones(4), np.ones(4)) == 0.0


def test_a_mean_over_clusters_has_the_freedom_of_their_sizes() -> None:
    """Two clusters of 40 rows beside 38 of one row: hardly more than two clusters tell, whatever their rows say."""
    of = np.concatenate([np.repeat([0, 1], 40), np.arange(2, 40)])
    errors = np.random.default_rng(3).standard_normal(40)[of]
    numbers = replace(predicted_numbers(np.zeros(len(of)), errors), clusters=of.astype(np.uint64))
    pairs = NumberPairs.summing(numbers)(Weights(len(of)))
    bounds = closed_form("johnson", mean_bias_error, pairs, 0.95)
    left, _ = pairs.without_one()
    without = mean_bias_error.values(left)
    error = math.sqrt(39 / 40 * float(((without - without.mean()) ** 2).sum()))
    assert bounds is not None
    assert float(bounds.high - bounds.low) / 2 >= student.ppf(0.975, 3) * error * (1 - 1e-9)


@pytest.mark.parametrize(
    ("metric", "truth", "before"),
    [
        (rmse, math.sqrt((14 * 0.25 + 5 * 2.25) / 19), 0.85),
        (mean_absolute_error, 14.5 / 19 * math.sqrt(2 / math.pi), 0.9),
    ],
    ids=lambda one: str(one),
)
def test_heavy_rows_that_carry_the_large_errors(metric: Metric, truth: float, before: float) -> None:
    """Four rows of sixty weigh five times as much and are three times as far off; before, .81 and .87 held."""
    random, held = np.random.default_rng(2), []
    for _ in range(SAMPLES):
        heavy = random.random(60) < 1 / 15
        errors = np.where(heavy, 1.5, 0.5) * random.standard_normal(60)
        sums = metric.statistic_of(np.zeros(60), errors, weights=np.where(heavy, 5.0, 1.0))
        bounds = closed_form(metric.intervals[0], metric, sums, 0.95)
        assert bounds is not None
        assert bounds.high < 40 * metric.values(sums)
        held.append(bounds.low <= truth <= bounds.high)
    assert np.mean(held) >= before


def test_equal_weights_leave_limits_as_they_are() -> None:
    errors = np.random.default_rng(4).standard_normal(50)
    one, three = (
        closed_form("rubin_hill", rmse, rmse.statistic_of(np.zeros(50), errors, weights=np.full(50, w)), 0.95)
        for w in (1.0, 3.0)
    )
    assert one is not None
    assert three is not None
    assert float(one.high) == pytest.approx(float(three.high), rel=1e-12)


def test_a_spread_that_one_item_makes_has_no_absurd_limit() -> None:
    """Sixty differences of which one is forty times as large: an end a hundred times as far said nothing."""
    random = np.random.default_rng(5)
    first = random.standard_normal(60)
    second = first + 0.3 * random.standard_normal(60)
    second[7] += 12.0
    bounds = closed_form("mover_hill", upper, upper.statistic_of(first, second), 0.95)
    assert bounds is not None
    spread = float(np.std(first - second, ddof=1))
    assert float(bounds.high) < float(upper(first, second)) + 1.96 * spread * math.sqrt(1 / -math.log1p(-0.025))


def test_a_skewed_difference_without_skewness_is_students() -> None:
    plain, same = MeanDifference(0.8, 0.3, 17.0), SkewedDifference(0.8, 0.3, 17.0, skewness=0.0, units=40.0)
    assert same.interval(0.9) == pytest.approx(plain.interval(0.9))
    for null in (-0.4, 0.0, 0.8, 1.1):
        for alternative in ("two-sided", "less", "greater"):
            assert same.p(null, alternative) == pytest.approx(plain.p(null, alternative), rel=1e-9)


@pytest.mark.parametrize("skewness", [-0.6, 0.4])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_p_and_limits_of_a_skewed_difference_say_the_same(skewness: float, level: float) -> None:
    skewed = SkewedDifference(0.8, 0.3, 6.0, skewness=skewness, units=40.0)
    low, high = skewed.interval(level)
    assert skewed.p(low) == pytest.approx(1 - level, rel=1e-6)
    assert skewed.p(high) == pytest.approx(1 - level, rel=1e-6)
    assert skewed.p(low, "greater") == pytest.approx((1 - level) / 2, rel=1e-6)
    assert skewed.p(high, "less") == pytest.approx((1 - level) / 2, rel=1e-6)
    turned = skewed.turned(-1.0)
    assert turned.interval(level) == pytest.approx((-high, -low))
    assert turned.p(-low, "less") == pytest.approx((1 - level) / 2, rel=1e-6)
    assert skewed.p(0.8) == 1.0


def test_the_skewed_side_reaches_further_by_johnsons_term() -> None:
    """0.3 (t + 0.4 (1 + 2 t²) / 6) with t of 6 degrees of freedom, and of 39 in the term."""
    few, many = student.ppf(0.975, 6), student.ppf(0.975, 39)
    low, high = SkewedDifference(0.8, 0.3, 6.0, skewness=0.4, units=40.0).interval(0.95)
    assert low == pytest.approx(0.8 - 0.3 * few)
    assert high == pytest.approx(0.8 + 0.3 * (few + 0.4 * (1 + 2 * many**2) / 6))


def test_two_systems_of_which_one_slips_rarely() -> None:
    """One row in fifty is missed by five or so: Student's interval of the mean difference holds in .85 of samples."""
    random, plain, skewed = np.random.default_rng(6), [], []
    for _ in range(4 * SAMPLES):
        m = random.standard_normal(300)
        s = m + 0.3 * random.standard_normal(300) + random.exponential(5.0, 300) * (random.random(300) < 1 / 50)
        sums = [mean_bias_error.statistic_of(np.zeros(300), column) for column in (m, s)]
        mean = MeanDifference(float((s - m).mean()), float(np.std(s - m, ddof=1)) / math.sqrt(300), 299)
        further = skewed_mean(mean, 300, mean_bias_error, (sums[0], sums[1]))
        assert further is not None
        for one, held in ((mean, plain), (further, skewed)):
            low, high = one.interval(0.95)
            held.append(low <= 0.1 <= high)
    assert np.mean(plain) < 0.86
    assert np.mean(skewed) >= 0.88


def test_the_side_to_which_a_sample_is_not_skewed() -> None:
    """Amounts missed by factors: rmse differs by what few rows make, and some samples are skewed the wrong way.

    Draws with an allowance on the skewed side alone held in .90 of samples."""
    random, held = np.random.default_rng(7), []
    large = np.random.default_rng(8)
    y, common = large.gamma(1.5, 10.0, 1_000_000), 0.4 * large.standard_normal(1_000_000)
    off = [y * np.exp(common + s * large.standard_normal(1_000_000)) - y for s in (0.3, 0.2)]
    truth = float(np.sqrt((off[1] ** 2).mean()) - np.sqrt((off[0] ** 2).mean()))
    for _ in range(SAMPLES):
        y, common = random.gamma(1.5, 10.0, 100), 0.4 * random.standard_normal(100)
        sums = [rmse.statistic_of(y, y * np.exp(common + s * random.standard_normal(100))) for s in (0.3, 0.2)]
        draws = [one.resampled("multinomial", 200, 1, "rows") for one in sums]
        ends = np.quantile(rmse.values(draws[1]) - rmse.values(draws[0]), (0.025, 0.975))
        further = JackknifedDifference.of(rmse, sums[0], sums[1])
        assert further is not None
        low, high = further.interval(0.95)
        held.append(min(ends[0], low) <= truth <= max(ends[1], high))
    assert np.mean(held) >= 0.93


def test_essays_of_two_systems_are_left_out_one_by_one() -> None:
    random = np.random.default_rng(9)
    level = 4 - random.gamma(1.0, 0.8, 60)
    table = {
        "h": np.clip(np.rint(level + 0.4 * random.standard_normal(60)), 0, 4),
        "e": np.clip(level + 0.3 * random.standard_normal(60), 0, 4),
    }
    table["s"] = np.clip(table["e"] + 0.3 * random.standard_normal(60), 0, 4)
    roles = {"raters": ["h"], "prediction": ["e", "s"], "min": 0, "max": 4, "zeros": "keep"}
    found = adjudge.evaluate(table, "scoring", metrics=["quadratic_weighted_kappa"], replicates=200, seed=1, **roles)
    rows = [row for row in found.table if row.baseline is not None and row.method == "paired_bootstrap"]
    assert rows
    one, two = (ScoreSums.of_arrays(table["h"], table[name]) for name in ("e", "s"))
    assert JackknifedDifference.of(quadratic_weighted_kappa, one, two) is None  # not one table
