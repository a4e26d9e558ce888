"""Do raters use the scale alike? Tests of equal margins, and the indices that tell habit from noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings
from adjudge.errors import SettingError, literal
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.vectors import RatingVectors


@dataclass(frozen=True, slots=True)
class MarginTest:
    """A test that raters use the categories equally often. An undefined p-value is NaN and `note` says why."""

    name: str
    statistic: float
    degrees: int
    p_value: float
    n: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Balance:
    """How uneven a table of two categories is, and what that does to kappa.

    prevalence: PI = (a − d) / n, bias: BI = (b − c) / n. kappa = (pabak − PI² + BI²) / (1 − PI² + BI²).
    """

    prevalence: float
    bias: float
    pabak: float
    kappa: float


def _undefined(name: str, n: float, note: str) -> MarginTest:
    return MarginTest(name, float("nan"), 0, float("nan"), n, note)


def _cases(table: Confusion) -> Array:
    """The counts, scaled down to effective rows when rows are weighted."""
    if table.total.ndim:
        raise SettingError(f"A test needs one table, not {table.counts.shape[0]} of them.")
    return np.asarray(table.dense * np.nan_to_num(ratio(table.total, table.squares.sum())))


def mcnemar_of_raters(table: Confusion, *, mid_p: bool = False) -> MarginTest:
    """McNemar's exact test of two raters with two categories: only the items they split count.

    The mid-p version counts half of the observed outcome; it is less conservative.

    >>> table = Confusion(("no", "yes"), np.array([[20.0, 5], [15, 10]]), np.array([[20.0, 5], [15, 10]]), 50)
    >>> round(mcnemar_of_raters(table).p_value, 4), round(mcnemar_of_raters(table, mid_p=True).p_value, 4)
    (0.0414, 0.0266)
    """
    from scipy.special import bdtr

    name = "McNemar (mid-p)" if mid_p else "McNemar (exact)"
    cases = _cases(table)
    n = float(cases.sum())
    if len(table.categories) != 2:
        return _undefined(name, n, "needs exactly two categories")
    first, second = round(float(cases[0, 1])), round(float(cases[1, 0]))
    fewer, split = min(first, second), first + second
    if split == 0:
        return MarginTest(name, 0.0, 0, 1.0, n, "the raters never differ")
    tail = float(bdtr(fewer, split, 0.5))
    at = tail - (float(bdtr(fewer - 1, split, 0.5)) if fewer else 0.0)
    p_value = 2 * tail - at if mid_p else min(2 * tail, 1.0)
    return MarginTest(name, float(fewer), 0, min(p_value, 1.0), n)


def stuart_maxwell(table: Confusion) -> MarginTest:
    """Stuart and Maxwell's test that two raters use every category equally often.

    >>> counts = np.array([[88.0, 14, 18], [10, 40, 10], [2, 6, 12]])
    >>> round(stuart_maxwell(Confusion(("a", "b", "c"), counts, counts, 200)).p_value, 4)
    0.0012
    """
    return _equal_margins("Stuart–Maxwell", table, pooled=True)


def bhapkar(table: Confusion) -> MarginTest:
    """Bhapkar's test of the same: a little stronger, as it does not assume what it tests.

    >>> counts = np.array([[88.0, 14, 18], [10, 40, 10], [2, 6, 12]])
    >>> round(bhapkar(Confusion(("a", "b", "c"), counts, counts, 200)).p_value, 4)
    0.0007
    """
    return _equal_margins("Bhapkar", table, pooled=False)


def _equal_margins(name: str, table: Confusion, pooled: bool) -> MarginTest:
    """Differences of margins over their covariance; categories that cannot differ take no degree of freedom."""
    from scipy.special import chdtrc

    cases = _cases(table)
    n = float(cases.sum())
    if n == 0:
        return _undefined(name, n, "no item was rated by both")
    d = cases.sum(1) - cases.sum(0)
    spread = -(cases + cases.T)
    np.fill_diagonal(spread, cases.sum(1) + cases.sum(0) - 2 * np.diagonal(cases))
    if not pooled:
        spread = spread - np.outer(d, d) / n
    degrees = int(np.linalg.matrix_rank(spread, hermitian=True))
    if degrees == 0:
        if np.abs(d).max(initial=0) > 0:
            return _undefined(name, n, "the raters differ on every item in the same way")
        return MarginTest(name, 0.0, 0, 1.0, n, "the raters never differ")
    statistic = float(d @ np.linalg.pinv(spread, hermitian=True) @ d)
    return MarginTest(name, statistic, degrees, float(chdtrc(degrees, statistic)), n)


def cochran_q(vectors: RatingVectors, category: str) -> MarginTest:
    """Cochran's Q: do raters say this category equally often? On items rated by everybody.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.statistics.weights import Weights
    >>> ratings = ratings_of([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]])
    >>> round(cochran_q(RatingVectors.collect(ratings, Weights(5)), "1").statistic, 4)
    4.6667
    """
    from scipy.special import chdtrc

    name, raters = "Cochran's Q", len(vectors.raters)
    if category not in vectors.categories:
        raise SettingError(f"`category` must be one of {vectors.categories}, not {literal(category)}.")
    weight = vectors.counts * np.nan_to_num(ratio(vectors.counts.sum(), vectors.squares.sum()))
    w = weight[vectors.complete]
    if raters < 2 or not w.sum():
        return _undefined(name, float(w.sum()), "no item was rated by every rater")
    said = (vectors.vectors[vectors.complete] == vectors.categories.index(category)).astype(np.float64)
    of_rater, of_item = w @ said, said.sum(1)
    below = raters * (w @ of_item) - w @ of_item**2
    if below <= 0:
        return MarginTest(name, 0.0, raters - 1, 1.0, float(w.sum()), "the raters never differ")
    statistic = float((raters - 1) * (raters * (of_rater**2).sum() - of_rater.sum() ** 2) / below)
    return MarginTest(name, statistic, raters - 1, float(chdtrc(raters - 1, statistic)), float(w.sum()))


def equal_totals(
    name: str, table: DistinctRatings, values: Array, among: NDArray[np.bool_], *, centred: bool = False
) -> MarginTest:
    """A test that totals of values are zero, when items weigh differently or belong together.

    `values` are those of one item of each row, (V, m), and `among` says which rows take part. The statistic is
    dᵀ S⁻ d, with d the weighted totals and S the products of the units' own. For plain items and differences of two
    raters' categories it is Stuart and Maxwell's, and Bhapkar's when centred; for two categories and clusters it is
    Obuchowski's (1998) without her factor of (units - 1) / units, and Durkalski's (2003) if all are of one size. Few
    units make it cautious, and the centred one rash.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.diagnosis.raters.distinct_ratings import distinct
    >>> table = distinct(ratings_of([["a", "b"]] * 9 + [["b", "a"]] * 2), clusters=[0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5])
    >>> said_a = (table.rows == 0).astype(float)
    >>> test = equal_totals("by cluster", table, said_a[:, :1] - said_a[:, 1:], table.rated.all(1))
    >>> round(test.statistic, 4)
    1.8148
    """
    from scipy.special import chdtrc

    values = np.where(among[:, None], values, 0.0)
    every, differing = table.size(among), table.size(np.abs(values).sum(1) > 0)
    n = float(steady_product(table.counts, among))
    if n == 0:
        return _undefined(name, n, "no item was rated by every rater")
    d, totals = steady_product(table.counts, values), table.unit_totals(values)
    spread = totals.T @ totals - (np.outer(d, d) / every.units if centred else 0.0)
    largest = float((totals**2).sum())
    degrees = int(np.linalg.matrix_rank(spread, tol=1e-9 * largest, hermitian=True)) if largest else 0
    if degrees == 0:
        if np.abs(d).max(initial=0) > 0:
            return _undefined(name, n, "the raters differ on every item in the same way")
        return MarginTest(name, 0.0, 0, 1.0, n, "the raters never differ")
    if differing.units <= degrees:
        return _undefined(name, n, f"raters differ on {differing.units} {every.kind}, too few for a test")
    statistic = float(d @ np.linalg.pinv(spread, rcond=1e-9, hermitian=True) @ d)
    return MarginTest(name, statistic, degrees, float(chdtrc(degrees, statistic)), n)


def margin_tests(table: DistinctRatings) -> list[MarginTest]:
    """The tests of equal margins that suit two raters: by cluster or weight where items have any.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.diagnosis.raters.distinct_ratings import distinct
    >>> ratings = ratings_of([["a", "b"]] * 9 + [["b", "a"]] * 2)
    >>> [test.name for test in margin_tests(distinct(ratings))]
    ['McNemar (exact)', 'McNemar (mid-p)']
    >>> [test.name for test in margin_tests(distinct(ratings, clusters=[place // 2 for place in range(11)]))]
    ['McNemar (by cluster)']
    """
    binary = len(table.categories) == 2
    if not table.explicit:
        pair = table.vectors.table_of(0, 1)
        return (
            [mcnemar_of_raters(pair), mcnemar_of_raters(pair, mid_p=True)]
            if binary
            else [stuart_maxwell(pair), bhapkar(pair)]
        )
    said = table.rows[:, :, None] == np.arange(len(table.categories))
    differ, both = said[:, 0].astype(np.float64) - said[:, 1], np.asarray(table.rated.all(1))
    names = {False: "McNemar"} if binary else {False: "Stuart–Maxwell"}
    if not binary and table.cluster is None:  # of 20 clusters alike, Bhapkar's finds a difference in one case of eight
        names[True] = "Bhapkar"
    return [equal_totals(_by_unit(name, table), table, differ, both, centred=how) for how, name in names.items()]


def category_test(table: DistinctRatings, category: str) -> MarginTest:
    """Cochran's Q of one category; by cluster or weight, its Wald form, where items have any.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.diagnosis.raters.distinct_ratings import distinct
    >>> table = distinct(ratings_of([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]]))
    >>> round(category_test(table, "1").statistic, 4)
    4.6667
    """
    if not table.explicit:
        return cochran_q(table.vectors, category)
    said = (table.rows == table.categories.index(category)).astype(np.float64)
    differ = said - said.mean(1, keepdims=True)
    return equal_totals(_by_unit("Cochran's Q", table), table, differ, np.asarray(table.rated.all(1)))


def _by_unit(name: str, table: DistinctRatings) -> str:
    return f"{name} ({'weighted' if table.cluster is None else 'by cluster'})"


def margin_balance(table: Confusion) -> Balance | None:
    """Prevalence and bias of a table of two categories; None for other tables or an empty one.

    >>> counts = np.array([[31.0, 2], [1, 6]])
    >>> index = margin_balance(Confusion(("yes", "no"), counts, counts, 40))
    >>> index.prevalence, index.bias, round(index.kappa, 4)
    (0.625, 0.025, 0.7541)
    """
    n = float(table.total)
    if len(table.categories) != 2 or n == 0:
        return None
    (a, b), (c, d) = table.dense / n
    prevalence, bias, pabak = float(a - d), float(b - c), float(2 * (a + d) - 1)
    kappa = float(ratio(pabak - prevalence**2 + bias**2, 1 - prevalence**2 + bias**2))
    return Balance(prevalence, bias, pabak, kappa)
