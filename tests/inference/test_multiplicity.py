"""Adjusted p-values."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.inference.many.multiplicity import holm, probability_of_best


def test_holm_is_monotone_and_leaves_the_undefined_out() -> None:
    assert holm([0.01, np.nan, 0.04, 0.03]).tolist() == pytest.approx([0.03, np.nan, 0.06, 0.06], nan_ok=True)
    assert holm([]).tolist() == []


def test_of_undefined_replicates_nobody_is_known_to_be_the_best() -> None:
    """Without a warning, and the others are judged by what is defined."""
    nothing = np.full((3, 2), np.nan)
    assert np.isnan(probability_of_best(nothing)).tolist() == [True, True]
    assert probability_of_best(np.vstack([nothing, [[1.0, 0.0], [0.0, 2.0]]])).tolist() == [0.5, 0.5]
