"""Arrays that are probably a mistake are refused by metrics, `estimate` and `evaluate` alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import adjudge
from adjudge import estimate, metrics
from adjudge.errors import AdjudgeError

RANDOM = np.random.default_rng(2)
Y = RANDOM.choice(["a", "b"], 300)
P = np.where(RANDOM.random(300) < 0.8, Y, "a")
TRUE, NEAR = pd.Series(Y), pd.Series(P)
SHUFFLED = NEAR.sample(frac=1, random_state=0)
SCORES = RANDOM.random(300)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: metrics.accuracy(TRUE, SHUFFLED), "in different orders"),
        (lambda: estimate("accuracy", TRUE, SHUFFLED), "in different orders"),
        (lambda: adjudge.evaluate(TRUE, SHUFFLED), "in different orders"),
        (lambda: estimate("accuracy", (Y == "a").astype(int), SCORES), "must be labels, as the 2 of `reference` are"),
        (lambda: estimate("accuracy", np.eye(2)[(Y == "a").astype(int)], P), "must be one label for each row"),
        (lambda: estimate("accuracy", Y, P, categories=["a"]), "must name every label"),
        (lambda: estimate("accuracy", Y, P, level=0.05), "must be 0.5 or more"),
    ],
)
def test_it_is_refused(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(AdjudgeError, match=sentence):
        call()


def test_ordinary_arrays_are_taken() -> None:
    expected = estimate("accuracy", Y, P).value
    assert estimate("accuracy", TRUE, NEAR).value == expected
    assert estimate("accuracy", TRUE.iloc[::-1], NEAR.iloc[::-1]).value == expected
    # Rows that were drawn keep their names, and predictions of them have none: they are met by their place.
    assert estimate("accuracy", TRUE.iloc[::-1], pd.Series(P[::-1], index=range(5_000, 5_300))).value == expected
    assert estimate("accuracy", Y, P, categories=["a", "b", "c"]).value == expected
    assert estimate("accuracy", Y, P, level=0.5).value == expected
    texts = [f"answer {row}" for row in range(300)]
    assert estimate("accuracy", texts, texts[:200] + ["no"] * 100).value == pytest.approx(2 / 3)
    versions = [f"{row}.5" for row in range(300)]
    assert estimate("accuracy", versions, versions[:200] + ["1.5"] * 100).value == pytest.approx(2 / 3)
