"""Errors by slice: rates, shares, lift, excess and confusions, by hand."""

from __future__ import annotations

import math

import pytest

import adjudge
from adjudge.tasks.classification.errors import shrunken


def test_errors_of_slices_by_hand() -> None:
    # Slice x: 4 of 20 a are called b, of 20 b 0 are called a. Slice y: 1 of 40 a, 3 of 20 b.
    rows = [("x", "a", "a")] * 16 + [("x", "a", "b")] * 4 + [("x", "b", "b")] * 20
    rows += [("y", "a", "a")] * 39 + [("y", "a", "b")] + [("y", "b", "b")] * 17 + [("y", "b", "a")] * 3
    table = {name: list(column) for name, column in zip(("s", "y", "p"), zip(*rows, strict=True), strict=True)}
    found = adjudge.classification(table, reference="y", prediction="p", slices="s")
    first, second = found.panels["Errors by slice"].records()
    assert (first["slice"], first["n"], first["errors"]) == ("s = x", 40, 4)
    assert first["share of errors"] == pytest.approx(4 / 8)
    assert first["lift"] == pytest.approx((4 / 40) / (8 / 100))
    assert first["excess"] == pytest.approx(40 * (4 / 40 - 4 / 60))
    assert first["low"] < 0.1 < first["high"]
    # Of 60 a 5 are called b; in x of 20: 4 where 5/3 are expected. Haberman's adjusted residual.
    expected = 20 * 5 / 60
    residual = (4 - expected) / math.sqrt(expected * (1 - 20 / 60) * (1 - 5 / 60))
    assert (first["most confused"], first["residual"]) == ("a → b", pytest.approx(residual))
    assert (second["slice"], second["most confused"]) == ("s = y", "b → a")
    assert "Errors by slice" not in adjudge.classification(table, reference="y", prediction="p").panels


def test_rates_of_few_rows_are_drawn_towards_the_mean() -> None:
    rates = shrunken([1, 5, 30, 8, 12, 2], [2, 100, 100, 100, 100, 100])
    assert rates[0] is not None
    assert rates[2] is not None
    assert rates[0] < rates[2] < 0.30, "1 of 2 does not lead"
    assert shrunken([10, 10, 10, 10, 10], [100] * 5) == pytest.approx([0.1] * 5), "alike: nothing but chance"
