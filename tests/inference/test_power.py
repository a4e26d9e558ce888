"""What so many units will show, beside printed tables and other hands."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.gates import of_statistic
from scipy.stats import chi2, norm

from adjudge.inference.planning.power import (
    Aim,
    KappaOutlook,
    MeanOutlook,
    Outlook,
    ShareOutlook,
    SquaresOutlook,
    area_outlook,
    pairs_outlook,
    units_for,
    units_for_width,
)
from adjudge.metrics import rmse

OUTLOOKS: dict[str, tuple[Outlook, Aim]] = {
    "share": (ShareOutlook(0.9), Aim(0.85)),
    "mean": (MeanOutlook(0.65, 0.3), Aim(0.6)),
    "squares": (SquaresOutlook(0.5), Aim(0.6, at_least=False)),
    "area": (area_outlook(0.85, 0.2), Aim(0.8)),
    "kappa": (KappaOutlook(0.8, 0.3), Aim(0.6)),
    "pairs": (pairs_outlook(0.04, 0.12), Aim(0.0)),
}


@pytest.mark.parametrize(
    ("controls_per_case", "area", "cases"),
    [(1, 0.6, 135), (1, 0.7, 33), (1, 0.8, 14), (0.25, 0.6, 334), (0.25, 0.7, 80), (2, 0.6, 102), (4, 0.7, 21)],
)
def test_areas_as_in_obuchowski_and_others(controls_per_case: float, area: float, cases: int) -> None:
    """Obuchowski, Lieber and Wians 2004, table 4 (alpha .05 one-sided, power .9), as in the tests of pROC."""
    rows = units_for(area_outlook(area, 1 / (1 + controls_per_case)), Aim(0.5), 0.9)
    assert rows is not None
    # Whole rows here, whole cases there.
    assert math.ceil((rows - 1) / (1 + controls_per_case) - 1e-9) <= cases <= math.ceil(rows / (1 + controls_per_case))


def test_kappa_is_the_goodness_of_fit_plan() -> None:
    needed = units_for(KappaOutlook(0.8, 0.1), Aim(0.6, alpha=0.025), 0.8)
    assert needed == 335


def test_squares_by_simulation() -> None:
    random = np.random.default_rng(2)
    errors = random.normal(0, 0.5, (20_000, 60))
    lower = np.sqrt((errors**2).sum(1) / chi2.ppf(0.95, 60))
    assert SquaresOutlook(0.5).passes(60, Aim(0.45)) == pytest.approx((lower >= 0.45).mean(), abs=0.012)
    assert SquaresOutlook(0.25, rooted=False).passes(900, Aim(0.36, at_least=False)) == pytest.approx(
        SquaresOutlook(0.5).passes(900, Aim(0.6, at_least=False))
    )


@pytest.mark.parametrize(("rows", "bound"), [(30, 0.93), (50, 0.82), (100, 0.7), (300, 0.59), (1_500, 0.53)])
def test_squares_pass_as_often_as_a_gate_lets_them(rows: int, bound: float) -> None:
    random = np.random.default_rng(2)
    errors = random.normal(0, 0.5, (1_500, rows))
    passed = [of_statistic(rmse, rmse.statistic_of(np.zeros(rows), row), by_formula=True).at(0.9)[1] for row in errors]
    expected = float((np.array(passed) <= bound).mean())
    assert 0.1 < expected < 0.95
    assert SquaresOutlook(0.5).passes(rows, Aim(bound, at_least=False)) == pytest.approx(expected, abs=0.04)


def test_means_by_simulation() -> None:
    random = np.random.default_rng(3)
    values = random.normal(0.65, 0.3, (20_000, 40))
    lower = values.mean(1) - 1.6848751 * values.std(1, ddof=1) / math.sqrt(40)
    assert MeanOutlook(0.65, 0.3).passes(40, Aim(0.6)) == pytest.approx((lower >= 0.6).mean(), abs=0.012)


@pytest.mark.parametrize("name", OUTLOOKS)
def test_at_the_bound_the_chance_is_that_of_an_error(name: str) -> None:
    outlook, aim = OUTLOOKS[name]
    at_bound = Aim(outlook.truth, aim.at_least, aim.alpha)
    assert outlook.passes(200, at_bound) <= aim.alpha + 0.005


@pytest.mark.parametrize("name", OUTLOOKS)
def test_the_least_number_that_will_do(name: str) -> None:
    outlook, aim = OUTLOOKS[name]
    needed = units_for(outlook, aim, 0.8)
    assert needed is not None
    assert outlook.passes(needed, aim) >= 0.8 > outlook.passes(needed - 1, aim)
    wide = units_for_width(outlook, 0.05, 0.95)
    assert wide is not None
    assert outlook.half_width(wide, 0.95) <= 0.05 < outlook.half_width(wide - 1, 0.95)


@pytest.mark.parametrize("name", OUTLOOKS)
def test_on_the_wrong_side_no_number_will_do(name: str) -> None:
    outlook, aim = OUTLOOKS[name]
    assert units_for(outlook, Aim(aim.bound, not aim.at_least), 0.8) is None


def test_proof_of_equality_is_that_of_the_normal() -> None:
    """Four times as many units halve the width, and the chance follows the normal law."""
    outlook = area_outlook(0.85, 0.2)
    assert outlook.half_width(400, 0.95) == pytest.approx(outlook.half_width(100, 0.95) / 2)
    spread = outlook.half_width(1, 0.95) / norm.ppf(0.975)
    null = area_outlook(0.8, 0.2).half_width(1, 0.95) / norm.ppf(0.975)
    expected = norm.cdf((0.05 * math.sqrt(500) - norm.ppf(0.95) * null) / spread)
    assert outlook.passes(500, Aim(0.8)) == pytest.approx(expected)
