"""Checks whose sums leave what a float can hold, or a share just outside 0 to 1."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.diagnosis.checks.renamed import RenamedSide, _exchanged

RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize("task", ["regression", "scoring"])
def test_numbers_whose_squares_multiply_to_nothing_are_checked(task: str) -> None:
    true = RANDOM.normal(size=40)
    table = {"y": true * 1e-100, "m": (true + RANDOM.normal(size=40) / 4) * 1e-100}
    roles = {"reference": "y"} if task == "regression" else {"raters": "y"}
    evaluation = adjudge.evaluate(table, task, prediction="m", replicates=100, **roles)
    assert not [check for check in evaluation.checks if check.key in ("C3", "C36")]
    table["m"] = -table["m"]
    turned = adjudge.evaluate(table, task, prediction="m", replicates=100, **roles)
    assert "C3" in [check.key for check in turned.checks]


def test_a_share_that_rounds_above_one_has_no_error() -> None:
    ratings = np.array([19.6, 20.8, 11.799999999999999, 4.199999999999999])
    counts = np.roll(np.eye(4), 1, axis=1) * ratings[:, None]
    assert ratings.sum() / counts.sum() > 1
    side = RenamedSide("m is right", "would be", "rows", "the reference is", 0.5)
    [check] = _exchanged(side, ("a", "b", "c", "d"), counts, 56.4)
    assert check.key == "C39"
    assert "in 0 % of the rows, and would be in 100 %" in check.sentence
