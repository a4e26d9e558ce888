"""Scoring metrics: undefined is said, and what must follow when scores are moved or people are split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden.scoring_rows import GOLDEN, ratings_of

from adjudge import estimate, metrics
from adjudge.errors import AdjudgeError
from adjudge.statistics.scores.sums import ScoreSums

REPEATABLE = settings(max_examples=25, deadline=None, derandomize=True)


def test_a_constant_that_binary_cannot_hold_does_not_vary() -> None:
    case = GOLDEN["functions"]["constant_not_exact_in_binary"]
    for undefined in (metrics.correlation, metrics.standardized_mean_difference, metrics.r_squared):
        assert np.isnan(undefined(case["h"], case["m"]))
    assert metrics.quadratic_weighted_kappa(case["h"], case["m"]) == 0.0
    pooled = metrics.standardized_mean_difference.using(method="pooled")
    assert pooled(case["h"], case["m"]) == pytest.approx(case["answers"]["smd_pooled"])


def test_a_constant_slice_far_from_everybody_does_not_vary() -> None:
    human, system = np.array([[1.1]] * 7 + [[500.0]] * 9), np.arange(16.0)
    whole = ScoreSums.of_arrays(human, system)
    part = ScoreSums(ScoreSums.of_arrays(human[:7], system[:7]).totals.about(whole.totals.centres))
    assert np.isnan(metrics.correlation.values(part.numbers))


def test_a_constant_reference() -> None:
    case = GOLDEN["functions"]["human_constant"]
    answers = case["answers"]
    assert metrics.quadratic_weighted_kappa(case["h"], case["m"]) == answers["qwk_ddof0"] == 0.0
    assert np.isnan(metrics.correlation(case["h"], case["m"]))
    assert np.isnan(metrics.r_squared(case["h"], case["m"]))  # RSMTool: 0.0
    assert metrics.mean_squared_error(case["h"], case["m"]) == pytest.approx(answers["mse"])


def test_two_equal_constants_and_one_pair() -> None:
    for name in ("both_constant_equal", "one_pair_equal"):
        case = GOLDEN["functions"][name]
        assert np.isnan(metrics.quadratic_weighted_kappa(case["h"], case["m"]))
        assert np.isnan(metrics.standardized_mean_difference(case["h"], case["m"]))
        assert metrics.exact_agreement(case["h"], case["m"]) == 1.0


def test_true_scores_are_not_made_up() -> None:
    one = GOLDEN["prmse"]["one_response_two_raters"]
    assert metrics.rater_error_variance(one["ratings"], one["system"]) == 0.5
    assert np.isnan(metrics.true_score_variance(one["ratings"], one["system"]))
    assert np.isnan(metrics.prmse(one["ratings"], one["system"]))
    same = GOLDEN["prmse"]["humans_constant"]
    assert metrics.true_score_variance(same["ratings"], same["system"]) == 0.0
    assert np.isnan(metrics.prmse(same["ratings"], same["system"]))  # RSMTool: -inf


def test_a_negative_over_a_negative_is_no_answer() -> None:
    ratings, system = [[1, 4], [4, 1], [2, 3], [3, 2]], [2.5, 2.5, 2.4, 2.6]
    assert metrics.true_score_variance(ratings, system) < 0
    assert metrics.true_score_mse(ratings, system) < 0
    assert np.isnan(metrics.prmse(ratings, system))


def test_a_response_that_nobody_rated_does_not_count() -> None:
    case = GOLDEN["prmse"]["one_response_unrated"]
    ratings = ratings_of(case)
    rated = [place for place, row in enumerate(ratings) if any(value is not None for value in row)]
    left = [ratings[place] for place in rated], [case["system"][place] for place in rated]
    assert len(rated) == len(ratings) - 1
    assert metrics.prmse(ratings, case["system"]) == pytest.approx(metrics.prmse(*left), rel=1e-12)


def test_without_second_ratings_nothing_is_said_of_raters() -> None:
    ratings, system = [[1, None], [2, None], [3, None]], [1, 2, 2.5]
    for undefined in (metrics.rater_error_variance, metrics.prmse, metrics.degradation):
        assert np.isnan(undefined(ratings, system))
    assert np.isfinite(metrics.prmse(ratings, system, error_variance=0.1))


def test_raters_who_disagree_in_order_have_no_disattenuation() -> None:
    assert np.isnan(metrics.disattenuated_correlation([[1, 3], [2, 2], [3, 1]], [1, 2, 3]))


@REPEATABLE
@given(st.integers(0, 999), st.floats(-5, 5))
def test_a_constant_moves_the_difference_and_not_the_correlation(seed: int, constant: float) -> None:
    random = np.random.default_rng(seed)
    human = random.integers(1, 7, 30).astype(float)
    system = human + random.normal(0, 0.7, 30)
    sd = human.std(ddof=1)
    moved = metrics.standardized_mean_difference(human, system + constant)
    assert moved == pytest.approx(metrics.standardized_mean_difference(human, system) + constant / sd, abs=1e-9)
    assert metrics.correlation(human, system + constant) == pytest.approx(metrics.correlation(human, system), abs=1e-9)


@REPEATABLE
@given(st.integers(0, 999), st.integers(2, 5))
def test_differences_of_standardized_means_weighted_over_slices_sum_to_zero(seed: int, slices: int) -> None:
    random = np.random.default_rng(seed)
    human = random.integers(1, 7, 60).astype(float)[:, None]
    system = human[:, 0] + random.normal(0, 0.7, 60)
    part = random.integers(0, slices, 60)
    total = 0.0
    for code in np.unique(part):
        inside = part == code
        rest, mine = (ScoreSums.of_arrays(human[rows], system[rows]) for rows in (~inside, inside))
        slice_ = ScoreSums(mine.totals.in_whole((mine + rest).totals, lambda rest=rest: [rest.totals]))
        total += inside.sum() * float(metrics.difference_of_standardized_means.values(slice_))
    assert total == pytest.approx(0.0, abs=1e-9)


@REPEATABLE
@given(st.integers(0, 999))
def test_raters_and_responses_in_any_order(seed: int) -> None:
    random = np.random.default_rng(seed)
    ratings = random.integers(1, 7, (25, 3)).astype(float)
    ratings[:, 1:][random.random((25, 2)) < 0.5] = np.nan
    system = random.normal(3, 1, 25)
    rows, people = random.permutation(25), random.permutation(3)
    for metric in (metrics.prmse, metrics.true_score_variance, metrics.rater_error_variance):
        found, again = metric(ratings, system), metric(ratings[rows][:, people], system[rows])
        assert found == pytest.approx(again, nan_ok=True, rel=1e-9)


def test_a_metric_of_arrays_with_its_interval() -> None:
    case = GOLDEN["prmse"]["two_raters_full"]
    found = estimate(metrics.prmse, case["ratings"], case["system"])
    assert found.value == pytest.approx(case["answers"]["prmse_true"])
    assert found.interval.low < found.value < found.interval.high
    first = [row[0] for row in case["ratings"]]
    exact = estimate(metrics.exact_agreement, first, np.rint(case["system"]))
    assert (exact.method, exact.n) == ("wilson", 50)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.prmse([1, 2], None), "needs the ratings and the system's scores"),
        (lambda: metrics.quadratic_weighted_kappa([1, 2], [1, np.nan]), "`score` must be finite numbers"),
        (lambda: metrics.quadratic_weighted_kappa([1, np.nan], [1, 2]), "missing or infinite"),
        (lambda: metrics.quadratic_weighted_kappa([[1, np.inf]], [1]), "missing or infinite"),
        (lambda: metrics.quadratic_weighted_kappa(["a", "b"], [1, 2]), "must be numbers"),
        (lambda: metrics.quadratic_weighted_kappa([1, 2, 3], [1, 2]), "one value for each of the 3 rows"),
        (lambda: metrics.standardized_mean_difference([1, 2], [1, 2], method="best"), "`method` must be one of"),
        (lambda: metrics.standardized_mean_difference([1, 2], [1, 2], method="johnson"), "`human_sd` must be a number"),
        (
            lambda: metrics.standardized_mean_difference([1, 2], [1, 2], method="williamson", human_sd=1),
            "`system_sd` must be a number",
        ),
        (lambda: metrics.difference_of_standardized_means([1, 2], [1, 2], human_mean=1), "belong together"),
        (
            lambda: metrics.difference_of_standardized_means([1, 2], [1, 2], system_mean="high", system_sd=1),
            "`system_mean` must be a number, not 'high'",
        ),
        (lambda: metrics.prmse([[1, 2]], [1], error_variance=-1), "`error_variance` must be a number of at least 0"),
        (lambda: metrics.degradation([[1, 2]], [1], of="luck"), "`of` must be one of"),
        (lambda: metrics.adjacent_agreement([1, 2], [1, 2], tolerance=3), "`tolerance` must be one of"),
        (lambda: metrics.quadratic_weighted_kappa([1, 2], [1, 2], ddof=2), "`ddof` must be 0 or 1"),
    ],
)
def test_what_cannot_be_asked(call, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        call()
