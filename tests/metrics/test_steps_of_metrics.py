"""Steps inside metrics that have another way to the same number."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.metrics.classification import squared_distance_of_f
from adjudge.metrics.declaration import is_number
from adjudge.metrics.disagreements import between
from adjudge.metrics.variance_components import _criterion, _flat
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.sums import RatingSums
from adjudge.statistics.ratings.vectors import RatingVectors


@pytest.mark.parametrize("logs", [(0.3, -0.8), (-1.5, 0.6)])
def test_the_slope_of_the_restricted_likelihood_is_its_derivative(logs: tuple[float, float]) -> None:
    rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, None], [7, 1, 2, 6], [10, None, 6, 9], [6, 2, 4, 7]]
    sums = _flat(RatingSums.of(RatingVectors.of_arrays(rows, None)))
    at = np.array([logs])
    _, slope = _criterion(sums, at)
    step = 1e-5
    for axis in range(2):
        move = np.eye(2)[axis] * step
        numeric = (_criterion(sums, at + move)[0] - _criterion(sums, at - move)[0]) / (2 * step)
        assert slope[0, axis] == pytest.approx(numeric[0], rel=1e-5, abs=1e-7)


def test_restricted_likelihood_as_lme4_would_profile_it() -> None:
    """Of complete tables the maximum is the analysis of variance: (MS items − MS rest) / raters, where not below 0."""
    rows = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)
    items, raters = rows.mean(1, keepdims=True), rows.mean(0, keepdims=True)
    rest = ((rows - items - raters + rows.mean()) ** 2).sum() / 15
    of_items = 4 * ((items - rows.mean()) ** 2).sum() / 5
    of_raters = 6 * ((raters - rows.mean()) ** 2).sum() / 3
    one = ((of_items - rest) / 4) / ((of_items - rest) / 4 + (of_raters - rest) / 6 + rest)
    assert metrics.icc.using(missing="reml", form="A,1")(rows.tolist()) == pytest.approx(one, abs=1e-6)


def test_a_distance_for_each_slice_is_summed_as_one_for_all() -> None:
    d = np.array([[0.0, 1, 4], [1, 0, 1], [4, 1, 0]])
    first, second = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.1, 0.8])
    by_hand = sum(d[k, j] * first[k] * second[j] for k in range(3) for j in range(3))
    assert between(d, first, second) == pytest.approx(by_hand)
    assert between(np.stack([d, 2 * d]), np.stack([first] * 2), np.stack([second] * 2)) == pytest.approx(
        [by_hand, 2 * by_hand]
    )


def test_ratio_weights_reach_from_0_to_1() -> None:
    """((x − y) / (x + y))², over that of the ends: of 1, 2 and 3 the ends are 1/2 apart and neighbours 1/3 and 1/5."""
    kappa = metrics.cohen_kappa.using(weighting="ratio")
    first, second = [1, 1, 2, 2, 3, 3], [1, 2, 2, 3, 3, 1]
    d = {(1, 2): 4 / 9, (2, 3): 4 / 25, (1, 3): 1.0}

    def apart(one: int, other: int) -> float:
        return 0.0 if one == other else d[min(one, other), max(one, other)]

    seen = sum(map(apart, first, second)) / 6
    chance = sum(apart(one, other) for one in first for other in second) / 36
    assert kappa(first, second) == pytest.approx(1 - seen / chance)


def test_what_is_a_number() -> None:
    assert [is_number(value) for value in (1, 0.5, np.float64(2), True, False, "1", None)] == [True] * 3 + [False] * 4


def test_population_figures_come_in_pairs() -> None:
    with pytest.raises(SettingError, match="belong together"):
        metrics.difference_of_standardized_means.using(human_mean=3.0)
    with pytest.raises(SettingError, match="belong together"):
        metrics.difference_of_standardized_means.using(system_sd=1.0)
    made = metrics.difference_of_standardized_means.using(human_mean=3.0, human_sd=1.0)
    assert made.parameters == {"human_mean": 3.0, "human_sd": 1.0}
    assert metrics.difference_of_standardized_means.using(human_mean=3.0, human_sd=0).parameters["human_sd"] == 0


@pytest.mark.parametrize("share", [0, -0.1, 1.01, True, "0.9"])
def test_a_share_to_reach_is_above_0_and_at_most_1(share: object) -> None:
    with pytest.raises(SettingError):
        metrics.precision_at_recall.using(at=share)
    assert metrics.precision_at_recall.using(at=1).parameters == {"at": 1}


def test_one_item_tells_nothing_and_raters_who_always_agree_tell_all() -> None:
    icc = metrics.icc.using(missing="reml", form="A,1")
    assert np.isnan(icc([[1, 2, 4]]))
    assert np.isnan(metrics.icc.using(missing="reml", form="1,1")([[1, 2, 4]]))
    assert icc([[1, 1], [2, 2], [5, 5], [3, None]]) == pytest.approx(1.0)


def test_f_scores_move_together_as_their_slopes_say() -> None:
    """Counts vary by themselves: the covariance is Σ count · ∂Fᵢ · ∂Fⱼ, with slopes taken by small steps."""
    counts = np.array([[8.0, 2.0, 1.0], [3.0, 9.0, 2.0], [1.0, 1.0, 6.0]])

    def scores(some: np.ndarray) -> np.ndarray:
        return 2 * np.diagonal(some) / (some.sum(0) + some.sum(1))

    slopes = np.array(
        [(scores(counts + step) - scores(counts - step)) / 2e-6 for step in 1e-6 * np.eye(9).reshape(9, 3, 3)]
    )
    covariance = (slopes * counts.reshape(-1, 1)).T @ slopes
    spread = np.sqrt(np.diagonal(covariance))
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(int(counts[i, j]))]
    table = Confusion.of_arrays([i for i, _ in pairs], [j for _, j in pairs])
    correlation, added = covariance / np.outer(spread, spread), squared_distance_of_f(table)
    for distance in np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.2, 0.7], [0.0, 1.0, 1.0]]):
        assert added(distance) == pytest.approx(distance @ correlation @ distance, abs=1e-6)


def test_rows_that_weigh_more_where_they_are_wrong_count_by_their_slopes() -> None:
    """10,000 right of weight 1 and 500 wrong of weight 10: p = 2/3, and (1 − p)² 10,000 + p² 50,000 over p (1 − p)."""
    share = metrics.accuracy.share
    assert share is not None
    reference, weights = [1] * 10_000 + [0] * 500, [1.0] * 10_000 + [10.0] * 500
    right = share(Confusion.of_arrays(reference, [1] * 10_500, weights=weights))
    assert float(right.part / right.whole) == pytest.approx(2 / 3)
    assert float(right.squares) == pytest.approx(105_000, rel=0.005), "and not the 60,000 of Kish"
