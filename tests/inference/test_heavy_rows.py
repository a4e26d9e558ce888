"""Few rows that weigh much: intervals allow for what heavier rows would say (docs/validation/heldout.md)."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge import estimate
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import accuracy, brier_score, error_rate
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.losses import Losses


def _ends(method: str, metric: Metric, statistic: AnyStatistic) -> tuple[float, float]:
    bounds = closed_form(method, metric, statistic, 0.95)
    assert bounds is not None
    return float(np.ravel(bounds.low)[0]), float(np.ravel(bounds.high)[0])


def _held(strata: tuple[float, float], right: tuple[float, float], n: int, samples: int = 400) -> float:
    """How often the interval of a weighted accuracy holds: a share of rows weighs more, and is right less often."""
    random, (share, weight) = np.random.default_rng(11), strata
    heavy_of_all = share * weight / (share * weight + 1 - share)
    truth, held = heavy_of_all * right[0] + (1 - heavy_of_all) * right[1], 0
    for _ in range(samples):
        heavy = random.random(n) < share
        said = random.random(n) < np.where(heavy, *right)
        table = Confusion.of_arrays(["a"] * n, np.where(said, "a", "b"), weights=np.where(heavy, weight, 1.0))
        low, high = _ends("wilson", accuracy, table)
        held += low <= truth <= high
    return held / samples


@pytest.mark.parametrize(
    ("strata", "right", "n"),
    [((0.05, 15.0), (0.7, 0.93), 120), ((0.1, 6.0), (0.7, 0.9), 60), ((0.08, 10.0), (0.9, 0.9), 120)],
)
def test_accuracy_holds_where_few_heavy_rows_are_all_right_by_chance(
    strata: tuple[float, float], right: tuple[float, float], n: int
) -> None:
    """Before, .78, .84 and .90 of samples."""
    assert _held(strata, right, n) >= 0.91


def test_what_heavy_rows_might_say_moves_the_end_on_their_other_side_alone() -> None:
    weights = np.array([12.0] * 6 + [1.0] * 94)
    said = ["a"] * 95 + ["b"] * 5  # all heavy rows are right
    heavy = Confusion.of_arrays(["a"] * 100, said, weights=weights)
    share = accuracy.share(heavy) if accuracy.share is not None else None
    assert share is not None
    assert share.unseen is not None
    low, high = _ends("wilson", accuracy, heavy)
    assert low < 0.84 < float(accuracy.values(heavy)) < high
    below, above = _ends("wilson", error_rate, heavy)
    assert (1 - above, 1 - below) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("weight", [1.0, 0.1, 7.3])
def test_equal_weights_are_no_weights(weight: float) -> None:
    said = ["a"] * 93 + ["b"] * 7
    plain = _ends("wilson", accuracy, Confusion.of_arrays(["a"] * 100, said))
    weighed = Confusion.of_arrays(["a"] * 100, said, weights=np.full(100, weight))
    assert _ends("wilson", accuracy, weighed) == pytest.approx(plain, abs=1e-12)


def test_losses_of_heavy_rows_that_differ_more_are_worth_fewer_rows() -> None:
    random = np.random.default_rng(2)
    heavy = np.arange(200) < 20
    score = np.where(heavy, random.random(200), 0.9)
    label = np.where(heavy, random.random(200) < 0.5, True)
    weights = np.where(heavy, 8.0, 1.0)
    losses = Losses.of_arrays(label * 1, score, positive=1, weights=weights)
    each = (score - label) ** 2
    mean = float(weights @ each / weights.sum())
    error = float(np.sqrt(weights**2 @ (each - mean) ** 2)) / weights.sum()
    low, high = _ends("rubin", brier_score, losses)
    assert low <= mean - 1.96 * error
    assert mean + 1.96 * error <= high


def test_what_losses_are_worth_adds_and_scales() -> None:
    random = np.random.default_rng(3)
    label, score, weights = random.integers(0, 2, 60), random.random(60), random.gamma(1.0, 1.0, 60)
    whole = Losses.of_arrays(label, score, positive=1, weights=weights)
    parts = [
        Losses.of_arrays(label[k], score[k], positive=1, weights=weights[k]) for k in (slice(0, 25), slice(25, 60))
    ]
    assert (parts[0] + parts[1]).weighed == pytest.approx(whole.weighed)
    assert whole.scaled(3.0).weighed == pytest.approx(9 * whole.weighed)
    even, of_one = (Losses.of_arrays(label, score, positive=1, weights=each) for each in (None, np.ones(60)))
    assert even.weighed == pytest.approx(of_one.weighed)


def test_weights_of_measurements_stay_with_their_items() -> None:
    """More than a thousand different values are drawn in an order of their own; some items weigh nothing."""
    random = np.random.default_rng(0)
    x = random.normal(size=3_000)
    y = x + 0.7 * random.normal(size=3_000)
    noise = random.random(3_000) < 0.05
    y[noise] = random.normal(size=noise.sum())
    weights = np.where(noise, 20.0, 1.0) * random.uniform(0.99, 1.01, 3_000)
    drawn = [np.cov(x[rows], y[rows], aweights=weights[rows]) for rows in (random.integers(0, 3_000, (400, 3_000)))]
    spread = np.std([c[0, 1] / np.sqrt(c[0, 0] * c[1, 1]) for c in drawn])
    for case in (weights, np.where(random.random(3_000) < 0.05, 0.0, weights)):
        result = estimate("pearson", x, y, weights=case, method="bootstrap")
        assert (result.interval.high - result.interval.low) / 3.92 == pytest.approx(spread, rel=0.2)
        assert result.interval.low < result.value - spread
        assert result.interval.high > result.value + spread


@pytest.mark.parametrize("rows", [37, 80, 140])
def test_losses_that_are_alike_have_an_interval(rows: int) -> None:
    result = estimate("brier_score", [1] * rows, [0.6] * rows, positive=1)
    assert pytest.approx(result.interval.low) == 0.16
    assert 0.16 < result.interval.high < 0.2


def test_a_category_of_few_weighted_rows_is_no_sure_difference() -> None:
    """Three rows of a thousand, which both systems get right."""
    random = np.random.default_rng(0)
    label = np.array(["rare"] * 3 + ["x", "y"] * 498 + ["x"])
    table = {"y": label, "w": random.integers(1, 3, 1_000).astype(float)}
    for name in ("a", "b"):
        wrong = random.choice(np.arange(3, 1_000), 60, replace=False)
        table[name] = label.copy()
        table[name][wrong] = np.where(label[wrong] == "y", "x", "y")
    result = adjudge.classification(
        table, reference="y", prediction=["a", "b"], baseline="a", weight="w", replicates=200, metrics=["precision"]
    )
    row = result.table.find("precision", system="b", baseline="a", category="rare")
    assert row.low < -0.4
    assert row.high > 0.4
    assert row.low >= -1
    assert row.high <= 1
