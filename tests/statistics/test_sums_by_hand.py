"""Sums worked out by hand, where a changed sign or constant went unnoticed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adjudge.data.facts import Facts, check_clusters
from adjudge.data.judgements.columns import Judgements, Scores
from adjudge.data.judgements.labels import labels_of
from adjudge.data.judgements.value_columns import ValueColumns
from adjudge.data.keys import keys_of_rows
from adjudge.metrics import accuracy, light_kappa
from adjudge.report.summarize import explained
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.losses import Losses
from adjudge.statistics.moments import Moments
from adjudge.statistics.numbers.conditional_cells import edges_of
from adjudge.statistics.ratings.patterns import PRIOR_MASS, Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights
from adjudge.tasks.regression.panels import _edges


def test_moments_of_weights_that_move_the_mean() -> None:
    """1, 2 and twice 6: mean 15/4, squared deviations (121 + 49 + 2 · 81) / 16."""
    moments = Moments.summing(np.array([1.0, 2.0, 6.0]))(Weights(3, np.array([1.0, 1.0, 2.0])))
    assert float(moments.mean) == pytest.approx(15 / 4)
    assert float(moments.deviations) == pytest.approx((121 + 49 + 2 * 81) / 16)


def test_prior_pairs_have_the_mass_of_the_prior_whatever_the_number_of_categories() -> None:
    for size in (2, 3, 5):
        labels = [chr(97 + k) for k in range(size)]
        one = Patterns.of_arrays([[label, label] for label in labels])
        drawn = one.resampled("bayesian", 4_000, 1, "prior")
        prior = drawn.counts[:, len(one.patterns) :].sum(1)
        # The draws are put back to as much as there was: a share of prior mass is left.
        assert prior.mean() / size == pytest.approx(PRIOR_MASS / (PRIOR_MASS + size), rel=0.05)


def test_tails_of_losses_hold_what_the_other_label_would_cost() -> None:
    """A positive at .8 and a negative at .3: their losses cubed, and those of the other label."""
    curve = Curve.collect(Scored(np.array([True, False]), np.array([0.8, 0.3])), Weights(2))
    log, other = (-math.log(0.8), -math.log(0.7)), (-math.log(0.2), -math.log(0.3))
    brier, other_brier = (0.04, 0.09), (0.64, 0.49)
    expected = [sum(x**3 for x in log), sum(x**3 for x in brier), sum(other), sum(other_brier)]
    assert Losses.from_curve(curve).tails.tolist() == pytest.approx(expected)


def test_missing_ratings_stay_missing_when_equal_measurements_are_joined() -> None:
    vectors = np.array([[0, 1, -1], [2, 1, -1]])
    numbers = np.array([1.0, 2.0, 1.0])  # the first and the third are one
    whole = RatingVectors((), ("a", "b", "c"), vectors, np.ones(2), np.ones(2), 2, numbers)
    joined = whole.by_value
    assert joined.vectors.tolist() == [[0, 1, -1]]
    assert joined.counts.tolist() == [2.0]


def test_a_pair_of_raters_without_a_kappa_adds_nothing_to_the_mean() -> None:
    """Two raters always say a: they have no kappa, and each with the third has 0."""
    assert light_kappa([["a", "a", "a"], ["a", "a", "b"], ["a", "a", "a"]]) == pytest.approx(0.0)


def test_one_row_of_one_cluster_is_no_cluster_that_repeats() -> None:
    check_clusters(Facts(used=1, units=keys_of_rows(0, 1)), "cluster", "page")


def test_bins_reach_from_the_lowest_to_the_highest_where_the_middle_half_is_one_value() -> None:
    values = np.array([5.0] * 9 + [4.0, 7.0])
    assert edges_of(values)[[0, -1]].tolist() == [4.0, 7.0]
    assert _edges(values, np.ones(11))[[0, -1]].tolist() == [4.0, 7.0]


def test_a_metric_of_scores_is_of_scores_though_there_are_predictions() -> None:
    labels = labels_of(["a", "b"], "reference")
    both = Judgements(labels, labels_of(["b", "b"], "prediction"), Scores(("b",), np.array([[0.2], [0.7]])))
    assert ValueColumns.of(both, "score").second.tolist() == [0.2, 0.7]
    assert list(ValueColumns.of(both, "prediction").second) == ["b", "b"]


def test_the_formula_of_a_metric_is_told_without_when_it_is_undefined() -> None:
    sentence, formula, undefined = explained(accuracy)
    assert sentence
    assert undefined == "when there are no rows."
    assert "Undefined" not in formula
