"""Means over queries of what their lists are worth: sums that add, whoever read which queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from adjudge.data.judgements.queries import Policy, QueryLists, query_lists
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.queries.values import QueryValue, defined_of, values_of
from adjudge.statistics.weights import Weights

Values = tuple[QueryValue, ...]


@dataclass(frozen=True)
class QueryMeans(OfLinearSums[QueryLists, Values]):
    """Each system's values, and which queries have one, summed over queries; all systems are drawn together.

    Which values are summed must be known before the first query is read: they are the pilot.

    Laws: those of `LinearSums`.

    >>> means = QueryMeans.of_arrays([1, 0, 0, 1], [4, 3, 2, 1], query=[1, 1, 2, 2], each=(QueryValue("hit", 1),))
    >>> float(means.mean(QueryValue("hit", 1)))
    0.5
    """

    values: Values
    squares: Array  # (systems × values,), of what queries are worth, by weight
    counted: Codes  # (systems × values,), queries that have a value, whatever they weigh
    systems: tuple[str, ...]
    system: str  # whose means are read

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: object = None,
        query: object = None,
        each: Values = (),
        relevant_from: float = 1.0,
        no_relevant: str = "undefined",
        unanswered: str = "zero",
    ) -> tuple[int, Callable[[Weights], Self]]:
        """Of the relevance and the score of items; weights are those of queries, in the order they appear in."""
        lists = query_lists(first, second, query, Policy(relevant_from, no_relevant, unanswered))
        return len(lists), cls.summing(lists, each)

    @classmethod
    def summing(cls, judgements: QueryLists, pilot: Values | None = None) -> Callable[[Weights], Self]:
        """What turns weights of queries into the sums; lists are valued once for all weights."""
        values = pilot or ()
        return partial(cls._summed, values, tuple(judgements.scores), _columns(judgements, values))

    @classmethod
    def collect_by(
        cls, judgements: QueryLists, weights: Weights, levels: Codes, size: int, pilot: Values | None = None
    ) -> list[Self | None]:
        """The sums of each level; lists are valued once for all levels."""
        values, systems = tuple(pilot or ()), tuple(judgements.scores)
        columns = _columns(judgements, values)
        rows = [np.flatnonzero(levels == level) for level in range(size)]
        return [
            cls._summed(
                values, systems, {name: column[here] for name, column in columns.items()}, weights.of_rows(here)
            )
            if len(here)
            else None
            for here in rows
        ]

    @classmethod
    def _summed(cls, values: Values, systems: tuple[str, ...], columns: dict[str, Array], weights: Weights) -> Self:
        sums = LinearSums.collect(tuple(columns), np.array(list(columns.values())).T, weights)
        case = np.ones(weights.rows) if weights.case is None else weights.case
        names = [(_value(value, system), _when(value, system)) for system in systems for value in values]
        squares = [float((case * columns[name] ** 2).sum()) for name, _ in names]
        counted = [int(columns[when].sum()) for _, when in names]
        return cls(sums, values, np.array(squares), np.array(counted, dtype=np.int64), systems, systems[0])

    def __add__(self, other: Self) -> Self:
        sums, squares, counted = self.sums + other.sums, self.squares + other.squares, self.counted + other.counted
        return replace(self, sums=sums, squares=squares, counted=counted)

    def of_system(self, system: str) -> Self:
        """The same sums, read for another system."""
        return replace(self, system=system)

    def mean(self, value: QueryValue) -> Array:
        """The mean over the queries that have the value, (…)."""
        return np.asarray(ratio(self.sums.of(_value(value, self.system)), self.weight(value)))

    def weight(self, value: QueryValue) -> Array:
        """The weight of the queries that have the value, (…)."""
        return self.sums.of(_when(value, self.system))

    def spread(self, value: QueryValue) -> Array:
        """The mean squared distance from the mean."""
        mean = self.mean(value)
        about = ratio(self.squares[self._place(value)], self.weight(value)) - mean**2
        return np.asarray(np.where(about < 1e-14, 0.0 * about, about))  # what rounding leaves of none

    def effective_queries(self, value: QueryValue) -> Array:
        """Kish's effective number of the queries that have the value."""
        return np.asarray(ratio(self.weight(value) ** 2, self.sums.squares_of(_when(value, self.system))))

    def queries_with(self, value: QueryValue) -> int:
        """How many queries have the value."""
        return int(self.counted[self._place(value)])

    def _place(self, value: QueryValue) -> int:
        return self.systems.index(self.system) * len(self.values) + self.values.index(value)

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit), squares=self.squares * unit)


def _value(value: QueryValue, system: str) -> str:
    return f"{value} of {system}"


def _when(value: QueryValue, system: str) -> str:
    return f"{value.defined} of {system}"


def _columns(lists: QueryLists, values: Values) -> dict[str, Array]:
    """What each query adds to each sum."""
    columns = {"n": np.ones(len(lists))}
    for system in lists.scores:
        whens = {when: defined_of(lists, system, when) for when in dict.fromkeys(value.defined for value in values)}
        columns |= {f"{when} of {system}": here.astype(np.float64) for when, here in whens.items()}
        worth = values_of(lists, system, values)
        for place, value in enumerate(values):
            columns[_value(value, system)] = worth[:, place] * whens[value.defined]
    return columns
