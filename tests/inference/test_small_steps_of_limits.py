"""Small steps of limits and p-values that a whole evaluation hides, by hand or by a law."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaincinv
from scipy.stats import binomtest, norm, pearson3, t

from adjudge.data.judgements.numbers import predicted_numbers
from adjudge.inference.differences.paired_units import SkewedDifference, sign_flip_p
from adjudge.inference.differences.same_verdict import same_verdict
from adjudge.inference.differences.spread_alike import spread_drawn
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.decision_costs import UnitCounts, chosen_threshold
from adjudge.inference.intervals.habits import scheffe
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.quantiles import woodruff_reach
from adjudge.inference.intervals.regression import rows_in_effect
from adjudge.inference.intervals.small_samples import worth
from adjudge.inference.intervals.tailed_means import _with_one_more
from adjudge.inference.planning.power import Aim, units_for_width
from adjudge.inference.planning.power_in_use import ExposureOutlook
from adjudge.inference.planning.squares_judged import _others
from adjudge.inference.reach import guarded_variance, worth_reach
from adjudge.metrics import hit_rate_at, kappa_max, recall
from adjudge.metrics.intervals import NEEDS
from adjudge.metrics.weighted_shares import weighed_share
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.weights import Weights


def test_two_units_leave_one_degree_of_freedom_and_its_quantile() -> None:
    """The first row of any table of Student's distribution: 6.314, 12.706, 63.657."""
    assert [round(student_quantile(level, 1), 3) for level in (0.9, 0.95, 0.99)] == [6.314, 12.706, 63.657]
    assert math.isnan(student_quantile(0.95, 0))


def test_two_queries_have_an_interval_of_what_they_are_worth() -> None:
    low, high = worth(hit_rate_at, hit_rate_at.statistic_of([[1, 0]] * 2, [[2, 1]] * 2), 0.95) or (math.nan, math.nan)
    assert 0 < low < 1 == high
    assert worth(hit_rate_at, hit_rate_at.statistic_of([[1, 0]], [[2, 1]]), 0.95) is None


def test_a_mean_over_labels_leaves_out_what_has_no_value() -> None:
    """MOVER of two recalls, 8 and 5 of 10, with Clopper and Pearson's limits; the third label is never expected."""
    metric = recall.averaged("macro")
    table = metric.statistic_of(["a"] * 10 + ["b"] * 10, ["a"] * 8 + ["b"] * 7 + ["c"] * 5)
    shares = [(8, 10), (5, 10)]
    lows = [k / n - betaincinv(k, n - k + 1, 0.025) for k, n in shares]
    highs = [betaincinv(k + 1, n - k, 0.975) - k / n for k, n in shares]
    bounds = closed_form("mover", metric, table, 0.95)
    assert bounds is not None
    assert float(bounds.low) == pytest.approx(0.65 - math.hypot(*lows) / 2)
    assert float(bounds.high) == pytest.approx(0.65 + math.hypot(*highs) / 2)


def test_a_width_that_is_met_exactly_is_met() -> None:
    class Halving:
        truth = 0.5

        def half_width(self, units: int, level: float) -> float:
            return 1 / units

    assert [units_for_width(Halving(), width, 0.95) for width in (1.0, 0.25, 0.2)] == [1, 4, 5]  # type: ignore[arg-type]


def test_shares_side_by_side_are_as_each_alone() -> None:
    """Where only one of them has rows heavier than those seen, only it is moved."""
    part, whole = np.array([97.0, 5.0]), np.array([100.0, 10.0])
    squares = np.array([500.0, 5.0]), np.array([3.0, 5.0])
    unseen = np.array([5.03, 1.0]), np.array([5.03, 1.0])
    both = weighed_share(part, whole, squares, unseen)
    assert both.unseen is not None
    for place in (0, 1):
        alone = weighed_share(
            part[place], whole[place], (squares[0][place], squares[1][place]), (unseen[0][place], unseen[1][place])
        )
        assert alone.squares == pytest.approx(both.squares[place])
        for side in (0, 1):
            moved = math.nan if alone.unseen is None else float(alone.unseen[side].squares)
            assert moved == pytest.approx(float(both.unseen[side].squares[place]), nan_ok=True)


