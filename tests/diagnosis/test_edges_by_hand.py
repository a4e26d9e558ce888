"""Who and what is behind a number, at the edges: tests against textbooks' formulas and other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact
from statsmodels.stats.oneway import anova_oneway

from adjudge import metrics
from adjudge.data.facts import USED, Facts
from adjudge.diagnosis.checks.answers import judge_checks
from adjudge.diagnosis.checks.check import REMARK, SERIOUS
from adjudge.diagnosis.checks.labels import FEWEST_VALUES
from adjudge.diagnosis.checks.raters import rater_checks
from adjudge.diagnosis.checks.scores import curve_checks
from adjudge.diagnosis.checks.slices import slice_checks
from adjudge.diagnosis.checks.tables import MOST, table_checks
from adjudge.diagnosis.fairness import _Errors
from adjudge.diagnosis.preferences.model_strengths import Games, parts_of, what_is_unknown
from adjudge.diagnosis.preferences.strength_differences import unpaired_difference
from adjudge.diagnosis.raters.drift import _fisher_exact
from adjudge.diagnosis.robust_errors import GroupMeans, of_responses
from adjudge.diagnosis.slices.slice_search import _known_levels
from adjudge.diagnosis.slices.slice_tests import beside_rest
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.error_cells import ErrorCells

GROUPS = ([1.0, 2.0, 4.0, 3.0], [2.0, 6.0, 4.0], [5.0, 9.0, 4.0, 8.0, 4.0])


def test_shares_of_a_part_are_held_against_the_whole_exactly() -> None:
    """3 of 4 in one part where the whole has 5 of 20: Fisher's exact test, twice its smaller tail."""
    part, size = np.array([[5.0], [3.0]]), np.array([[20.0], [4.0]])
    tail = fisher_exact([[3, 1], [2, 14]], alternative="greater").pvalue
    assert float(_fisher_exact(part, size, size)[0, 0]) == pytest.approx(2 * tail)


def test_a_part_that_is_larger_than_the_whole_counts_as_the_whole() -> None:
    """Rounded worths may give a part one item more: everybody is in it, and nothing is left to differ."""
    part, size = np.array([[2.0], [2.0]]), np.array([[4.0], [4.0]])
    worth = np.array([[4.0], [5.0]])
    assert np.isfinite(_fisher_exact(part, size, worth)).all()


def test_means_of_groups_with_unequal_spread_are_compared_as_by_welch() -> None:
    """The F of Welch (1951), with his degrees of freedom: statsmodels' `anova_oneway(use_var="unequal")`."""
    sizes = np.array([len(group) for group in GROUPS], dtype=np.float64)
    means = np.array([np.mean(group) for group in GROUPS])
    variances = np.array([np.var(group, ddof=1) / len(group) for group in GROUPS])
    contrasts = np.array([[-1.0, 1, 0], [-1, 0, 1]])
    covariance = contrasts @ np.diag(variances) @ contrasts.T
    differences = contrasts @ means
    statistic = float(differences @ np.linalg.inv(covariance) @ differences)
    expected = anova_oneway([np.array(group) for group in GROUPS], use_var="unequal").pvalue
    assert GroupMeans.of(variances, sizes - 1).welch(statistic, 2) == pytest.approx(expected)


def test_a_single_unit_knows_nothing_of_its_spread() -> None:
    """It is fitted exactly, which is not that it would be so again."""
    known = GroupMeans.of(np.array([1.0, 0.0, 7.0]), np.array([4.0, 0.0, 4.0]))
    assert known.variances.tolist() == [1.0, 7.0]
    assert known.freedom.tolist() == [4.0, 4.0]


def test_two_groups_of_responses_have_the_errors_of_welch() -> None:
    """Of one column for each group, the variance of a mean is s² / n."""
    values = np.concatenate(GROUPS[:2])
    groups = np.array([0] * 4 + [1] * 3)
    design = np.eye(2)[groups]
    fitted = design @ [np.mean(group) for group in GROUPS[:2]]
    cells = np.ones(7), np.ones(7), (values - fitted) ** 2
    spread = of_responses(design, np.diag([1 / 4, 1 / 3]), cells, groups, kurtosis=1.0 + 1e-12)
    expected = [np.var(group, ddof=1) / len(group) for group in GROUPS[:2]]
    assert np.diagonal(spread.covariance).tolist() == pytest.approx(expected)
    assert spread.freedom.tolist() == pytest.approx([3.0, 2.0])


def test_kurtosis_is_of_errors_about_the_mean_of_their_group() -> None:
    """Errors of ±1 and, one time in ten, ±4, all shifted by 3: their fourth moment over the squared second."""
    errors = np.array([1.0, -1.0] * 9 + [4.0, -4.0])
    kurtosis = (errors**4).mean() / (errors**2).mean() ** 2
    for shift in (0.0, 3.0):
        cells = ErrorCells.of_groups(np.zeros(20), errors + shift, np.zeros(20, dtype=np.int64), ("all",))
        assert _Errors(cells, None, False)._kurtosis() == pytest.approx(kurtosis)


def test_the_last_code_of_a_column_is_of_levels_that_cannot_be_told() -> None:
    """Two levels and the rest, by one level and the rest."""
    assert _known_levels((3, 2)).tolist() == [True, False, True, False, False, False]
    assert _known_levels((2,)).tolist() == [True, False]


