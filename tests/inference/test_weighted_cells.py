"""Intervals of statistics whose units weigh more or less than one."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.evaluation.arrays.estimate import row_of_statistic, rows_of_statistic
from adjudge.inference.resampling import Bootstrap
from adjudge.inference.weighted_cells import WeightedCells, weighed
from adjudge.metrics.base import Metric
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Draws

METRICS = [
    metrics.krippendorff_alpha,
    metrics.gwet_ac1,
    metrics.light_kappa,
    metrics.icc,
    metrics.cohen_kappa.using(weighting="quadratic"),
]
OF_TWO = {"cohen_kappa", "pearson", "spearman", "concordance_correlation"}


def ratings(metric: Metric, items: int = 150) -> np.ndarray:
    random = np.random.default_rng(2)
    truth = random.integers(1, 5, items)
    raters = 2 if metric.name in OF_TWO else 3
    return np.where(
        random.random((items, raters)) < 0.7, truth[:, None], random.integers(1, 5, (items, raters))
    ).astype(float)


def given_to(metric: Metric, matrix: np.ndarray) -> tuple[Any, Any]:
    return (matrix[:, 0], matrix[:, 1]) if metric.name in OF_TWO else (matrix, None)


def statistic(metric: Metric, matrix: np.ndarray, weights: Any) -> Any:
    return metric.statistic_of(*given_to(metric, matrix), weights=weights)


def unequal_weights(items: int = 150) -> np.ndarray:
    return np.random.default_rng(3).choice([0.2, 1.0, 4.0], items)


@cache
def limits_one_by_one(metric: Metric) -> tuple[float, float]:
    """What the percentiles are when items are drawn one by one, each with its weight."""
    matrix, weights = ratings(metric), unequal_weights()
    drawn = np.random.default_rng(4).multinomial(len(matrix), np.full(len(matrix), 1 / len(matrix)), 800)
    values = [float(metric.values(statistic(metric, matrix, weights * times))) for times in drawn]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


@pytest.mark.xdist_group("weighted cells")  # what is drawn one by one is drawn once
@pytest.mark.parametrize("metric", METRICS, ids=repr)
@pytest.mark.parametrize("kind", ["percentile", "poisson", "bayesian", "bca"])
def test_the_interval_is_that_of_the_items_drawn_one_by_one(metric: Metric, kind: str) -> None:
    matrix, weights = ratings(metric), unequal_weights()
    settings = Bootstrap(2_000, 7, kind)
    rows = rows_of_statistic(metric, statistic(metric, matrix, weights), settings=settings)
    found = next(row for row in rows if row.method == settings.method).as_estimate()
    low, high = limits_one_by_one(metric)
    assert found.value == pytest.approx(float(metric.values(statistic(metric, matrix, weights))))
    assert found.interval.high - found.interval.low == pytest.approx(high - low, rel=0.15)
    assert found.interval.low == pytest.approx(low, abs=0.25 * (high - low))


# Alpha and the intraclass correlation correct for few items, and so know the unit of the weights.
OF_SHARES = [m for m in METRICS if m.name not in ("krippendorff_alpha", "icc")]
OF_NUMBERS = [metrics.pearson, metrics.spearman, metrics.concordance_correlation]


@pytest.mark.parametrize("unit", [50, 1e6, 1e-3, 1e-12])
@pytest.mark.parametrize("metric", [*OF_SHARES, *OF_NUMBERS], ids=repr)
def test_the_unit_of_the_weights_does_not_matter(metric: Metric, unit: float) -> None:
    """Tiny weights were taken for weights of one: these too are near to their squares."""
    matrix, weights = ratings(metric), np.linspace(1, 3, 150)
    rows = (row_of_statistic(metric, statistic(metric, matrix, weights * scale)) for scale in (1, unit))
    a, b = (row.as_estimate() for row in rows if row is not None)
    assert (b.value, b.interval.low, b.interval.high) == pytest.approx((a.value, a.interval.low, a.interval.high))
    assert (b.method, b.interval.low < b.interval.high) == (a.method, True)


def test_cells_keep_their_weight_and_variance() -> None:
    matrix, weights = ratings(metrics.icc), np.random.default_rng(5).choice([0.5, 3.0], 150)
    own = statistic(metrics.light_kappa, matrix, weights)
    assert isinstance(own, RatingVectors)
    cells = weighed(own)
    assert isinstance(cells, WeightedCells)
    equal = cells.counts * np.nan_to_num(own.squares / own.counts)
    assert equal == pytest.approx(own.counts)
    assert cells.resampled("poisson", 4_000, 1, "cells").counts.mean(0) == pytest.approx(own.counts, rel=0.2)
    left, units = cells.without_one()
    assert (left.counts >= -1e-9).all()
    assert units == pytest.approx(cells.counts[cells.counts > 0])
    assert weighed(statistic(metrics.light_kappa, matrix, None)).counts.sum() == 150


def test_the_door_of_one_metric_takes_weights() -> None:
    matrix, weights = ratings(metrics.gwet_ac1), np.linspace(1, 5, 150)
    found = adjudge.estimate(metrics.gwet_ac1, matrix, weights=weights)
    table = {name: matrix[:, place] for place, name in enumerate("abc")} | {"w": weights}
    door = adjudge.agreement(table, raters=list("abc"), weight="w")["gwet_ac1"]
    assert found.value == pytest.approx(door.value)
    assert found.method == door.method
    assert found.interval.low == pytest.approx(door.interval.low, abs=0.01)
    assert found.interval.high == pytest.approx(door.interval.high, abs=0.01)


SCORED = [metrics.roc_auc, metrics.average_precision, metrics.brier_score, metrics.cohen_kappa, metrics.f_score]


def weighted_answers(rows: int = 200) -> dict[str, list[Any]]:
    random = np.random.default_rng(8)
    right = random.random(rows) < 0.4
    score = np.round(1 / (1 + np.exp(-random.normal(1.5 * right - 0.7, 1.2))), 3)
    return {
        "label": np.where(right, "p", "n").tolist(),
        "guess": np.where(score >= 0.5, "p", "n").tolist(),
        "score": score.tolist(),
        "w": random.choice([0.2, 1.0, 4.0], rows).tolist(),
    }


@pytest.mark.parametrize("metric", SCORED, ids=repr)
def test_weighted_rows_are_drawn_on_cells_as_if_one_by_one(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    table = weighted_answers()
    label, weights = np.array(table["label"]), np.array(table["w"])
    said = np.array(table["guess"] if metric.name in ("cohen_kappa", "f_score") else table["score"])
    drawn = np.random.default_rng(4).multinomial(200, np.full(200, 1 / 200), 600)
    each = (metric.statistic_of(label, said, weights=weights * times, positive="p") for times in drawn)
    values = [np.asarray(metric.values(one)).reshape(-1)[-1] for one in each]
    low, high = np.quantile(values, [0.025, 0.975])

    def row_by_row(*_: Any) -> Any:
        raise AssertionError("drawn row by row")

    monkeypatch.setattr(Draws, "tiles", row_by_row)
    roles = {"reference": "label", "prediction": "guess", "score": "score", "positive": "p", "weight": "w"}
    rows = adjudge.evaluate(table, **roles).table.rows
    row = next(r for r in rows if r.metric == metric.name and r.method == "bootstrap" and r.category in ("", "p"))
    assert row.high - row.low == pytest.approx(high - low, rel=0.15)
    assert row.low == pytest.approx(low, abs=0.2 * (high - low))


def test_several_weighted_systems_are_drawn_together_on_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    table = weighted_answers() | {"other": weighted_answers()["guess"]}
    table["other"][:40] = ["p", "n"] * 20
    roles = {"reference": "label", "prediction": ["guess", "other"], "weight": "w"}

    def difference() -> Any:
        rows = adjudge.evaluate(table, metrics=["matthews_correlation"], **roles).table.rows
        return next(row for row in rows if row.method == "paired_bootstrap")

    cells = difference()
    monkeypatch.setattr("adjudge.tasks.classification.study.MOST_JOINT", 0)
    one_by_one = difference()
    assert cells.low != one_by_one.low
    width = one_by_one.high - one_by_one.low
    assert (cells.low, cells.high) == pytest.approx((one_by_one.low, one_by_one.high), abs=0.1 * width)


def test_a_closed_form_draws_no_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = ratings(metrics.icc)
    exact, default = adjudge.estimate(metrics.icc, matrix, method="f_exact"), adjudge.estimate(metrics.icc, matrix)

    def drawn(*_: Any) -> Any:
        raise AssertionError("drawn")

    monkeypatch.setattr(RatingVectors, "resampled", drawn)
    assert adjudge.estimate(metrics.icc, matrix, method="f_exact") == exact
    assert adjudge.estimate(metrics.icc, matrix) == default
    assert default.method == "jackknife_hill"
    with pytest.raises(AssertionError, match="drawn"):
        adjudge.estimate(metrics.icc, matrix, method="bootstrap")
