"""Intervals by formula against printed values and independent implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from tests.golden.row import PATHOLOGISTS, SAS
from tests.golden.rows import IMAGES_RATED, IMAGES_TRUE, SEVEN_SCORED, SEVEN_TRUE

import adjudge
from adjudge import metrics
from adjudge.inference.intervals import area
from adjudge.inference.intervals.closed_form import (
    clopper_pearson,
    closed_form,
    fleiss_cohen_everitt,
    guarded_wilson,
    of_mean,
    wilson,
)
from adjudge.inference.intervals.small_samples import mean_of_shares
from adjudge.metrics.intervals import Share
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.moments import Moments
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=30, deadline=None, derandomize=True)


def share(found: float, rows: float) -> Share:
    return Share(np.array(float(found)), np.array(float(rows)), np.array(float(rows)))


def curve_of_sizes(positives: int, negatives: int) -> Curve:
    """A curve of which only the numbers of rows matter."""
    counts = np.array([[float(positives)], [float(negatives)]])
    return Curve.of_points(np.array([0.5]), counts, counts, positives + negatives)


def curve_of(positive, score, weights=None) -> Curve:
    return Curves.of_arrays(list(map(int, positive)), score, weights=weights, positive=1).curves[0]


PRINTED = [
    (
        "wilson 150/200: Hmisc (R), as YDF's metric_test.cc quotes it",
        lambda: wilson(share(150, 200), 0.95),
        (0.685659, 0.804918),
        5.1e-7,
    ),
    ("wilson 0/10: scipy 1.17 binomtest", lambda: wilson(share(0, 10), 0.95), (0.0, 0.277533), 5.1e-7),
    ("clopper_pearson 150/200", lambda: clopper_pearson(share(150, 200), 0.95), (0.684037, 0.808393), 5.1e-7),
    (
        "clopper_pearson 150/200 at 90 %, as YDF computes it",
        lambda: clopper_pearson(share(150, 200), 0.90),
        (0.694533, 0.799827),
        5.1e-7,
    ),
    (
        "clopper_pearson 0/10: 1 − .025^(1/10)",
        lambda: clopper_pearson(share(0, 10), 0.95),
        (0, 1 - 0.025**0.1),
        1e-12,
    ),
    (
        "clopper_pearson 10/10: .025^(1/10)",
        lambda: clopper_pearson(share(10, 10), 0.95),
        (0.025**0.1, 1),
        1e-12,
    ),
    (
        "hanley A = .75, 100 + 100: .683 and .817 in YDF's metric_test.cc",
        lambda: area.hanley(curve_of_sizes(100, 100), np.array(0.75), 0.95),
        (0.682515, 0.817485),
        5.1e-7,
    ),
    (
        "logit A = .75, 100 positives: .656 and .825 in YDF's metric_test.cc",
        lambda: area.logit(curve_of_sizes(100, 7), np.array(0.75), 0.95),
        (0.656104, 0.825094),
        5.1e-7,
    ),
    ("kappa, SAS PROC FREQ printout", lambda: kappa_interval("none"), (0.2137, 0.7547), 5.1e-5),
    (
        "kappa with linear weights, SAS PROC FREQ printout",
        lambda: kappa_interval("linear"),
        (0.1845, 0.7558),
        5.1e-5,
    ),
]


def kappa_interval(weighting: str) -> tuple[float, float]:
    table = Confusion.of_arrays(*SAS)
    return fleiss_cohen_everitt(table, 0.95, weighting=weighting)


@pytest.mark.parametrize(
    ("weighting", "error"),
    [("none", 0.0567431504080358), ("linear", 0.047652422356387), ("quadratic", 0.0386703361371546)],
)
def test_the_standard_error_of_kappa_is_that_of_vcd(weighting: str, error: float) -> None:
    """vcd 1.4-11 (R), Kappa, on the pathologists; Agresti 1992 prints .057 for the first."""
    low, high = fleiss_cohen_everitt(Confusion.of_arrays(*PATHOLOGISTS), 0.95, weighting=weighting)
    assert float(high - low) / 2 / 1.959963984540054 == pytest.approx(error, rel=1e-9)


# Newcombe 2006, method 5: the quartic that the R package auRoc solves, solved by polyroot in R 4.2.2.
AUROC = [
    ("Hanley & McNeil 1982", IMAGES_TRUE, IMAGES_RATED, 0.95, (0.8116884073, 0.9400061826)),
    ("Hanley & McNeil 1982", IMAGES_TRUE, IMAGES_RATED, 0.90, (0.8274229947, 0.9343054643)),
    ("seven rows", SEVEN_TRUE, SEVEN_SCORED, 0.95, (0.3853328921, 0.9728225953)),
    ("five rows, perfect", [0, 0, 0, 1, 1], [1, 2, 3, 4, 5], 0.95, (0.4389123891, 1.0)),
]


@pytest.mark.parametrize(("truth", "score", "level", "limits"), [case[1:] for case in AUROC], ids=[c[0] for c in AUROC])
def test_newcombes_limits_are_those_of_auroc(truth, score, level, limits) -> None:
    curve = curve_of(truth, score)
    found = area.newcombe(curve, np.asarray(metrics.roc_auc(truth, score, positive=1)), level)
    assert found == pytest.approx(limits, rel=0, abs=5.1e-11)


def test_delongs_error_is_that_of_proc() -> None:
    """pROC 1.18.0 (R) on Hanley and McNeil's ratings: variance 0.000943989270262985."""
    a = metrics.roc_auc(IMAGES_TRUE, IMAGES_RATED, positive=1)
    low, high = area.delong_logit(curve_of(IMAGES_TRUE, IMAGES_RATED), np.asarray(a), 0.95)
    reach = (np.log(high / (1 - high)) - np.log(low / (1 - low))) / 2 / 1.959963984540054
    assert (reach * a * (1 - a)) ** 2 == pytest.approx(0.000943989270262985, rel=1e-9)