def test_nobody_beat_the_leaders() -> None:
    """b and c beat each other and both beat a: they lead, and a is not among them, wherever it stands in the list."""
    first, second = np.array([1, 2, 1, 2]), np.array([0, 0, 2, 1])
    games = Games(first, second, np.ones(4), np.ones(4), np.arange(4), ("a", "b", "c"))
    assert not parts_of(games).any()
    assert what_is_unknown(games, parts_of(games)).startswith('"a" never beat another model or tied with it:')
    alone = Games(np.array([2, 2]), np.array([0, 1]), np.ones(2), np.ones(2), np.arange(2), ("a", "b", "c"))
    assert what_is_unknown(alone, parts_of(alone)).startswith('no other model ever beat "c" or tied with it:')
    # a and b both beat c, and never met: both are unbeaten, and neither is known to be the stronger.
    both = Games(np.array([0, 1]), np.array([2, 2]), np.ones(2), np.ones(2), np.arange(2), ("a", "b", "c"))
    assert what_is_unknown(both, parts_of(both)).startswith('"c" never beat another model or tied with it:')


def _curve(labels: list[int], scores: list[float]) -> Curve:
    [curve] = metrics.roc_auc.statistic_of(labels, scores, positive=1).curves
    assert isinstance(curve, Curve)
    return curve


def test_scores_are_looked_at_from_exactly_zero_on() -> None:
    """A hundred scores of 0 and 0.2, half of the rows positive: on average 0.1, which are no probabilities."""
    half = _curve([1, 0] * 50, [0.2, 0.0] * 50)
    assert [check.key for check in curve_checks("m", half, "1")] == ["C4", "C13"]
    percent = _curve([1, 0, 1, 0] * 10, [90.0, 0.0, 10.0, 20.0] * 10)
    assert [check.key for check in curve_checks("m", percent, "1")] == ["C12"]
    assert not list(curve_checks("m", _curve([1] * 30, [0.1] * 30), "1"))


def test_at_exactly_the_share_that_is_most_a_loss_of_rows_is_a_remark() -> None:
    """Of a thousand rows a fifth, and one more."""
    for lost, severity in ((round(1000 * MOST), REMARK), (round(1000 * MOST) + 1, SERIOUS)):
        [check] = table_checks(Facts(read=1000, used=1000 - lost, left_out={"label missing": lost}))
        assert check.severity == severity


def test_the_difference_of_two_strengths_of_different_pairs_reaches_as_far_as_both() -> None:
    """Zou and Donner 2008: 0.5 [0.2, 0.6] less 0.1 [0.0, 0.5]: 0.4 − √(0.3² + 0.4²), 0.4 + √(0.1² + 0.1²)."""
    value, low, high = unpaired_difference((0.5, 0.2, 0.6), (0.1, 0.0, 0.5))
    assert (value, low, high) == pytest.approx((0.4, -0.1, 0.4 + 0.02**0.5))


def test_a_level_that_hardly_occurs_is_told_from_the_smallest_table_on() -> None:
    counted = {(USED, "part", "rare"): 1, (USED, "part", "usual"): FEWEST_VALUES - 1}
    [check] = slice_checks(Facts(read=FEWEST_VALUES, used=FEWEST_VALUES, counted=counted))
    assert check.key == "C10"
    assert not list(slice_checks(Facts(read=FEWEST_VALUES - 1, used=FEWEST_VALUES - 1, counted=counted)))


def test_raters_whose_labels_cannot_meet_are_told() -> None:
    """Words by one and numbers by the others."""
    vectors = RatingVectors.of_arrays([["yes", "1", "1"], ["no", "0", "1"], ["yes", "1", "0"], ["no", "0", "0"]] * 10)
    assert [check.key for check in rater_checks(vectors)] == ["C1"]
    alike = RatingVectors.of_arrays([["1", "1", "1"], ["0", "0", "1"], ["1", "1", "0"], ["0", "0", "0"]] * 10)
    assert not [check for check in rater_checks(alike) if check.key == "C1"]


def test_two_rows_of_a_part_have_limits_and_one_has_none() -> None:
    """Half of Student's distribution with one degree of freedom lies within 1 of 0: 2 ± 1 · 0.5."""
    losses = np.array([1.5, 2.5, 0.0, 5.0, 3.0])
    two, one = (beside_rest(losses, np.arange(5) < rows, None, None, 0.5) for rows in (2, 1))
    assert (two.low, two.high) == pytest.approx((1.5, 2.5))
    assert np.isnan([one.low, one.high]).all()


@pytest.mark.parametrize(("labels", "known"), [(10, []), (11, ["C3"])])
def test_ten_labels_are_too_few_to_say_that_a_judge_is_turned(labels: int, known: list[str]) -> None:
    people = np.arange(labels) % 4 + 1.0
    sums = JudgedSums.of_arrays([*people, None, None], [*(5 - people), 1.0, 4.0])
    assert [check.key for check in judge_checks("m", sums)] == known


@pytest.mark.parametrize("alone", [0, 1])
def test_a_group_of_one_response_leaves_its_own_mean_without_a_degree_of_freedom(alone: int) -> None:
    """What one value varies by nobody knows, though its leverage be 0.9; the others have one less than their number."""
    sizes = [1, 4] if alone == 0 else [4, 1]
    groups = np.repeat([0, 1], sizes)
    cells = np.ones(5), np.ones(5), np.where(groups == alone, 1.0, 2.0)
    inverse = np.diag([1 / size for size in sizes])
    spread = of_responses(np.eye(2)[groups], inverse * 0.9, cells, groups, kurtosis=1.0 + 1e-12)
    assert spread.freedom[alone] == pytest.approx(0.0, abs=1e-6)
    assert spread.freedom[1 - alone] == pytest.approx(3.0)
