"""Limits at their edges: the smallest samples, ends of a scale, weights in another unit; worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.inference.differences.flips import _relative
from adjudge.inference.differences.paired_shares import tango_limits
from adjudge.inference.differences.paired_units import sign_flip_p
from adjudge.inference.differences.spread_alike import spread_alike
from adjudge.inference.intervals.agreement import _influence_on_alpha
from adjudge.inference.intervals.area import _delong_variance
from adjudge.inference.intervals.closed_form import clopper_pearson, of_mean
from adjudge.inference.intervals.columns import drop_by_tango
from adjudge.inference.intervals.decision_costs import worth_of_benefit
from adjudge.inference.intervals.interval import Bounds, checked_level
from adjudge.inference.intervals.jackknife import jackknife_hill
from adjudge.inference.intervals.left_out import About, limits_without_one
from adjudge.inference.intervals.quantiles import woodruff_reach
from adjudge.inference.logistic import _likelihood
from adjudge.inference.many.multiplicity import max_t
from adjudge.inference.planning.power import Aim, ShareOutlook
from adjudge.inference.planning.power_in_use import ExposureOutlook
from adjudge.inference.planning.sample_size import rows_for_share
from adjudge.inference.reach import _furthest
from adjudge.inference.resampling import Bootstrap, spread_as_well
from adjudge.metrics.base import Mean, Share
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.ratings.patterns import Patterns


def test_flips_are_held_against_those_of_chance() -> None:
    """6 both, 1 fixed, 2 broken, 3 neither: 2 · 12 / (8 · 5)."""
    assert float(_relative(np.array([6.0, 1.0, 2.0, 3.0]))) == pytest.approx(0.6)


def test_a_drop_of_right_and_wrong_answers_is_tangos() -> None:
    """Ten pairs of which three are lost and one is won; of other numbers there is no such interval."""
    before, after = [1, 1, 1, 0, 1, 1, 1, 0, 0, 1], [0, 0, 0, 1, 1, 1, 1, 0, 0, 1]
    rows = NumberRows.of_arrays(before, after)
    limits = drop_by_tango(metrics.accuracy, rows, 0.95)
    assert limits is not None
    assert [float(end) for end in limits] == pytest.approx(list(tango_limits(3, 1, 10, 1.959963984540054)))
    assert float(limits[0]) < 0.2 < float(limits[1])
    assert drop_by_tango(metrics.accuracy, NumberRows.of_arrays([0.5, 1.0], [0.0, 1.0]), 0.95) is None


def test_delongs_variance_with_rows_that_may_stand_anywhere() -> None:
    """Positives at 3 and 1, negatives at 2 and 0: an area of 3/4; each kind has shares of 1 and 1/2 beaten.

    A row that may stand anywhere is off by (3/4 − 1/2)² + 1/12; a kind of two rows is off by 1/16 in the mean.
    """
    [curve] = metrics.roc_auc.statistic_of([1, 0, 1, 0], [3.0, 2.0, 1.0, 0.0], positive=1).curves
    assert isinstance(curve, Curve)
    assert _delong_variance(curve, 0.75) == pytest.approx(2 * (2 / 16) / 1 / 2)
    anywhere = 1 / 16 + 1 / 12
    assert _delong_variance(curve, 0.75, unseen=1.0) == pytest.approx(2 * (2 / 16 + anywhere) / 2 / 2)


def test_the_likelihood_of_fractions_is_best_at_the_fractions() -> None:
    """Nothing is lost there; at a probability of one half, log 2 less the entropy of the fraction."""
    y, weight = np.array([0.25, 0.5, 1.0]), np.array([1.0, 2.0, 4.0])
    assert _likelihood(np.array([math.log(1 / 3), 0.0, 40.0]), y, weight) == pytest.approx(0.0, abs=1e-12)
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    lost = (math.log(2) - entropy) + 2 * 0.0 + 4 * math.log(2)
    assert _likelihood(np.zeros(3), y, weight) == pytest.approx(-lost)


def test_three_units_have_limits_and_two_have_none() -> None:
    """Of a mean of 1, 2, 6: without each unit it is 4, 3.5, 1.5, and Student's t of 2 degrees reaches far."""
    plain = About((lambda value: value, lambda value: value))
    values, left = np.array([1.0, 2.0, 6.0]), np.array([4.0, 3.5, 1.5])
    limits = limits_without_one(np.asarray(values.mean()), left, np.ones(3), 0.95, plain)
    assert limits is not None
    assert float(limits[0]) < 3 - 4.302653 * math.sqrt(7 / 3) * 0.99
    assert float(limits[1]) > 3 + 4.302653 * math.sqrt(7 / 3) * 0.99
    assert limits_without_one(np.asarray(1.5), np.array([2.0, 1.0]), np.ones(2), 0.95, plain) is None


