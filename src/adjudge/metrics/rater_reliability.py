"""Reliability of raters who are told apart: formulas over the vectors of ratings."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjudge.errors import SettingError, listed
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.chance_agreement import BEYOND, ONE_CATEGORY, beyond_chance, observed_agreement
from adjudge.metrics.weightings import disagreement, known_weighting
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.rating_vectors import RatingVectors

FORMS = ("1,1", "1,k", "A,1", "A,k", "C,1", "C,k")
# Kendall's tau compares every two items; beyond this many distinct ones that is left to a sort.
MOST_COMPARED = 1_500


def _weighting(*, weighting: Any = "none") -> None:
    known_weighting(weighting)


@metric(
    over=RatingVectors,
    label="Conger's kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "fisher", "bootstrap"),
    check=_weighting,
    references=["Conger 1980", "Hubert 1977", "Gwet 2014 (missing ratings)"],
)
def conger_kappa(vectors: RatingVectors, *, weighting: Any = "none") -> Array:
    """Agreement of many raters beyond what each rater's own use of categories would give by chance.

    p_e is the mean over pairs of raters of Σ_kl w_kl p_gk p_hl: Cohen's kappa for any number of raters.

    Undefined when a single category is used, or no item has two ratings.

    >>> round(conger_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.5714
    """
    d, shares = disagreement(vectors.categories, weighting), np.nan_to_num(vectors.rater_shares)
    raters = (shares.sum(-1) > 0).sum(-1)
    total = shares.sum(-2)
    every = (d * total[..., :, None] * total[..., None, :]).sum((-2, -1))
    own = np.einsum("...gk,kl,...gl->...", shares, d, shares)
    expected = 1 - ratio(every - own, raters * (raters - 1))
    return beyond_chance(observed_agreement(vectors.patterns, weighting), expected)


@metric(
    over=RatingVectors,
    label="Light's kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="no two raters have a defined kappa",
    intervals=("bayesian", "fisher", "bootstrap"),
    check=_weighting,
    references=["Light 1971"],
)
def light_kappa(vectors: RatingVectors, *, weighting: Any = "none") -> Array:
    """Mean of Cohen's kappa over all pairs of raters that have a defined one.

    Undefined when no pair of raters has a defined kappa.

    >>> round(light_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.6
    """
    d, tables = disagreement(vectors.categories, weighting), vectors.pair_counts
    total = tables.sum((-2, -1), keepdims=True)
    expected = ratio(tables.sum(-1, keepdims=True) * tables.sum(-2, keepdims=True), total)
    kappas = 1 - ratio((d * tables).sum((-2, -1)), (d * expected).sum((-2, -1)))
    defined = ~np.isnan(kappas)
    return np.asarray(ratio(np.where(defined, kappas, 0).sum(-1), defined.sum(-1)))


def _known_form(*, form: str = "A,1") -> None:
    if form not in FORMS:
        raise SettingError(f"`form` must be one of {listed(FORMS)}, not {form!r}.")


def mean_squares(vectors: RatingVectors) -> tuple[Array, Array, Array, Array, Array]:
    """Items, and the mean squares between items, between raters, within items and residual, (…)."""
    x = vectors.values[vectors.complete]
    w = vectors.counts[..., vectors.complete]
    k = x.shape[1]
    n = w.sum(-1)
    x = x - (x.mean() if x.size else 0.0)
    raters = ratio(w @ x, n[..., None])
    grand = raters.mean(-1)
    item = x.mean(1)
    between = k * (w @ item**2 - n * grand**2)
    of_raters = n * (((raters - grand[..., None]) ** 2).sum(-1))
    total = w @ (x**2).sum(1) - n * k * grand**2
    within = np.maximum(total - between, 0.0)
    residual = np.maximum(within - of_raters, 0.0)
    return (
        n,
        np.asarray(ratio(between, n - 1)),
        np.asarray(ratio(of_raters, k - 1)),
        np.asarray(ratio(within, n * (k - 1))),
        np.asarray(ratio(residual, (n - 1) * (k - 1))),
    )


@metric(
    over=RatingVectors,
    label="Intraclass correlation",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the ratings do not vary, or fewer than two items are rated by every rater",
    intervals=("f_exact", "bootstrap"),
    check=_known_form,
    references=["Shrout & Fleiss 1979", "McGraw & Wong 1996"],
)
def icc(vectors: RatingVectors, *, form: str = "A,1") -> Array:
    """Share of the variance of ratings that is between items, from items rated by every rater.

    1: each item has other raters; A: absolute agreement; C: consistency. ",1" judges one rating,
    ",k" the mean of all. ICC(2,·) of Shrout and Fleiss is A, ICC(3,·) is C.

    Undefined when ratings do not vary, or fewer than two items are complete.

    >>> rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(icc(rows, form="A,1"), 2), round(icc(rows, form="C,k"), 2)
    (0.29, 0.91)
    """
    n, items, raters, within, residual = mean_squares(vectors)
    k = len(vectors.raters)
    single = {
        "1": ratio(items - within, items + (k - 1) * within),
        "A": ratio(items - residual, items + (k - 1) * residual + k * ratio(raters - residual, n)),
        "C": ratio(items - residual, items + (k - 1) * residual),
    }
    mean = {
        "1": ratio(items - within, items),
        "A": ratio(items - residual, items + ratio(raters - residual, n)),
        "C": ratio(items - residual, items),
    }
    kind, judged = form.split(",")
    return np.asarray((single if judged == "1" else mean)[kind])


def _two(vectors: RatingVectors) -> tuple[Array, Array, Array]:
    """Both raters' values and the weights of the items that both rated."""
    if len(vectors.raters) != 2:
        raise SettingError(
            f"This metric compares two raters, but there are {len(vectors.raters)}. "
            "Choose two, or use a metric for many."
        )
    x = vectors.values[vectors.complete]
    return x[:, 0], x[:, 1], vectors.counts[..., vectors.complete]


def _pair_moments(x: Array, y: Array, w: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Means, variances and covariance (divisor: the weight) under any leading axes of w."""
    n = w.sum(-1)
    cx, cy = (x.mean(), y.mean()) if len(x) else (0.0, 0.0)
    x, y = x - cx, y - cy
    mx, my = ratio(w @ x, n), ratio(w @ y, n)
    vx, vy = ratio(w @ x**2, n) - mx**2, ratio(w @ y**2, n) - my**2
    tiny = 1e-14 * np.maximum(1e-300, np.abs(x).max(initial=0) ** 2 + np.abs(y).max(initial=0) ** 2)
    return mx + cx, my + cy, np.where(vx < tiny, 0, vx), np.where(vy < tiny, 0, vy), ratio(w @ (x * y), n) - mx * my


@metric(
    over=RatingVectors,
    label="Pearson correlation",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="one of the two does not vary",
    intervals=("fisher_z", "bootstrap"),
    symmetric=True,
    references=["Pearson 1896", "Fisher 1915 (interval)"],
)
def pearson(vectors: RatingVectors) -> Array:
    """Linear association of two raters' values; association is not agreement.

    cov(a, b) / (sd(a) sd(b)).

    Undefined when one of the two does not vary.

    >>> round(pearson([1, 2, 3, 4], [2, 4, 6, 9]), 4)
    0.9944
    """
    _, _, vx, vy, cov = _pair_moments(*_two(vectors))
    return np.asarray(ratio(cov, np.sqrt(vx * vy)))


@metric(
    over=RatingVectors,
    label="Concordance correlation",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="both give the same single value",
    intervals=("lin", "bootstrap"),
    symmetric=True,
    references=["Lin 1989"],
)
def concordance_correlation(vectors: RatingVectors) -> Array:
    """Agreement of two raters' values: association reduced by differences of level and spread.

    2 cov(a, b) / (var(a) + var(b) + (ā − b̄)²), divisor n; equal to quadratic weighted kappa.

    Undefined when both give the same single value.

    >>> round(concordance_correlation([1, 2, 3, 4], [2, 3, 4, 5]), 4)
    0.7143
    """
    mx, my, vx, vy, cov = _pair_moments(*_two(vectors))
    return np.asarray(ratio(2 * cov, vx + vy + (mx - my) ** 2))


def _mid_ranks(values: Array, w: Array) -> Array:
    """The mean rank of each item under weights, (…, V): halfway through its ties."""
    distinct, place = np.unique(values, return_inverse=True)
    tied = np.zeros((*w.shape[:-1], len(distinct)))
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    if len(starts):
        tied = np.add.reduceat(w[..., order], starts, axis=-1)
    return np.asarray((np.cumsum(tied, axis=-1) - tied / 2)[..., place])


def _rank_products(a: Array, b: Array, w: Array) -> Array:
    """Weighted sum of products of two ranks about their means, (…)."""
    n = w.sum(-1)
    ma, mb = ratio((w * a).sum(-1), n), ratio((w * b).sum(-1), n)
    return np.asarray((w * (a - ma[..., None]) * (b - mb[..., None])).sum(-1))


@metric(
    over=RatingVectors,
    label="Spearman correlation",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="one of the two does not vary",
    intervals=("bonett_wright", "bootstrap"),
    symmetric=True,
    references=["Spearman 1904", "Bonett & Wright 2000 (interval)"],
)
def spearman(vectors: RatingVectors) -> Array:
    """Association of two raters' orders: Pearson's correlation of mid-ranks.

    Undefined when one of the two does not vary.

    >>> round(spearman([1, 2, 3, 4], [1, 2, 4, 3]), 4)
    0.8
    """
    x, y, w = _two(vectors)
    a, b = _mid_ranks(x, w), _mid_ranks(y, w)
    return np.asarray(ratio(_rank_products(a, b, w), np.sqrt(_rank_products(a, a, w) * _rank_products(b, b, w))))


@metric(
    over=RatingVectors,
    label="Kendall's tau-b",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="one of the two does not vary, or there are too many distinct items for weights",
    intervals=("fieller", "bootstrap"),
    symmetric=True,
    references=["Kendall 1945", "Fieller, Hartley & Pearson 1957 (interval)"],
)
def kendall_tau(vectors: RatingVectors) -> Array:
    """Share of pairs of items ordered alike minus the share ordered oppositely, corrected for ties.

    (C − D) / √((C + D + T_a)(C + D + T_b)).

    Undefined when one of the two does not vary.

    >>> round(kendall_tau([1, 2, 3, 4], [1, 2, 4, 3]), 4)
    0.6667
    """
    x, y, w = _two(vectors)
    if len(x) > MOST_COMPARED:
        return _tau_by_sorting(x, y, w)
    a, b = np.sign(x[:, None] - x), np.sign(y[:, None] - y)

    def compared(signs: Array) -> Array:
        return np.asarray(((w @ signs) * w).sum(-1))

    return np.asarray(ratio(compared(a * b), np.sqrt(compared(a**2) * compared(b**2))))


def _tau_by_sorting(x: Array, y: Array, w: Array) -> Array:
    from scipy.stats import kendalltau

    if w.ndim > 1 or not (w == np.round(w)).all():
        return np.full(w.shape[:-1], np.nan)
    times = w.astype(np.int64)
    return np.asarray(kendalltau(np.repeat(x, times), np.repeat(y, times)).statistic)


@metric(
    over=RatingVectors,
    label="Kendall's W",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    best=1.0,
    undefined="every rater ties all items, or none is rated by every rater",
    intervals=("bootstrap",),
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
    ranks = [_mid_ranks(x[:, rater], w) for rater in range(x.shape[1])]
    total = sum(ranks, np.zeros_like(w))
    spread = sum((_rank_products(rank, rank, w) for rank in ranks), np.zeros(w.shape[:-1]))
    return np.asarray(ratio(_rank_products(total, total, w), len(ranks) * spread))


@metric(
    over=RatingVectors,
    label="Mean difference",
    direction=Direction.LOWER,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined="no item was rated by both",
    intervals=("student", "bootstrap"),
    references=["Bland & Altman 1986"],
)
def mean_difference(vectors: RatingVectors) -> Array:
    """How much higher the second rater's values are than the first's, on average.

    Undefined when no item was rated by both.

    >>> mean_difference([1, 2, 3], [2, 3, 4])
    1.0
    """
    x, y, w = _two(vectors)
    return np.asarray(ratio(w @ (y - x), w.sum(-1)))


def _difference_spread(vectors: RatingVectors) -> Array:
    x, y, w = _two(vectors)
    n, d = w.sum(-1), y - x
    centre = ratio(w @ d, n)
    squares = w @ (d - (d.mean() if len(d) else 0)) ** 2 - n * (centre - (d.mean() if len(d) else 0)) ** 2
    return np.asarray(np.sqrt(np.maximum(ratio(squares, n - 1), 0)))


@metric(
    over=RatingVectors,
    label="Lower limit of agreement",
    direction=Direction.HIGHER,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined="fewer than two items were rated by both",
    intervals=("bland_altman", "bootstrap"),
    references=["Bland & Altman 1986", "Bland & Altman 1999 (interval)"],
)
def lower_limit_of_agreement(vectors: RatingVectors) -> Array:
    """Below this lie 2.5 % of the differences between the second and the first rater, if they are normal.

    d̄ − 1.96 s_d.

    Undefined when fewer than two items were rated by both.

    >>> round(lower_limit_of_agreement([1, 2, 3, 4], [1, 3, 3, 5]), 4)
    -0.6316
    """
    return np.asarray(mean_difference.formula(vectors) - 1.959963984540054 * _difference_spread(vectors))


@metric(
    over=RatingVectors,
    label="Upper limit of agreement",
    direction=Direction.LOWER,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined="fewer than two items were rated by both",
    intervals=("bland_altman", "bootstrap"),
    references=["Bland & Altman 1986", "Bland & Altman 1999 (interval)"],
)
def upper_limit_of_agreement(vectors: RatingVectors) -> Array:
    """Above this lie 2.5 % of the differences between the second and the first rater, if they are normal.

    d̄ + 1.96 s_d.

    Undefined when fewer than two items were rated by both.

    >>> round(upper_limit_of_agreement([1, 2, 3, 4], [1, 3, 3, 5]), 4)
    1.6316
    """
    return np.asarray(mean_difference.formula(vectors) + 1.959963984540054 * _difference_spread(vectors))
