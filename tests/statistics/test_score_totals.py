"""Laws of the sums of several systems' scores: other constants, slices beside the rest, and people."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import keys_of_rows
from adjudge.errors import SettingError
from adjudge.metrics import correlation, difference_of_standardized_means, prmse, quadratic_weighted_kappa
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.scores import totals as score_totals
from adjudge.statistics.scores.clustered_table import ClusteredTable
from adjudge.statistics.scores.features import ScalePoints
from adjudge.statistics.scores.ranks import ScoreRanks
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=20, deadline=None, derandomize=True)
CLOSE = {"rel": 1e-9, "abs": 1e-9}
POINTS = ScalePoints(frozenset(["a"]), 1.0)


def responses_of(rows: int, seed: int = 1, people: int | None = None) -> Responses:
    random = np.random.default_rng(seed)
    truth = random.normal(3.5, 1, rows)
    ratings = np.rint(truth[:, None] + random.normal(0, 0.6, (rows, 3)))
    ratings[:, 1:][random.random((rows, 2)) < 0.4] = np.nan
    scores = {"a": np.rint(truth + random.normal(0, 0.4, rows)), "b": 100 + 5 * truth + random.normal(0, 2, rows)}
    keys = None if people is None else keys_of_rows(0, people)[random.integers(0, people, rows)]
    return Responses(ratings, scores, keys)


def totals_of(responses: Responses, rows: np.ndarray | None = None, pilot: ScorePilot | None = None) -> ScoreTotals:
    some = responses if rows is None else responses.of_rows(rows)
    return ScoreTotals.collect(some, Weights(len(some)), pilot or ScorePilot.of(some, POINTS))


@REPEATABLE
@given(st.integers(0, 999), st.integers(1, 39))
def test_parts_about_their_own_constants_are_moved_when_they_are_added(seed: int, cut: int) -> None:
    """Added as they were, they gave a correlation of .928 where it is .964."""
    responses = responses_of(40, seed)
    order = np.argsort(responses.scores["b"])  # the parts lie apart
    whole, rows = totals_of(responses), np.arange(40)
    parts = [totals_of(responses, some) for some in (order[:cut], order[cut:])]
    for both in (parts[0] + parts[1], parts[1] + parts[0]):
        for system in ("a", "b"):
            ours, theirs = ScoreSums(both, system), ScoreSums(whole, system)
            for metric in (quadratic_weighted_kappa, prmse):
                assert metric.values(ours) == pytest.approx(metric.values(theirs), **CLOSE, nan_ok=True)
            assert correlation.values(ours.numbers) == pytest.approx(correlation.values(theirs.numbers), **CLOSE)
    assert parts[0].centres != parts[1].centres
    assert len(rows) == (parts[0] + parts[1]).rows


def test_sums_of_other_systems_are_refused() -> None:
    one = ScoreTotals.collect(Responses(np.ones((2, 1)), {"a": np.ones(2)}), Weights(2))
    other = ScoreTotals.collect(Responses(np.ones((2, 1)), {"b": np.ones(2)}), Weights(2))
    with pytest.raises(SettingError, match="same systems"):
        one + other


@pytest.mark.parametrize("people", [None, 12])
def test_levels_summed_at_once_are_the_levels_summed_alone(people: int | None) -> None:
    responses, random = responses_of(60, people=people), np.random.default_rng(3)
    levels, weights = random.integers(0, 5, 60), Weights(60, random.gamma(2.0, 1.0, 60))
    levels[levels == 3] = 4  # a level without a response
    pilot = ScorePilot.of(responses, POINTS)
    parts = ScoreTotals.collect_by(responses, weights, levels, 5, pilot)
    assert parts[3] is None
    for level in (0, 1, 2, 4):
        rows = np.flatnonzero(levels == level)
        alone = ScoreTotals.collect(responses.of_rows(rows), weights.of_rows(rows), pilot)
        assert parts[level].sums.totals == pytest.approx(alone.sums.over(parts[level].sums.names).totals)
        assert parts[level].sums.units == alone.sums.units


@pytest.mark.parametrize("people", [None, 12, 40])
@pytest.mark.parametrize("few", [0, 1_000])
def test_the_rest_of_a_slice_is_everybody_else(people: int | None, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Summed block by block, with people who have responses in the slice and beside it."""
    monkeypatch.setattr(score_totals, "FEW_OTHERS", few)
    responses, levels = responses_of(90, people=people), np.random.default_rng(4).integers(0, 3, 90)
    pilot = ScorePilot.of(responses, POINTS)
    # A person stands in one block; a level may be missing in another.
    first = np.arange(90) < 45 if people is None else responses.people < np.median(responses.people)
    levels[first & (levels == 2)] = 1
    whole, by_level = None, {}
    for rows in (np.flatnonzero(first), np.flatnonzero(~first)):
        block = responses.of_rows(rows)
        part = ScoreTotals.collect(block, Weights(len(rows)), pilot)
        whole = part if whole is None else whole + part
        for level, of_level in enumerate(ScoreTotals.collect_by(block, Weights(len(rows)), levels[rows], 3, pilot)):
            if of_level is not None:
                by_level[level] = by_level[level] + of_level if level in by_level else of_level
    for level, mine in by_level.items():
        others = [other for name, other in by_level.items() if name != level]
        rest = mine.in_whole(whole, lambda others=others: others).rest
        rows = np.flatnonzero(levels != level)
        exact = totals_of(responses, rows, pilot).sums.only(rest.names)
        assert rest.totals == pytest.approx(exact.totals)
        assert rest.products == pytest.approx(exact.products)
        assert (rest.rows, rest.units) == (exact.rows, exact.units)
        if people is not None:
            assert sorted(rest.keys) == sorted(exact.keys)
        dsm = difference_of_standardized_means.values(ScoreSums(mine.in_whole(whole, list), "b")) if few == 0 else 0
        assert np.isfinite(dsm)


