"""Prior pairs of Bayesian draws say as much beside items of many ratings as beside items of two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.evaluation.arrays.estimate import row_of_statistic
from adjudge.evaluation.gates.limits import Number, limit_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.inference.resampling import Bootstrap, drawn_on_cells
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics import (
    cohen_kappa,
    fleiss_kappa,
    judge_kappa,
    krippendorff_alpha,
    label_agreement,
    label_alpha,
    macro_label_alpha,
    parse,
    set_alpha,
)
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.judges.sums import JudgedSums

SEED = 11


def _rare_finding(random: np.random.Generator, n: int, raters: int) -> list[list[str]]:
    """A finding of 8 %, which raters see in nine of ten items that have it and two of a hundred others."""
    yes = random.random((n, 1)) < 0.08
    said = random.random((n, raters)) < np.where(yes, 0.9, 0.02)
    return np.where(said, "yes", "no").tolist()


@pytest.mark.parametrize("raters", [2, 4, 9])
def test_alpha_varies_as_kappa_does_where_every_item_has_all_ratings(raters):
    rows = _rare_finding(np.random.default_rng(SEED), 50, raters)
    patterns = krippendorff_alpha.statistic_of(rows)
    draws = patterns.resampled("bayesian", 300, SEED, "test")
    alphas, kappas = krippendorff_alpha.values(draws), fleiss_kappa.values(draws)
    # They differ by a factor of 1 − 1 / (n r) in the disagreement that is expected, and in nothing else.
    assert np.abs((1 - alphas) / (1 - kappas) - 1).max() < 2 / (50 * raters)
    whole = krippendorff_alpha.statistic_of(rows * 2).resampled("multinomial", 300, SEED, "test")
    smoothed = whole.smoothed(patterns, SEED, "test")
    parts = (1 - krippendorff_alpha.values(smoothed)) / (1 - fleiss_kappa.values(smoothed))
    assert np.abs(parts - 1).max() < 2 / (50 * raters)


@pytest.mark.parametrize("raters", [2, 7])
def test_sets_count_as_many_ratings_for_a_prior_pair_as_for_an_item(raters):
    rows = _rare_finding(np.random.default_rng(SEED), 60, raters)
    sets = set_alpha.statistic_of([[{one} for one in row] for row in rows])
    for draws in (
        sets.resampled("bayesian", 50, SEED, "test"),
        sets.resampled("multinomial", 50, SEED, "test").smoothed(sets, SEED, "test"),
    ):
        assert draws.prior.counts.sum() > 0
        assert draws.uses.sum(-1) == pytest.approx(raters * draws.paired)
        of_labels, items = draws.label_sums, draws.counts.sum(-1)[:, None] + draws.prior.labels.sum(-1)
        assert of_labels.ratings == pytest.approx(raters * items)
        # A label that all items and all pairs had would begin every ordered pair of ratings.
        held = draws.prior.labels @ np.array([0.0, 0.5, 1.0])
        of_items = np.asarray(draws.counts @ draws.table.label_columns)
        assert of_labels.uses - of_items[:, 6:] == pytest.approx(raters * held)
        assert of_labels.possible - of_items[:, 2:4] == pytest.approx(raters * (raters - 1) * held)
        assert draws.coincident("jaccard") == pytest.approx(raters * draws.apart("jaccard"))


def test_alpha_of_many_raters_holds_on_a_rare_finding():
    random, held = np.random.default_rng(3), 0
    truth = 1 - 2 * (0.08 * 0.9 * 0.1 + 0.92 * 0.02 * 0.98) / (2 * 0.0904 * 0.9096)
    for sample in range(200):
        statistic = krippendorff_alpha.statistic_of(_rare_finding(random, 50, 8))
        row = row_of_statistic(krippendorff_alpha, statistic, settings=Bootstrap(replicates=200, seed=sample))
        assert row is not None
        held += row.low <= truth <= row.high
    assert held >= 179


Sets = list[list[set[str]]]


def _rare_label(random: np.random.Generator, n: int) -> Sets:
    """Two raters who give three labels, the last to one item in twenty."""
    true = random.random((n, 3)) < np.array([0.45, 0.25, 0.05])
    says = [np.where(true, random.random((n, 3)) < 0.85, random.random((n, 3)) < 0.03) for _ in range(2)]
    return [[{c for c, has in zip("xyz", one[item], strict=True) if has} for one in says] for item in range(n)]


def test_a_label_of_sets_is_drawn_as_the_same_answers_of_yes_and_no() -> None:
    """Whatever other labels there are, and however few of the sets in use have it."""
    random = np.random.default_rng(SEED)
    rows = [[{*random.choice(list("abcde"), 2)} for _ in range(2)] for _ in range(58)]
    rows += [[{"z"}, {"a"}], [{"z"}, {"b", "z"}]]
    sets = label_alpha.statistic_of(rows)
    place = sets.categories.index("z")
    answers = [["yes" if "z" in one else "no" for one in row] for row in rows]
    alone = krippendorff_alpha.statistic_of(answers).resampled("bayesian", 20_000, SEED, "test")
    draws = label_alpha.values(sets.resampled("bayesian", 20_000, SEED, "test"))[:, place]
    levels = [0.025, 0.25, 0.5, 0.75, 0.975]
    assert np.quantile(draws, levels) == pytest.approx(np.quantile(krippendorff_alpha.values(alone), levels), abs=0.02)


def _held(metric: Metric, truth: float, samples: int) -> int:
    random, held = np.random.default_rng(4), 0
    for sample in range(samples):
        statistic = metric.statistic_of(_rare_label(random, 60))
        row = row_of_statistic(metric, statistic, settings=Bootstrap(replicates=200, seed=sample))
        assert row is not None
        held += row.low <= truth <= row.high
    return held


def test_the_mean_over_labels_holds_where_one_is_rare() -> None:
    """Percentiles of the mean, each label of which is drawn a little too low, held in 176 of 200."""
    truth = macro_label_alpha(_rare_label(np.random.default_rng(1), 200_000))
    assert _held(macro_label_alpha, truth, 200) >= 184


def test_a_mean_over_labels_has_the_limits_of_its_labels() -> None:
    """By whatever name; that of one label is nearly the label's own."""
    rows = _rare_label(np.random.default_rng(SEED), 60)
    settings = Bootstrap(replicates=300, seed=SEED)
    ends = []
    for metric in (macro_label_alpha, label_alpha.averaged("macro")):
        row = row_of_statistic(metric, metric.statistic_of(rows), settings=settings)
        assert row is not None
        assert row.method == "mover_bayesian"
        ends.append((row.low, row.estimate, row.high))
    assert ends[0] == pytest.approx(ends[1])
    one = [[given & {"x"} for given in row] for row in rows]
    for metric in (label_alpha, label_agreement):
        mean = row_of_statistic(metric.averaged("macro"), metric.statistic_of(one), settings=settings)
        own = row_of_statistic(metric, metric.statistic_of(one), settings=settings, category="x")
        assert mean is not None
        assert own is not None
        # Draws lie below the value on average, so that the mean reaches further up.
        assert mean.low == pytest.approx(own.low)
        assert own.high < mean.high < own.high + (own.high - own.low) / 10
        assert (mean.method, own.method) == ("mover_bayesian", "bayesian")


