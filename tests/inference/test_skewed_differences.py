"""Differences that a few rows make most of, where draws tell how skewed they are."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.inference.differences.paired_units import MeanDifference, SkewedDifference, student_draws
from adjudge.inference.differences.units_apart import skewed_draws, skewed_mean
from adjudge.metrics import mean_bias_error


def _tables(random: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    """Two scores that are one but for one row in twenty, of which the second says nothing."""
    yes = random.random(n) < 0.25
    logit = np.where(yes, 1.2, -1.0) + random.logistic(0, 0.6, n)
    lost = random.random(n) < 0.05
    second = np.where(lost, random.uniform(-4, 4, n), logit)
    return {"y": np.where(yes, "yes", "no"), "p": 1 / (1 + np.exp(-logit)), "s": 1 / (1 + np.exp(-second))}


def _differences(table: dict[str, np.ndarray], seed: int = 1) -> dict[str, adjudge.Row]:
    found = adjudge.classification(
        table,
        reference="y",
        score=["p", "s"],
        positive="yes",
        metrics=["log_loss", "average_precision"],
        replicates=300,
        seed=seed,
    )
    rows: dict[str, adjudge.Row] = {}
    for row in found.table:
        if row.baseline is not None:
            rows.setdefault(row.metric, row)
    return rows


def test_skewness_is_that_of_the_draws_beyond_chance() -> None:
    """A gamma mean of 25 units of shape 1 has skewness 0.4, and Satterthwaite's 1 / (1/25 + 0.75 × 0.16) degrees."""
    draws = np.random.default_rng(3).gamma(25.0, 1 / 25, 40_000)
    skewed = skewed_draws(MeanDifference(1.0, 0.2, 24), draws, 25.0)
    assert skewed is not None
    assert skewed.skewness == pytest.approx(0.4, abs=0.04)
    assert skewed.freedom == pytest.approx(6.25, rel=0.1)
    mirrored = skewed_draws(MeanDifference(1.0, 0.2, 24), -draws, 25.0)
    assert mirrored is not None
    assert mirrored.skewness == pytest.approx(-skewed.skewness)


def test_draws_that_lean_by_chance_do_not_widen() -> None:
    draws = np.random.default_rng(8).standard_normal(4_000)
    lean = float(((draws - draws.mean()) ** 3).mean() / draws.std() ** 3)
    assert lean**2 < 6 / 4_000  # within the chance of so many draws
    skewed = skewed_draws(MeanDifference(0.0, 1.0, 99), draws, 100.0)
    assert skewed is not None
    assert (skewed.skewness, skewed.freedom) == (pytest.approx(0), 99)
    assert skewed.interval(0.95) == pytest.approx(MeanDifference(0.0, 1.0, 99).interval(0.95))


def test_no_spread_and_no_freedom_say_nothing() -> None:
    assert skewed_draws(None, np.arange(9.0), 9) is None
    assert skewed_draws(MeanDifference(0.0, 1.0, 8), np.zeros(9), 9) is None
    assert skewed_draws(MeanDifference(0.0, np.nan, 0), np.arange(9.0), 1) is None


def test_differences_of_scores_that_a_few_rows_make_hold() -> None:
    """Of the same 70 tables 59 held by Student's t and by draws alone, of either; 62 areas by the skewness of draws."""
    random, held = np.random.default_rng(21), {"log_loss": 0, "average_precision": 0}
    truth = {name: row.estimate for name, row in _differences(_tables(random, 60_000)).items()}
    for seed in range(70):
        for name, row in _differences(_tables(random, 100), seed).items():
            held[name] += row.low <= truth[name] <= row.high
    assert held["log_loss"] >= 61, held
    assert held["average_precision"] >= 66, held


@pytest.mark.parametrize("metric", ["log_loss", "average_precision"])
def test_differences_of_scores_reach_as_far_as_what_both_systems_leave_open(metric: str) -> None:
    """Scores that are one but for five rows of a hundred: draws of these alone tell little of rows like them."""
    table = _tables(np.random.default_rng(2), 100)
    rows = [
        row
        for row in adjudge.classification(
            table, reference="y", score=["p", "s"], positive="yes", metrics=[metric], replicates=300
        ).table.differences
        if row.metric == metric
    ]
    (first, *_), added = rows, next(row for row in rows if row.method == "square_and_add")
    assert first.low <= added.low
    assert added.high <= first.high


def test_scores_that_vary_together_differ_on_few_rows() -> None:
    """By ρ = .95, 100 rows differ on five: one more, and 12 degrees of freedom, widen Student's limits by 1.2."""
    few = student_draws(0.05, 0.0004, 100).where_few_differ(100 * (1 - 0.95))
    usual = student_draws(0.05, 0.0004, 100)
    assert few.freedom == pytest.approx(12)
    assert few.error == pytest.approx(usual.error * np.sqrt(1.2))


def test_answers_that_differ_in_few_clusters_reach_as_far_as_more_of_these_would() -> None:
    """Two of 40 clusters are spoilt. Of such a kind up to .169 of all clusters may be (Clopper and Pearson).

    That would make a difference of about −.15; draws of the two reached −.121.
    """
    of, row = np.repeat(np.arange(40), 5), np.arange(200)
    label = np.where(row % 2, "a", "b")
    first = np.where(row % 7 == 0, "a", label)
    second = np.where(of < 2, np.where(label == "a", "b", "a"), first)
    found = adjudge.classification(
        {"y": label, "m": first, "s": second, "c": of},
        reference="y",
        prediction=["m", "s"],
        cluster="c",
        metrics=["balanced_accuracy"],
        replicates=400,
    )
    difference = next(row for row in found.table if row.baseline is not None)
    assert difference.low < -0.15
    assert difference.p > 0.05


def test_a_mean_of_differences_counts_one_more_as_far_off_as_the_furthest() -> None:
    """Differences of 0 but one of 5 in 50: its mean is .1, its error 5 √(49/50) / √(50 · 49) = .1 and one more .1."""
    one, two = (mean_bias_error.statistic_of([0.0] * 50, [*[0.0] * 49, off]) for off in (0.0, 5.0))
    skewed = skewed_mean(student_draws(0.1, 24.5 / 50**2, 50), 50, mean_bias_error, (one, two))
    assert skewed is not None
    assert skewed.error == pytest.approx(0.1 * 2**0.5, rel=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("skewness", [None, 0.0, -0.3])
def test_p_values_far_out_are_told_and_not_what_rounding_leaves(alternative: str, skewness: float | None) -> None:
    """1 less a share of nearly 1 was 0, or off in its fourth digit."""
    from scipy.stats import t

    given = (10.0, 0.2, 17.0)
    one = MeanDifference(*given) if skewness is None else SkewedDifference(*given, skewness=skewness, units=40.0)
    expected = {"two-sided": 2 * t.sf(50, 17), "greater": t.sf(50, 17), "less": t.cdf(50, 17)}[alternative]
    if skewness:
        assert one.p(alternative=alternative) == pytest.approx({"less": 1.0}.get(alternative, 0.0), abs=1e-12)
    else:
        assert one.p(alternative=alternative) == pytest.approx(expected, rel=1e-9)
