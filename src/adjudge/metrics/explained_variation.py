"""How much of what varies is predicted: formulas over pairs of numbers."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import HINKLEY, Quantity, Tail
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.pairs import NumberPairs

UP_TO_ONE = (-np.inf, 1.0)
EITHER_SIDE = {"over": 1.0, "under": 1.0}  # the largest error, whatever its sign
NO_SPREAD = "the reference does not vary, or there are fewer than two rows"


@metric(
    over=NumberPairs,
    label="R²",
    direction=Direction.HIGHER,
    range=UP_TO_ONE,
    undefined=NO_SPREAD,
    intervals=("rubin_hill", "jackknife_hill", "bootstrap"),
    quantity=Quantity.EXPLAINED,
    tail=lambda pairs: Tail({"squared": 1.0}, EITHER_SIDE, 2),
    references=["Kvålseth 1985"],
)
def r_squared(pairs: NumberPairs) -> Array:
    """Share of the variance of the reference that predictions account for as they stand; below 0, less than its mean.

    1 − Σ (reference − prediction)² / Σ (reference − mean)².

    Undefined when the reference does not vary.

    >>> r_squared([1, 2, 3, 4], [1, 2, 3, 3])
    0.8
    """
    return np.asarray(1 - ratio(pairs.of("squared"), pairs.two.x.deviations))


@metric(
    over=NumberPairs,
    label="Explained variance",
    direction=Direction.HIGHER,
    range=UP_TO_ONE,
    undefined=NO_SPREAD,
    intervals=("rubin_hill", "jackknife_hill", "bootstrap"),
    quantity=Quantity.EXPLAINED,
    tail=lambda pairs: Tail(pairs.squared_error, EITHER_SIDE, 2),
    references=["Kvålseth 1985", "scikit-learn documentation, explained_variance_score"],
)
def explained_variance(pairs: NumberPairs) -> Array:
    """Share of the variance of the reference that is left out of the errors: as R², but a constant bias costs nothing.

    1 − Var(reference − prediction) / Var(reference).

    Undefined when the reference does not vary.

    >>> explained_variance([1, 2, 3, 4], [2, 3, 4, 5]), round(explained_variance([1, 2, 3, 4], [1, 2, 3, 3]), 4)
    (1.0, 0.85)
    """
    return np.asarray(1 - ratio(pairs.errors.deviations, pairs.two.x.deviations))


@metric(
    over=NumberPairs,
    label="Correlation",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    undefined="the reference or the prediction does not vary, or there are fewer than two rows",
    intervals=("jackknife_hill", "rubin_hill", "bootstrap", "fisher_z"),
    tail=lambda pairs: Tail({"xy": 1.0}, EITHER_SIDE, 2),
    pairs=lambda pairs: pairs.effective_rows,
    quantity=Quantity.CORRELATION,
    symmetric=True,
    references=["Pearson 1895", HINKLEY, "Fisher 1915 (interval)"],
)
def correlation(pairs: NumberPairs) -> Array:
    """Pearson's correlation of prediction and reference: association, which a wrong scale or level does not lower.

    cov / (sd x · sd y).

    Undefined when one of the two does not vary, also when it is 1.1 seven times.

    >>> round(correlation([1, 2, 3, 4], [1, 2, 3, 3]), 4), correlation([1.1] * 7, [1, 2, 3, 1, 2, 3, 1])
    (0.9439, nan)
    """
    return pairs.two.correlation
