"""The order of two scores: what Spearman's correlation is a formula of. It needs all scores at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Scores of more values than this are drawn in as many bins; what that changes in the value is taken off again.
MOST_RANKS = 400
# People are left out in groups when there are more than this.
GROUPS = 200
WHO = ("reference", "prediction")

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScoreRanks(Undrawn[Responses, None]):
    """Two scores of each response, as they are: it grows with the responses. People are drawn `by_person`.

    Laws: two parts, added, equal the whole, in either order.

    >>> ranks = ScoreRanks.collect(Responses(np.array([[1.0, 3.0], [2.0, 9.0]])), Weights(2))
    >>> (ranks + ranks).rows, ranks.vectors.vectors.tolist()
    (4, [[0, 2], [1, 3]])
    """

    first: Array
    second: Array
    case: Array
    people: Keys | None = None

    @classmethod
    def summing(cls, judgements: Responses, pilot: None = None) -> Callable[[Weights], ScoreRanks]:
        """What turns weights into the two scores of the responses that have both."""
        rows = np.flatnonzero(np.isfinite(judgements.first) & np.isfinite(judgements.second))
        first, second = judgements.first[rows], judgements.second[rows]
        people = None if judgements.people is None else judgements.people[rows]

        def sums(weights: Weights) -> ScoreRanks:
            assert weights.draws is None, "ranks are drawn when all are known"
            return cls(first, second, np.ones(len(rows)) if weights.case is None else weights.case[rows], people)

        return sums

    def __add__(self, other: Self) -> Self:
        one, two = self.people, other.people
        return type(self)(
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.case, other.case]),
            None if one is None or two is None else np.concatenate([one, two]),
        )

    @property
    def rows(self) -> int:
        """How many responses."""
        return len(self.first)

    @property
    def total(self) -> Array:
        """What they weigh."""
        return np.asarray(self.case.sum())

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of responses."""
        return np.asarray(ratio(self.case.sum() ** 2, (self.case**2).sum()))

    def scaled(self, unit: float) -> Self:
        """The same scores with all weights multiplied."""
        return replace(self, case=self.case * unit)

    @cached_property
    def vectors(self) -> RatingVectors:
        """The order of the scores."""
        values, codes = np.unique(np.concatenate([self.first, self.second]), return_inverse=True)
        return _vectors(codes.reshape(2, -1).T, len(values), self.case)

    def by_person(self) -> RanksByPerson:
        """The cells in which people are drawn."""
        from scipy.sparse import csr_array

        assert self.people is not None, "people are drawn where they are known"
        codes = np.stack([_in_bins(self.first), _in_bins(self.second)], axis=1)
        vectors = _vectors(codes, int(codes.max(initial=-1)) + 1, self.case)
        persons, who = np.unique(self.people, return_inverse=True)
        shape = (len(vectors.vectors), len(persons))
        return RanksByPerson(vectors, csr_array((self.case, (_places(vectors, codes), who.reshape(-1))), shape=shape))


@dataclass(frozen=True, eq=False)
class RanksByPerson:
    """The order of two scores in bins, with what each person adds to each cell, (cells, persons)."""

    vectors: RatingVectors
    amounts: csr_array

    @property
    def counts(self) -> Array:
        """What each cell weighs."""
        return self.vectors.counts

    @property
    def drawn_units(self) -> float:
        """Kish's effective number of people."""
        by_person = self.amounts.sum(0)
        return float(ratio(by_person.sum() ** 2, (by_person**2).sum()))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates, all responses of a person drawn together."""
        people = np.ones(self.amounts.shape[1])
        times = draw_cells(people, kind, replicates, generator(seed, stream))
        return self._counted(times)

    def without_one(self) -> tuple[Self, Array]:
        """Without each person in turn, or each of some groups of people."""
        size = self.amounts.shape[1]
        groups = min(GROUPS, size)
        stays = np.arange(size) % groups != np.arange(groups)[:, None]
        return self._counted(stays.astype(np.float64)), np.ones(groups)

    def _counted(self, times: Array) -> Self:
        counts = np.ascontiguousarray((self.amounts @ times.T).T)
        return replace(self, vectors=replace(self.vectors, counts=counts))


def _vectors(codes: Places, size: int, case: Array) -> RatingVectors:
    ratings = Ratings(codes, tuple(map(str, range(size))), WHO)
    return RatingVectors.collect(ratings, Weights(len(codes), None if (case == 1).all() else case))


def _in_bins(values: Array) -> Places:
    """Each score's place in order, in at most so many bins of about equally many responses."""
    distinct, place, times = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) <= MOST_RANKS:
        return place.reshape(-1)
    bins = (np.cumsum(times) - times) * MOST_RANKS // len(values)
    return np.asarray(bins[place.reshape(-1)])


def _places(vectors: RatingVectors, codes: Places) -> Places:
    """Which of the distinct vectors each response has."""
    if len(vectors.vectors) == len(codes) and (vectors.vectors == codes).all():
        return np.arange(len(codes))
    size = MOST_RANKS + 1
    known = vectors.vectors[:, 0] * size + vectors.vectors[:, 1]
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known[order], codes[:, 0] * size + codes[:, 1])])
