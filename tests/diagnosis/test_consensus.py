"""Consensus labels: the published data, a peer's figures, known truth, degenerate input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.diagnosis.anaesthetists import ALL_READINGS, FIRST_READINGS

from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.diagnosis.raters.consensus import Consensus, Majority, dawid_skene, mace, majority
from adjudge.errors import SettingError

# crowd-kit 1.4.2, DawidSkene(n_iter=2000, tol=1e-12) on the first readings; items counted from 1.
PEER_PRIOR = (0.39996, 0.41261, 0.12076, 0.06667)
PEER_OBSERVER_2 = ((0.8334, 0.1666, 0, 0), (0.0539, 0.6463, 0.2998, 0), (0, 0, 1, 0), (0, 0, 0, 1))
PEER_PROBABILITIES = {30: (0.999, 0.001, 0, 0), 38: (0, 0.0564, 0.9436, 0), 12: (0, 0, 1, 0)}
PEER_LABELS = "142222132243121111222222112111131224233111212"
# crowd-kit 1.4.2, MACE(n_restarts=10, n_iter=200, random_state=0): labels, and shares of knowing in this order.
PEER_MACE_LABELS = "132222132243121111222222112111131224233111212"
PEER_MACE_COMPETENCE = (0.906, 0.669, 0.739, 0.833, 0.750)


def spelled(labels: np.ndarray) -> str:
    return "".join(str(label + 1) for label in labels)


def simulated(items: int = 3_000, seed: int = 5) -> tuple[Ratings, np.ndarray, tuple[float, ...]]:
    random = np.random.default_rng(seed)
    right = (0.95, 0.85, 0.7, 0.6, 0.4)
    truth = random.choice(3, size=items, p=[0.5, 0.3, 0.2])
    wrong = (truth[:, None] + random.integers(1, 3, size=(items, 5))) % 3
    codes = np.where(random.random((items, 5)) < right, truth[:, None], wrong)
    codes[random.random((items, 5)) < 0.2] = -1
    return Ratings(codes, ("a", "b", "c"), tuple("vwxyz")), truth, right


# The paper's equations 2.3 to 2.5 on counts of readings, coded apart from this library and run to convergence.
EM_LOG_LIKELIHOOD = -192.890881
EM_PRIOR = (0.3996, 0.4220, 0.1118, 0.0667)
EM_ERRORS = (
    ((0.8895, 0.1105, 0, 0), (0.0706, 0.8764, 0.0530, 0), (0, 0.3388, 0.6612, 0), (0, 0, 0.5556, 0.4444)),
    ((0.8342, 0.1658, 0, 0), (0.0527, 0.6329, 0.3143, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    ((1, 0, 0, 0), (0.1064, 0.7883, 0.1053, 0), (0, 0.4037, 0.1988, 0.3976), (0, 0, 0.6667, 0.3333)),
    ((0.9444, 0.0556, 0, 0), (0.0537, 0.8426, 0.1037, 0), (0, 0, 0.8012, 0.1988), (0, 0, 0.3333, 0.6667)),
    ((1, 0, 0, 0), (0.1590, 0.7345, 0.1064, 0), (0, 0.2091, 0.7909, 0), (0, 0, 0.3333, 0.6667)),
)


def test_dawid_and_skene_by_their_own_equations() -> None:
    ratings = replace(ratings_of(ALL_READINGS), raters=("1", "1", "1", "2", "3", "4", "5"))
    found = dawid_skene(ratings, smoothing=0)
    assert found.log_likelihood == pytest.approx(EM_LOG_LIKELIHOOD, abs=1e-6)
    assert found.prior == pytest.approx(EM_PRIOR, abs=5.1e-5)
    assert found.errors == pytest.approx(np.array(EM_ERRORS), abs=5.1e-5)


def test_dawid_and_skene_as_published() -> None:
    """With observer 1's three readings as one rater, as Dawid and Skene (1979) have it: priors and error rates.

    The printed rates are quoted from memory; the equations of the paper round to the same.
    """
    ratings = replace(ratings_of(ALL_READINGS), raters=("1", "1", "1", "2", "3", "4", "5"))
    found = dawid_skene(ratings, smoothing=0)
    assert found.raters == ("1", "2", "3", "4", "5")
    assert found.prior == pytest.approx((0.40, 0.42, 0.11, 0.07), abs=0.005)
    assert found.errors[0, :3] == pytest.approx(
        np.array([[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0]]), abs=0.005
    )


def test_dawid_and_skene_as_in_crowdkit() -> None:
    found = dawid_skene(ratings_of(FIRST_READINGS), smoothing=0, iterations=2_000)
    assert found.converged
    assert found.prior == pytest.approx(PEER_PRIOR, abs=1e-5)
    assert found.errors[1] == pytest.approx(np.array(PEER_OBSERVER_2), abs=1e-4)
    for item, probabilities in PEER_PROBABILITIES.items():
        assert found.probabilities[item - 1] == pytest.approx(probabilities, abs=1e-4)
    assert spelled(found.labels) == PEER_LABELS


def test_mace_as_in_crowdkit() -> None:
    found = mace(ratings_of(FIRST_READINGS))
    assert spelled(found.labels) == PEER_MACE_LABELS
    assert found.competence == pytest.approx(PEER_MACE_COMPETENCE, abs=0.03)


def test_smoothing_keeps_rates_off_zero_and_changes_no_label() -> None:
    plain, smooth = (dawid_skene(ratings_of(FIRST_READINGS), smoothing=amount) for amount in (0, 0.01))
    assert (smooth.errors > 0).all()
    assert smooth.labels.tolist() == plain.labels.tolist()


def test_the_truth_is_found_better_than_by_votes() -> None:
    ratings, truth, right = simulated()
    found, votes = dawid_skene(ratings), majority(ratings)
    rated = votes.votes > 0
    assert found.accuracy == pytest.approx(right, abs=0.04)
    assert (found.labels == truth)[rated].mean() > (votes.labels == truth)[rated].mean() + 0.02
    known = mace(ratings)
    assert np.argsort(known.competence).tolist() == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_order_of_items_and_raters_does_not_matter(model) -> None:  # type: ignore[no-untyped-def]
    ratings, _, _ = simulated(400)
    items, raters = np.random.default_rng(1).permutation(400), [3, 1, 4, 0, 2]
    found, moved = model(ratings), model(ratings.of_rows(items).of_raters(raters))
    assert moved.probabilities == pytest.approx(found.probabilities[items], abs=1e-6)
    assert moved.accuracy == pytest.approx(found.accuracy[raters], abs=1e-6)


def test_probabilities_sum_to_one_and_rows_of_errors_do() -> None:
    ratings, _, _ = simulated(300)
    for found in (dawid_skene(ratings), mace(ratings)):
        assert found.probabilities.sum(1) == pytest.approx(np.ones(300))
        assert found.errors.sum(2) == pytest.approx(np.ones((5, 3)))


def test_more_iterations_never_lower_the_likelihood() -> None:
    ratings, _, _ = simulated(300)
    likelihoods = [dawid_skene(ratings, smoothing=0, iterations=steps).log_likelihood for steps in (1, 2, 5, 20, 100)]
    assert likelihoods == sorted(likelihoods)


def test_ties_are_reported_and_not_broken() -> None:
    found = majority(ratings_of([["a", "b", None], ["a", "a", "b"], ["a", None, None], [None, None, None]]))
    assert found.labels.tolist() == [-1, 0, 0, -1]
    assert found.tied.tolist() == [True, False, False, False]
    assert found.leading[0].tolist() == [True, True]
    assert found.votes.tolist() == [2, 3, 1, 0]
    assert found.share[:3] == pytest.approx([0.5, 2 / 3, 1])


@pytest.mark.parametrize("model", [majority, dawid_skene, mace])
@pytest.mark.parametrize(
    "rows", [[[None, None]], [["a", "a"]], [["a", None], [None, "a"]], [["a"], ["b"]], [["a", "b"], ["b", "a"]]]
)
def test_degenerate_ratings_give_numbers(model, rows: list[list[str | None]]) -> None:  # type: ignore[no-untyped-def]
    found = model(ratings_of(rows))
    assert len(found.labels) == len(rows)


@pytest.mark.parametrize("model", [majority, dawid_skene, mace])
def test_no_items_at_all(model) -> None:  # type: ignore[no-untyped-def]
    assert len(model(Ratings(np.zeros((0, 2), dtype=np.int64), ("a",), ("1", "2"))).labels) == 0


def test_negative_smoothing_is_refused() -> None:
    with pytest.raises(SettingError):
        dawid_skene(ratings_of([["a", "b"]]), smoothing=-1)


@pytest.mark.parametrize("fitted", [dawid_skene, mace, majority])
def test_an_item_that_nobody_rated_has_no_label(fitted: Callable[[Ratings], Consensus | Majority]) -> None:
    found = fitted(ratings_of([["a", "a", "a"], ["b", "b", "b"], ["a", "a", None], [None, None, None]]))
    assert (found.labels.tolist(), found.votes.tolist()) == ([0, 1, 0, -1], [3, 3, 2, 0])
