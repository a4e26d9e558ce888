"""Intervals of votes against worked cases, and what holds of any votes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t

from adjudge.data.judgements.votes import VotePairs
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.votes import plus_three_limits, tango_limits_each
from adjudge.metrics import preference_kappa, preference_relevance, preference_strength
from adjudge.metrics.base import Metric
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.weights import Weights

CASES = json.loads((Path(__file__).parents[1] / "golden" / "vote_models.json").read_text())["cases"]
STRENGTHS = [case for case in CASES if case["id"].startswith("strength_") and "agree" in case["input"]]
Z = 1.959963984540054


def table_of(agree: int, disagree: int, other: int) -> VoteTable:
    reference = np.zeros(agree + disagree + other, dtype=np.int64)
    votes = np.repeat([0, 1, 2], [agree, disagree, other])
    return VoteTable.collect(VotePairs(reference, votes), Weights(len(votes)))


@pytest.mark.parametrize("case", STRENGTHS, ids=lambda case: case["id"])
def test_worked_cases(case) -> None:
    given, expected = case["input"], case["expect"]
    table = table_of(given["agree"], given["disagree"], given["not_applicable"])

    def limits(metric: Metric, method: str) -> list[float]:
        bounds = closed_form(method, metric, table, given["level"])
        assert bounds is not None
        return [float(bounds.low), float(bounds.high)]

    near = pytest.approx
    tolerance = {"rel": 0, "abs": case["tolerance"]}
    for over in ("both", "reference"):
        strength = preference_strength.using(over=over)
        assert float(strength.values(table)) == near(expected["strength"], **tolerance)
        assert limits(strength, "tango") == near(expected["tango"], **tolerance)
        assert limits(strength, "plus_three") == near(expected["plus_three"], **tolerance)
        relevance = preference_relevance.using(over=over)
        assert limits(relevance, "wilson") == near(expected["relevance_wilson"], **tolerance)
    if "kappa_half" in expected:
        assert limits(preference_kappa, "wilson") == near(expected["kappa_half_wilson"], **tolerance)


def test_limits_turn_round_with_the_votes() -> None:
    agreed, disagreed = np.meshgrid([0.0, 1, 7, 20], [0.0, 2, 9])
    for limits in (tango_limits_each, plus_three_limits):
        low, high = limits(agreed, disagreed, 40.0, Z)
        turned_low, turned_high = limits(disagreed, agreed, 40.0, Z)
        assert np.allclose(low, -turned_high)
        assert np.allclose(high, -turned_low)


def test_without_any_choice_limits_are_known() -> None:
    low, high = tango_limits_each(0, 0, 20, Z)
    assert [float(low), float(high)] == pytest.approx([-(Z**2) / (20 + Z**2), Z**2 / (20 + Z**2)])


def test_pairs_of_a_prompt_that_say_the_same_count_once() -> None:
    rng = np.random.default_rng(1)
    prompts = np.arange(40)
    reference, votes = rng.integers(0, 2, 40), rng.integers(0, 3, 40)
    four = VotePairs(np.repeat(reference, 4), np.repeat(votes, 4), np.repeat(prompts, 4))
    repeated = closed_form("tango", preference_strength, VoteTable.collect(four, Weights(160)), 0.95)
    table = VoteTable.collect(VotePairs(reference, votes), Weights(40))
    agreed, disagreed = float(table.agreed), float(table.disagreed)
    # Four equal pairs are one, up to the divisor of a variance among 40 prompts, with Student's quantile for them.
    shrink = 40 / 39
    alone = tango_limits_each(agreed / shrink, disagreed / shrink, 40 / shrink, t.ppf(0.975, 39))
    assert repeated is not None
    assert [float(repeated.low), float(repeated.high)] == pytest.approx([float(end) for end in alone], abs=1e-9)


def test_prompts_of_one_pair_change_nothing() -> None:
    rng = np.random.default_rng(2)
    reference, votes = rng.integers(0, 8, (2, 200))
    with_prompts, without = (
        VoteTable.collect(VotePairs(reference, votes, prompts), Weights(200)) for prompts in (np.arange(200), None)
    )
    for metric in (preference_strength, preference_relevance, preference_kappa):
        method = next(name for name in metric.intervals if name != "guarded_wilson")  # many votes: nothing to guard
        bounds = [closed_form(method, metric, table, 0.9) for table in (with_prompts, without)]
        assert bounds[0] is not None
        assert bounds[1] is not None
        assert float(bounds[0].low) == float(bounds[1].low)
