"""How far off predicted numbers are: formulas over pairs of numbers. Errors are prediction less reference."""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics import error_values, explained_variation, prediction_intervals
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.error_values import BestConstant, mean_over_rows
from adjudge.metrics.intervals import Quantity, Tail
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.pairs import Combination, NumberPairs
from adjudge.statistics.numbers.residuals import Residuals

NO_ROWS = "there are no rows"
EITHER_SIDE = explained_variation.EITHER_SIDE

# In the same chapter.
r_squared, explained_variance = explained_variation.r_squared, explained_variation.explained_variance
correlation = explained_variation.correlation
median_absolute_error, max_error = error_values.median_absolute_error, error_values.max_error
interval_coverage, interval_width = prediction_intervals.interval_coverage, prediction_intervals.interval_width

# Means of a loss that each row has. The default interval is the one that holds its level when a few rows make most of
# the loss: docs/validation/regression.md.
loss = partial(
    metric,
    over=NumberPairs,
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined=NO_ROWS,
    intervals=("rubin_hill", "jackknife_hill", "bootstrap", "student"),
)


def squared(pairs: NumberPairs) -> Combination:
    """What each row adds to the mean squared error."""
    return {"squared": 1.0}


def absolute(pairs: NumberPairs) -> Combination:
    """What each row adds to the mean absolute error."""
    return {"absolute": 1.0}


def signed(pairs: NumberPairs) -> Combination:
    """What each row adds to the mean bias error."""
    return pairs.signed_error


def percentage(pairs: NumberPairs) -> Combination:
    """What each row adds to the mean absolute percentage error."""
    return {"percentage": 1.0}


def symmetric(pairs: NumberPairs) -> Combination:
    """What each row adds to the symmetric form."""
    return {"symmetric": 1.0}


def logarithmic(pairs: NumberPairs) -> Combination:
    """What each row adds to the mean squared logarithmic error."""
    return {"log": 1.0}


def pinball(pairs: NumberPairs, *, quantile: float = 0.5) -> Combination:
    """What each row adds to the pinball loss: half the distance, and the error by how far the quantile is off .5."""
    return {"absolute": 0.5} | {name: (0.5 - quantile) * factor for name, factor in pairs.signed_error.items()}


def _spread(pairs: NumberPairs) -> Array:
    """What the mean of the references gets: their population variance."""
    return pairs.two.x.variance(ddof=0)


@loss(
    label="Root mean squared error",
    short="RMSE",
    quantity=Quantity.ROOT_MEAN_SQUARE,
    tail=lambda pairs: Tail(squared(pairs), EITHER_SIDE, 2),
    intervals=("rubin_hill", "jackknife_hill", "bootstrap", "chi2"),
    symmetric=True,
    baseline=lambda pairs: np.sqrt(_spread(pairs)),
    references=["Gauss 1809", "NIST/SEMATECH e-Handbook 1.3.5.8 (chi-square interval)"],
)
def rmse(pairs: NumberPairs) -> Array:
    """Typical distance of the prediction from the reference, in the unit of the reference.

    √(Σ (prediction − reference)² / n). The baseline is what the mean of the references gets: their standard deviation.

    Undefined when there are no rows.

    >>> rmse([1, 2, 3, 4], [1, 2, 3, 2])
    1.0
    """
    return np.asarray(np.sqrt(pairs.mean_of(squared(pairs))))


@loss(
    label="Mean squared error",
    quantity=Quantity.MEAN_SQUARE,
    mean=mean_over_rows(squared),
    tail=lambda pairs: Tail(squared(pairs), EITHER_SIDE, 2),
    intervals=("rubin_hill", "jackknife_hill", "bootstrap", "chi2", "student"),
    symmetric=True,
    baseline=_spread,
    references=["Gauss 1809", "NIST/SEMATECH e-Handbook 1.3.5.8 (chi-square interval)"],
)
def mean_squared_error(pairs: NumberPairs) -> Array:
    """Mean squared distance of the prediction from the reference.

    Σ (prediction − reference)² / n. The baseline is what the mean of the references gets: their variance.

    Undefined when there are no rows.

    >>> mean_squared_error([1, 2, 3, 4], [1, 2, 3, 2])
    1.0
    """
    return pairs.mean_of(squared(pairs))


@loss(
    label="Mean absolute error",
    short="MAE",
    mean=mean_over_rows(absolute),
    tail=lambda pairs: Tail(absolute(pairs), EITHER_SIDE),
    symmetric=True,
    baseline=BestConstant(Residuals, error_values.mean_from_median),
    references=["Willmott & Matsuura 2005"],
)
def mean_absolute_error(pairs: NumberPairs) -> Array:
    """Mean distance of the prediction from the reference, in the unit of the reference.

    Σ |prediction − reference| / n. The baseline is what the median of the references gets.

    Undefined when there are no rows.

    >>> mean_absolute_error([1, 2, 3, 4], [1, 2, 3, 2])
    0.5
    """
    return pairs.mean_of(absolute(pairs))


