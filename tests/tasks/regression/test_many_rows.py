"""Systems of many rows are compared from their sums: as close as drawing rows would be, whatever is cut where."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.data.judgements.numbers import NumbersTogether
from adjudge.evaluation.results import Row
from adjudge.statistics.numbers.joint import JointNumbers
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.weights import Weights
from adjudge.tasks.regression.reading import NumberReading

RNG = np.random.default_rng(8)
ROWS = 6_000
Y = RNG.normal(size=ROWS)
COMMON = RNG.normal(size=ROWS)
OLD, NEW = (Y + COMMON + RNG.normal(size=ROWS) * spread for spread in (0.6, 0.5))
ASKED = {"reference": "y", "prediction": ["old", "new"], "metrics": ["rmse", "mean_absolute_error", "r_squared"]}


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumberReading, "block_rows", 2_000)


def differences(**more: object) -> dict[str, Row]:
    table = {"y": Y, "old": OLD, "new": NEW, "w": np.repeat([1.0, 3.0], ROWS // 2)}
    found = adjudge.regression(table, **ASKED, **more)
    return {row.metric: row for row in found.table.differences.first_methods()}


@pytest.mark.usefixtures("few_are_many")
def test_differences_of_sums_are_those_of_paired_rows() -> None:
    rows = differences()
    assert list(rows) == ASKED["metrics"]
    each = np.abs(NEW - Y) - np.abs(OLD - Y)
    error = each.std(ddof=1) / ROWS**0.5
    mean = rows["mean_absolute_error"]
    assert mean.estimate == pytest.approx(each.mean())
    assert (mean.low, mean.high) == pytest.approx((each.mean() - 1.96 * error, each.mean() + 1.96 * error), abs=2e-3)
    for metric, row in rows.items():
        assert row.low < row.estimate < row.high, metric


def test_rows_and_sums_give_the_same_doubt(few_are_many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    by_sums = differences(weight="w")
    monkeypatch.setattr(NumberReading, "block_rows", 131_072)
    by_rows = differences(weight="w", replicates=1_000)
    for metric, row in by_sums.items():
        other = by_rows[metric]
        assert row.estimate == pytest.approx(other.estimate)
        assert row.high - row.low == pytest.approx(other.high - other.low, rel=0.15), metric


def test_parts_add_up_to_the_whole_and_each_system_is_its_own_sums() -> None:
    together = NumbersTogether(Y, (OLD, NEW))
    whole = JointNumbers.collect(together, Weights(ROWS))
    halves = [together.of_rows(np.arange(start, stop)) for start, stop in ((0, 2_000), (2_000, ROWS))]
    first, second = (JointNumbers.collect(part, Weights(len(part))) for part in halves)
    for place, answers in enumerate((OLD, NEW)):
        alone = NumberPairs.of_arrays(Y, answers)
        for joint in (whole, first + second):
            own = joint.of_system(place)
            assert float(own.mean_of({"squared": 1.0})) == pytest.approx(float(alone.mean_of({"squared": 1.0})))
            assert float(own.two.x.mean) == pytest.approx(Y.mean())
            assert float(own.squares_of({"absolute": 1.0})) == pytest.approx(float(alone.squares_of({"absolute": 1.0})))
    drawn = whole.resampled("poisson", 50, 1, "a")
    assert drawn.of_system(1).of("n").shape == (50,)
