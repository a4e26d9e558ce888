"""Shares of rows that count one each: what is worked out for weights comes to Kish's squares, and is left out."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.metrics.weighted_shares import _heavier, _linearized, weighed_share


@pytest.mark.parametrize("part", [0.0, 1.0, 7.0, 39.0, 40.0])
def test_rows_that_count_one_each_are_as_all_weights_would_have_them(part: float) -> None:
    whole, one = np.array([40.0, 400.0, 40.0]), np.ones(3)
    parts = np.array([part, 10 * part, 40.0])
    squares = (parts, whole - parts)
    share = weighed_share(parts, whole, squares, (one, one))
    assert share.squares.tolist() == _linearized(parts, whole, squares, (one, one)).tolist() == whole.tolist()
    assert share.unseen is None is _heavier(parts, whole, squares, (one, one))
