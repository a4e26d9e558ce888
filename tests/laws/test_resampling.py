"""Drawing cells is drawing rows: the two doors to a replicate lead to the same distribution.

Three kinds of replicates are compared for the same 3,000 rows of continuous scores: rows drawn one by one
with every score kept (the plain row bootstrap), the very same draws summed in the cells of a coarse grid
(paired, so that what binning changes shows without Monte-Carlo noise), and draws made on the cells.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.keys import keys_of_rows
from adjudge.metrics.base import Metric
from adjudge.statistics.cells import PRIOR_MASS
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Scored
from adjudge.statistics.curves.decisions import decided
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Draws, Weights

ROWS, REPLICATES = 3_000, 2_000
pytestmark = pytest.mark.xdist_group("resampling")  # replicates are drawn once, in one process
CUT = 0.5
AREAS_AND_LOSSES = [
    metrics.roc_auc,
    metrics.average_precision,
    metrics.pr_auc,
    metrics.log_loss,
    metrics.brier_score,
]
DECISIONS = [metrics.accuracy, metrics.cohen_kappa]
POINTS = [
    metrics.precision_at_recall,
    metrics.precision_at_recall.using(at=0.5),
    metrics.precision_at_volume,
    metrics.recall_at_false_positive_rate,
    metrics.false_positive_rate_at_recall,
    metrics.recall_at_precision.using(at=0.8),
    metrics.max_accuracy,
    metrics.calibration_error,
]
EVERY = [*AREAS_AND_LOSSES, *DECISIONS, *POINTS]


@cache
def rows(prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    positive = random.random(ROWS) < prevalence
    return positive, 1 / (1 + np.exp(-(random.normal(size=ROWS) * 1.2 + 2.0 * positive - 1.5)))


@cache
def fine(prevalence: float) -> Curve:
    return Curve.collect(Scored(*rows(prevalence)), Weights(ROWS))


def coarse(prevalence: float, cells: int) -> Curve:
    curve = fine(prevalence)
    made = curve.onto(curve.grid(cells, (CUT,)))
    assert len(made.thresholds) < ROWS / 4, "binning must be active"
    return made


def values_of(metric: Metric, curve: Curve) -> np.ndarray:
    if metric.over is Losses:
        return metric.values(Losses.from_curve(curve))
    if metric.over is Confusion:
        return metric.values(decided(curve, CUT, "1", "0"))
    return metric.formula(curve, **metric.settings)


@cache
def by_rows(prevalence: float, cells: int | None) -> dict[Metric, np.ndarray]:
    """Replicates of rows drawn one by one; the same draws whatever the cells."""
    positive, score = rows(prevalence)
    base = fine(prevalence) if cells is None else coarse(prevalence, cells)
    summing = Curve.summing(Scored(positive, score), base.thresholds)
    random = np.random.default_rng(2)
    found: dict[Metric, list[np.ndarray]] = {metric: [] for metric in EVERY}
    for _ in range(8):
        times = random.multinomial(ROWS, np.full(ROWS, 1 / ROWS), size=REPLICATES // 8).T.astype(float)
        drawn = base.with_draws(summing(Weights(ROWS, None, times)))
        for metric in EVERY:
            found[metric].append(values_of(metric, drawn))
    return {metric: np.concatenate(values) for metric, values in found.items()}


@cache
def on_cells(prevalence: float, cells: int, kind: str) -> dict[Metric, np.ndarray]:
    drawn = coarse(prevalence, cells).resampled(kind, REPLICATES, 7, "test")
    return {metric: values_of(metric, drawn) for metric in EVERY}


def agree(a: np.ndarray, b: np.ndarray) -> None:
    """Mean and standard deviation alike, at four standard errors of their difference."""
    assert abs(a.mean() - b.mean()) <= 4 * np.sqrt(a.var() / len(a) + b.var() / len(b))
    spread = [np.std((x - x.mean()) ** 2) / (2 * x.var()) / np.sqrt(len(x)) for x in (a, b)]
    assert abs(np.log(a.std() / b.std())) <= 4 * np.hypot(*spread)


@pytest.mark.parametrize("metric", EVERY, ids=repr)
def test_drawing_cells_is_drawing_rows(metric: Metric) -> None:
    agree(on_cells(0.3, 512, "multinomial")[metric], by_rows(0.3, 512)[metric])


@pytest.mark.parametrize("metric", EVERY, ids=repr)
def test_independent_counts_serve_as_well_as_a_fixed_number_of_rows(metric: Metric) -> None:
    """Poisson counts let the number of rows vary, which no ratio notices."""
    agree(on_cells(0.3, 512, "poisson")[metric], on_cells(0.3, 512, "multinomial")[metric])


@pytest.mark.parametrize("prevalence", [0.3, 0.05])
@pytest.mark.parametrize("cells", [64, 128, 256, 512])
class TestWhatBinningChanges:
    """Standard deviations of the same draws, binned and not. Draws by row use 256 cells, draws on cells 512."""

    @pytest.mark.parametrize("metric", AREAS_AND_LOSSES, ids=repr)
    def test_areas_and_losses_keep_their_spread(self, metric: Metric, cells: int, prevalence: float) -> None:
        binned, exact = by_rows(prevalence, cells)[metric], by_rows(prevalence, None)[metric]
        # Measured: all but average precision 0.3 % in 64 cells; average precision of 150 positives 3 % in 64
        # cells, 1.8 % in 128, 1 % in 256, 0.3 % in 512.
        steps = {64: 0.04, 128: 0.025, 256: 0.015, 512: 0.005}
        allowed = steps[cells] if metric is metrics.average_precision else 0.005
        assert binned.std() / exact.std() == pytest.approx(1, abs=allowed)
        assert np.corrcoef(binned, exact)[0, 1] > 0.99

    @pytest.mark.parametrize("metric", DECISIONS, ids=repr)
    def test_decisions_at_a_cut_are_exact(self, metric: Metric, cells: int, prevalence: float) -> None:
        binned, exact = by_rows(prevalence, cells)[metric], by_rows(prevalence, None)[metric]
        assert binned == pytest.approx(exact, abs=1e-12)

    @pytest.mark.parametrize("metric", POINTS, ids=repr)
    def test_operating_points_keep_their_spread(self, metric: Metric, cells: int, prevalence: float) -> None:
        binned, exact = by_rows(prevalence, cells)[metric], by_rows(prevalence, None)[metric]
        # A threshold falls inside a cell. Measured: 12 % (recall at precision .8) in 64 cells, 9 % in 128,
        # 4.4 % in 256, 1.2 % in 512; the others 7 % in 64 cells, 4.5 % in 128, 2 % in 256, 1.1 % in 512.
        allowed = {64: 0.15, 128: 0.1, 256: 0.05, 512: 0.02}[cells]
        assert binned.std() / exact.std() == pytest.approx(1, abs=allowed)
        # What the centre moves by, beyond what is put back by `centred`, in standard deviations.
        curve, binned_curve = fine(prevalence), coarse(prevalence, cells)
        shift = values_of(metric, curve) - values_of(metric, binned_curve)
        moved = (binned + shift - exact).mean() / exact.std()
        assert abs(moved) <= {64: 0.35, 128: 0.25, 256: 0.20, 512: 0.15}[cells]


@pytest.mark.parametrize("metric", EVERY, ids=repr)
def test_rows_drawn_and_counted_from_the_beginning(metric: Metric) -> None:
    """The plainest bootstrap there is: choose rows, call the function on arrays."""
    positive, score = rows(0.3)
    random = np.random.default_rng(8)
    values = []
    for _ in range(250):
        place = random.integers(0, ROWS, ROWS)
        other = (score[place] >= CUT).astype(int) if metric.over is Confusion else score[place]
        values.append(metric(positive[place].astype(int), other, positive=None if metric.over is Confusion else 1))
    agree(np.array(values), by_rows(0.3, None)[metric])


@pytest.mark.parametrize("kind", ["poisson", "bayesian"])
def test_explicit_weights_give_the_same_spread(kind: str) -> None:
    """Weights that are functions of (seed, replicate, key), in place of a generator's rows."""
    positive, score = rows(0.3)
    draws = Draws(kind, 1_000, 7).of_units(keys_of_rows(0, ROWS), 0, 1_000)
    base = coarse(0.3, 256)
    drawn = base.with_draws(Curve.collect(Scored(positive, score), Weights(ROWS, None, draws), base.thresholds))
    for metric in [*AREAS_AND_LOSSES, *DECISIONS]:
        agree(values_of(metric, drawn), by_rows(0.3, 256)[metric])


