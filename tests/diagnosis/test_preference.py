"""Models of votes against worked cases: R, statsmodels, scikit-learn, evalica."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from adjudge.diagnosis.preferences.judge_errors import corrected_elsewhere, corrected_strength, judge_table
from adjudge.diagnosis.preferences.model_strengths import (
    Games,
    always_in_one_place,
    bradley_terry,
    davidson,
    drawn_strengths,
    elo,
    fitted,
    ranks_of_strengths,
    win_rates,
)
from adjudge.diagnosis.preferences.strength_differences import (
    ByPrompt,
    by_prompt,
    largest_difference,
    unpaired_difference,
)
from adjudge.diagnosis.preferences.trait_effects import (
    FoldedPairs,
    independent_kappa,
    joint_traits,
    lean,
    length_term,
    trait_correlations,
    two_sided,
)
from adjudge.inference.differences.paired_shares import PairedShares, mcnemar
from adjudge.inference.intervals.votes import tango_limits_each
from adjudge.inference.logistic import anchored_fit

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "vote_models.json").read_text())["cases"]
}
Z = 1.959963984540054
SIGN = {"a": 1.0, "b": -1.0, "-": 0.0, None: 0.0}


def near(name: str, value: Any) -> Any:
    return pytest.approx(value, rel=0, abs=max(CASES[name]["tolerance"], 1e-12))


def given(name: str) -> tuple[Any, Any]:
    return CASES[name]["input"], CASES[name]["expect"]


def games_of(wins: list[list[int]], ties: list[list[int]] | None = None) -> Games:
    rows = []
    for i, j in combinations(range(len(wins)), 2):
        rows += [(i, j, 1.0)] * wins[i][j] + [(i, j, 0.0)] * wins[j][i] + [(i, j, 0.5)] * (ties[i][j] if ties else 0)
    first, second, outcome = map(np.array, zip(*rows, strict=True))
    models = tuple(f"m{place + 1}" for place in range(len(wins)))
    return Games(first, second, outcome, np.ones(len(rows)), np.arange(len(rows)), models)


@pytest.mark.parametrize("name", ["bradley_terry_four", "bradley_terry_four_anchor", "bradley_terry_unbeaten"])
def test_bradley_terry(name: str) -> None:
    asked, expected = given(name)
    found = bradley_terry(games_of(asked["wins"]), anchor=asked["anchor"], by_prompt=False)
    assert found.values.tolist() == near(name, expected["strength_centred"])
    assert found.errors.tolist() == near(name, expected["se_centred"])
    assert found.difference(0, 1) == near(name, (expected["difference_1_2"], expected["se_1_2"]))
    if "deviance" in expected:
        assert found.deviance == near(name, expected["deviance"])
        assert found.freedom == 3
    assert ('no other model ever beat "m1"' in found.note) == (name == "bradley_terry_unbeaten")


def test_bradley_terry_expected_wins_are_the_observed_ones() -> None:
    games = games_of([[0, 7, 9, 5], [3, 0, 6, 8], [2, 4, 0, 6], [1, 3, 5, 0]])
    found = bradley_terry(games, anchor=0.0)
    played = games.wins + games.wins.T
    expected = played / (1 + np.exp(found.values - found.values[:, None]))
    assert expected.sum(1) == pytest.approx(games.wins.sum(1))
    assert found.values.sum() == pytest.approx(0, abs=1e-12)


def test_bradley_terry_by_prompt() -> None:
    asked, expected = given("bradley_terry_by_prompt")
    prompt, first, second, won = zip(*asked["rows"], strict=True)
    models = ("m1", "m2", "m3")
    codes = [np.array([models.index(one) for one in names]) for names in (first, second)]
    prompts = np.array([int(one[1:]) for one in prompt])
    games = Games(*codes, np.array(won, dtype=float), np.ones(len(won)), prompts, models)
    for by, key in ((False, "se_model"), (True, "se_by_prompt")):
        found = bradley_terry(games, anchor=0.0, by_prompt=by)
        differences = [found.difference(place, 0) for place in (1, 2)]
        assert [value for value, _ in differences] == near("bradley_terry_by_prompt", expected["relative_to_m1"][1:])
        assert [error for _, error in differences] == near("bradley_terry_by_prompt", expected[key][1:])


def test_models_that_never_met_are_named() -> None:
    games = games_of([[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 1, 0]])
    both = bradley_terry(games)
    assert '"m1", "m2" / "m3", "m4"' in both.note
    assert both.freedom == 0
    # Each part is fitted, centred and ranked as if it were alone.
    for models, wins in ((slice(0, 2), [[0, 3], [2, 0]]), (slice(2, 4), [[0, 4], [1, 0]])):
        alone = bradley_terry(games_of(wins), by_prompt=False)
        assert bradley_terry(games, by_prompt=False).values[models] == pytest.approx(alone.values)
        assert bradley_terry(games, by_prompt=False).errors[models] == pytest.approx(alone.errors)
    assert ranks_of_strengths(both.values, both.covariance, both.parts, 0.0) == ([1, 2, 1, 2], [1, 2, 1, 2])
    drawn = drawn_strengths(games, 50, 1, by_prompt=False)
    assert drawn is not None
    assert drawn[:, :2].sum(1) == pytest.approx(np.zeros(50))


def test_davidson() -> None:
    asked, expected = given("davidson_three")
    wins, ties = np.zeros((3, 3), int), np.zeros((3, 3), int)
    for first, second, won, lost, tied in asked["rows"]:
        i, j = (int(name[1]) - 1 for name in (first, second))
        wins[i, j], wins[j, i], ties[i, j] = won, lost, tied
    games = games_of(wins.tolist(), ties.tolist())
    found = davidson(games, anchor=0.0)
    assert [found.difference(place, 0)[0] for place in (1, 2)] == near("davidson_three", expected["relative_to_m1"][1:])
    assert [found.difference(place, 0)[1] for place in (1, 2)] == near("davidson_three", expected["se"][1:])
    assert found.log_tie == near("davidson_three", expected["log_nu"])
    half = bradley_terry(games, anchor=0.0, by_prompt=False)
    assert [half.difference(p, 0)[0] for p in (1, 2)] == near("davidson_three", expected["half_tie_relative_to_m1"][1:])


def test_elo() -> None:
    asked, expected = given("elo_six_games")
    assert elo(asked["games"], k=asked["k"], start=asked["start"]) == near("elo_six_games", expected)


def test_ranks_and_win_rates() -> None:
    asked, expected = given("rank_intervals")
    low, high = ranks_of_strengths(
        np.array(asked["strengths"]), np.array(asked["covariance"]), np.zeros(len(asked["strengths"]), int), asked["q"]
    )
    assert (low, high) == (expected["rank_low"], expected["rank_high"])
    asked, expected = given("win_rate_with_ties")
    games = games_of([[0, asked["wins"]], [asked["losses"], 0]], [[0, asked["ties"]], [0, 0]])
    rate, low_rate, high_rate, count = win_rates(games, asked["level"])
    assert rate[0, 1] == near("win_rate_with_ties", expected["win_rate"])
    assert [low_rate[0, 1], high_rate[0, 1]] == near("win_rate_with_ties", expected["interval"])
    assert np.isnan(rate[0, 0])
    assert count[0, 1] == 14


def test_position() -> None:
    for name in ("position_60_40", "position_55_45"):
        asked, expected = given(name)
        found = lean(asked["chose_a"], asked["chose_b"], 0.95)
        assert (found.share, found.p) == near(name, (expected["share_a"], expected["p_two_sided"]))
        assert [found.low, found.high] == near(name, expected["wilson"])
    asked, expected = given("chance_when_both_lean")
    found_kappa = independent_kappa(asked["share_a_reference"], asked["share_a_trait"])
    assert found_kappa == near("chance_when_both_lean", expected["kappa_half_of_independent_votes"])
    for name in ("strength_14_4_12", "strength_480_310_210", "strength_0_0_20"):
        asked, expected = given(name)
        assert float(two_sided(asked["agree"], asked["disagree"])) == near(name, expected["p_two_sided"])


def test_length_control() -> None:
    asked, expected = given("length_controlled")
    lengths = np.stack([asked["length_a"], asked["length_b"]], axis=-1).astype(float)
    term = length_term(lengths)
    chose = np.array([one == "a" for one in asked["reference"]])
    trait = np.array([SIGN[one] for one in asked["trait"]])
    folded = FoldedPairs.of(chose, np.ones(60), term, None)
    found = folded.controlled(trait, 0.95)
    halves, likeliest = expected["default_with_half_rows"], expected["maximum_likelihood"]
    values = (found.trait, found.length, found.strength, found.low, found.high)
    wanted = (halves["trait"], halves["length"], halves["strength_at_equal_length"], *halves["interval"])
    assert values == near("length_controlled", wanted)
    fit = anchored_fit(np.stack([trait, term], axis=-1), chose.astype(float), anchor=0.0)
    assert (*fit.beta, *fit.errors) == near(
        "length_controlled", (likeliest["trait"], likeliest["length"], likeliest["se_trait"], likeliest["se_length"])
    )
    # Every pair twice under one prompt tells as much as once; as pairs of their own they would tell twice as much.
    twice = [np.tile(of, 2) for of in (chose, np.ones(60), term, trait, np.arange(60))]
    together, apart = (FoldedPairs.of(*twice[:3], prompts).controlled(twice[3], 0.95) for prompts in (twice[4], None))
    assert together.high - together.low > 1.2 * (apart.high - apart.low)
    # Whichever answer comes first: turned round, pair by pair, everything stays.
    turn = np.random.default_rng(1).random(60) < 0.5
    again = FoldedPairs.of(chose ^ turn, np.ones(60), np.where(turn, -term, term), None)
    assert again.controlled(np.where(turn, -trait, trait), 0.95) == found


def test_a_trait_that_decides_every_time_says_so() -> None:
    chose = np.arange(20) % 2 == 0
    trait = np.where(chose, 1.0, -1.0)
    found = FoldedPairs.of(chose, np.ones(20), np.zeros(20), None).controlled(trait, 0.95)
    assert found.note == "decided every time"
    assert found.high == 1.0
    assert 0 < found.low < found.strength
    lengths = np.random.default_rng(3).normal(size=20)  # beside which no pair is like another
    beside = FoldedPairs.of(chose, np.ones(20), lengths, None).controlled(trait, 0.95)
    assert (beside.note, beside.high) == ("decided every time", 1.0)
    turned = FoldedPairs.of(chose, np.ones(20), lengths, None).controlled(-trait, 0.95)
    assert (turned.note, turned.low) == ("decided every time", -1.0)
    trait[0] = -1.0
    assert FoldedPairs.of(chose, np.ones(20), lengths, None).controlled(trait, 0.95).note == ""


def test_joint_and_correlation() -> None:
    asked, expected = given("joint_three_traits")
    votes = np.array([[SIGN[letter] for letter in pair] for pair in asked["votes"]])
    y = np.array([one == "a" for one in asked["reference"]], dtype=float)
    fit = anchored_fit(votes, y, anchor=0.0)
    assert fit.beta.tolist() == near("joint_three_traits", expected["maximum_likelihood"])
    assert fit.errors.tolist() == near("joint_three_traits", expected["maximum_likelihood_se"])
    correlation, *_ = trait_correlations(votes, np.ones(len(votes)), 0.95)
    assert correlation.tolist() == [near("joint_three_traits", row) for row in expected["swap_invariant_correlation"]]
    asked, expected = given("trait_correlation_interval")
    two = np.array([[SIGN[x], SIGN[y]] for x, y in zip(asked["first"], asked["second"], strict=True)])
    value, low, high, both = trait_correlations(two, np.ones(len(two)), asked["level"])
    name = "trait_correlation_interval"
    assert (value[0, 1], low[0, 1], high[0, 1]) == near(name, (expected["correlation"], *expected["interval"]))
    assert both[0, 1] == expected["voted_both"]


def first_difference(found: ByPrompt, level: float) -> tuple[float, float, tuple[float, float]]:
    """The difference of the first two columns, its standard error, and Student's limits by prompts."""
    value, error = float(found.values[0] - found.values[1]), float(found.errors[0, 1])
    reach = error * float(stats.t.ppf(0.5 + level / 2, len(found.influence) - 1))
    return value, error, (value - reach, value + reach)


