"""Numbers that can be had another way: from a textbook's formula, another library, or a case worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import stdtrit
from scipy.stats import fisher_exact
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

import adjudge
from adjudge.data.judgements.numbers import predicted_numbers
from adjudge.data.judgements.ratings import ratings_of
from adjudge.data.keys import keys_of_rows
from adjudge.errors import SettingError
from adjudge.inference.differences.paired_coefficients import paired_difference
from adjudge.inference.differences.paired_shares import PairedShares
from adjudge.inference.differences.paired_units import (
    clustered_difference,
    guarded_draws,
    mean_of_differences,
    signed_ranks,
)
from adjudge.inference.differences.spread_alike import spread_alike
from adjudge.inference.intervals import left_out
from adjudge.inference.intervals.area import delong, delong_logit
from adjudge.inference.intervals.columns import conditional_p
from adjudge.inference.intervals.folded import _below, _folded
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.intervals.jackknife import mover_hill
from adjudge.inference.intervals.regression import _with_a_heavy_row
from adjudge.inference.intervals.small_samples import positives_worth
from adjudge.inference.logistic import anchored_fit
from adjudge.inference.many.looks import share_e_value
from adjudge.inference.many.multiplicity import letters
from adjudge.inference.planning.power import Aim, KappaOutlook, MeanOutlook, ShareOutlook, units_for
from adjudge.inference.planning.power_in_use import ExposureOutlook
from adjudge.inference.planning.sample_size import share_power
from adjudge.inference.planning.units_needed import units_needed
from adjudge.inference.reach import Reach, share_sequence_reach
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import (
    average_precision,
    calibration_error,
    fleiss_kappa,
    mean_absolute_error,
    roc_auc,
    upper_limit_of_agreement,
)
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights


def test_three_ways_to_a_guarded_mean_meet() -> None:
    """Of rows; of rows that are each a cluster; of the variance of draws: one mean, one error, one freedom."""
    differences = np.array([1.0, 0, 0, -2, 3, 0, 1, 1])
    total, squares = differences.sum(), ((differences - differences.mean()) ** 2).sum()
    of_rows = mean_of_differences(total, squares, 8, bound=3.0)
    of_clusters = clustered_difference(differences, np.arange(8), bound=3.0)
    of_draws = guarded_draws(total / 8, squares / 8**2, 8, 8, bound=3.0)
    for other in (of_clusters, of_draws):
        assert other.error == pytest.approx(of_rows.error)
        assert other.interval(0.9) == pytest.approx(of_rows.interval(0.9))
    # By hand: the squares and two of 3², over 9 · 10; t of 7 degrees of freedom at 95 % is 1.894579.
    assert of_rows.interval(0.9)[1] == pytest.approx(0.5 + 1.894579 * math.sqrt((14 + 18) / 90), abs=1e-6)


def test_clusters_of_several_rows_are_guarded_by_their_weight() -> None:
    """Two rows in each of four clusters weigh as two: the imagined units are 2 · 2² · 4 · 8 / 64."""
    made = clustered_difference([1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3], bound=1.0)
    squares = 1.5**2 + 3 * 0.5**2
    assert made.error == pytest.approx(math.sqrt(16 / 30 * (squares + 4.0) / 64))


def test_the_shift_of_many_units_is_cut_by_the_normal_approximation() -> None:
    """Hollander and Wolfe (3.20): 60 differences, cut 915 − 1.96 √(60 · 61 · 121 / 24) = 649."""
    d = 3 * np.sqrt(np.arange(1, 61)) - 11.25
    means = np.sort([(d[i] + d[j]) / 2 for i in range(60) for j in range(i, 60)])
    made = signed_ranks(d, level=0.95)
    assert (made.low, made.high) == pytest.approx((means[648], means[-649]))


def test_half_widths_of_plans_are_those_of_the_intervals() -> None:
    low, high = proportion_confint(90, 100, alpha=0.05, method="wilson")
    assert ShareOutlook(0.9).half_width(100, 0.95) == pytest.approx((high - low) / 2)
    assert MeanOutlook(0.0, 2.0).half_width(10, 0.95) == pytest.approx(2.262157 * 2 / math.sqrt(10), abs=1e-6)
    assert MeanOutlook(0.0, 2.0).half_width(1, 0.95) == math.inf
    kappa = KappaOutlook(0.6, 0.3)
    assert kappa.half_width(400, 0.95) == pytest.approx(kappa.half_width(100, 0.95) / 2)


@pytest.mark.parametrize("units", [5, 12, 27])
def test_power_of_students_test(units: int) -> None:
    theirs = TTestPower().power(effect_size=0.5, nobs=units, alpha=0.05, alternative="larger")
    assert MeanOutlook(0.5, 1.0).passes(units, Aim(0.0)) == pytest.approx(theirs, abs=1e-6)


def test_five_rows_cannot_show_85_percent() -> None:
    """0.85⁵ is 0.44: even five right answers of five leave that much doubt."""
    assert share_power(np.array([5, 19]), 0.85, 0.9, 0.05).tolist() == pytest.approx([0.0, 0.9**19])


def test_nobody_has_so_many_rows() -> None:
    """0.8501 is told from 0.85 by some 80 million rows."""
    assert units_for(ShareOutlook(0.8501), Aim(0.85), 0.8) is None
    assert units_for(ShareOutlook(0.86), Aim(0.85), 0.8) == pytest.approx(6.1826 * 0.85 * 0.15 / 0.01**2, rel=0.05)


def test_limits_at_any_look_mirror_each_other() -> None:
    low, high = share_sequence_reach(70, 100).at(0.9)
    assert low < 0.7 < high < 1
    mirrored = share_sequence_reach(30, 100).at(0.9)
    assert share_sequence_reach(70, 100).at(0.9) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-6)


@pytest.mark.parametrize(("right", "rows", "bound"), [(9, 10, 0.8), (90, 100, 0.85), (40, 100, 0.5), (0, 3, 0.2)])
def test_evidence_at_any_look_is_the_likelihood_averaged_over_all_shares_above_the_bound(
    right: int, rows: int, bound: float
) -> None:
    from scipy.integrate import quad

    def likelihood(share: float) -> float:
        return (share / bound) ** right * ((1 - share) / (1 - bound)) ** (rows - right)

    average = quad(likelihood, bound, 1)[0] / (1 - bound)
    assert share_e_value(right, rows, bound) == pytest.approx(average, rel=1e-7)


def test_shares_stay_what_they_are_in_other_units() -> None:
    made = PairedShares(40, 10, 20, 30).effective(50)
    assert (made.both, made.only_first, made.only_second, made.neither) == (20, 5, 10, 15)


def test_a_perfect_area_is_worth_its_positives() -> None:
    """No variance is seen and none is binomial: as many rows as there are positives."""
    [curve] = average_precision.statistic_of([1] * 7 + [0] * 30, [0.9] * 7 + [0.1] * 30, positive=1).curves
    share = positives_worth(curve, np.array(1.0))
    assert (float(share.part), float(share.whole)) == pytest.approx((7.0, 7.0))


def test_delong_needs_two_rows_of_a_kind_and_no_more() -> None:
    two = adjudge.estimate(roc_auc, [1, 1, 0, 0, 0], [0.9, 0.4, 0.5, 0.2, 0.1], method="delong", positive=1)
    assert math.isfinite(two.interval.low)
    with pytest.raises(SettingError, match="delong"):
        adjudge.estimate(roc_auc, [1, 0, 0, 0, 0], [0.4, 0.4, 0.5, 0.2, 0.1], method="delong", positive=1)


def test_a_clearly_overconfident_bin_by_hand() -> None:
    """100 scores of 0.9, half of them right: off by 0.4, eight standard errors; both limits are 1.96 of them away.

    The upper one as if one more row were wholly off: of 100 rows, 100 (0.05)² + 0.01 under the root.
    """
    labels, scores = [1, 0] * 50, [0.9] * 100
    made = adjudge.estimate(calibration_error, labels, scores, method="folded_normal", positive=1)
    assert made.value == pytest.approx(0.4)
    assert made.interval.low == pytest.approx(0.4 - 1.96 * 0.05, abs=1e-4)
    assert made.interval.high == pytest.approx(0.4 + 1.96 * math.sqrt(0.05**2 + 0.01**2), abs=1e-4)


def test_bins_vary_as_they_are_seen_to_where_many_rows_tell() -> None:
    """Negatives that all have scores of 0.2 vary by nothing, whatever scores say: 20 rows more do, of a thousand."""
    labels, scores = [0] * 1_000 + [1] * 50, [0.2] * 1_000 + [0.8] * 50
    made = adjudge.estimate(calibration_error, labels, scores, method="folded_normal", positive=1)
    assert made.value == pytest.approx(0.2)
    said = 1.96 * math.sqrt(0.16 / 1_050)  # as scores say
    assert made.interval.high - made.interval.low < said


def test_the_upper_limit_of_calibrated_scores_takes_off_what_chance_adds() -> None:
    """Ten bins of 40 rows that are off by one standard error each: less than the value and the usual reach."""
    scores = np.repeat((np.arange(10) + 0.5) / 10, 40)
    hits = np.rint(40 * (np.arange(10) + 0.5) / 10 + np.sqrt(40 * scores[::40] * (1 - scores[::40])))
    labels = np.concatenate([np.arange(40) < many for many in hits]) * 1
    made = adjudge.estimate(calibration_error, labels, scores, method="folded_normal", positive=1)
    usual = 1.96 * math.sqrt((scores * (1 - scores)).sum()) / 400
    assert made.interval.low == 0.0
    assert made.value < made.interval.high < made.value + 0.85 * usual


def test_bins_of_a_cluster_are_off_together() -> None:
    """Two bins that are clearly off by standard errors of .02 vary by .028 by themselves, and by .04 as one does."""
    sizes, errors = np.array([0.2, 0.3]), np.array([0.02, 0.02])
    assert float(_below(sizes, errors, 2.0)) == pytest.approx(2 * math.sqrt(2) * 0.02, rel=1e-9)
    assert float(_below(sizes, errors, 2.0, 0.04)) == pytest.approx(0.08, rel=1e-9)


def test_folded_normal_numbers() -> None:
    """Leone, Nelson and Nottingham (1961): √(2/π) at 0; at 1 the mean is 1.16663, at 5 nothing is folded."""
    excess, spread = _folded(np.array([0.0, 1.0, 5.0]))
    assert excess == pytest.approx([math.sqrt(2 / math.pi), 0.16663, 0.0], abs=1e-5)
    assert spread == pytest.approx([1 - 2 / math.pi, 2 - 1.16663**2, 1.0], abs=1e-4)


def test_a_limit_of_agreement_of_many_normal_differences_is_as_bland_and_altman_say() -> None:
    """Its standard error is near s √(1/n + 1.96² / (2 (n − 1))) (Bland and Altman 1999, section 2)."""
    n = 1_000
    first = np.random.default_rng(8).normal(size=n)
    second = first + np.random.default_rng(9).normal(size=n)
    vectors = RatingVectors.of_arrays(first.round(4).tolist(), second.round(4).tolist())
    low, high = mover_hill(upper_limit_of_agreement, vectors, 0.95) or (math.nan, math.nan)
    reach = 1.96 * np.std(second - first, ddof=1) * math.sqrt(1 / n + 1.96**2 / (2 * (n - 1)))
    assert (float(high) - float(low)) / 2 == pytest.approx(reach, rel=0.12)


def test_letters_of_more_groups_than_letters_are_set_apart() -> None:
    """28 systems, each like its neighbours only: 27 groups, the last of which is called aa, or it would be a and a."""
    places = np.arange(28)
    told = letters(np.abs(places[:, None] - places) > 1)
    assert (told[0], told[1], told[27]) == ("a", "a b", "aa")
    few = letters(np.abs(places[:27, None] - places[:27]) > 1)
    assert (few[1], few[26]) == ("ab", "z")


def test_a_mean_of_areas_has_limits_about_as_wide_as_its_draws() -> None:
    random = np.random.default_rng(2)
    labels = random.integers(0, 3, 150)
    scores = random.random((150, 3)) + 0.5 * np.eye(3)[labels]
    macro = roc_auc.averaged("macro")
    ends = {
        method: adjudge.estimate(macro, labels.tolist(), scores.tolist(), method=method, replicates=300)
        for method in ("mover_bootstrap", "bootstrap")
    }
    formula, drawn = ends["mover_bootstrap"].interval, ends["bootstrap"].interval
    assert formula.low < ends["bootstrap"].value < formula.high
    assert formula.high - formula.low == pytest.approx(drawn.high - drawn.low, rel=0.3)


def test_a_difference_of_coefficients_varies_by_cluster_where_items_come_in_clusters() -> None:
    """Every item four times is four times as many rows and no more units: the interval is that of one of each."""
    random = np.random.default_rng(4)
    before = [[str(one), str(one if random.random() < 0.7 else 1 - one)] for one in random.integers(0, 2, 60)]
    after = [[a, a if random.random() < 0.5 else b] for a, b in before]
    settings = Bootstrap(replicates=1500)

    def width(times: int, **given: np.ndarray) -> float:
        first, second = (ratings_of([row for row in rows for _ in range(times)]) for rows in (before, after))
        found, _ = paired_difference(fleiss_kappa, first, second, 0.95, settings, **given)
        return found.interval.high - found.interval.low

    once = width(1)
    assert width(4, keys=np.repeat(keys_of_rows(0, 60), 4)) == pytest.approx(once, rel=0.15)
    assert width(4, weights=np.ones(240)) == pytest.approx(once / 2, rel=0.15)


def test_few_units_that_make_most_of_the_spread_leave_little_freedom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units that add −1 five times and 5 once: Σ a² = 30, Tukey's error √(5/6 · 30) = 5, and 6 · 630 / 30² = 4.2, so
    that 2 · 6 / 3.2 = 3.75 degrees of freedom are left (Hinkley 1977)."""
    monkeypatch.setattr(left_out, "UNSEEN", 0.0)
    left = np.array([0.0, 0, 0, 0, 0, -6])
    about = left_out.About(left_out.endless_scale(-np.inf, np.inf))
    low, high = left_out.limits_without_one(np.array(2.0), left, np.ones(6), 0.95, about) or (math.nan, math.nan)
    reach = 5 * float(stdtrit(3.75, 0.975))
    # What units add is −1 five times and 5 once: cubes of 120 in squares of 30, on the upper side (Johnson 1978).
    further = 5 * 120 / 30**1.5 * (1 + 2 * float(stdtrit(5, 0.975)) ** 2) / 6
    assert (float(low), float(high)) == pytest.approx((2 - reach, 2 + reach + further))