@pytest.mark.parametrize("kind", ["multinomial", "poisson", "bayesian"])
def test_a_table_drawn_on_its_cells(kind: str) -> None:
    """Accuracy of n rows: the spread is √(p (1 − p) / n), for the Bayesian bootstrap √(p (1 − p) / (n + 2))."""
    table = Confusion.of_arrays(list("a" * 300 + "b" * 200), list("a" * 240 + "b" * 260))
    drawn = table.resampled(kind, 20_000, 3, "test")
    values = metrics.accuracy.values(drawn)
    expected = np.sqrt(0.88 * 0.12 / 500)
    # The error of a standard deviation of 20,000 values is 0.5 %.
    assert values.std() == pytest.approx(expected, rel=0.02)
    # The Bayesian prior, PRIOR_MASS rows' worth over four cells, half of them right, moves the mean towards 1/2.
    mean = (0.88 * 500 + PRIOR_MASS / 2) / (500 + PRIOR_MASS) if kind == "bayesian" else 0.88
    assert values.mean() == pytest.approx(mean, abs=4 * expected / np.sqrt(20_000))


def test_the_same_seed_gives_the_same_bytes() -> None:
    curve = coarse(0.3, 128)
    again = [curve.resampled("multinomial", 50, 7, "a stream").counts.tobytes() for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.parametrize(("seed", "stream"), [(8, "a stream"), (7, "another stream")])
def test_another_seed_or_stream_gives_others(seed: int, stream: str) -> None:
    curve = coarse(0.3, 128)
    a, b = curve.resampled("poisson", 50, 7, "a stream"), curve.resampled("poisson", 50, seed, stream)
    assert not np.array_equal(a.counts, b.counts)


def test_a_row_bootstrap_keeps_the_number_of_rows() -> None:
    drawn = coarse(0.3, 128).resampled("multinomial", 50, 7, "test")
    assert (drawn.total == ROWS).all()
    assert (drawn.counts >= 0).all()
