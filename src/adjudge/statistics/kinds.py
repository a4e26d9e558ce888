"""What statistics of kinds of units share: a row for each kind, and how many units are of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Never, Self, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import positions
from adjudge.data.judgements.ratings import Ratings, check_cells, ratings_of
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Judgements_contra, Pilot_contra, Statistic, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.weights import Weights, counting, summed_by

# Kinds are left out one by one up to this many, and in so many groups beyond.
MOST_LEFT_OUT = 1_024
LEFT_OUT_GROUPS = 200

Seen = TypeVar("Seen")


@dataclass(frozen=True, slots=True)
class RaterView(Generic[Seen]):
    """The same units as seen by some of the raters: the statistic, and what turns a replicate of all into one of it."""

    statistic: Seen
    of: Callable[[Seen], Seen]


class Counted(TypedDict):
    """Units of the same kinds, counted: fields of `Kinds`."""

    counts: Array
    squares: Array
    rows: int


class Kinds(Statistic[Judgements_contra, Pilot_contra]):
    """Units that are alike counted together: replicates are other counts of the same kinds. For frozen dataclasses."""

    counts: Array  # (…, kinds), weight of the units of each kind
    squares: Array  # (kinds,), squared case weights
    rows: int
    clusters: Keys | None = None  # whose units each kind has, where units belong together

    described: ClassVar[str] = ""  # the field that says what each kind is, where there is a prior

    def counted_with(self, other: Self, place: NDArray[np.int64], size: int) -> Counted:
        """The counts of both parts' kinds, this one's first, each added at its place among `size` kinds."""
        cut = self.counts.shape[-1]
        return {
            "counts": summed_by(self.counts, place[:cut], size) + summed_by(other.counts, place[cut:], size),
            "squares": summed_by(np.concatenate([self.squares, other.squares]), place, size),
            "rows": self.rows + other.rows,
        }

    def with_counts(self, counts: Array) -> Self:
        """The same kinds, counted otherwise."""
        return replace(self, counts=counts)

    def scaled(self, unit: float) -> Self:
        """The same units with all weights multiplied."""
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    def in_terms_of(self, other: Self) -> Self:
        """The same kinds over the raters and labels of another statistic, which has all of these."""
        return self

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """A slice over the raters and labels of everybody, wherever the table was cut."""
        return self.in_terms_of(whole)

    def with_draws(self, draws: Self) -> Self:
        """Replicates over the raters and labels of these sums."""
        return draws.in_terms_of(self)

    @property
    def in_drawn_order(self) -> Self:
        """The same units, kind by kind in the order in which replicates have them."""
        return self

    @property
    def prior_kinds(self) -> tuple[NDArray[np.generic], Array] | None:
        """Kinds that Bayesian draws add a little of, seen or not, and the mass of each; None where they add nothing."""
        return None

    def with_prior(self, kinds: NDArray[np.generic], counts: Array, plain: Self) -> Self:
        """Replicates with kinds of the prior after their own, counted so; `plain` is what they are replicates of."""
        described = np.concatenate([getattr(self, self.described), kinds])
        squares = np.concatenate([self.squares, np.zeros(len(kinds))])
        return replace(self, **{self.described: described}, counts=counts, squares=squares)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Units drawn with replacement, or with other weights; for "bayesian", with what the prior adds."""
        random, own = generator(seed, stream), self.in_drawn_order
        prior = own.prior_kinds if kind == "bayesian" else None
        if prior is None:
            return own.with_counts(draw_cells(own.counts, kind, replicates, random))
        kinds, mass = prior
        draws = draw_cells(np.concatenate([own.counts, mass]), kind, replicates, random)
        draws *= own.counts.sum() / np.maximum(draws.sum(-1, keepdims=True), 1e-300)
        return own.with_prior(kinds, draws, own)

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Bayesian replicates made of units, with what the prior adds, in units of one of `plain`."""
        prior = self.prior_kinds
        if prior is None:
            return self
        kinds, mass = prior
        added = generator(seed, stream).standard_gamma(mass, size=(len(self.counts), len(mass))) * plain.one_item
        return self.with_prior(kinds, np.concatenate([self.counts, added], axis=-1), plain)

    def without_one(self) -> tuple[Self, Array]:
        """The counts without one unit of each kind, and how many units there are of it; of many kinds, in groups.

        Where units belong together, the counts without each cluster.
        """
        if self.clusters is not None:
            place, size = self.cluster_places
            if size > MOST_LEFT_OUT:
                place, size = place % LEFT_OUT_GROUPS, LEFT_OUT_GROUPS
            return self.with_counts(self.counts * (place != np.arange(size)[:, None])), np.ones(size)
        occupied = np.flatnonzero(self.counts)
        if len(occupied) > MOST_LEFT_OUT:
            group = np.arange(self.counts.shape[-1]) % LEFT_OUT_GROUPS
            return self.with_counts(self.counts * (group != np.arange(LEFT_OUT_GROUPS)[:, None])), np.ones(
                LEFT_OUT_GROUPS
            )
        left = self.counts - np.eye(len(self.counts))[occupied]
        return self.with_counts(left), self.counts[occupied]

    @property
    def by_cluster(self) -> bool:
        """Whether kinds know their cluster, and are left out with it."""
        return self.clusters is not None

    @property
    def cluster_places(self) -> tuple[NDArray[np.int64], int]:
        """The cluster of each kind, counted from 0, and how many there are."""
        assert self.clusters is not None, "only of kinds that know their cluster"
        keys, place = np.unique(self.clusters, return_inverse=True)
        return place.reshape(-1), len(keys)

    def by_clusters(self, values: Array) -> Array:
        """The sum over the kinds of each cluster, (…, clusters)."""
        return summed_by(values, *self.cluster_places)

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return np.asarray(self.counts.sum(-1))

    @property
    def one_item(self) -> float:
        """What one of the effective units weighs; 0 when there are none."""
        return float(np.nan_to_num(ratio(self.squares.sum(), self.counts.sum())))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units, or of clusters where units belong together."""
        if self.clusters is not None:
            weights = self.by_clusters(self.counts)
            return np.asarray(ratio(weights.sum(-1) ** 2, (weights**2).sum(-1)))
        return np.asarray(ratio(self.counts.sum(-1) ** 2, self.squares.sum()))


