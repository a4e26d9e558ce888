"""Shares of rows of one category where weights go with the category: as of that category alone."""

from __future__ import annotations

import pytest

import adjudge
from adjudge import metrics


def _ends(metric: metrics.Metric, missed: int, positive: str, weights: tuple[float, float]) -> tuple[float, float]:
    """The limits of a share of 49 rows, of which so many are missed, beside 51 of the other category."""
    reference = ["no"] * 49 + ["yes"] * 51
    prediction = ["no"] * (49 - missed) + ["yes"] * missed + ["yes"] * 45 + ["no"] * 6
    given = [weights[0]] * 49 + [weights[1]] * 51
    found = adjudge.estimate(metric, reference, prediction, weights=given, positive=positive, replicates=100)
    return found.interval.low, found.interval.high


@pytest.mark.parametrize("missed", [0, 1, 4])
@pytest.mark.parametrize("weights", [(1.0, 0.16), (1.84, 0.16), (500.0, 1.0)])
@pytest.mark.parametrize(("metric", "positive"), [(metrics.specificity, "yes"), (metrics.recall, "no")])
def test_light_rows_of_the_other_category_shorten_no_interval(
    metric: metrics.Metric, positive: str, weights: tuple[float, float], missed: int
) -> None:
    """49 of 49 were [.96, 1] beside lighter rows, as if 98 had been seen; they are [.927, 1] by Wilson."""
    alone = _ends(metric, missed, positive, (1.0, 1.0))
    beside = _ends(metric, missed, positive, weights)
    assert beside == pytest.approx(alone, abs=0.004)
