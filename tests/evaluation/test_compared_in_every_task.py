"""Differences where systems are no plain columns: annotators of preferences, rounded scores; and gates of errors."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.limits import Number, limit_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.metrics import mean_absolute_error, rmse
from adjudge.metrics.base import Metric
from adjudge.statistics.numbers.pairs import NumberPairs

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


@pytest.mark.parametrize("more", [{}, {"candidate": "who"}, {"weight": "w"}, {"slices": "half"}])
@pytest.mark.parametrize("size", [ROWS, 40_000])
def test_rounded_scores_are_compared_as_categories_under_the_same_draws(size: int, more: dict[str, str]) -> None:
    if size > ROWS and "slices" in more:
        return
    truth = np.clip(np.round(RNG.normal(3, 1, size)), 1, 5)
    shared = RNG.normal(size=size)  # both err alike: differences vary less than each does
    old, new = (np.clip(truth + shared * 0.8 + RNG.normal(size=size) * own, 1, 5) for own in (0.3, 0.2))
    table = {"h": truth, "old": old, "new": new, "who": np.arange(size) // (size // 100), "w": np.full(size, 3.0)}
    table["half"] = np.arange(size) % 2
    asked = {"raters": ["h"], "prediction": ["old", "new"], "min": 1, "max": 5, "replicates": 200}
    found = adjudge.scoring(table, **asked, **more, metrics=["cohen_kappa", "exact_agreement"])
    rows = [row for row in found.table.differences if row.metric == "cohen_kappa"]
    assert {row.method for row in rows} >= {"paired_bootstrap"}
    assert all(row.low <= row.estimate <= row.high for row in rows)
    assert ("half = 1" in {row.slice for row in rows}) == ("slices" in more)
    [row] = [one for one in rows if (one.slice, one.method) == ("all", "paired_bootstrap")]
    each = [one for one in found.table.estimates if (one.metric, one.slice) == ("cohen_kappa", "all")]
    apart = sum((one.high - one.low) ** 2 for one in each if one.method == "bootstrap") ** 0.5
    assert row.high - row.low < 0.8 * apart, "paired, not added up"


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


def figures(found: adjudge.Evaluation, panel: str = "Fixed and broken") -> dict[str, dict[str, object]]:
    return {str(row.get("figure", row.get("run"))): row for row in found.panels[panel].records()}


def test_flips_of_clusters_have_the_limits_of_korn_and_graubard() -> None:
    users = np.repeat(np.arange(60), 10)
    breaks = np.repeat(np.arange(60) % 6 == 0, 10)  # whole clusters break
    table = {"y": ["a"] * 600, "old": ["a"] * 600, "new": np.where(breaks, "b", "a"), "user": users, "w": [2.0] * 600}
    asked = {"reference": "y", "prediction": ["old", "new"]}
    alone, together = (
        figures(adjudge.classification(table, **asked, **more))["Negative flip rate"]
        for more in ({}, {"cluster": "user"})
    )
    assert together["value"] == alone["value"] == pytest.approx(1 / 6)
    # Clopper and Pearson's limits of 10 in 60, by scipy 1.17 (binomtest); t of 59 instead of 599 widens them a little.
    assert together["low"] == pytest.approx(0.0829, abs=0.006)
    assert together["high"] == pytest.approx(0.2852, abs=0.008)
    weighed = figures(adjudge.classification(table, **asked, weight="w"))["Negative flip rate"]
    assert [weighed[end] for end in ("low", "high")] == pytest.approx([alone[end] for end in ("low", "high")])
    gate = ["negative_flip_rate of new against old <= 0.3"]
    [verdict] = adjudge.Gate.of(*gate).run(table, **asked, cluster="user")
    assert verdict.verdict == "passed"
    assert verdict.limit == pytest.approx(0.265, abs=0.01)  # one-sided 95 % of 10 in 60 is 0.2659


@pytest.mark.parametrize("more", [{}, {"cluster": "u"}, {"weight": "w"}])
def test_what_a_system_breaks_beside_itself_is_told_in_any_task(more: dict[str, str]) -> None:
    rows = np.arange(200)
    y = RNG.integers(0, 2, 200)
    again = np.where(rows < 10, 1 - y, y)  # ten of its answers change
    table = {"y": y, "old": y, "again": again, "new": y, "u": rows // 2, "w": np.full(200, 0.5), "h": y + 1.0}
    found = adjudge.classification(table, reference="y", prediction=["old", "new"], repeats="again", **more)
    assert figures(found, "old beside itself")["again"]["negative flip rate"] == pytest.approx(0.05)
    found = adjudge.regression(table, reference="y", prediction=["old", "new"], repeats="again", **more)
    assert figures(found, "old beside itself")["again"]["broken"] == pytest.approx(10)
    if not more:
        found = adjudge.scoring(table, raters="h", prediction=["old", "new"], repeats="again")
        assert figures(found, "old beside itself")["again"]["churn"] == pytest.approx(0.05)
    with pytest.raises(AdjudgeError, match="`repeats` must be other columns than the systems'"):
        adjudge.classification(table, reference="y", prediction=["old", "new"], repeats="new")
