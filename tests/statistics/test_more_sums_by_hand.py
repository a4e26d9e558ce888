"""Sums and cells worked out by hand, or the other way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.judgements.label_sets import set_ratings_of
from adjudge.engines.base import WHOLE, Tally
from adjudge.metrics.score_cells import any_order
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.grouping import coarse_starts
from adjudge.statistics.curves.growing import CellTable
from adjudge.statistics.curves.orders import CellOrders
from adjudge.statistics.curves.points import Points
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables, LabelFigure, LabelShares
from adjudge.statistics.numbers.distribution import Distribution
from adjudge.statistics.numbers.residuals import MOST_CELLS, _fine_at_the_median
from adjudge.statistics.numbers.value_pairs import ValuePairs
from adjudge.statistics.ratings import set_ratings
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells
from adjudge.statistics.scores.grid import FewValues
from adjudge.statistics.systems.imagined import imagined_rows
from adjudge.statistics.systems.joint_rows import JointRows
from adjudge.statistics.weights import Weights


def test_pairs_in_one_cell() -> None:
    """Two positives and a negative at 0.9, one and three at 0.1: half of 5 of 3 · 4 pairs."""
    labels, scores = [1, 1, 0, 1, 0, 0, 0], [0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1]
    [curve] = metrics.roc_auc.statistic_of(labels, scores, positive=1).curves
    assert isinstance(curve, Curve)
    least, most = any_order(CellOrders(curve), metrics.roc_auc.formula)
    assert float(most - least) / 2 == pytest.approx(5 / 24)


def test_both_ends_of_a_curve_have_cells_of_their_own() -> None:
    """Precision moves near the top, losses at both ends: there rows are not thrown together."""
    falling = np.arange(20_000.0)[::-1]
    selected = np.arange(1.0, 20_001)
    starts = coarse_starts(falling, (selected / 2, selected / 2), 256, ())
    assert len(starts) <= 257
    assert starts[:3].tolist() == [0, 1, 2]
    assert starts[-3:].tolist() == [19_997, 19_998, 19_999]


def test_replicates_of_a_median_have_no_more_cells_than_they_may() -> None:
    cells = _fine_at_the_median(np.ones(200_000), 200_000.0)
    assert len(cells) <= MOST_CELLS
    middle = np.searchsorted(cells, 100_000)
    assert np.diff(cells[middle - 5 : middle + 5]).max() < 40, "cells are finest at the median"


def test_descriptions_of_parts_add_up() -> None:
    values, weights = np.array([1.0, 4, 2, 8, 5, 7]), np.array([1.0, 2, 0.5, 3, 1, 0])
    for case in (None, weights):
        whole = Descriptives.of(values, case)
        parts = [
            Descriptives.of(values[part], None if case is None else case[part]) for part in (slice(2), slice(2, 6))
        ]
        both = parts[0] + parts[1]
        for name in ("n", "weight", "mean", "squares", "low", "high"):
            assert getattr(both, name) == pytest.approx(getattr(whole, name)), name
    assert Descriptives.of(values, weights).mean == pytest.approx(float(np.average(values, weights=weights)))
    assert Descriptives.of(values, weights).squares == pytest.approx(
        float(weights @ (values - np.average(values, weights=weights)) ** 2)
    )
    assert np.isnan(Descriptives.of(values, np.zeros(6)).mean)


def test_expected_distances_of_many_sets_are_near_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    rows = [[{*random.choice(list("abcdef"), 2)} for _ in range(3)] for _ in range(60)]
    drawn = SetRatings.of_arrays(rows, None).resampled("multinomial", 40, 1, "test")
    exact = drawn.expected("jaccard")
    monkeypatch.setattr(set_ratings, "EXACT_SETS", 3)
    assert drawn.expected("jaccard") == pytest.approx(exact, rel=0.01)


def test_items_outside_the_commonest_set() -> None:
    rows = [[{"b"}, {"b"}], [{"b"}, {"b"}], [{"a"}, {"b"}], [{"a"}, {"a"}], [{"c"}, None]]
    assert SetRatings.of_arrays(rows, None).minority == pytest.approx(3.0)


def test_raters_without_names_leave_those_of_others_without() -> None:
    """Who said what is known of one part only, so that of both together it is not."""
    ratings = set_ratings_of([[{"a"}, {"b"}], [{"b"}, {"b"}]])
    named, unnamed = (SetRatings.summing(ratings, told)(Weights(2)) for told in (None, False))
    both = named + unnamed
    assert (len(named.raters), both.raters, (unnamed + named).raters) == (2, (), ())
    assert both.counts.tolist() == [2.0, 2.0]
    assert float(metrics.set_alpha.values(both)) == float(metrics.set_alpha.values(unnamed + unnamed))


def test_a_bayesian_draw_of_sets_weighs_what_the_items_weigh() -> None:
    """With its imagined pairs, and of a single item as of many."""
    for items in (1, 3):
        drawn = SetRatings.of_arrays([[{"a"}, {"a", "b"}]] * items, None).resampled("bayesian", 200, 1, "test")
        assert drawn.prior is not None
        assert drawn.counts.sum(-1) + drawn.prior.counts.sum(-1) == pytest.approx(np.full(200, float(items)))


def test_the_work_of_a_coefficient_of_sets() -> None:
    """Three rows of two raters, and every two of three sets: 6 + 9 multiplications."""
    assert SetRatings.of_arrays([[{"a"}, {"b"}], [{"b"}, {"b"}], [{"a", "b"}, {"b"}]], None).work == 15


def test_numbers_of_few_values_are_looked_up() -> None:
    """Also where steps are uneven; what is missing stands behind all, and another number is told."""
    few = FewValues(np.array([1.0, 2.0, 2.25, 4.0]))
    assert few.usable
    place, other = few.places(np.array([4.0, 1.0, 2.25, 2.0, np.nan, 3.0]))
    assert place[:5].tolist() == [3, 0, 2, 1, 4]
    assert other is not None
    assert other.tolist() == [False] * 5 + [True]
    assert FewValues(np.array([1.0, 2.0])).places(np.array([2.0, 1.0]))[0].tolist() == [1, 0]


def test_vectors_in_the_terms_of_others_have_their_categories() -> None:
    few = RatingVectors.of_arrays(["b", "c", "b"], ["b", "b", "b"])
    many = RatingVectors.of_arrays(["a", "b", "c"], ["a", "c", "c"])
    told = few.in_terms_of(many)
    assert told.categories == ("a", "b", "c")
    assert {tuple(row): count for row, count in zip(told.vectors.tolist(), told.counts, strict=True)} == {
        (1, 1): 2.0,
        (2, 1): 1.0,
    }
    assert few.in_terms_of(few) is few


def test_points_of_weighted_rows_come_back_from_their_cells() -> None:
    thresholds = np.array([0.9, 0.5, 0.2])
    counts, squares = np.array([[2.0, 3.0, 0.5], [0.0, 1.0, 4.0]]), np.array([[2.5, 9.0, 0.25], [0.0, 0.6, 7.0]])
    for given in (squares, counts):
        back = CellTable.of_points(Points(thresholds, counts, given, 9)).points(9)
        assert back.thresholds.tolist() == thresholds.tolist()
        assert back.counts.tolist() == counts.tolist()
        assert back.squares.tolist() == given.tolist()


def test_the_highest_value_is_one_with_a_weight() -> None:
    counts = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    spread = Distribution(np.array([1.0, 3.0, 8.0]), counts, np.zeros(3))
    assert spread.highest == pytest.approx([3.0, np.nan], nan_ok=True)


def test_squared_weights_of_responses_add_up() -> None:
    """Weights 2 and 3, twice: 2 · (4 + 9)."""
    human, system, groups = np.array([1.0, 2.0]), np.array([1.5, 2.0]), np.array([0, 1])
    part = ErrorCells.of_groups(human, system, groups, ("a", "b"), weights=np.array([2.0, 3.0]))
    assert (part + part).squares == 26


def test_rows_that_two_systems_decided_differently() -> None:
    """Two rows alike and three not; a system that decided nothing differs from nobody."""
    kinds, counts = np.array([[0, 0, -1, 0, -1], [0, 0, -1, 1, -1]]), np.array([2.0, 3.0])
    rows = JointRows(("no", "yes"), (None, None), kinds, counts, counts, 5)
    assert rows.differing(0, 1) == 3
    kinds = np.where(np.arange(5) == 3, -1, kinds)
    assert np.isnan(replace(rows, kinds=kinds).differing(0, 1))


@pytest.mark.parametrize(("kind", "whole"), [("multinomial", True), ("poisson", True), ("bayesian", False)])
def test_units_of_a_metric_of_ones_own_are_drawn_whole_unless_weighed(kind: str, whole: bool) -> None:
    drawn = ValuePairs.of_arrays([1, 2, 1], [1, 2, 1]).resampled(kind, 200, 3, "test").counts
    assert bool((drawn == np.floor(drawn)).all()) == whole
    assert drawn.sum(-1).mean() == pytest.approx(3, abs=0.5)


def test_replicates_without_a_category_have_no_value_each() -> None:
    nothing = Confusion((), np.zeros((3, 0, 0)), np.zeros((0, 0)), 0)
    assert metrics.recall.one_value(nothing, "yes") == pytest.approx([np.nan] * 3, nan_ok=True)


def test_a_judge_counts_between_not_at_all_and_wholly() -> None:
    """λ = cov(h, j) / ((1 + n/N) var(j)): at 0 where it says the opposite or labels are too few, by hand between."""
    people = [1, 0, 1, 0, None, None, None, None]
    against = JudgedSums.of_arrays(people, [0, 1, 0, 1, 0, 1, 0, 1])
    alone = JudgedSums.of_arrays([1, None, None, None], [1, 0, 1, 0])
    assert [float(one.weight) for one in (against, alone)] == [0.0, 0.0]
    # cov = 1/3 of four labels, var = 2/7 of eight answers, and as many rows without a label: (1/3) / (2 · 2/7).
    assert float(JudgedSums.of_arrays(people, [1, 0, 1, 0, 1, 0, 1, 0]).weight) == pytest.approx(7 / 12)


def test_the_whole_and_slices_may_be_told_different_things_first() -> None:
    tally = Tally("view", Confusion, pilot="whole", slice_pilot="slice")
    assert [tally.pilot_of(key) for key in (WHOLE, ("place", "a"))] == ["whole", "slice"]
    assert Tally("view", Confusion, pilot="both").pilot_of(("place", "a")) == "both"


def test_an_imagined_wrong_answer_is_one_that_was_given() -> None:
    """The second system said b of two rows that are a, and never c: an imagined mistake of it on a is b."""
    rows = JudgedTables.of_arrays(["a", "a", "a", "b", "c"], ["b", "b", "a", "b", "c"], judge=["a", "a", "a", "b", "c"])
    kinds, counts = imagined_rows(rows, (1, 2), (np.arange(3), np.arange(3)))
    of_a = {tuple(kind): float(count) for kind, count in zip(kinds.tolist(), counts, strict=True) if kind[0] == 0}
    assert of_a == {(0, 0, 1): 1.0, (0, 1, 0): 0.5, (0, 2, 0): 0.5}  # the first never erred: b and c alike


@pytest.mark.parametrize(("people", "weight"), [(["a", "b"], 0.75), (["a", None], 0.0)])
def test_two_labels_tell_how_much_a_judge_counts_and_one_does_not(people: list[str | None], weight: float) -> None:
    """Right and wrong for both on two rows, and for the judge on two more: ½ / ((1 + 2/2) · ⅓)."""
    tables = JudgedTables.of_arrays([*people, None, None], ["a"] * 4, judge=["a", "b", "a", "b"])

    def right(of: LabelShares) -> LabelFigure:
        return LabelFigure(of.hits.sum(-1), np.zeros(2), np.zeros(2), np.ones(2))

    assert float(tables._weight(right)) == pytest.approx(weight)
