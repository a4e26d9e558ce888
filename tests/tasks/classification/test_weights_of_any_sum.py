"""Weights may add up to one: what is said of rows does not change."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.report import words
from adjudge.report.evaluation import Evaluation

ROWS = 240


def told(total: float) -> Evaluation:
    drawn = np.random.default_rng(8)
    truth = drawn.integers(0, 3, ROWS)
    answers = np.where(drawn.random(ROWS) < 0.8, truth, drawn.integers(0, 3, ROWS))
    weight = drawn.random(ROWS) + 0.5
    table = {"y": truth, "p": answers, "w": total * weight / weight.sum()}
    return adjudge.classification(table, reference="y", prediction="p", weight="w", replicates=100)


@pytest.mark.parametrize("total", [1.0, 100.0, 5e6])
def test_what_is_said_of_rows_does_not_depend_on_the_sum_of_weights(total: float) -> None:
    usual, found = told(ROWS), told(total)
    assert not found.checks
    assert str(found) == str(usual)
    assert "of 0 taken" not in str(found)


def test_counts_below_one_keep_their_digits() -> None:
    assert [words.count(value) for value in (0.0312, 0.31, 0.97, 1.26)] == ["0.031", "0.31", "1.0", "1.3"]


def test_no_item_is_lost_by_weights_that_add_up_to_one() -> None:
    drawn = np.random.default_rng(11)
    truth = drawn.integers(0, 3, ROWS)
    for total in (1.0, 7.0, 0.1 * ROWS):
        weight = drawn.random(ROWS) + 0.5
        table = {"a": truth, "b": drawn.permutation(truth), "w": total * weight / weight.sum()}
        found = adjudge.agreement(table, raters=["a", "b"], weight="w", replicates=100)
        assert found.outcome.settings.choices["Items with two ratings or more"] == str(ROWS)
