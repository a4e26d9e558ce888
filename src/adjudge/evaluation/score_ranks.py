"""Ranks of two scores: what Spearman's correlation is a formula of, and replicates in which people are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.columns import Array
from adjudge.data.keys import Keys
from adjudge.data.ratings import Ratings
from adjudge.inference.resampling import JACKKNIFE_GROUPS, Bootstrap, Replicates, Together
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.weights import Weights

# Scores of more values than this are drawn in as many bins; what that changes in the value is taken off again.
MOST_RANKS = 400
# People or cells × replicates drawn at a time.
TILE_DRAWS = 2**20

WHO = ("reference", "prediction")


def ranked(first: Array, second: Array, weights: Weights) -> RatingVectors:
    """The order of two scores."""
    values, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    return _vectors(codes.reshape(2, -1).T, len(values), weights)


def _vectors(codes: NDArray[np.int64], size: int, weights: Weights) -> RatingVectors:
    return RatingVectors.summing(Ratings(codes, tuple(map(str, range(size))), WHO))(weights)


def ranks_by_person(first: Array, second: Array, weights: Weights, people: Keys, settings: Bootstrap) -> Replicates:
    """Replicates of the order of two scores, all responses of a person drawn together."""
    from scipy.sparse import csr_array

    codes = np.stack([_coarse(first), _coarse(second)], axis=1)
    base = _vectors(codes, int(codes.max()) + 1, weights)
    persons, who = np.unique(people, return_inverse=True)
    cell = _places(base, codes)
    amounts = np.ones(len(codes)) if weights.case is None else weights.case
    # What each person adds to each cell: (cells, persons).
    table = csr_array((amounts, (cell, who.reshape(-1))), shape=(len(base.vectors), len(persons)))

    def tiles() -> Iterator[Together]:
        step = max(4, TILE_DRAWS // max(table.shape))
        for start in range(0, settings.replicates, step):
            random = generator(settings.seed, f"ranks/{settings.weights}/{start}")
            count = min(step, settings.replicates - start)
            drawn = draw_cells(np.ones(len(persons)), settings.weights, count, random)
            yield {RatingVectors: replace(base, counts=np.ascontiguousarray((table @ drawn.T).T))}

    def left_out() -> tuple[Together, Array]:
        groups = min(JACKKNIFE_GROUPS, len(persons))
        stays = np.arange(len(persons)) % groups != np.arange(groups)[:, None]
        counts = (table @ stays.T.astype(np.float64)).T
        return {RatingVectors: replace(base, counts=np.ascontiguousarray(counts))}, np.ones(groups)

    amount = table.sum(0)
    return Replicates(tiles, {RatingVectors: base}, left_out, float(amount.sum() ** 2 / (amount**2).sum()))


def _coarse(values: Array) -> NDArray[np.int64]:
    """Each score's place in order, in at most so many bins of about equally many responses."""
    distinct, place, times = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) <= MOST_RANKS:
        return place.reshape(-1)
    bins = (np.cumsum(times) - times) * MOST_RANKS // len(values)
    return np.asarray(bins[place.reshape(-1)])


def _places(vectors: RatingVectors, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of the distinct vectors each response has."""
    if len(vectors.vectors) == len(codes) and (vectors.vectors == codes).all():
        return np.arange(len(codes))
    size = MOST_RANKS + 1
    known = vectors.vectors[:, 0] * size + vectors.vectors[:, 1]
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known[order], codes[:, 0] * size + codes[:, 1])])
