"""Who agrees with whom: a metric of every two raters on the items both rated."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.limits import Size, ValueWithLimits, from_draws, unknown_limit
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct
from adjudge.diagnosis.raters.draws import NO_PRIOR, grouped_sums, groups_of, replicate_weights
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.resampling import Bootstrap, percentile
from adjudge.metrics import cohen_kappa
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.confusion import Confusion

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NOT_BOTH = "no item was rated by both"
NO_OTHER = "there is no other rater"


@dataclass(frozen=True, slots=True)
class Pairwise:
    """A metric of every two raters; NaN where they share no item. `mean` is each rater's mean with the others."""

    raters: tuple[str, ...]
    values: Array
    low: Array
    high: Array
    n: Codes
    mean: list[ValueWithLimits]


def pairwise(
    ratings: Ratings | DistinctRatings,
    metric: Metric = cohen_kappa,
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
) -> Pairwise:
    """A metric of every two raters on the items both rated, and each rater's mean with all others.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> kappas = pairwise(ratings_of([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]]))
    >>> kappas.values.round(2).tolist()
    [[nan, 1.0, 0.0], [1.0, nan, 0.0], [0.0, 0.0, nan]]
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    raters, size = len(table.raters), len(table.categories)
    pairs = list(combinations(range(raters), 2))
    if not pairs or not size:
        return no_pairs(table.raters, NO_OTHER if size else NOT_BOTH)
    sums = _pair_sums(table, pairs)

    def values(weights: Array, prior: Array) -> Array:
        tables = np.moveaxis((sums @ weights).reshape(len(pairs), size, size, -1), -1, 0)
        shared = tables.sum((-2, -1), keepdims=True) > 0
        counts = np.where(shared, tables + prior[:, None], 0.0)
        return metric.values(Confusion(table.categories, counts, np.zeros((size, size)), 0))

    ones = np.ones((sums.shape[1], 1))
    point = values(ones, NO_PRIOR)[0]
    work = int(sums.nnz + 4 * len(pairs) * size**2)
    draws = np.concatenate([values(w, prior) for w, prior in replicate_weights(table, settings, "pairwise", work)])
    sizes = [table.size(table.rated[:, first] & table.rated[:, second]) for first, second in pairs]
    return of_pairs(table.raters, (point, draws), sizes, checked_level(level))


def no_pairs(raters: tuple[str, ...], why: str) -> Pairwise:
    """Nothing to compare."""
    empty, none = np.full((len(raters), len(raters)), np.nan), np.zeros((len(raters), len(raters)), dtype=np.int64)
    return Pairwise(raters, empty, empty, empty, none, [unknown_limit(0, why)] * len(raters))


def of_pairs(raters: tuple[str, ...], values: tuple[Array, Array], sizes: list[Size], level: float) -> Pairwise:
    """The points (pairs,) and draws (replicates, pairs) of every two raters, in the order of `combinations`."""
    point, draws = values
    pairs = list(combinations(range(len(raters)), 2))
    if not pairs:
        return no_pairs(raters, NO_OTHER)
    bounds = percentile("bayesian", draws, level, np.array([size.units for size in sizes]))
    known = ~np.isnan(point) & np.array([not size.too_few for size in sizes])
    limits = (np.where(known, bounds.low, np.nan), np.where(known, bounds.high, np.nan))
    matrix, low, high = (_square(pairs, len(raters), column) for column in (point, *limits))
    items = np.nan_to_num(_square(pairs, len(raters), [size.n for size in sizes])).astype(np.int64)
    mean = [_mean_of(pairs, rater, (point, draws, sizes), level) for rater in range(len(raters))]
    return Pairwise(raters, matrix, low, high, items, mean)


def _pair_sums(table: DistinctRatings, pairs: list[tuple[int, int]]) -> csr_array:
    """Cells of every two raters' tables, summed by group of rows, (pairs × K², G)."""
    from scipy.sparse import vstack

    size, groups, sums = len(table.categories), groups_of(table), []
    for first, second in pairs:
        rows = np.flatnonzero(table.rated[:, first] & table.rated[:, second])
        cells = table.rows[rows, first] * size + table.rows[rows, second]
        sums.append(grouped_sums(groups, rows, cells, np.ones(len(rows)), size**2))
    return vstack(sums, format="csr")


def _square(pairs: list[tuple[int, int]], raters: int, values: object) -> Array:
    """Values of pairs in both halves of a matrix, NaN on the diagonal."""
    matrix = np.full((raters, raters), np.nan)
    first, second = np.array(pairs).T
    matrix[first, second] = matrix[second, first] = values
    return matrix


def _mean_of(
    pairs: list[tuple[int, int]], rater: int, values: tuple[Array, Array, list[Size]], level: float
) -> ValueWithLimits:
    """The mean over the pairs of one rater that have a value."""
    point, draws, sizes = values
    own = [place for place, pair in enumerate(pairs) if rater in pair and not np.isnan(point[place])]
    if not own:
        return unknown_limit(0, NOT_BOTH)
    several = draws[:, own]
    defined = ~np.isnan(several)
    means = ratio(np.where(defined, several, 0.0).sum(1), defined.sum(1))
    behind = [sizes[place] for place in own]
    size = Size(sum(one.n for one in behind), max(one.units for one in behind), behind[0].kind)
    return from_draws(float(point[own].mean()), means, level, size)
