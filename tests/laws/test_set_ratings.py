"""The laws of `+` and of weights, for sets of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.judgements.label_sets import set_ratings_of
from adjudge.data.judgements.ratings import Ratings
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.statistics.cells import PRIOR_MASS
from adjudge.statistics.ratings import set_ratings
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=12, deadline=None, derandomize=True)
CLOSE: dict[str, Any] = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
METRICS = [metric for metric in catalogue.every() if metric.over is SetRatings]
METRICS += [
    metric.using(distance="jaccard") for metric in METRICS if "distance" in (metric.formula.__kwdefaults__ or {})
]
EVERY = pytest.mark.parametrize("metric", METRICS, ids=repr)


def rows_of(seed: int, items: int) -> list[list[Any]]:
    random = np.random.default_rng(seed)

    def cell() -> Any:
        return None if random.random() < 0.2 else set(np.array(["a", "b", "c"])[random.random(3) < 0.4].tolist())

    return [[cell() for _ in range(3)] for _ in range(items)]


def collected(rows: list[list[Any]], weights: Any = None, draws: Any = None) -> SetRatings:
    ratings = set_ratings_of(rows)
    return SetRatings.collect(ratings, Weights(len(ratings), weights, draws))


tables = st.builds(rows_of, st.integers(0, 2**32 - 1), st.integers(4, 20))


@EVERY
@REPEATABLE
@given(rows=tables, cut=st.integers(1, 3))
def test_two_parts_added_equal_the_whole(metric: Metric, rows: list, cut: int) -> None:
    a, b, whole = collected(rows[:cut]), collected(rows[cut:]), collected(rows)
    for sums in (a + b, b + a):
        assert sums.rows == whole.rows
        assert labelled(metric, sums) == pytest.approx(labelled(metric, whole), **CLOSE)


def labelled(metric: Metric, sums: SetRatings) -> dict[str, float]:
    """Values by label: a part may not have seen all."""
    values = metric.values(sums)
    if not metric.by_category:
        return {"": float(values)}
    return {label: value for label, value in zip(sums.categories, values.tolist(), strict=True) if not np.isnan(value)}


@EVERY
@REPEATABLE
@given(rows=tables)
def test_raters_without_names_say_the_same(metric: Metric, rows: list) -> None:
    ratings = set_ratings_of(rows)
    unnamed = Ratings(ratings.codes, ratings.categories, ())
    found = SetRatings.collect(unnamed, Weights(len(rows)))
    assert metric.values(found) == pytest.approx(metric.values(collected(rows)), **CLOSE)
    halves = [
        SetRatings.collect(unnamed.of_rows(np.arange(*ends)), Weights(ends[1] - ends[0]))
        for ends in ((0, 2), (2, len(rows)))
    ]
    assert labelled(metric, halves[0] + halves[1]) == pytest.approx(labelled(metric, found), **CLOSE)


def test_raters_of_one_part_did_not_rate_the_other() -> None:
    both = collected([[{"a"}, {"b"}]]) + collected([[{"b"}, {"a"}, {"a"}]])
    assert both.raters == ("1", "2", "3")
    whole = collected([[{"a"}, {"b"}, None], [{"b"}, {"a"}, {"a"}]])
    assert (both.table.vectors.tolist(), both.rows) == (whole.table.vectors.tolist(), 2)


def test_parts_without_names_do_not_tell_raters_apart() -> None:
    parts = [
        SetRatings.collect(set_ratings_of(rows), Weights(1), False)
        for rows in ([[{"a"}, {"b"}]], [[{"b"}, {"a"}, {"a"}]], [[{"b"}, {"a"}]])
    ]
    again = parts[0] + parts[1] + parts[2]
    assert again.raters == ()
    assert again.counts.sum() == 3
    assert len(again.counts) == 2, "{a} and {b} by two raters is one row, whoever said which"


@EVERY
@REPEATABLE
@given(rows=tables, seed=st.integers(0, 99))
def test_integer_weights_are_repetition_and_draws_stack(metric: Metric, rows: list, seed: int) -> None:
    draws = np.random.default_rng(seed).integers(0, 4, (len(rows), 5)).astype(np.float64)
    stacked = metric.values(collected(rows, None, draws))
    categories = collected(rows).categories
    for place in range(5):
        repeated = [row for row, times in zip(rows, draws[:, place], strict=True) for _ in range(int(times))]
        weighed = metric.values(collected(rows, draws[:, place]))
        assert stacked[place] == pytest.approx(weighed, **CLOSE)
        if not metric.by_category or collected(repeated).categories == categories:
            assert weighed == pytest.approx(metric.values(collected(repeated)), **CLOSE)


@EVERY
def test_bayesian_draws_are_about_the_value(metric: Metric) -> None:
    sums = collected(rows_of(3, 20) * 20)
    drawn = metric.values(sums.resampled("bayesian", 400, 7, "law"))
    assert drawn.shape == (400, *metric.values(sums).shape)
    assert drawn.mean(0) == pytest.approx(metric.values(sums), abs=0.03)
    assert (drawn.std(0) > 0.003).all()


def test_the_prior_is_the_same_in_law_as_a_little_mass_on_every_pair() -> None:
    """Mean and variance of what prior pairs add to the use of a set are those of Gamma draws on all pairs."""
    sums = collected([[{"a"}, {"b"}], [{"c"}, set()]])
    drawn = sums.smoothed(sums, 7, "law")
    many = SetRatings(sums.table, np.zeros((40_000, 2)), sums.squares, 2).smoothed(sums, 7, "law")
    assert drawn.prior is not None
    size, mass = 4, PRIOR_MASS
    # Half of the mass is on pairs of a set with itself, of which each counts twice; half on those of two sets.
    assert many.uses.mean(0) == pytest.approx(np.full(size, 2 * mass / size), rel=0.03)
    assert many.uses.var(0) == pytest.approx(np.full(size, mass / 2 / size * 4 + mass / 2 * 2 / size), rel=0.06)


@pytest.mark.parametrize("kind", ["multinomial", "bayesian"])
def test_many_sets_are_drawn_as_if_exactly(kind: str, monkeypatch) -> None:
    """Beyond EXACT_SETS the draws of alpha are off by far less than they spread."""
    random = np.random.default_rng(4)
    labels = np.array([f"l{place}" for place in range(12)])
    rows = []
    for _ in range(600):
        first = random.random(12) < 0.25
        rows.append([set(labels[first].tolist()), set(labels[first ^ (random.random(12) < 0.08)].tolist())])
    sums = collected(rows)
    assert len(sums.table.sets) > set_ratings.EXACT_SETS
    metric = catalogue.parse("set_alpha")
    quick = metric.values(sums.resampled(kind, 300, 7, "many"))
    monkeypatch.setattr(set_ratings, "EXACT_SETS", 10**6)
    exact = metric.values(sums.resampled(kind, 300, 7, "many"))
    assert (quick != exact).any(), "the short way was taken"
    assert np.abs(quick - exact).max() < 0.05 * exact.std()


def test_views_are_the_same_items_read_anew() -> None:
    rows = rows_of(11, 40)
    whole = collected(rows)
    view = whole.of_raters([0, 2])
    two = [[row[0], row[2]] for row in rows if row[0] is not None and row[2] is not None]
    for metric in METRICS:
        assert metric.values(view.statistic) == pytest.approx(metric.values(collected(two)), **CLOSE)
    assert view.statistic.shared == len(two)
    drawn = whole.resampled("bayesian", 50, 7, "views")
    assert view.of(drawn).uses.sum(-1) == pytest.approx(
        2 * (view.of(drawn).counts.sum(-1) + drawn.prior.counts.sum(-1))
    )
