"""Rows and verdicts at the edges: two values, no interval, no estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_ind

from adjudge.evaluation.comparison.not_paired import _welch
from adjudge.evaluation.panels import ForestLine, ForestPanel
from adjudge.evaluation.results import Row
from adjudge.evaluation.take_away.panel_tables import _beyond


def _mean(values: list[float]) -> Row:
    n, mean, error = len(values), float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
    reach = float(student.ppf(0.975, n - 1)) * error
    return Row("s", "", "", "mean", mean, mean - reach, mean + reach, 0.95, "student", n, "")


def test_means_side_by_side_are_compared_by_welch() -> None:
    """Two and five values: SciPy's test of unequal variances, from both intervals alone."""
    first, second = [1.0, 2.5], [5.0, 9.0, 4.0, 8.0, 4.0]
    compared = _welch(_mean(first), _mean(first), _mean(second))
    expected = ttest_ind(first, second, equal_var=False)
    assert compared is not None
    assert compared.p == pytest.approx(expected.pvalue)
    limits = expected.confidence_interval(0.95)
    assert (compared.low, compared.high) == (pytest.approx(limits.low), pytest.approx(limits.high))


def test_a_single_value_is_compared_with_nothing() -> None:
    one = Row("s", "", "", "mean", 1.0, math.nan, math.nan, 0.95, "student", 1, "")
    assert _welch(one, one, _mean([1.0, 2.0, 4.0])) is None


@pytest.mark.parametrize(
    ("estimate", "low", "high", "verdict"),
    [
        (0.3, 0.2, 0.4, "flagged"),
        (-0.3, -0.4, -0.2, "flagged"),
        (0.0, -0.05, 0.05, "fine"),
        (0.3, None, None, "too few to say"),
        (None, None, None, "undefined"),
    ],
)
def test_a_line_without_an_interval_is_neither_flagged_nor_fine(
    estimate: float | None, low: float | None, high: float | None, verdict: str
) -> None:
    panel = ForestPanel("t", "", "m", [], None, limits=[-0.1, 0.1])
    assert verdict in _beyond(panel, ForestLine("slice", estimate, low, high, 9))
