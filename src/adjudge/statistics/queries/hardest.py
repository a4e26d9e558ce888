"""The queries that a system serves worst, and how its values are spread: as few as are shown, whatever the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.queries import QueryLists
from adjudge.statistics.base import Array, check_same_pilot
from adjudge.statistics.queries.ranked import Ranked
from adjudge.statistics.queries.values import QueryValue, defined_of, values_of
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights

BINS = 20
Truths = NDArray[np.bool_]


class HardQuery(NamedTuple):
    """One query; the lowest value stands first, then names decide."""

    value: float
    name: str
    items: int
    relevant: int
    tied: int  # among the first places, up to the cut-off
    judged: int


class HardestPilot(NamedTuple):
    """What is looked at: a value, the ends of its range, and how many queries are kept."""

    value: QueryValue
    limits: tuple[float, float]
    most: int


NOTHING = HardestPilot(QueryValue("hit", 1), (0.0, 1.0), 0)


@dataclass(frozen=True)
class HardestQueries(Undrawn[QueryLists, HardestPilot]):
    """For each system the queries of the lowest values, and the weight of all queries in bins of the value.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.

    >>> lists = QueryLists(np.array([0, 1, 2]), np.array([1.0, 1.0]), {"m": np.array([0.5, np.nan])})
    >>> named = replace(lists, names=np.array(["a", "b"], dtype=object))
    >>> pilot = HardestPilot(QueryValue("hit", 1), (0.0, 1.0), 1)
    >>> HardestQueries.collect(named, Weights(2), pilot).lowest["m"][0].name
    'b'
    """

    lowest: dict[str, tuple[HardQuery, ...]]  # by system
    counts: Array  # (systems, bins)
    pilot: HardestPilot
    rows: int

    @classmethod
    def summing(cls, judgements: QueryLists, pilot: HardestPilot | None = None) -> Callable[[Weights], HardestQueries]:
        """What turns weights into the spread of these queries; those of no weight are not kept."""
        looked_at = NOTHING if pilot is None else pilot
        valued = {name: _valued(judgements, name, looked_at.value) for name in judgements.scores}

        def sums(weights: Weights) -> HardestQueries:
            case = np.ones(weights.rows) if weights.case is None else weights.case
            counts = [
                np.histogram(value[here], BINS, looked_at.limits, weights=case[here])[0]
                for value, here in valued.values()
            ]
            lowest = {
                name: _lowest(judgements, name, value, here & (case > 0), looked_at)
                for name, (value, here) in valued.items()
            }
            return cls(lowest, np.array(counts, dtype=np.float64), looked_at, weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        check_same_pilot("What queries are looked at by", self.pilot, other.pilot)
        lowest = {
            name: tuple(sorted(queries + other.lowest[name])[: self.pilot.most])
            for name, queries in self.lowest.items()
        }
        return replace(self, lowest=lowest, counts=self.counts + other.counts, rows=self.rows + other.rows)

    def scaled(self, unit: float) -> Self:
        """The same queries with all weights multiplied."""
        return replace(self, counts=self.counts * unit)

    @property
    def edges(self) -> Array:
        """The ends of the bins."""
        return np.linspace(*self.pilot.limits, BINS + 1)


def _valued(lists: QueryLists, system: str, value: QueryValue) -> tuple[Array, Truths]:
    return values_of(lists, system, (value,))[:, 0], defined_of(lists, system, value.defined)


def _lowest(lists: QueryLists, system: str, value: Array, here: Truths, pilot: HardestPilot) -> tuple[HardQuery, ...]:
    places = np.flatnonzero(here)
    if not pilot.most or not len(places):
        return ()
    if len(places) > pilot.most:  # all that are as low as the last that is kept: names decide between them
        places = places[value[places] <= np.partition(value[places], pilot.most - 1)[pilot.most - 1]]
    ranked, relevant = Ranked.by_score(lists, system), np.bincount(lists.query, lists.relevant, len(lists))
    tied = ranked.sum_to((ranked.size > 1).astype(np.float64), pilot.value.at)
    judged = lists.sizes if lists.judged is None else np.bincount(lists.query, lists.judged, len(lists))
    names = np.arange(len(lists)).astype(str).astype(object) if lists.names is None else lists.names
    queries = [
        HardQuery(float(value[q]), names[q], int(lists.sizes[q]), int(relevant[q]), int(tied[q]), int(judged[q]))
        for q in places.tolist()
    ]
    return tuple(sorted(queries)[: pilot.most])