@pytest.mark.parametrize(
    ("estimate", "positives", "level", "limits"),
    [
        (0.75, 100, 0.95, (0.6561035416, 0.8250937041)),
        (0.6, 40, 0.90, (0.4686887471, 0.7183596271)),
        (0.8541666666666666, 4, 0.95, (0.2671813807, 0.9894840896)),
    ],
)
def test_logit_limits_are_those_of_boyd(estimate, positives, level, limits) -> None:
    """The "expit" formula of Boyd's own R code for Boyd, Eng and Page 2013 (raucpr), evaluated in R 4.2.2."""
    found = area.logit(curve_of_sizes(positives, 7), np.array(estimate), level)
    assert found == pytest.approx(limits, rel=0, abs=5.1e-11)


# Newcombe 1998, "Interval estimation for the difference between independent proportions", method 10, as the tests of
# DescTools and others quote table II: p1 − p2 is twice the mean of p1 and 1 − p2, less one.
DIFFERENCES = [
    ((56, 70, 48, 80), (0.0524, 0.3339)),
    ((9, 10, 3, 10), (0.1705, 0.8090)),
    ((10, 10, 0, 20), (0.6791, 1.0)),
    ((84, 101, 89, 105), (-0.1177, 0.0851)),
]


@pytest.mark.parametrize(("counts", "limits"), DIFFERENCES)
def test_the_mean_of_two_shares_has_newcombes_limits(counts, limits) -> None:
    first, of_first, second, of_second = counts
    rows = np.array([of_first, of_second], dtype=float)
    shares = Share(np.array([first, of_second - second], dtype=float), rows, rows)
    low, high = mean_of_shares(shares, 0.95, wilson)
    assert (2 * float(low) - 1, 2 * float(high) - 1) == pytest.approx(limits, rel=0, abs=5.1e-5)


@pytest.mark.parametrize(
    ("computed", "printed", "tolerance"), [row[1:] for row in PRINTED], ids=[r[0] for r in PRINTED]
)
def test_the_interval_is_the_printed_one(computed, printed, tolerance) -> None:
    assert tuple(map(float, computed())) == pytest.approx(printed, rel=0, abs=tolerance)


@REPEATABLE
@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_shares_have_the_intervals_of_scipy(rows: int, part: float, level: float) -> None:
    from scipy.stats import binomtest

    found = round(part * rows)
    exact = binomtest(found, rows)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = exact.proportion_ci(confidence_level=level, method=method)
        assert tuple(map(float, ours(share(found, rows), level))) == pytest.approx(tuple(theirs), rel=0, abs=1e-9)


