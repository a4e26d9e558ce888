"""Ranked lists and uplift: closed forms held against every order of tied items, Yggdrasil Decision Forests, peers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden.row import Row

GOLDEN = json.loads((Path(__file__).parent / "ranking.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]}
YDF = {case["name"]: case for case in GOLDEN["ydf"]}

# What each figure is called, as the metric prints; {at} and {top} are the case's own.
NAMES = {
    "ndcg_exponential": "ndcg(at={at})",
    "ndcg_linear": "ndcg(at={at}, gain=linear)",
    "reciprocal_rank": "mean_reciprocal_rank",
    "reciprocal_rank_at": "mean_reciprocal_rank(at={at})",
    "average_precision": "mean_average_precision",
    "average_precision_at_by_all": "mean_average_precision(at={at})",
    "average_precision_at_by_min": "mean_average_precision(at={at}, by=min)",
    "precision_at": "precision_at(at={at})",
    "recall_at": "recall_at(at={at})",
    "hit_rate_at": "hit_rate_at(at={at})",
    "expected_reciprocal_rank_at": "expected_reciprocal_rank(at={at}, top_grade={top})",
    "expected_reciprocal_rank_all": "expected_reciprocal_rank(top_grade={top})",
    "rank_biased_precision": "rank_biased_precision(p=0.8)",
    "kendall_tau": "query_kendall_tau",
    "kendall_tau_b": "query_kendall_tau(variant=b)",
}


def items_of(given: dict[str, Any]) -> tuple[list[float], list[float]]:
    if "tied_block" in given:
        block = given["tied_block"]
        relevant = [block["grade_of_relevant"]] * block["relevant"]
        return [*relevant, *[0] * (block["items"] - len(relevant))], [0.0] * block["items"]
    return given["relevance"], given["score"]


def _of_queries() -> Iterator[Row]:
    for case in CASES.values():
        given = case["input"]
        if case["topic"] != "A.query":
            continue
        for figure, value in case["expect"].items():
            if figure in NAMES:
                metric = NAMES[figure].format(at=given["at"], top=given.get("top_grade", 4))
                expected = float("nan") if value == "undefined" else value
                yield Row(metric, *items_of(given), expected, f"{case['id']}: {case['source']}")


def _of_ydf() -> Iterator[Row]:
    for name in ("rank_ties", "rank_constant"):
        case = YDF[name]
        for at, expected in case["at"].items():
            yield Row(
                f"ndcg(at={at})",
                case["relevance"],
                case["score"],
                expected["ndcg"],
                f"ydf 0.16.1, {name}; a query without gain counts 0",
                1e-8,
                options={"query": case["query"], "no_relevant": "zero"},
            )


LISTS = [
    *_of_queries(),
    *_of_ydf(),
    # Test cases of Yggdrasil Decision Forests, metric_test.cc.
    Row("ndcg(at=5)", [3, 2, 3, 0, 1, 2], [10, 9, 8, 7, 6, 5], 0.8755944, "ydf, EvaluationOfRanking", 1e-7),
    Row("mean_reciprocal_rank", [0, 0, 0, 1], [1, 2, 4, 3], 0.5, "ydf, EvaluationOfRankingMRR"),
    Row("ndcg(at=5)", [3, 2, 3, 0, 1, 2], [1] * 6, 0.7070456, "ydf, EvaluationOfRankingWithTies", 1e-7),
    Row(
        "ndcg(at=5)",
        [3, 2, 3, 0, 1, 2, 4],
        [3, 3, 2, 1, 1, 1, 0],
        0.5023706,
        "ydf, EvaluationOfRankingWithTiesV2",
        1e-7,
    ),
]


def _of_trials() -> Iterator[Row]:
    for name in ("uplift_ties", "uplift_constant"):
        given, expect = CASES[name]["input"], CASES[name]["expect"]
        options = {"treatment": given["treatment"], "control": given["control"]}
        for metric, figure in (("uplift_auc", "auuc"), ("qini", "qini")):
            yield Row(metric, given["outcome"], given["score"], expect[figure], CASES[name]["source"], options=options)
    case = YDF["uplift_numerical"]
    options = {"treatment": case["treatment"], "control": 1}
    for metric, figure in (("uplift_auc", "auuc"), ("qini", "qini")):
        yield Row(metric, case["outcome"], case["score"], case[figure], "ydf 0.16.1, uplift", options=options)
    # Test cases of Yggdrasil Decision Forests, uplift_test.cc, checked by its authors with R; 1 is the control arm,
    # and of the outcomes, which are classes, 1 is 0 and 2 is 1.
    ydf = {"control": 1}
    six = ([0, 1, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    yield Row("qini", [1, 0, 0, 1], [0.8, 0.5, 0.9, 0.4], -0.25, "ydf", options=ydf | {"treatment": [1, 1, 2, 2]})
    yield Row("uplift_auc", *six, 0.4722222222, "ydf", options=ydf | {"treatment": [1, 1, 1, 2, 2, 2]})
    yield Row("qini", *six, 0.3055555556, "ydf", options=ydf | {"treatment": [1, 1, 1, 2, 2, 2]})
    yield Row("qini", [1, 0, 0, 1], [0.8, 0.5, 0.5, 0.5], -0.25, "ydf, ties", options=ydf | {"treatment": [1, 1, 2, 2]})


TRIALS = list(_of_trials())