def test_a_bound_that_nothing_shows_is_the_end_of_the_scale_itself() -> None:
    assert _furthest(lambda bound: False, 0.3, 1.0) == 1.0
    assert _furthest(lambda bound: False, 0.3, 0.0) == 0.0
    assert _furthest(lambda bound: bound >= 0.7, 0.3, 1.0) == pytest.approx(0.7, abs=1e-8)
    assert _furthest(lambda bound: bound <= 0.1, 0.3, 0.0) == pytest.approx(0.1, abs=1e-8)


@pytest.mark.parametrize("unit", [0.01, 10.0])
def test_a_quantile_does_not_depend_on_the_unit_of_weights(unit: float) -> None:
    values, weights = np.arange(1.0, 61.0), np.tile([1.0, 2.0, 3.0], 20)
    one, other = (woodruff_reach(values, 0.5, times) for times in (weights, unit * weights))
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        assert one.at(level) == other.at(level)
        assert all(map(math.isfinite, one.at(level)))


def test_equal_weights_reach_as_rows_do() -> None:
    """Half of 60 rows: limits are order statistics, and lie about 1.96 · √60 / 2 rows from the middle."""
    low, high = woodruff_reach(np.arange(1.0, 61.0), 0.5, np.full(60, 2.0)).at(0.95)
    assert (low, high) == woodruff_reach(np.arange(1.0, 61.0), 0.5).at(0.95)
    assert 30 - low == pytest.approx(0.98 * math.sqrt(60), abs=2.5)
    assert high - 30 == pytest.approx(0.98 * math.sqrt(60), abs=2.5)


def test_half_the_width_of_a_share() -> None:
    """Wilson's interval of 8 of 10 is [0.4902, 0.9433] (Agresti and Coull 1998, section 1)."""
    assert ShareOutlook(0.8).half_width(10, 0.95) == pytest.approx((0.943318 - 0.490162) / 2, abs=1e-6)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None])
def test_a_seed_is_a_whole_number_from_zero(seed: object) -> None:
    with pytest.raises(SettingError, match="`seed` must be a whole number of at least 0"):
        Bootstrap(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0.0005, 0.9999995, 1.0, 1.5])
def test_a_level_too_near_to_none_or_all_is_refused(level: float) -> None:
    with pytest.raises(SettingError):
        checked_level(level)


def test_exposure_that_passes_with_some_failures() -> None:
    """Mean time between failures of 200 at 95 %: χ²(2r + 2) is 5.991, 9.488; at most 200: χ²(2r) from below, 0.103."""
    at_least, at_most = Aim(200.0), Aim(200.0, at_least=False)
    watch = ExposureOutlook(400.0).exposure
    assert [watch(failures, at_least) for failures in (0, 1)] == pytest.approx([599.146, 948.773], abs=0.01)
    assert [watch(failures, at_most) for failures in (0, 1)] == pytest.approx([0.0, 10.2587], abs=0.001)


def test_the_share_of_coins_that_fall_as_far_is_never_nothing() -> None:
    """Twenty units that all differ by 1: of 99 random patterns none is as far, and one is added to both."""
    assert sign_flip_p(np.ones(20), permutations=99) == pytest.approx(0.01)
    assert sign_flip_p(np.tile([1.0, -1.0], 10), permutations=99) == 1.0


def test_the_largest_of_several_distances_is_counted_with_the_one_that_was_seen() -> None:
    """Distances 3 and 1; of four replicates the larger is 2, 4, 1, 1.5, the second alone 0.5, 4, 1, 0.2."""
    centred = np.array([[2.0, 0.5], [0.0, 4.0], [1.0, 1.0], [1.5, 0.2]])
    adjusted = max_t(np.array([3.0, 1.0]), centred, np.ones(2))
    assert adjusted.p.tolist() == pytest.approx([2 / 5, 3 / 5])


def test_the_benefit_of_each_outcome() -> None:
    """A hit is worth 1, a false alarm costs the odds of the threshold, the others nothing."""
    assert worth_of_benefit(np.array([0.2, 0.5])).tolist() == [[1, 1], [-0.25, -1], [0, 0], [0, 0]]