def test_a_threshold_is_chosen_as_often_whatever_is_added_to_all_scores() -> None:
    random = np.random.default_rng(2)
    counts = np.stack([random.poisson(np.arange(20, 0, -1.0)), random.poisson(np.arange(20.0))]).astype(float)

    def often(added: float) -> float:
        curve = Curve.of_points(np.linspace(1, 0, 20) + added, counts, counts, int(counts.sum()))
        draws = curve.resampled("multinomial", 100, 7, "x")
        return chosen_threshold(curve, draws, (1.0, 1.0), UnitCounts(400, 400)).often

    assert 0 < often(0.0) < 1
    assert often(0.0) == often(3.0) == often(-8.0)


def test_less_than_one_degree_of_freedom_is_none() -> None:
    few = SkewedDifference(1.0, 0.4, 0.5, skewness=0.0, units=3.0)
    assert [*map(math.isnan, few.interval(0.95)), math.isnan(few.p())] == [True, True, True]
    unknown = SkewedDifference(1.0, math.nan, 5.0, skewness=0.0, units=6.0)
    assert [*map(math.isnan, unknown.interval(0.95)), math.isnan(unknown.p())] == [True, True, True]


def test_a_quantile_reaches_as_far_as_the_first_value_at_whose_limit_its_share_lies() -> None:
    """Of 40 rows that count one each, the share up to the 30th is at least its own lower limit."""
    values, rows, level = np.arange(1.0, 41.0), 40.0, 0.9
    seen = 0.75
    spread = guarded_variance(seen * (1 - seen) / rows, rows, rows, 1.0)
    limit = worth_reach(seen, spread, (0.0, 1.0), units=rows, rows=rows).limits(level)[0]
    assert woodruff_reach(values, limit).at(level)[1] == 30.0
    assert woodruff_reach(values, limit + 1e-6).at(level)[1] == 31.0


def test_draws_take_as_many_units_as_were_simulated() -> None:
    """docs/validation/numbers.md has the fewest units with which each way of drawing holds."""
    page = (Path(__file__).parents[2] / "docs" / "validation" / "numbers.md").read_text(encoding="utf-8")
    part = page.partition("<!-- least -->")[2].partition("<!-- end of least -->")[0]
    least = {name: int(units) for name, units in re.findall(r"\| `(\w+)` \| (\d+) \|", part)}
    assert set(least) == {"bootstrap", "bayesian", "jackknife_hill"}
    drawn = {name: one.units for name, one in NEEDS.items() if re.search("bootstrap|bayesian|jackknife_hill", name)}
    assert len(drawn) == 7
    assert drawn == {name: next(units for way, units in least.items() if way in name) for name in drawn}


def test_a_p_value_is_below_what_a_level_leaves_where_its_limits_leave_out_nothing() -> None:
    """SciPy 1.17 tells quantiles of Student's distribution beyond 1e-150 wrongly near two degrees of freedom."""
    for freedom in (1.0, 2.0108, 2.0334, 2.0591, 2.0766, 2.1221, 2.1505, 2.1849, 7.7, 30.0):
        for mean in (0.5, 2.0, 5.0):
            found = SkewedDifference(mean, 1.0, float(freedom), skewness=-0.2, units=12.0)
            assert (found.p() < 0.05) == (found.interval(0.95)[0] > 0), freedom
            assert found.p() > 1e-9


def test_squares_below_the_largest_are_those_of_a_normal_distribution_cut_there() -> None:
    """Five squares of at most 2.5: moments by quadrature, and what fourth powers rise by with the sum of squares."""
    edge = math.sqrt(2.5)
    chance = quad(norm.pdf, -edge, edge)[0]
    second, fourth, sixth = (quad(lambda z, k=k: z**k * norm.pdf(z), -edge, edge)[0] / chance for k in (2, 4, 6))
    spread = math.sqrt(5 * (fourth - second**2))
    expected = 5 * second, spread, 5 * fourth, 5 * (sixth - second * fourth) / spread
    assert [float(one[0]) for one in _others(5, np.array([2.5]))] == pytest.approx(expected)


