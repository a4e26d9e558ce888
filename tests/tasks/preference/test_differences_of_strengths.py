"""Strengths of two slices: their difference has a p-value and limits that say the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.tasks.preference.differences import _unpaired


def _cell(value: float, low: float, high: float) -> Any:
    """A strength with limits that grow with the level as normal ones."""

    def at(level: float) -> tuple[float, float, float]:
        times = normal_quantile(level) / normal_quantile(0.95)
        return value, value + times * (low - value), value + times * (high - value)

    table = SimpleNamespace(both_asked=np.asarray(40.0))
    return SimpleNamespace(column="g", limits=(value, low, high), low=low, high=high, table=table, at=at)


def test_p_and_limits_of_two_slices_say_the_same() -> None:
    """Limits of strengths near 1 are uneven: a p of their mean width said otherwise of some."""
    random, shown, seen = np.random.default_rng(2), 0, 0
    for _ in range(300):
        one, other = (
            _cell(value, value - random.uniform(0.1, 0.6), value + random.uniform(0.05, 0.3))
            for value in random.uniform(0, 0.9, 2)
        )
        found = _unpaired(one, other, 0.95)
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0)
        mean_width = np.hypot(one.high - one.low, other.high - other.low) / 2
        shown += found.p < 0.05
        seen += (found.p < 0.05) != (abs(found.value) > mean_width)
    assert shown >= 30
    assert seen >= 5, "as it was before"


def test_a_difference_as_far_as_its_limits_reach_is_at_the_level() -> None:
    found = _unpaired(_cell(0.5, 0.2, 0.7), _cell(0.0, -0.3, 0.4), 0.95)
    assert (found.low, found.high) == pytest.approx((0.0, 0.5 + np.hypot(0.2, 0.3)))
    assert found.p == pytest.approx(0.05)
