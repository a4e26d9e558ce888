"""Small steps of tasks, each with a figure from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, probplot

import adjudge
from adjudge.metrics import preference_kappa
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.tasks.judges.study import _on_other_scale
from adjudge.tasks.preference.differences import _p_of_range
from adjudge.tasks.preference.explanations import chance_warning
from adjudge.tasks.regression.panels import _medians
from adjudge.tasks.regression.reading import NumberSystem
from adjudge.tasks.scoring.checks import _alike_by_name


def test_places_of_ordered_numbers_are_fillibens() -> None:
    theirs = norm.cdf(probplot(np.arange(12.0), fit=False)[0])
    assert _medians(np.arange(1.0, 13), 12.0) == pytest.approx(theirs)


def test_strengths_that_hardly_differ_are_often_so_far_apart() -> None:
    """Of three independent normal numbers the range is above 0.6 standard errors of a difference in 90 of 100 draws."""
    covariance = np.eye(3)
    assert _p_of_range(np.array([0.0, 0.01, 0.02]), covariance, seed=1) > 0.99
    assert _p_of_range(np.array([0.0, 3.314, 1.0]), covariance, seed=1) == pytest.approx(
        0.05, abs=0.012
    )  # q(.05; 3, ∞)


def test_the_ends_of_intervals_that_are_there() -> None:
    both = NumberSystem("m", "p", "low", "high")
    assert both.bounds == ("low", "high")
    assert NumberSystem("m", "p").bounds == ()


def test_a_model_that_always_wins_is_first() -> None:
    pairs = [("x", "y", "a"), ("y", "x", "b"), ("x", "z", "a"), ("z", "y", "a"), ("y", "z", "b"), ("z", "x", "b")] * 4
    table = {
        "human": [vote for _, _, vote in pairs],
        "one": [first for first, _, _ in pairs],
        "two": [second for _, second, _ in pairs],
        "trait": ["a", "b", "tie", "a", "b", "a"] * 4,
    }
    evaluation = adjudge.evaluate(
        table, "preference", reference="human", annotators=["trait"], model_a="one", model_b="two", replicates=100
    )
    ranked = next(panel for panel in evaluation.outcome.panels.tables if panel.title == "Ranking of models")
    assert [row[1] for row in ranked.rows] == ["x", "z", "y"]
    strengths = [row[2] for row in ranked.rows]
    assert strengths[1] == pytest.approx(0.0, abs=1e-9), "z wins as often as it loses"
    assert strengths[0] == pytest.approx(-strengths[2])


def test_a_slice_is_held_against_everybody_though_a_single_response_is_elsewhere() -> None:
    """The mean of what two z-scores differ by, the z-scores being those of everybody (Williamson and others 2012)."""
    human = [1, 2, 3, 4, 2, 3, 4, 1, 2, 3, 4, 3]
    system = [1.2, 2.1, 2.7, 3.9, 2.4, 3.3, 3.6, 1.4, 1.9, 3.2, 4.1, 1.0]
    table = {"human": human, "system": system, "where": ["here"] * 11 + ["there"], "all": ["one"] * 12}
    made = adjudge.evaluate(
        table, "scoring", raters=["human"], prediction="system", slices=["where", "all"], replicates=100
    )

    def z(values: list[float]) -> np.ndarray:
        return (np.array(values) - np.mean(values)) / np.std(values, ddof=1)

    gaps = z(system) - z([float(one) for one in human])
    rows = made.table.where(metric="difference_of_standardized_means", slice="where = here")
    assert next(iter(rows)).estimate == pytest.approx(gaps[:11].mean())
    everybody = made.table.where(metric="difference_of_standardized_means", slice="all = one")
    assert next(iter(everybody)).estimate == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("people", "judge", "is_said"),
    [
        ([0, 1, 1, 0], [0, 1, 0, 0], False),  # two that are yes or no
        ([0, 1, 1, 0], [0.1, 0.9, 0.7, 0.2], False),  # yes or no, and probabilities
        ([0, 1, 1, 0], [1, 5, 4, 2], True),  # yes or no, and grades
        ([0, 1, 1, 0], [-1, 1, 1, -1], True),
        ([1, 2, 3, 4], [3, 6, 9, 12], False),  # three times as wide, not more
        ([1, 2, 3, 4], [3, 6, 9, 12.1], True),
        ([3, 6, 9, 12], [1, 2, 3, 4], False),
        ([3, 6, 9, 12.1], [1, 2, 3, 4], True),
        ([2, 2, 2, 2], [3, 4, 5, 6], False),  # of one value nothing is known
        ([3, 4, 5, 6], [2, 2, 2, 2], False),
        ([3], [40], False),
    ],
)
def test_values_of_a_judge_on_another_scale(people: list[float], judge: list[float], is_said: bool) -> None:
    assert _on_other_scale(JudgedSums.of_arrays([*people, None], [*judge, judge[0]])) is is_said


@pytest.mark.parametrize(
    ("names", "scores", "is_said"),
    [
        ("aabbccddee" * 2, "1122334455" * 2, True),
        ("aabbccddee" * 2, "1122334455" * 2 + "1", True),  # a row without a name says nothing
        ("aabbccddee", "1122334456", False),  # the last name has two scores
        ("aabbccdd", "11111111", False),  # a score that never varies
        ("aabbcc", "112233", False),  # three repeats among three scores: once in 27
        ("aabbccddeeffgg", "12" * 7, False),
        (
            "aabbccddeeffgghhiijjkkll" + "mnopqrstuvwx",
            "112233445566112233445566" + "123456123456",
            True,
        ),  # half of them
        ("aabbccddeeffgghhiijjkkll" + "mnopqrstuvwxy", "112233445566112233445566" + "1234561234561", False),
    ],
)
def test_names_of_responses_that_always_have_one_score(names: str, scores: str, is_said: bool) -> None:
    """By chance a row has the score of the first of its name as often as two rows have one score."""
    codes = np.array([*(ord(name) for name in names), *[-1] * (len(scores) - len(names))])
    assert _alike_by_name(codes, np.array([float(score) for score in scores])) is is_said


def leaning(reference: str, annotator: str) -> str:
    return chance_warning(preference_kappa.statistic_of([*reference], [*annotator]))


def test_a_chance_of_one_half_misleads_where_both_lean_to_one_place() -> None:
    """Of 100, 60 are p = 0.057, and 61 are 0.035; two that lean to a in 90 of 100 agree by chance in 82."""
    most, half = "a" * 90 + "b" * 10, "ab" * 50
    assert "unrelated votes would give 0.64" in leaning(most, most)
    assert leaning(most, half) == leaning(half, most) == ""
    assert leaning(most, "a" * 60 + "b" * 40) == ""
    assert "would give 0.18" in leaning(most, "a" * 61 + "b" * 39)
    few = "a" * 56 + "b" * 44  # of 1,000 that lean as little as 56 %, chance gives 0.0144 more than a half
    assert "would give 0.01" in leaning(few * 10, few * 10)
    assert leaning(("a" * 54 + "b" * 46) * 20, ("a" * 54 + "b" * 46) * 20) == "", "(2 · 0.54 − 1)² is 0.0064"
