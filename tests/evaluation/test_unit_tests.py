"""Tests that need the units themselves, and systems unit by unit: against scipy, and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.evaluation.results import Row
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.differences.paired_units import clustered_difference

ALL = ["permutation", "wilcoxon", "sign", "student", "delong"]


def numbers(n: int = 60) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    y = rng.normal(size=n)
    a, b = y + rng.normal(0, 1, n), y + rng.normal(0, 0.7, n)
    return {"y": y, "a": a, "b": b, "who": rng.integers(0, 15, n), "w": rng.uniform(0.5, 2, n)}


def told(evaluation: Any, metric: str) -> dict[str | None, Row]:
    rows = [row for row in evaluation.table.differences if row.metric == metric and row.slice == "all"]
    return {row.test: row for row in reversed(rows)}


def regressed(**more: Any) -> Any:
    return adjudge.regression(numbers(), reference="y", prediction=["a", "b"], tests=ALL, replicates=200, **more)


def test_means_of_rows_beside_scipy() -> None:
    table = numbers()
    one, two = np.abs(table["b"] - table["y"]), np.abs(table["a"] - table["y"])
    rows = told(regressed(), "mean_absolute_error")
    student = stats.ttest_rel(one, two)
    assert rows["Student's t"].p == pytest.approx(student.pvalue)
    limits = student.confidence_interval(0.95)
    assert (rows["Student's t"].low, rows["Student's t"].high) == pytest.approx((limits.low, limits.high))
    assert rows["Wilcoxon's test"].p == pytest.approx(
        stats.wilcoxon(one, two, correction=True, method="approx").pvalue, abs=1e-9
    )
    better = int((one < two).sum())
    assert rows["sign test"].p == pytest.approx(stats.binomtest(better, len(one)).pvalue)
    assert f"smaller in {better} rows" in rows["sign test"].note
    assert rows["permutation"].p == pytest.approx(student.pvalue, abs=0.02)
    # A squared error is tested, the root's own interval stays.
    of_root = told(regressed(), "rmse")
    assert of_root["Student's t"].p == pytest.approx(stats.ttest_rel(one**2, two**2).pvalue)
    assert of_root["Student's t"].method == of_root["Johnson's t, paired draws"].method == "paired_bootstrap"
    # Few rows make most of a mean of squares: fewer degrees of freedom are left, and p is larger.
    squares = one**2 - two**2 - (one**2 - two**2).mean()
    freedom = 2 * len(one) / (len(one) * (squares**4).sum() / (squares**2).sum() ** 2 - 1)
    drawn = stats.t.isf(of_root["Student's t"].p / 2, len(one) - 1)
    # As if one more row were as far off as the furthest is.
    drawn *= np.sqrt((squares**2).sum() / ((squares**2).sum() + (squares**2).max()))
    assert of_root["Johnson's t, paired draws"].p == pytest.approx(2 * stats.t.sf(drawn, freedom), rel=0.5)
    assert rows["Johnson's t, paired draws"].method == "johnson"
    assert rows["Johnson's t, paired draws"].low == pytest.approx(limits.low, rel=0.1)


def test_clusters_and_weights_of_units() -> None:
    table = numbers()
    each = np.abs(table["b"] - table["y"]) - np.abs(table["a"] - table["y"])
    rows = told(regressed(cluster="who", weight="w"), "mean_absolute_error")
    by_hand = clustered_difference(each, table["who"], table["w"])
    assert rows["Student's t"].p == pytest.approx(by_hand.p())
    sums = np.bincount(table["who"], weights=table["w"] * each)
    assert rows["sign test"].p == pytest.approx(stats.binomtest(int((sums > 0).sum()), len(sums)).pvalue)
    assert "clusters" in rows["sign test"].note


def test_every_test_can_be_saved(tmp_path: Path) -> None:
    """A file holds plain numbers: a permutation test of more units than have all their patterns gave another kind."""
    evaluation = regressed()
    saved = adjudge.load(evaluation.save(tmp_path / "tests.json"))
    assert told(saved, "rmse")["permutation"] == told(evaluation, "rmse")["permutation"]


def test_delong_is_a_second_row() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(150) < 0.4
    table = {"y": np.where(y, "yes", "no"), "a": y + rng.normal(size=150), "b": y + 0.5 * rng.normal(size=150)}
    result = adjudge.classification(table, reference="y", score=["a", "b"], tests=["delong"], replicates=200)
    rows = [row for row in result.table.differences if row.metric == "roc_auc"]
    by_hand = paired_areas(y, table["b"], table["a"])
    assert rows[0].method == "square_and_add"
    delong = next(row for row in rows if row.method == "delong")
    assert (delong.p, delong.low, delong.high) == pytest.approx((by_hand.p, *by_hand.delong(0.95)))
    assert delong.estimate == pytest.approx(by_hand.difference)


def test_wins_and_losses_of_numbers_and_queries() -> None:
    table = numbers()
    panel = regressed().outcome.panels.units[0]
    better = int((np.abs(table["b"] - table["y"]) < np.abs(table["a"] - table["y"])).sum())
    assert (panel.system, panel.better, panel.equal, panel.worse) == ("b", better, 0, 60 - better)
    assert not panel.flips
    relevance = np.random.default_rng(2).integers(0, 2, 120)
    lists = {"q": np.repeat(np.arange(20), 6), "rel": relevance, "a": np.tile(np.arange(6), 20), "b": relevance}
    result = adjudge.ranking(
        lists, query="q", relevance="rel", score=["a", "b"], at=[5], replicates=200, tests=["sign", "wilcoxon"]
    )
    of_queries = result.outcome.panels.units[0]
    assert (of_queries.unit, of_queries.worse) == ("query", 0)
    assert of_queries.better + of_queries.equal == 20
    row = told(result, "ndcg(at=5)")["sign test"]
    assert row.p == pytest.approx(min(1.0, 2 * 0.5**of_queries.better))


def test_a_threshold_of_scores_decides_who_flips() -> None:
    table = {"y": [1, 1, 0, 0] * 5, "a": [0.9, 0.4, 0.6, 0.1] * 5, "b": [0.9, 0.6, 0.6, 0.1] * 5, "id": range(20)}
    result = adjudge.classification(table, reference="y", score=["a", "b"], id="id", replicates=200)
    panel = result.outcome.panels.units[0]
    assert (panel.better, panel.equal, panel.worse) == (5, 15, 0)
    assert [(flip.id, flip.before, flip.after) for flip in panel.flips] == [
        (str(key), "0", "1") for key in range(1, 20, 4)
    ]
    strict = adjudge.classification(table, reference="y", score=["a", "b"], id="id", threshold=0.7, replicates=200)
    assert strict.outcome.panels.units[0].better == 0
    own = adjudge.classification(table, reference="y", score=["a", "b"], threshold=[0.7, 0.5], replicates=200)
    assert own.outcome.panels.units[0].better == 5
    assert own.outcome.panels.units[0].worse == 5


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_the_same_whatever_reads_the_table(engine: str) -> None:
    same = regressed(engine="memory").table.differences.rows
    other = regressed(engine=engine).table.differences.rows
    kept = {row.metric for row in other}
    assert [row for row in same if row.metric in kept] == list(other)
