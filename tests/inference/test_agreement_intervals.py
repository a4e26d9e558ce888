"""Intervals of agreement by formula: against printed values, definitions, and other ways to the same thing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.golden.agreement_rows import TEN_SUBJECTS
from tests.golden.reliability_rows import ANXIETY, LARGE, MINI, SHROUT_FLEISS
from tests.golden.row import ABSTRACTORS, FORTY_ITEMS, labels_of_table

from adjudge import metrics
from adjudge.inference.intervals.agreement import fisher, gof, gwet_error, jackknife_error
from adjudge.inference.intervals.closed_form import METHODS, closed_form
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import MEASUREMENTS
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors

LINEARISED = [
    metrics.percent_agreement,
    metrics.percent_agreement.using(tolerance=1),
    metrics.fleiss_kappa,
    metrics.fleiss_kappa.using(weighting="quadratic"),
    metrics.scott_pi,
    metrics.randolph_kappa.using(weighting="linear"),
    metrics.bennett_s,
    metrics.pabak,
    metrics.gwet_ac1,
    metrics.gwet_ac2,
    *(metrics.krippendorff_alpha.using(measurement=level) for level in MEASUREMENTS),
]


def statistic(metric: Metric, first, second=None, **keywords):
    return metric.statistic_of(first, second, **keywords)


def many_ratings(items: int, raters: int, missing: float, seed: int = 5) -> np.ndarray:
    """Ratings on 1 to 4 with some agreement; every item keeps two raters."""
    random = np.random.default_rng(seed)
    truth = random.integers(1, 5, items)
    rows = np.clip(truth[:, None] + random.choice([-1, 0, 0, 0, 1], (items, raters)), 1, 4).astype(float)
    gone = random.random((items, raters)) < missing
    gone[:, :2] = False
    return np.where(gone, np.nan, rows)


@pytest.mark.parametrize("metric", LINEARISED, ids=repr)
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_gwet_error_is_close_to_the_jackknife(metric: Metric, missing: float) -> None:
    patterns = statistic(metric, many_ratings(800, 4, missing))
    assert gwet_error(metric, patterns)[0] == pytest.approx(jackknife_error(metric, patterns), rel=0.01)


@pytest.mark.parametrize("metric", LINEARISED, ids=repr)
def test_gwet_error_costs_patterns_and_knows_weights(metric: Metric) -> None:
    rows = many_ratings(60, 3, 0.3)
    plain = statistic(metric, rows)
    heavy = statistic(metric, rows, weights=np.full(60, 7.0))
    assert gwet_error(metric, heavy)[1] == pytest.approx(60)
    if metric.name != "krippendorff_alpha":
        assert gwet_error(metric, heavy)[0] == pytest.approx(gwet_error(metric, plain)[0], rel=1e-9)
    uneven = statistic(metric, rows, weights=np.tile([0.1, 1.9], 30))
    assert gwet_error(metric, uneven)[1] < 40
    assert gwet_error(metric, uneven)[0] > gwet_error(metric, plain)[0] * 0.9


@pytest.mark.parametrize("metric", [metrics.fleiss_kappa, metrics.gwet_ac1, metrics.conger_kappa, metrics.light_kappa])
def test_jackknife_by_patterns_is_the_jackknife_by_items(metric: Metric) -> None:
    rows = many_ratings(40, 3, 0.2)
    each = [metric(np.delete(rows, item, axis=0), categories=[1, 2, 3, 4]) for item in range(40)]
    error = np.sqrt(39 / 40 * ((each - np.mean(each)) ** 2).sum())
    assert jackknife_error(metric, statistic(metric, rows, categories=[1, 2, 3, 4])) == pytest.approx(error, rel=1e-9)


def test_fisher_is_the_delta_method_on_z() -> None:
    patterns = statistic(metrics.fleiss_kappa, many_ratings(50, 3, 0))
    value, error = float(metrics.fleiss_kappa.values(patterns)), jackknife_error(metrics.fleiss_kappa, patterns)
    low, high = fisher(metrics.fleiss_kappa, patterns, 0.95)
    reach = 1.959963984540054 * error / (1 - value**2)
    assert (low, high) == pytest.approx((np.tanh(np.arctanh(value) - reach), np.tanh(np.arctanh(value) + reach)))
    perfect = statistic(metrics.fleiss_kappa, ["a", "b", "a"], ["a", "b", "a"])
    assert fisher(metrics.fleiss_kappa, perfect, 0.95) is None


TABLES = [
    [[31, 2], [1, 6]],
    [[80, 10], [5, 5]],
    [[40, 9], [6, 45]],
    [[20, 0], [0, 5]],
    [[0, 10], [10, 0]],
    [[9, 1], [0, 0]],
]


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_gof_limits_are_where_the_model_is_just_rejected(table, level: float) -> None:
    """Donner and Eliasziw 1992: chi-square of the three outcomes under common margins."""
    (a, b), (c, d) = table
    n, split = a + b + c + d, b + c
    share = (2 * a + split) / (2 * n)
    labels = labels_of_table(table)
    metric = metrics.scott_pi
    low, high = gof(metric, statistic(metric, *labels, categories=[1, 2]), level)
    assert -1 <= low < high <= 1
    for kappa in (float(low), float(high)):
        t = 1 - kappa
        expected = n * np.array([share - share * (1 - share) * t, 2 * share * (1 - share) * t, 0])
        expected[2] = n - expected.sum()
        if expected.min() < 1e-6:
            continue  # the edge of what is possible
        found = ((np.array([a, split, d]) - expected) ** 2 / expected).sum()
        assert found == pytest.approx(normal_quantile(level) ** 2, rel=1e-6)
    assert low <= metric(*labels, categories=[1, 2]) <= high


def test_gof_is_for_two_raters_and_two_categories() -> None:
    cohen, pi = metrics.cohen_kappa, metrics.scott_pi
    assert closed_form("gof", cohen, statistic(cohen, *ABSTRACTORS), 0.95) is None
    assert closed_form("gof", pi, statistic(pi, TEN_SUBJECTS), 0.95) is None
    assert closed_form("gof", cohen, statistic(cohen, *FORTY_ITEMS), 0.95).low == pytest.approx(
        closed_form("gof", pi, statistic(pi, *FORTY_ITEMS), 0.95).low, rel=1e-9
    )
    perfect = statistic(cohen, *labels_of_table([[15, 0], [0, 5]]))
    bounds = closed_form("gof", cohen, perfect, 0.95)
    assert bounds.low < 0.9
    assert bounds.high == pytest.approx(1)


X = [1.2, 2.0, 3.1, 4.4, 5.0, 6.7, 7.1, 8.9]
Y = [1.0, 2.6, 2.9, 4.9, 5.6, 6.1, 7.7, 9.4]


def two(name: str, method: str, x=X, y=Y, **keywords):
    metric = catalogue.parse(name)
    bounds = closed_form(method, metric, statistic(metric, x, y, **keywords), 0.95)
    return None if bounds is None else (float(bounds.low), float(bounds.high))


def test_pearson_and_mean_difference_against_scipy() -> None:
    assert two("pearson", "fisher_z") == pytest.approx(tuple(stats.pearsonr(X, Y).confidence_interval(0.95)), rel=1e-9)
    d = np.subtract(Y, X)
    student = stats.t.interval(0.95, 7, d.mean(), d.std(ddof=1) / np.sqrt(8))
    assert two("mean_difference", "student") == pytest.approx(student, rel=1e-7)


def test_rank_correlations_by_hand() -> None:
    for name, method, variance in (
        ("spearman", "bonett_wright", lambda r: (1 + r**2 / 2) / 5),
        ("kendall_tau", "fieller", lambda r: 0.437 / 4),
    ):
        y = [*Y[:-2], Y[-1], Y[-2]]
        value = catalogue.parse(name)(X, y)
        reach = normal_quantile(0.95) * np.sqrt(variance(value))
        expected = np.tanh(np.arctanh(value) - reach), np.tanh(np.arctanh(value) + reach)
        assert two(name, method, X, y) == pytest.approx(expected, rel=1e-9)
        assert two(name, method, X, X) is None  # ±1: nothing to go by


def test_the_interval_of_spearman_is_that_of_statpsych() -> None:
    """statpsych (R), ci.spear, example of its documentation, after Bonett and Wright 2000."""
    y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    assert metrics.spearman(y, x) == pytest.approx(0.8699639, abs=5.1e-8)
    assert two("spearman", "bonett_wright", y, x) == pytest.approx((0.5840951, 0.9638297), abs=5.1e-8)


def test_bland_altman_limits_by_hand() -> None:
    d = np.subtract(Y, X)
    spread = d.std(ddof=1) * np.sqrt(1 / 8 + normal_quantile(0.95) ** 2 / 14)
    reach = stats.t.ppf(0.975, 7) * spread
    upper = d.mean() + normal_quantile(0.95) * d.std(ddof=1)
    assert two("upper_limit_of_agreement", "bland_altman") == pytest.approx((upper - reach, upper + reach), rel=1e-7)


@pytest.mark.slow
def test_lin_covers_what_it_says() -> None:
    """Normal pairs with a shift: the interval holds the true concordance about 95 times in 100."""
    random, rho, shift, n = np.random.default_rng(3), 0.8, 0.5, 60
    truth = 2 * rho / (2 + shift**2)
    hits = 0
    for _ in range(400):
        x, z = random.standard_normal((2, n))
        low, high = two("concordance_correlation", "lin", x, rho * x + np.sqrt(1 - rho**2) * z + shift)
        hits += low <= truth <= high
    assert 0.92 <= hits / 400 <= 0.98


@pytest.mark.parametrize("form", ["1,1", "A,1", "C,1", "1,k", "A,k", "C,k"])
def test_f_interval_of_a_small_table_never_crosses(form: str) -> None:
    # The mean of k ratings has a pole at −1 / (k − 1): before, low was above high.
    random, metric, found = np.random.default_rng(1), metrics.icc.using(form=form), 0
    for _ in range(200):
        vectors = statistic(metric, random.integers(1, 4, (4, 3)).tolist())
        bounds, value = closed_form("f_exact", metric, vectors, 0.95), float(metric.values(vectors))
        if bounds is not None:
            assert bounds.low <= value <= bounds.high
            found += 1
    assert found > 50


@pytest.mark.parametrize("form", ["1,1", "A,1", "C,1", "1,k", "A,k", "C,k"])
def test_f_interval_contains_the_value_and_knows_its_level(form: str) -> None:
    metric = metrics.icc.using(form=form)
    vectors = statistic(metric, SHROUT_FLEISS)
    wide, narrow = (closed_form("f_exact", metric, vectors, level) for level in (0.95, 0.8))
    assert wide.low < narrow.low < metric(SHROUT_FLEISS) < narrow.high < wide.high


# psych 2.2.9 (R), ICC(lmer = FALSE), on the example of Shrout and Fleiss 1979.
PSYCH = {
    "1,1": (-0.1329323248747509, 0.722560062328121),
    "A,1": (0.018786513374712, 0.761084369648953),
    "C,1": (0.3424647650339254, 0.94585825995536),
    "1,k": (-0.884442155238119, 0.912415420340776),
    "A,k": (0.0711368153025035, 0.927232040167722),
    "C,k": (0.6756747138163047, 0.985891678169062),
}


@pytest.mark.parametrize("form", PSYCH)
def test_shrout_and_fleiss_intervals(form: str) -> None:
    metric = metrics.icc.using(form=form)
    bounds = closed_form("f_exact", metric, statistic(metric, SHROUT_FLEISS), 0.95)
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(PSYCH[form], rel=1e-9)


def test_the_intervals_of_bland_and_altmans_meters() -> None:
    """Lin's by epiR 2.0.57 (R), epi.ccc with the z transform; the mean difference by t.test of R 4.2.2."""
    assert two("concordance_correlation", "lin", MINI, LARGE) == pytest.approx(
        (0.85049187316856, 0.978726279170122), rel=1e-9
    )
    assert two("mean_difference", "student", MINI, LARGE) == pytest.approx(
        (-22.0488376966452, 17.8135435789981), rel=1e-9
    )


