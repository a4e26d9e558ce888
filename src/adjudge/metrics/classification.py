"""Right and wrong decisions: formulas over the confusion table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import Share
from adjudge.metrics.weighted_shares import rest_of, weighed_share
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.label_pairs import OneVsRest

PROPORTION = ("guarded_wilson", "wilson", "clopper_pearson", "bootstrap")
# One share for each category, or a mean of them: the last three are for the mean.
PROPORTIONS = ("guarded_wilson", "wilson", "clopper_pearson", "mover", "bayesian", "bootstrap")
UNIT = (0.0, 1.0)

# One number for each category.
of_category = partial(
    metric,
    over=Confusion,
    per="category",
    direction=Direction.HIGHER,
    range=UNIT,
    intervals=PROPORTIONS,
)


def _largest_share(table: Confusion) -> Array:
    return np.asarray(ratio(table.reference_total.max(-1, initial=0), table.total))


def _correct(table: Confusion) -> Share:
    own, every = table.squared.agreed, table.squared.total
    one = ratio(every, table.total)
    return weighed_share(table.agreed, table.total, (own, every - own), (one, one))


def _wrong(table: Confusion) -> Share:
    return rest_of(_correct(table))


def _recalled(table: Confusion) -> Share:
    own, whole = table.squared.matched, table.reference_total
    said = _as_heavy_as_their_kind(_weights_of_kinds(table, said=True), table.squared.reference_total, whole)
    return weighed_share(table.matched, whole, (own, table.squared.reference_total - own), said)


def _precise(table: Confusion) -> Share:
    own, whole = table.squared.matched, table.prediction_total
    rest = table.squared.prediction_total - own
    return weighed_share(table.matched, whole, (own, rest), _weights_of_kinds(table))


def _weights_of_kinds(table: Confusion, *, said: bool = False) -> tuple[Array, Array]:
    """What a row of each category weighs, and a row of the others; by what was `said` of them, not by what they are."""
    squares, counts = (one.prediction_total if said else one.reference_total for one in (table.squared, table))
    one = ratio(table.squared.total, table.total)
    own, others = ratio(squares, counts), ratio(squares.sum() - squares, counts.sum() - counts)
    return np.where(np.isnan(own), one, own), np.where(np.isnan(others), one, others)


def _as_heavy_as_their_kind(said: tuple[Array, Array], squares: Array, whole: Array) -> tuple[Array, Array]:
    """What rows weigh that were not seen: as those of which the same was said, or as those that are the same, if more.

    Where weights go with the category, as of cases and controls, what was said tells nothing of them.
    """
    alike = ratio(squares, whole)
    return np.fmax(said[0], alike), np.fmax(said[1], alike)


def _rejected(table: Confusion) -> Share:
    counts, (taken, others) = table.one_vs_rest, _weights_of_kinds(table, said=True)
    squared = table.squared
    whole, false = counts.true_negatives + counts.false_positives, squared.prediction_total - squared.matched
    right = squared.total - squared.reference_total - false
    unseen = _as_heavy_as_their_kind((others, taken), right + false, whole)
    return weighed_share(counts.true_negatives, whole, (right, false), unseen)


def _overlap(table: Confusion, *, beta: float = 1.0) -> Share | None:
    """F1 rises with TP / (TP + FP + FN), which is a share of rows; other betas are not such a share."""
    if beta != 1:
        return None
    counts, squared, own = table.one_vs_rest, table.squared, table.squared.matched
    whole = counts.true_positives + counts.false_positives + counts.false_negatives
    rest = squared.prediction_total + squared.reference_total - 2 * own
    return replace(
        weighed_share(counts.true_positives, whole, (own, rest), _weights_of_kinds(table)),
        through=lambda share: 2 * share / (1 + share),
        together=lambda: squared_distance_of_f(table),
    )


def squared_distance_of_f(table: Confusion) -> Callable[[Array], Array]:
    """d′ C d of distances d of the categories' F scores: a row wrong for one is wrong for another.

    C is their correlation by the delta method; 1, the cautious answer, where a category's own variance is zero.
    """
    sizes, squared = table.reference_total + table.prediction_total, table.squared
    f, own = np.nan_to_num(ratio(2 * table.matched, sizes)), squared.matched
    wrong = squared.prediction_total + squared.reference_total - 2 * own
    slope = np.nan_to_num(ratio(f, sizes))
    spread = np.sqrt(np.nan_to_num(ratio(4 * (1 - f) ** 2 * own + f**2 * wrong, sizes**2)))
    pairs = table.listed
    first, second = pairs.pairs
    joint = np.where(first == second, 0.0, 2 * pairs.squares)

    def added(distance: Array) -> Array:
        each, varies = np.nan_to_num(ratio(slope * distance, spread)), spread > 0
        certain = distance.sum() ** 2 - distance[varies].sum() ** 2 + (distance[varies] ** 2).sum()
        return np.asarray(certain + (joint * each[first] * each[second]).sum())

    return added


@metric(
    over=Confusion,
    label="Accuracy",
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="there are no rows",
    intervals=PROPORTION,
    symmetric=True,
    share=_correct,
    baseline=_largest_share,
    references=["Wilson 1927 (interval)", "Clopper & Pearson 1934 (interval)"],
    unit="share",
)
def accuracy(table: Confusion) -> Array:
    """Share of rows whose prediction is the reference.

    Σ_k n_kk / n.

    Undefined when there are no rows.

    >>> accuracy(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.75
    """
    return np.asarray(ratio(table.agreed, table.total))


@metric(
    over=Confusion,
    label="Error rate",
    direction=Direction.LOWER,
    range=UNIT,
    undefined="there are no rows",
    intervals=PROPORTION,
    symmetric=True,
    share=_wrong,
    baseline=lambda table: 1 - _largest_share(table),
    references=["Wilson 1927 (interval)"],
    unit="share",
)
def error_rate(table: Confusion) -> Array:
    """Share of rows whose prediction is not the reference.

    1 − accuracy.

    Undefined when there are no rows.

    >>> error_rate(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.25
    """
    return np.asarray(ratio(table.total - table.agreed, table.total))


@metric(
    over=Confusion,
    label="Balanced accuracy",
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="no row has a reference",
    intervals=("mover", "bayesian", "bootstrap"),
    share=_recalled,
    baseline=lambda table: np.asarray(ratio(1.0, (table.reference_total > 0).sum(-1))),
    references=["Brodersen et al. 2010", "Zou & Donner 2008 (interval)"],
)
def balanced_accuracy(table: Confusion) -> Array:
    """Mean recall over the categories that occur in the reference: each category has an equal say.

    (1/K) Σ_k n_kk / n_k·.

    Undefined when there are no rows. Categories that are only predicted do not count.

    >>> balanced_accuracy(["a", "a", "b"], ["a", "b", "b"])
    0.75
    """
    recalls = ratio(table.matched, table.reference_total)
    present = ~np.isnan(recalls)
    return np.asarray(ratio(np.where(present, recalls, 0).sum(-1), present.sum(-1)))


@of_category(
    label="Precision",
    undefined="it is never predicted",
    share=_precise,
    references=["van Rijsbergen 1979"],
    unit="share",
)
def precision(counts: OneVsRest) -> Array:
    """Of the rows given to a category, the share that belongs there.

    TP / (TP + FP).

    Undefined when the category is never predicted.

    >>> precision(["a", "a", "b"], ["a", "b", "b"], positive="b")
    0.5
    """
    return np.asarray(ratio(counts.true_positives, counts.true_positives + counts.false_positives))


@of_category(
    label="Recall",
    undefined="it never occurs in the reference",
    share=_recalled,
    references=["van Rijsbergen 1979"],
    unit="share",
)
def recall(counts: OneVsRest) -> Array:
    """Of the rows that belong to a category, the share given to it (sensitivity).

    TP / (TP + FN).

    Undefined when the category never occurs in the reference.

    >>> recall(["a", "a", "b"], ["a", "b", "b"], positive="a")
    0.5
    """
    return np.asarray(ratio(counts.true_positives, counts.true_positives + counts.false_negatives))


@of_category(
    label="Specificity",
    undefined="every row belongs to it",
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bayesian", "bootstrap"),
    share=_rejected,
    references=["Yerushalmy 1947"],
    unit="share",
)
def specificity(counts: OneVsRest) -> Array:
    """Of the rows that do not belong to a category, the share kept from it.

    TN / (TN + FP).

    Undefined when every row belongs to the category.

    >>> specificity(["a", "a", "b", "b"], ["a", "b", "b", "b"], positive="b")
    0.5
    """
    return np.asarray(ratio(counts.true_negatives, counts.true_negatives + counts.false_positives))


MOST_BETA = 1e100  # whose square is a number


def positive_beta(*, beta: float = 1.0) -> None:
    """Refuse what recall cannot count as much as."""
    if not (is_number(beta) and 0 < beta < np.inf):
        raise SettingError(f"`beta` must be a positive number, not {literal(beta)}.")
    if float(beta) > MOST_BETA:
        raise SettingError(f"`beta` must be at most {MOST_BETA:g}, not {literal(beta)}.")


@of_category(
    label="F score",
    undefined="it neither occurs nor is predicted",
    intervals=("guarded_wilson", "wilson", "mover", "bayesian", "bootstrap"),
    share=_overlap,
    check=positive_beta,
    references=["van Rijsbergen 1979", "Chinchor 1992"],
)
def f_score(counts: OneVsRest, *, beta: float = 1.0) -> Array:
    """Harmonic mean of precision and recall; recall counts beta times as much.

    (1 + β²) TP / ((1 + β²) TP + β² FN + FP), which needs neither precision nor recall.

    Undefined when the category neither occurs nor is predicted.

    >>> round(f_score(["a", "a", "b"], ["a", "b", "b"], positive="a"), 4)
    0.6667
    """
    weight = beta**2
    hits = (1 + weight) * counts.true_positives
    return np.asarray(ratio(hits, hits + weight * counts.false_negatives + counts.false_positives))


@metric(
    over=Confusion,
    label="Matthews correlation",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    undefined="the reference or the prediction is always the same",
    intervals=("bayesian", "bootstrap"),
    symmetric=True,
    baseline=lambda table: np.zeros_like(table.total),
    references=["Matthews 1975", "Gorodkin 2004"],
)
def matthews_correlation(table: Confusion) -> Array:
    """Correlation of prediction and reference as indicator variables, for any number of categories.

    (n Σ n_kk − Σ n_k· n_·k) / √((n² − Σ n_·k²)(n² − Σ n_k·²)).

    Undefined when the reference or the prediction never varies.

    >>> round(matthews_correlation(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5774
    """
    n = table.total
    rows, columns = ratio(table.reference_total, n[..., None]), ratio(table.prediction_total, n[..., None])
    covariance = ratio(table.agreed, n) - (rows * columns).sum(-1)
    spread = remainder(1.0, (rows**2).sum(-1)) * remainder(1.0, (columns**2).sum(-1))
    return np.asarray(ratio(covariance, np.sqrt(np.maximum(spread, 0.0))))
