"""What a two-way analysis of variance needs when some ratings are missing: sums by how many ratings an item has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.statistics.base import Array
from adjudge.statistics.ratings.vectors import RatingVectors


@dataclass(frozen=True, slots=True)
class RatingSums:
    """Weighted sums over items of ratings about their common mean, for each number r of ratings an item has."""

    sizes: Array  # (R,), the numbers of ratings
    items: Array  # (…, R)
    together: Array  # (…, R, raters, raters), items rated by both
    totals: Array  # (…, R, raters), of all ratings of the items a rater rated
    squared_totals: Array  # (…, R)
    ratings: Array  # (…, raters)
    squares: Array  # (…)

    @classmethod
    def of(cls, vectors: RatingVectors) -> RatingSums:
        """The sums of vectors of ratings; raters and who rated what enter through the distinct sets of raters."""
        from scipy.sparse import csr_array

        rated = vectors.vectors >= 0
        x = np.where(rated, vectors.values, 0.0)
        x = np.where(rated, x - x.sum() / max(int(rated.sum()), 1), 0.0)
        sets, place = np.unique(rated, axis=0, return_inverse=True)
        place, each = place.reshape(-1), sets.sum(1)
        sizes, size_of = np.unique(each, return_inverse=True)
        total, many = x.sum(1), len(sets)
        row, rater = np.nonzero(rated)
        every, start = np.arange(len(x)), 2 * many + len(sizes)
        columns = [place, many + place, 2 * many + size_of[place], start + rater, np.full(len(x), start + x.shape[1])]
        amounts = [np.ones(len(x)), total, total**2, x[row, rater], (x**2).sum(1)]
        table = csr_array(
            (np.concatenate(amounts), (np.concatenate([every, every, every, row, every]), np.concatenate(columns))),
            shape=(len(x), start + x.shape[1] + 1),
        )
        sums = np.asarray(vectors.counts @ table)
        by_size = (size_of[:, None] == np.arange(len(sizes))).astype(np.float64)
        pairs = np.einsum("sr,sj,sk->srjk", by_size, sets, sets)
        return cls(
            sizes.astype(np.float64),
            sums[..., :many] @ by_size,
            np.tensordot(sums[..., :many], pairs, 1),
            np.tensordot(sums[..., many : 2 * many], np.einsum("sr,sj->srj", by_size, sets), 1),
            sums[..., 2 * many : start],
            sums[..., start:-1],
            sums[..., -1],
        )

    @property
    def number(self) -> Array:
        """How many ratings, (…)."""
        return np.asarray(self.items @ self.sizes)

    @property
    def deviations(self) -> Array:
        """Squared deviations of ratings from their mean, summed, (…)."""
        return np.asarray(self.squares - self.ratings.sum(-1) ** 2 / np.maximum(self.number, 1e-300))
