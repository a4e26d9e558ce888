"""Machines that fail at unequal rates: how far limits reach, how often they hold, and how often the test alarms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, chi2, norm, t

import adjudge
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import failure_ratio
from adjudge.metrics import mean_time_between_failures as mtbf

LUMPY = [0, 0, 5, 0, 0, 0, 4, 0, 0, 1]


def test_failures_in_heaps_count_as_fewer():
    found = adjudge.failures({"h": [100] * 10, "f": LUMPY}, exposure="h", failures="f", replicates=100)
    row = found.table.find("mean_time_between_failures")
    # The dispersion of ten counts with mean 1 is 32 / 9; the rest is SciPy's.
    spread = 32 / 9 * (t.ppf(0.975, 9) / norm.ppf(0.975)) ** 2
    events, exposure = 10 / spread, 1000 / spread
    limits = [2 * exposure / chi2.ppf(tail, 2 * count) for tail, count in ((0.975, events + 1), (0.025, events))]
    assert (row.estimate, row.method) == (100, "garwood_dispersed")
    assert (row.low, row.high) == pytest.approx(limits)
    by_name = [one.method for one in found.table.where(metric="mean_time_between_failures")]
    assert by_name == ["garwood_dispersed", "garwood"]


@pytest.mark.parametrize("counts", [LUMPY[:9], [1] * 10, [1, 0, 2, 1, 0, 1, 1, 2, 0, 1, 1, 1]])
def test_few_rows_and_rows_that_are_alike_keep_the_chi_square_limits(counts):
    found = adjudge.failures({"h": [100] * len(counts), "f": counts}, exposure="h", failures="f", replicates=100)
    assert found.table.find("mean_time_between_failures").method == "garwood"


def _machines(random: np.random.Generator, n: int, spread: float) -> list[Any]:
    rate, hours = random.gamma(1 / spread, spread, n), random.uniform(20, 180, n)
    return [hours, random.poisson(rate * hours / 100)]


def test_limits_hold_where_machines_differ():
    random, held = np.random.default_rng(4), {"garwood": 0, "garwood_dispersed": 0}
    for _ in range(400):
        rows = mtbf.statistic_of(*_machines(random, 60, 1.2))
        for method in held:
            bounds = closed_form(method, mtbf, rows, 0.95) or closed_form("garwood", mtbf, rows, 0.95)
            assert bounds is not None
            held[method] += bool(bounds.low <= 100 <= bounds.high)
    assert held["garwood"] < 350  # constant rates are not what it is
    assert held["garwood_dispersed"] > 366


def test_the_ratio_of_two_systems_is_of_as_few_failures_and_agrees_with_the_test():
    table = {"h": [10] * 20, "old": [1, 8] * 10, "new": [9, 0] * 10}
    found = adjudge.failures(table, exposure="h", failures=["old", "new"], replicates=100)
    ratio = found.table.find("failure_ratio", system="new beside old")
    adds = np.array([9, 0] * 10) / 90 - np.array([1, 8] * 10) / 90
    spread = 20 / 19 * (adds**2).sum() / (2 / 90) * (t.ppf(0.975, 19) / norm.ppf(0.975)) ** 2
    low, high = beta.ppf(0.025, 90 / spread, 90 / spread + 1), beta.ppf(0.975, 90 / spread + 1, 90 / spread)
    assert ratio.method == "conditional_binomial_dispersed"
    assert (ratio.low, ratio.high) == pytest.approx((low / (1 - low), high / (1 - high)))
    difference = found.table.find("mean_time_between_failures", system="new", baseline="old")
    assert difference.test == "given all failures, rates differ between rows"
    for new in ([3, 0] * 10, [9, 1] * 10, [30, 0] * 10):
        found = adjudge.failures(table | {"new": new}, exposure="h", failures=["old", "new"], replicates=100)
        ratio = found.table.find("failure_ratio", system="new beside old")
        p = found.table.find("mean_time_between_failures", system="new", baseline="old").p
        assert (p < 0.05) == (not ratio.low <= 1 <= ratio.high)


def test_rates_that_both_share_do_not_count():
    # The same machines are bad for both: given all failures, the share of one is binomial as ever.
    hours, busy = [10.0] * 40, [1, 1, 1, 12] * 10
    rows = failure_ratio.statistic_of([[h, f, h, f] for h, f in zip(hours, busy, strict=True)])
    assert closed_form("conditional_binomial_dispersed", failure_ratio, rows, 0.95) is None


def test_two_systems_that_are_as_good_are_seldom_told_apart():
    random, alarms = np.random.default_rng(5), 0
    for _ in range(120):
        (hours, old), (_, new) = (_machines(random, 50, 1.0) for _ in range(2))
        new = random.poisson(random.gamma(1.0, 1.0, 50) * hours / 100)
        table = {"h": hours, "old": old, "new": new}
        found = adjudge.failures(table, exposure="h", failures=["old", "new"], replicates=100)
        alarms += found.table.find("mean_time_between_failures", system="new", baseline="old").p < 0.05
    assert alarms <= 13  # of 120 at 5 %: exceeded once in a hundred times; the exact test alarms in 21
