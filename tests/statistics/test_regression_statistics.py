"""The statistics of predicted numbers keep the laws of a statistic."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import metrics
from adjudge.data.judgements.numbers import PredictedNumbers
from adjudge.errors import SettingError
from adjudge.metrics.catalogue import chapters
from adjudge.statistics.curves import growing
from adjudge.statistics.numbers.conditional_cells import ConditionalCells
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=30, deadline=None, derandomize=True)


def pilot_of(statistic: Any, numbers: PredictedNumbers) -> Any:
    return None if statistic is Residuals else statistic.pilot(numbers)


STATISTICS = pytest.mark.parametrize("statistic", [NumberPairs, Residuals, ConditionalCells])
CLOSE = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
METRICS = chapters()["regression"]


def rows_of(seed: int, rows: int, *, whole: bool = False) -> PredictedNumbers:
    random = np.random.default_rng(seed)
    reference = random.normal(20, 4, rows)
    prediction = reference + random.normal(0.3, 2, rows)
    if whole:
        reference, prediction = np.rint(reference), np.rint(prediction)
    return PredictedNumbers(reference, prediction, prediction - 2, prediction + 2.5)


def read(statistic: Any) -> np.ndarray:
    """Everything that formulas and pictures read."""
    if isinstance(statistic, ConditionalCells):
        bins = (statistic.by_reference, statistic.by_prediction)
        sums = [np.stack([s.counts, s.own, s.other, s.other_squared, s.residual, s.residual_squared]) for s in bins]
        return np.concatenate([*(part.reshape(-1) for part in sums), statistic.histogram])
    values = [metric.values(statistic) for metric in METRICS if metric.over is type(statistic)]
    extra = [statistic.labels.quantile(0.3)] if isinstance(statistic, Residuals) else [statistic.effective_rows]
    return np.array([*values, *extra], dtype=float)


@STATISTICS
@REPEATABLE
@given(seed=st.integers(0, 9_999), rows=st.integers(2, 50), weighted=st.booleans())
def test_parts_add_to_the_whole_in_any_order(statistic, seed: int, rows: int, weighted: bool) -> None:
    random, numbers = np.random.default_rng(seed), rows_of(seed, rows)
    case = random.choice([0.5, 1.0, 3.0], rows) if weighted else None
    weights, pilot = Weights(rows, case), pilot_of(statistic, numbers)
    whole = read(statistic.collect(numbers, weights, pilot))
    order = random.permutation(rows)
    cut = random.integers(1, rows)
    first, second = (
        statistic.collect(numbers.of_rows(part), weights.of_rows(part), pilot) for part in (order[:cut], order[cut:])
    )
    assert read(first + second) == pytest.approx(whole, **CLOSE)
    assert read(second + first) == pytest.approx(whole, **CLOSE)


@STATISTICS
@REPEATABLE
@given(seed=st.integers(0, 9_999), rows=st.integers(2, 30))
def test_whole_weights_are_repeated_rows(statistic, seed: int, rows: int) -> None:
    numbers = rows_of(seed, rows, whole=True)
    times = np.random.default_rng(seed).integers(0, 4, rows)
    times[0] = 2
    again, pilot = np.repeat(np.arange(rows), times), pilot_of(statistic, numbers)
    weighted = statistic.collect(numbers, Weights(rows, times.astype(float)), pilot)
    repeated = statistic.collect(numbers.of_rows(again), Weights(len(again)), pilot)
    if statistic is NumberPairs:  # effective rows are of weights
        assert read(weighted)[:-1] == pytest.approx(read(repeated)[:-1], **CLOSE)
    else:
        assert read(weighted) == pytest.approx(read(repeated), **CLOSE)


@STATISTICS
def test_scaled_is_collecting_with_all_weights_multiplied(statistic) -> None:
    numbers, case = rows_of(1, 40), np.random.default_rng(1).random(40)
    pilot = pilot_of(statistic, numbers)
    one, other = (statistic.collect(numbers, Weights(40, case * unit), pilot) for unit in (1.0, 2.5))
    assert read(one.scaled(2.5)) == pytest.approx(read(other), **CLOSE)
    assert float(one.effective_rows) == pytest.approx(float(other.effective_rows))


@STATISTICS
def test_levels_are_collected_one_by_one(statistic) -> None:
    numbers, levels = rows_of(2, 60), np.random.default_rng(2).integers(0, 3, 60)
    pilot = pilot_of(statistic, numbers)
    parts = statistic.collect_by(numbers, Weights(60), levels, 4, pilot)
    assert parts[3] is None
    for level, part in enumerate(parts[:3]):
        rows = np.flatnonzero(levels == level)
        assert read(part) == pytest.approx(read(statistic.collect(numbers.of_rows(rows), Weights(len(rows)), pilot)))


@STATISTICS
def test_a_pickled_copy_adds_like_the_original(statistic) -> None:
    numbers = rows_of(3, 30)
    whole = statistic.collect(numbers, Weights(30), pilot_of(statistic, numbers))
    copy = pickle.loads(pickle.dumps(whole))
    assert read(copy + whole) == pytest.approx(read(whole + whole), **CLOSE)


@STATISTICS
def test_explicit_draws_are_repeated_rows(statistic) -> None:
    numbers, times = rows_of(4, 25, whole=True), np.random.default_rng(4).poisson(1.0, (25, 3)).astype(float)
    pilot = pilot_of(statistic, numbers)
    drawn = statistic.summing(numbers, pilot)(Weights(25, None, times))
    for place in range(3):
        again = np.repeat(np.arange(25), times[:, place].astype(int))
        alone = statistic.collect(numbers.of_rows(again), Weights(len(again)), pilot)
        tile = drawn.tile(place, place + 1)
        if statistic is ConditionalCells:
            assert tile.by_reference.other[0] == pytest.approx(alone.by_reference.other)
            assert tile.histogram[0] == pytest.approx(alone.histogram)
            continue
        for metric in (m for m in METRICS if m.over is statistic):
            assert metric.values(tile)[0] == pytest.approx(metric.values(alone), **CLOSE), metric


@pytest.mark.parametrize("kind", ["multinomial", "poisson", "bayesian"])
@pytest.mark.parametrize("statistic", [NumberPairs, Residuals])
def test_replicates_do_not_depend_on_the_order_of_rows(statistic, kind: str) -> None:
    numbers = rows_of(5, 80)
    pilot, order = pilot_of(statistic, numbers), np.random.default_rng(5).permutation(80)
    one, other = (statistic.collect(rows, Weights(80), pilot) for rows in (numbers, numbers.of_rows(order)))
    for metric in (m for m in METRICS if m.over is statistic):
        first, second = (metric.values(of.resampled(kind, 50, 7, "s")) for of in (one, other))
        assert first == pytest.approx(second, **CLOSE), metric


def test_other_centres_are_moved() -> None:
    numbers = rows_of(6, 90)
    parts = [numbers.of_rows(np.arange(start, start + 30)) for start in (0, 30, 60)]
    whole = NumberPairs.collect(numbers, Weights(90))
    a, b, c = (NumberPairs.collect(part, Weights(30), (3.0 * place, -7.0)) for place, part in enumerate(parts))
    assert len({part.centres for part in (a, b, c)}) == 3
    assert read((a + b) + c) == pytest.approx(read(whole), **CLOSE)
    assert read(c + (b + a)) == pytest.approx(read(whole), **CLOSE)
    assert read(a.moved((1e3, 5.0)).moved(a.centres)) == pytest.approx(read(a), rel=1e-7)


def test_other_bins_and_other_cells_are_refused() -> None:
    one, other = (rows_of(seed, 40) for seed in (7, 8))
    with pytest.raises(SettingError, match="bins"):
        ConditionalCells.collect(one, Weights(40)) + ConditionalCells.collect(other, Weights(40))
    first, second = (Residuals.collect(rows, Weights(40), Residuals.grid(rows)) for rows in (one, other))
    with pytest.raises(SettingError, match="same cells"):
        first + second


def test_what_lies_beyond_the_bins_goes_to_the_outer_ones() -> None:
    first = rows_of(9, 200)
    bins = ConditionalCells.pilot(first)
    far = PredictedNumbers(np.array([-1e6, 1e6]), np.array([1e6, -1e6]))
    cells = ConditionalCells.collect(far, Weights(2), bins)
    assert cells.by_reference.counts[[0, -1]].tolist() == [1.0, 1.0]
    assert cells.histogram[[0, -1]].tolist() == [1.0, 1.0]


def test_conditional_means_are_those_of_the_rows() -> None:
    numbers, case = rows_of(10, 500), np.random.default_rng(10).random(500)
    cells = ConditionalCells.collect(numbers, Weights(500, case))
    edges = cells.bins.edges[0]
    inside = (numbers.reference >= edges[10]) & (numbers.reference < edges[11])
    assert inside.any()
    for conditional, values in (
        (cells.prediction_by_reference, numbers.prediction),
        (cells.residual_by_reference, numbers.residuals),
    ):
        expected = np.average(values[inside], weights=case[inside])
        assert conditional.number.mean[10] == pytest.approx(expected)
        spread = np.average((values[inside] - expected) ** 2, weights=case[inside])
        assert conditional.number.variance(ddof=0)[10] == pytest.approx(spread)
        assert conditional.position[10] == pytest.approx(np.average(numbers.reference[inside], weights=case[inside]))
        assert conditional.effective_rows[10] == pytest.approx(case[inside].sum() ** 2 / (case[inside] ** 2).sum())


class TestManyValues:
    """Beyond the most values that are kept, they are grouped; a smaller limit shows it on few rows."""

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch) -> None:
        monkeypatch.setattr(growing, "MOST_SCORES", 256)
        monkeypatch.setattr(growing, "MOST_CELLS", 256)

    def test_quantiles_are_near_and_the_largest_error_is_exact(self) -> None:
        values = np.random.default_rng(11).standard_normal(5_000)
        residuals = Residuals.of_arrays(values, np.zeros(5_000))
        assert len(residuals.sizes.values) <= 256
        for share in (0.1, 0.5, 0.9):
            assert float(residuals.signed.quantile(share)) == pytest.approx(
                np.quantile(values, share), rel=0.15, abs=0.02
            )
        assert metrics.max_error.values(residuals) == np.abs(values).max()

    def test_neither_order_nor_parts_matter(self) -> None:
        values = np.random.default_rng(12).standard_normal(3_000)
        whole = Residuals.of_arrays(values, np.zeros(3_000))
        order = np.random.default_rng(13).permutation(3_000)
        parts = [Residuals.of_arrays(values[rows], np.zeros(len(rows))) for rows in np.split(order, 10)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        assert np.array_equal(total.sizes.values, whole.sizes.values)
        assert np.array_equal(total.sizes.counts, whole.sizes.counts)
        assert total.largest == whole.largest


def test_replicates_of_many_rows_vary_as_the_median_does() -> None:
    random = np.random.default_rng(14)
    residuals = Residuals.of_arrays(np.zeros(50_000), random.standard_normal(50_000))
    assert len(residuals.coarse.values) <= 1_100
    values = metrics.median_absolute_error.values(residuals.resampled("multinomial", 2_000, 7, "s"))
    density = 2 * np.exp(-(0.6745**2) / 2) / np.sqrt(2 * np.pi)
    assert values.std() == pytest.approx(0.5 / np.sqrt(50_000) / density, rel=0.1)
    assert values.mean() == pytest.approx(float(metrics.median_absolute_error.values(residuals)), abs=3e-4)


def test_explicit_draws_in_the_cells_of_a_grid_are_near_those_of_rows() -> None:
    numbers, times = rows_of(15, 4_000), np.random.default_rng(15).poisson(1.0, (4_000, 6))
    grid, sizes = Residuals.grid(numbers.of_rows(np.arange(1_000))), np.abs(numbers.residuals)
    counted = Residuals.summing(numbers, grid)(Weights(4_000, None, times.astype(float)))
    base = Residuals.collect(numbers, Weights(4_000)).in_cells_of(counted)
    assert float(metrics.median_absolute_error.values(base)) == pytest.approx(np.median(sizes), abs=0.02)
    for place, value in enumerate(metrics.median_absolute_error.values(base.with_draws(counted))):
        assert value == pytest.approx(np.median(np.repeat(sizes, times[:, place])), abs=0.02)
