"""Intervals of what is seldom measured, of rows in clusters and of rows that weigh differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.keys import keys_of_labels
from adjudge.evaluation.gates.column_limits import ColumnRows, column_reach
from adjudge.inference.intervals.closed_form import closed_form, wilson
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.reach import Reach
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share

Random = np.random.Generator
Columns = dict[str, Any]
WORDS = np.array(list("abc"), dtype=object)


def clusters(random: Random, count: int) -> Any:
    """Which of so many clusters each row is of: one to a dozen rows each."""
    return np.repeat(np.arange(count), 1 + random.negative_binomial(2.0, 0.4, count))


def missed(draw: Callable[[Random], Columns], metric: str, truth: float, samples: int, **roles: Any) -> float:
    """How often the first interval of a whole evaluation leaves out the truth."""
    random, out = np.random.default_rng(11), []
    task, category = roles.pop("task"), roles.pop("category", "")
    for sample in range(samples):
        found = adjudge.evaluate(draw(random), task, metrics=[metric], replicates=200, seed=sample, **roles)
        rows = (row for row in found.table if row.metric == metric and row.category == category)
        if (row := next(rows, None)) is not None:  # a category that no rating is has none
            out.append(not row.low <= truth <= row.high)
    return float(np.mean(out))


AGREEMENT = {"task": "agreement", "cluster": "c", "ok": ["C1"]}


def test_the_largest_kappa_of_clusters_with_the_same_habits() -> None:
    """It is 1; the upper end of draws was below it in nearly all samples."""

    def draw(random: Random) -> Columns:
        of = clusters(random, 25)
        habit = random.beta(1, 1, 25)[of]
        return {f"r{k}": np.where(random.random(len(of)) < habit, "a", "b") for k in range(2)} | {"c": of}

    assert missed(draw, "kappa_max", 1.0, 40, raters=["r0", "r1"], **AGREEMENT) <= 0.07


def test_agreement_on_a_category_that_few_clusters_have() -> None:
    """One document in eight has it; as many units as all clusters are were too many: .914 of samples held."""

    def draw(random: Random, count: int = 40) -> Columns:
        of = clusters(random, count)
        rare = (random.random(count) < 0.125)[of] & (random.random(len(of)) < 0.4)
        truth = np.where(rare, 2, random.integers(0, 2, len(of)))[:, None]
        said = np.where(random.random((len(of), 3)) < 0.9, truth, random.integers(0, 2, (len(of), 3)))
        return {f"r{k}": WORDS[said[:, k]] for k in range(3)} | {"c": of}

    # A rating of such an item is c in .9 of cases, whatever other raters say, and that of another item never.
    roles = {"raters": ["r0", "r1", "r2"], "category": "c"} | AGREEMENT
    assert missed(draw, "specific_agreement", 0.9, 120, **roles) <= 0.06


def of_category(metric: Metric, draw: Callable[[Random], tuple[Any, Any]], truth: float, samples: int = 300) -> float:
    """How often the interval of agreement on c leaves out the truth, of items with weights."""
    random, out = np.random.default_rng(11), []
    for _ in range(samples):
        said, weights = draw(random)
        table = metric.statistic_of(WORDS[said], weights=weights)
        bounds = closed_form("wilson_of_items", metric, table, 0.95)
        assert bounds is not None
        place = table.categories.index("c")
        out.append(not bounds.low[place] <= truth <= bounds.high[place])
    return float(np.mean(out))


def test_a_category_of_which_few_samples_have_more_than_slips() -> None:
    """Five raters, 4 % of 50 items: an item of five such ratings counts for five times what a slip does."""

    def draw(random: Random) -> tuple[Any, Any]:
        real = random.choice(3, 50, p=(0.7, 0.26, 0.04))[:, None]
        said = np.where(random.random((50, 5)) < 0.9, real, random.integers(0, 3, (50, 5)))
        said[0, 0] = 2
        return said, None

    share, both = (0.04 * (0.9 + 0.1 / 3) ** power + 0.96 * (0.1 / 3) ** power for power in (1, 2))
    assert of_category(metrics.specific_agreement, draw, both / share) <= 0.05


def test_a_category_whose_rare_misses_weigh_ten() -> None:
    """What the second rater calls c is asked for, and one in ten of the rest; .89 of samples held."""

    def draw(random: Random) -> tuple[Any, Any]:
        real = random.choice(3, 1_600, p=(0.6, 0.3, 0.1))[:, None]
        said = np.where(random.random((1_600, 2)) < 0.9, real, random.integers(0, 3, (1_600, 2)))
        chance = np.where(said[:, 1] == 2, 1.0, 0.1)
        rows = np.flatnonzero(random.random(1_600) < chance)[:120]
        return said[rows], 1 / chance[rows]

    share, both = (0.1 * (0.9 + 0.1 / 3) ** power + 0.9 * (0.1 / 3) ** power for power in (1, 2))
    assert of_category(metrics.specific_agreement, draw, both / share) <= 0.05
    kappa = (both / share - share) / (1 - share)
    assert of_category(metrics.category_kappa, draw, kappa) <= 0.05


def test_kappa_of_a_category_on_which_no_pair_agrees_may_be_lower() -> None:
    """It is lower by chance where the category is used more; the lower end was the value itself."""
    said = np.array([["a", "a"]] * 40 + [["c", "a"]] * 10, dtype=object)
    table = metrics.category_kappa.statistic_of(said)
    bounds = closed_form("wilson_of_items", metrics.category_kappa, table, 0.95)
    assert bounds is not None
    value = float(metrics.category_kappa.values(table)[1])
    # Used in a tenth of the ratings: Wilson's upper limit of .1 of 50.
    assert value == pytest.approx(-1 / 9)
    assert float(bounds.low[1]) == pytest.approx(-0.21360 / (1 - 0.21360), abs=1e-4)


def kept_columns(random: Random) -> tuple[Any, Any]:
    """Values before and after a disturbance that spoils one cluster in ten of eighty."""
    of = clusters(random, 80)
    first = random.gamma(2, 1, len(of))
    lost = np.where(random.random(80) < 0.1, 0.8 * random.random(80), 0.03)[of]
    return np.column_stack([first, first * (1 - lost * 1.5 * random.random(len(of)))]), of


@pytest.mark.parametrize("metric", [metrics.share_kept, metrics.robustness_drop])
def test_what_is_kept_where_few_clusters_are_spoilt(metric: Metric) -> None:
    """Draws of clusters held in .83 to .86 of samples."""
    random, out = np.random.default_rng(4), []
    lost = 0.75 * (0.1 * 0.4 + 0.9 * 0.03)  # of gamma amounts whose mean is 2
    truth = 1 - lost if metric is metrics.share_kept else 2 * lost
    for _ in range(150):
        values, of = kept_columns(random)
        reach = column_reach(
            metric, ColumnRows(MeasuredColumns(values), None, keys_of_labels([*map(str, of)])), Bootstrap()
        )
        assert isinstance(reach, Reach)
        low, high = reach.at(0.95)
        out.append(not low <= truth <= high)
    assert np.mean(out) <= 0.07


def test_columns_of_few_clusters_have_a_reason_or_limits_by_cluster() -> None:
    random = np.random.default_rng(5)
    values, of = kept_columns(random)
    few = of < 5
    part = ColumnRows(MeasuredColumns(values), None, keys_of_labels([*map(str, of)]))
    assert column_reach(metrics.share_kept, part.of_rows(few), Bootstrap()) == (
        "too few units for an interval: 5, where 6 are needed"
    )
    reach = column_reach(metrics.cost_per_right, part.of_rows(of < 8), Bootstrap())
    assert isinstance(reach, Reach)
    assert (reach.method, reach.units) == ("jackknife_hill", 8)


def test_a_mean_of_clusters_is_what_it_is_without_each() -> None:
    """The jackknife of sums by cluster, by hand: of alike clusters Student's limits, a little wider."""
    of = np.repeat(np.arange(30), 2)
    values = np.random.default_rng(6).standard_normal(30)[of][:, None]
    reach = column_reach(
        metrics.mean, ColumnRows(MeasuredColumns(values), None, keys_of_labels([*map(str, of)])), Bootstrap()
    )
    assert isinstance(reach, Reach)
    low, high = reach.at(0.95)
    student = 2 * 2.0452 * values[::2].std(ddof=1) / 30**0.5
    assert 1.0 <= (high - low) / student < 1.25


