"""Explicit draws: pure functions of (seed, replicate, key), with the moments they must have."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.keys import keys_of_labels, keys_of_rows
from adjudge.statistics.weights import Draws, Weights, quantiles_of, summed_by

KINDS = ["poisson", "bayesian"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_of_weights_has_mean_and_variance_one(kind: str) -> None:
    table = quantiles_of(kind)
    assert table.mean() == pytest.approx(1, abs=1e-3)
    assert table.var() == pytest.approx(1, abs=1e-3)
    assert (table >= 0).all()


def test_poisson_weights_are_whole_numbers_as_often_as_they_should_be() -> None:
    table = quantiles_of("poisson")
    shares = np.bincount(table.astype(int)) / len(table)
    expected = np.exp(-1) / np.array([1, 1, 2, 6, 24, 120, 720])
    assert shares[:7] == pytest.approx(expected, abs=1 / 65_536)


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_weights_have_mean_and_variance_one(kind: str) -> None:
    draws = Draws(kind, 400, 1).of_units(keys_of_rows(0, 5_000), 0, 400)
    # 2 million weights: four standard errors of the mean and of the variance (fourth moment below 10).
    assert draws.mean() == pytest.approx(1, abs=4 / np.sqrt(draws.size))
    assert draws.var() == pytest.approx(1, abs=4 * 3 / np.sqrt(draws.size))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_and_replicates_are_unrelated(kind: str) -> None:
    draws = Draws(kind, 64, 5).of_units(keys_of_rows(0, 20_000), 0, 64)
    between = np.corrcoef(draws, rowvar=False) - np.eye(64)
    # 2,016 correlations of 20,000 pairs each: the largest of so many lies below 5 standard errors.
    assert np.abs(between).max() < 5 / np.sqrt(20_000)
    neighbours = np.corrcoef(draws[:-1].ravel(), draws[1:].ravel())[0, 1]
    assert abs(neighbours) < 5 / np.sqrt(draws.size)


@pytest.mark.parametrize("kind", [*KINDS, "jackknife"])
@pytest.mark.parametrize(("start", "stop"), [(0, 200), (0, 3), (3, 10), (4, 8), (197, 200), (50, 51)])
def test_any_part_is_the_same_part_of_the_whole(kind: str, start: int, stop: int) -> None:
    keys = keys_of_rows(0, 50)
    draws = Draws(kind, 200, 9)
    whole = draws.of_units(keys, 0, 200)
    assert np.array_equal(draws.of_units(keys[10:20], start, stop), whole[10:20, start:stop])


@pytest.mark.parametrize("kind", [*KINDS, "jackknife"])
def test_tiles_put_together_are_the_whole(kind: str, monkeypatch) -> None:
    monkeypatch.setattr("adjudge.statistics.weights.TILE_BYTES", 8 * 50 * 12)
    keys, case = keys_of_rows(0, 50), np.arange(50.0)
    draws = Draws(kind, 200, 9)
    tiles = list(draws.tiles(keys, case))
    assert len(tiles) > 10
    assert np.array_equal(np.concatenate([tile.draws for tile in tiles], axis=1), draws.of_units(keys, 0, 200))
    assert all(tile.case is case for tile in tiles)


@pytest.mark.parametrize("case", [None, np.linspace(0.5, 2, 600)])
@pytest.mark.parametrize("kind", [*KINDS, "jackknife"])
@pytest.mark.parametrize("units", [7, 299, 301, 600])
def test_units_that_come_again_are_drawn_as_those_that_do_not(kind: str, units: int, case: np.ndarray | None) -> None:
    keys = keys_of_rows(0, units)[np.random.default_rng(units).permutation(600) % units]
    tiles = list(Draws(kind, 30, 4).tiles(keys, case))
    assert {tile.unit is None for tile in tiles} == {2 * units > len(keys)}
    drawn = np.concatenate([tile.draws if tile.unit is None else tile.draws[tile.unit] for tile in tiles], axis=1)
    assert np.array_equal(drawn, Draws(kind, 30, 4).of_units(keys, 0, 30))


@pytest.mark.parametrize("case", [None, np.linspace(0.5, 2, 60)])
def test_sums_by_unit_are_those_of_its_rows(case: np.ndarray | None) -> None:
    random = np.random.default_rng(8)
    unit, draws, cells = random.integers(0, 9, 60), random.gamma(2.0, 1.0, (9, 5)), random.integers(0, 4, 60)
    by_unit, by_row = Weights(60, case, draws, unit=unit), Weights(60, case, draws[unit])
    values, some = random.random((60, 3)), np.arange(3, 60, 4)
    for one, other in ((by_unit, by_row), (by_unit.of_rows(some), by_row.of_rows(some))):
        there = np.arange(60) if one.rows == 60 else some
        assert one.sum_by(cells[there], 4) == pytest.approx(other.sum_by(cells[there], 4), rel=1e-12)
        assert one.total(values[there, 0]) == pytest.approx(other.total(values[there, 0]), rel=1e-12)
        each = draws.T @ one.by_unit(values[there])
        assert each == pytest.approx(draws[unit[there]].T @ values[there], rel=1e-12)


def test_a_key_draws_the_same_wherever_it_is_met() -> None:
    """A cluster's rows are drawn together; a row's weight does not depend on its neighbours."""
    keys = keys_of_labels(("anna", "ben", "anna", "cleo"))
    draws = Draws("poisson", 100, 3).of_units(keys, 0, 100)
    assert np.array_equal(draws[0], draws[2])
    assert not np.array_equal(draws[0], draws[1])
    alone = Draws("poisson", 100, 3).of_units(keys_of_labels(("cleo",)), 0, 100)
    assert np.array_equal(alone[0], draws[3])


def test_row_keys_depend_on_the_position_only() -> None:
    assert np.array_equal(keys_of_rows(0, 100)[40:60], keys_of_rows(40, 60))
    assert len(set(keys_of_rows(0, 100_000).tolist())) == 100_000


@pytest.mark.parametrize("seeds", [(1, 2), (0, 2**32), (7, 7 + 2**40)])
def test_another_seed_draws_others(seeds: tuple[int, int]) -> None:
    a, b = (Draws("poisson", 40, seed).of_units(keys_of_rows(0, 50), 0, 40) for seed in seeds)
    assert not np.array_equal(a, b)


def test_the_jackknife_leaves_each_unit_out_once() -> None:
    draws = Draws("jackknife", 20, 1).of_units(keys_of_rows(0, 300), 0, 20)
    assert (draws.sum(1) == 19).all()
    assert set(draws.ravel().tolist()) == {0.0, 1.0}


def test_sums_by_cell() -> None:
    random = np.random.default_rng(1)
    cells, case, draws = random.integers(0, 5, 40), random.random(40), random.poisson(1.0, (40, 6)).astype(float)
    sums = Weights(40, case, draws).sum_by(cells, 7)
    assert sums.shape == (6, 7)
    for replicate in range(6):
        for cell in range(7):
            expected = (case * draws[:, replicate])[cells == cell].sum()
            assert sums[replicate, cell] == pytest.approx(expected)
    assert Weights(40, case).sum_by(cells, 7) == pytest.approx(np.bincount(cells, case, 7))


def test_cells_that_go_to_the_same_place_are_summed() -> None:
    random = np.random.default_rng(2)
    amounts, place = random.random((3, 8)), random.integers(0, 4, 8)
    found = summed_by(amounts, place, 5)
    assert found == pytest.approx(np.stack([np.bincount(place, row, 5) for row in amounts]))
    assert summed_by(amounts[0], place, 5) == pytest.approx(found[0])
