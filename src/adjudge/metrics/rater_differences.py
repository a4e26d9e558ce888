"""How far two raters' numbers are apart: formulas over the vectors of ratings."""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import Quantity
from adjudge.metrics.rater_numbers import difference_spread, differences, two_raters
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.ratings.vectors import RatingVectors

# In the unit of the ratings.
difference = partial(
    metric,
    over=RatingVectors,
    range=(-np.inf, np.inf),
    direction=Direction.NEAREST,
    best=0.0,
)


@difference(
    label="Mean difference",
    undefined="no item was rated by both",
    intervals=("johnson", "student", "bootstrap"),
    mean=differences,
    references=["Bland & Altman 1986", "Johnson 1978 (interval)"],
)
def mean_difference(vectors: RatingVectors) -> Array:
    """How much higher the second rater's values are than the first's, on average.

    Undefined when no item was rated by both.

    >>> mean_difference([1, 2, 3], [2, 3, 4])
    1.0
    """
    x, y, w = two_raters(vectors)
    return np.asarray(ratio(steady_product(w, y - x), w.sum(-1)))


@difference(
    label="Lower limit of agreement",
    undefined="fewer than two items were rated by both",
    intervals=("mover_hill", "bootstrap", "bland_altman"),
    quantity=Quantity.LIMIT_OF_AGREEMENT,
    references=["Bland & Altman 1986", "Zou 2013 and Hill 1975 (interval)", "Bland & Altman 1999 (interval)"],
)
def lower_limit_of_agreement(vectors: RatingVectors) -> Array:
    """Below this lie 2.5 % of the differences between the second and the first rater, if they are normal.

    d̄ − 1.96 s_d.

    Undefined when fewer than two items were rated by both.

    >>> round(lower_limit_of_agreement([1, 2, 3, 4], [1, 3, 3, 5]), 4)
    -0.6316
    """
    return np.asarray(mean_difference.formula(vectors) - 1.959963984540054 * difference_spread(vectors))


@difference(
    label="Upper limit of agreement",
    undefined="fewer than two items were rated by both",
    intervals=("mover_hill", "bootstrap", "bland_altman"),
    quantity=Quantity.LIMIT_OF_AGREEMENT,
    references=["Bland & Altman 1986", "Zou 2013 and Hill 1975 (interval)", "Bland & Altman 1999 (interval)"],
)
def upper_limit_of_agreement(vectors: RatingVectors) -> Array:
    """Above this lie 2.5 % of the differences between the second and the first rater, if they are normal.

    d̄ + 1.96 s_d.

    Undefined when fewer than two items were rated by both.

    >>> round(upper_limit_of_agreement([1, 2, 3, 4], [1, 3, 3, 5]), 4)
    1.6316
    """
    return np.asarray(mean_difference.formula(vectors) + 1.959963984540054 * difference_spread(vectors))
