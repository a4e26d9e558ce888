"""Ranks of several systems are drawn on the same rows, a few replicates at a time."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.engines import blocks

RANDOM = np.random.default_rng(5)
ROWS = 20_000
PRICE = RANDOM.lognormal(0.0, 1.0, ROWS)
GUESS = PRICE * RANDOM.lognormal(0.0, 0.3, ROWS)


def test_many_rows_of_two_systems_are_not_held_replicate_by_replicate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_REPLICATES", 2**21)  # numbers; the weights of all rows would be 8,000,000
    table = {"price": PRICE, "old": GUESS, "new": GUESS**1.1, "town": np.arange(ROWS) % 2}
    evaluation = adjudge.regression(
        table,
        reference="price",
        prediction=["old", "new"],
        slices=["town"],
        replicates=200,
        metrics=["rmse", "spearman"],
    )
    interval = evaluation.get("spearman", system="new", slice="town = 1").interval
    assert interval.low < interval.high


def test_systems_that_order_rows_alike_do_not_differ_in_any_draw() -> None:
    table = {"price": PRICE[:800], "old": GUESS[:800], "new": np.exp(GUESS[:800] / 10), "worse": GUESS[:800][::-1]}
    evaluation = adjudge.regression(
        table, reference="price", prediction=["old", "new", "worse"], replicates=200, metrics=["spearman"]
    )
    differences = {row.system: row for row in evaluation.table if row.baseline and row.method == "paired_bootstrap"}
    assert "new" not in differences  # an interval without width is none
    assert differences["worse"].high < -0.5