def test_differences() -> None:
    asked, expected = given("difference_paired_same_pairs")
    first, second = (np.array(asked[key], dtype=float) for key in ("first", "second"))
    alone = by_prompt(np.stack([first, second], axis=-1), np.arange(len(first)))
    value, _, limits = first_difference(alone, asked["level"])
    assert (value, *limits) == near("difference_paired_same_pairs", (expected["difference"], *expected["guarded_t_r1"]))
    asked, expected = given("difference_by_prompt")
    votes = np.array([asked["first"], asked["second"]], dtype=float).T
    found = by_prompt(votes, np.unique(asked["prompt"], return_inverse=True)[1])
    _, error, limits = first_difference(found, asked["level"])
    assert found.values.tolist() == near("difference_by_prompt", [expected["first"], expected["second"]])
    assert (error, *limits) == near("difference_by_prompt", (expected["se_guarded"], *expected["interval"]))
    asked, expected = given("difference_two_splits")
    parts = []
    for one in (asked["first"], asked["second"]):
        low, high = tango_limits_each(one["agree"], one["disagree"], one["total"], Z)
        parts.append(((one["agree"] - one["disagree"]) / one["total"], float(low), float(high)))
    assert unpaired_difference(*parts) == near("difference_two_splits", (expected["difference"], *expected["interval"]))
    asked, expected = given("max_difference_range")
    errors = np.array(asked["standard_error_of_difference"])
    found_range = largest_difference(np.array(asked["strengths"]), errors, asked["q"])
    assert found_range == near("max_difference_range", (expected["max_difference"], expected["low"], expected["high"]))