def test_alpha_of_numbers_holds_where_some_are_far_out() -> None:
    """Prior pairs of any two points in use are further apart than ratings: one upper end in six was below the truth."""
    alpha, random = parse("krippendorff_alpha(measurement=interval)"), np.random.default_rng(9)

    def rated(n: int) -> list[list[float]]:
        said = 6 + 1.5 * random.standard_t(4, (n, 1)) + 0.9 * random.standard_normal((n, 3))
        return np.clip(np.round(2 * said) / 2, -6, 18).tolist()

    truth, held = alpha(rated(50_000)), 0
    for sample in range(100):
        row = row_of_statistic(alpha, alpha.statistic_of(rated(60)), settings=Bootstrap(replicates=200, seed=sample))
        assert row is not None
        assert row.method == "bayesian"
        held += row.low <= truth <= row.high
    assert held >= 92


def test_kappa_of_a_judge_holds_on_a_rare_finding() -> None:
    """Percentiles of rows drawn held in 166 of 200, and were none where the judge was always right."""
    random, held, samples = np.random.default_rng(5), 0, 200
    truth = (0.1 * 0.9 + 0.9 * 0.98 - (0.1 * 0.108 + 0.9 * 0.892)) / (1 - (0.1 * 0.108 + 0.9 * 0.892))
    for sample in range(samples):
        yes = random.random(60) < 0.1
        judge = random.random(60) < np.where(yes, 0.9, 0.02)
        statistic = JudgedSums.of_arrays((yes * 1.0).tolist(), (judge * 1.0).tolist())
        row = row_of_statistic(judge_kappa, statistic, settings=Bootstrap(replicates=200, seed=sample))
        held += row is not None and row.low <= truth <= row.high
    assert held >= 0.92 * samples


