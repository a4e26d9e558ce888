"""Right and wrong decisions: formulas over the confusion table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, is_number, metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.confusion import Confusion, OneVsRest

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
    best=1.0,
    intervals=PROPORTIONS,
)

# Squares that differ by less are of equal weights.
ROUNDING = 1e-12
# With so many rows by Kish, a smaller linearised variance counts as much as theirs: docs/validation/heldout.md.
TRUSTED_AT = 40.0


def _largest_share(table: Confusion) -> Array:
    return np.asarray(ratio(table.reference_total.max(-1, initial=0), table.total))


def _correct(table: Confusion) -> Share:
    own, one = np.trace(table.squares), ratio(table.squares.sum(), table.total)
    return _weighed(table.agreed, table.total, (own, table.squares.sum() - own), (one, one))


def _wrong(table: Confusion) -> Share:
    return _rest_of(_correct(table))


def _rest_of(share: Share) -> Share:
    unseen = None if share.unseen is None else (_rest_of(share.unseen[1]), _rest_of(share.unseen[0]))
    return Share(share.whole - share.part, share.whole, share.squares, unseen=unseen)


def _recalled(table: Confusion) -> Share:
    own, whole = np.diagonal(table.squares), table.reference_total
    said = _weights_of_kinds(table, said=True)
    return _weighed(table.matched, whole, (own, table.squares.sum(1) - own), said)


def _precise(table: Confusion) -> Share:
    own, whole = np.diagonal(table.squares), table.prediction_total
    return _weighed(table.matched, whole, (own, table.squares.sum(0) - own), _weights_of_kinds(table))


def _weights_of_kinds(table: Confusion, *, said: bool = False) -> tuple[Array, Array]:
    """What a row of each category weighs, and a row of the others; by what was `said` of them, not by what they are."""
    squares, counts = table.squares.sum(0 if said else 1), table.prediction_total if said else table.reference_total
    one = ratio(table.squares.sum(), table.total)
    own, others = ratio(squares, counts), ratio(squares.sum() - squares, counts.sum() - counts)
    return np.where(np.isnan(own), one, own), np.where(np.isnan(others), one, others)


def _weighed(part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]) -> Share:
    """A share whose part and rest have these squared weights, as would a row of each that was not seen."""
    linear = _linearized(part, whole, squares, unseen)
    return Share(part, whole, linear, unseen=_heavier(part, whole, squares, unseen))


def _heavier(
    part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]
) -> tuple[Share, Share] | None:
    """The share with a row of the rest, and with one of the part, by as much as it weighs more than those seen there.

    Few heavy rows may all be on one side by chance, and then neither the share nor its variance tells of the other.
    """
    counts = (part, whole - part)
    more = [np.nan_to_num(weight - ratio(of, n)) for weight, of, n in zip(unseen, squares, counts, strict=True)]
    more = [np.where(each > ROUNDING * weight, each, 0.0) for each, weight in zip(more, unseen, strict=True)]
    if not any(each.any() for each in more):
        return None

    def moved(of_part: Array, of_rest: Array) -> Share:
        total = whole + of_part + of_rest
        p = ratio(part + of_part, total)
        spread = (squares[0] + of_part * unseen[0]) * (1 - p) ** 2 + (squares[1] + of_rest * unseen[1]) * p**2
        rows = _trusted(ratio(p * (1 - p) * total**2, spread), ratio(whole**2, squares[0] + squares[1]))
        return Share(part + of_part, total, np.where(of_part + of_rest > 0, ratio(total**2, rows), np.nan))

    return moved(np.zeros_like(more[0]), more[1]), moved(more[0], np.zeros_like(more[1]))


def _trusted(rows: Array, kish: Array) -> Array:
    """Rows that a variance is worth; where it promises more than Kish's, mixed with that of Kish's rows.

    Few heavy rows that happen to be all right, or all wrong, make a variance that is far too small.
    """
    mixed = ratio(kish + TRUSTED_AT, ratio(kish, rows) + ratio(TRUSTED_AT, kish))
    return np.where(rows > kish, mixed, rows)


def _linearized(part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]) -> Array:
    """Squared weights of a share whose part and rest weigh differently, as by cases and controls, or by the score.

    The variance of a share is the squared weights of its part times (1 − p)², of the rest times p² (Taylor). It says
    nothing where either is empty, so half a row of each kind, with the weight of its kind, is added to tell it; what
    that adds to the rows is taken off. Equal weights give Kish's squares, to the last bit.
    """
    half = [weight / 2 for weight in unseen]
    total = whole + half[0] + half[1]
    p = ratio(part + half[0], total)
    both = [of_kind + weight**2 / 2 for of_kind, weight in zip(squares, unseen, strict=True)]
    rows = ratio(p * (1 - p) * total**2, both[0] * (1 - p) ** 2 + both[1] * p**2)
    plain = squares[0] + squares[1]
    kish = ratio(whole**2, plain)
    linear = np.nan_to_num(ratio(whole**2, _trusted(rows * ratio(kish, kish + 1), kish)))
    return np.where(abs(linear - plain) <= ROUNDING * plain, plain, linear)


def _rejected(table: Confusion) -> Share:
    counts, (taken, others) = table.one_vs_rest, _weights_of_kinds(table, said=True)
    whole, false = counts.true_negatives + counts.false_positives, table.squares.sum(0) - np.diagonal(table.squares)
    right = table.squares.sum() - table.squares.sum(1) - false
    return _weighed(counts.true_negatives, whole, (right, false), (others, taken))


def _overlap(table: Confusion, *, beta: float = 1.0) -> Share | None:
    """F1 rises with TP / (TP + FP + FN), which is a share of rows; other betas are not such a share."""
    if beta != 1:
        return None
    counts, own = table.one_vs_rest, np.diagonal(table.squares)
    whole = counts.true_positives + counts.false_positives + counts.false_negatives
    rest = table.squares.sum(0) + table.squares.sum(1) - 2 * own
    return replace(
        _weighed(counts.true_positives, whole, (own, rest), _weights_of_kinds(table)),
        through=lambda share: 2 * share / (1 + share),
        together=lambda: correlation_of_f(table),
    )


def correlation_of_f(table: Confusion) -> Array:
    """How the F scores of categories move together: a row wrong for one is wrong for another.

    By the delta method; 1, the cautious answer, where a category's own variance is zero.
    """
    sizes, squares = table.reference_total + table.prediction_total, table.squares
    f, own = np.nan_to_num(ratio(2 * table.matched, sizes)), np.diagonal(table.squares)
    wrong = squares.sum(0) + squares.sum(1) - 2 * own
    slope = np.nan_to_num(ratio(f, sizes))
    spread = np.sqrt(np.nan_to_num(ratio(4 * (1 - f) ** 2 * own + f**2 * wrong, sizes**2)))
    joint = (squares + squares.T) * np.outer(slope, slope)
    correlation: Array = np.nan_to_num(ratio(joint, np.outer(spread, spread)), nan=1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


@metric(
    over=Confusion,
    label="Accuracy",
    direction=Direction.HIGHER,
    range=UNIT,
    best=1.0,
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
    best=0.0,
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
    best=1.0,
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


def positive_beta(*, beta: float = 1.0) -> None:
    """Refuse what recall cannot count as much as."""
    if not (is_number(beta) and 0 < beta < np.inf):
        raise SettingError(f"`beta` must be a positive number, not {literal(beta)}.")


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
    best=1.0,
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
