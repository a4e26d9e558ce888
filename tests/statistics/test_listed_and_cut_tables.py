"""One table in several shapes: cells listed or not, raters two by two, scores in bins, products in tiles."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from adjudge.data.judgements.label_sets import set_ratings_of
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.responses import Responses, ResponseView
from adjudge.statistics import base
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.numbers.two_numbers import Centred, TwoNumbers
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.cell_sums import ToldCells, _errors
from adjudge.statistics.scores.error_cells import MOST_VALUES, ErrorCells, cuts_of
from adjudge.statistics.weights import Weights

READ = (
    "total",
    "agreed",
    "matched",
    "reference_total",
    "prediction_total",
    "category_weight",
    "dense",
    "one_vs_rest",
    "effective_rows",
    "put_right",
    "possible_cells",
)
"""What is read of a table of labels, whichever way its cells are kept."""


def assert_alike(one: object, other: object) -> None:
    if isinstance(one, Confusion) and isinstance(other, Confusion):
        one, other = one.dense, other.dense
    parts = zip(astuple(one), astuple(other), strict=True) if hasattr(one, "summed") else [(one, other)]  # type: ignore[call-overload]
    for a, b in parts:
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a) == pytest.approx(np.asarray(b), nan_ok=True)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("leading", [(), (4,)])
def test_listed_cells_say_what_all_cells_say(name: str, leading: tuple[int, ...]) -> None:
    """Of one table, and of replicates; the last category is never met."""
    random = np.random.default_rng(2)
    counts = random.integers(0, 3, (*leading, 4, 4)).astype(float)
    counts[..., 3, :] = counts[..., :, 3] = 0.0
    dense = Confusion(("a", "b", "c", "d"), counts, counts, 9)
    listed = Confusion(dense.categories, counts.reshape(*leading, 16), counts.reshape(*leading, 16), 9, np.arange(16))
    assert_alike(getattr(listed, name), getattr(dense, name))
    for place in range(4):
        assert_alike(listed.answered(place), dense.answered(place))


@settings(max_examples=25, deadline=None)
@given(seed=some.integers(0, 10_000), raters=some.integers(2, 4), size=some.integers(1, 5))
def test_two_raters_of_several_are_counted_as_their_columns_are(seed: int, raters: int, size: int) -> None:
    random = np.random.default_rng(seed)
    codes = random.integers(-1, size, (12, raters))
    codes[:, 0] = np.minimum(codes[:, 0], 0)  # so that cells at the end are empty
    weight = random.integers(1, 4, 12).astype(float)
    ratings = Ratings(codes.astype(np.int64), tuple("abcde"[:size]), tuple("1234"[:raters]))
    vectors = RatingVectors.collect(ratings, Weights(12, weight))
    for first in range(raters):
        for second in range(raters):
            table = vectors.table_of(first, second)
            expected = np.zeros((size, size))
            for one, other, w in zip(codes[:, first], codes[:, second], weight, strict=True):
                if one >= 0 and other >= 0:
                    expected[one, other] += w
            assert table.counts.tolist() == expected.tolist()


def test_scores_of_many_values_are_binned_alike_at_once_and_afterwards() -> None:
    random = np.random.default_rng(4)
    human = random.normal(size=2 * MOST_VALUES)
    system, groups = human + random.normal(size=len(human)), random.integers(-1, 2, len(human))
    cuts = cuts_of(human)
    whole = ErrorCells.of_groups(human, system, groups, ("x", "y"), cuts=cuts)
    few = [ErrorCells.of_groups(human[k::3], system[k::3], groups[k::3], ("x", "y"), cuts=cuts) for k in range(3)]
    joined = few[0] + few[1] + few[2]
    assert whole.binned
    assert not few[0].binned
    assert joined.binned
    for cells in (whole, joined, few[0].in_bins()):
        assert cells.values.tolist() == list(range(len(cuts) + 1))
        assert cells.times.shape == (2, len(cuts) + 1)
    assert joined.times.tolist() == whole.times.tolist()
    inside = np.searchsorted(cuts, human, side="right")
    for group in (0, 1):
        for place in (0, len(cuts)):
            rows = (groups == group) & (inside == place)
            assert whole.times[group, place] == rows.sum()
            moved = whole.errors.first[group, place] + rows.sum() * whole.errors.centre
            assert moved == pytest.approx((system - human)[rows].sum())


def test_cells_whose_scores_lie_at_their_start_tell_the_errors() -> None:
    """Nothing is left of where scores lie in a cell: all sums of u are 0, and the errors are those of the starts."""
    ratings, scores = np.array([[1.0], [2.0], [2.0]]), np.array([1.5, 2.5, 1.0])
    moments = np.zeros((5, 3))
    moments[0] = [2, 1, 3]
    cells = ToldCells(Responses(ratings, {"s": scores}), {"s": np.ones(3)}, moments, {"s": (1.0, 2.5)})
    told = _errors(ResponseView(system="s"), cells, None)
    total = told.errors.first + told.errors.counts * told.errors.centre
    assert total.tolist() == [pytest.approx([1.0, 0.5 - 3.0])]
    assert told.times.tolist() == [[2.0, 4.0]]


@pytest.mark.parametrize("shape", [(5, 130, 70), (3, 64, 65), (2, 200, 2)])
def test_products_in_tiles_are_products(shape: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "STEADY", 64)
    random = np.random.default_rng(1)
    left, right = random.normal(size=shape[:2]), random.normal(size=shape[1:])
    assert base.steady_product(left, right) == pytest.approx(left @ right)


@pytest.mark.parametrize("ddof", [0, 1])
def test_covariance_is_numpys(ddof: int) -> None:
    x, y = np.array([1.0, 2.0, 4.0, 9.0]), np.array([2.0, 1.0, 5.0, 4.0])
    of_x, of_y = (Centred(np.asarray(4.0), np.sum(of - 3), np.sum((of - 3) ** 2), 3.0) for of in (x, y))
    two = TwoNumbers(of_x, of_y, np.sum((x - 3) * (y - 3)))
    assert float(two.covariance(ddof)) == pytest.approx(np.cov(x, y, ddof=ddof)[0, 1])
    assert float(two.correlation) == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_sets_of_no_item_and_of_one() -> None:
    nobody = set_ratings_of([])
    assert (nobody.raters, nobody.codes.shape, nobody.categories) == ((), (0, 0), ())
    once = set_ratings_of([[{"b", "a"}, None, "a"]])
    assert (once.raters, once.categories, once.codes.tolist()) == (("1", "2", "3"), ("{a, b}", "{a}"), [[0, -1, 1]])
