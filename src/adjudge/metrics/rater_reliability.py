"""Reliability of raters who are told apart: formulas over the vectors of ratings."""

from __future__ import annotations

import numpy as np

from adjudge.errors import check_choice, literal
from adjudge.metrics import rater_association, rater_differences
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.chance_agreement import ANY_BELOW, BEYOND, ONE_CATEGORY
from adjudge.metrics.disagreements import Disagreements, between, within, within_items
from adjudge.metrics.intervals import HINKLEY, Quantity
from adjudge.metrics.rater_numbers import mean_squares, mid_ranks, rank_products
from adjudge.metrics.variance_components import components
from adjudge.metrics.weightings import Weighting, disagreement, known_weighting
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.ratings.sums import RatingSums
from adjudge.statistics.ratings.vectors import RatingVectors

FORMS = ("1,1", "1,k", "A,1", "A,k", "C,1", "C,k")
MISSING = ("complete", "reml")

# Of two raters, in the same chapter.
pearson, spearman, kendall_tau = rater_association.pearson, rater_association.spearman, rater_association.kendall_tau
concordance_correlation = rater_association.concordance_correlation
mean_difference = rater_differences.mean_difference
lower_limit_of_agreement = rater_differences.lower_limit_of_agreement
upper_limit_of_agreement = rater_differences.upper_limit_of_agreement


def by_own_habits(vectors: RatingVectors, weighting: Weighting) -> Disagreements:
    """By chance, each rater follows its own habits; the mean over pairs of raters."""
    d, shares = disagreement(vectors.categories, weighting), np.nan_to_num(vectors.rater_shares)
    raters = (shares.sum(-1) > 0).sum(-1)
    total = shares.sum(-2)
    own = between(d, shares, shares).sum(-1)
    expected = ratio(remainder(between(d, total, total), own), raters * (raters - 1))
    return Disagreements(within_items(vectors.patterns, weighting), expected)


@metric(
    over=RatingVectors,
    label="Conger's kappa",
    direction=Direction.HIGHER,
    range=ANY_BELOW,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "fisher", "bootstrap"),
    symmetric=True,
    check=known_weighting,
    parts=lambda vectors, *, weighting="none": by_own_habits(vectors, weighting).parts,
    references=["Conger 1980", "Hubert 1977", "Gwet 2014 (missing ratings)"],
)
def conger_kappa(vectors: RatingVectors, *, weighting: Weighting = "none") -> Array:
    """Agreement of many raters beyond what each rater's own use of categories would give by chance.

    p_e is the mean over pairs of raters of Σ_kl w_kl p_gk p_hl: Cohen's kappa for any number of raters.

    Undefined when a single category is used, or no item has two ratings.

    >>> round(conger_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.5714
    """
    return by_own_habits(vectors, weighting).coefficient


@metric(
    over=RatingVectors,
    label="Light's kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    undefined="no two raters have a defined kappa",
    intervals=("jackknife_hill", "bayesian", "fisher", "bootstrap"),
    symmetric=True,
    check=known_weighting,
    references=["Light 1971", HINKLEY],
)
def light_kappa(vectors: RatingVectors, *, weighting: Weighting = "none") -> Array:
    """Mean of Cohen's kappa over all pairs of raters that have a defined one.

    Undefined when no pair of raters has a defined kappa.

    >>> round(light_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.6
    """
    d, tables = disagreement(vectors.categories, weighting), vectors.tables_of(vectors.met)
    total = tables.sum((-2, -1))
    expected = ratio(between(d, tables.sum(-1), tables.sum(-2)), total)
    kappas = 1 - ratio(within(d, tables), expected)
    defined = ~np.isnan(kappas)
    return np.asarray(ratio(np.where(defined, kappas, 0).sum(-1), defined.sum(-1)))


def _known_form(*, form: str = "A,1", missing: str = "complete") -> None:
    check_choice("form", form, FORMS, literal)
    check_choice("missing", missing, MISSING, literal)


