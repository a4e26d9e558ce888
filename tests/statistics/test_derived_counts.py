"""Counts that are derived from a shared statistic: each against a direct count of rows."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import Labels
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Scored
from adjudge.statistics.curves.decisions import decided
from adjudge.statistics.weights import Weights

RANDOM = np.random.default_rng(11)
truth, told = RANDOM.integers(0, 3, (2, 60))
WEIGHTS = RANDOM.gamma(2.0, 1.0, 60)
NAMES = ("a", "b", "c")


@pytest.fixture
def table() -> Confusion:
    judgements = Judgements(Labels(truth, NAMES), Labels(told, NAMES))
    return Confusion.collect(judgements, Weights(60, WEIGHTS))


def weight_where(rows: np.ndarray) -> float:
    return float(WEIGHTS[rows].sum())


def test_rows_of_the_table_are_the_reference(table: Confusion) -> None:
    for i in range(3):
        for j in range(3):
            assert table.counts[i, j] == pytest.approx(weight_where((truth == i) & (told == j)))


def test_totals(table: Confusion) -> None:
    assert table.total == pytest.approx(WEIGHTS.sum())
    assert table.agreed == pytest.approx(weight_where(truth == told))
    assert table.reference_total == pytest.approx([weight_where(truth == k) for k in range(3)])
    assert table.prediction_total == pytest.approx([weight_where(told == k) for k in range(3)])
    assert table.squares.sum() == pytest.approx((WEIGHTS**2).sum())


def test_each_category_against_the_rest(table: Confusion) -> None:
    counts = table.one_vs_rest
    for k in range(3):
        is_k, told_k = truth == k, told == k
        assert counts.true_positives[k] == pytest.approx(weight_where(is_k & told_k))
        assert counts.false_positives[k] == pytest.approx(weight_where(~is_k & told_k))
        assert counts.false_negatives[k] == pytest.approx(weight_where(is_k & ~told_k))
        assert counts.true_negatives[k] == pytest.approx(weight_where(~is_k & ~told_k))


def test_the_four_counts_are_all_rows_for_every_category(table: Confusion) -> None:
    counts = table.one_vs_rest
    four = counts.true_positives + counts.false_positives + counts.false_negatives + counts.true_negatives
    assert four == pytest.approx(np.full(3, WEIGHTS.sum()))
    pooled = counts.summed
    assert pooled.false_positives == pytest.approx(pooled.false_negatives)


def test_without_one_row_of_each_cell() -> None:
    judgements = Judgements(Labels(truth, NAMES), Labels(told, NAMES))
    table = Confusion.collect(judgements, Weights(60))
    left, rows = table.without_one()
    assert rows.sum() == 60
    assert (left.total == 59).all()
    assert (left.counts >= 0).all()


@pytest.fixture
def curve() -> Curve:
    return Curve.collect(Scored(POSITIVE, scored), Weights(60, WEIGHTS))


POSITIVE, scored = truth == 0, np.round(RANDOM.random(60), 1)


def test_running_sums_are_what_a_threshold_takes(curve: Curve) -> None:
    assert curve.thresholds.tolist() == sorted(set(scored.tolist()), reverse=True)
    for place, threshold in enumerate(curve.thresholds):
        taken = scored >= threshold
        tp, fp = weight_where(POSITIVE & taken), weight_where(~POSITIVE & taken)
        assert curve.true_positives[place] == pytest.approx(tp)
        assert curve.false_positives[place] == pytest.approx(fp)
        assert curve.precision[place] == pytest.approx(tp / (tp + fp))
        assert curve.recall[place] == pytest.approx(tp / weight_where(POSITIVE))
        assert curve.false_positive_rate[place] == pytest.approx(fp / weight_where(~POSITIVE))


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.45, 0.5, 0.9, 2.0])
@pytest.mark.parametrize("names", [("yes", "no"), ("a", "not a"), ("1", "0")])
def test_a_threshold_makes_a_table_of_the_curve(curve: Curve, threshold: float, names) -> None:
    positive, other = names
    table = decided(curve, threshold, positive, other)
    first, second = table.categories.index(positive), table.categories.index(other)
    taken = scored >= threshold
    assert table.counts[first, first] == pytest.approx(weight_where(POSITIVE & taken))
    assert table.counts[first, second] == pytest.approx(weight_where(POSITIVE & ~taken))
    assert table.counts[second, first] == pytest.approx(weight_where(~POSITIVE & taken))
    assert table.counts[second, second] == pytest.approx(weight_where(~POSITIVE & ~taken))


def test_binned_cells_remember_what_is_inside() -> None:
    """On a coarse grid, sums over rows stay exact: losses, mean scores and the order of pairs."""
    from adjudge.metrics import brier_score, log_loss, roc_auc
    from adjudge.statistics.losses import Losses

    random = np.random.default_rng(3)
    positive = random.random(2_000) < 0.3
    # Three digits: rows of both kinds share a score inside a cell.
    score = np.round(np.clip(random.beta(2, 3, 2_000) + 0.2 * positive, 0.001, 0.999), 3)
    fine = Curve.collect(Scored(positive, score), Weights(2_000))
    coarse = fine.onto(fine.grid(64, (0.5,)))
    assert len(coarse.thresholds) < 200
    assert roc_auc.formula(coarse) == pytest.approx(roc_auc.formula(fine), abs=1e-12)
    for metric in (log_loss, brier_score):
        values = [metric.values(Losses.from_curve(curve)) for curve in (coarse, fine)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)
    exact = decided(fine, 0.5, "1", "0")
    assert decided(coarse, 0.5, "1", "0").counts == pytest.approx(exact.counts)
