"""Figures behind panels and plans, worked out another way."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import hypergeom

from adjudge.diagnosis.checks.order import likeness
from adjudge.diagnosis.preferences.model_strengths import Games, davidson
from adjudge.diagnosis.preferences.strength_differences import _guarded
from adjudge.diagnosis.preferences.trait_effects import _product_limits
from adjudge.diagnosis.raters.sets import swapped_labels
from adjudge.diagnosis.robust_errors import of_people
from adjudge.evaluation.gates.limits import variance_of
from adjudge.evaluation.gates.requirement_scope import _levels
from adjudge.evaluation.planning.outlooks import _two_samples
from adjudge.evaluation.planning.size_questions import Assumptions, neighbours, question_of
from adjudge.inference.differences.shares_apart import fisher_p
from adjudge.metrics import accuracy
from adjudge.statistics.ratings.set_rows import SetRows


def test_likeness_of_pairs_by_analysis_of_variance() -> None:
    """Pairs 11, 10, 00, 00: mean squares 0.4583 between and 0.125 within, so (B − W) / (B + W) = 4/7."""
    wrong = np.array([1, 1, 1, 0, 0, 0, 0, 0], dtype=bool)
    assert likeness(wrong, np.repeat(np.arange(4), 2)).correlation == pytest.approx(4 / 7)


def test_likeness_of_groups_of_unequal_size() -> None:
    """Sizes 3, 2, 1: the mean size is (6 − 14/6) / 2 (Donner and Koval 1980)."""
    wrong, group = np.array([1, 1, 0, 0, 0, 1], dtype=bool), np.array([0, 0, 0, 1, 1, 2])
    between = (3 * (2 / 3 - 0.5) ** 2 + 2 * 0.25 + 0.25) / 2
    within = (3 * (2 / 3) * (1 / 3)) / 3
    size = (6 - 14 / 6) / 2
    expected = (between - within) / (between + (size - 1) * within)
    assert likeness(wrong, group).correlation == pytest.approx(expected)


@pytest.mark.parametrize(("share", "rest"), [(0.8, 0.5), (0.3, 0.6), (0.5, 0.5)])
def test_fishers_test_with_half_of_what_was_seen(share: float, rest: float) -> None:
    n, others = 10, 20
    right = round(share * n)
    drawn = hypergeom(n + others, right + round(rest * others), n)
    below = drawn.cdf(right) - drawn.pmf(right) / 2
    assert fisher_p(share, n, rest, others) == pytest.approx(min(1.0, 2 * min(below, 1 - below)))


def test_two_shares_on_different_rows_vary_by_their_common_mean_under_no_difference() -> None:
    outlook = _two_samples(accuracy, Assumptions(expect=0.9, against=0.8))
    assert outlook.spread(0.0) == pytest.approx(math.sqrt(2 * 0.85 * 0.15))  # type: ignore[attr-defined]
    assert outlook.spread(0.1) == pytest.approx(math.sqrt(0.9 * 0.1 + 0.8 * 0.2))  # type: ignore[attr-defined]


def test_plans_of_means_have_neighbours_of_their_deviation() -> None:
    given = Assumptions(expect=0.5, deviation=0.2)
    question = question_of("mean_absolute_error", given, level=0.95, confidence=None)
    assert [words for words, _ in neighbours(question, given)] == ["deviation 0.16", "deviation 0.25"]


def test_limits_of_a_product() -> None:
    """Zou and Donner: 0.5 · 0.8 with limits 0.4–0.7 and 0.7–0.85; a negative factor mirrors it."""
    low, high = _product_limits(0.5, (0.4, 0.7), 0.8, (0.7, 0.85))
    assert low == pytest.approx(0.4 - math.hypot(0.8 * 0.1, 0.5 * 0.1))
    assert high == pytest.approx(0.4 + math.hypot(0.8 * 0.2, 0.5 * 0.05))
    assert _product_limits(-0.5, (-0.7, -0.4), 0.8, (0.7, 0.85)) == pytest.approx((-high, -low))


def test_levels_of_several_looks_fall_towards_the_last() -> None:
    """O'Brien and Fleming: z at look k of K is the last one's times √(K / k); of four, 5 % one-sided, it is 1.733."""
    levels = _levels(4, 0.05, "obrien_fleming")
    z = [NormalDist().inv_cdf(0.5 + level / 2) for level in levels]
    assert z[-1] == pytest.approx(1.733, abs=0.002)
    assert z == pytest.approx([z[-1] * math.sqrt(4 / k) for k in (1, 2, 3, 4)])
    assert _levels(1, 0.05, "obrien_fleming") == (0.9,)


def test_a_guarded_error_is_at_least_the_usual_one() -> None:
    values = np.array([1.0, 3, 2, 6, 4, 2])
    around = np.array([1.0, 0.01]) * ((values - 3) ** 2).sum()  # the same again, and a tenth as far apart
    usual = float(values.std(ddof=1)) / math.sqrt(6)
    assert _guarded(around, 6).tolist() == pytest.approx([usual, math.sqrt((around[1] + 2) / (7 * 8))])


def test_swapped_labels_count_by_the_weight_of_their_item() -> None:
    rows = SetRows(("a", "b"), ("{a}", "{b}"), ("ann", "ben"), np.array([[0, 0], [0, 1], [1, 0]]))
    [swap] = swapped_labels(rows, np.array([1.0, 3.0, 0.5]), 5)
    assert swap.items == pytest.approx(3.5)


def test_variance_of_one_draw_is_unknown() -> None:
    assert math.isnan(variance_of(np.array([1.0, np.nan])))
    assert variance_of(np.array([1.0, 3.0, np.nan])) == pytest.approx(1.0)


def test_errors_of_people_who_have_one_response_each_are_those_of_responses() -> None:
    """Bell and McCaffrey's correction of a lone response is HC2: squared residuals over 1 less leverage."""
    random = np.random.default_rng(3)
    design = np.column_stack([np.ones(12), np.repeat([0.0, 1.0], 6)])
    y = random.normal(size=12)
    inverse = np.linalg.inv(design.T @ design)
    residuals = y - design @ inverse @ design.T @ y
    basis = np.linalg.cholesky(inverse)
    each = np.arange(12)
    spread = of_people(design, basis, np.ones(12), residuals, (each, (design[:, 1] > 0).astype(int), each))
    pulls, leverage = design @ inverse, ((design @ inverse) * design).sum(1)
    expected = pulls.T @ (pulls * (residuals**2 / (1 - leverage))[:, None])
    assert spread.covariance == pytest.approx(expected)


def test_strengths_are_differences_so_that_their_errors_sum_to_nothing() -> None:
    games = Games(
        np.array([0, 0, 1, 1, 2, 0]),
        np.array([1, 1, 2, 2, 0, 2]),
        np.array([1.0, 0.5, 0, 0.5, 0.5, 1]),
        np.ones(6),
        np.arange(6),
        ("x", "y", "z"),
    )
    made = davidson(games)
    assert made.values.sum() == pytest.approx(0.0, abs=1e-9)
    assert made.covariance.sum(1) == pytest.approx(np.zeros(3), abs=1e-9)
    assert (np.diagonal(made.covariance) > 0).all()