def delong_variance(positive: np.ndarray, score: np.ndarray) -> tuple[float, float]:
    """Area and variance from every pair of rows: the structural components as DeLong et al. wrote them."""
    x, y = score[positive], score[~positive]
    psi = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    v10, v01 = psi.mean(1), psi.mean(0)
    return psi.mean(), v10.var(ddof=1) / len(x) + v01.var(ddof=1) / len(y)


@REPEATABLE
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(2, 40), st.sampled_from([1, 20]))
def test_delong_is_that_of_all_pairs(seed: int, m: int, n: int, digits_of_twenty: int) -> None:
    random = np.random.default_rng(seed)
    positive = np.repeat([True, False], [m, n])
    score = np.round(random.normal(size=m + n) + positive, 1 if digits_of_twenty == 1 else 15)
    a, variance = delong_variance(positive, score)
    low, high = area.delong_logit(curve_of(positive, score), np.asarray(a), 0.95)
    if not 0 < a < 1:
        assert np.isnan([low, high]).all()
        return
    # The interval is symmetric on the logit scale: its half width there is 1.96 SE / (a (1 − a)).
    reach = (np.log(high / (1 - high)) - np.log(low / (1 - low))) / 2
    assert reach * a * (1 - a) / 1.959963984540054 == pytest.approx(np.sqrt(variance), rel=1e-6, abs=1e-12)
    assert (np.log(high / (1 - high)) + np.log(low / (1 - low))) / 2 == pytest.approx(np.log(a / (1 - a)), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_newcombe_solves_its_own_equation(seed: int) -> None:
    """Method 5: at each limit t the observed area is exactly z standard errors of t away."""
    random = np.random.default_rng(seed)
    positive = random.random(60) < 0.4
    score = random.normal(size=60) + positive
    a, _ = delong_variance(positive, score)
    m, n = positive.sum(), (~positive).sum()
    for t in area.newcombe(curve_of(positive, score), np.asarray(a), 0.95):
        half = (m + n) / 2 - 1
        variance = t * (1 - t) * (1 + half * (1 - t) / (2 - t) + half * t / (1 + t)) / (m * n)
        assert abs(a - t) == pytest.approx(1.959963984540054 * np.sqrt(variance), abs=1e-9)


# R's pROC 1.18.0, `var(roc(…), method = "delong")` of scores with ties: area and variance. Its `ci` adds and takes
# away 1.96 standard errors.
PROC_TRUE = [1] * 12 + [0] * 16
PROC = [
    (
        [
            *(0.91, 0.85, 0.8, 0.78, 0.72, 0.66, 0.66, 0.6, 0.51, 0.44, 0.4, 0.31, 0.7, 0.66),
            *(0.58, 0.52, 0.5, 0.44, 0.41, 0.38, 0.33, 0.3, 0.27, 0.22, 0.2, 0.15, 0.11, 0.05),
        ],
        0.841145833333,
        0.00549119120896,
    ),
    (
        [
            *(0.7, 0.88, 0.65, 0.55, 0.72, 0.4, 0.61, 0.48, 0.59, 0.3, 0.45, 0.35, 0.68, 0.52),
            *(0.71, 0.47, 0.44, 0.48, 0.39, 0.42, 0.36, 0.25, 0.3, 0.28, 0.33, 0.1, 0.21, 0.08),
        ],
        0.770833333333,
        0.00823764993687,
    ),
]


@pytest.mark.parametrize(("score", "value", "variance"), PROC)
def test_delong_prints_the_limits_of_proc(score: list[float], value: float, variance: float) -> None:
    # Before, `delong` was on the logit scale: [0.641, 0.940] for the first, where pROC prints [0.696, 0.986].
    found = adjudge.estimate(metrics.roc_auc, PROC_TRUE, score, positive=1, method="delong")
    reach = 1.959963984540054 * np.sqrt(variance)
    assert found.value == pytest.approx(value, abs=1e-11)
    assert (found.interval.low, found.interval.high) == pytest.approx((value - reach, value + reach), abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_delongs_variance_raises_newcombes_where_scores_are_spread_otherwise(seed: int) -> None:
    random = np.random.default_rng(seed)
    positive = np.repeat([True, False], [30, 270])
    alike = random.normal(size=300) + 1.5 * positive
    wide = np.where(positive, 3.0, 1.0) * random.normal(size=300) + 2.5 * positive

    def widths(score: np.ndarray) -> list[float]:
        curve, a = curve_of(positive, score), np.asarray(delong_variance(positive, score)[0])
        return [
            high - low for low, high in (limits(curve, a, 0.95) for limits in (area.newcombe_delong, area.newcombe))
        ]

    raised, plain = widths(wide)
    assert raised > 1.25 * plain
    raised, plain = widths(alike)
    assert plain <= raised < 1.25 * plain


def test_heavy_rows_vary_an_area_more() -> None:
    """Weighted, the variance is Σ w² (share beaten − area)² over Σ w squared, for rows of each kind."""
    random = np.random.default_rng(1)
    positive, score = np.repeat([True, False], [20, 30]), random.normal(size=50)
    score += positive
    weight = np.where(score > 0.5, 4.0, 1.0)
    x, y, u, v = score[positive], score[~positive], weight[positive], weight[~positive]
    beats = (x[:, None] > y).astype(float)
    a = float(u @ beats @ v / u.sum() / v.sum())
    parts = ((u, beats @ v / v.sum()), (v, u @ beats / u.sum()))
    sizes = [w.sum() ** 2 / (w**2).sum() for w, _ in parts]
    variance = sum(
        (w**2 * (share - a) ** 2).sum() / w.sum() ** 2 * n / (n - 1) for (w, share), n in zip(parts, sizes, strict=True)
    )
    found = adjudge.estimate(metrics.roc_auc, positive, score, positive=True, weights=weight, method="delong")
    assert found.value == pytest.approx(a, abs=1e-12)
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(1.959963984540054 * variance**0.5, abs=1e-9)


def test_newcombe_reaches_the_end_when_the_area_does() -> None:
    low, high = area.newcombe(curve_of([0, 0, 0, 1, 1], [1, 2, 3, 4, 5]), np.array(1.0), 0.95)
    assert high == 1
    assert 0.3 < low < 0.9


def test_the_mean_has_students_interval() -> None:
    from scipy.stats import t

    values = np.array([0.2, 1.7, 0.4, 0.9, 1.1, 0.3])
    low, high = of_mean(Moments.collect(values, Weights(6)), 0.9)
    expected = t.interval(0.9, 5, values.mean(), values.std(ddof=1) / np.sqrt(6))
    assert (float(low), float(high)) == pytest.approx(expected, rel=1e-12)


def test_the_interval_of_f1_is_wilson_of_the_overlap_carried_over() -> None:
    """F1 = 2 J / (1 + J), with J = TP / (TP + FP + FN) a plain share of rows."""
    table = Confusion.of_arrays(list("aaaaabbbbb"), list("aaabbbbbba"))
    bounds = closed_form("wilson", metrics.f_score, table, 0.95)
    low, high = (float(end) for end in wilson(share(3, 6), 0.95))
    assert (bounds.low[0], bounds.high[0]) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))
    assert closed_form("wilson", metrics.f_score.using(beta=2), table, 0.95) is None


