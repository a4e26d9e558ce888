"""What lists are worth: the mean over every order of tied items, written out."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from tests.tasks.ranking.tables import every_order

from adjudge.data.judgements.queries import Policy, QueryLists, query_lists
from adjudge.errors import AdjudgeError
from adjudge.statistics.queries import ranked
from adjudge.statistics.queries.values import QueryValue, values_of


def dcg(grades: list[float], at: int) -> float:
    return sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades[:at]))


def first(grades: list[float], at: int) -> float:
    return next((1 / (rank + 1) for rank, grade in enumerate(grades[:at]) if grade >= 1), 0.0)


def average(grades: list[float], at: int, over: float) -> float:
    hits = [grade >= 1 for grade in grades]
    return sum(sum(hits[: rank + 1]) / (rank + 1) for rank in range(min(at, len(hits))) if hits[rank]) / over


def cascade(grades: list[float], at: int) -> float:
    stay, total = 1.0, 0.0
    for rank, grade in enumerate(grades[:at]):
        total += stay * (2**grade - 1) / 16 / (rank + 1)
        stay *= 1 - (2**grade - 1) / 16
    return total


# Each value of one order, from the relevances in that order; `every` are those of the query, best first.
BY_HAND: dict[QueryValue, Callable[[list[float], list[float]], float]] = {
    QueryValue("ndcg", 3, "exponential"): lambda g, every: dcg(g, 3) / dcg(every, 3),
    QueryValue("reciprocal_rank"): lambda g, every: first(g, 99),
    QueryValue("reciprocal_rank", 2): lambda g, every: first(g, 2),
    QueryValue("average_precision", None, "all"): lambda g, every: average(g, 99, sum(x >= 1 for x in every)),
    QueryValue("average_precision", 3, "min"): lambda g, every: average(g, 3, min(3, sum(x >= 1 for x in every))),
    QueryValue("precision", 3): lambda g, every: sum(x >= 1 for x in g[:3]) / 3,
    QueryValue("recall", 3): lambda g, every: sum(x >= 1 for x in g[:3]) / sum(x >= 1 for x in every),
    QueryValue("hit", 2): lambda g, every: float(any(x >= 1 for x in g[:2])),
    QueryValue("expected_reciprocal_rank", None, 4): lambda g, every: cascade(g, 99),
    QueryValue("expected_reciprocal_rank", 3, 4): lambda g, every: cascade(g, 3),
    QueryValue("rank_biased", None, 0.8): lambda g, every: sum(0.2 * 0.8**r for r, x in enumerate(g) if x >= 1),
}


def random_lists(seed: int, queries: int) -> list[tuple[list[float], list[float]]]:
    random = np.random.default_rng(seed)
    made = []
    for _ in range(queries):
        size = int(random.integers(1, 7))
        relevance = random.integers(0, 5, size).astype(float)
        relevance[random.integers(size)] = 3.0  # something is relevant
        made.append((relevance.tolist(), random.integers(0, 3, size).astype(float).tolist()))
    return made


def joined(made: list[tuple[list[float], list[float]]]) -> QueryLists:
    sizes = [len(relevance) for relevance, _ in made]
    return QueryLists(
        np.append(0, np.cumsum(sizes)),
        np.concatenate([relevance for relevance, _ in made]),
        {"m": np.concatenate([scores for _, scores in made])},
    )


@pytest.mark.parametrize("gaps", [4, 0], ids=["sorted as a matrix", "sorted by two keys"])
def test_tied_items_are_worth_their_mean_over_every_order(gaps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranked, "MOST_GAPS", gaps)
    made = random_lists(3, 150)
    found = values_of(joined(made), "m", tuple(BY_HAND))
    for (relevance, scores), values in zip(made, found, strict=True):
        best = sorted(relevance, reverse=True)
        orders = [[relevance[item] for item in order] for order in every_order(scores)]
        expected = [np.mean([value(order, best) for order in orders]) for value in BY_HAND.values()]
        assert values == pytest.approx(expected, abs=1e-13), (relevance, scores)


def test_kendall_counts_pairs() -> None:
    """Somers' D of the score given the relevance, and tau-b, pair by pair; many distinct relevances too."""
    random = np.random.default_rng(4)
    for size in (3, 5, 40):
        relevance, score = random.normal(5, 1, size).round(1), random.integers(0, 6, size).astype(float)
        signs = np.sign(relevance[:, None] - relevance) * np.sign(score[:, None] - score)
        pairs = np.count_nonzero(relevance[:, None] != relevance)
        untied = np.count_nonzero(score[:, None] != score)
        lists = query_lists(relevance, score, None, Policy())
        plain, b = values_of(lists, "", (QueryValue("kendall"), QueryValue("kendall", None, "b")))[0]
        assert plain == pytest.approx(signs.sum() / pairs)
        assert b == pytest.approx(signs.sum() / math.sqrt(pairs * untied))


def test_what_was_not_retrieved_counts_in_the_ideal_and_in_recall() -> None:
    lists = QueryLists(np.array([0, 3]), np.array([1.0, 0.0, 1.0]), {"m": np.array([1.0, 2.0, np.nan])})
    asked = (QueryValue("recall", 5), QueryValue("ndcg", None, "linear"), QueryValue("reciprocal_rank"))
    recall, ndcg, reciprocal = values_of(lists, "m", asked)[0]
    assert (recall, reciprocal) == (0.5, 0.5)
    assert ndcg == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_a_query_that_is_not_answered_is_worth_nothing() -> None:
    lists = QueryLists(np.array([0, 1, 2]), np.array([1.0, 1.0]), {"m": np.array([np.nan, 2.0])})
    values = values_of(lists, "m", [value for value in BY_HAND if value.kind != "expected_reciprocal_rank"])
    assert not values[0].any()
    assert values[1][0] == 1.0


def test_a_grade_beyond_the_top_is_refused() -> None:
    lists = query_lists([5, 0], [2, 1], None, Policy())
    with pytest.raises(AdjudgeError, match="Give top_grade=5"):
        values_of(lists, "", (QueryValue("expected_reciprocal_rank", None, 4),))


def test_any_rising_transform_of_scores_and_any_order_of_items_change_nothing() -> None:
    made = random_lists(5, 40)
    lists = joined(made)
    found = values_of(lists, "m", tuple(BY_HAND))
    other = joined([(relevance[::-1], np.exp(scores)[::-1].tolist()) for relevance, scores in made])
    assert values_of(other, "m", tuple(BY_HAND)) == pytest.approx(found, abs=1e-13)
