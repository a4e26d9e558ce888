"""Gates from the table to the verdict beside other hands: each case of gates.json names its source and tolerance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import estimate
from adjudge.inference.intervals.judge_assisted import judge_assisted
from adjudge.inference.intervals.quantiles import values_for_limit
from adjudge.inference.reach import worth_reach
from adjudge.metrics import judge_assisted_mean, rogan_gladen
from adjudge.statistics.judges.sums import JudgedSums

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((Path(__file__).parent / "gates.json").read_text(encoding="utf-8"))
}


def shares(right: int, rows: int) -> dict[str, list[str]]:
    return {"label": ["a"] * rows, "guess": ["a"] * right + ["b"] * (rows - right)}


def judged(right: int, rows: int, requirement: str) -> adjudge.Verdicts:
    return adjudge.Gate.of(requirement).run(shares(right, rows), reference="label", prediction="guess")


@pytest.mark.parametrize("name", ["gate_182_of_200", "gate_45_of_50"])
def test_a_share(name: str) -> None:
    case = CASES[name]
    given, expected = case["input"], case["expect"]
    verdict = next(iter(judged(given["successes"], given["n"], f"accuracy {given['requirement']}")))
    assert verdict.verdict == expected["verdict"]
    assert verdict.method == "clopper_pearson"
    assert verdict.limit == pytest.approx(expected["lower_clopper_pearson"], abs=case["tolerance"])
    assert verdict.p_passed == pytest.approx(expected["p"], abs=case["tolerance"])
    if "upper_clopper_pearson" in expected:
        assert verdict.high == pytest.approx(expected["upper_clopper_pearson"], abs=case["tolerance"])


def test_no_failure_at_all() -> None:
    case = CASES["gate_zero_failures"]
    verdict = next(iter(judged(300, 300, "error_rate <= 0.01")))
    assert verdict.verdict == case["expect"]["verdict"]
    assert verdict.limit == pytest.approx(case["expect"]["upper"], abs=case["tolerance"])
    assert next(iter(judged(298, 298, "error_rate <= 0.01"))).units_needed == 1


def pairs(both: int, first: int, second: int, neither: int) -> dict[str, list[str]]:
    n = both + first + second + neither
    one = ["a"] * (both + first) + ["b"] * (second + neither)
    two = ["a"] * both + ["b"] * first + ["a"] * second + ["b"] * neither
    return {"label": ["a"] * n, "new": one, "old": two}


def test_not_worse() -> None:
    case = CASES["noninferior_paired"]
    given, expected = case["input"], case["expect"]
    table = pairs(*(given[key] for key in ("both_right", "only_first", "only_second", "both_wrong")))
    gate = adjudge.Gate.of({"metric": "accuracy", "system": "new", "versus": "old", "margin": given["margin"]})
    verdict = next(iter(gate.run(table, reference="label", prediction=["old", "new"])))
    assert (verdict.verdict == "passed") == expected["not_worse"]
    assert verdict.method == "tango"
    assert verdict.limit == pytest.approx(expected["one_sided_lower_95"], abs=case["tolerance"])
    assert verdict.p_passed == pytest.approx(expected["p"], abs=case["tolerance"])


def test_flips() -> None:
    case = CASES["flips"]
    given, expected = case["input"], case["expect"]
    table = pairs(*(given[key] for key in ("both_right", "only_new", "only_old", "both_wrong")))
    entry = {"metric": "negative_flip_rate", "system": "new", "versus": "old", "at_most": 0.05, "confidence": 0.975}
    gate = adjudge.Gate.of(entry, entry | {"metric": "positive_flip_rate"})
    negative, positive = gate.run(table, reference="label", prediction=["old", "new"])
    for verdict, name in ((negative, "nfr"), (positive, "pfr")):
        assert (verdict.low, verdict.high) == pytest.approx(expected[f"{name}_interval_95"], abs=case["tolerance"])
    assert negative.estimate == expected["negative_flip_rate"]


def test_percentiles() -> None:
    case = CASES["latency_percentiles"]
    values, expected = np.array(case["input"]["milliseconds"]), case["expect"]
    for at, name in ((0.5, "median"), (0.9, "p90")):
        interval = adjudge.estimate(f"quantile(at={at})", values).interval
        assert (interval.low, interval.high) == tuple(expected[f"interval_{name}"])
    assert values_for_limit(0.95, 0.05) == expected["n_for_upper_95_limit_of_p95"]
    assert values_for_limit(0.99, 0.05) == expected["n_for_upper_95_limit_of_p99"]


def test_clusters() -> None:
    case = CASES["suite_by_template"]
    reach = worth_reach(0.07, case["expect"]["se_clustered"] ** 2, (0.0, 1.0), units=10, rows=200)
    assert reach.at(0.95) == pytest.approx(case["expect"]["korn_graubard"], abs=case["tolerance"])


def test_a_judge_helps() -> None:
    case = CASES["ppi_proportion"]
    given, ours = case["input"], case["expect"]["ours"]
    others = np.zeros(given["judge_unlabelled_n"])
    others[: given["judge_unlabelled_ones"]] = 1
    human, judge = (np.array(given[key], dtype=float) for key in ("human", "judge_on_labelled"))
    people = np.concatenate([human, np.full(len(others), np.nan)])
    sums = JudgedSums.of_arrays(people, np.concatenate([judge, others]))
    found = (float(sums.weight), float(sums.estimate), sums.error(float(sums.weight)))
    assert found == pytest.approx((ours["lam"], ours["estimate"], ours["se"]), abs=1e-8)
    assert judge_assisted(judge_assisted_mean, sums, 0.95) == pytest.approx(ours["interval"], abs=1e-8)


def test_a_judge_calibrated_elsewhere() -> None:
    case = CASES["rogan_gladen"]
    given, expect = case["input"], case["expect"]
    (right, positive), (spared, negative) = given["judge_right_on_positive"], given["judge_right_on_negative"]
    people = [1] * positive + [0] * negative + [None] * given["n"]
    judge = [1] * right + [0] * (positive - right) + [0] * spared + [1] * (negative - spared)
    judge += [1] * given["judge_positive"] + [0] * (given["n"] - given["judge_positive"])
    found = estimate(rogan_gladen, people, judge)
    assert found.value == pytest.approx(expect["corrected"], abs=case["tolerance"])
    assert (found.interval.low, found.interval.high) == pytest.approx(expect["lang_reiczigel"], abs=case["tolerance"])
