"""Side by side with Yggdrasil Decision Forests: the chi-square interval and the default RMSE of the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.golden.regression_rows import SETS

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import rmse
from adjudge.statistics.numbers.pairs import NumberPairs

PRINTED = 5.1e-6  # six digits
BOTH = pytest.mark.parametrize("case", SETS, ids=[case["name"] for case in SETS])


def pairs_of(case: dict) -> NumberPairs:
    return NumberPairs.of_arrays(case["labels"], case["predictions"], weights=case.get("weights"))


@BOTH
def test_the_default_rmse_is_the_same(case) -> None:
    assert float(rmse.baseline(pairs_of(case))) == pytest.approx(case["text"]["default_rmse"], abs=PRINTED)


@BOTH
def test_the_chi_square_interval_is_theirs_without_weights(case) -> None:
    """With weights YDF takes the plain number of rows; we take the effective number, which is smaller."""
    pairs = pairs_of(case)
    bounds = closed_form("chi2", rmse, pairs, 0.95)
    low, high = case["text"]["rmse_ci_chi2"]
    if "weights" not in case:
        assert (float(bounds.low), float(bounds.high)) == (
            pytest.approx(low, abs=PRINTED),
            pytest.approx(high, abs=PRINTED),
        )
        return
    assert pairs.effective_rows < pairs.rows
    assert bounds.low < low
    assert bounds.high > high


def test_the_worked_example_of_the_interval() -> None:
    """Ten rows with an RMSE of 4: [2.79487, 7.01973] in the study of YDF's source."""
    bounds = closed_form("chi2", rmse, NumberPairs.of_arrays([0.0] * 10, [4.0] * 5 + [-4.0] * 5), 0.95)
    assert [float(bounds.low), float(bounds.high)] == pytest.approx([2.79487, 7.01973], abs=PRINTED)


def test_the_percentile_bootstrap_is_near_theirs() -> None:
    case = SETS[0]
    values = rmse.values(pairs_of(case).resampled("multinomial", 4_000, 7, "ydf"))
    assert np.quantile(values, [0.025, 0.975]) == pytest.approx(case["rmse_ci_bootstrap"], abs=0.02)