@metric(
    over=RatingVectors,
    label="Intraclass correlation",
    direction=Direction.HIGHER,
    range=ANY_BELOW,
    undefined="the ratings do not vary between items, or too few items are rated by enough raters",
    intervals=("jackknife_hill", "bootstrap", "f_exact"),
    symmetric=True,
    quantity=Quantity.INTRACLASS,
    check=_known_form,
    references=[
        "Shrout & Fleiss 1979",
        "McGraw & Wong 1996",
        "Searle, Casella & McCulloch 1992 (missing ratings)",
        HINKLEY,
    ],
)
def icc(vectors: RatingVectors, *, form: str = "A,1", missing: str = "complete") -> Array:
    """Share of the variance of ratings that is between items, from items rated by every rater.

    1: each item has other raters; A: absolute agreement; C: consistency. ",1" judges one rating, ",k" the mean of
    one by every rater, also where some are missing. ICC(2,·) of Shrout and Fleiss is A, ICC(3,·) is C. With
    missing="reml" all ratings count: variances by restricted maximum likelihood, none below 0.

    Undefined when ratings do not vary between items, fewer than two items are complete, or with "reml" too few
    have two ratings to tell items, raters and the rest apart.

    >>> rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(icc(rows, form="A,1"), 2), round(icc(rows, form="C,k"), 2)
    (0.29, 0.91)
    >>> rows[0][3] = rows[4][1] = None
    >>> round(icc(rows), 2), round(icc(rows, missing="reml"), 2)
    (0.25, 0.27)
    """
    return _of_complete(vectors, form) if missing == "complete" else _of_components(vectors, form)


def _of_complete(vectors: RatingVectors, form: str) -> Array:
    """The intraclass correlation of items rated by every rater, from mean squares."""
    n, items, raters, within, residual = mean_squares(vectors)
    k = len(vectors.raters)
    kind, judged = form.split(",")
    noise = within if kind == "1" else residual
    spread = items + (k - 1) * noise if judged == "1" else items
    if kind == "A":
        times = k if judged == "1" else 1
        spread = remainder(spread + times * ratio(raters, n), times * ratio(residual, n))
    return np.asarray(ratio(items - noise, np.where(spread > 0, spread, 0.0)))


def _of_components(vectors: RatingVectors, form: str) -> Array:
    """The intraclass correlation of variances that were fitted to all ratings."""
    kind, judged = form.split(",")
    variances = components(RatingSums.of(vectors), raters=kind != "1")
    noise = variances.rest + (variances.raters if kind == "A" else 0.0)
    value = ratio(variances.items, variances.items + noise / (1 if judged == "1" else len(vectors.raters)))
    if kind != "A" or (variances.rest != 0).all():
        return np.asarray(value)
    # Where nothing is left over, the likelihood has no maximum; mean squares have a value.
    instead = _of_complete(vectors, form)
    return np.where((variances.rest == 0) & (variances.items > 0) & ~np.isnan(instead), instead, value)


@metric(
    over=RatingVectors,
    label="Kendall's W",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="every rater ties all items, or none is rated by every rater",
    intervals=("bootstrap",),
    symmetric=True,
    references=["Kendall & Babington Smith 1939"],
)
def kendall_w(vectors: RatingVectors) -> Array:
    """Concordance of many raters' orders, from items rated by every rater: 1 when all order alike.

    Σ_i (R_i − R̄)² / (m Σ_j Σ_i (r_ij − r̄)²), which is the tie-corrected coefficient.

    Undefined when every rater ties all items.

    >>> round(kendall_w([[1, 1, 2], [2, 2, 1], [3, 3, 3]]), 4)
    0.7778
    """
    x, w = vectors.values[vectors.complete], vectors.counts[..., vectors.complete]
    ranks = [mid_ranks(x[:, rater], w) for rater in range(x.shape[1])]
    total = sum(ranks, np.zeros_like(w))
    spread = sum((rank_products(rank, rank, w) for rank in ranks), np.zeros(w.shape[:-1]))
    return np.asarray(ratio(rank_products(total, total, w), len(ranks) * spread))