AnyKinds = Kinds[Never, Never]  # of whatever units


class KindsOfRatings(Kinds[Ratings, int]):
    """Kinds of items by what raters said of them; the pilot is how many categories there may be."""

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: Sequence[object] | None = None,
    ) -> tuple[int, Callable[[Weights], Self]]:
        """Of two raters' lists, or of a matrix of items × raters; `categories` is the scale, in its order."""
        ratings = ratings_of(first, second, categories)
        return len(ratings), counting(ratings, cls.summing)


def joined_raters(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The raters of two parts together: the same keep their order, others are sorted.

    >>> joined_raters(("eva", "ann"), ("eva", "ann")), joined_raters(("eva",), ("ann", "eva"))
    (('eva', 'ann'), ('ann', 'eva'))
    """
    return first if first == second else tuple(sorted({*first, *second}))


def of_raters_among(vectors: NDArray[np.int64], raters: tuple[str, ...], among: tuple[str, ...]) -> NDArray[np.int64]:
    """Rows of ratings with a column for each of more raters, -1 where one did not rate.

    >>> of_raters_among(np.array([[5, 7]]), ("ann", "eva"), ("ann", "ben", "eva")).tolist()
    [[5, -1, 7]]
    """
    if raters == among:
        return vectors
    check_cells(len(vectors), len(among))
    wider = np.full((len(vectors), len(among)), -1, dtype=np.int64)
    wider[:, positions(raters, among)] = vectors
    return wider


def told_apart(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct rows of codes, however many and wide, in an order of their own, and each row's place among them.

    Rows are told apart by a 64-bit mix of their entries; two different ones of a million collide with
    probability 10⁻⁷.
    """
    words = generator(0, "distinct rows").integers(0, 2**63, size=rows.shape[1], dtype=np.uint64)
    mix = np.asarray(words * np.uint64(2))
    keys = np.zeros(len(rows), dtype=np.uint64)
    for rater in range(rows.shape[1]):
        keys += (rows[:, rater] + 1).astype(np.uint64) * (mix[rater] | np.uint64(1))
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], place.reshape(-1)
