"""Small steps of tasks, each with a figure from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, probplot

import adjudge
from adjudge.tasks.preference.differences import _p_of_range
from adjudge.tasks.regression.panels import _medians
from adjudge.tasks.regression.reading import NumberSystem


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
