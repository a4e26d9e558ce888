"""Do the scores rank well? Formulas over the score curve."""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import Quantity, Share
from adjudge.metrics.score_cells import any_order, ordered_steps, ordered_trapezoids
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.grouping import products

UNIT = (0.0, 1.0)


def _prevalence(curve: Curve) -> Array:
    return np.asarray(ratio(curve.positive_total, curve.total))


def _of_positives(value: Array, curve: Curve) -> Share:
    return Share(value * curve.positive_total, curve.positive_total, curve.squared_weights[0])


def _one_half(curve: Curve) -> Array:
    return np.where(np.isnan(_prevalence(curve)), np.nan, 0.5)


@metric(
    over=Curves,
    per="category",
    label="ROC AUC",
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="it needs rows of the category and rows of another",
    intervals=("newcombe_delong", "newcombe", "delong", "delong_logit", "hanley", "mover_bootstrap", "bootstrap"),
    quantity=Quantity.ROC_AREA,
    in_cells=any_order,
    baseline=_one_half,
    references=["Hanley & McNeil 1982", "DeLong et al. 1988", "Newcombe 2006 (interval)"],
)
def roc_auc(curve: Curve) -> Array:
    """Chance that a row of the category scores higher than another row, ties counting one half.

    The trapezoidal area under the ROC curve.

    Undefined unless there are rows of the category and rows of another.

    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    return curve.once(_pairs_in_order)


def _pairs_in_order(curve: Curve) -> Array:
    positives, negatives = curve.counts[..., 0, :], curve.counts[..., 1, :]
    in_order = curve.within.concordance * negatives
    in_order += curve.negative_total[..., None] - curve.false_positives
    in_order *= positives
    return np.asarray(ratio(in_order.sum(-1), curve.positive_total * curve.negative_total))


recall_area = partial(
    metric,
    over=Curves,
    per="category",
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="no row belongs to it",
    intervals=("korn_graubard", "logit", "wilson", "mover_bootstrap", "bootstrap"),
    quantity=Quantity.PR_AREA,
    baseline=_prevalence,
)


@recall_area(
    label="PR AUC",
    in_cells=ordered_trapezoids,
    share=lambda curve: _of_positives(curve.once(_lower_trapezoids), curve),
    references=["Boyd, Eng & Page 2013 (lower trapezoid, logit interval)", "Korn & Graubard 1998 (interval)"],
)
def pr_auc(curve: Curve) -> Array:
    """Area under the precision-recall curve by the lower trapezoid.

    Σ (R_i − R_{i−1}) (P_i + P_{i−1}) / 2 over every threshold, starting level from the first.

    Undefined when no row belongs to the category.

    >>> round(pr_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.7917
    """
    return curve.once(_lower_trapezoids)


@recall_area(
    label="Average precision",
    in_cells=ordered_steps,
    share=lambda curve: _of_positives(curve.once(_steps), curve),
    references=["Zhu 2004", "scikit-learn's rule", "Korn & Graubard 1998 (interval)"],
)
def average_precision(curve: Curve) -> Array:
    """Precision averaged over the steps of recall.

    Σ (R_i − R_{i−1}) P_i over every threshold.

    Undefined when no row belongs to the category.

    >>> round(average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    return curve.once(_steps)


def _lower_trapezoids(curve: Curve) -> Array:
    """Steps of recall times the mean of the precision at both ends; level where nothing is taken before."""
    precision = curve.precision
    left = np.concatenate([precision[..., :1], precision[..., :-1]], axis=-1)
    if np.isnan(precision[..., :1]).any():  # the first of a replicate may have no rows; then some next ones neither
        left = np.where(np.isnan(left), precision, left)
    left += precision
    left /= 2
    return _area(curve, left)


def _steps(curve: Curve) -> Array:
    """Steps of recall times the precision at their end."""
    return _area(curve, curve.precision)


def _area(curve: Curve, heights: Array) -> Array:
    """Steps of recall times these heights."""
    return np.asarray(ratio(products(heights, curve.counts[..., 0, :]).sum(-1), curve.positive_total))