def test_people_are_not_kept_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.statistics import linear_sums

    monkeypatch.setattr(linear_sums, "MOST_KEPT", 10)
    responses, levels = responses_of(90, people=30), np.random.default_rng(4).integers(0, 3, 90)
    pilot = ScorePilot.of(responses)
    whole = totals_of(responses, pilot=pilot)
    mine = ScoreTotals.collect_by(responses, Weights(90), levels, 3, pilot)[0]
    rest = mine.in_whole(whole, list).rest
    exact = totals_of(responses, np.flatnonzero(levels != 0), pilot).sums.only(rest.names)
    assert rest.kept is None
    assert rest.products == pytest.approx(exact.products)
    assert rest.units == exact.units


def test_responses_without_a_rating_are_no_units() -> None:
    ratings = np.array([[1.0, 2.0], [np.nan, np.nan], [2.0, 2.0]])
    totals = ScoreTotals.collect(Responses(ratings), Weights(3))
    assert (totals.rows, totals.sums.units, totals.twice) == (2, 2, 2)


@REPEATABLE
@given(st.integers(0, 999), st.booleans())
def test_a_table_by_person_is_the_table(seed: int, weighted: bool) -> None:
    responses, random = responses_of(50, seed, people=9), np.random.default_rng(seed)
    pair = Responses(responses.ratings[:, :1], {"a": responses.scores["a"]}, responses.people)
    weights = Weights(50, random.gamma(2.0, 1.0, 50) if weighted else None)
    first = responses.people < np.median(responses.people)
    parts = [
        ClusteredTable.collect(pair.of_rows(rows), weights.of_rows(rows))
        for rows in (np.flatnonzero(first), np.flatnonzero(~first))
    ]
    plain = ScoreTable.collect(pair, weights)
    for table in (parts[0] + parts[1], parts[1] + parts[0], ClusteredTable.collect(pair, weights)):
        assert table.confusion.categories == plain.confusion.categories
        assert table.confusion.counts == pytest.approx(plain.confusion.counts)
        assert table.sums.units == 9
    drawn = table.resampled("multinomial", 500, 7, "test").confusion
    assert isinstance(drawn, Confusion)
    assert drawn.total.mean() == pytest.approx(plain.total, rel=0.2)
    assert table.in_whole(table, list).confusion.counts == pytest.approx(plain.confusion.counts)


def test_too_many_points_are_no_table_by_person_either() -> None:
    def table(first: float, second: float) -> ClusteredTable:
        people = np.array([1], dtype=np.uint64)
        return ClusteredTable.collect(Responses(np.array([[first, second]]), {}, people), Weights(1))

    near, apart, far = table(1, 2), table(90, 91), table(0, 100)
    for crowded in (far, near + apart, far + near, near + far, near + apart + near):
        assert crowded.crowded
    assert (near + apart).rows == 2


def test_ranks_added_in_either_order_are_the_ranks_of_all() -> None:
    responses = responses_of(30, people=8)
    pair = Responses(responses.ratings[:, :1], {"b": responses.scores["b"]}, responses.people)
    weights = Weights(30, np.random.default_rng(1).gamma(2.0, 1.0, 30))
    a, b = (
        ScoreRanks.collect(pair.of_rows(rows), weights.of_rows(rows)) for rows in (np.arange(12), np.arange(12, 30))
    )
    from adjudge.metrics import spearman

    whole = spearman.values(ScoreRanks.collect(pair, weights).vectors)
    assert spearman.values((a + b).vectors) == pytest.approx(whole)
    assert spearman.values((b + a).vectors) == pytest.approx(whole)


@pytest.mark.parametrize("people", [None, 12])
def test_a_pickled_copy_adds_and_draws_like_the_original(people: int | None) -> None:
    responses = responses_of(40, people=people)
    totals = totals_of(responses)
    copy = pickle.loads(pickle.dumps(totals))
    assert isinstance(copy.sums, LinearSums)
    assert (copy + totals).sums.totals == pytest.approx(2 * totals.sums.totals)
    first, second = (of.resampled("multinomial", 20, 7, "test").sums.totals for of in (totals, copy))
    assert (first == second).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_values_that_are_alike_are_summed_once_and_told_under_all_their_names(weighted: bool) -> None:
    once = responses_of(300)
    twins = Responses(once.ratings, once.scores | {"c": once.scores["a"].copy()})
    weights = Weights(300, np.random.default_rng(4).integers(0, 4, 300).astype(float) if weighted else None)
    features = score_totals._features(twins, pilot := ScorePilot.of(twins, POINTS))
    assert features.values.shape[1] < len(score_totals._features(once, ScorePilot.of(once, POINTS)).names)
    sums = ScoreTotals.collect(twins, weights, pilot).sums
    plain = LinearSums.collect(features.names, features.values[:, features.place], weights)
    assert sums.totals == pytest.approx(plain.totals, **CLOSE)
    assert sums.products == pytest.approx(plain.products, **CLOSE)
    assert (sums.kept == plain.kept).all()
    assert all((sums.of(f"machine a {name}") == sums.of(f"machine c {name}")).all() for name in ("n", "xy", "within 1"))