def test_strength_corrected_for_the_judge() -> None:
    asked, expected = given("strength_corrected_for_judge")
    arrays = (np.array(asked[key], dtype=float) for key in ("human", "judge_on_same", "judge_only"))
    found = corrected_strength(*arrays, asked["level"])
    assert (found.share, found.strength, found.low, found.high, found.people_only, found.judge_only) == near(
        "strength_corrected_for_judge",
        (
            expected["lambda_"],
            expected["strength"],
            *expected["interval"],
            expected["human_only"],
            expected["judge_only"],
        ),
    )


def test_dropping_a_trait_is_the_likelihood_ratio() -> None:
    """Statsmodels' likelihood ratio at anchor 0; with half rows, the same models fitted from nothing."""
    asked, expected = given("length_controlled")
    chose = np.array(asked["reference"]) == "a"
    term = length_term(np.stack([asked["length_a"], asked["length_b"]], axis=-1).astype(float))
    trait = np.array([SIGN[one] for one in asked["trait"]])
    both = np.stack([trait, term], axis=-1)
    fits = [anchored_fit(x, chose.astype(float), anchor=0.0) for x in (both, both[:, 1:])]
    ratio = expected["maximum_likelihood"]["likelihood_ratio_trait"]
    assert fits[1].deviance - fits[0].deviance == near("length_controlled", ratio)
    signed = both * np.where(chose, 1.0, -1.0)[:, None]
    whole, *parts = (anchored_fit(x, np.ones(60)) for x in (signed, signed[:, 1:], signed[:, :1]))
    found = joint_traits(signed, np.ones(60), None)
    assert found.dropped.tolist() == pytest.approx([part.deviance - whole.deviance for part in parts], abs=1e-8)