@pytest.mark.parametrize("level", [0.001, 0.999999])
def test_levels_have_ends(level: float) -> None:
    """The last levels whose quantiles are not lost in rounding are taken, and those beyond are refused."""
    beyond = level / 2 if level < 0.5 else (1 + level) / 2
    assert checked_level(level) == level
    with pytest.raises(SettingError, match=r"`level` must be from 0\.001 to 0\.999999"):
        checked_level(beyond)


def test_gross_errors_are_not_typical() -> None:
    """Of 64 units the 8 that add most are left aside: whether they add a little more or a thousand times as much."""
    adds, units = np.append(np.full(56, 0.5), np.full(8, 3.0)), np.ones(64)
    wild = np.where(adds > 1, 1_000.0, -adds)
    assert left_out.typical(adds, units) == left_out.typical(wild, units) == 0.5
    assert left_out.typical(np.array([0.5, -2.0]), np.array([56.0, 8.0])) == 0.5, "the same units, counted"


def test_parts_that_are_spread_as_evenly_as_can_be_are_alike() -> None:
    """Tables as improbable as the one seen count, and that one does: Fisher's test of four cells is SciPy's."""
    even = spread_alike([2, 2], [2, 2])
    uneven = spread_alike([3, 1], [1, 3])
    assert even is not None
    assert uneven is not None
    assert (even.p, even.test) == (1.0, "Fisher–Freeman–Halton")
    assert uneven.p == pytest.approx(fisher_exact([[3, 1], [1, 3]]).pvalue, abs=0.02)


