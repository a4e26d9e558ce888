"""What rounding leaves of a difference of equal sums is nothing, and is never divided by."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adjudge import metrics
from adjudge.statistics.base import remainder

THIRDS = [1.1] * 7
UNEVEN = [0.1, 0.2, 0.3, 0.15, 0.05, 0.12, 0.08]
VARIED = [1, 2, 3, 1, 2, 3, 1]
# Rows that add up to nothing: means 4, 4 and 3.5, and raters who differ as much as responses do.
NO_TRUTH = [[4, 4], [4, 4], [4, 3]]


@pytest.mark.parametrize(
    ("metric", "arrays", "weights"),
    [
        (metrics.prmse, (NO_TRUTH, [3.52, 3.49, 3.3]), None),
        (metrics.prmse, ((np.array(NO_TRUTH) + 0.1).tolist(), [3.52, 3.49, 3.3]), [1.3, 1.3, 1.3]),
        (metrics.disattenuated_correlation, ([[1.1, 1.1], [1.1, 2.3], [2.3, 1.1], [2.3, 2.3]], [1, 2, 3, 5]), None),
        (metrics.disattenuated_correlation, ([[0.1, 0.7], [0.3, 0.1], [0.5, 0.7]], [1, 2, 3]), [0.1, 0.2, 0.1]),
        (metrics.pearson, (THIRDS, VARIED), UNEVEN),
        (metrics.pearson, (THIRDS, [0.7] * 7), UNEVEN),
        (metrics.concordance_correlation, (THIRDS, THIRDS), UNEVEN),
        (metrics.spearman, (THIRDS, VARIED), UNEVEN),
        (metrics.icc, ([[1.1, 1.1]] * 7,), UNEVEN),
        (metrics.kendall_w, ([[1.1, 0.7]] * 7,), UNEVEN),
        (metrics.interval_alpha, ([[1.1, 1.1]] * 7,), UNEVEN),
        (metrics.correlation, (THIRDS, VARIED), UNEVEN),
        (metrics.r_squared, (THIRDS, VARIED), UNEVEN),
        (metrics.explained_variance, (THIRDS, VARIED), UNEVEN),
        (metrics.standardized_mean_difference, (THIRDS, VARIED), UNEVEN),
        (metrics.quadratic_weighted_kappa, (THIRDS, THIRDS), UNEVEN),
        (metrics.cohen_kappa, (["a"] * 7, ["a"] * 7), UNEVEN),
        (metrics.matthews_correlation, (["a"] * 7, ["a", "b"] * 3 + ["a"]), UNEVEN),
        (metrics.fleiss_kappa, ([["a", "a"]] * 7,), UNEVEN),
        (metrics.gwet_ac1, ([["a", "a"]] * 7,), UNEVEN),
    ],
)
def test_what_does_not_vary_is_undefined(metric, arrays, weights) -> None:
    value = metric(*arrays, weights=weights)
    assert math.isnan(value), value


def test_constant_differences_have_no_spread() -> None:
    a = [1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7]
    b = [value + 0.1 for value in a]
    low, high = (
        limit(a, b, weights=UNEVEN) for limit in (metrics.lower_limit_of_agreement, metrics.upper_limit_of_agreement)
    )
    assert high - low <= 1e-7


def test_a_remainder_is_told_from_rounding_beside_what_was_summed() -> None:
    assert remainder(1e6 + 1e-7, 1e6) == 0.0
    assert remainder(1.0 + 1e-9, 1.0) > 0
    assert remainder(1e-9, 0.0, 1e6) == 0.0
    assert math.isnan(remainder(math.nan, 1.0))
