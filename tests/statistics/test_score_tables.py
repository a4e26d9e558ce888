"""Laws of the sums that scoring's pictures are made of: parts equal the whole, weights are repetitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.test_statistics import parts_of

from adjudge.data.judgements.responses import Responses
from adjudge.statistics.scores import error_cells
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells, cuts_of
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=40, deadline=None, derandomize=True)
NAMES = ("a", "b", "c")


def table_of(human: np.ndarray, system: np.ndarray, weights: np.ndarray | None = None) -> ScoreTable:
    return ScoreTable.collect(Responses(human[:, None], {"system": system}), Weights(len(human), weights))


class Scores:
    def __init__(self, seed: int, rows: int, weighted: bool) -> None:
        random = np.random.default_rng(seed)
        self.human, self.system = random.integers(-3, 9, (2, rows)).astype(float)
        self.fine = self.system + random.normal(0, 1, rows)
        self.groups = random.integers(-1, 3, rows)
        self.weights = random.integers(0, 4, rows).astype(float) if weighted else None

    def collect(self, kind: str, rows: np.ndarray, weights: np.ndarray | None = None):
        weights = weights if weights is not None else None if self.weights is None else self.weights[rows]
        if kind == "table":
            return table_of(self.human[rows], self.system[rows], weights)
        if kind == "described":
            return Descriptives.of(self.fine[rows], weights)
        human, cuts = self.human[rows], cuts_of(self.human)
        return ErrorCells.of_groups(human, self.fine[rows], self.groups[rows], NAMES, cuts=cuts, weights=weights)


def assert_same(a, b, skipped: tuple[str, ...] = ()) -> None:
    left, right = parts_of(a), parts_of(b)
    for where, value in left.items():
        if isinstance(value, (str, type(None))):
            assert value == right[where]
        elif not any(name in where for name in skipped):
            assert np.asarray(value) == pytest.approx(np.asarray(right[where]), rel=1e-9, abs=1e-9, nan_ok=True), where


def alike(kind: str, statistic):
    """Sums about the same constant, over the groups and scores that occur."""
    if kind != "errors":
        return statistic
    from dataclasses import replace

    errors, squared = (part.about(0.0) for part in (statistic.errors, statistic.squared))
    return replace(statistic, errors=errors, squared=squared).of_levels(None)


@pytest.mark.parametrize("kind", ["table", "described", "errors"])
@REPEATABLE
@given(st.integers(0, 999), st.integers(0, 30), st.integers(0, 30), st.booleans())
def test_two_parts_in_either_order_equal_the_whole(kind: str, seed: int, first: int, second: int, w: bool) -> None:
    scores = Scores(seed, first + second, w)
    rows = np.arange(first + second)
    whole = alike(kind, scores.collect(kind, rows))
    a, b = scores.collect(kind, rows[:first]), scores.collect(kind, rows[first:])
    assert_same(whole, alike(kind, a + b))
    assert_same(whole, alike(kind, b + a))


@pytest.mark.parametrize("kind", ["table", "described", "errors"])
@REPEATABLE
@given(st.integers(0, 999), st.integers(1, 30))
def test_whole_weights_are_repeated_rows(kind: str, seed: int, rows: int) -> None:
    scores = Scores(seed, rows, weighted=True)
    again = np.repeat(np.arange(rows), scores.weights.astype(int))
    repeated = scores.collect(kind, again, np.ones(len(again)))
    weighted = scores.collect(kind, np.flatnonzero(scores.weights))
    assert_same(alike(kind, weighted), alike(kind, repeated), skipped=("rows", "squares", "times", "n."))


def test_too_many_points_are_no_table_whatever_is_added() -> None:
    far = table_of(np.array([0.0]), np.array([100.0]))
    near = table_of(np.array([1.0]), np.array([2.0]))
    apart = table_of(np.array([90.0]), np.array([91.0]))
    assert far.crowded
    for crowded in (far + near, near + far, near + apart, near + apart + near):
        assert (crowded.crowded, crowded.size) == (True, 0)
    assert (near + apart).rows == 2
    assert table_of(np.array([1e300]), np.array([1e300])).crowded


def test_errors_of_very_many_human_scores_are_binned_as_they_come(monkeypatch) -> None:
    monkeypatch.setattr(error_cells, "MOST_VALUES", 8)
    human = np.arange(40.0)
    cuts, groups = cuts_of(human), np.zeros(40, dtype=np.int64)
    parts = [
        ErrorCells.of_groups(human[rows], human[rows] + 1, groups[rows], ("a",), cuts=cuts)
        for rows in (slice(0, 6), slice(6, 40))
    ]
    assert [part.binned for part in parts] == [False, True]
    for both in (parts[0] + parts[1], parts[1] + parts[0]):
        assert both.times.tolist() == [[3.0, *[4.0] * 8, 5.0]]
        assert (both.errors.about(0.0).first.sum(), both.of_levels(20).levels[0]) == (40.0, "to 3")
    many = ErrorCells.of_groups(human[:6], human[:6], groups[:6], ("a",), cuts=cuts)
    more = ErrorCells.of_groups(human[6:12], human[6:12], groups[:6], ("a",), cuts=cuts)
    assert (many + more).binned


def test_errors_of_many_levels_do_not_depend_on_how_wide_their_codes_are() -> None:
    human, groups = np.tile(np.arange(6.0), 40), np.repeat(np.arange(40), 6)
    for few in (human, np.arange(240.0)):
        wide, small = (
            ErrorCells.of_groups(few, few + 1, groups.astype(code), tuple(map(str, range(40))))
            for code in (np.int64, np.int8)
        )
        assert_same(small, wide)
    assert (small.times.sum(1) == 6).all()
