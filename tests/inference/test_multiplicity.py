"""Adjusted p-values."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.inference.multiplicity import holm


def test_holm_is_monotone_and_leaves_the_undefined_out() -> None:
    assert holm([0.01, np.nan, 0.04, 0.03]).tolist() == pytest.approx([0.03, np.nan, 0.06, 0.06], nan_ok=True)
    assert holm([]).tolist() == []
