"""Wilson's interval by effective worth: golden figures, what it becomes at the ends, and weighted queries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.golden.list_rows import CASES

from adjudge.inference.intervals.closed_form import closed_form, wilson
from adjudge.metrics import hit_rate_at, mean_reciprocal_rank, ndcg
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Mean, Share

INTERVALS = [name for name, case in CASES.items() if case["topic"] == "A.interval"]


def mean_of(values: Any, weights: Any = None, limits: tuple[float, float] = (0.0, 1.0)) -> Metric:
    """A metric that is the mean of these values."""
    v = np.array(values, dtype=float)
    w = np.ones(len(v)) if weights is None else np.array(weights, dtype=float)
    mean = (w @ v) / w.sum()
    moments = Mean(mean, w @ (v - mean) ** 2 / w.sum(), w.sum() ** 2 / (w @ w))
    return replace(hit_rate_at, mean=lambda statistic, **parameters: moments, range=limits)


@pytest.mark.parametrize("name", INTERVALS)
def test_golden_limits(name: str) -> None:
    given, expect = CASES[name]["input"], CASES[name]["expect"]
    metric = mean_of(given["values"], given.get("weights"), tuple(given.get("range", (0.0, 1.0))))
    bounds = closed_form("worth", metric, None, given["level"])
    assert bounds is not None
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(tuple(expect["interval"]), abs=1e-8)
    if "student" in expect:
        found = closed_form("student", metric, None, given["level"])
        clipped = np.clip(expect["student"], *metric.range)
        assert (float(found.low), float(found.high)) == pytest.approx(tuple(clipped), abs=1e-8)


def test_values_of_0_and_1_in_plenty_are_wilson() -> None:
    values = np.repeat([0.0, 1.0], [30_000, 70_000])
    bounds = closed_form("worth", mean_of(values), None, 0.95)
    low, high = wilson(Share(*(np.array(v) for v in (70_000.0, 1e5, 1e5))), 0.95)
    assert (float(bounds.low), float(bounds.high)) == pytest.approx((float(low), float(high)), abs=1e-6)


def test_one_value_has_no_interval_and_equal_ones_have_a_width() -> None:
    assert closed_form("worth", mean_of([0.3]), None, 0.95) is None
    bounds = closed_form("worth", mean_of([0.3] * 8), None, 0.95)
    assert bounds.low < 0.3 < bounds.high


def test_queries_weigh_once_whatever_their_items() -> None:
    case = CASES["mean_over_weighted_queries"]
    rows, expect = case["input"]["rows"], case["expect"]
    columns = {name: [row[name] for row in rows] for name in ("query", "relevance", "score", "weight")}
    weights = list({row["query"]: row["weight"] for row in rows}.values())
    arrays = columns["relevance"], columns["score"]

    def value(metric: Metric, **options: Any) -> float:
        return metric(*arrays, query=columns["query"], **options)

    at = case["input"]["at"]
    assert value(ndcg, at=at, weights=weights) == pytest.approx(expect["ndcg_weighted"])
    assert value(ndcg, at=at) == pytest.approx(expect["ndcg_unweighted"])
    zero = {"weights": weights, "no_relevant": "zero"}
    assert value(ndcg, at=at, **zero) == pytest.approx(expect["ndcg_weighted_undefined_as_zero"])
    assert value(mean_reciprocal_rank, weights=weights) == pytest.approx(expect["mrr_weighted"])
    assert value(mean_reciprocal_rank) == pytest.approx(expect["mrr_unweighted"])
    assert value(mean_reciprocal_rank, **zero) == pytest.approx(expect["mrr_weighted_undefined_as_zero"])
