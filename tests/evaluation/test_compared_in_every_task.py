"""Differences where systems are no plain columns: annotators of preferences, rounded scores; and gates of errors."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.limits import Number, limit_of
from adjudge.evaluation.measure import Measured
from adjudge.metrics import mean_absolute_error, rmse
from adjudge.metrics.base import Metric
from adjudge.statistics.number_pairs import NumberPairs

RNG = np.random.default_rng(3)
ROWS = 200


def test_annotators_of_preferences_are_compared_with_a_named_one_on_the_same_pairs() -> None:
    reference = RNG.choice(["a", "b"], ROWS)
    other = {"a": "b", "b": "a"}

    def annotator(right: float) -> list[str]:
        return [vote if RNG.random() < right else other[vote] for vote in reference]

    table = {"ref": reference, "x": annotator(0.8), "y": annotator(0.6), "z": annotator(0.6)}
    asked = {"reference": "ref", "annotators": ["x", "y", "z"], "replicates": 200}
    assert not len(adjudge.preference(table, **asked).table.differences), "nobody asked"
    found = adjudge.preference(table, **asked, baseline="y")
    row = found.table.find("preference_strength", system="x", baseline="y")
    agree = {name: np.where(np.asarray(table[name]) == reference, 1.0, -1.0) for name in "xy"}
    assert row.estimate == pytest.approx((agree["x"] - agree["y"]).mean())
    assert row.family == 2
    error = (agree["x"] - agree["y"]).std(ddof=1) / ROWS**0.5
    assert row.high - row.low == pytest.approx(2 * 1.97 * error, rel=0.25), "paired, not added up"
    every_two = adjudge.preference(table, **asked, against="all").table.differences
    pairs = {frozenset((one.system, one.baseline)) for one in every_two}
    assert pairs == {frozenset("xy"), frozenset("xz"), frozenset("yz")}
    with pytest.raises(AdjudgeError, match="`baseline` must be one of the systems"):
        adjudge.preference(table, **asked, baseline="q")


def test_rounded_scores_are_compared_as_categories_under_the_same_draws() -> None:
    truth = np.clip(np.round(RNG.normal(3, 1, ROWS)), 1, 5)
    old, new = (np.clip(truth + RNG.normal(size=ROWS) * spread, 1, 5) for spread in (0.9, 0.5))
    table = {"h": truth, "old": old, "new": new}
    found = adjudge.scoring(table, raters=["h"], prediction=["old", "new"], min=1, max=5, replicates=200)
    rows = [row for row in found.table.differences if row.metric == "cohen_kappa"]
    assert rows
    assert {row.method for row in rows} >= {"paired_bootstrap"}
    assert all(row.low <= row.estimate <= row.high for row in rows)


def limits(metric: Metric, errors: np.ndarray) -> tuple[float, float]:
    pairs = NumberPairs.of_arrays(np.zeros(len(errors)), errors)
    measured = Measured("a", "all", len(errors), {NumberPairs: pairs}, (), (), None, {}, {})
    return limit_of(Number(measured, metric)).at(0.90)


def test_a_gate_of_rmse_allows_for_errors_that_few_rows_do_not_show() -> None:
    """Of 30 rows none may be of a kind that is 9.5 % of all, each twice as far off as the largest."""
    errors = RNG.normal(size=30)
    high = limits(rmse, errors)[1]
    unseen = 1 - 0.05 ** (1 / 30)
    assert high >= ((errors**2).mean() + unseen * 4 * (errors**2).max()) ** 0.5 - 1e-12
    many = RNG.normal(size=20_000)
    assert limits(rmse, many)[1] == pytest.approx((many**2).mean() ** 0.5, abs=0.02), "many rows show what there is"
    assert limits(mean_absolute_error, errors)[1] < high
