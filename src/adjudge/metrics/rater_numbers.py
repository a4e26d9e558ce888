"""Means, spreads and ranks of raters' numbers under the weights of the items, for coefficients and intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.errors import SettingError
from adjudge.statistics.base import Array, ratio, remainder, steady_product
from adjudge.statistics.moments import Moments
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.two_numbers import Centred, TwoNumbers
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import summed_by


def two_raters(vectors: RatingVectors) -> tuple[Array, Array, Array]:
    """Both raters' values and the weights of the items that both rated."""
    if len(vectors.raters) != 2:
        raise SettingError(
            f"This metric compares two raters, but there are {len(vectors.raters)}. "
            "Choose two, or use a metric for many."
        )
    x = vectors.values[vectors.complete]
    return x[:, 0], x[:, 1], vectors.counts[..., vectors.complete]


def pair_moments(x: Array, y: Array, w: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Means, variances and covariance (divisor: the weight) under any leading axes of w."""
    (of_x, x), (of_y, y) = _about_mean(x, w), _about_mean(y, w)
    two = TwoNumbers(of_x, of_y, steady_product(w, x * y))
    return of_x.mean, of_y.mean, of_x.variance(0), of_y.variance(0), two.covariance(0)


def moments_of_two(numbers: RatingVectors | NumberPairs) -> tuple[Array, Array, Array, Array, Array]:
    """The same of two raters, or of a reference and predictions."""
    if isinstance(numbers, RatingVectors):
        return pair_moments(*two_raters(numbers))
    two = numbers.two
    return two.x.mean, two.y.mean, two.x.variance(0), two.y.variance(0), two.covariance(0)


def _about_mean(x: Array, w: Array) -> tuple[Centred, Array]:
    """Sums of numbers about their mean, and what they are about it."""
    centre = float(x.mean()) if len(x) else 0.0
    first, second = steady_product(w, x - centre), steady_product(w, (x - centre) ** 2)
    return Centred(w.sum(-1), first, second, centre), x - centre


def in_effective_items(vectors: RatingVectors) -> RatingVectors:
    """The items that every rater rated, weighing one in the mean of what they weigh together."""
    whole = vectors.complete
    if whole.all() and np.array_equal(vectors.counts, vectors.squares):
        return vectors
    counts, squares = vectors.counts[whole], vectors.squares[whole]
    scale = float(np.nan_to_num(ratio(counts.sum(), squares.sum())))
    return replace(
        vectors,
        vectors=vectors.vectors[whole],
        counts=counts * scale,
        squares=squares * scale**2,
        clusters=None if vectors.clusters is None else vectors.clusters[whole],
    )


def effective_pairs(vectors: RatingVectors) -> Array:
    """How many items both raters rated, in effective items."""
    return np.asarray(in_effective_items(vectors).counts.sum())


def differences(vectors: RatingVectors) -> Moments:
    """Moments of the second rater's value less the first's, over the items that both rated, or over their clusters."""
    x, y, w = two_raters(vectors)
    squares, d = vectors.squares[vectors.complete], y - x
    if vectors.clusters is not None:  # units are clusters, each as heavy as its items
        keys, place = np.unique(vectors.clusters[vectors.complete], return_inverse=True)
        w, summed = (summed_by(one, place.reshape(-1), len(keys)) for one in (w, w * d))
        squares, d = w**2, ratio(summed, w)
    n = w.sum(-1)
    mean = ratio(steady_product(w, d), n)
    deviations = (w * (d - mean[..., None]) ** 2).sum(-1)
    return Moments(n, np.asarray(mean), np.asarray(deviations), float(squares.sum()), vectors.rows)


def difference_spread(vectors: RatingVectors) -> Array:
    """Standard deviation of the second rater's value minus the first's, (…)."""
    x, y, w = two_raters(vectors)
    return _about_mean(y - x, w)[0].sd()


def mid_ranks(values: Array, w: Array) -> Array:
    """The mean rank of each item under weights, (…, V): halfway through its ties."""
    distinct, place = np.unique(values, return_inverse=True)
    tied = np.zeros((*w.shape[:-1], len(distinct)))
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    if len(starts):
        tied = np.add.reduceat(w[..., order], starts, axis=-1)
    return np.asarray((np.cumsum(tied, axis=-1) - tied / 2)[..., place])


def rank_products(a: Array, b: Array, w: Array) -> Array:
    """Weighted sum of products of two ranks about their means, (…)."""
    n = w.sum(-1)
    ma, mb = ratio((w * a).sum(-1), n), ratio((w * b).sum(-1), n)
    return remainder((w * (a - ma[..., None]) * (b - mb[..., None])).sum(-1), 0.0, (w * np.abs(a * b)).sum(-1))


def moment_slopes(vectors: RatingVectors) -> tuple[Array, Array, Array, Array, Array]:
    """How both means, both variances and the covariance change with the weight of each item, (V,) each."""
    x, y, w = two_raters(vectors)
    mx, my, vx, vy, cov = pair_moments(x, y, w)
    x, y, n = x - mx, y - my, w.sum()
    return ratio(x, n), ratio(y, n), ratio(x * x - vx, n), ratio(y * y - vy, n), ratio(x * y - cov, n)


def rank_slopes(vectors: RatingVectors) -> Array:
    """How the correlation of two raters' ranks changes with the weight of each item, (V,).

    One more item adds its own product of ranks and moves every rank above its own by one, tied ones by a half.

    >>> three = RatingVectors.of_arrays([1, 2, 3], [1, 3, 2])
    >>> slopes = rank_slopes(three)
    >>> slopes.round(4).tolist(), round(abs(float(slopes.sum())), 9)
    ([0.5, -0.25, -0.25], 0.0)
    """
    x, y, w = two_raters(vectors)
    a, b = (mid_ranks(values, w) - w.sum() / 2 for values in (x, y))

    def above(values: Array, ranks: Array) -> Array:
        """The ranks, by weight, of what lies above each value, and half of what ties with it."""
        distinct, place = np.unique(values, return_inverse=True)
        sums = np.bincount(place, w * ranks, minlength=len(distinct))
        return np.asarray((sums.sum() - np.cumsum(sums) + sums / 2)[place])

    of_a, of_b, together = (steady_product(w, product) for product in (a * a, b * b, a * b))
    rise_a, rise_b = a * a + 2 * above(x, a), b * b + 2 * above(y, b)
    rise = a * b + above(x, b) + above(y, a)
    scale = np.sqrt(of_a * of_b)
    shared = ratio(together, scale) / 2
    return np.asarray(ratio(rise, scale) - shared * (ratio(rise_a, of_a) + ratio(rise_b, of_b)))


def mean_squares(vectors: RatingVectors) -> tuple[Array, Array, Array, Array, Array]:
    """Items, and the mean squares between items, between raters, within items and residual, (…)."""
    sums, k = vectors.complete_sums, len(vectors.raters)
    n = sums.items
    raters = ratio(sums.ratings, n[..., None])
    grand = np.asarray(ratio(raters.sum(-1), k))
    of_raters = n * (((raters - grand[..., None]) ** 2).sum(-1))
    # Replicates may hold equal items far from the mean of all: what rounding leaves of their spread is none.
    between, total, of_raters = (
        np.maximum(remainder(whole, part, sums.squares), 0.0)
        for whole, part in (
            (k * sums.item_squares, k * n * grand**2),
            (sums.squares, n * k * grand**2),
            (of_raters, 0.0),
        )
    )
    within = np.maximum(remainder(total, between), 0.0)
    residual = np.maximum(remainder(within, of_raters, total), 0.0)
    return (
        n,
        np.asarray(ratio(between, n - 1)),
        np.asarray(ratio(of_raters, k - 1)),
        np.asarray(ratio(within, n * (k - 1))),
        np.asarray(ratio(residual, (n - 1) * (k - 1))),
    )
