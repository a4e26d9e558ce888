"""Limits of a quantile: order statistics of rows that are alike, Woodruff's where they weigh or belong together."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.inference.intervals.quantiles import woodruff_reach

RNG = np.random.default_rng(11)


def test_weights_of_one_reach_no_further_in_than_order_statistics() -> None:
    values = RNG.lognormal(size=200)
    plain, weighed = adjudge.estimate("quantile(at=0.9)", values, level=0.9), woodruff_reach(values, 0.9, np.ones(200))
    assert weighed.value == plain.value
    (low, high), (other_low, other_high) = (plain.interval.low, plain.interval.high), weighed.at(0.9)
    assert other_low <= low
    assert other_high >= high
    assert other_high <= float(np.sort(values)[np.searchsorted(np.sort(values), high) + 4]), "by a few values at most"


def test_weights_may_be_rescaled_and_a_cluster_for_each_row_is_none() -> None:
    values, weights = RNG.exponential(size=150), RNG.gamma(2.0, size=150)
    one, ten = woodruff_reach(values, 0.8, weights), woodruff_reach(values, 0.8, 10 * weights)
    assert one.at(0.9) == ten.at(0.9)
    apart = woodruff_reach(values, 0.8, weights, np.arange(150))
    assert apart.at(0.9) == one.at(0.9)


def test_rows_of_a_cluster_that_are_the_same_count_once() -> None:
    values = RNG.exponential(size=100)
    again = woodruff_reach(np.repeat(values, 5), 0.9, clusters=np.repeat(np.arange(100), 5))
    alone = woodruff_reach(values, 0.9, np.ones(100))
    assert again.at(0.9)[1] == pytest.approx(alone.at(0.9)[1], rel=0.25)
    assert again.at(0.9)[1] > again.value


def test_too_few_clusters_have_no_upper_limit_and_a_gate_says_how_many_it_takes() -> None:
    table = {
        "y": ["a", "b"] * 200,
        "p": ["a", "b"] * 200,
        "ms": RNG.exponential(size=400),
        "user": np.repeat(np.arange(40), 10),
    }
    asked = {"reference": "y", "prediction": "p", "metrics": "accuracy", "replicates": 100}
    [verdict] = adjudge.Gate.of("p95(ms) <= 100").run(table, cluster="user", **asked)
    assert verdict.verdict == "inconclusive"
    [row] = list(adjudge.Gate.of("p95(ms) <= 100").evaluate(table, cluster="user", **asked).table.limits)[:1]
    assert "59 clusters are needed" in row.note
    [half] = adjudge.Gate.of("p50(ms) <= 2").run(table, cluster="user", **asked)
    assert (half.verdict, half.method, half.n) == ("passed", "woodruff", 40)
    weighed = {**table, "w": RNG.gamma(2.0, size=400)}
    [tail] = adjudge.Gate.of("p95(ms) <= 100").run(weighed, weight="w", **asked)
    assert (tail.verdict, tail.method) == ("passed", "woodruff")
