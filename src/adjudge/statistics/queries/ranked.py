"""The items of each query by falling score, and where scores are tied: what every value of a list is worked out from.

A tied block is a lottery, and what is worked out is its mean over all orders (McSherry and Najork 2008): no drawing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.queries import QueryLists
from adjudge.data.worked_out import WorkedOut
from adjudge.statistics.base import Array, Codes


@dataclass(frozen=True, eq=False)
class Ranked:
    """Retrieved items, query by query, best score first. What is said of an item is said of its place in the order.

    >>> lists = QueryLists(np.array([0, 3]), np.array([0.0, 1.0, 0.0]), {"m": np.array([0.5, 0.5, 0.9])})
    >>> ranked = Ranked.by_score(lists, "m")
    >>> ranked.items.tolist(), ranked.size.tolist(), ranked.of_block(lists.relevance[ranked.items]).tolist()
    ([2, 0, 1], [1.0, 2.0, 2.0], [0.0, 0.5, 0.5])
    """

    lists: QueryLists
    items: Codes  # (places,), which item of the lists stands there
    starts: Codes  # (queries,), the first place of each
    sizes: Codes  # (queries,), how many items were retrieved
    blocks: Codes  # where each block of equal scores begins
    known: WorkedOut = field(default_factory=WorkedOut, repr=False)

    @classmethod
    def by_score(cls, lists: QueryLists, system: str) -> Ranked:
        """A system's order, worked out once for all statistics of the same lists."""
        return lists.worked_out.once(system, lambda: cls._sorted(lists, lists.scores[system]))

    @classmethod
    def ideal(cls, lists: QueryLists) -> Ranked:
        """The order by relevance, of all items that were judged."""
        return lists.worked_out.once(None, lambda: cls._sorted(lists, lists.relevance))

    @classmethod
    def _sorted(cls, lists: QueryLists, scores: Array) -> Ranked:
        retrieved = ~np.isnan(scores)
        items = np.arange(len(scores)) if retrieved.all() else np.flatnonzero(retrieved)
        items = items[_order(lists, items, -scores[items])]
        query, falling = lists.query[items], scores[items]
        sizes = np.bincount(query, minlength=len(lists)).astype(np.int64)
        begins = np.ones(len(items), dtype=np.bool_)
        begins[1:] = (falling[1:] != falling[:-1]) | (query[1:] != query[:-1])
        return cls(lists, items, np.cumsum(sizes) - sizes, sizes, np.flatnonzero(begins))

    @cached_property
    def place(self) -> Codes:
        """The rank in the query, from 0."""
        return np.arange(len(self.items)) - np.repeat(self.starts, self.sizes)

    @cached_property
    def discount(self) -> Array:
        """1 / log₂(rank + 1)."""
        return np.asarray(1 / np.log2(np.arange(self.sizes.max(initial=0)) + 2))[self.place]

    @cached_property
    def has_ties(self) -> bool:
        """Whether any two items of a query have the same score."""
        return len(self.blocks) < len(self.items)

    @cached_property
    def _block_sizes(self) -> Codes:
        return np.diff(self.blocks, append=len(self.items))

    def _sums(self, values: Array) -> Array:
        return np.add.reduceat(values, self.blocks) if len(self.blocks) else values

    def of_block(self, values: Array) -> Array:
        """The mean over the tied block of each item."""
        return np.repeat(self._sums(values) / self._block_sizes, self._block_sizes) if self.has_ties else values

    @cached_property
    def size(self) -> Array:
        """How many items are tied with this one, itself among them."""
        return np.repeat(self._block_sizes, self._block_sizes).astype(np.float64)

    @cached_property
    def before(self) -> Codes:
        """The rank, from 0, of the first item of the tied block."""
        return np.repeat(self.place[self.blocks], self._block_sizes) if self.has_ties else self.place

    @cached_property
    def relevance(self) -> Array:
        """How relevant the item is."""
        return self.lists.relevance[self.items]

    @cached_property
    def relevant(self) -> Array:
        """1 where the item is relevant, and 0 elsewhere."""
        return self.lists.relevant[self.items].astype(np.float64)

    @cached_property
    def share(self) -> Array:
        """The share of the tied block that is relevant."""
        return self.of_block(self.relevant)

    @cached_property
    def relevant_before(self) -> Array:
        """How many relevant items of the query stand before the tied block."""
        earlier = np.cumsum(self.relevant) - self.relevant
        begins = np.minimum(self.starts, len(self.items) - 1)  # of queries without an answer, which have no place
        of_query = earlier[begins] if len(earlier) else earlier
        of_block = np.repeat(earlier[self.blocks], self._block_sizes) if self.has_ties else earlier
        return np.asarray(of_block - np.repeat(of_query[: len(self.sizes)], self.sizes[: len(of_query)]))

    @cached_property
    def first_relevant(self) -> Array:
        """The probability that the first relevant item of the query stands here."""
        relevant = np.rint(self.share * self.size) if self.has_ties else self.relevant
        chance = np.where((self.relevant_before == 0) & (relevant > 0), 1.0, 0.0)
        tied = np.flatnonzero((chance > 0) & (self.size > 1)) if self.has_ties else np.zeros(0, dtype=np.int64)
        m, r, j = self.size[tied], relevant[tied], (self.place - self.before)[tied]
        chance[tied] = none_in(m, r, j) * r / (m - j)
        return chance

    def sum_to(self, terms: Array, at: int | None) -> Array:
        """The sum over the first `at` places of each query, (queries,); over all where it is None."""
        total = np.zeros(len(self.sizes))
        if len(self.items):
            answered, ends = self.known.once(("ends", at), lambda: self._ends(at))
            total[answered] = np.add.reduceat(terms if len(terms) > len(self.items) else np.append(terms, 0.0), ends)[
                ::2
            ]
        return total

    def _ends(self, at: int | None) -> tuple[Codes, Codes]:
        """Which queries have an answer, and where the first `at` places of each begin and end, by turns."""
        answered = np.flatnonzero(self.sizes)
        starts, sizes = self.starts[answered], self.sizes[answered]
        ends = np.empty(2 * len(answered), dtype=np.int64)
        ends[::2], ends[1::2] = starts, starts + (sizes if at is None else np.minimum(sizes, at))
        return answered, ends