def test_a_column_for_the_place() -> None:
    """Statsmodels' fit with a position column, and two models by hand."""
    asked, expected = given("length_controlled")
    chose = np.array(asked["reference"]) == "a"
    term = length_term(np.stack([asked["length_a"], asked["length_b"]], axis=-1).astype(float))
    x = np.stack([[SIGN[one] for one in asked["trait"]], term, np.ones(60)], axis=-1)
    wanted = [expected["with_position"][name] for name in ("trait", "length", "position")]
    fit = anchored_fit(x, chose.astype(float), anchor=0.0)
    assert fit.beta.tolist() == near("length_controlled", wanted)
    rows = [(0, 1, 1.0)] * 30 + [(0, 1, 0.0)] * 10 + [(1, 0, 1.0)] * 16 + [(1, 0, 0.0)] * 24
    first, second, outcome = map(np.array, zip(*rows, strict=True))
    games = Games(first, second, outcome, np.ones(80), np.arange(80), ("x", "y"))
    found = bradley_terry(games, anchor=0.0, by_prompt=False, with_place=True)
    as_first, as_second = np.log(30 / 10), np.log(24 / 16)
    assert found.place is not None
    assert found.place[0] == pytest.approx((as_first - as_second) / 2)
    assert found.values[0] - found.values[1] == pytest.approx((as_first + as_second) / 2)
    assert always_in_one_place(games) == []
    assert always_in_one_place(games_of([[0, 2, 3], [1, 0, 1], [1, 1, 0]])) == ["m1", "m3"]