def test_the_covariance_of_a_fit_by_groups() -> None:
    """Seven of ten successes, every row a group: Σ r² = n p q, over (n p q)², times n / (n − 1)."""
    fit = anchored_fit(np.ones((10, 1)), np.repeat([1.0, 0.0], [7, 3]), anchor=0, groups=np.arange(10))
    assert fit.covariance[0, 0] == pytest.approx(10 / 9 / 2.1, rel=1e-6)


def test_an_error_that_a_method_can_just_tell() -> None:
    """With a smallest error of 1 % on either side limits end at 98 %, and are none beyond."""
    reach = Reach("x", 0.5, lambda level: (0.5 - level / 2, 0.5 + level / 2), 100.0, smallest=0.01)
    assert reach.at(0.98) == pytest.approx((0.01, 0.99))
    assert all(map(math.isnan, reach.at(0.99)))


@pytest.mark.parametrize("exposures", [(0.0, 10.0), (10.0, 0.0)])
def test_rates_without_time_are_not_compared(exposures: tuple[float, float]) -> None:
    assert math.isnan(conditional_p(exposures[0], 1, exposures[1], 1))


def test_no_units_are_counted_without_an_error() -> None:
    """A mean that does not vary says nothing of how many units would show it."""
    assert units_needed(0.90, 0.85, 100, 0.0) is None
    assert units_needed(0.90, 0.85, 100, 1e-3) is not None


