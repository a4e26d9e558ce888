"""Small steps of sums, by hand."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.responses import Responses
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
