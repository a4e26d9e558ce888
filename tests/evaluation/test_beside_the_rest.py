"""A slice beside all other rows: its interval is that of the difference, however small or large this is."""

from __future__ import annotations

import math

import pytest

from adjudge.evaluation.answers.evidence import _beside_rest
from adjudge.evaluation.results import Row


def row(name: str, estimate: float, half: float, n: int) -> Row:
    return Row("a", name, "", "roc_auc", estimate, estimate - half, estimate + half, 0.95, "newcombe", n, "")


@pytest.mark.parametrize("gap", [0.0, 1e-17, 0.001, 0.3])
def test_the_interval_is_that_of_the_difference(gap: float) -> None:
    """It was worked out back from p: none where nothing differs, too wide beyond eight errors, and once over 0."""
    part, whole = row("x = 1", 0.5 + gap / 2, 0.02, 100), row("all", 0.5, 0.02 / math.sqrt(2), 200)
    [evidence] = _beside_rest(part, whole, 1)
    error = 0.02 / 1.959963984540054
    both = math.sqrt((error**2 * 200**2 / 2 - error**2 * 100**2) / 100**2 + error**2)
    assert evidence.estimate == pytest.approx(gap, abs=1e-12)
    assert evidence.high - evidence.estimate == pytest.approx(1.959963984540054 * both, rel=1e-9)
    assert evidence.p == pytest.approx(math.erfc(gap / both / math.sqrt(2)), rel=1e-6)
