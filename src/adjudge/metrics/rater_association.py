"""How two raters' numbers go together: formulas over the vectors of ratings. Association is not agreement."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.explained_variation import EITHER_SIDE
from adjudge.metrics.intervals import HINKLEY, Quantity, Tail
from adjudge.metrics.rater_numbers import (
    effective_pairs,
    mid_ranks,
    moment_slopes,
    moments_of_two,
    pair_moments,
    rank_products,
    rank_slopes,
    two_raters,
)
from adjudge.metrics.rater_order import ordered_with_others
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors

# Kendall's tau compares every two items; beyond this many distinct ones that is left to a sort.
MOST_COMPARED = 1_500

# All of two raters, whichever comes first.
association = partial(
    metric,
    over=RatingVectors,
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    symmetric=True,
    pairs=effective_pairs,
)


def _correlation_slopes(vectors: RatingVectors) -> Array:
    _, _, vx, vy, cov = pair_moments(*two_raters(vectors))
    _, _, of_x, of_y, together = moment_slopes(vectors)
    scale = np.sqrt(vx * vy)
    return np.asarray(ratio(together, scale) - ratio(cov, scale) / 2 * (ratio(of_x, vx) + ratio(of_y, vy)))


def _concordance_slopes(vectors: RatingVectors) -> Array:
    mx, my, vx, vy, cov = pair_moments(*two_raters(vectors))
    mean_x, mean_y, of_x, of_y, together = moment_slopes(vectors)
    apart = vx + vy + (mx - my) ** 2
    rise = of_x + of_y + 2 * (mx - my) * (mean_x - mean_y)
    return np.asarray(ratio(2 * together, apart) - ratio(2 * cov, apart) * ratio(rise, apart))


@association(
    label="Pearson correlation",
    undefined="one of the two does not vary",
    intervals=("jackknife_hill", "bootstrap", "fisher_z"),
    quantity=Quantity.CORRELATION,
    slopes=_correlation_slopes,
    references=["Pearson 1896", HINKLEY, "Fisher 1915 (interval)"],
)
def pearson(vectors: RatingVectors) -> Array:
    """Linear association of two raters' values; association is not agreement.

    cov(a, b) / (sd(a) sd(b)).

    Undefined when one of the two does not vary.

    >>> round(pearson([1, 2, 3, 4], [2, 4, 6, 9]), 4)
    0.9944
    """
    _, _, vx, vy, cov = pair_moments(*two_raters(vectors))
    return np.asarray(ratio(cov, np.sqrt(vx * vy)))


@association(
    label="Concordance correlation",
    undefined="both give the same single value",
    intervals=("jackknife_hill", "bootstrap", "lin"),
    quantity=Quantity.CONCORDANCE,
    slopes=_concordance_slopes,
    references=["Lin 1989", HINKLEY],
)
def concordance_correlation(vectors: RatingVectors | NumberPairs) -> Array:
    """Agreement of two raters' values: association reduced by differences of level and spread.

    2 cov(a, b) / (var(a) + var(b) + (ā − b̄)²), divisor n; equal to quadratic weighted kappa.

    Undefined when both give the same single value.

    >>> round(concordance_correlation([1, 2, 3, 4], [2, 3, 4, 5]), 4)
    0.7143
    """
    mx, my, vx, vy, cov = moments_of_two(vectors)
    return np.asarray(ratio(2 * cov, vx + vy + (mx - my) ** 2))


# The same of a reference and predictions, told by sums, which rows need not be kept for.
concordance_of_predictions = replace(
    concordance_correlation,
    over=NumberPairs,
    intervals=("jackknife_hill", "rubin_hill", "bootstrap", "lin"),
    slopes=None,
    tail=lambda _: Tail({"squared": 1.0}, EITHER_SIDE, 2),
    pairs=lambda pairs: pairs.effective_rows,
)


@association(
    label="Spearman correlation",
    undefined="one of the two does not vary",
    intervals=("jackknife_hill", "bootstrap", "bonett_wright"),
    quantity=Quantity.RANK_CORRELATION,
    slopes=rank_slopes,
    references=["Spearman 1904", HINKLEY, "Bonett & Wright 2000 (interval)"],
)
def spearman(vectors: RatingVectors) -> Array:
    """Association of two raters' orders: Pearson's correlation of mid-ranks.

    Undefined when one of the two does not vary.

    >>> round(spearman([1, 2, 3, 4], [1, 2, 4, 3]), 4)
    0.8
    """
    x, y, w = two_raters(vectors)
    a, b = mid_ranks(x, w), mid_ranks(y, w)
    return np.asarray(ratio(rank_products(a, b, w), np.sqrt(rank_products(a, a, w) * rank_products(b, b, w))))


def _tau_slopes(vectors: RatingVectors) -> Array:
    """How tau changes with the weight of each item: by how it stands to all others."""
    x, y, w = two_raters(vectors)
    alike, of_x, of_y = ordered_with_others(x, y, w)
    together, by_x, by_y = (steady_product(w, one) for one in (alike, of_x, of_y))
    scale = np.sqrt(by_x * by_y)
    return np.asarray(ratio(2 * alike, scale) - ratio(together, scale) * (ratio(of_x, by_x) + ratio(of_y, by_y)))


@association(
    label="Kendall's tau-b",
    undefined="one of the two does not vary",
    intervals=("jackknife_hill", "bootstrap", "fieller"),
    quantity=Quantity.TAU,
    slopes=_tau_slopes,
    references=["Kendall 1945", HINKLEY, "Fieller, Hartley & Pearson 1957 (interval)"],
)
def kendall_tau(vectors: RatingVectors) -> Array:
    """Share of pairs of items ordered alike minus the share ordered oppositely, corrected for ties.

    (C − D) / √((C + D + T_a)(C + D + T_b)).

    Undefined when one of the two does not vary.

    >>> round(kendall_tau([1, 2, 3, 4], [1, 2, 4, 3]), 4)
    0.6667
    """
    x, y, w = two_raters(vectors)
    if len(x) > MOST_COMPARED:
        return _tau_by_sorting(x, y, w)
    a, b = np.sign(x[:, None] - x), np.sign(y[:, None] - y)

    def compared(signs: Array) -> Array:
        return np.asarray((steady_product(w, signs) * w).sum(-1))

    return np.asarray(ratio(compared(a * b), np.sqrt(compared(a**2) * compared(b**2))))


def _tau_by_sorting(x: Array, y: Array, w: Array) -> Array:
    if w.ndim > 1:
        return np.full(w.shape[:-1], np.nan)
    alike, of_x, of_y = (steady_product(w, one) for one in ordered_with_others(x, y, w))
    return np.asarray(ratio(alike, np.sqrt(of_x * of_y)))
