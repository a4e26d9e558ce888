"""Numbers are read by kind of item: the same ratings as if read one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.judgements import ratings as room
from adjudge.data.judgements.ratings import Ratings, ratings_alike, ratings_of

CELLS = st.one_of(st.none(), st.integers(-2, 4), st.sampled_from([0.5, 1.25]))
MATRICES = st.integers(1, 4).flatmap(
    lambda raters: st.lists(st.lists(CELLS, min_size=raters, max_size=raters), min_size=1, max_size=12)
)


def as_told(ratings: Ratings) -> list[list[str | None]]:
    names = np.array([*ratings.categories, None], dtype=object)
    told: list[list[str | None]] = names[ratings.codes].tolist()
    return told


@settings(deadline=None)
@given(MATRICES)
def test_a_matrix_of_numbers_reads_as_its_cells_do(rows: list[list[float | None]]) -> None:
    numbers = ratings_of(np.array(rows, dtype=np.float64))
    cells = ratings_of(rows)
    assert numbers.categories == cells.categories
    assert as_told(numbers) == as_told(cells)


@settings(deadline=None)
@given(MATRICES)
def test_views_of_kinds_are_views_of_items(rows: list[list[float | None]]) -> None:
    numbers, cells = ratings_of(np.array(rows, dtype=np.float64)), ratings_of(rows)
    chosen = np.arange(len(rows))[::2]
    last = [numbers.kinds.shape[1] - 1]
    assert as_told(numbers.of_rows(chosen).of_raters(last)) == as_told(cells.of_rows(chosen).of_raters(last))
    assert numbers.values == pytest.approx(cells.values, nan_ok=True)
    assert len(numbers.of_rows(chosen)) == len(chosen)


@pytest.mark.parametrize("most", [2**20, 4], ids=["counted", "sorted"])
def test_alike_rows_are_joined_in_lexical_order(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_KINDS", most)
    codes = np.random.default_rng(4).integers(-1, 3, (60, 3))
    found = ratings_alike(codes, 3)
    assert found is not None
    kinds, kind = found
    assert kinds.tolist() == np.unique(codes, axis=0).tolist()
    assert (kinds[kind] == codes).all()


def test_rows_that_could_differ_too_much_are_not_joined() -> None:
    assert ratings_alike(np.zeros((2, 40), dtype=np.int64), 5) is None


def test_a_scale_orders_the_kinds() -> None:
    found = ratings_of(np.array([[3.0, 1.0], [np.nan, 3.0]]), scale=["3", "2", "1"])
    assert (found.categories, found.codes.tolist()) == (("3", "2", "1"), [[0, 2], [-1, 0]])


@settings(deadline=None)
@given(MATRICES, st.integers(1, 11))
def test_parts_that_are_joined_are_the_whole(rows: list[list[float | None]], cut: int) -> None:
    """Each part with the categories that it has itself."""
    parts = [ratings_of(part) for part in (rows[:cut], rows[cut:]) if part]
    assert as_told(Ratings.joined(parts)) == as_told(ratings_of(rows))


@settings(deadline=None)
@given(MATRICES)
def test_numbers_instead_of_labels_are_the_same_ratings(rows: list[list[float | None]]) -> None:
    """And labels again of these numbers; what was not rated stays so."""
    ratings = ratings_of(rows)
    expected = np.array([[np.nan if cell is None else float(cell) for cell in row] for row in rows])
    for view in (ratings, ratings.measured, ratings.measured.named):
        assert np.array_equal(view.values, expected, equal_nan=True)
        assert np.array_equal(view.codes < 0, np.isnan(expected))
