"""A coefficient that a few units carry says so beside its interval."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.inference.differences.units_apart import difference_carried_by
from adjudge.inference.intervals.jackknife import carried_by

SAID = "2 of 80 units make most of its doubt: see what it is without them"


def _pairs(far: float) -> tuple[list[float], list[float]]:
    random = np.random.default_rng(3)
    reference = random.standard_normal(80)
    reference[:2] = far, -far
    return reference.tolist(), (reference + 0.8 * random.standard_normal(80)).tolist()


@pytest.mark.parametrize("name", ["r_squared", "correlation", "concordance_correlation"])
def test_two_rows_far_out_are_told(name: str) -> None:
    metric = getattr(metrics, name)
    near, far = (adjudge.estimate(metric, *_pairs(size)) for size in (1.0, 12.0))
    assert far.value > near.value + 0.1
    assert (far.note, near.note) == (SAID, "")


def test_it_is_told_in_an_evaluation_and_of_raters() -> None:
    reference, prediction = _pairs(12.0)
    table = {"y": reference, "p": prediction}
    rows = adjudge.regression(table, reference="y", prediction="p", replicates=100).table
    assert next(row.note for row in rows if row.metric == "r_squared") == SAID
    assert carried_by(metrics.pearson, metrics.pearson.statistic_of(reference, prediction)) == (2, 80)


def test_weights_and_their_unit_change_nothing() -> None:
    reference, prediction = _pairs(12.0)
    for weight in (1.0, 1e-6, 250.0):
        sums = metrics.correlation.statistic_of(reference, prediction, weights=[weight] * 80)
        assert carried_by(metrics.correlation, sums) == (2, 80)


def test_normal_values_are_seldom_said_to_hang_on_few() -> None:
    random, told = np.random.default_rng(4), 0
    for _ in range(100):
        reference = random.standard_normal(50)
        sums = metrics.r_squared.statistic_of(
            reference.tolist(), (reference + 0.5 * random.standard_normal(50)).tolist()
        )
        told += carried_by(metrics.r_squared, sums) is not None
    assert told <= 4


def test_means_and_few_rows_say_nothing_of_it() -> None:
    """Means of losses allow for large ones that were not seen; of fewer than 25 units one is always much of it."""
    reference, prediction = _pairs(12.0)
    assert carried_by(metrics.rmse, metrics.rmse.statistic_of(reference, prediction)) is None
    few = metrics.correlation.statistic_of(reference[:24], prediction[:24])
    assert carried_by(metrics.correlation, few) is None
    assert carried_by(metrics.correlation, metrics.correlation.statistic_of([*range(60)], [*range(60)])) is None


def _two_systems(slip: float) -> dict[str, list[float]]:
    """Two systems as good as one another, of which one slips in two of 80 rows."""
    random = np.random.default_rng(8)
    reference = 2 * random.standard_normal(80)
    first, second = (reference + random.standard_normal(80) for _ in range(2))
    second[:2] += slip, -slip
    return {"y": reference.tolist(), "a": first.tolist(), "b": second.tolist()}


@pytest.mark.parametrize("name", ["r_squared", "correlation", "rmse", "mean_absolute_error"])
def test_a_difference_that_two_rows_make_says_so(name: str) -> None:
    """It rests on rows that other samples would not have, and means of losses do not allow for them here."""
    notes = []
    for slip in (0.0, 25.0):
        found = adjudge.regression(
            _two_systems(slip), reference="y", prediction=["a", "b"], metrics=[name], replicates=100
        )
        notes.append({row.note for row in found.table if row.baseline is not None})
    assert notes[0] == {""}
    assert notes[1] in ({SAID}, {SAID.replace("2", "1", 1)})


def test_differences_of_normal_errors_are_seldom_said_to_hang_on_few() -> None:
    random, told = np.random.default_rng(5), 0
    for _ in range(100):
        reference = random.standard_normal(60)
        systems = [
            metrics.r_squared.statistic_of(reference.tolist(), (reference + 0.5 * random.standard_normal(60)).tolist())
            for _ in range(2)
        ]
        told += difference_carried_by(metrics.r_squared, systems[0], systems[1]) is not None
    assert told <= 2