def test_no_closed_form_for_an_average() -> None:
    table = Confusion.of_arrays(list("aabb"), list("abbb"))
    assert closed_form("wilson", metrics.recall.averaged("macro"), table, 0.95) is None


@pytest.mark.parametrize("rows", [50, 100, 200, 500])
def test_shares_near_the_ends_are_held_from_fifty_rows_on(rows: int) -> None:
    """Summed over all that can be seen. Wilson's interval alone holds in .84 where one row in 600 is wrong."""
    hits = np.arange(rows + 1.0)
    whole = np.full(rows + 1, float(rows))
    of_rows = Share(hits, whole, whole)
    plain, guarded = (np.array(interval(of_rows, 0.95)) for interval in (wilson, guarded_wilson))
    low, high = np.where(np.isnan(guarded), plain, guarded)
    shares = np.concatenate([np.linspace(1e-4, 0.05, 400), np.linspace(0.05, 0.5, 200)])[:, None]
    likely = binom.pmf(hits, rows, shares)
    assert (likely * ((low <= shares) & (shares <= high))).sum(1).min() > 0.92
    assert (likely * ((plain[0] <= shares) & (shares <= plain[1]))).sum(1).min() < 0.86


def test_ends_of_shares_are_guarded_where_few_rows_lie_beyond_alone() -> None:
    shares = Share(np.arange(201.0), np.full(201, 200.0), np.full(201, 200.0))
    guarded = ~np.isnan(guarded_wilson(shares, 0.95)[0])
    assert set(np.flatnonzero(guarded)) == {*range(1, 11), *range(190, 200)}
