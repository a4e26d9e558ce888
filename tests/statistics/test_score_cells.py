"""What cells of scores tell is what the responses themselves give, wherever they lie and however they are cut."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from tests.laws.test_statistics import assert_same

from adjudge.data.judgements.responses import Responses, ResponseView
from adjudge.data.judgements.score_types import Scaling, ScoreScale, score_types
from adjudge.statistics.linear_sums import MOST_KEPT
from adjudge.statistics.scores.cells import ScoreCells
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells, cuts_of
from adjudge.statistics.scores.features import ScalePoints
from adjudge.statistics.scores.grid import FewValues, ScoreGrid, ToldSum
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights

ROWS, SCALE, SCALING = 12_000, ScoreScale(1, 6), Scaling(3.4, 1.1, 3.5, 0.9)
FORMS = {f"engine · {form}": form for form in score_types(np.zeros(0), SCALE, SCALING)}
ROUNDED = frozenset(name for name in FORMS if name.endswith("_round"))


def responses_of(kind: str) -> Responses:
    """Responses of which some lie exactly on points, between them, at the ends of the scale or far beyond."""
    random = np.random.default_rng(5)
    truth = random.normal(3.5, 1.2, ROWS)
    ratings = np.clip(np.rint(truth[:, None] + random.normal(0, 0.5, (ROWS, 2))), 1, 6)
    ratings[random.random(ROWS) < 0.3, 1] = np.nan
    scores = truth + random.normal(0, 0.4, ROWS)
    if kind == "points":
        scores = np.rint(scores * 4) / 4
    if kind == "edges":
        edge = random.choice([0.5, 1.5, 2.5, 3.0, 0.5002, 6.4998, 6.5, -40.0, 1e6, 3.0 + 1e-9, 3.5 - 1e-9], ROWS)
        scores = np.where(random.random(ROWS) < 0.1, edge, scores)
    if kind == "unforeseen":
        ratings[7_000:7_020, 0], ratings[8_000:8_020, 1], scores[9_000:9_020] = 4.25, 7.0, 3.0
    forms = score_types(scores, SCALE, SCALING)
    return Responses(ratings, {name: forms[form] for name, form in FORMS.items()})


def told_of(responses: Responses) -> tuple[ToldSum, ...]:
    pilot = ScorePilot.of(responses, ScalePoints(ROUNDED, 1.0))
    name, cuts = "engine · raw_trim", cuts_of(responses.first)
    return (
        ToldSum(ResponseView(), ScoreTotals, pilot, replace(pilot, in_slices=True)),
        *(ToldSum(ResponseView(system=rounded), ScoreTable, 1.0) for rounded in sorted(ROUNDED)),
        ToldSum(ResponseView(pair=(0, 1)), ScoreTable, 1.0),
        *(ToldSum(ResponseView(system=form), Descriptives) for form in FORMS),
        *(ToldSum(ResponseView(rater=place), Descriptives) for place in (0, 1)),
        ToldSum(ResponseView(system=name), ErrorCells, cuts),
        ToldSum(ResponseView(system=name, step=1.0), ErrorCells, cuts),
    )


def grid_of(responses: Responses) -> ScoreGrid:
    first = responses.of_rows(np.arange(5_000))
    grid = ScoreGrid.of(first, "engine · raw", FORMS, (SCALE, SCALING), 3)
    assert grid is not None
    return replace(grid, tells=told_of(first))


def by_rows(spec: ToldSum, responses: Responses, *, whole: bool) -> Any:
    seen = spec.view.seen(responses)
    return spec.statistic.collect(seen, Weights(len(responses)), spec.pilot_of(whole=whole))


@pytest.mark.parametrize("kind", ["plain", "points", "edges", "unforeseen"])
def test_cells_tell_what_rows_give(kind: str) -> None:
    responses = responses_of(kind)
    grid = grid_of(responses)
    levels = np.where(np.arange(ROWS) % 97 == 0, 2, np.random.default_rng(1).integers(0, 2, ROWS))
    parts = [np.arange(start, start + 4_000) for start in range(0, ROWS, 4_000)]
    blocks = [
        ScoreCells.collect_by(responses.of_rows(rows), Weights(len(rows)), levels[rows], 3, grid) for rows in parts
    ]
    slices = [reduce(add, [block[level] for block in blocks]) for level in range(3)]  # type: ignore[type-var]
    rows_of = [*(np.flatnonzero(levels == level) for level in range(3)), np.arange(ROWS)]
    for cells, rows in zip([*slices, reduce(add, slices)], rows_of, strict=True):  # type: ignore[arg-type]
        whole = len(rows) == ROWS
        assert cells is not None
        assert (cells.kept is not None) == (len(rows) <= MOST_KEPT)
        for place, spec in enumerate(grid.tells):
            told, expected = cells.derived(place, whole=whole), by_rows(spec, responses.of_rows(rows), whole=whole)
            if isinstance(told, ScoreTotals):  # points of the scale that were met late stand last
                told = replace(told, sums=told.sums.over(expected.sums.names))
            assert_same(told, expected, skipped=("kept", "centre", "first", "second"))
            if isinstance(told, ErrorCells) and isinstance(expected, ErrorCells):
                for of in ("errors", "squared"):
                    assert_same(getattr(told, of).about(0.0), getattr(expected, of).about(0.0))


def test_few_responses_are_told_as_they_are() -> None:
    responses = responses_of("plain")
    some, grid = responses.of_rows(np.arange(500)), grid_of(responses)
    cells = ScoreCells.collect(some, Weights(500), grid)
    told: Any = cells.derived(0, whole=True)
    expected: Any = by_rows(grid.tells[0], some, whole=True)
    assert np.array_equal(told.sums.totals, expected.sums.totals)
    assert np.array_equal(told.sums.kept, expected.sums.kept)


def test_too_many_human_scores_have_no_grid() -> None:
    responses = responses_of("plain")
    fine = Responses(responses.ratings + np.linspace(0, 0.1, ROWS)[:, None], responses.scores)
    assert ScoreGrid.of(fine, "engine · raw", FORMS, (SCALE, SCALING), 1) is None


@pytest.mark.parametrize("kind", ["plain", "unforeseen"])
def test_slices_are_counted_together_as_one_by_one(kind: str) -> None:
    """Two slices are counted in their combinations: each has the counts that it has by itself, and its sums but for
    the order in which they are added."""
    responses = responses_of(kind)
    grid, random = grid_of(responses), np.random.default_rng(2)
    by = [(random.integers(0, size, ROWS).astype(np.int8), size) for size in (3, 4)]
    for (levels, size), together in zip(by, ScoreCells.collect_slices(responses, Weights(ROWS), by, grid), strict=True):
        alone = ScoreCells.collect_by(responses, Weights(ROWS), levels, size, grid)
        for level, (one, other) in enumerate(zip(together, alone, strict=True)):
            assert one is not None
            assert other is not None
            assert (one.rows, one.low, one.high) == (other.rows, other.low, other.high)
            assert np.array_equal(one.moments[0], other.moments[0])
            np.testing.assert_allclose(one.moments, other.moments, rtol=1e-12, atol=1e-12)
            scores = responses.scores[grid.system][levels == level]
            assert (one.low, one.high) == (scores.min(), scores.max())


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], [-2.0, -1.0, 0.0, 1.0], [1.0, 2.0, 4.0], [0.5, 1.0, 1.5], [3.0]])
def test_human_scores_are_found_where_they_stand(values: list[float]) -> None:
    """Whole numbers that follow one another are not searched for; all others are, and nothing is taken for another."""
    few = FewValues(np.array(values))
    given = np.array([*values, np.nan, *reversed(values)])
    place, unknown = few.places(given)
    size = len(values)
    assert unknown is None
    assert place.tolist() == [*range(size), size, *reversed(range(size))]
    strange = [values[-1] + 1, values[0] - 1, values[0] + 1e-9, values[0] + 256, 1e30, np.inf, -np.inf]
    place, unknown = few.places(np.array([values[0], np.nan, *strange]))
    assert unknown is not None
    assert unknown.tolist() == [False, False, *[True] * len(strange)]
    assert place[:2].tolist() == [0, size]