def test_limits_of_agreement_of_patients() -> None:
    """The second device reads more of some patients; draws held in .86, and of fewer than twenty there was none."""

    def draw(random: Random, count: int = 60) -> Columns:
        of = clusters(random, count)
        level = 20 + 5 * random.standard_normal(len(of))
        off = random.standard_t(4, count)[of]
        noise = [0.8 * random.standard_normal(len(of)) for _ in range(2)]
        return {"r0": level + noise[0], "r1": level + off + noise[1], "c": of}

    wide = 1.959964 * (2.0 + 2 * 0.64) ** 0.5
    roles = {"raters": ["r0", "r1"], "measurement": "interval"} | AGREEMENT
    assert missed(draw, "upper_limit_of_agreement", wide, 80, **roles) <= 0.07
    few = adjudge.evaluate(draw(np.random.default_rng(2), 12), **roles, metrics=["pearson", "upper_limit_of_agreement"])
    assert {(row.metric, row.method) for row in few.table if row.low == row.low} >= {
        ("pearson", "jackknife_hill"),
        ("upper_limit_of_agreement", "mover_hill"),
    }


def test_students_interval_of_a_mean_difference_is_of_clusters() -> None:
    """Of items that are all alike in a cluster it is that of the clusters."""
    random = np.random.default_rng(9)
    off = random.standard_normal(30)
    table = {"r0": np.zeros(120), "r1": np.repeat(off, 4), "c": np.repeat(np.arange(30), 4)}
    found = adjudge.evaluate(
        table, raters=["r0", "r1"], measurement="interval", metrics=["mean_difference"], **AGREEMENT
    )
    row = next(row for row in found.table if row.method == "student")
    assert row.high - row.low == pytest.approx(2 * student_quantile(0.95, 29) * off.std(ddof=1) / 30**0.5)