# Lists are sorted as rows of a matrix while that has at most so many times as many entries as there are items.
MOST_GAPS = 4


def _order(lists: QueryLists, items: Codes, keys: Array) -> Codes:
    """The order of items, which stand query by query, by rising key within each query; ties stay as they are."""
    query = lists.query[items]
    sizes = np.bincount(query, minlength=len(lists))
    widest = int(sizes.max(initial=0))
    if len(lists) * widest > MOST_GAPS * len(items):
        by_key = np.argsort(keys, kind="stable")
        return by_key[np.argsort(query[by_key], kind="stable")]  # small whole numbers, in linear time
    starts = np.cumsum(sizes) - sizes
    inside = np.arange(widest) < sizes[:, None]
    rows = np.full(inside.shape, np.inf)
    rows[inside] = keys
    return np.asarray((np.argsort(rows, axis=1, kind="stable") + starts[:, None])[inside])


def none_in(size: Array, relevant: Array, draws: NDArray[np.int64]) -> Array:
    """The probability that none of so many items, drawn from a block, is relevant: C(m − j, r) / C(m, r).

    >>> none_in(np.array([4.0, 4.0]), np.array([2.0, 2.0]), np.array([1, 3])).round(12).tolist()
    [0.5, 0.0]
    """
    from scipy.special import gammaln

    left = size - draws
    possible = left >= relevant
    rest = np.where(possible, left, relevant)
    logs = gammaln(rest + 1) - gammaln(rest - relevant + 1) - gammaln(size + 1) + gammaln(size - relevant + 1)
    return np.where(possible, np.exp(logs), 0.0)