def test_limits_near_an_end_of_the_scale_stay_inside_it() -> None:
    """Replicates at the end itself count as half a row from it: 1/20 of ten rows, log odds of −2.944."""
    values, point = np.array([[0.0], [0.0], [0.5], [0.5]]), np.array([0.25])
    wide = Bounds("bootstrap", np.array([0.25]), np.array([0.25]))
    ends = spread_as_well(wide, values, point, 0.95, units=10.0, within=(0.0, 1.0), rows=10)
    assert 0.0 < float(ends.low[0]) < 0.25 < float(ends.high[0]) < 1.0
    by_hand = np.array([math.log(0.05 / 0.95)] * 2 + [0.0] * 2)
    middle = math.log(0.25 / 0.75)
    logits = [math.log(float(end[0]) / (1 - float(end[0]))) for end in (ends.low, ends.high)]
    assert (logits[0] + logits[1]) / 2 == pytest.approx(middle)
    assert logits[1] - middle > 1.96 * by_hand.std()


@pytest.mark.parametrize("hits", [0, 1, 9, 10])
def test_exact_limits_of_few_and_of_nearly_all(hits: int) -> None:
    """Clopper and Pearson's of 0, 1, 9 and 10 of ten, as SciPy has them."""
    share = Share(np.asarray(float(hits)), np.asarray(10.0), np.asarray(10.0))
    expected = binomtest(hits, 10).proportion_ci(0.95, method="exact")
    assert [float(end) for end in clopper_pearson(share, 0.95)] == pytest.approx([expected.low, expected.high])


def test_limits_of_a_mean_are_as_far_above_as_below() -> None:
    """Student's t of 1, 2, 6: 3 ± 4.302653 √(7 / 3)."""
    moments = Mean(np.asarray(3.0), np.asarray(14 / 3), np.asarray(3.0))
    reach = 4.302653 * math.sqrt(7 / 3)
    assert [float(end) for end in of_mean(moments, 0.95)] == pytest.approx([3 - reach, 3 + reach], abs=1e-5)


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval", "ratio"])
def test_what_an_item_adds_to_alpha_is_its_derivative(measurement: str) -> None:
    """A little more weight on one kind of item moves alpha by what the item adds, over the weight of all."""
    patterns = Patterns.of_arrays([[1, 1, 2], [2, 2, None], [3, 1, 3], [1, 1, 1], [3, 2, 2], [2, 3, 3]])
    places, each, value = _influence_on_alpha(patterns, measurement=measurement)
    little, items = 1e-6, float(patterns.counts[places].sum())
    for place, added in zip(places, each - value, strict=True):
        more = patterns.counts.copy()
        more[place] += little
        moved = _influence_on_alpha(replace(patterns, counts=more), measurement=measurement)[2]
        assert (moved - value) / little * items == pytest.approx(added, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(("bound", "truth"), [(0.5, 0.9), (0.6, 0.95), (0.8, 0.9)])
def test_the_fewest_rows_of_a_share_are_those_of_a_search_from_one_row_on(bound: float, truth: float) -> None:
    """The exact test of each number of rows: the first that passes often enough, and from which on all do."""
    enough = []
    for rows in range(1, 400):
        needed = int((binom.sf(np.arange(rows + 1) - 1, rows, bound) > 0.05).sum())
        enough.append(binom.sf(needed - 1, rows, truth) >= 0.8)
    plan = rows_for_share(bound, truth)
    assert plan.first == 1 + enough.index(True)
    assert plan.rows == 1 + max(row for row, is_enough in enumerate([False, *enough]) if not is_enough)


def test_tables_that_are_as_probable_count_as_far() -> None:
    """One fixed in one part, one broken in the other: both tables with these margins are as probable, so p is 1."""
    test = spread_alike([1, 0], [0, 1])
    assert test is not None
    assert test.p == 1.0


def test_no_unit_is_left_out_of_sums_that_keep_none() -> None:
    """What rounding leaves of one group of very many units is no spread; while units are kept there are limits."""
    random = np.random.default_rng(1)
    x = random.normal(size=200)
    pairs = metrics.correlation.statistic_of(x, x + random.normal(size=200))
    assert jackknife_hill(metrics.correlation, pairs, 0.95) is not None
    for times in (1, 5, 10, 11):
        sums = replace(pairs.sums, kept=None, units=1_000_000_007_000 * times)
        assert jackknife_hill(metrics.correlation, replace(pairs, sums=sums), 0.95) is None


@pytest.mark.parametrize("limits", [(0.0, 1.0), (-1.0, 0.0), (-np.inf, 1.0), (-np.inf, np.inf)])
def test_one_limit_is_cut_as_many_are(limits: tuple[float, float]) -> None:
    """To the last bit: zeros keep their signs, and what is undefined stays so."""
    for value in (-0.0, 0.0, -2.0, 2.0, 0.5, np.nan, np.inf, -np.inf):
        one = Bounds("m", np.asarray(value), np.asarray(value)).within(limits)
        for end in (one.low, one.high):
            assert np.asarray(end).tobytes() == np.clip(np.array([value]), *limits).tobytes()
