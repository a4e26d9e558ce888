"""Krippendorff's alpha for numbers with any number of values, without a table of values."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.statistics.base import Array, ratio, remainder, steady_product
from adjudge.statistics.ratings.vectors import RatingVectors


@metric(
    over=RatingVectors,
    label="Krippendorff's alpha (interval)",
    short="α",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    undefined="the ratings do not vary, or no item has two",
    intervals=("bootstrap",),
    symmetric=True,
    references=["Krippendorff 1970", "Krippendorff 2011"],
)
def interval_alpha(vectors: RatingVectors) -> Array:
    """Krippendorff's alpha with squared differences, from sums and sums of squares of each item.

    1 − (N − 1) Σ_i [2 (r_i Σx² − (Σx)²) / (r_i − 1)] / [2 (N Σ Σx² − (Σ Σx)²)], over items with two ratings.

    Undefined when the ratings do not vary, or no item has two.

    >>> round(interval_alpha([[1, 2], [2, 2], [5, 4], [3, 3]]), 4)
    0.8478
    """
    values = vectors.values
    rated = ~np.isnan(values)
    r = rated.sum(1).astype(np.float64)
    paired = r >= 2
    x = np.where(rated, values - (values[rated].mean() if rated.any() else 0.0), 0.0)
    first, second = x.sum(1), (x**2).sum(1)
    apart = np.where(paired, 2 * ratio(remainder(r * second, first**2), r - 1), 0.0)
    w = np.where(paired, vectors.counts, 0.0)
    n, total, squares = (steady_product(w, values) for values in (r, first, second))
    return np.asarray(
        1 - ratio((n - 1) * steady_product(w, np.nan_to_num(apart)), 2 * remainder(n * squares, total**2))
    )