def test_a_p_value_at_exactly_what_the_level_leaves_goes_with_limits_that_reach_zero() -> None:
    at = 1 - 0.95
    assert same_verdict(0.2, at, (-0.02, 0.4), 0.95) == (at, (-0.02, 0.4)), "neither tells a difference"
    p, (low, high) = same_verdict(0.2, at, (0.01, 0.4), 0.95)
    assert (p, low, high) == pytest.approx((at, 0.0, 0.4)), "as far as p says, which is to 0"


@pytest.mark.parametrize("level", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("rows", [3.0, 400.0])
def test_the_quantile_of_a_mean_with_one_more_row_is_pearsons(level: float, rows: float) -> None:
    """Type III with the variance and skewness of Dirichlet weights, as much wider as Student's quantile is."""
    squares, cubes = 2.0, 3.0
    variance = squares / ((rows + 1) * (rows + 2))
    skewness = 2 * cubes / ((rows + 1) * (rows + 2) * (rows + 3)) / variance**1.5
    wider = t.ppf(0.5 + level / 2, rows - 1) / norm.ppf(0.5 + level / 2) if level else 1.0
    expected = 0.3 + wider * math.sqrt(variance) * pearson3.ppf(0.5 + level / 2, skewness)
    assert _with_one_more(rows, 0.3, (squares, cubes), level) == pytest.approx(expected)


def test_rows_that_go_together_count_as_many_as_their_mean_says() -> None:
    """Losses 4 1, 3 3 and 2 1 of three clusters, the largest three known; the others count as 4/3 each.

    Variance of a row (16 + 9 + 9 + 16/3) / 6 − (7/3)² = 10/9; of the mean 3/2 · (1/9 + 16/9 + 25/9) / 36 = 7/36.
    """
    losses = np.array([4.0, 1, 3, 3, 2, 1])
    numbers = replace(predicted_numbers(np.zeros(6), losses), clusters=np.repeat(np.arange(3, dtype=np.uint64), 2))
    pairs = NumberPairs.summing(numbers)(Weights(6))
    assert rows_in_effect(pairs, {"absolute": 1.0}, 14 / 6, np.array([4.0, 3, 3])) == pytest.approx(40 / 7)


def test_a_label_that_nobody_gives_does_not_move_the_largest_possible_kappa() -> None:
    first, second = [*"aabbbccab"] * 4, [*"abbbcccab"] * 4
    declared, seen = (kappa_max.statistic_of(first, second, categories=[*labels]) for labels in ("abcd", "abc"))
    assert scheffe(kappa_max, declared, 0.95) == scheffe(kappa_max, seen, 0.95)


@pytest.mark.parametrize(
    ("truth", "at_least"), [(2.6, True), (3.0, True), (8.0, True), (1.3, False), (1.0, False), (0.3, False)]
)
@pytest.mark.parametrize("power", [0.3, 0.5, 0.65, 0.8, 0.9])
def test_a_plan_of_exposure_holds_from_there_on_and_not_before(truth: float, at_least: bool, power: float) -> None:
    """By trying every number of units: of 3 at least 2, 100 units have the power of 0.8, and 104 have not."""
    outlook, aim = ExposureOutlook(truth), Aim(2.0, at_least)
    needed = outlook.from_then(aim, power)
    assert needed is not None
    missing = [units for units in range(1, 3 * needed + 50) if outlook.passes(units, aim) < power]
    assert needed == 1 + max(missing, default=0)


def test_other_seeds_flip_other_signs() -> None:
    """p of all 2²⁰ patterns of these signs is that of a binomial of 20; a seed's 500 are some of them."""
    differences = np.where(np.arange(20) < 7, -1.0, 1.0)
    found = [sign_flip_p(differences, seed=seed, permutations=500) for seed in range(1, 9)]
    assert len({*found}) > 4
    exact = binomtest(7, 20).pvalue
    assert np.mean(found) == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4_000))


def test_parts_in_which_few_are_expected_are_not_held_against_each_other() -> None:
    """Of 24 and 60 units 21 are broken: 6 are expected in the first part; of 16 and 68 there are 4."""
    random = np.random.default_rng(2)
    for parts, is_told in (([[18.0, 6], [45, 15]], True), ([[12.0, 4], [51, 17]], False)):
        arrays = [np.array(part) for part in parts]
        draws = [random.poisson(part, (500, 2)).astype(float) for part in arrays]
        assert (spread_drawn(arrays, draws, 50.0) is not None) is is_told
