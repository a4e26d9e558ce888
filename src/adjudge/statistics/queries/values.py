"""What a list is worth, query by query: one number for each, its mean over all orders of tied items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.queries import QueryLists
from adjudge.errors import BadValue
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.queries.ranked import Ranked

# When a query has a value: it has something to gain, something relevant, two items of different relevance, two that are
# scored differently, too; always, if it has an answer.
GAIN, RELEVANT, PAIRS, UNTIED, ALWAYS = "gain", "relevant", "pairs", "untied", "always"


@dataclass(frozen=True, slots=True)
class QueryValue:
    """One way to value a list: up to a cut-off, and with the one option that it has.

    >>> str(QueryValue("ndcg", 5, "linear"))
    'ndcg 5 linear'
    """

    kind: str
    at: int | None = None
    option: str | float = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.at or ''} {self.option}"

    @property
    def defined(self) -> str:
        """When a query has this value."""
        return UNTIED if (self.kind, self.option) == ("kendall", "b") else KINDS[self.kind].when


def values_of(lists: QueryLists, system: str, values: Sequence[QueryValue]) -> Array:
    """The value of each query, (queries, values); 0 where it has none.

    >>> lists = QueryLists(np.array([0, 2]), np.array([0.0, 1.0]), {"m": np.array([0.5, 0.5])})
    >>> values_of(lists, "m", [QueryValue("reciprocal_rank"), QueryValue("precision", 1)]).tolist()
    [[0.75, 0.5]]
    """
    ranked = Ranked.by_score(lists, system)
    columns = np.zeros((len(values), len(lists)))
    for column, value in zip(columns, values, strict=True):
        kind = KINDS[value.kind]
        name = (kind.terms, value.option, value.at if kind.cut else None)
        terms = ranked.known.once(name, partial(_padded, kind, ranked, value))
        column[:] = np.nan_to_num(kind.finish(ranked.sum_to(terms, value.at), ranked, value))
    return columns.T


def _padded(kind: Kind, ranked: Ranked, value: QueryValue) -> Array:
    return np.append(kind.terms(ranked, value), 0.0)


def defined_of(lists: QueryLists, system: str, when: str) -> NDArray[np.bool_]:
    """Which queries have a value that is there at such times.

    >>> lists = QueryLists(np.array([0, 2, 3]), np.array([0.0, 1.0, 0.0]), {"m": np.array([0.5, 0.5, 0.5])})
    >>> defined_of(lists, "m", RELEVANT).tolist(), defined_of(lists, "m", UNTIED).tolist()
    ([True, False], [False, False])
    """
    ranked, policy = Ranked.by_score(lists, system), lists.policy
    answered, relevant = ranked.sizes > 0, _relevant_items(ranked) > 0
    if when == ALWAYS:
        return answered
    if when in (PAIRS, UNTIED):
        # What retrieves nothing has put nothing in the right order, and nothing in the wrong one.
        ordered = _ordered_pairs(ranked)[1] * (_untied_pairs(ranked) if when == UNTIED else 1)
        here = np.where(answered, ordered, _ordered_pairs(Ranked.ideal(lists))[1]) > 0
    else:
        here = relevant if when == RELEVANT else np.bincount(lists.query, lists.relevance, len(lists)) > 0
    if policy.no_relevant == "zero":
        here = here | ~relevant if when in (PAIRS, UNTIED) else np.ones(len(here), dtype=np.bool_)
    return here & answered if policy.unanswered == "skip" else here


def _gains(relevance: Array, gain: str | float) -> Array:
    return relevance if gain == "linear" else np.exp2(relevance) - 1


def _discounted(ranked: Ranked, value: QueryValue) -> Array:
    return ranked.of_block(_gains(ranked.relevance, value.option)) * ranked.discount


def _normalized(gained: Array, ranked: Ranked, value: QueryValue) -> Array:
    return np.asarray(ratio(gained, _ideal(ranked, value)))


def _ideal(ranked: Ranked, value: QueryValue) -> Array:
    best = Ranked.ideal(ranked.lists)
    terms = best.known.once(value.option, lambda: np.append(_gains(best.relevance, value.option) * best.discount, 0.0))
    return np.asarray(best.known.once((value.option, value.at), lambda: best.sum_to(terms, value.at)))


def _constant(_: Array, ranked: Ranked, value: QueryValue) -> Array:
    """The mean gain at every rank: what a constant score gets."""
    every = Ranked.ideal(ranked.lists)
    gains = every.known.once(("gains", value.option), lambda: every.sum_to(_gains(every.relevance, value.option), None))
    mean = ratio(gains, every.sizes)
    return np.asarray(ratio(mean * every.sum_to(every.discount, value.at), _ideal(ranked, value)))


def _nothing(ranked: Ranked, value: QueryValue) -> Array:
    return np.zeros(len(ranked.items))


def _first_by_rank(ranked: Ranked, value: QueryValue) -> Array:
    return ranked.first_relevant / (ranked.place + 1)


def _firsts(ranked: Ranked, value: QueryValue) -> Array:
    return ranked.first_relevant


def _shares(ranked: Ranked, value: QueryValue) -> Array:
    return ranked.share


def _relevant_items(ranked: Ranked) -> Array:
    lists = ranked.lists
    return np.asarray(ranked.known.once("relevant", lambda: np.bincount(lists.query, lists.relevant, len(lists))))


def _precisions(ranked: Ranked, value: QueryValue) -> Array:
    """The chance that an item is relevant, times the precision at its rank if it is."""
    hits = ranked.relevant_before + 1
    if ranked.has_ties:
        inside, others = ranked.place - ranked.before, np.maximum(ranked.size - 1, 1)
        hits = hits + inside * (ranked.share * ranked.size - 1) / others * (ranked.size > 1)
    return ranked.share * hits / (ranked.place + 1)


def _by_relevant(total: Array, ranked: Ranked, value: QueryValue) -> Array:
    over = _relevant_items(ranked)
    return np.asarray(ratio(total, np.minimum(over, value.at) if value.option == "min" and value.at else over))


def _patience(ranked: Ranked, value: QueryValue) -> Array:
    p = float(value.option)
    return np.asarray((1 - p) * p ** ranked.place.astype(np.float64))


def _unjudged(ranked: Ranked, value: QueryValue) -> Array:
    judged = ranked.lists.judged
    return np.zeros(len(ranked.items)) if judged is None else ranked.of_block((~judged[ranked.items]).astype(float))


def _with_rest(inside: Array, ranked: Ranked, value: QueryValue) -> Array:
    """What rank-biased precision could still gain: at places that nobody judged, and beyond the list."""
    return np.asarray(inside + float(value.option) ** ranked.sizes.astype(np.float64))


def _judged_share(unjudged: Array, ranked: Ranked, value: QueryValue) -> Array:
    places = ranked.sizes if value.at is None else np.minimum(ranked.sizes, value.at)
    return np.asarray(1 - np.nan_to_num(ratio(unjudged, places)))


def _stops(ranked: Ranked, value: QueryValue) -> Array:
    relevance, top = ranked.relevance, float(value.option)
    if (most := ranked.lists.relevance.max(initial=0.0)) > top:
        if ranked.lists.like_ranks and _lower_first(ranked):
            raise BadValue(
                f"`relevance` must be how relevant each item is, but it counts from 1 to {most:g} within queries, as "
                "ranks do, and is largest where `score` is lowest. If 1 is the best, give "
                f"{most:g} less each rank; if not, give top_grade={most:g}."
            )
        raise BadValue(
            f"`top_grade` of expected_reciprocal_rank must be the highest relevance there can be, but it is {top:g} "
            f"and an item has {most:g}. Give top_grade={most:g}, or leave this metric out."
        )
    go_on = 1 - (np.exp2(relevance) - 1) / np.exp2(top)
    at = int(ranked.sizes.max(initial=0)) if value.at is None else value.at
    stay = _products_before(ranked, go_on, at)
    here = np.minimum(ranked.before, len(ranked.items))
    arrive = stay[np.arange(len(here)) - ranked.place + here]  # at the tied block
    first, then = np.ones(len(go_on)), go_on.copy()  # in an untied block
    if ranked.has_ties:
        first, then = _among_tied(ranked, go_on, at)
    return np.asarray(arrive * (first - then) / (ranked.place + 1))


def _lower_first(ranked: Ranked) -> bool:
    """Whether items are placed the earlier the lower their relevance."""
    place = ranked.place - np.repeat((ranked.sizes - 1) / 2, ranked.sizes)
    return float(place @ ranked.relevance) > 0


def _products_before(ranked: Ranked, factors: Array, at: int) -> Array:
    """The product of the factors at all earlier places of the query, for the first `at` places: rank by rank."""
    product = np.ones(len(factors))
    by_size = np.argsort(-ranked.sizes, kind="stable")
    starts, sizes = ranked.starts[by_size], ranked.sizes[by_size]
    for rank in range(1, min(at, int(sizes.max(initial=0)))):
        here = starts[: np.searchsorted(-sizes, -rank)] + rank
        product[here] = product[here - 1] * factors[here - 1]
    return product


def _among_tied(ranked: Ranked, factors: Array, at: int) -> tuple[Array, Array]:
    """The mean product over all subsets of j items of the tied block, at the j-th of its places, and of j + 1.

    E_j of the first t items is E_j (t − j) / t + factor_t E_{j−1} j / t of those before (no large numbers). Blocks of
    similar size are worked out together.
    """
    first, then = np.ones(len(factors)), factors.copy()
    sizes = np.diff(ranked.blocks, append=len(factors))
    tied = (sizes > 1) & (ranked.place[ranked.blocks] < at)
    classes = np.where(tied, np.ceil(np.log2(np.maximum(sizes, 1))), 0).astype(np.int64)
    for size_class in np.unique(classes[tied]):
        chosen = np.flatnonzero(classes == size_class)
        chosen = chosen[np.argsort(-sizes[chosen], kind="stable")]
        begins, widths = ranked.blocks[chosen], sizes[chosen]
        deepest = int(min(widths[0], at - ranked.place[begins].min()))
        means = np.zeros((len(chosen), deepest + 1))
        means[:, 0] = 1.0
        j = np.arange(1, deepest + 1)
        for t in range(1, int(widths[0]) + 1):
            part = means[: np.searchsorted(-widths, -t, side="right")]
            factor = factors[begins[: len(part)] + t - 1, None]
            part[:, 1:] = part[:, 1:] * (np.maximum(t - j, 0) / t) + factor * part[:, :-1] * (np.minimum(j, t) / t)
        for depth in range(deepest):
            rows = np.flatnonzero(widths > depth)
            first[begins[rows] + depth], then[begins[rows] + depth] = means[rows, depth], means[rows, depth + 1]
    return first, then


def _kendall(_: Array, ranked: Ranked, value: QueryValue) -> Array:
    ordered, pairs = _ordered_pairs(ranked)
    return np.asarray(ratio(ordered, np.sqrt(pairs * _untied_pairs(ranked)) if value.option == "b" else pairs))


def _untied_pairs(ranked: Ranked) -> Array:
    """How many pairs of items have different scores."""
    sizes = ranked.sizes.astype(np.float64)
    return np.asarray(sizes * (sizes - 1) / 2 - ranked.sum_to((ranked.size - 1) / 2, None))


def _ordered_pairs(ranked: Ranked) -> tuple[Array, Array]:
    """Of pairs of different relevance: how many more are in the right order than in the wrong one, and how many.

    Two relevances differ first in one of the bits of their rank. For each bit, what has it set is more relevant than
    what has not, among items whose higher bits are the same; the latter are counted before and after each.
    """

    def counted() -> tuple[Array, Array]:
        query = np.repeat(np.arange(len(ranked.sizes)), ranked.sizes)
        _, codes = np.unique(ranked.relevance, return_inverse=True)
        block = np.repeat(np.arange(len(ranked.blocks)), np.diff(ranked.blocks, append=len(codes)))
        ordered, pairs = np.zeros(len(ranked.sizes)), np.zeros(len(ranked.sizes))
        for bit in range(int(codes.max(initial=0)).bit_length()):
            right, both = _of_bit(query, codes, block, bit)
            ordered += np.bincount(query, weights=right, minlength=len(ordered))
            pairs += np.bincount(query, weights=both, minlength=len(pairs))
        return ordered, pairs

    counts: tuple[Array, Array] = ranked.known.once("pairs", counted)
    return counts


def _of_bit(query: Codes, codes: Codes, block: Codes, bit: int) -> tuple[Array, Array]:
    """For each item without the bit: those with it in higher places less those in lower ones, and all of them."""
    group = query * (int(codes.max()) + 1) + (codes >> (bit + 1))
    order = np.argsort(group, kind="stable")
    has, group, block = ((codes >> bit) & 1)[order], group[order], block[order]
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    ties = np.flatnonzero((np.diff(group, prepend=-1) != 0) | (np.diff(block, prepend=-1) != 0))
    running = np.append(0, np.cumsum(has))

    def between(starts: Codes) -> tuple[Codes, Codes]:
        stops = np.append(starts[1:], len(has))
        return np.repeat(running[starts], stops - starts), np.repeat(running[stops], stops - starts)

    (group_low, group_high), (tie_low, tie_high) = between(begins), between(ties)
    right, both = np.zeros(len(has)), np.zeros(len(has))
    right[order] = np.where(has, 0, (tie_low - group_low) - (group_high - tie_high))
    both[order] = np.where(has, 0, group_high - group_low)
    return right, both


def _total(total: Array, ranked: Ranked, value: QueryValue) -> Array:
    return total


class Kind(NamedTuple):
    """How a list is valued: what its places are worth, what follows from their sum, and when there is a value."""

    terms: Callable[[Ranked, QueryValue], Array]
    finish: Callable[[Array, Ranked, QueryValue], Array]
    when: str
    cut: bool = False  # whether the places' worth is worked out up to the cut-off only


KINDS = {
    "ndcg": Kind(_discounted, _normalized, GAIN),
    "default_ndcg": Kind(_nothing, _constant, GAIN),
    "reciprocal_rank": Kind(_first_by_rank, _total, RELEVANT),
    "average_precision": Kind(_precisions, _by_relevant, RELEVANT),
    "precision": Kind(_shares, lambda total, ranked, value: total / float(value.at or 1), RELEVANT),
    "recall": Kind(_shares, _by_relevant, RELEVANT),
    "hit": Kind(_firsts, lambda total, ranked, value: np.minimum(total, 1.0), RELEVANT),
    "expected_reciprocal_rank": Kind(_stops, _total, GAIN, cut=True),
    "rank_biased": Kind(lambda ranked, value: ranked.share * _patience(ranked, value), _total, RELEVANT),
    "residual": Kind(lambda ranked, value: _unjudged(ranked, value) * _patience(ranked, value), _with_rest, RELEVANT),
    "kendall": Kind(_nothing, _kendall, PAIRS),
    "judged": Kind(_unjudged, _judged_share, ALWAYS),
}
