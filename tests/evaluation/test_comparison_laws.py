"""What holds of every comparison, whatever the table: mirrored, rescaled, of a system with itself, in any order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.evaluation.results import Row

METRICS = ["accuracy", "recall", "cohen_kappa", "f_score", "matthews_correlation"]


def table(n: int = 150) -> dict[str, Any]:
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, n)
    one, two = (np.where(rng.random(n) < right, y, 1 - y) for right in (0.75, 0.85))
    return {"y": y, "one": one, "two": two, "w": rng.uniform(0.5, 2, n), "row": np.arange(n)}


def differences(given: dict[str, Any], **more: Any) -> list[Row]:
    result = adjudge.classification(
        given, reference="y", prediction=["one", "two"], metrics=METRICS, replicates=300, positive="1", **more
    )
    return [row for row in result.table.differences if row.method != "none"]


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"cluster": "row"}])
def test_swapping_the_systems_mirrors_everything(more: dict[str, Any]) -> None:
    there, back = differences(table(), **more), differences(table(), baseline="two", **more)
    assert len(there) == len(back)
    for row, other in zip(there, back, strict=True):
        assert (row.metric, row.method, row.category) == (other.metric, other.method, other.category)
        assert (row.estimate, row.low, row.high) == pytest.approx((-other.estimate, -other.high, -other.low), abs=1e-9)
        assert row.p == pytest.approx(other.p, rel=1e-9)


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"cluster": "row"}])
def test_a_system_does_not_differ_from_itself_and_that_is_not_certain(more: dict[str, Any]) -> None:
    given = table()
    for row in differences(given | {"two": given["one"]}, **more):
        assert (row.estimate, row.p, row.p_adjusted) == (0, pytest.approx(1, abs=1e-9), pytest.approx(1, abs=1e-9))
        assert row.low < 0 < row.high


def test_weights_may_be_rescaled() -> None:
    given = table()
    for row, other in zip(
        differences(given, weight="w"), differences(given | {"w": 10 * given["w"]}, weight="w"), strict=True
    ):
        assert (row.estimate, row.low, row.high) == pytest.approx((other.estimate, other.low, other.high), abs=1e-9)


def test_the_order_of_rows_changes_nothing_and_neither_does_the_engine() -> None:
    given = table()
    order = np.random.default_rng(1).permutation(len(given["y"]))
    there = differences(given)
    assert there == differences({name: values[order] for name, values in given.items()})
    assert there == differences(given, engine="stream")


def test_an_adjusted_p_is_not_smaller_and_an_interval_holds_its_value() -> None:
    given = table() | {"three": table(150)["one"]}
    result = adjudge.classification(given, reference="y", prediction=["one", "two", "three"], replicates=300)
    for row in result.table.differences:
        if row.p is not None and not math.isnan(row.p):
            assert row.p_adjusted is not None
            assert row.p_adjusted >= row.p - 1e-12
            assert row.low <= row.estimate <= row.high
