"""How good are ranked lists? Means over queries of what a list is worth, tied scores at their expected value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Unpack

from adjudge.errors import SettingError, check_choice, literal
from adjudge.metrics.base import Direction, Metric, metric
from adjudge.metrics.declaration import Declaration, is_number
from adjudge.metrics.intervals import Mean
from adjudge.statistics.base import Array
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.queries.values import QueryValue

GAINS, DIVISORS, VARIANTS = ("exponential", "linear"), ("all", "min"), ("somers", "b")
MOST_ITEMS = 10**9  # of a list, that anybody looks at
NO_GAIN, NO_RELEVANT = "no query has an item of a relevance above 0", "no query has a relevant item"


def _check_at(at: object, **_: object) -> None:
    if at is not None and not (is_number(at) and isinstance(at, int) and at >= 1):
        raise SettingError(
            f"`at`, how many items are looked at, must be a whole number of at least 1, not {literal(at)}."
        )
    if at is not None and at > MOST_ITEMS:
        raise SettingError(f"`at` must be at most {MOST_ITEMS:,}, but it is {literal(at)}. Leave it out for all items.")


def mean_of_query(each: Callable[..., tuple[QueryValue, ...]]) -> Callable[..., Mean]:
    """What makes the mean over queries, with its spread, of the value that a metric is of."""

    def mean(means: QueryMeans, **parameters: object) -> Mean:
        value = each(**parameters)[0]
        return Mean(means.mean(value), means.spread(value), means.effective_queries(value))

    return mean


def query_values(metric: Metric) -> tuple[QueryValue, ...]:
    """What a metric of queries works out for each of them, with its parameters."""
    values = () if metric.each is None else metric.each(**metric.settings)
    assert isinstance(values, tuple), "what a metric of queries declares"
    return values


# Means of a value between 0 and 1 that each query has. Few queries, or values that are mostly alike, are too little
# for Student's interval and for drawing queries: docs/validation/ranking.md.
def of_queries(
    values: Callable[..., tuple[QueryValue, ...]], **declaration: Unpack[Declaration]
) -> Callable[[Callable[..., Array]], Metric]:
    """A metric that is the mean over queries of the first of these values."""
    usual: Declaration = {
        "over": QueryMeans,
        "direction": Direction.HIGHER,
        "range": (0.0, 1.0),
        "best": 1.0,
        "undefined": NO_RELEVANT,
        "intervals": ("worth", "student", "bootstrap"),
        "each": values,
        "mean": mean_of_query(values),
        "reading": {"query": None, "relevant_from": 1.0, "no_relevant": "undefined"},
    }
    return metric(**(usual | declaration))


def _value(kind: str, usual: int | None = None) -> Callable[..., tuple[QueryValue, ...]]:
    """A value whose only parameter is the cut-off."""

    def each(*, at: int | None = usual) -> tuple[QueryValue, ...]:
        return (QueryValue(kind, at),)

    return each


def gained(*, at: int | None = None, gain: str = "exponential") -> tuple[QueryValue, ...]:
    """NDCG of a query, and what a constant score gets."""
    return QueryValue("ndcg", at, gain), QueryValue("default_ndcg", at, gain)


def _check_gain(at: object = None, gain: object = "exponential") -> None:
    _check_at(at)
    check_choice("gain", gain, GAINS, literal)


def _constant(means: QueryMeans, *, at: int | None = None, gain: str = "exponential") -> Array:
    return means.mean(gained(at=at, gain=gain)[1])


@of_queries(
    gained,
    label="NDCG",
    undefined=NO_GAIN,
    check=_check_gain,
    baseline=_constant,
    references=[
        "Järvelin & Kekäläinen 2002",
        "Burges et al. 2005 (gain 2^relevance − 1)",
        "McSherry & Najork 2008 (ties)",
    ],
)
def ndcg(means: QueryMeans, *, at: int | None = None, gain: str = "exponential") -> Array:
    """Normalized discounted cumulative gain: how much of the relevance that could stand on top does.

    Σ gain / log₂(rank + 1) over the first `at` items, divided by the same of the best order; the mean over queries.
    The gain is 2^relevance − 1, or the relevance itself with gain="linear". Items with equal scores share their mean
    gain. The baseline is what a constant score gets.

    Undefined when no query has an item of a relevance above 0; such queries are left out.

    >>> round(ndcg([3, 2, 3, 0, 1, 2], [10, 9, 8, 7, 6, 5], at=5), 4)
    0.8756
    """
    return means.mean(gained(at=at, gain=gain)[0])


reciprocal = _value("reciprocal_rank")


@of_queries(
    reciprocal,
    label="Mean reciprocal rank",
    check=_check_at,
    references=["Voorhees 1999", "McSherry & Najork 2008 (ties)"],
)
def mean_reciprocal_rank(means: QueryMeans, *, at: int | None = None) -> Array:
    """One over the rank of the first relevant item, 0 when it is not among the first `at`; the mean over queries.

    Items with equal scores are in any order: their mean over all orders, not the best of them.

    Undefined when no query has a relevant item; such queries are left out.

    >>> mean_reciprocal_rank([0, 1, 0, 1], [0.9, 0.5, 0.3, 0.7], query=["a", "a", "b", "b"])
    0.75
    """
    return means.mean(reciprocal(at=at)[0])


def averaged(*, at: int | None = None, by: str = "all") -> tuple[QueryValue, ...]:
    """Average precision of a query."""
    return (QueryValue("average_precision", at, by),)


def _check_divisor(at: object = None, by: object = "all") -> None:
    _check_at(at)
    check_choice("by", by, DIVISORS, literal)


@of_queries(
    averaged,
    label="Mean average precision",
    check=_check_divisor,
    references=["Harman 1992", "McSherry & Najork 2008 (ties)"],
)
def mean_average_precision(means: QueryMeans, *, at: int | None = None, by: str = "all") -> Array:
    """Precision at the rank of each relevant item, averaged over relevant items, then over queries.

    Σ precision(rank) over relevant items among the first `at`, divided by all relevant items of the query (by="all",
    as trec_eval does), or by as many as could be among the first `at` (by="min").

    Undefined when no query has a relevant item; such queries are left out.

    >>> round(mean_average_precision([1, 0, 1, 1], [4, 3, 2, 1], at=2), 4)
    0.3333
    >>> mean_average_precision([1, 0, 1, 1], [4, 3, 2, 1], at=2, by="min")
    0.5
    """
    return means.mean(averaged(at=at, by=by)[0])


precise, recalled, hit = (_value(kind, 5) for kind in ("precision", "recall", "hit"))
TEXTBOOK = ["Manning, Raghavan & Schütze 2008", "McSherry & Najork 2008 (ties)"]
within = partial(of_queries, check=_check_at)


@within(precise, label="Precision at rank", references=TEXTBOOK)
def precision_at(means: QueryMeans, *, at: int = 5) -> Array:
    """Share of the first `at` places that hold a relevant item, also where there are fewer items; mean over queries.

    Relevant among the first `at` / at.

    Undefined when no query has a relevant item; such queries are left out.

    >>> precision_at([1, 0, 1, 1], [4, 3, 2, 1], at=2)
    0.5
    """
    return means.mean(precise(at=at)[0])


@within(recalled, label="Recall at rank", references=TEXTBOOK)
def recall_at(means: QueryMeans, *, at: int = 5) -> Array:
    """Share of a query's relevant items that are among the first `at`; the mean over queries.

    Relevant among the first `at` / relevant.

    Undefined when no query has a relevant item; such queries are left out.

    >>> recall_at([1, 0, 1, 0], [4, 3, 2, 1], at=2)
    0.5
    """
    return means.mean(recalled(at=at)[0])


@within(hit, label="Hit rate at rank", references=["Deshpande & Karypis 2004", "McSherry & Najork 2008 (ties)"])
def hit_rate_at(means: QueryMeans, *, at: int = 5) -> Array:
    """Share of queries with a relevant item among the first `at`; of tied items, how likely one is among them.

    Queries with a hit / queries.

    Undefined when no query has a relevant item; such queries are left out.

    >>> hit_rate_at([0, 1, 0, 1], [0.9, 0.5, 0.3, 0.7], query=["a", "a", "b", "b"], at=1)
    0.5
    """
    return means.mean(hit(at=at)[0])


def cascaded(*, at: int | None = None, top_grade: float = 4) -> tuple[QueryValue, ...]:
    """Expected reciprocal rank of a query."""
    return (QueryValue("expected_reciprocal_rank", at, top_grade),)


def _check_grade(at: object = None, top_grade: object = 4) -> None:
    _check_at(at)
    if not (is_number(top_grade) and 0 < top_grade <= 500):
        raise SettingError(
            f"`top_grade` must be the highest relevance there can be, up to 500, not {literal(top_grade)}."
        )


@of_queries(
    cascaded,
    label="Expected reciprocal rank",
    undefined=NO_GAIN,
    check=_check_grade,
    references=["Chapelle, Metzler, Zhang & Grinspan 2009"],
)
def expected_reciprocal_rank(means: QueryMeans, *, at: int | None = None, top_grade: float = 4) -> Array:
    """One over the rank at which somebody stops who reads from the top until satisfied; the mean over queries.

    An item satisfies with probability (2^relevance − 1) / 2^top_grade, so one item of the top grade is not worth 1.

    Undefined when no query has an item of a relevance above 0; such queries are left out.

    >>> expected_reciprocal_rank([4, 0, 3], [3, 2, 1])
    0.9466145833333334
    """
    return means.mean(cascaded(at=at, top_grade=top_grade)[0])


def biased(*, p: float = 0.8) -> tuple[QueryValue, ...]:
    """Rank-biased precision of a query, and what it could still gain."""
    return QueryValue("rank_biased", None, p), QueryValue("residual", None, p)


def _check_patience(p: object = 0.8) -> None:
    if not (is_number(p) and 0 < p < 1):
        raise SettingError(f"`p`, how likely the next item is looked at, must lie between 0 and 1, not {literal(p)}.")


@of_queries(
    biased,
    label="Rank-biased precision",
    check=_check_patience,
    references=["Moffat & Zobel 2008"],
)
def rank_biased_precision(means: QueryMeans, *, p: float = 0.8) -> Array:
    """How relevant what is looked at is, when the next item is looked at with probability p; the mean over queries.

    (1 − p) Σ p^(rank − 1) over relevant items, so short lists cannot reach 1.

    Undefined when no query has a relevant item; such queries are left out.

    >>> round(rank_biased_precision([1, 0, 1], [3, 2, 1]), 3)
    0.328
    """
    return means.mean(biased(p=p)[0])


def concordant(*, variant: str = "somers") -> tuple[QueryValue, ...]:
    """Kendall's tau of a query."""
    return (QueryValue("kendall", None, variant),)


@of_queries(
    concordant,
    label="Kendall's tau in queries",
    range=(-1.0, 1.0),
    undefined="no query has items of different relevance",
    check=lambda variant="somers": check_choice("variant", variant, VARIANTS, literal),
    references=["Kendall 1938", "Somers 1962", "Kendall 1945 (variant b)"],
)
def query_kendall_tau(means: QueryMeans, *, variant: str = "somers") -> Array:
    """How far scores put the items of a query in the order of their relevance; the mean over queries.

    (concordant − discordant) / pairs of different relevance: tied scores count 0, so a constant score gets 0. With
    variant="b" it is tau-b, which ties raise, and which a constant score does not have.

    Undefined when no query has items of different relevance; such queries are left out.

    >>> round(query_kendall_tau([3, 2, 1, 0], [1, 1, 0, 0]), 4)
    0.6667
    """
    return means.mean(concordant(variant=variant)[0])
