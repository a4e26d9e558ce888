"""Rows to take away: right where the metrics count them as right."""

from __future__ import annotations

import adjudge


def test_a_lone_score_decides_about_its_own_label_only() -> None:
    table = {
        "state": ["ill", "well", "unsure", "ill", "well", "unsure"] * 5,
        "score": [0.9, 0.2, 0.4, 0.3, 0.8, 0.1] * 5,
    }
    found = adjudge.classification(table, reference="state", score="score", positive="ill", replicates=100)
    right = [row["right"] for row in found.items.records()]
    assert sum(right) / len(right) == found["accuracy"].value == 4 / 6
