"""The intervals of what is measured in use, held against R, NIST and SciPy."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import brentq
from scipy.stats import binomtest
from tests.golden.use_rows import ANSWERS, COST, LATENCY, RIGHT

import adjudge
from adjudge import metrics
from adjudge.errors import AdjudgeError
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.columns import conditional_p, lower_rank

CASES = json.loads((Path(__file__).parent / "in_use.json").read_text())


def ends(metric: Any, *arrays: Any, method: str, level: float = 0.95) -> tuple[float, float]:
    found = adjudge.estimate(metric, *arrays, method=method, level=level).interval
    return found.low, found.high


@pytest.mark.parametrize(("at", "name"), [(0.5, "median"), (0.9, "p90")])
def test_latency_percentiles(at: float, name: str) -> None:
    expect = CASES["latency_percentiles"]["expect"]
    assert ends(metrics.quantile.using(at=at), LATENCY, method="order_statistics") == tuple(expect[f"interval_{name}"])
    ranks = lower_rank(60, at, 0.025), 61 - lower_rank(60, 1 - at, 0.025)
    assert list(ranks) == expect[f"ranks_{name}"]


def test_mean_time_between_failures() -> None:
    mtbf, expect = metrics.mean_time_between_failures, CASES["mtbf_nist"]["expect"]
    assert ends(mtbf, [800], [2], method="garwood", level=0.9) == pytest.approx(expect["interval"], abs=1e-6)
    # SciPy 1.17: 800 / (chi2.ppf([.95, .05], 4) / 2): a failure ended the watch
    stopped = ends(mtbf.using(stopped="failure"), [800], [2], method="garwood", level=0.9)
    assert stopped == pytest.approx((168.63888016, 2251.22861063), abs=1e-6)
    # none seen: T / -ln(0.05) at one-sided 95 %
    none = closed_form("garwood", mtbf, mtbf.statistic_of([800], [0]), 0.9)
    assert none is not None
    assert (float(none.low), float(none.high)) == pytest.approx((267.0466, float("inf")), abs=1e-4)


def share_by_root(hits: int, rest: int, tail: float) -> float:
    """The share at which as many hits or more have a probability of `tail`, from the binomial sum itself."""
    n = hits + rest

    def upper(p: float) -> float:
        return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(hits, n + 1)) - tail

    return float(brentq(upper, 0.0, 1.0, xtol=1e-14))


@pytest.mark.parametrize(("hours", "failures"), [((800, 3011), (11, 21)), ((800, 400), (2, 4)), ((50, 70), (1, 9))])
def test_two_failure_rates_given_all_failures(hours: tuple[int, int], failures: tuple[int, int]) -> None:
    (first, second), (own, other) = hours, failures
    low, high = ends(metrics.failure_ratio, [[first, own, second, other]], method="conditional_binomial")
    # The limits of the share of failures that are the first one's, as odds, over the odds of the exposures
    shares = binomtest(own, own + other).proportion_ci(0.95, method="exact")
    assert (low, high) == pytest.approx([p / (1 - p) * second / first for p in shares], rel=1e-9)
    by_hand = share_by_root(own, other, 0.025), 1 - share_by_root(other, own, 0.025)
    assert (low, high) == pytest.approx([p / (1 - p) * second / first for p in by_hand], rel=1e-9)
    # The exact test at the exposures' share decides as the lower limit does.
    p = binomtest(own, own + other, first / (first + second), alternative="greater").pvalue
    assert (low > 1) == (p < 0.025)
    # Which of the two comes first only turns the ratio round.
    turned = ends(metrics.failure_ratio, [[second, other, first, own]], method="conditional_binomial")
    assert turned == pytest.approx((1 / high, 1 / low), rel=1e-9)


def test_two_failure_rates_without_failures() -> None:
    ratio, method = metrics.failure_ratio, "conditional_binomial"
    # none of the other's: p ≥ 0.025^(1/5); none of its own: p ≤ 1 − 0.025^(1/4)
    least, most = 0.025 ** (1 / 5), 1 - 0.025 ** (1 / 4)
    never = closed_form(method, ratio, ratio.statistic_of([[800, 5, 400, 0]]), 0.95)
    assert never is not None
    assert (float(never.low), float(never.high)) == pytest.approx((least / (1 - least) / 2, math.inf))
    assert ends(ratio, [[800, 0, 400, 4]], method=method) == pytest.approx((0, most / (1 - most) / 2))
    assert closed_form(method, ratio, ratio.statistic_of([[800, 0, 400, 0]]), 0.95) is None
    # 1 − 0.025^(1/n) is −ln 0.025 / n where n is so large that 1 − p would be 0
    endless = closed_form(method, ratio, ratio.statistic_of([[1, 1e18, 1, 0]]), 0.95)
    assert endless is not None
    assert float(endless.low) == pytest.approx(-1e18 / math.log(0.025), rel=1e-9)
    assert conditional_p(1, 1e20, 1, 1e20) == pytest.approx(1)
    assert conditional_p(1, 1e20, 1, 0) == 0


def test_cost_per_right_answer() -> None:
    expect = CASES["cost_per_correct"]["expect"]
    for method, name in (("fieller_ratio", "fieller"), ("delta_ratio", "delta_interval")):
        assert ends(metrics.cost_per_right, COST, RIGHT, method=method) == pytest.approx(expect[name], abs=1e-8)
    few = metrics.cost_per_right.statistic_of([1.0] * 10, [1] + [0] * 9)
    assert closed_form("fieller_ratio", metrics.cost_per_right, few, 0.95) is None


def test_system_usability() -> None:
    expect = CASES["sus"]["expect"]
    assert [metrics.system_usability([answers]) for answers in ANSWERS] == expect["scores"]
    found = ends(metrics.system_usability, ANSWERS, method="student")
    assert found == pytest.approx(expect["interval"], abs=1e-6)


def test_no_failure_in_three_hundred() -> None:
    found = closed_form("clopper_pearson", metrics.failed_share, metrics.failed_share.statistic_of([0] * 300), 0.9)
    assert found is not None
    assert float(found.high) == pytest.approx(CASES["gate_zero_failures"]["expect"]["upper"], abs=1e-6)


def test_a_drop_has_the_interval_of_paired_shares() -> None:
    first, second = [1] * 43 + [1], [1] * 43 + [0]
    low, _ = ends(metrics.robustness_drop, second, first, method="tango", level=0.9)
    # Tango 1998, contact lenses: the one-sided 95 % limit of the difference
    assert low == pytest.approx(-0.0956624263992, abs=1e-6)


def test_time_on_task_by_logarithms() -> None:
    # SciPy 1.17: exp(t.interval(0.95, 4, mean(log x), sem(log x)))
    times = [32.0, 45, 51, 80, 140]
    assert ends(metrics.geometric_mean, times, method="log_student") == pytest.approx(
        (29.86041264, 123.30039601), abs=1e-6
    )


@pytest.mark.parametrize("name", ["cost_per_right", "mean_time_between_failures", "robustness_drop", "share_kept"])
@pytest.mark.parametrize("given", [[1.0, 0.0], [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]])
def test_a_column_too_few_or_too_many_is_refused(name: str, given: list[float]) -> None:
    with pytest.raises(AdjudgeError, match="There must be two columns"):
        getattr(metrics, name)(given)
