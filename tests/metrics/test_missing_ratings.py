"""The intraclass correlation when ratings are missing: restricted maximum likelihood, against slow and known ways."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import adjudge
from adjudge.errors import SettingError
from adjudge.metrics import icc
from adjudge.metrics.rater_numbers import mean_squares
from adjudge.metrics.rater_reliability import FORMS
from adjudge.statistics.ratings.vectors import RatingVectors

REPEATABLE = settings(max_examples=8, deadline=None, derandomize=True)
EVERY_FORM = pytest.mark.parametrize("form", FORMS)
CLOSE = {"rel": 1e-8, "abs": 1e-8, "nan_ok": True}


def matrix(seed: int, items: int, raters: int, missing: float = 0.0, bias: float = 0.7) -> np.ndarray:
    random = np.random.default_rng(seed)
    x = 1.5 * random.normal(size=(items, 1)) + bias * random.normal(size=(1, raters))
    x = x + random.normal(size=(items, raters))
    x[random.random(x.shape) < missing] = np.nan
    return x


def by_reml(x: np.ndarray, form: str, weights: np.ndarray | None = None) -> float:
    statistic = RatingVectors.of_arrays(x, None, weights=weights)
    return float(icc.using(form=form, missing="reml").values(statistic))


def by_the_book(x: np.ndarray, form: str) -> float:
    """The same from the whole covariance matrix of all ratings, minimised without derivatives."""
    item, rater = np.nonzero(~np.isnan(x))
    y, one = x[item, rater], np.ones(len(item))
    same_item, same_rater = item[:, None] == item, rater[:, None] == rater
    two = not form.startswith("1")

    def criterion(logs: np.ndarray) -> float:
        a, b = np.exp(logs[0]), np.exp(logs[1]) if two else 0.0
        inverse = np.linalg.inv(np.eye(len(y)) + a * same_item + b * same_rater)
        mean = one @ inverse @ one
        left = y @ inverse @ y - (one @ inverse @ y) ** 2 / mean
        return float((len(y) - 1) * np.log(left) - np.linalg.slogdet(inverse)[1] + np.log(mean))

    starts = [[0.0, -2.0], [1.0, 0.0]] if two else [[0.0], [2.0]]
    tight = {"xatol": 1e-8, "fatol": 1e-12, "maxiter": 4000}
    best = min((minimize(criterion, s, method="Nelder-Mead", options=tight) for s in starts), key=lambda r: r.fun)
    a, b = np.exp(best.x[0]), np.exp(best.x[1]) if form.startswith("A") else 0.0
    return float(a / (a + (b + 1) / (1 if form.endswith("1") else x.shape[1])))


@pytest.mark.parametrize("form", ["1,1", "A,1", "A,k", "C,1"])
@pytest.mark.parametrize(("seed", "items", "raters", "missing"), [(1, 25, 4, 0.3), (2, 12, 3, 0.2), (3, 20, 5, 0.5)])
def test_the_maximum_is_that_of_the_whole_covariance(
    form: str, seed: int, items: int, raters: int, missing: float
) -> None:
    x = matrix(seed, items, raters, missing)
    assert by_reml(x, form) == pytest.approx(by_the_book(x, form), abs=2e-6)


@EVERY_FORM
@REPEATABLE
@given(seed=st.integers(0, 10_000), items=st.integers(3, 30), raters=st.integers(2, 6), bias=st.floats(0, 5))
def test_complete_ratings_give_the_analysis_of_variance(
    form: str, seed: int, items: int, raters: int, bias: float
) -> None:
    x = matrix(seed, items, raters, bias=bias)
    statistic = RatingVectors.of_arrays(x, None)
    _, of_items, of_raters, within, rest = (float(part) for part in mean_squares(statistic))
    positive = of_items > within if form.startswith("1") else min(of_items, of_raters) > rest
    if positive:
        assert by_reml(x, form) == pytest.approx(float(icc.using(form=form).values(statistic)), **CLOSE)
    assert 0 <= by_reml(x, form) <= 1


@EVERY_FORM
@REPEATABLE
@given(seed=st.integers(0, 10_000))
def test_what_must_not_matter_does_not(form: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = matrix(seed, int(random.integers(8, 20)), int(random.integers(2, 5)), 0.25)
    weights = random.integers(0, 4, len(x))
    value = by_reml(x, form, weights)
    assert by_reml(np.repeat(x, weights, axis=0), form) == pytest.approx(value, **CLOSE)
    order, raters = random.permutation(len(x)), random.permutation(x.shape[1])
    assert by_reml(x[order], form, weights[order]) == pytest.approx(value, **CLOSE)
    assert by_reml(x[:, raters], form, weights) == pytest.approx(value, **CLOSE)
    assert by_reml(1000 + 3 * x, form, weights) == pytest.approx(value, **CLOSE)
    assert by_reml(np.vstack([x, np.full((2, x.shape[1]), np.nan)]), form) == pytest.approx(by_reml(x, form), **CLOSE)


@EVERY_FORM
def test_replicates_are_fitted_as_if_alone(form: str) -> None:
    metric = icc.using(form=form, missing="reml")
    statistic = RatingVectors.of_arrays(matrix(4, 20, 3, 0.3), None)
    counts = np.random.default_rng(1).poisson(1.0, (30, len(statistic.vectors))).astype(float)
    together = metric.values(replace(statistic, counts=counts))
    alone = [float(metric.values(replace(statistic, counts=one))) for one in counts]
    assert together == pytest.approx(alone, **CLOSE)


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ([[1, 1, 1], [2, 2, None], [5, None, 5]], dict.fromkeys(FORMS, 1.0)),
        ([[1, 2], [2, 3], [3, 4], [5, 6]], {"C,1": 1.0, "C,k": 1.0, "A,1": 35 / 41}),
        ([[1, 2]] * 4, {"A,1": 0.0, "C,1": math.nan}),
        ([[1, 1], [1, None]], dict.fromkeys(FORMS, math.nan)),
        ([[1, None], [None, 2]], dict.fromkeys(FORMS, math.nan)),
        ([[1, 2], [2, 1]], dict.fromkeys(FORMS, 0.0)),
        ([[1, 2]], dict.fromkeys(FORMS, math.nan)),
        ([[1, 2], [None, None]], dict.fromkeys(FORMS, math.nan)),
        ([[1, 2], [3, None], [None, 4]], dict.fromkeys(("A,1", "A,k", "C,1", "C,k"), math.nan)),
        ([[None, None], [None, None]], dict.fromkeys(FORMS, math.nan)),
    ],
)
def test_borders(rows: list, values: dict[str, float]) -> None:
    x = np.array(rows, dtype=float)
    for form, value in values.items():
        assert by_reml(x, form) == pytest.approx(value, abs=1e-6, nan_ok=True), form


def test_nothing_is_undefined() -> None:
    assert math.isnan(icc([], missing="reml"))


def test_raters_who_share_no_items_are_no_reason_to_give_up() -> None:
    """Blocks of two items and two raters, and lone items of raters who rated nothing else."""
    blocks, lone = 10, 5
    x = np.full((2 * blocks + lone, 2 * (blocks + lone)), np.nan)
    draws = np.random.default_rng(3).normal(size=x.shape) + 3 * np.random.default_rng(4).normal(size=(len(x), 1))
    for item in range(len(x)):
        pair = 2 * (item // 2 if item < 2 * blocks else item - blocks)
        x[item, pair : pair + 2] = draws[item, pair : pair + 2]
    assert 0.7 < by_reml(x, "C,1") < 1


def test_ratings_that_are_missing_for_a_reason_in_the_data() -> None:
    """Only what the first rater finds high goes to the others: complete items alone vary too little."""
    complete, all_of_them = [], []
    for seed in range(30):
        x = matrix(seed, 300, 3, bias=0.0)
        x[x[:, 0] < 0.5, 1:] = np.nan
        complete.append(icc(x, form="C,1"))
        all_of_them.append(icc(x, form="C,1", missing="reml"))
    true = 1.5**2 / (1.5**2 + 1)
    assert np.mean(all_of_them) == pytest.approx(true, abs=0.02)
    assert np.mean(complete) < true - 0.15


def test_the_interval_covers_and_uses_all_items() -> None:
    held, widths = 0, []
    for seed in range(40):
        x = matrix(seed, 60, 4, 0.3, bias=0.0)
        found = adjudge.estimate(icc.using(form="C,1", missing="reml"), x, replicates=200)
        held += found.interval.low <= 1.5**2 / (1.5**2 + 1) <= found.interval.high
        fewer = adjudge.estimate(icc.using(form="C,1"), x, replicates=200, method=found.method)
        widths.append((found.interval.high - found.interval.low) / (fewer.interval.high - fewer.interval.low))
    assert found.method == "jackknife_hill"
    assert held >= 34
    assert np.median(widths) < 0.75


def test_it_has_a_name_and_refuses_others() -> None:
    x = matrix(5, 30, 3, 0.2)
    table = {f"r{place}": x[:, place] for place in range(3)}
    name = repr(icc.using(form="A,1", missing="reml"))
    e = adjudge.agreement(table, raters=list(table), measurement="interval", metrics=[name], replicates=200)
    assert e[name].value == pytest.approx(by_reml(x, "A,1"))
    assert [row.method for row in e.table] == ["jackknife_hill", "bootstrap"]  # the exact one is of complete items
    with pytest.raises(SettingError, match="`missing` must be one of"):
        icc(x, missing="mean")
