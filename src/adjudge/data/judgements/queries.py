"""Lists of items, query by query: what is relevant, and how systems score it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Array, Codes, Rows, plain_numbers
from adjudge.data.judgements.labels import labels_of
from adjudge.data.worked_out import WorkedOut
from adjudge.errors import BadValue, SettingError, check_choice, literal

NO_RELEVANT, UNANSWERED = ("undefined", "zero"), ("zero", "skip")
# 2 to the power of a relevance, squared, must still be a number.
MOST_RELEVANCE = 500.0
FEWEST_RANKS = 3  # of fewer items the relevances may be 1 and 2 by chance


@dataclass(frozen=True, slots=True)
class Policy:
    """What counts as relevant, and what a query is worth in which nothing is, or that a system does not answer."""

    relevant_from: float = 1.0
    no_relevant: str = "undefined"  # or zero
    unanswered: str = "zero"  # or skip

    def __post_init__(self) -> None:
        if not self.relevant_from > 0:
            raise SettingError(
                "`relevant_from`, where items begin to be relevant, must be above 0, not "
                f"{literal(self.relevant_from)}."
            )
        for name, known in (("no_relevant", NO_RELEVANT), ("unanswered", UNANSWERED)):
            check_choice(name, getattr(self, name), known)


@dataclass(frozen=True, eq=False)
class QueryLists:
    """The items of each query, which stand together: their relevance, and each system's scores.

    A score that is NaN is of an item that the system did not retrieve: it is judged, and stands nowhere in its list.

    >>> lists = QueryLists(np.array([0, 2, 3]), np.array([1.0, 0.0, 2.0]), {"m": np.array([0.2, 0.1, 0.5])})
    >>> len(lists), lists.of_rows(np.array([1])).relevance.tolist()
    (2, [2.0])
    """

    starts: Codes  # (queries + 1,)
    relevance: Array  # (items,), 0 of one that nobody judged
    scores: Mapping[str, Array]  # by system
    policy: Policy = Policy()
    judged: NDArray[np.bool_] | None = None  # (items,); None where all are
    names: NDArray[np.object_] | None = None  # (queries,), where they are told
    worked_out: WorkedOut = field(default_factory=WorkedOut, repr=False)  # what statistics keep of these lists

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Codes:
        """How many items each query has."""
        return np.diff(self.starts)

    @cached_property
    def query(self) -> NDArray[np.unsignedinteger]:
        """The query of each item: as small a number as will do, since small ones are sorted fast."""
        return np.repeat(np.arange(len(self), dtype=np.min_scalar_type(len(self))), self.sizes)

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """Which items are relevant."""
        return np.asarray(self.relevance >= self.policy.relevant_from)

    @cached_property
    def like_ranks(self) -> bool:
        """Whether the relevance of every query of a few items counts from 1 on, each number once, as ranks do."""
        if not len(self) or self.sizes.min() < FEWEST_RANKS or self.relevance.sum() != (self.places + 1).sum():
            return False
        order = np.lexsort((self.relevance, self.query))
        return bool((self.relevance[order] == self.places + 1).all())

    @property
    def places(self) -> Codes:
        """How many items of its query stand before each."""
        return np.arange(len(self.relevance)) - np.repeat(self.starts[:-1], self.sizes)

    def of_rows(self, rows: Rows) -> QueryLists:
        """Some of the queries."""
        sizes = self.sizes[rows]
        starts = np.append(0, np.cumsum(sizes))
        items = np.repeat(self.starts[rows] - starts[:-1], sizes) + np.arange(starts[-1])
        return replace(
            self,
            starts=starts,
            relevance=self.relevance[items],
            scores={name: score[items] for name, score in self.scores.items()},
            judged=None if self.judged is None else self.judged[items],
            names=None if self.names is None else self.names[rows],
            worked_out=WorkedOut(),
        )


def query_lists(relevance: object, score: object, query: object, policy: Policy) -> QueryLists:
    """Lists from arrays: one entry for each item and `query`, or matrices with a row for each query.

    Without `query` all items are of one. In a matrix, an item whose relevance is NaN is not there.

    >>> query_lists([1, 0, 2], [0.1, 0.2, 0.3], ["a", "b", "a"], Policy()).relevance.tolist()
    [1.0, 2.0, 0.0]
    """
    if score is None:
        raise SettingError("This metric needs two arrays: the relevance of each item, and its score.")
    judged, scored = (plain_numbers(values, role) for values, role in ((relevance, "relevance"), (score, "score")))
    if judged.shape != scored.shape or judged.ndim not in (1, 2):
        raise BadValue(
            "`relevance` and `score` must hold one number for each item, or a row of them for each query, but their "
            f"shapes are {judged.shape} and {scored.shape}."
        )
    if judged.ndim == 2:
        if query is not None:
            raise SettingError("`query` must be left out where each row of `relevance` is a query.")
        here = ~np.isnan(judged)
        codes, judged, scored = np.nonzero(here)[0], judged[here], scored[here]
        starts = np.searchsorted(codes, np.arange(len(here) + 1))
    else:
        starts, order = _together(query, len(judged))
        judged, scored = judged[order], scored[order]
    _check(judged, scored)
    return QueryLists(starts, judged, {"": scored}, policy)


def _together(query: object, items: int) -> tuple[Codes, Rows]:
    """Where each query begins once its items stand together, and the order that brings them so."""
    if query is None:
        return np.array([0, items] if items else [0]), np.arange(items)
    labels = labels_of(query, "query")
    if len(labels) != items:
        raise BadValue(f"`query` must be as long as `relevance` ({items} items), but it has {len(labels)}.")
    return rows_by_code(labels.codes)


def rows_by_code(codes: Codes) -> tuple[Codes, Rows]:
    """Where the rows of each code begin, codes in the order in which they first appear, and the order of the rows.

    >>> [part.tolist() for part in rows_by_code(np.array([7, 3, 7]))]
    [[0, 2, 3], [0, 2, 1]]
    """
    if not len(codes):
        return np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    starts = np.concatenate([[0], changes, [len(codes)]])
    if len(np.unique(codes[starts[:-1]])) == len(starts) - 1:
        return starts, np.arange(len(codes))
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first[place.reshape(-1)], kind="stable")
    return rows_by_code(codes[order])[0], order


def _check(relevance: Array, score: Array) -> None:
    for role, values in (("relevance", relevance), ("score", score)):
        if not np.isfinite(values).all():
            raise BadValue(f"`{role}` must be finite numbers, but some are missing or infinite. Leave those items out.")
    if (relevance < 0).any():
        raise BadValue(f"`relevance` must not be negative, but the smallest is {relevance.min():g}. Set it to 0.")
    if (relevance > MOST_RELEVANCE).any():
        raise BadValue(f"`relevance` must be at most {MOST_RELEVANCE:g}, but the largest is {relevance.max():g}.")