@metric(
    over=NumberPairs,
    label="Mean bias error",
    mean=mean_over_rows(signed),
    direction=Direction.NEAREST,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined=NO_ROWS,
    intervals=("johnson", "student", "bootstrap"),
    references=["Willmott & Matsuura 2005", "Johnson 1978 (interval)", "Student 1908 (interval)"],
)
def mean_bias_error(pairs: NumberPairs) -> Array:
    """How much too high predictions are on average; below 0 they are too low.

    Σ (prediction − reference) / n.

    Undefined when there are no rows.

    >>> mean_bias_error([1, 2, 3, 4], [1, 2, 3, 2])
    -0.5
    """
    return pairs.mean_of(signed(pairs))


@loss(
    label="Mean absolute percentage error",
    mean=mean_over_rows(percentage),
    tail=lambda pairs: Tail(percentage(pairs), percentage(pairs)),
    undefined="the reference is zero in some row, or there are no rows",
    references=["Makridakis 1993", "Hyndman & Koehler 2006"],
)
def mean_absolute_percentage_error(pairs: NumberPairs) -> Array:
    """Mean distance of the prediction from the reference as a share of the reference: 0.1 is ten per cent.

    Σ |prediction − reference| / |reference| / n.

    Undefined when the reference is zero in any row, however small its weight.

    >>> round(mean_absolute_percentage_error([1, 2, 4, 5], [1.1, 2, 3, 5]), 4), mean_absolute_percentage_error([0], [1])
    (0.0875, nan)
    """
    return np.asarray(np.where(pairs.of("zero") > 0, np.nan, pairs.mean_of(percentage(pairs))))


@loss(
    label="Symmetric mean absolute percentage error",
    mean=mean_over_rows(symmetric),
    tail=lambda pairs: Tail(symmetric(pairs), symmetric(pairs)),
    range=(0.0, 2.0),
    symmetric=True,
    references=["Armstrong 1985", "Makridakis & Hibon 2000", "Hyndman & Koehler 2006"],
)
def symmetric_mean_absolute_percentage_error(pairs: NumberPairs) -> Array:
    """Mean distance of prediction and reference as a share of their mean size; a row where both are zero counts 0.

    Σ 2 |prediction − reference| / (|prediction| + |reference|) / n, from 0 to 2.

    Undefined when there are no rows.

    >>> round(symmetric_mean_absolute_percentage_error([1, 2, 0], [1, 3, 0]), 4)
    0.1333
    """
    return pairs.mean_of(symmetric(pairs))


@loss(
    label="Mean squared logarithmic error",
    mean=mean_over_rows(logarithmic),
    tail=lambda pairs: Tail(logarithmic(pairs), logarithmic(pairs)),
    undefined="a reference or a prediction is -1 or less in some row, or there are no rows",
    symmetric=True,
    references=["scikit-learn documentation, mean_squared_log_error"],
)
def mean_squared_log_error(pairs: NumberPairs) -> Array:
    """Mean squared distance of logarithms, for numbers that grow by factors; counts and amounts, not below zero.

    Σ (ln(1 + prediction) − ln(1 + reference))² / n.

    Undefined when a reference or a prediction is −1 or less in any row.

    >>> round(mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8]), 6), mean_squared_log_error([1, -2], [1, 1])
    (0.03973, nan)
    """
    return np.asarray(np.where(pairs.of("no_log") > 0, np.nan, pairs.mean_of(logarithmic(pairs))))


def _check_quantile(*, quantile: float = 0.5) -> None:
    if not (is_number(quantile) and 0 < quantile < 1):
        raise SettingError(f"`quantile` must lie between 0 and 1, for example 0.9, not {literal(quantile)}.")


@loss(
    label="Pinball loss",
    mean=mean_over_rows(pinball),
    tail=lambda pairs, *, quantile=0.5: Tail(
        pinball(pairs, quantile=quantile), {"over": 1 - quantile, "under": quantile}
    ),
    check=_check_quantile,
    baseline=BestConstant(Residuals, error_values.pinball_from_quantile),
    references=["Koenker & Bassett 1978"],
)
def pinball_loss(pairs: NumberPairs, *, quantile: float = 0.5) -> Array:
    """Mean loss of a predicted quantile: too low costs the quantile, too high the rest, for each unit off.

    Σ max(q (reference − prediction), (1 − q) (prediction − reference)) / n. With quantile=0.5 it is half the mean
    absolute error. The baseline is what the same quantile of the references gets.

    Undefined when there are no rows.

    >>> round(pinball_loss([1, 2, 3, 4], [1, 2, 3, 2], quantile=0.9), 4)
    0.45
    """
    return pairs.mean_of(pinball(pairs, quantile=quantile))
