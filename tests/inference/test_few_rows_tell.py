"""Where few rows tell how far a value may be off, limits reach further (docs/validation/heldout.md)."""

from __future__ import annotations

import numpy as np
import pytest
from bench.heldout.further import weighted_numbers
from bench.heldout.mixed import near_perfect, nearly_exact, two_of_numbers
from scipy.stats import t

from adjudge.data.judgements.numbers import PredictedNumbers
from adjudge.inference.differences.same_verdict import p_by_limits
from adjudge.inference.differences.units_apart import JackknifedDifference
from adjudge.inference.intervals.closed_form import closed_form, korn_graubard
from adjudge.inference.intervals.left_out import About, endless_scale, hall_reach, limits_without_one
from adjudge.inference.intervals.small_samples import as_few, positives_worth
from adjudge.metrics import average_precision, correlation, r_squared, rmse
from adjudge.metrics.base import Metric
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.weights import Weights

SAMPLES = 200


def test_an_area_is_worth_fewer_positives_where_few_rows_make_its_variance() -> None:
    """Influences by numbers, the weight of one row at a time a little more; Satterthwaite: 2n / (kurtosis − 1)."""
    labels, scores = ["p", "n", "p", "p", "n", "p", "n", "n", "n", "n"], np.arange(10.0, 0.0, -1.0)

    def area(weights: np.ndarray) -> float:
        return float(average_precision(labels, scores, positive="p", weights=weights))

    ones, step = np.ones(10), 1e-6
    adds = np.array([(area(ones + step * one) - area(ones - step * one)) / (2 * step) for one in np.eye(10)])
    freedom = 2 * 10 / (10 * (adds**4).sum() / (adds**2).sum() ** 2 - 1)
    curve = average_precision.statistic_of(labels, scores, positive="p").curves[0]
    share = positives_worth(curve, np.array(area(ones)))
    few = as_few(share, curve, 0.95)
    assert 1 < freedom < 9
    expected = (t.ppf(0.975, 9) / t.ppf(0.975, freedom)) ** 2
    assert float(few.whole / share.whole) == pytest.approx(expected, rel=1e-6)
    assert float(few.part / few.whole) == pytest.approx(float(share.part / share.whole))


def test_the_area_of_a_system_that_is_nearly_always_right() -> None:
    """A row of another category that outranks most positives is seldom seen; before, .91 of intervals held."""
    random, held = np.random.default_rng(3), []
    for _ in range(SAMPLES):
        table = near_perfect(random, 150)
        curve = average_precision.statistic_of(table["y"], table["p"], positive="yes")
        low, high = korn_graubard(curve.curves[0], average_precision.values(curve)[0], 0.95)
        held.append(low <= 0.9454 <= high)  # of 4,000,000 rows
    assert np.mean(held) >= 0.94


def test_the_upper_end_of_an_explained_share_of_rows_that_weigh_unequally() -> None:
    """Rows that are far out and weigh much make the variance; before, .90 of intervals held."""
    random, held = np.random.default_rng(4), []
    for _ in range(SAMPLES):
        table = weighted_numbers(random, 50)
        numbers = PredictedNumbers(table["y"], table["m"])
        bounds = closed_form("rubin_hill", r_squared, NumberPairs.collect(numbers, Weights(50, table["w"])), 0.95)
        assert bounds is not None
        held.append(bounds.low <= 0.669 <= bounds.high)
    assert np.mean(held) >= 0.93


@pytest.mark.parametrize(("metric", "truth"), [(rmse, 0.5), (r_squared, 0.98961)], ids=lambda one: str(one))
def test_predictions_of_which_nine_in_ten_are_exact(metric: Metric, truth: float) -> None:
    """Five rows of fifty tell how far off the others are not; before, .87 and .89 of intervals held."""
    random, held = np.random.default_rng(7), []
    for _ in range(2 * SAMPLES):
        table = nearly_exact(random, 50)
        bounds = closed_form("rubin_hill", metric, NumberPairs.of_arrays(table["y"], table["m"]), 0.95)
        if bounds is not None and bounds.low < bounds.high:
            held.append(bounds.low <= truth <= bounds.high)
    assert len(held) >= 2 * SAMPLES - 8
    assert np.mean(held) >= 0.94


def test_the_difference_of_two_errors_that_few_rows_make() -> None:
    """One of two systems has smaller rare errors. The percentiles alone hold in four of five samples."""
    random, drawn, further = np.random.default_rng(5), [], []
    for _ in range(SAMPLES):
        table = two_of_numbers(random, 50)
        squares = np.array([(table[name] - table["y"]) ** 2 for name in ("m", "s")])
        first, other = np.sqrt(squares[:, random.integers(0, 50, (300, 50))].mean(-1))
        ends = tuple(np.quantile(other - first, (0.0225, 0.9775)).tolist())
        pairs = [NumberPairs.of_arrays(table["y"], table[name]) for name in ("m", "s")]
        jackknifed = JackknifedDifference.of(rmse, pairs[0], pairs[1])
        assert jackknifed is not None
        ours = jackknifed.interval(0.95)
        low, high = min(ends[0], ours[0]), max(ends[1], ours[1])
        drawn.append(ends[0] <= -0.2612 <= ends[1])
        further.append(low <= -0.2612 <= high)
    assert np.mean(drawn) < 0.87
    assert np.mean(further) >= 0.92


