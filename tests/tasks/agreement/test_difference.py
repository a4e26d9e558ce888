"""Two coefficients of the same items: the difference and its doubt."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.data.keys import keys_of_rows
from adjudge.errors import BadValue, SettingError
from adjudge.inference.differences.paired_coefficients import paired_difference
from adjudge.inference.resampling import Bootstrap
from adjudge.tasks.agreement.difference import agreement_difference

FEW = Bootstrap(replicates=400)
BAYESIAN = Bootstrap(replicates=400, kind="bayesian")


def teams(items: int, seed: int, first: float = 0.7, second: float = 0.7) -> tuple[Ratings, Ratings]:
    """Two teams of three on the same items, each right with its own chance, with the same hard items."""
    random = np.random.default_rng(seed)
    truth, hard = random.integers(1, 4, items), random.random((items, 1)) < 0.3

    def rated(right: float) -> Ratings:
        kept = random.random((items, 3)) < np.where(hard, right / 2, right)
        return ratings_of(
            np.where(kept, truth[:, None], random.integers(1, 4, (items, 3))).astype(float), None, [1, 2, 3]
        )

    return rated(first), rated(second)


@pytest.mark.parametrize(
    "metric",
    [metrics.fleiss_kappa, metrics.krippendorff_alpha, metrics.conger_kappa, metrics.gwet_ac1, metrics.icc],
    ids=repr,
)
@pytest.mark.parametrize("settings", [FEW, BAYESIAN], ids=lambda s: s.kind)
def test_the_value_is_the_difference_of_both(metric, settings) -> None:
    first, second = teams(80, 1, 0.5, 0.9)
    found, _ = paired_difference(metric, first, second, 0.95, settings)
    alone = [metric(np.where(r.codes < 0, np.nan, r.codes + 1.0), categories=[1, 2, 3]) for r in (first, second)]
    assert found.value == pytest.approx(alone[1] - alone[0], abs=1e-12)
    assert found.interval.low < found.value < found.interval.high
    assert found.n == 80
    assert found.method == settings.method


def test_cohen_of_two_raters() -> None:
    first, second = (team.of_raters([0, 1]) for team in teams(60, 2, 0.4, 0.95))
    found, _ = paired_difference(metrics.cohen_kappa, first, second, 0.95, FEW)
    assert found.interval.low > 0
    assert found.note.startswith("p = 0.00")
    three = teams(60, 2)
    with pytest.raises(SettingError, match="compares two raters"):
        paired_difference(metrics.cohen_kappa, *three, 0.95, FEW)


def test_a_team_against_itself_differs_by_nothing() -> None:
    first, _ = teams(50, 3)
    found, _ = paired_difference(metrics.fleiss_kappa, first, first, 0.95, FEW)
    assert found.value == 0
    assert np.isnan(found.interval.low)
    assert found.note.startswith("p = 1; no interval")


def test_swapping_the_teams_swaps_the_sign() -> None:
    first, second = teams(50, 4, 0.5, 0.8)
    there, _ = paired_difference(metrics.gwet_ac1, first, second, 0.9, FEW)
    back, _ = paired_difference(metrics.gwet_ac1, second, first, 0.9, FEW)
    assert back.value == pytest.approx(-there.value)
    assert back.interval.low == pytest.approx(-there.interval.high, abs=0.05)


def test_two_perfect_teams_are_still_in_doubt() -> None:
    rows = ratings_of([["a", "a"], ["b", "b"]] * 10)
    found, _ = paired_difference(metrics.fleiss_kappa, rows, rows, 0.95, BAYESIAN)
    assert found.value == 0
    assert found.interval.low < 0 < found.interval.high


def test_what_cannot_be_compared_says_so() -> None:
    first, second = teams(20, 5)
    with pytest.raises(BadValue, match="same list of items"):
        paired_difference(metrics.fleiss_kappa, first, second.of_rows(np.arange(19)), 0.95, FEW)
    with pytest.raises(SettingError, match="not one number about raters"):
        paired_difference(metrics.category_kappa, first, second, 0.95, FEW)
    constant = ratings_of([["a", "a"]] * 20)
    found, _ = paired_difference(metrics.fleiss_kappa, constant, first, 0.95, FEW)
    assert np.isnan(found.value)
    assert "single category" in found.note


@pytest.mark.slow
def test_it_covers_no_difference_as_often_as_it_says() -> None:
    hits = 0
    for seed in range(200):
        found, _ = paired_difference(metrics.fleiss_kappa, *teams(60, seed), 0.9, Bootstrap(replicates=300))
        hits += found.interval.low <= 0 <= found.interval.high
    assert 0.83 <= hits / 200 <= 0.96


@pytest.mark.parametrize("settings", [FEW, BAYESIAN], ids=lambda s: s.kind)
@pytest.mark.parametrize("metric", [metrics.krippendorff_alpha, metrics.conger_kappa], ids=repr)
def test_a_weight_is_a_repetition_and_a_cluster_one_draw(metric, settings) -> None:
    first, second = teams(60, 4, 0.5, 0.8)
    weights, keys = np.random.default_rng(1).integers(0, 4, 60), keys_of_rows(0, 60)
    again = np.repeat(np.arange(60), weights)
    weighted, _ = paired_difference(metric, first, second, 0.95, settings, weights=weights.astype(float), keys=keys)
    repeated = [team.of_rows(again) for team in (first, second)]
    kept, _ = paired_difference(metric, *repeated, 0.95, settings, keys=keys[again])
    alone, _ = paired_difference(metric, *repeated, 0.95, settings)
    assert weighted.value == pytest.approx(alone.value, abs=1e-12)
    # Prior mass is one item's worth, which is more when items weigh more.
    near = 1e-9 if settings.kind == "percentile" else 0.02
    assert weighted.interval.low == pytest.approx(kept.interval.low, abs=near)
    assert weighted.interval.high == pytest.approx(kept.interval.high, abs=near)
    assert kept.interval.high - kept.interval.low > 1.2 * (alone.interval.high - alone.interval.low)


def test_the_door_takes_weights_and_clusters() -> None:
    random = np.random.default_rng(6)
    table = {name: random.choice(["x", "y"], 200).tolist() for name in "abcd"}
    table |= {"d": table["c"], "w": random.integers(1, 5, 200).tolist(), "page": [row // 10 for row in range(200)]}

    def width(**asked: str) -> tuple[float, float]:
        found = agreement_difference(table, ["a", "b"], ["c", "d"], replicates=500, **asked)
        return found.value, found.interval.high - found.interval.low

    (plain, alone), (clustered, by_page), (weighted, _) = width(), width(cluster="page"), width(weight="w")
    assert plain == clustered
    assert weighted == pytest.approx(
        metrics.krippendorff_alpha(table["c"], table["d"], weights=np.array(table["w"]) / np.mean(table["w"]))
        - metrics.krippendorff_alpha(table["a"], table["b"], weights=np.array(table["w"]) / np.mean(table["w"]))
    )
    assert alone != by_page
    table["w"] = [0] * 200
    with pytest.raises(BadValue, match="must be above 0 somewhere"):
        width(weight="w")


def test_no_difference_is_seldom_found_in_few_items() -> None:
    # Percentiles as they are said p < .05 in up to 9 of 100 tables of 25 items.
    random = np.random.default_rng(6)
    found = []
    for _ in range(150):
        truth = random.integers(0, 5, 25)
        both = [
            np.stack([np.where(random.random(25) < 0.6, truth, random.integers(0, 5, 25)) for _ in range(3)], 1)
            for _ in range(2)
        ]
        first, second = (ratings_of(ratings.tolist()) for ratings in both)
        difference, _ = paired_difference(metrics.fleiss_kappa, first, second, 0.95, Bootstrap(replicates=200))
        found.append(float(difference.note.removeprefix("p = ").split(";")[0]) < 0.05)
    assert np.mean(found) <= 0.09
