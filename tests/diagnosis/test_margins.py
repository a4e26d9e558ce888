"""Marginal homogeneity against statsmodels 0.15.0, and degenerate tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.diagnosis.anaesthetists import FIRST_READINGS

from adjudge import metrics
from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.diagnosis.raters.distinct_ratings import distinct
from adjudge.diagnosis.raters.margins import (
    MarginTest,
    bhapkar,
    cochran_q,
    equal_totals,
    margin_balance,
    margin_tests,
    mcnemar_of_raters,
    stuart_maxwell,
)
from adjudge.errors import SettingError
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights

PATHOLOGISTS = [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]
COHEN = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
# Unaided vision of 7477 women, right eye by left: Stuart 1955, compared with VisualAcuity of the R package vcd.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def table(rows: list[list[float]]) -> Confusion:
    counts = np.array(rows, dtype=float)
    return Confusion(tuple("abcdefgh"[: len(rows)]), counts, counts, int(counts.sum()))


def vectors(rows: object) -> RatingVectors:
    ratings = ratings_of(rows)
    return RatingVectors.collect(ratings, Weights(len(ratings)))


@pytest.mark.parametrize(
    ("rows", "stuart", "bhap", "degrees"),
    [
        (PATHOLOGISTS, 29.044711378044706, 38.528073998777174, 3),
        (COHEN, 13.513513513513487, 14.492753623188378, 2),
        (VISION, 11.956569622982542, 11.97572015552566, 3),
    ],
)
def test_equal_margins_as_in_statsmodels(rows: list[list[float]], stuart: float, bhap: float, degrees: int) -> None:
    for test, expected in ((stuart_maxwell, stuart), (bhapkar, bhap)):
        found = test(table(rows))
        assert found.statistic == pytest.approx(expected, rel=1e-9)
        assert found.degrees == degrees
    assert stuart_maxwell(table(COHEN)).p_value == pytest.approx(0.0011629949394361683, rel=1e-9)
    assert bhapkar(table(COHEN)).p_value == pytest.approx(0.0007127521514942448, rel=1e-9)


@pytest.mark.parametrize(
    ("rows", "exact"),
    [([[20, 5], [15, 10]], 0.04138946533203125), ([[31, 2], [1, 6]], 1.0), ([[80, 10], [3, 5]], 0.09228515625)],
)
def test_mcnemar_as_in_statsmodels(rows: list[list[float]], exact: float) -> None:
    assert mcnemar_of_raters(table(rows)).p_value == pytest.approx(exact, rel=1e-12)
    assert mcnemar_of_raters(table(rows), mid_p=True).p_value <= exact


def test_cochran_as_in_statsmodels() -> None:
    found = cochran_q(vectors(FIRST_READINGS), "2")
    assert found.statistic == pytest.approx(3.4285714285714284, rel=1e-12)
    assert found.p_value == pytest.approx(0.4888219901158707, rel=1e-9)
    assert found.degrees == 4


def test_with_two_raters_cochran_is_mcnemar_without_correction() -> None:
    rows = [[0, 0]] * 20 + [[0, 1]] * 5 + [[1, 0]] * 15 + [[1, 1]] * 10
    assert cochran_q(vectors(rows), "1").statistic == pytest.approx((15 - 5) ** 2 / (15 + 5))
    assert stuart_maxwell(table([[20, 5], [15, 10]])).statistic == pytest.approx(5)


def test_tests_do_not_change_with_the_order_of_categories_and_raters() -> None:
    counts = np.array(PATHOLOGISTS, dtype=float)
    order = [2, 0, 3, 1]
    for test in (stuart_maxwell, bhapkar):
        expected = test(table(PATHOLOGISTS)).statistic
        assert test(table(counts.T.tolist())).statistic == pytest.approx(expected)
        assert test(table(counts[np.ix_(order, order)].tolist())).statistic == pytest.approx(expected)


def test_a_category_that_cannot_differ_takes_no_degree_of_freedom() -> None:
    rows = [[20, 5, 0], [15, 10, 0], [0, 0, 7]]
    assert stuart_maxwell(table(rows)).degrees == 1
    assert stuart_maxwell(table(rows)).statistic == pytest.approx(5)


def test_the_seed_table_has_its_indices() -> None:
    """epiR 2.0.57 (R), epi.kappa: pindex, bindex, pabak and kappa."""
    found = margin_balance(table([[31, 2], [1, 6]]))
    assert found is not None
    assert (found.prevalence, found.bias, found.pabak) == pytest.approx((0.625, 0.025, 0.85))
    kappa = metrics.cohen_kappa.values(table([[31, 2], [1, 6]]))
    assert found.kappa == pytest.approx(float(kappa)) == pytest.approx(0.7540984, abs=1e-7)


@pytest.mark.parametrize("test", [mcnemar_of_raters, stuart_maxwell, bhapkar])
@pytest.mark.parametrize("rows", [[[0, 0], [0, 0]], [[5, 0], [0, 5]], [[0, 5], [0, 0]], [[5]], []])
def test_degenerate_tables_give_a_note_and_no_traceback(test, rows: list[list[float]]) -> None:  # type: ignore[no-untyped-def]
    found = test(table(rows) if rows else Confusion.empty())
    assert found.note or 0 <= found.p_value <= 1


def test_degenerate_vectors_give_a_note() -> None:
    assert math.isnan(cochran_q(vectors([[1, None], [None, 0]]), "1").p_value)
    assert cochran_q(vectors([[1, 1], [0, 0]]), "1").p_value == 1
    with pytest.raises(SettingError):
        cochran_q(vectors([[1, 1], [0, 0]]), "2")
    assert margin_balance(table([[0, 0], [0, 0]])) is None


def test_few_clusters_do_not_make_false_alarms() -> None:
    """Raters whose habits differ by cluster but not on the whole, four categories, 12 clusters."""
    random, clusters = np.random.default_rng(3), np.repeat(np.arange(12), 8)
    alarms: dict[str, int] = {}
    for _ in range(200):
        habit = random.normal(0, 0.7, (12, 2, 4))[clusters] + random.normal(0, 1.5, (96, 1, 4))
        codes = (habit + random.gumbel(size=habit.shape)).argmax(-1)
        for found in margin_tests(distinct(Ratings(codes, ("a", "b", "c", "d"), ("x", "y")), clusters=clusters)):
            alarms[found.name] = alarms.get(found.name, 0) + (found.p_value < 0.05)
    assert "Stuart–Maxwell (by cluster)" in alarms
    assert max(alarms.values()) <= 0.09 * 200, alarms


def test_two_categories_by_cluster_are_obuchowski_s() -> None:
    """(Σ (b − c))² / Σ (b − c)² over clusters; hers has a factor of (K − 1) / K more (R package clust.bin.pair)."""
    split = np.array([[51, 18], [67, 26], [44, 43], [58, 21], [47, 28]])
    rows, clusters = [], []
    for cluster, (b, c) in enumerate(split):
        rows += [["yes", "no"]] * b + [["no", "yes"]] * c
        clusters += [cluster] * (b + c)
    (found,) = margin_tests(distinct(ratings_of(rows), clusters=clusters))
    apart = split[:, 0] - split[:, 1]
    assert found.statistic == pytest.approx(apart.sum() ** 2 / (apart**2).sum())


def test_raters_who_never_differ_and_raters_who_always_do() -> None:
    """No total is off, with a p-value of 1; or all are off alike, and nothing tells how they vary."""

    def tested(rows: list[list[str]]) -> MarginTest:
        table = distinct(ratings_of(rows))
        said = (table.rows == 0).astype(float)
        return equal_totals("by item", table, said[:, :1] - said[:, 1:], table.rated.all(1), centred=True)

    never = tested([["a", "a"], ["b", "b"], ["b", "b"]])
    assert never == MarginTest("by item", 0.0, 0, 1.0, 3.0, "the raters never differ")
    for many in (1, 4):
        always = tested([["a", "b"]] * many)
        assert math.isnan(always.statistic)
        assert (always.n, always.note) == (many, "the raters differ on every item in the same way")
