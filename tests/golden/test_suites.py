"""Suites and side effects beside other hands: each case of suites.json names its source and tolerance."""

from __future__ import annotations

import numpy as np
import pytest
from tests.golden.suite_rows import CASES, EXPECTED, SAID, TEMPLATES

from adjudge.inference.differences.flips import Flips, named_shares
from adjudge.inference.intervals.closed_form import METHODS, clopper_pearson
from adjudge.inference.intervals.unit_shares import rows_worth
from adjudge.metrics import failure_rate
from adjudge.statistics.suites.case_outcomes import CASES as ALL_CASES
from adjudge.statistics.suites.case_outcomes import FAILURES, CaseOutcomes


def test_failures_by_template_have_the_interval_of_korn_and_graubard() -> None:
    case = CASES["suite_by_template"]
    expect, near = case["expect"], case["tolerance"]
    by_template = CaseOutcomes.of_arrays(EXPECTED, SAID, template=TEMPLATES)
    assert float(failure_rate.values(by_template)) == pytest.approx(expect["failure_rate"], abs=near)
    low, high = METHODS["korn_graubard_units"].limits(failure_rate, by_template, 0.95)
    assert [float(low), float(high)] == pytest.approx(expect["korn_graubard"], abs=near)
    rows = rows_worth(by_template.sums, (FAILURES,), (ALL_CASES,), 0.95)
    assert rows == pytest.approx(expect["effective_cases"], abs=1e-6)
    alone = CaseOutcomes.of_arrays(EXPECTED, SAID)
    low, high = METHODS["korn_graubard_units"].limits(failure_rate, alone, 0.95)
    assert [float(low), float(high)] == pytest.approx(expect["clopper_pearson_ignoring_templates"], abs=near)


def test_a_template_for_each_case_is_no_template() -> None:
    alone = CaseOutcomes.of_arrays(EXPECTED, SAID, template=list(range(len(SAID))))
    share = failure_rate.share(alone)
    ends = METHODS["korn_graubard_units"].limits(failure_rate, alone, 0.95)
    assert np.allclose(ends, clopper_pearson(share, 0.95), rtol=0, atol=1e-15)


def test_one_template_tells_no_interval() -> None:
    one = CaseOutcomes.of_arrays(EXPECTED, SAID, template=["t"] * len(SAID))
    assert np.isnan(METHODS["korn_graubard_units"].limits(failure_rate, one, 0.95)).all()


def test_templates_without_a_failure_are_worth_one_case_each() -> None:
    none = CaseOutcomes.of_arrays(["a"] * 40, ["a"] * 40, template=[row // 10 for row in range(40)])
    low, high = METHODS["korn_graubard_units"].limits(failure_rate, none, 0.95)
    assert float(low) == 0.0
    assert float(high) == pytest.approx(1 - 0.025 ** (1 / 4), abs=1e-12)


def test_flips() -> None:
    case = CASES["flips"]
    given, expect, near = case["input"], case["expect"], case["tolerance"]
    names = {"both": "both_right", "fixed": "only_new", "broken": "only_old", "neither": "both_wrong"}
    counts = {name: given[other] for name, other in names.items()} | {"differing": given["different_answers"]}
    flips = Flips(counts)
    found = {named.label: numbers for named, *numbers in named_shares(flips, 0.95, 7)}
    assert found["Negative flip rate"] == pytest.approx(
        [expect["negative_flip_rate"], *expect["nfr_interval_95"]], abs=near
    )
    assert found["Positive flip rate"] == pytest.approx(
        [expect["positive_flip_rate"], *expect["pfr_interval_95"]], abs=near
    )
    for label, figure in (
        ("Churn", "churn"),
        ("Backward trust compatibility", "backward_trust"),
        ("Backward error compatibility", "backward_error"),
        ("Relative negative flip rate", "relative_nfr"),
    ):
        assert found[label][0] == pytest.approx(expect[figure], abs=near)
    assert flips.net / flips.total == pytest.approx(expect["net"], abs=near)
    assert flips.p() == pytest.approx(expect["p_exact_two_sided"], abs=near)
    low, high = found["Relative negative flip rate"][1:]
    assert low < expect["relative_nfr"] < high