def test_shares_of_votes_on_few_prompts_have_the_quantile_of_these() -> None:
    """By the normal quantile, however few prompts told how much shares vary, .907 of samples held."""
    random = np.random.default_rng(8)
    of = clusters(random, 25)
    first = random.random(len(of)) < random.beta(1.5, 1.5, 25)[of]
    table = {"preferred_text": np.where(first, "a", "b"), "kind": np.where(first, "a", "b"), "p": of.astype(str)}
    found = adjudge.evaluate(table, "preference", reference="preferred_text", annotators=["kind"], prompt="p")
    row = next(row for row in found.table if row.metric == "prefers_first")
    share, sizes = float(first.mean()), np.bincount(of)
    freedom = float((sizes**2).sum() ** 2 / (sizes**4).sum()) - 1
    adds = np.bincount(of, weights=first - share)
    pairs = share * (1 - share) / ((adds**2).sum() / len(of) ** 2 * 25 / 24)
    pairs *= (1.959964 / student_quantile(0.95, freedom)) ** 2
    low, high = wilson(Share(np.array(share * pairs), np.array(pairs), np.array(pairs)), 0.95)
    assert (row.method, row.low, row.high) == ("wilson", pytest.approx(float(low)), pytest.approx(float(high)))


def test_true_scores_of_responses_that_weigh_differently() -> None:
    """Percentiles of draws of the variance held in .895 of samples."""

    def draw(random: Random) -> Columns:
        level = 3 + 0.9 * random.standard_normal(1_500)
        first, second = (level + 0.5 * random.standard_normal(1_500) for _ in range(2))
        again = random.random(1_500) < 0.4
        chance = np.clip(1.1 - 0.3 * np.abs(first - 3), 0.1, 1.0)
        rows = np.flatnonzero(random.random(1_500) < chance)[:120]
        columns = {"h1": first, "h2": np.where(again, second, np.nan), "e": level, "w": 1 / chance}
        return {name: column[rows] for name, column in columns.items()}

    roles = {"task": "scoring", "raters": ["h1", "h2"], "prediction": "e", "weight": "w", "zeros": "keep"}
    assert missed(draw, "true_score_variance", 0.81, 120, **roles) <= 0.06
