"""Small steps of sums, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import labels_of
from adjudge.data.judgements.responses import Responses
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.set_rows import SetRows
from adjudge.statistics.scores.ranks import ScoreRanks
from adjudge.statistics.scores.totals import ScoreTotals
from adjudge.statistics.weights import Weights


def test_responses_with_one_rating_are_not_rated_twice() -> None:
    ratings = np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 4.0], [np.nan, np.nan], [5.0, 5.0]])
    totals = ScoreTotals.collect(Responses(ratings), Weights(5))
    assert (totals.rows, totals.twice) == (4, 2)
    assert (totals + totals).twice == 4


def test_candidates_are_known_only_where_those_of_all_responses_are() -> None:
    plain = ScoreRanks(np.array([1.0]), np.array([2.0]), np.ones(1), None)
    named = ScoreRanks(np.array([3.0]), np.array([4.0]), np.ones(1), np.array([7], dtype=np.uint64))
    assert (plain + named).people is None
    assert (named + plain).people is None
    assert (named + named).people is not None
    assert (plain + named).first.tolist() == [1.0, 3.0]


@pytest.mark.parametrize("rows", [[0], [1, 3], [2], [3, 0, 2, 1]])
def test_some_rows_of_sets_say_what_they_said(rows: list[int]) -> None:
    """Whether the sets that are no longer in use went or not."""
    sets = ("{}", '{"a"}', '{"a", "b"}', '{"b"}', '{"c"}')
    said = np.array([[0, 0, 1], [0, -1, 4], [2, 3, 4], [-1, 1, 0]])
    whole = SetRows(("a", "b", "c"), sets, ("x", "y", "z"), said)
    whole.distance("jaccard")
    part = whole.of_raters(np.array(rows), [2, 0])
    for row, place in enumerate(rows):
        for column, rater in enumerate((2, 0)):
            before, after = said[place, rater], part.vectors[row, column]
            assert (part.sets[after] if after >= 0 else None) == (sets[before] if before >= 0 else None)
    assert (
        part.apart("jaccard").tolist()
        == SetRows(whole.labels, sets, ("z", "x"), said[rows][:, [2, 0]]).apart("jaccard").tolist()
    )


def test_effective_rows_are_kishs() -> None:
    """(Σw)² / Σw²: of weights 1, 2 and 5, 64 / 30; and as many as there are of those that weigh the same."""
    for weights, expected in (((1.0, 2.0, 5.0), 64 / 30), ((3.0, 3.0, 3.0), 3.0)):
        table = Confusion.collect(
            Judgements(labels_of(["a", "a", "b"], "reference"), prediction=labels_of(["a", "b", "b"], "prediction")),
            Weights(3, np.array(weights)),
        )
        assert float(table.effective_rows) == pytest.approx(expected)
