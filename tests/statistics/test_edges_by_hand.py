"""Sums at their edges: no weight, little weight, one value, one rater, codes at the end of their range."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.ratings import ratings_of
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.data.keys import keys_of_rows
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.numbers.conditional_cells import BINS, edges_of
from adjudge.statistics.numbers.distribution import Distribution
from adjudge.statistics.numbers.residuals import _fine_at_the_median
from adjudge.statistics.numbers.two_numbers import Centred
from adjudge.statistics.preferences.votes import COUNTED, _by_prompt
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.sums import RatingSums
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.clustered_table import by_person
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells
from adjudge.statistics.scores.ranks import MOST_RANKS, _places
from adjudge.statistics.scores.table import FARTHEST, MOST_POINTS, span_of
from adjudge.statistics.systems.counted_flips import FlipSums
from adjudge.statistics.systems.joint_rows import JointRows, distinct_kinds
from adjudge.statistics.weights import Weights, quantiles_of


def test_bins_of_one_value_stand_around_it() -> None:
    """Half of the value to each side, so that 4 lies in the middle of 2 to 6; none at all makes bins of the unit."""
    around, nothing = edges_of(np.array([4.0, 4.0])), edges_of(np.zeros(0))
    assert (around[0], around[-1], len(around)) == (2.0, 6.0, BINS + 1)
    assert (nothing[0], nothing[-1], len(nothing)) == (0.0, 1.0, BINS + 1)


def test_ranks_at_the_end_of_their_range_are_not_taken_for_others() -> None:
    """The lowest of one and the highest of the other is not the second of one and the lowest of the other."""
    vectors = np.array([[0, MOST_RANKS - 1], [0, MOST_RANKS], [1, 0], [1, 1]])
    known = RatingVectors((), (), vectors, np.ones(4), np.ones(4), 4)
    assert _places(known, vectors[[2, 0, 3, 1, 2]]).tolist() == [2, 0, 3, 1, 2]


def test_rows_of_many_codes_are_told_apart_by_each_of_them() -> None:
    """Forty columns of three values do not fit one whole number of 64 bits."""
    codes = np.zeros((3, 40), dtype=np.int64)
    codes[1, 0], codes[2, 39] = 2, 2
    kinds, place = distinct_kinds(codes)
    assert len(kinds) == 3
    assert (kinds[place] == codes).all()


def test_an_item_without_weight_does_not_hide_those_outside_the_commonest_category() -> None:
    """Three of four items have "a" alone; one of them weighs nothing, so one of three is left outside."""
    patterns = np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])
    counts = np.array([0.0, 1.0, 2.0])
    assert Patterns(("a", "b"), patterns, counts, counts, 3).minority == pytest.approx(1.0)


@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_deviations_of_ratings_scale_with_weights(unit: float) -> None:
    """1, 3 once and 3, 5 three times: a mean of 3.5, and 6.25 + 0.25 + 3 (0.25 + 2.25) from there."""
    vectors = RatingVectors.of_arrays([[1, 3], [3, 5]], weights=[unit, 3 * unit])
    assert float(RatingSums.of(vectors).deviations) == pytest.approx(14.0 * unit)


def test_a_cell_of_little_weight_has_the_mean_of_its_rows() -> None:
    values = Distribution(np.array([1.0, 3.0, 7.0]), np.array([0.25, 0.25, 0.5]), np.array([0.1, 0.1, 0.3]))
    assert values.in_cells(np.array([0, 2])).values.tolist() == [2.0, 7.0]


def test_scores_far_from_zero_or_far_apart_have_no_table() -> None:
    """Both must hold: few steps from the lowest to the highest, and none of them too far out."""
    assert span_of(np.array([-1.0, 2.0]), np.array([0.0, 3.0])) == (-1, 5)
    assert span_of(np.array([FARTHEST + 1.0]), np.array([FARTHEST + 2.0])) == (0, 0)
    assert span_of(np.array([0.0]), np.array([float(MOST_POINTS)])) == (0, 0)
    assert span_of(np.zeros(0), np.zeros(0)) == (0, 0)


def test_errors_are_of_the_system_against_the_human() -> None:
    """Group a is scored 1 too high twice, b is 2 too low once."""
    human, system = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 1.0])
    cells = ErrorCells.of_groups(human, system, np.array([0, 0, 1]), ("a", "b"))
    errors, squared = cells.errors, cells.squared
    sums = [(of.first + of.centre * of.counts).sum(1).tolist() for of in (errors, squared)]
    assert sums == [pytest.approx([2.0, -2.0]), pytest.approx([2.0, 4.0])]


def test_imagined_rows_are_right_for_one_system_and_wrong_for_the_other() -> None:
    """Of labels a and b and three systems: each label, which of the two is right, and the only other answer."""
    labels = ("a", "b")
    kinds = np.array([[0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 1, 0]])
    rows = JointRows(labels, (), kinds, np.array([3.0, 2.0]), np.array([3.0, 2.0]), 5)
    more = rows.with_disagreements(0, 2)
    imagined = more.kinds[2:]
    assert [(int(one[0]), int(one[1]), int(one[5])) for one in imagined] == [(0, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 1)]
    assert more.counts[2:].tolist() == [1.0] * 4


def test_a_disagreement_that_was_not_seen_is_two_deviations_at_most() -> None:
    """Of finer numbers 0.1, 0.2, 0.3, whose deviation is √(2/3)/10 and whose scale is wider; of grades, the scale."""
    fine = JudgedSums.of_arrays([0.1, 0.2, 0.3], [0.0, 0.5, 1.0])
    assert fine.unseen == pytest.approx(2 * np.sqrt(2 / 3) / 10)
    grades = JudgedSums.of_arrays([1, 2, 3], [1, 2, 4])
    assert grades.unseen == grades.scale


def test_few_people_are_kept_with_what_each_adds() -> None:
    keys = keys_of_rows(0, 2)
    sums = by_person(("x", "y"), (keys, np.array([0, 0, 1]), np.array([0, 1, 1])), Weights(3, None))
    assert sums.totals.tolist() == [1.0, 2.0]
    assert sums.products.tolist() == [[1.0, 1.0], [1.0, 2.0]]
    assert sums.kept is not None
    assert sums.kept.tolist() == [[1.0, 1.0], [0.0, 1.0]]


def test_a_variance_is_divided_by_one_row_less() -> None:
    """1, 2, 6 about 0: mean 3, squared deviations 14."""
    of = Centred(np.asarray(3.0), np.asarray(9.0), np.asarray(41.0), 0.0)
    assert [float(of.variance(ddof)) for ddof in (0, 1, 2)] == [pytest.approx(14 / 3), pytest.approx(7.0), 14.0]
    assert np.isnan(of.variance(3))


def test_a_table_without_one_row_is_one_row_smaller_everywhere() -> None:
    counts = np.array([[2.0, 0.0], [1.0, 3.0]])
    left, rows = Confusion(("a", "b"), counts, counts, 6).without_one()
    assert left.counts.shape == (3, 2, 2)
    assert left.counts.sum((-2, -1)).tolist() == [5.0, 5.0, 5.0]
    assert rows.tolist() == [2.0, 1.0, 3.0]
    assert left.counts[1].tolist() == [[2.0, 0.0], [0.0, 3.0]]


def test_ratings_of_one_span_are_coded_alike_however_many_raters_there_are() -> None:
    """Whole numbers are coded by subtraction; with many raters there are too many kinds to be counted."""
    few, many = (ratings_of(np.tile([[1.0, 3.0], [2.0, np.nan], [1.0, 3.0]], (1, times))) for times in (1, 12))
    assert few.categories == many.categories == ("1", "2", "3")
    assert many.codes[:, :2].tolist() == few.codes.tolist() == [[0, 2], [1, -1], [0, 2]]


def test_replicates_of_rows_are_whole_and_those_of_a_prior_fill_every_cell() -> None:
    counts = np.array([[3.0, 0.0], [2.0, 5.0]])
    table = Confusion(("a", "b"), counts, counts, 10)
    rows, prior = (table.resampled(kind, 50, 1, "test").counts for kind in ("multinomial", "bayesian"))
    assert (rows == np.rint(rows)).all()
    assert (rows.sum((-2, -1)) == 10).all()
    assert (rows[:, 0, 1] == 0).all()
    assert (prior > 0).all()


def test_the_unit_of_weights_does_not_change_how_many_units_there_are() -> None:
    losses = UnitLosses(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 2], [2, 1], [1, 2]]))
    sums = FlipSums.collect(losses, Weights(3, np.array([1.0, 2.0, 1.0])), (lambda one: one, 0, True))
    assert float(sums.effective_rows) == pytest.approx(16 / 6)
    assert float(sums.scaled(10.0).effective_rows) == pytest.approx(16 / 6)


def test_prompts_are_counted_that_have_a_pair() -> None:
    """Two pairs of the first prompt and one of the third; the second has none."""
    cells = np.zeros(3, dtype=np.int64)
    _, prompts = _by_prompt(cells, np.array([0, 0, 2]), Weights(3, None), np.ones(len(COUNTED)))
    assert prompts == 2


def test_weights_of_a_bayesian_draw_are_exponential() -> None:
    """A mean and a variance of 1, a median of log 2, and none below 0."""
    weights = quantiles_of("bayesian")
    assert (weights.min() >= 0, len(weights)) == (True, 65_536)
    assert [weights.mean(), weights.var(), np.median(weights)] == pytest.approx([1.0, 1.0, np.log(2)], rel=1e-3)


def test_cells_at_the_median_begin_with_the_first() -> None:
    assert _fine_at_the_median(np.ones(5_000), 5_000.0)[0] == 0


def test_two_parts_of_weighted_scores_describe_the_whole() -> None:
    values, weights = np.array([1.0, 2.0, 6.0, 7.0]), np.array([1.0, 3.0, 2.0, 0.5])
    parts = Descriptives.of(values[:2], weights[:2]) + Descriptives.of(values[2:], weights[2:])
    mean = np.average(values, weights=weights)
    assert parts.mean == pytest.approx(mean)
    assert parts.squares == pytest.approx((weights * (values - mean) ** 2).sum())
