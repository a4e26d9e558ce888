"""Requirements of columns: the same figures as their metrics, with slices, clusters, weights, gaps and originals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.evaluation.gates.column_limits import laplace
from adjudge.evaluation.gates.requirement_text import parsed
from adjudge.evaluation.gates.verdicts import Verdict

ROWS = 240


def table() -> dict[str, list[Any]]:
    r = np.random.default_rng(5)
    return {
        "label": ["a"] * ROWS,
        "guess": list(r.choice(["a", "b"], ROWS, p=[0.9, 0.1])),
        "item": [f"i{row // 4}" for row in range(ROWS)],
        "variant": ["original" if row % 4 == 0 else "typo" if row % 4 < 3 else "caps" for row in range(ROWS)],
        "right": [int(one) for one in r.random(ROWS) < 0.9],
        "cost": [float(one) for one in r.gamma(2.0, 1.0, ROWS)],
        "hours": [2.0] * ROWS,
        "failed": [0] * ROWS,
        "user": [f"u{row % 40}" for row in range(ROWS)],
        "desk": ["new" if row % 3 == 0 else "old" for row in range(ROWS)],
    }


def judged(*requirements: Any, **given: Any) -> list[Verdict]:
    gate = adjudge.Gate.of(*requirements)
    return list(gate.run(given.pop("data", table()), reference="label", prediction="guess", replicates=200, **given))


@pytest.mark.parametrize(
    ("requirement", "metric", "columns", "method"),
    [
        ("p95(cost) <= 100", metrics.quantile, ["cost"], "order_statistics"),
        ("mean(cost) <= 100", metrics.mean, ["cost"], "jackknife_hill"),
        ("geometric_mean(cost) <= 100", metrics.geometric_mean, ["cost"], "log_student"),
        ("cost_per_right(cost, right) <= 100", metrics.cost_per_right, ["cost", "right"], "fieller_hill"),
        ("success_rate(right) >= 0.1", metrics.success_rate, ["right"], "clopper_pearson"),
    ],
)
def test_a_requirement_is_its_metric(requirement: str, metric: Any, columns: list[str], method: str) -> None:
    [verdict] = judged(requirement)
    of = [table()[name] for name in columns]
    expected = adjudge.estimate(metric, *of, level=0.9, method=method)
    assert verdict.method == method
    assert (verdict.estimate, verdict.low, verdict.high) == pytest.approx(
        (expected.value, expected.interval.low, expected.interval.high)
    )


@pytest.mark.parametrize(
    ("failures", "verdict"),
    [((2, 40), "passed"), ((40, 2), "failed"), ((3, 4), "inconclusive"), ((40, 0), "failed"), ((0, 0), "inconclusive")],
)
def test_two_systems_by_their_failures(failures: tuple[int, int], verdict: str) -> None:
    own, other = ([count, *[0] * 39] for count in failures)
    weeks = {"new_h": [168] * 40, "new_f": own, "old_h": [168] * 40, "old_f": other}
    log = {"name": "log", "characteristic": "reliability"}
    log |= {"requirement": ["failure_ratio(new_h, new_f, old_h, old_f) <= 1"]}
    [ratio] = adjudge.adequacy({"table": [log]}, {"log": weeks})
    assert ratio.verdict == verdict


def test_tries_are_gathered_by_item() -> None:
    right = np.array(table()["right"]).reshape(-1, 4)
    [verdict] = judged("pass_hat_k(k=2)(right by item) >= 0.1")
    assert verdict.estimate == pytest.approx(metrics.pass_hat_k(right, k=2))
    assert verdict.n == ROWS // 4


def test_perturbed_rows_meet_their_originals() -> None:
    right = np.array(table()["right"], dtype=float).reshape(-1, 4)
    all_of, every = judged(
        "robustness_drop(right by item from variant = original) <= 0.5",
        "every variant: robustness_drop(right by item from variant = original) <= 0.5",
    )
    assert all_of.estimate == pytest.approx((right[:, 0] - right[:, 1:].mean(axis=1)).mean())
    assert {leaf.slice: leaf.estimate for leaf in every.levels} == pytest.approx(
        {
            "variant = typo": (right[:, 0] - right[:, 1:3].mean(axis=1)).mean(),
            "variant = caps": (right[:, 0] - right[:, 3]).mean(),
        }
    )
    assert {leaf.method for leaf in every.levels} == {"guarded_t", "tango"}


def test_an_item_without_an_original_is_left_out() -> None:
    data = table()
    data["variant"][0] = "typo"
    [verdict] = judged("robustness_drop(right by item from variant = original) <= 0.5", data=data)
    assert verdict.n == ROWS // 4 - 1


def test_no_failure_has_a_lower_limit() -> None:
    passed, failed = judged("mean_time_between_failures(hours, failed) >= 150", "failed_share(failed) <= 0.02")
    assert passed.estimate is None
    assert passed.low == pytest.approx(2 * ROWS / -math.log(0.05))
    assert (passed.verdict, passed.high) == ("passed", None)
    assert failed.high == pytest.approx(1 - 0.05 ** (1 / ROWS))


def test_failures_that_bunch_are_told() -> None:
    data = table()
    data["failed"] = [0] * (ROWS - 12) + [1] * 12
    gate = adjudge.Gate.of("mean_time_between_failures(hours, failed) >= 10")
    evaluation = gate.evaluate(data, reference="label", prediction="guess")
    assert "failures come late" in evaluation.table.limits.rows[0].note
    assert laplace(np.column_stack([np.ones(10), np.ones(10)])) == pytest.approx(0.0)


def test_a_slice_beside_another() -> None:
    [verdict] = judged({"metric": "accuracy", "slice": "desk = new", "versus_slice": "desk = old", "margin": 0.2})
    data = table()
    right = np.array([one == "a" for one in data["guess"]])
    new = np.array([desk == "new" for desk in data["desk"]])
    assert verdict.estimate == pytest.approx(right[new].mean() - right[~new].mean())
    [absent] = judged({"metric": "accuracy", "slice": "desk = new", "versus_slice": "desk = none", "margin": 0.2})
    assert (absent.verdict, absent.why) == ("inconclusive", "there is no desk = none")
    [costs] = judged(
        {"metric": "mean", "column": "cost", "slice": "desk = new", "versus_slice": "desk = old", "margin": 9}
    )
    cost = np.array(data["cost"])
    assert costs.estimate == pytest.approx(cost[new].mean() - cost[~new].mean())
    # How far each mean may be off on its side, squared and added.
    above, below = (adjudge.estimate("mean", cost[part], level=0.9) for part in (new, ~new))
    reach = math.hypot(above.interval.high - above.value, below.value - below.interval.low)
    assert costs.high == pytest.approx(costs.estimate + reach, abs=0.02)


def test_clusters_widen_and_weights_may_be_rescaled() -> None:
    data = table()
    data["failed"] = [int(int(user[1:]) < 4) for user in data["user"]]
    plain, clustered = (judged("failed_share(failed) <= 0.5", data=data, **of)[0] for of in ({}, {"cluster": "user"}))
    assert clustered.estimate == plain.estimate
    assert clustered.high > plain.high + 0.02
    data["light"], data["heavy"] = data["cost"], [100 * one for one in data["cost"]]
    texts = ("p90(cost) <= 99", "cost_per_right(cost, right) <= 99", "success_rate(right) >= 0.2", "mean(hours) <= 9")
    one, other = (judged(*texts, data=data, weight=name) for name in ("light", "heavy"))
    assert [(v.estimate, v.low, v.high) for v in one[:3]] == [
        pytest.approx((v.estimate, v.low, v.high)) for v in other[:3]
    ]


def test_too_few_values_for_an_upper_limit() -> None:
    data = {name: column[:40] for name, column in table().items()}
    [verdict] = judged("p95(cost) <= 100", data=data)
    assert (verdict.verdict, verdict.high) == ("inconclusive", None)
    [clustered] = judged("p95(cost) <= 100", data=data, cluster="user")
    assert (clustered.verdict, clustered.high) == ("inconclusive", None)


def test_values_that_are_missing_are_counted() -> None:
    data = table()
    data["cost"][3] = None
    gate = adjudge.Gate.of("mean(cost) <= 100")
    row = gate.evaluate(data, reference="label", prediction="guess").table.limits.rows[0]
    assert (row.n, row.note) == (ROWS - 1, "1 without a value left out")


@pytest.mark.parametrize(
    "text",
    [
        "p95(cost) <= 1",
        "cost_per_right(cost, right) <= 1",
        "pass_hat_k(k=2)(right by item) >= 0.5",
        'every variant: robustness_drop("is right" by item from variant = original) <= 0.2',
        "mean_time_between_failures(stopped=failure)(hours, failed) >= 10",
        "system_usability(q1, q2, q3, q4, q5, q6, q7, q8, q9, q10) >= 68",
    ],
)
def test_the_text_reads_back(text: str) -> None:
    assert parsed(text).text == text
    assert parsed(parsed(text).text) == parsed(text)


@pytest.mark.parametrize(
    ("requirement", "needs"),
    [
        ("mean(cost, hours) <= 3", "`column` of mean must be one column, not 2"),
        ("mean_time_between_failures(hours) >= 3", r"must be 2 columns \(exposure, failures\), not 1"),
    ],
)
def test_a_requirement_says_how_many_columns_it_is_of(requirement: str, needs: str) -> None:
    with pytest.raises(SettingError, match=needs):
        parsed(requirement)