def test_a_heavy_row_that_was_not_seen_reaches_further_the_surer_one_must_be() -> None:
    """One row of four weighs 5: in effect a row weighs 28 / 8 = 3.5, the heaviest 1.5 more."""
    errors, weights = np.array([1.0, 2.0, 1.0, 1.0]), np.array([5.0, 1.0, 1.0, 1.0])
    pairs = NumberPairs.summing(predicted_numbers(np.zeros(4), errors))(Weights(4, weights))
    assert mean_absolute_error.tail is not None
    mean, tail = float(mean_absolute_error.values(pairs)), mean_absolute_error.tail(pairs)
    at = [_with_a_heavy_row(pairs, tail, mean, 2.0, level) for level in (0.5, 0.9, 0.95)]
    assert mean < at[0] < at[1] < at[2]
    equal = NumberPairs.summing(predicted_numbers(np.zeros(4), errors))(Weights(4, np.full(4, 3.0)))
    assert _with_a_heavy_row(equal, tail, mean, 2.0, 0.95) == 0.0


def test_a_time_between_failures_passes_with_so_many_failures_as_its_limits_allow() -> None:
    """In 600 hours 200 are shown if none fails (599.1), in 1,000 if one does (948.8): Poisson's e⁻⁰·⁶ and 2 / e."""
    outlook, aim = ExposureOutlook(1000.0), Aim(200.0)
    assert outlook.passes(599, aim) == 0
    assert outlook.passes(600, aim) == pytest.approx(math.exp(-0.6))
    assert outlook.passes(1000, aim) == pytest.approx(2 / math.e)