def test_limits_of_a_difference_reach_as_far_as_jackknife_hill_on_both_sides() -> None:
    """Of two systems as good, one of which is seldom far off, a sample without such a row is skewed the wrong way."""
    random, n = np.random.default_rng(12), 40
    for _ in range(20):
        off = random.standard_normal((2, n)) * [[1.0], [0.8]]
        pairs = [NumberPairs.of_arrays(np.zeros(n), each) for each in off]
        squares = off**2
        without = np.subtract(*np.sqrt((squares.sum(1, keepdims=True) - squares) / (n - 1))[::-1])
        about = About(endless_scale(-np.inf, np.inf))
        value = np.asarray(np.subtract(*np.sqrt(squares.mean(1))[::-1]))
        hill = limits_without_one(value, without, np.ones(n), 0.95, about)
        between = JackknifedDifference.of(rmse, pairs[0], pairs[1])
        assert hill is not None
        assert between is not None
        low, high = between.interval(0.95)
        assert low <= float(hill[0]) + 1e-9
        assert float(hill[1]) <= high + 1e-9


def _near_copies(random: np.random.Generator, n: int, share: float) -> tuple[NumberPairs, NumberPairs]:
    """A second system that is the first with a little noise, but for a share of rows that it misses by far."""
    y = 3 * random.standard_normal(n)
    first = y + random.standard_normal(n)
    off = np.where(random.random(n) < share, random.laplace(0, 5, n), 0.4 * random.standard_normal(n))
    return NumberPairs.of_arrays(y, first), NumberPairs.of_arrays(y, first + off)


@pytest.mark.parametrize(
    ("metric", "truth", "share"), [(rmse, 1.4787, 0.95), (r_squared, -0.5716, 0.93), (correlation, -0.1778, 0.94)]
)
def test_differences_of_near_copies_that_a_tenth_of_rows_makes(metric: Metric, truth: float, share: float) -> None:
    """With Johnson's term alone .9325, .9 and .925 of these samples held.

    True are √6.144 − 1, −5.144 / 9 and 3 / √15.144 − 3 / √10: the variance of what the second adds is 5.144.
    """
    random, held = np.random.default_rng(31), []
    for _ in range(2 * SAMPLES):
        between = JackknifedDifference.of(metric, *_near_copies(random, 80, 0.1))
        assert between is not None
        low, high = between.interval(0.95)
        held.append(low <= truth <= high)
    assert np.mean(held) >= share


def test_differences_of_normal_near_copies_are_as_narrow_as_without_halls_cubic() -> None:
    random, wider = np.random.default_rng(32), []
    for _ in range(50):
        between = JackknifedDifference.of(rmse, *_near_copies(random, 80, 0.0))
        assert between is not None
        hill = limits_without_one(
            np.asarray(between.value), between.without, between.units, 0.95, About(endless_scale(-np.inf, np.inf))
        )
        assert hill is not None
        low, high = between.interval(0.95)
        wider.append((high - low) / float(hill[1] - hill[0]))
    assert 1 <= np.mean(wider) < 1.02


@pytest.mark.parametrize("skewness", [0.05, 0.3, 0.48, 0.7, 1.0])
def test_halls_reach_is_the_root_of_his_cubic(skewness: float) -> None:
    """T + γ T² / 3 + γ² T³ / 27 + γ / 6 = −t, which has one real root, by numpy's roots."""
    for quantile in (0.5, 1.96, 3.18, 12.7):
        roots = np.roots([skewness**2 / 27, skewness / 3, 1.0, skewness / 6 + quantile])
        real = roots[np.abs(roots.imag) < 1e-6].real
        assert hall_reach(quantile, skewness) == pytest.approx(-float(real[0]), rel=1e-4)
        assert hall_reach(quantile, -skewness) == quantile


def test_rows_that_are_not_the_same_are_not_paired() -> None:
    one, two = NumberPairs.of_arrays([0, 1, 2, 3, 4, 5], [1, 1, 1, 1, 9, 1]), NumberPairs.of_arrays(range(5), range(5))
    assert JackknifedDifference.of(rmse, one, two) is None


def test_what_is_left_of_the_highest_level_without_zero_is_the_p_value() -> None:
    """At the level that p leaves, an end of the interval is at 0; p is never below what draws say.

    Where the interval holds 0, p is what it says, were it normal: it was 1 as soon as units not seen alone reach 0.
    """
    random, held = np.random.default_rng(3), 0
    for _ in range(20):
        y = random.standard_normal(40)
        off = random.standard_normal((2, 40)) * [[1.0], [random.uniform(0.4, 1.0)]]
        one, two = (NumberPairs.of_arrays(y, y + each) for each in off)
        between = JackknifedDifference.of(rmse, one, two)
        assert between is not None
        p = between.p()
        if 1e-12 < p < 0.05:
            assert min(abs(end) for end in between.interval(1 - p)) < 1e-6
        elif p > 0.05:
            held += 1
            assert p == pytest.approx(p_by_limits(between.value, between.interval(0.95), 0.95))
            assert p < 1
        assert between.p(least=0.5) == max(p, 0.5)
    assert 3 <= held < 20


def test_the_upper_end_of_an_explained_share_where_few_references_are_far_out() -> None:
    """References that are skewed have a variance that few rows make; before, .75 of intervals held."""
    random, held = np.random.default_rng(6), []
    variance = np.exp(2 * 1.2**2) - np.exp(1.2**2)
    truth = 1 - 0.36 / (variance + 0.36)
    for _ in range(SAMPLES):
        prediction = np.exp(1.2 * random.standard_normal(100))
        pairs = r_squared.statistic_of(prediction + 0.6 * random.standard_normal(100), prediction)
        bounds = closed_form("rubin_hill", r_squared, pairs, 0.95)
        assert bounds is not None
        held.append(float(bounds.low) <= truth <= float(bounds.high))
    assert np.mean(held) >= 0.87