def test_prior_labels_of_a_judge_weigh_as_a_label_does() -> None:
    """Two labels more on average, half of each answer; rows without a label, and other values, have none."""
    human, judge = [1.0, 0.0, 1.0, 0.0, np.nan, np.nan], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    for weight in (1.0, 3.0):
        plain = JudgedSums.of_arrays(human, judge, weights=[weight] * 6)
        many = plain.resampled("multinomial", 20_000, SEED, "test")
        more = many.smoothed(plain, SEED, "test")
        added = {name: (more.of(name) - many.of(name)).mean() for name in ("n", "h", "j", "hh", "hj", "jj", "m", "k")}
        expected = {"n": 2.0, "h": 1.0, "j": 1.0, "hh": 1.0, "hj": 0.5, "jj": 1.0, "m": 0.0, "k": 0.0}
        assert added == pytest.approx({name: weight * one for name, one in expected.items()}, abs=0.03 * weight)
        assert more.two_valued
    grades = JudgedSums.of_arrays([3.0, 1.0, 2.0], [3.0, 2.0, 2.0])
    assert grades.smoothed(grades, SEED, "test") is grades


def test_a_gate_on_kappa_errs_no_more_on_one_side_than_on_the_other() -> None:
    """Of eight labels in 100 rows, prior mass pulls every draw down; the upper limit was below the truth in 23 of 200.

    Rows are right in .7, else a label at random; both ends of a 90 % interval are to err in one of twenty.
    """
    random, beyond = np.random.default_rng(8), np.zeros(2, dtype=int)
    settings = Bootstrap(replicates=300, seed=SEED)
    for _ in range(200):
        truth = random.integers(0, 8, 100)
        said = np.where(random.random(100) < 0.7, truth, random.integers(0, 8, 100))
        table = cohen_kappa.statistic_of(truth.tolist(), said.tolist())
        drawn = drawn_on_cells(table, lambda value: {Confusion: value}, "bayesian", settings, "test", units=100.0)
        measured = Measured("", "", 100, {Confusion: table}, (), (drawn,), None, {}, {})
        low, high = limit_of(Number(measured, cohen_kappa)).at(0.90)
        beyond += low > 0.7, high < 0.7
    assert (beyond <= 16).all(), beyond


def test_draws_of_many_labels_lie_about_kappa() -> None:
    """Half of the prior mass says that two labels are the same; spread over all pairs of ten, a tenth of it did."""
    truth = np.repeat(np.arange(10), 10)
    said = np.where(np.arange(100) % 20 == 0, (truth + 1) % 10, truth)
    table = cohen_kappa.statistic_of(truth.tolist(), said.tolist())
    draws = cohen_kappa.values(table.resampled("bayesian", 2_000, SEED, "test"))
    # A prior of 2 rows of which half agree, beside 100 of which 95 do: 0.95 → 96 / 102, less what is expected anyway.
    assert draws.mean() == pytest.approx((96 / 102 - 0.1) / 0.9, abs=0.003)


def test_a_heavy_row_may_fall_where_only_light_ones_were_seen() -> None:
    """Prior mass weighs what a row does that matters, not what rows of its cell weigh: six of 120 rows weigh 15."""
    truth = ["a", "b"] * 60
    said = ["a" if place == 1 else label for place, label in enumerate(truth)]
    weights = [15.0 if 20 <= place < 26 else 1.0 for place in range(120)]
    table = Confusion.of_arrays(truth, said, weights=weights)
    assert table.counts.tolist() == [[102.0, 0.0], [1.0, 101.0]]
    # Σw = 204, Σw² = 1464: 7.18 by weight, and √(120 · 7.18 / 204) times as much.
    assert table.unseen_row == pytest.approx(7.176470588 * 2.0546, rel=1e-4)
    assert Confusion.of_arrays(truth, said).unseen_row == 1.0
    assert replace(Confusion.of_arrays(truth, said), rows=300).unseen_row == 1.0
    draws = weighed(table).resampled("bayesian", 4_000, SEED, "test")
    assert isinstance(draws, Confusion)
    light = draws.counts[:, 1, 0] / draws.total
    assert light.mean() == pytest.approx((1 + 0.5 * 14.74) / (204 + 2 * 14.74), rel=0.1)
    assert draws.total == pytest.approx(np.full(4_000, 204.0))


def test_a_mean_over_many_labels_is_not_as_skewed_as_each_is() -> None:
    """Draws of a label that few use are skewed downwards, and off that way; their mean of twelve is hardly so.

    Ten tables of 60 items and two raters: the upper end reached .72 to .82 as far as the lower one.
    """
    random, reaches = np.random.default_rng(8), []
    for _ in range(10):
        true = random.random((60, 12)) < 0.15
        says = [np.where(true, random.random(true.shape) > 0.2, random.random(true.shape) < 0.02) for _ in range(2)]
        rows = [["|".join(np.array(list("abcdefghijkl"))[row]) or "none" for row in one] for one in says]
        table = {"first": rows[0], "second": rows[1]}
        found = adjudge.agreement(
            table, raters=["first", "second"], measurement="sets", metrics=["macro_label_alpha"], replicates=500
        )
        row = next(row for row in found.table if row.metric == "macro_label_alpha")
        reaches.append((row.high - row.estimate) / (row.estimate - row.low))
    assert min(reaches) > 0.9
