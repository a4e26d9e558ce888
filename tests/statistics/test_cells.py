"""Replicates drawn on cells have the moments of what they stand for, by whichever way they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.statistics.cells import (
    LARGE_MEAN,
    LARGE_SHAPE,
    draw_by_table,
    draw_cells,
    draw_gamma,
    draw_poisson,
    generator,
)

REPLICATES = 40_000
# Small ones are drawn exactly, large ones as bent normal numbers; both kinds stand side by side.
MEANS = np.array([0.3, 5.0, LARGE_MEAN, LARGE_SHAPE, 3_000.0])


@pytest.mark.parametrize(("draw", "skewness"), [(draw_poisson, 1.0), (draw_gamma, 2.0)])
@pytest.mark.parametrize("means", [MEANS, MEANS[:2], MEANS[-2:]], ids=["both", "small", "large"])
def test_mean_variance_and_skewness(draw: object, skewness: float, means: np.ndarray) -> None:
    assert callable(draw)
    drawn = draw(means, REPLICATES, generator(1, "moments"))
    apart = (drawn - drawn.mean(0)) / drawn.std(0)
    assert drawn.mean(0) == pytest.approx(means, abs=0, rel=5 / np.sqrt(REPLICATES * means.min()))
    assert drawn.var(0) == pytest.approx(means, rel=0.08)
    # Known to about √(6 / replicates) for what is nearly normal; the smallest means are far from it.
    nearly = means >= LARGE_MEAN
    assert (apart**3).mean(0)[nearly] == pytest.approx((skewness / np.sqrt(means))[nearly], abs=0.05)


@pytest.mark.parametrize("cells", [3, 900])
@pytest.mark.parametrize("rows", [50, 5_000])
def test_rows_drawn_with_replacement_stay_as_many_while_they_are_few(cells: int, rows: int) -> None:
    counts = np.bincount(np.arange(rows) % cells, minlength=cells).astype(np.float64)
    drawn = draw_cells(counts, "multinomial", 200, generator(2, "rows"))
    assert (drawn.sum(1) == rows).all()
    assert drawn.mean(0) == pytest.approx(counts, abs=6 * np.sqrt(counts.max() / 200))


@pytest.mark.parametrize("kind", ["poisson", "bayesian"])
@pytest.mark.parametrize(
    "counts", [(1.0, 1.0, 40.0), (1.0, 3.0), (40.0, 900.0), ()], ids=["both", "small", "large", "none"]
)
def test_draws_by_table_have_the_moments_of_their_counts(kind: str, counts: tuple[float, ...]) -> None:
    means = np.array(counts)
    drawn = draw_by_table(means, kind, REPLICATES, generator(3, "table"))
    assert drawn.shape == (REPLICATES, len(means))
    assert drawn.mean(0) == pytest.approx(means, rel=0.03)
    assert drawn.var(0) == pytest.approx(means, rel=0.08)


def test_two_systems_are_compared_where_no_way_to_answer_is_rare() -> None:
    """All kinds of rows are so many that none is looked up in a table."""
    told = np.array([(y, m, s) for y in "ab" for m in "ab" for s in "ab" for _ in range(4_000)])
    table = {"y": told[:, 0], "m": told[:, 1], "s": told[:, 2]}
    found = adjudge.classification(table, reference="y", prediction=["m", "s"], metrics=["cohen_kappa"], replicates=200)
    assert found.table.find("cohen_kappa", system="s", baseline="m").low < 0
