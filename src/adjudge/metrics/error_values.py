"""Errors that are means over rows, with their spread, and errors that are formulas over the distribution of residuals.

Beside these, what the best constant answer gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import Mean, Quantity
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.numbers.pairs import Combination, NumberPairs
from adjudge.statistics.numbers.residuals import Residuals


@dataclass(frozen=True, slots=True)
class BestConstant:
    """A baseline that is a formula of another statistic than its metric; it takes the metric's parameters."""

    over: type[AnyStatistic]
    formula: Callable[..., Array]

    def __call__(self, statistic: AnyStatistic, **parameters: object) -> Array:
        return self.formula(statistic, **parameters)


def mean_from_median(residuals: Residuals) -> Array:
    """Mean distance of the references from their median: the least mean absolute error of a constant."""
    return pinball_from_quantile(residuals, quantile=0.5) * 2


def pinball_from_quantile(residuals: Residuals, *, quantile: float = 0.5) -> Array:
    """Pinball loss of the same quantile of the references: the least of any constant."""
    labels = residuals.labels
    off = labels.values - labels.quantile(quantile)
    return labels.mean_of(np.maximum(quantile * off, (quantile - 1) * off))


def median_from_median(residuals: Residuals) -> Array:
    """Median distance of the references from their median."""
    labels = residuals.labels
    return labels.distances(float(labels.quantile(0.5))).quantile(0.5)


@metric(
    over=Residuals,
    label="Median absolute error",
    quantity=Quantity.MEDIAN_ERROR,
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined="there are no rows",
    intervals=("order_statistics", "bootstrap"),
    symmetric=True,
    baseline=median_from_median,
    references=["Hampel 1974", "Thompson 1936 (interval)", "Woodruff 1952 (with weights)"],
)
def median_absolute_error(residuals: Residuals) -> Array:
    """The distance from the reference that half of the predictions stay within: a few wild errors do not move it.

    The median of |prediction − reference|. The baseline is what the median of the references gets.

    Undefined when there are no rows.

    >>> median_absolute_error([1, 2, 3, 4], [1, 2.5, 4, 9])
    0.75
    """
    return residuals.sizes.quantile(0.5)


@metric(
    over=Residuals,
    label="Largest error",
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined="there are no rows",
    intervals=("none",),
    symmetric=True,
    references=["scikit-learn documentation, max_error", "Bickel & Freedman 1981 (why it has no bootstrap interval)"],
)
def max_error(residuals: Residuals) -> Array:
    """The largest distance of a prediction from the reference. Of these rows only: others may be further off.

    max |prediction − reference|. It has no interval: no number of rows says how large an error can be.

    Undefined when there are no rows.

    >>> max_error([1, 2, 3, 4], [1, 2.5, 4, 9])
    5.0
    """
    if residuals.draws is not None:
        return residuals.sizes.highest
    return np.asarray(residuals.largest if residuals.largest >= 0 else np.nan)


# What rounding leaves of no spread, relative to what was summed.
NO_SPREAD = 1e-13


def mean_over_rows(values: Callable[..., Combination], over: str = "n") -> Callable[..., Mean]:
    """What makes the mean of a combination of sums, over all rows or over those that `over` counts.

    >>> mean = mean_over_rows(lambda pairs: {"absolute": 1.0})(NumberPairs.of_arrays([1, 2, 6], [1, 3, 4]))
    >>> float(mean.average), round(float(mean.variance), 4), float(mean.effective_rows)
    (1.0, 0.6667, 3.0)
    """

    def mean(pairs: NumberPairs, **parameters: object) -> Mean:
        if over not in pairs.sums.places:
            return Mean(*(np.full((), np.nan) for _ in range(3)))
        combination, total = values(pairs, **parameters), pairs.of(over)
        average = ratio(sum(pairs.of(name) * factor for name, factor in combination.items()), total)
        rows = ratio(total**2, pairs.sums.squares_of(over))
        squares = pairs.squares_of({**combination, over: combination.get(over, 0.0) - float(average)})
        squares = np.where(squares <= NO_SPREAD * pairs.squares_of(combination), 0.0, squares)
        return Mean(np.asarray(average), np.asarray(ratio(squares * rows, total**2)), np.asarray(rows))

    return mean
