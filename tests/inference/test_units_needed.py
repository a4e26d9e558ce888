"""How many units would settle it: by the formula, by the exact search, and never on the wrong side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from adjudge.inference.planning.power import Aim, SquaresOutlook, units_for
from adjudge.inference.planning.sample_size import rows_for_share, share_power
from adjudge.inference.planning.units_needed import units_needed


def test_by_the_formula() -> None:
    reach = norm.ppf(0.95) + norm.ppf(0.8)
    assert units_needed(0.9, 0.85, 200, 0.02) == math.ceil(200 * (reach * 0.02 / 0.05) ** 2)


@pytest.mark.parametrize("at_least", [True, False])
def test_a_bound_from_above_mirrors_one_from_below(at_least: bool) -> None:
    estimate, bound = (0.9, 0.85) if at_least else (0.1, 0.15)
    assert units_needed(estimate, bound, 100, 0.03, at_least=at_least, share=True) == 304


@pytest.mark.parametrize(("estimate", "bound", "at_least"), [(0.8, 0.85, True), (0.85, 0.85, True), (0.2, 0.1, False)])
def test_on_the_wrong_side_no_number_helps(estimate: float, bound: float, at_least: bool) -> None:
    assert units_needed(estimate, bound, 100, 0.03, at_least=at_least) is None
    assert units_needed(estimate, bound, 100, 0.03, at_least=at_least, share=True) is None


@pytest.mark.parametrize("estimate", [float("nan"), float("inf")])
def test_what_is_undefined_needs_no_number(estimate: float) -> None:
    assert units_needed(estimate, 0.5, 100, 0.1) is None


def test_too_near_the_bound_is_never() -> None:
    assert units_needed(0.85 + 1e-9, 0.85, 100, 0.03, share=True) is None
    assert units_needed(0.85 + 1e-9, 0.85, 100, 0.03) is None


@pytest.mark.parametrize(("bound", "truth", "power"), [(0.5, 0.7, 0.8), (0.8, 0.92, 0.9), (0.02, 0.1, 0.8)])
def test_rows_for_a_share_by_brute_force(bound: float, truth: float, power: float) -> None:
    """Scipy's distribution, one number of rows after the other."""
    plan = rows_for_share(bound, truth, power=power)

    def reached(n: int) -> bool:
        passes = binom.isf(0.05, n, bound) + 1
        return bool(binom.sf(passes - 1, n, truth) >= power)

    ns = range(1, plan.rows + 60)
    assert next(n for n in ns if reached(n)) == plan.first
    assert not reached(plan.rows - 1)
    assert all(reached(n) for n in range(plan.rows, plan.rows + 60))
    assert share_power(np.array([plan.rows]), bound, truth, 0.05)[0] == pytest.approx(plan.power)


@pytest.mark.parametrize(("units", "reach"), [(30, 0.84), (100, 0.38), (300, 0.17)])
@pytest.mark.parametrize("bound", [1.1, 1.25, 1.5])
def test_a_root_mean_square_asks_for_as_many_rows_as_its_plan(units: int, reach: float, bound: float) -> None:
    """Normal errors: the limit that units have, and the standard error 1 / √(2n), tell what the plan knows."""
    shown = 1 / math.sqrt(2 * units)
    told = units_needed(1.0, bound, units, reach / norm.ppf(0.95), shown=shown, at_least=False)
    planned = units_for(SquaresOutlook(1.0), Aim(bound, at_least=False), 0.8)
    assert told == pytest.approx(planned, rel=0.15)
