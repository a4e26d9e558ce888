"""Intervals read from replicates: percentiles, BCa, undefined replicates."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.inference.replicate_values import centred, replicate_values
from adjudge.inference.resampling import (
    Bootstrap,
    bca,
    clusters_drawn,
    drawn_on_cells,
    either_side,
    percentile,
    student_of_draws,
)
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.weights import Draws, Weights

REPLICATES = 20_000


def replicates_of(statistic, settings: Bootstrap):
    return drawn_on_cells(statistic, lambda value: {type(value): value}, settings.weights, settings, "test")


def ours(metric, statistic, kind: str, seed: int = 7):
    settings = Bootstrap(REPLICATES, seed, kind)
    replicates = replicates_of(statistic, settings)
    (values,) = replicate_values(replicates, [metric])
    if kind != "bca":
        return percentile(settings.method, values, 0.95)
    left, rows = replicates.left_out()
    return bca(values, metric.values(statistic), metric.values(left[metric.over]), rows, 0.95)


def monte_carlo_error(values: np.ndarray, level: float) -> float:
    """Standard error of a quantile of these replicates: √(p (1 − p) / B) / density, by nearby quantiles."""
    step = 0.01
    low, high = np.quantile(values, [max(level - step, 0), min(level + step, 1)])
    density = (min(level + step, 1) - max(level - step, 0)) / max(high - low, 1e-12)
    return float(np.sqrt(level * (1 - level) / len(values)) / density)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_a_proportion_has_the_interval_of_scipy(method: str) -> None:
    from scipy.stats import bootstrap

    right = np.repeat([1, 0], [63, 7])
    table = Confusion.of_arrays([1] * 70, right)
    made = ours(metrics.accuracy, table, method.lower())
    theirs = bootstrap((right,), np.mean, n_resamples=REPLICATES, method=method, rng=np.random.default_rng(1))
    for mine, other, level in zip((made.low, made.high), theirs.confidence_interval, (0.025, 0.975), strict=True):
        # Two independent Monte-Carlo errors, at four standard errors; and the quantile of a proportion
        # moves in steps of one row.
        allowed = 4 * np.sqrt(2) * monte_carlo_error(theirs.bootstrap_distribution, level) + 1 / 70
        assert abs(float(mine) - other) <= allowed


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_an_area_has_the_interval_of_scipy(method: str) -> None:
    """A statistic of two columns, not linear, and skewed: bias and acceleration both count."""
    from scipy.stats import bootstrap

    random = np.random.default_rng(3)
    positive = np.repeat([True, False], [25, 35])
    score = random.normal(size=60) + 1.6 * positive
    curves = Curves.of_arrays(positive.astype(int), score, positive=1)

    def roc_auc(place: np.ndarray, axis: int = -1) -> np.ndarray:
        x, kind = score[place], positive[place]
        above = (x[..., :, None] > x[..., None, :]) + 0.5 * (x[..., :, None] == x[..., None, :])
        pairs = kind[..., :, None] & ~kind[..., None, :]
        return (above * pairs).sum((-2, -1)) / pairs.sum((-2, -1))

    theirs = bootstrap(
        (np.arange(60),), roc_auc, n_resamples=4_000, batch=500, method=method, rng=np.random.default_rng(1)
    )
    made = ours(metrics.roc_auc, curves, method.lower())
    for mine, other, level in zip((made.low, made.high), theirs.confidence_interval, (0.025, 0.975), strict=True):
        allowed = 4 * np.sqrt(1 + 4_000 / REPLICATES) * monte_carlo_error(theirs.bootstrap_distribution, level)
        assert abs(float(mine[0]) - other) <= allowed
    assert not np.allclose(ours(metrics.roc_auc, curves, "percentile").low, made.low) or method == "percentile"


def test_bca_is_efrons_formula() -> None:
    """Efron 1987, written out for replicates that are biased and skewed; jackknife values come in cells."""
    from scipy.stats import norm

    random = np.random.default_rng(6)
    values, point = random.lognormal(0.0, 0.5, 999), 1.25
    left_out, rows = np.array([1.0, 1.2, 1.25, 1.4, 1.9]), np.array([3.0, 20.0, 40.0, 6.0, 1.0])
    bias = norm.ppf((values < point).mean())
    steps = np.repeat(left_out, rows.astype(int))
    steps = steps.mean() - steps
    acceleration = (steps**3).sum() / (6 * (steps**2).sum() ** 1.5)
    ends = [norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in (norm.ppf(0.05), norm.ppf(0.95))]
    made = bca(values, np.asarray(point), left_out, rows, 0.9)
    assert (float(made.low), float(made.high)) == pytest.approx(tuple(np.quantile(values, ends)), rel=1e-9)
    assert abs(bias) > 0.1
    assert abs(acceleration) > 0.01


def test_undefined_replicates_are_left_out_and_counted() -> None:
    values = np.array([[0.1, np.nan], [0.2, np.nan], [0.3, 0.5], [np.nan, 0.7]])
    bounds = percentile("bootstrap", values, 0.5)
    assert bounds.low == pytest.approx([0.15, 0.55])
    assert bounds.high == pytest.approx([0.25, 0.65])
    assert bounds.note() == "undefined in 2 of 4 replicates, which were left out"


def test_all_defined_says_nothing() -> None:
    assert percentile("bootstrap", np.linspace(0, 1, 101), 0.9).note() == ""


def test_nothing_defined_is_nan() -> None:
    bounds = percentile("bootstrap", np.full(10, np.nan), 0.9)
    assert np.isnan([bounds.low, bounds.high]).all()
    assert bounds.note() == "undefined in 10 of 10 replicates, which were left out"


def test_percentiles_are_those_of_numpy() -> None:
    values = np.random.default_rng(5).normal(size=(999, 3))
    bounds = percentile("bootstrap", values, 0.9)
    assert np.stack([bounds.low, bounds.high]) == pytest.approx(np.quantile(values, [0.05, 0.95], axis=0), abs=1e-14)


def test_infinite_replicates_do_not_break_a_percentile() -> None:
    bounds = percentile("bootstrap", np.array([1.0, 2.0, 3.0, np.inf, np.inf]), 0.5)
    assert (float(bounds.low), float(bounds.high)) == (2.0, np.inf)


def test_what_binning_changes_is_put_back() -> None:
    whole, coarse = (Confusion.of_arrays(["a", "b"], answers) for answers in (["a", "b"], ["a", "a"]))
    replicates, values = replicates_of(coarse, Bootstrap()), np.array([1.0, 2.0])
    assert centred(metrics.accuracy, values, np.array(1.0), replicates, whole).tolist() == [1.5, 2.5]
    assert centred(metrics.accuracy, values, np.array(np.nan), replicates, whole).tolist() == [1.0, 2.0]
    assert centred(metrics.accuracy, values, np.array(9.0), replicates, coarse) is values


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"replicates": 99}, "`replicates` must be a whole number from 100 to 1,000,000, not 99."),
        ({"replicates": 200.0}, "`replicates` must be a whole number from 100 to 1,000,000, not 200.0."),
        ({"seed": -1}, "`seed` must be a whole number of at least 0, not -1."),
        (
            {"kind": "magic"},
            '`bootstrap` must be one of "percentile", "bca", "poisson", "bayesian", not \'magic\'.',
        ),
    ],
)
def test_settings_are_refused_in_words(setting, message) -> None:
    with pytest.raises(SettingError) as refused:
        Bootstrap(**setting)
    assert str(refused.value) == message


@pytest.mark.parametrize("kind", ["poisson", "bayesian"])
def test_clusters_are_counted_from_what_replicates_weigh(kind: str) -> None:
    sizes = np.array([1, 5, 5, 10, 30, 2, 7, 20, 20, 20])
    keys = np.repeat(np.random.default_rng(1).integers(0, 2**63, 10, dtype=np.uint64), sizes)
    draws = Draws(kind, 4_000, seed=3).of_units(keys, 0, 4_000)
    drawn = Confusion(
        ("a",), Weights(len(keys), draws=draws).total(np.ones(len(keys))).reshape(-1, 1, 1), np.ones((1, 1)), 0
    )
    assert clusters_drawn(drawn) == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum(), rel=0.1)


def test_replicates_that_are_all_undefined_give_no_limits_and_no_warning() -> None:
    values, point = np.array([[1.0, np.nan], [3.0, np.nan]]), np.array([2.0, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        limits = student_of_draws(values, point, 0.95, 20)
        wider = either_side(limits, values, point)
    assert limits.defined.tolist() == [2, 0]
    assert np.isnan([limits.low[1], limits.high[1], wider.low[1], wider.high[1]]).all()
    assert wider.low[0] == limits.low[0] < 2 < limits.high[0] == wider.high[0]