def test_weights_of_numbers_count_as_effective_items() -> None:
    for name, method in (("pearson", "fisher_z"), ("mean_difference", "student"), ("concordance_correlation", "lin")):
        assert two(name, method, weights=[3.0] * 8) == pytest.approx(two(name, method), rel=1e-9)
        low, high = two(name, method, weights=[0.1, 1.9] * 4)
        assert high - low > 0


def test_every_method_named_by_a_metric_exists() -> None:
    for metric in catalogue.every():
        if metric.over in (Patterns, RatingVectors):
            assert set(metric.intervals) <= {*METHODS, "bayesian", "bootstrap"}


def test_many_distinct_items_are_not_left_out_one_by_one() -> None:
    vectors = statistic(metrics.conger_kappa, many_ratings(50, 3, 0))
    large = replace(
        vectors,
        vectors=np.tile(vectors.vectors, (150, 1)),
        counts=np.tile(vectors.counts, 150),
        squares=np.tile(vectors.squares, 150),
    )
    assert np.isnan(jackknife_error(metrics.conger_kappa, large))
    assert closed_form("fisher", metrics.conger_kappa, large, 0.95) is None


def test_cohen_takes_a_table_with_weights() -> None:
    table = statistic(metrics.cohen_kappa, *FORTY_ITEMS, weights=np.full(40, 0.5))
    assert isinstance(table, Confusion)
    weighted = gof(metrics.cohen_kappa, table, 0.95)
    plain = gof(metrics.cohen_kappa, statistic(metrics.cohen_kappa, *FORTY_ITEMS), 0.95)
    assert np.array(weighted) == pytest.approx(np.array(plain), rel=1e-9)


def test_a_kappa_below_chance_is_that_of_irr() -> None:
    """irr (R), as statsmodels' tests quote it: kappa2(anxiety[, 2:3])."""
    second, third = ([subject[rater] for subject in ANXIETY] for rater in (1, 2))
    assert metrics.cohen_kappa(second, third) == pytest.approx(-0.006289308, abs=5.1e-10)
