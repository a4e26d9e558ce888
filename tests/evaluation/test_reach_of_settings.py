"""Margins, expectations and widths beyond all that a metric can be: percentages where shares must be."""

from __future__ import annotations

from typing import Any

import pytest

import adjudge
from adjudge.errors import SettingError

TABLE = {"y": ["a", "b"] * 40, "old": ["a", "a"] * 40, "new": ["a", "b", "a", "a"] * 20}


@pytest.mark.parametrize(("margin", "advice"), [("accuracy=2", "0.02 for 2 points"), ("accuracy=1", "0.01")])
def test_a_margin_within_which_all_are_the_same_is_refused(margin: str, advice: str) -> None:
    with pytest.raises(SettingError, match=f"less than 1, .*{advice}"):
        adjudge.classification(TABLE, reference="y", prediction=["old", "new"], margin=margin, replicates=100)


@pytest.mark.parametrize("margin", ["accuracy=0.5", "accuracy=150%"])
def test_a_wide_margin_is_a_margin(margin: str) -> None:
    adjudge.classification(TABLE, reference="y", prediction=["old", "new"], margin=margin, replicates=100)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"expect": 90, "difference": 0.05}, "`expect` .* Write 0.9 for 90 %"),
        ({"expect": 90, "half_width": 0.02}, "`expect` .* Write 0.9 for 90 %"),
        ({"expect": 0.9, "against": 85}, "`against` .* Write 0.85 for 85 %"),
        ({"expect": 0.9, "difference": 5, "differing": 0.2}, "`difference` .* Write 0.05 for 5 points"),
        ({"expect": 0.9, "half_width": 3}, "`half_width` .* Write 0.03 for 3 points"),
        ({"expect": 0.9, "half_width": 0.5}, "`half_width`"),
    ],
)
def test_a_plan_for_percentages_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        adjudge.plan("accuracy", **given)


@pytest.mark.parametrize(
    ("metric", "given"),
    [
        ("accuracy", {"expect": 0.9, "half_width": 0.3}),
        ("rmse", {"expect": 90, "half_width": 3}),
        ("accuracy", {"expect": 1, "half_width": 0.02}),
    ],
)
def test_what_a_metric_can_be_is_planned(metric: str, given: dict[str, Any]) -> None:
    assert adjudge.plan(metric, **given).rows
