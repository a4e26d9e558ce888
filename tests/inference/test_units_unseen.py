"""Shares of rows in units of which few make most of the variance: one more unit, as far off as any, was not seen."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.inference.intervals.closed_form import METHODS, clopper_pearson
from adjudge.inference.intervals.unit_shares import rows_worth, unit_share_limits
from adjudge.metrics import failure_rate
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.suites.case_outcomes import CaseOutcomes
from adjudge.statistics.weights import Weights

PART, WHOLE = ("failed",), ("cases",)


def _sums(cases: np.ndarray, failed: np.ndarray) -> LinearSums:
    units = np.stack([cases, failed], axis=1).astype(float)
    return LinearSums.collect(("cases", "failed"), units, Weights(len(units)))


def test_a_failure_rate_that_one_template_in_eight_makes() -> None:
    """40 templates with 8 cases on average, rates of .45 and .01: the truth is .065. Before, .90 of these held it."""
    random, held = np.random.default_rng(11), 0
    for _ in range(200):
        cases = np.minimum(random.geometric(0.12, 40), 40)
        failed = random.binomial(cases, np.where(random.random(40) < 0.125, 0.45, 0.01))
        limits = unit_share_limits(_sums(cases, failed), PART, WHOLE, 0.95, clopper_pearson, unseen=True)
        held += limits[1] <= 0.065 <= limits[2]
    assert held >= 185  # of .95 one run in 50 has fewer; .90 has them in one of five


def test_by_hand() -> None:
    """Residuals 4.5, −.5 × 9: squares 20.25 + 2.25, one more of 20.25; 2 × 10 / (10 × 410.625 / 22.5² − 1) degrees."""
    from scipy.special import stdtrit

    sums = _sums(np.full(10, 10.0), np.array([5.0, *[0.0] * 9]))
    freedom = 20 / (10 * (4.5**4 + 9 * 0.5**4) / 22.5**2 - 1)
    t, usual = (stdtrit(one, 0.975) for one in (freedom, 99))
    variance = 10 / 9 * (22.5 + 20.25) / 100**2
    more = 0.05 * 0.95 / variance * (usual / t) ** 2
    assert more < 10  # so few are not told: no less than if all cases of a template were alike
    assert rows_worth(sums, PART, WHOLE, 0.95, unseen=True) == pytest.approx(10.0, rel=1e-12)
    mild = _sums(np.full(10, 10.0), np.array([4.0, 3.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))
    residuals = np.array([4, 3, 2, 2, 1, 1, 1, 0, 0, 0]) - 1.4
    squares, fourths = (residuals**2).sum(), (residuals**4).sum()
    freedom = min(20 / (10 * fourths / squares**2 - 1), 9.0)
    few = (usual / stdtrit(freedom, 0.975)) ** 2
    worth = 0.14 * 0.86 / (10 / 9 * (squares + residuals.max() ** 2) / 100**2) * few
    assert rows_worth(mild, PART, WHOLE, 0.95, unseen=True) == pytest.approx(max(worth, 10.0), rel=1e-9)


def test_templates_that_fail_as_a_whole_are_a_share_of_templates() -> None:
    """Two of 40 templates fail in all cases: cases of one cannot be more alike, and the interval is as it was."""
    sums = _sums(np.full(40, 8.0), np.where(np.arange(40) < 2, 8.0, 0.0))
    rows = rows_worth(sums, PART, WHOLE, 0.95)
    assert 36 < rows < 40
    assert rows_worth(sums, PART, WHOLE, 0.95, unseen=True) == rows


def test_it_is_what_failure_rates_have_first() -> None:
    assert failure_rate.intervals[:2] == ("korn_graubard_unseen", "korn_graubard_units")
    outcomes = CaseOutcomes.of_arrays(["a"] * 12, ["a", "b"] * 6, template=[row // 3 for row in range(12)])
    unseen, plain = (METHODS[name].limits(failure_rate, outcomes, 0.95) for name in failure_rate.intervals[:2])
    assert unseen[0] <= plain[0] < plain[1] <= unseen[1]