def test_the_middle_p_is_that_of_whole_rows() -> None:
    for agreed, disagreed in ((14, 4), (0, 9), (6, 6), (0, 0), (120, 90)):
        found = float(two_sided(agreed, disagreed, mid=True))
        assert found == pytest.approx(mcnemar(PairedShares(0, agreed, disagreed, 0), mid=True), abs=1e-12)


def test_a_judge_whose_errors_are_known_elsewhere() -> None:
    """The judge's shares are those of people sent through its errors; without separation there is no answer."""
    people, seen = np.array([0.5, 0.2, 0.3]), np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
    found = corrected_elsewhere(seen * 1e7, seen.T @ people * 1e7, 0.95, 1, "many")
    assert found.strength == pytest.approx(0.2, abs=1e-5)
    assert found.low < 0.2 < found.high
    assert found.high - found.low < 0.01
    blind = corrected_elsewhere(np.full((3, 3), 20.0), np.array([50.0, 30.0, 20.0]), 0.95, 1, "blind")
    assert np.isnan(blind.strength)
    assert blind.note
    signs = np.array([1.0, 0.0, -1.0, 1.0])
    assert judge_table(signs, signs).tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_models_in_draws_of_prompts_are_the_fit_of_those_games() -> None:
    random = np.random.default_rng(8)
    first, second = random.integers(0, 3, (2, 300))
    kept = first != second
    outcome = random.choice([0.0, 0.5, 1.0], 300)[kept]
    prompts = random.integers(0, 40, 300)[kept]
    games = Games(first[kept], second[kept], outcome, np.ones(kept.sum()), prompts, ("m1", "m2", "m3"))
    drawn = drawn_strengths(games, 400, 1, by_prompt=True)
    assert drawn is not None
    fit = bradley_terry(games)
    assert drawn.mean(0).tolist() == pytest.approx(fit.values.tolist(), abs=0.05)
    assert drawn.std(0).tolist() == pytest.approx(fit.errors.tolist(), rel=0.15)
    assert drawn_strengths(games, 10**9, 1, by_prompt=True) is None
    wins = np.array([[0, 7, 9, 5], [3, 0, 6, 8], [2, 4, 0, 6], [1, 3, 5, 0]], dtype=float)
    assert fitted(wins[None], 0.5, np.zeros(4, int))[0].tolist() == near(
        "bradley_terry_four_anchor", given("bradley_terry_four_anchor")[1]["strength_centred"]
    )


def test_errors_of_all_differences_are_those_of_each() -> None:
    random = np.random.default_rng(4)
    votes = np.where(random.random((200, 3)) < 0.2, np.nan, random.integers(-1, 2, (200, 3)))
    found = by_prompt(votes, random.integers(0, 50, 200))
    for one, other in ((0, 1), (1, 2)):
        apart = found.influence[:, one] - found.influence[:, other]
        around, prompts = ((apart - apart.mean()) ** 2).sum(), len(apart)
        plain, guarded = around / (prompts * (prompts - 1)), (around + 2) / ((prompts + 1) * (prompts + 2))
        assert found.errors[one, other] == pytest.approx(np.sqrt(max(plain, guarded)))
