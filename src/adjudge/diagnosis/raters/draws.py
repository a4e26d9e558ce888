"""How ratings are drawn: a random weight for every group of items that belong together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.diagnosis.raters.distinct_ratings import TILE, DistinctRatings
from adjudge.inference.resampling import Bootstrap
from adjudge.statistics.base import Array, Codes, steady_product
from adjudge.statistics.cells import generator

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Rows beyond this many are drawn in groups: the interval's own error is then that of 4,096 units.
MOST_GROUPS = 4_096
# What all replicates together may cost, in additions; beyond it there are fewer, but never fewer than FEWEST.
MOST_WORK = 2**30
FEWEST = 200
MOST_PRIOR_CATEGORIES = 50
NO_PRIOR = np.zeros((1, 1, 1))


@dataclass(frozen=True, slots=True)
class Groups:
    """Items that are drawn together: how many of each row are in each group, and the shape of its Gamma weight."""

    members: csr_array  # (V, G)
    shapes: Array  # (G,)


def groups_of(table: DistinctRatings) -> Groups:
    """Every row for itself, or every cluster; when these are many, by chance in groups of about the same size.

    A group's weight has mean 1. For a row of c items its variance is 1 / c, the Bayesian bootstrap of its items;
    for a group of items that differ it is 1, a bootstrap of groups.
    """
    from scipy.sparse import coo_array, dia_array

    rows = len(table.rows)
    if table.cluster is not None:
        own = table.by_cluster
        group = _by_chance(own.shape[1], "groups of clusters")
        into = coo_array((np.ones(len(group)), (np.arange(len(group)), group)), shape=(len(group), _many(group)))
        members = own @ into.tocsr()
        return Groups(members, np.ones(members.shape[1]))
    if rows <= MOST_GROUPS:
        own = dia_array((table.counts[None], [0]), shape=(rows, rows))
        return Groups(own.tocsr(), np.maximum(table.members, 1.0))
    # In the order of rows, not of items, so that the order of items does not matter.
    row = np.repeat(np.arange(rows), np.round(table.members).astype(np.int64))
    group = _by_chance(len(row), "groups of items")
    members = coo_array((table.each[row], (row, group)), shape=(rows, _many(group))).tocsr()
    return Groups(members, np.ones(members.shape[1]))


def _by_chance(units: int, stream: str) -> Codes:
    """A group for each unit: its own as long as there are few."""
    if units <= MOST_GROUPS:
        return np.arange(units)
    return generator(0, stream).permutation(units) % MOST_GROUPS


def _many(group: Codes) -> int:
    return int(group.max(initial=-1)) + 1


def replicate_weights(
    table: DistinctRatings, settings: Bootstrap, stream: str, work: int = 0, *, cells: int = 0
) -> Iterator[tuple[Array, Array]]:
    """Bayesian replicates tile by tile: a weight for each group, (G, replicates), and prior mass (replicates, K, K).

    The prior is one item's worth of ordered pairs of ratings, the same for all categories, so that perfect
    agreement on few items is not certainty. Items and prior weigh as much as the items did. `work` is what one
    replicate costs beside drawing it and `cells` what it holds; a costly one is drawn less often, but never fewer
    than 200 times. Numbers with many values have no prior: it is (replicates, 1, 1) zeros.
    """
    groups, size, n = groups_of(table), len(table.categories), table.counts.sum()
    mass = np.asarray(groups.members.sum(0))
    smooth = size <= MOST_PRIOR_CATEGORIES
    wide = max(len(groups.shapes), size**2 if smooth else 1)
    total = int(min(settings.replicates, max(FEWEST, MOST_WORK // max(work, wide))))
    step = max(1, TILE // max(wide, cells))
    for start in range(0, total, step):
        count = min(step, total - start)
        random = generator(settings.seed, f"{stream}/{start}")
        weights = random.standard_gamma(groups.shapes[:, None], size=(len(groups.shapes), count))
        weights /= groups.shapes[:, None]
        shape = (count, size, size) if smooth else (count, 1, 1)
        prior = random.standard_gamma(1 / max(size, 1) ** 2 if smooth else 0.0, size=shape)
        scale = n / np.maximum(steady_product(mass, weights) + prior.sum((1, 2)), 1e-300)
        yield weights * scale, prior * scale[:, None, None]


def grouped_sums(groups: Groups, rows: Codes, cells: Codes, amounts: Array, size: int) -> csr_array:
    """Amounts of an item of each row in cells, summed by group: sparse (size, G), which weights of groups multiply."""
    from scipy.sparse import coo_array

    each = coo_array((amounts, (cells, rows)), shape=(size, groups.members.shape[0])).tocsr()
    return each @ groups.members
