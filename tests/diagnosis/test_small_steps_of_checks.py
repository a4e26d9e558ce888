"""Small steps of checks, at the place where each decides something."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.data.number_facts import CODES
from adjudge.diagnosis.checks.labels import names
from adjudge.diagnosis.checks.misplaced import _ends
from adjudge.diagnosis.checks.raters import apart_raters
from adjudge.diagnosis.checks.scores import _by_chance
from adjudge.diagnosis.checks.watching import _fine
from adjudge.diagnosis.limits import ValueWithLimits
from adjudge.diagnosis.raters.against_others import Vitality, WithoutRater
from adjudge.evaluation.comparison.apart import checks_apart
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.tasks.agreement.rater_panels import without_panel
from adjudge.tasks.preference.panels import in_words
from adjudge.tasks.preference.shown_votes import TraitCell

GAP = None


def test_a_rater_who_shares_items_with_one_other_is_not_apart() -> None:
    """Two rate 30 items together; the third rates 30 others, alone or with the first."""
    first, second = ["x", "y"] * 30, ["x", "y"] * 15 + [GAP] * 30
    alone, beside = ([GAP] * 30 + ["y", "x"] * 15 for _ in range(2))
    with_nobody = RatingVectors.of_arrays(
        [[*one] for one in zip([*first[:30], *second[30:]], second, alone, strict=True)]
    )
    with_one = RatingVectors.of_arrays([[*one] for one in zip(first, second, beside, strict=True)])
    assert [check.key for check in apart_raters(with_nobody)] == ["C7"]
    assert list(apart_raters(with_one)) == []


def test_rows_that_belong_together_are_not_told_apart_by_a_number() -> None:
    assert _fine({"reference": "y", "prediction": ["a", "b"]}) == "b"
    assert _fine({"reference": "y", "prediction": "a", "cluster": "who"}) is None
    assert _fine({"raters": ["h"], "prediction": "a", "candidate": "who"}) is None
    assert _fine({"reference": "y", "score": "s"}) is None
    assert _fine({"score": "s"}) == "s"


@pytest.mark.parametrize(
    "code",
    [
        9,
        -9,
        99,
        -99,
        999,
        9999,
        99999,
        -999999,
        999999999,
        99.9,
        999.9,
        -999.9,
        9999.99,
        99.99,
        77,
        88,
        777,
        8888,
        98,
        97,
        96,
        998,
        997,
        996,
        9998,
        9996,
        0,
        -1,
        32767,
        -32768,
        65535,
        2147483647,
        -2147483648,
        2.0**63,
    ],
)
def test_numbers_that_stand_for_nothing_in_files_of_surveys_and_machines(code: float) -> None:
    assert code in CODES


@pytest.mark.parametrize("number", [1, 2, 10, 33, 66, 95, 100, 995, 1000, 9995, 10_000, 110.9, 121, 2.0**62])
def test_numbers_that_may_be_values_are_no_codes(number: float) -> None:
    assert number not in CODES


def test_two_systems_that_were_watched_and_failed_alike_are_one() -> None:
    random = np.random.default_rng(1)
    hours = random.integers(5, 200, 60)
    failed = random.poisson(hours * 0.02)
    table = {"hours": hours.tolist(), "old": failed.tolist(), "new": failed.tolist(), "other": failed[::-1].tolist()}
    for systems, said in ((["old", "new"], True), (["old", "other"], False), (["other", "old", "new"], True)):
        made = adjudge.failures(table, exposure="hours", failures=systems, replicates=100)
        assert any('"old"' in one.sentence and '"new"' in one.sentence for one in made.outcome.checks) == said


def test_items_on_which_all_agree_are_not_in_the_queue_of_sets() -> None:
    raters = {"ann": ["a|b", "a", "c", "b"] * 5, "ben": ["a|b", "b", "c", "b|c"] * 5}
    made = adjudge.agreement(raters, raters=["ann", "ben"], measurement="sets", replicates=100)
    queue = made.taken("queue").records()
    assert len(queue) == 10
    assert all(row["disagreement"] > 0 for row in queue)
    assert [row["rank"] for row in queue] == list(range(1, 11))


def _change(low: float, high: float) -> Vitality:
    unknown = ValueWithLimits(0.5, 0.4, 0.6, 30)
    return Vitality(unknown, np.zeros(0), [WithoutRater("ann", unknown, ValueWithLimits(0.1, low, high, 30))])


@pytest.mark.parametrize(
    ("low", "high", "said"), [(0.0, 0.2, ""), (-0.2, 0.0, ""), (0.01, 0.2, "falls"), (-0.2, -0.01, "rises")]
)
def test_limits_that_hold_no_change_tell_none(low: float, high: float, said: str) -> None:
    (line,) = without_panel(_change(low, high), "alpha", "").lines
    assert ("falls" in str(line)) == (said == "falls")
    assert ("rises" in str(line)) == (said == "rises")
    votes = VoteTable.of_arrays(["a", "b"] * 10, ["a", "b"] * 9 + ["b", "a"])
    cell = TraitCell("judge", "chosen", votes, 0.1, low, high, 0.05, 0.05, "")
    assert in_words(cell).endswith({"": "it could be chance", "falls": "encouraged", "rises": "discouraged"}[said])
    assert ("discouraged" in in_words(cell)) == (said == "rises")


@pytest.mark.parametrize(("times", "said"), [(4, False), (5, True)])
def test_a_word_for_nothing_is_doubted_from_five_answers_on(times: int, said: bool) -> None:
    answers = ["#N/A"] * times + ["a", "b"] * 30
    table = {"case": [f"c{row}" for row in range(60)], "what": ["x"] * 60, "want": ["a", "b"] * 30, "v": answers[:60]}
    made = adjudge.diagnostic(table, phenomenon="what", case="case", expect="want", prediction="v", replicates=100)
    assert any(one.key == "C22" for one in made.outcome.checks) == said


@pytest.mark.parametrize(
    ("times", "is_said"),
    [
        ([1] * 49, False),  # too few values to tell
        ([1] * 50, True),
        ([2] * 25, False),  # exactly half as many labels as values
        ([2] * 25 + [1], True),
        ([3] * 100, False),
        ([1] * 51 + [30] * 50, True),  # more than 100, most of which stand once
        ([1] * 50 + [30] * 51, False),
    ],
)
def test_from_how_many_labels_on_a_column_holds_none(times: list[int], is_said: bool) -> None:
    found = names("`prediction`", [f"label {place}" for place in range(len(times))], np.array(times, dtype=float))
    assert (found is not None and found.key == "C14") is is_said


@pytest.mark.parametrize(
    ("known", "swapped", "outside", "one_end", "said"),
    [
        (100, 0, 50, 0, []),  # half of the predictions outside of their intervals
        (100, 0, 51, 0, ["51 % of the rows. Are these widths"]),
        (100, 5, 0, 0, []),
        (100, 6, 6, 0, ["above the upper ones in 6 %"]),
        (100, 6, 57, 0, ["57 % of the rows. Are these widths"]),  # 51 outside of ends that are in order
        (100, 6, 56, 0, ["above the upper ones in 6 %"]),
        (100, 51, 100, 0, ["above the upper ones in 51 %"]),
        (100, 0, 0, 50, []),
        (100, 0, 0, 51, ["no width in 51 %"]),
        (19, 19, 19, 19, []),  # too few rows
        (20, 0, 11, 11, ["no width in 55 %", "55 % of the rows. Are these widths"]),
    ],
)
def test_ends_of_intervals_that_are_none(known: int, swapped: int, outside: int, one_end: int, said: list[str]) -> None:
    found = [check.sentence for check in _ends("m", known, swapped, outside, one_end)]
    assert len(found) == len(said)
    assert all(part in sentence for part, sentence in zip(said, found, strict=True))


@pytest.mark.parametrize("low", [0.0, 0.5, -3.0])
def test_rows_that_repeat_a_score_by_chance_are_counted_as_birthdays_are(low: float) -> None:
    """Of 10 scores with 10 possible values 10 (1 − 0.9¹⁰) are different; of 40 rows each value is met nearly always."""
    values = low + np.arange(10) / 10
    for times in (np.ones(10), np.full(10, 4.0)):
        rows = times.sum()
        assert _by_chance(values, times, 0.1) == pytest.approx(rows - 10 * (1 - 0.9**rows))
    in_bins = low + np.arange(110) / 10  # a bin of 50 scores, and one of 60
    expected = sum(rows * (1 - 1 / rows) ** rows for rows in (50, 60))
    assert _by_chance(in_bins, np.ones(110), 0.1) == pytest.approx(expected)
    assert _by_chance(np.array([low]), np.array([7.0]), 0.1) == pytest.approx(6.0)


def crossed(groups: int, values: int) -> dict[str, list[float]]:
    """Groups in which each of some values of two columns stands beside each, and that no other group has."""
    pairs = [
        (group, values * group + i, values * group + k)
        for group in range(groups)
        for i in range(values)
        for k in range(values)
    ]
    return {name: [float(pair[place]) for pair in pairs] for place, name in enumerate(("join", "truth", "said"))}


def test_groups_in_which_all_stand_beside_all_are_a_join() -> None:
    """Ten groups tell it of numbers that hardly stand twice, thirty of few that are met again and again."""
    for groups, is_said in ((9, False), (10, True)):
        found = adjudge.regression(crossed(groups, 5), reference="truth", prediction="said", replicates=100)
        assert ("C5" in {check.key for check in found.outcome.checks}) is is_said, groups
    for groups, is_said in ((29, False), (30, True)):
        table = crossed(groups, 2)
        table |= {name: [value % 6 for value in table[name]] for name in ("truth", "said")}
        found = adjudge.regression(table, reference="truth", prediction="said", replicates=100)
        assert ("C5" in {check.key for check in found.outcome.checks}) is is_said, groups


def test_errors_may_be_far_apart_where_references_are_not() -> None:
    """One system is wrong by 0.01, the other by 5: both are measured in one unit, unless a reference is in another."""
    truth = np.arange(60.0) % 17
    near, far = truth + 0.01 * (-1.0) ** np.arange(60), truth + 5.0 * (-1.0) ** np.arange(60)
    part = ["few"] * 3 + ["many"] * 57

    def told(first: np.ndarray, second: np.ndarray, unit: float) -> list[str]:
        tables = ({"y": truth, "p": first, "g": part}, {"y": unit * truth, "p": unit * second, "g": part})
        made = [adjudge.regression(one, reference="y", prediction="p", slices="g", replicates=100) for one in tables]
        checks = checks_apart({name: one.outcome for name, one in zip(("one", "other"), made, strict=True)})
        return [check.sentence for check in checks if "one unit" in check.sentence]

    assert told(near, far, 1.0) == []
    assert told(near, near, 9.5) == []
    assert len(told(near, near, 60.0)) == 1
