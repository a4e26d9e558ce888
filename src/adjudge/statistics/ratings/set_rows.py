"""Distinct rows of sets of labels, and what follows from a row alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.judgements.label_sets import members
from adjudge.data.judgements.labels import positions
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.ratings.set_distance import set_distance

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class SetRows:
    """Rows of sets, one column for each rater: what does not change from replicate to replicate.

    `sets` are those in use. Without names in `raters`, columns mean nothing and rows are sorted.
    """

    labels: tuple[str, ...]
    sets: tuple[str, ...]
    raters: tuple[str, ...]
    vectors: Codes  # (V, raters), codes into the sets, -1 where not rated
    distances: dict[str, Array] = field(default_factory=dict, compare=False, repr=False)  # of every two sets, as known
    _apart: dict[str | None, Array] = field(default_factory=dict, compare=False, repr=False, init=False)

    @cached_property
    def held(self) -> Array:
        """Which set holds which label, (sets, labels)."""
        own, held = members(self.sets)
        every = np.zeros((len(self.sets), len(self.labels)))
        every[:, positions(own, self.labels)] = held
        return every

    def distance(self, name: str) -> Array:
        """The distance of every two sets, worked out once."""
        if name not in self.distances:
            self.distances[name] = set_distance(self.sets, name)
        return self.distances[name]

    def of_raters(self, rows: Codes, places: list[int]) -> SetRows:
        """Some of the rows as some of the raters see them; sets that are no longer in use go when they are many."""
        codes, names = self.vectors[rows][:, places], tuple(self.raters[place] for place in places)
        used = np.unique(codes[codes >= 0])
        if 2 * len(used) > len(self.sets):
            return SetRows(self.labels, self.sets, names, codes, self.distances)
        place = np.full(len(self.sets) + 1, -1, dtype=np.int64)
        place[used] = np.arange(len(used))
        known = {name: apart[np.ix_(used, used)] for name, apart in self.distances.items()}
        return SetRows(self.labels, tuple(self.sets[code] for code in used), names, place[codes], known)

    @cached_property
    def ratings(self) -> Array:
        """How many ratings each row has, (V,)."""
        return np.asarray((self.vectors >= 0).sum(1), dtype=np.float64)

    @cached_property
    def pairs(self) -> tuple[Codes, Codes, Codes]:
        """Every two ratings of a row: the row, one set and the other."""
        parts = [np.zeros((3, 0), dtype=np.int64)]
        # Ratings move to the left, in their order: of thousands of raters, few rate the same item.
        order = np.argsort(self.vectors < 0, axis=1, kind="stable")
        said = np.take_along_axis(self.vectors, order, 1)[:, : int(self.ratings.max(initial=0))]
        for first, second in combinations(range(said.shape[1]), 2):
            a, b = said[:, first], said[:, second]
            rows = np.flatnonzero((a >= 0) & (b >= 0))
            parts.append(np.stack([rows, a[rows], b[rows]]))
        row, one, other = np.concatenate(parts, axis=1)
        return row, one, other

    def apart(self, distance: str | None) -> Array:
        """Mean distance of a row's pairs of ratings, 0 where there is none, (V,); for None, how many differ."""
        if distance not in self._apart:
            row, a, b = self.pairs
            each = np.asarray(a != b, dtype=np.float64) if distance is None else self.distance(distance)[a, b]
            total = np.bincount(row, weights=each, minlength=len(self.vectors))
            mean = np.nan_to_num(ratio(2 * total, self.ratings * (self.ratings - 1)))
            self._apart[distance] = np.asarray(mean)
        return self._apart[distance]

    @cached_property
    def set_uses(self) -> csr_array:
        """How often each set was given, sparse (V, sets)."""
        from scipy.sparse import csr_array

        row, rater = np.nonzero(self.vectors >= 0)
        shape = (len(self.vectors), len(self.sets))
        return csr_array((np.ones(len(row)), (row, self.vectors[row, rater])), shape=shape)

    @cached_property
    def label_columns(self) -> csr_array:
        """For each label in rows of two ratings or more, sparse (V, 4 labels).

        Ordered pairs of ratings that both have it, that begin with it, that differ in it (over ratings less one),
        and the ratings that have it.
        """
        from scipy.sparse import csr_array, hstack

        uses = (self.set_uses @ csr_array(self.held)).tocoo()
        g, r = uses.data, self.ratings[uses.row]
        parts = (g * (g - 1), g * (r - 1), 2 * g * (r - g) / np.maximum(r - 1, 1), g)
        columns = [csr_array((part * (r >= 2), (uses.row, uses.col)), shape=uses.shape) for part in parts]
        return hstack(columns, format="csr")


def distinct_rows(codes: Codes) -> tuple[Codes, Codes]:
    """Distinct rows in lexical order, and each row's place among them."""
    if not codes.size:
        return codes[: min(len(codes), 1)], np.zeros(len(codes), dtype=np.int64)
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return rows, place.reshape(-1)


def unnamed(vectors: Codes, width: int) -> Codes:
    """The same rows without raters: the ratings in order, and at least so many columns."""
    rows = np.full((len(vectors), max(width, vectors.shape[1])), -1, dtype=np.int64)
    rows[:, : vectors.shape[1]] = -np.sort(-vectors, axis=1)
    return rows