@pytest.mark.parametrize("method", [delong, delong_logit])
@pytest.mark.parametrize(("area", "positive"), [(1.0, [0.9, 0.8]), (0.0, [0.1, 0.2])])
def test_no_width_is_no_limit_of_an_area(
    method: Callable[..., tuple[float, float]], area: float, positive: list[float]
) -> None:
    [curve] = roc_auc.statistic_of([1, 1, 0, 0], [*positive, 0.5, 0.4], positive=1).curves
    assert all(map(math.isnan, method(curve, np.array(area), 0.95)))


@pytest.mark.parametrize("weighted", [False, True])
def test_limits_of_a_calibration_error_are_those_of_its_rows_one_by_one(weighted: bool) -> None:
    """Bin by bin and row by row, as `folded_normal` says it; rows of one score and label are one cell of the curve."""
    random = np.random.default_rng(5)
    score = random.integers(0, 41, 900) / 40
    label = (random.random(900) < score**1.4).astype(int)
    weight = random.gamma(2.0, 1.0, 900) if weighted else np.ones(900)
    bins, gap, total = np.minimum((score * 10).astype(int), 9), score - label, weight.sum()
    errors, sizes, value, seen = [], [], 0.0, 0.0
    for place in range(10):
        here = bins == place
        w, d, p = weight[here], gap[here], score[here]
        mean, rows = (w * d).sum() / w.sum(), w.sum() ** 2 / (w**2).sum()
        around, said = (w**2 * (d - mean) ** 2).sum(), (w**2 * p * (1 - p)).sum() / rows
        errors.append(math.sqrt(max(around, (around + 20 * said) * rows / (rows + 19))) / total)
        sizes.append(abs((w * d).sum()) / total)
    value = sum(sizes)
    for place in range(10):
        here = bins == place
        towards = np.sign((weight[here] * gap[here]).sum())
        seen += (weight[here] ** 2 * (towards * gap[here] - value) ** 2).sum()
    error, heavy = np.array(errors), (weight**2).sum() / total
    excess, spread = _folded(np.maximum(np.array(sizes) / error - 1.96, 0.0))
    z = 1.959963984540054
    low = value - (error * excess).sum() - z * math.sqrt((error**2 * spread).sum())
    scale = math.sqrt(max((error**2).sum() * total**2, seen) + heavy**2) / total

    def beyond(high: float) -> float:
        """How far a sum of sizes that are alike in standard errors is above what is within reach of the value."""
        folded, varies = _folded(np.array(high / error.sum()))
        return float(high + folded * error.sum() - z * scale * math.sqrt(varies) - value)

    high = brentq(beyond, value, value + z * scale)
    made = adjudge.estimate(calibration_error, label, score, weights=weight, method="folded_normal", positive=1)
    assert made.value == pytest.approx(value, rel=1e-12)
    assert (made.interval.low, made.interval.high) == pytest.approx((max(low, 0.0), high), rel=1e-10)
