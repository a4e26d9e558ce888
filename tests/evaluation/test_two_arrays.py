"""Arrays instead of a table, as other tools take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer

import adjudge
from adjudge.errors import SettingError

TRUE = ["a", "b", "a", "c", "b", "a", "c", "b"]
SAID = ["a", "b", "b", "c", "b", "a", "a", "b"]
SHARES = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7]] * 2)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_answers(kind: Any) -> None:
    found = adjudge.evaluate(kind(TRUE), kind(SAID), replicates=100)
    assert found["accuracy"].value == peer.accuracy_score(TRUE, SAID)


def test_scores_of_every_label() -> None:
    found = adjudge.evaluate(TRUE, SHARES, labels=["a", "b", "c"], replicates=100)
    assert found["log_loss"].value == pytest.approx(peer.log_loss(TRUE, SHARES))
    unnamed = adjudge.evaluate(TRUE, SHARES, replicates=100)  # in scikit-learn's order
    assert unnamed["log_loss"].value == found["log_loss"].value


def test_labels_that_are_numbers_are_ordered_as_numbers() -> None:
    true, shares = [2, 10, 2, 10], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]
    found = adjudge.evaluate(true, shares, replicates=100)
    assert found["log_loss"].value == pytest.approx(peer.log_loss(true, shares))


def test_scores_of_one_label() -> None:
    true, score = [1, 0, 1, 0, 1], [0.2, 0.3, 0.9, 0.1, 0.8]
    assert adjudge.evaluate(true, score, positive=1, replicates=100)["roc_auc"].value == pytest.approx(
        peer.roc_auc_score(true, score)
    )


def test_numbers_of_another_task() -> None:
    found = adjudge.evaluate([1.0, 2.0, 4.0], [1.0, 3.0, 4.0], task="regression", replicates=100)
    assert found["mean_absolute_error"].value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (([1, 0], [1]), "same number of rows, but they have 2 and 1"),
        (([[1], [0]], [[1], [0]]), "and the first one value in each, but they have 2 × 1 and 2 × 1"),
        (({"a": [1]}, [1]), "`table` must be an array of what is true"),
        ((TRUE, SHARES[:, :2]), "`labels` must name each of the 2 columns"),
    ],
)
def test_what_does_not_fit_is_refused(given: Any, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        adjudge.evaluate(*given)
