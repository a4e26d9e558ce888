"""A fit is where its likelihood is largest; and what one unit, two units, or a size at its bound give."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.diagnosis.test_preference import games_of

import adjudge
from adjudge.data.judgements.annotations import Spans, TagReport
from adjudge.diagnosis.preferences.model_strengths import davidson
from adjudge.errors import AdjudgeError
from adjudge.evaluation.panels import MatrixPanel
from adjudge.inference.differences.paired_units import mean_of_differences
from adjudge.inference.differences.spread_alike import spread_drawn
from adjudge.inference.resampling import bca
from adjudge.report.grids import matrix_places
from adjudge.statistics.ratings.overlaps import keys_in_order
from adjudge.statistics.ratings.spans import _distinct_rows
from adjudge.statistics.ratings.vectors import RatingVectors


@pytest.mark.parametrize("anchor", [0.5, 2.0])
def test_davidsons_fit_is_the_largest_likelihood_with_its_anchor(anchor: float) -> None:
    """Each model has drawn with an average one `anchor` times on each side: log(own (1 − own)) is added so often."""
    wins, ties = [[0, 7, 9], [2, 0, 5], [1, 3, 0]], [[0, 3, 1], [0, 0, 4], [0, 0, 0]]

    def loss(beta: np.ndarray) -> float:
        total = sum(anchor * math.log(1 + math.exp(-b)) + anchor * math.log(1 + math.exp(b)) for b in beta[:3])
        for i, j in itertools.combinations(range(3), 2):
            logits = np.array([beta[i], beta[j], beta[3] + (beta[i] + beta[j]) / 2])
            counts = np.array([wins[i][j], wins[j][i], ties[i][j]])
            total -= float(counts @ (logits - np.log(np.exp(logits).sum())))
        return total

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    found = davidson(games_of(wins, ties), anchor=anchor)
    assert [found.difference(place, 0)[0] for place in (1, 2)] == pytest.approx(
        (best[1:3] - best[0]).tolist(), abs=1e-5
    )
    assert found.log_tie == pytest.approx(best[3], abs=1e-5)


def test_one_difference_is_its_own_mean_and_none_has_no_mean() -> None:
    assert mean_of_differences(3.0, 0.0, 1).mean == 3
    assert math.isnan(mean_of_differences(0.0, 0.0, 0).mean)
    assert mean_of_differences(3.0, 0.5, 2).mean == 1.5


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_bca_of_draws_that_all_lie_on_one_side_has_limits(side: float) -> None:
    values = side * np.linspace(0.1, 1.0, 200)
    bounds = bca(values, np.asarray(0.0), np.linspace(-1, 1, 20), np.ones(20), 0.9)
    assert values.min() <= bounds.low <= bounds.high <= values.max()
    end = bounds.low if side > 0 else bounds.high
    assert end == pytest.approx(side * 0.1, abs=0.02)


def test_two_units_may_spread_alike_and_one_may_not() -> None:
    parts = np.array([[30.0, 18], [20, 10], [9, 11]])
    draws = np.random.default_rng(1).poisson(parts[:, None], (3, 400, 2)).astype(float)
    assert spread_drawn(parts, draws, 2.0) is not None
    assert spread_drawn(parts, draws, 1.9) is None


def test_no_items_are_no_vectors() -> None:
    nothing = RatingVectors.empty(("ann", "ben"), ("a", "b"))
    assert (nothing.rows, len(nothing.vectors), len(nothing.counts), len(nothing.squares)) == (0, 0, 0, 0)
    some = RatingVectors.of_arrays(["a", "b", "a"], ["a", "b", "b"])
    same = RatingVectors.empty(some.raters, some.categories) + some
    assert (same.rows, same.counts.tolist()) == (some.rows, some.counts.tolist())


@pytest.mark.parametrize("largest", [1, 255, 256, 511, 65_535, 65_536, 10**6])
def test_counts_of_any_size_are_told_apart(largest: int) -> None:
    counts = np.array([[largest, 0], [0, largest], [largest, 0], [largest - 1, 1], [largest % 256, 0]])
    distinct, place = _distinct_rows(counts)
    assert distinct.tolist() == np.unique(counts, axis=0).tolist()
    assert (distinct[place] == counts).all()


def test_spans_that_begin_together_come_in_one_order() -> None:
    """Two spans of one place and two labels, two ends, in either order."""
    report = TagReport()
    flags = np.zeros(3, dtype=bool)
    given = Spans(
        ("A", "B"),
        np.array([0, 0, 0]),
        np.array([1, 0, 0]),
        np.array([2, 2, 2]),
        np.array([5, 5, 3]),
        flags,
        np.array([True]),
        report,
    )
    shared = np.array([True])
    first = keys_in_order(given, shared)
    assert (first.end.tolist(), first.label.tolist()) == ([3, 5, 5], [0, 0, 1])
    for order in itertools.permutations(range(3)):
        turned = replace(given, **{name: getattr(given, name)[list(order)] for name in ("label", "start", "end")})
        assert keys_in_order(turned, shared).label.tolist() == first.label.tolist()


@pytest.mark.parametrize(
    ("values", "limits", "places"),
    [
        ([[1.0, 2.0]], (-1.0, 1.0), 2),
        ([[1.0, 2.0]], (0.0, 5.0), 0),
        ([[1.0, 2.0]], (3.0, 5.0), 2),
        ([[1.5, 2.0]], (0.0, 2.0), 2),
        ([[1.5, 2.0]], (-1.0, 19.0), 1),
        ([[1.5, 2.0]], (15.0, 17.0), 2),
        ([[1.5, 2.0]], (0.0, 20.5), 0),
    ],
)
def test_decimals_of_a_matrix_follow_how_far_its_limits_are_apart(
    values: list[list[float]], limits: tuple[float, float], places: int
) -> None:
    assert matrix_places(MatrixPanel("", "", ["a"], ["b", "c"], values, [], [], [], limits)) == places


def test_most_answers_are_the_other_label() -> None:
    """38 of 40: said with its share, not as if it were all."""
    label = ["yes", "no"] * 20
    guess = ["no", "yes"] * 19 + ["yes", "no"]
    said = adjudge.classification({"t": label, "p": guess}, reference="t", prediction="p", replicates=100).checks
    assert any("95 % of its answers are the other label" in one.sentence for one in said)


def test_points_are_told_as_shares_up_to_a_hundred() -> None:
    table = {"t": ["a", "b"] * 20, "old": ["a", "a"] * 20, "new": ["a", "b"] * 20}

    def refused(margin: str) -> str:
        with pytest.raises(AdjudgeError) as found:
            adjudge.classification(
                table, reference="t", prediction=["old", "new"], require=[f"accuracy of new >= old - {margin}"]
            )
        return str(found.value)

    assert "Write 1 for 100 points." in refused("100")
    assert "Write" not in refused("100.5")
    assert "Write 0.01 for 1 point." in refused("1")


def test_lengths_that_are_all_alike_have_no_spread() -> None:
    """What rounding leaves of a mean of squares less the square of the mean is none."""
    pairs = {"preferred_text": ["a", "b", "a"] * 7, "text_a": ["x" * 7] * 21, "text_b": ["y" * 3] * 21}
    pairs["weight"] = [0.1, 0.7, 1.3] * 7  # type: ignore[assignment]
    made = adjudge.preference(pairs, reference="preferred_text", text_a="text_a", text_b="text_b", weight="weight")
    for of, length in (("a", 7.0), ("b", 3.0)):
        row = made.table.find(f"answer_length(of={of})")
        assert row.estimate == pytest.approx(length)
        assert math.isnan(row.low)
        assert "every unit says the same" in row.note
