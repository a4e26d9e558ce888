"""Scores that nothing is decided of have no threshold to tell."""

from __future__ import annotations

import numpy as np

import adjudge


def test_no_threshold_is_told_of_scores_that_are_not_decided() -> None:
    drawn = np.random.default_rng(4)
    truth = drawn.integers(0, 2, 80)
    logits = drawn.normal(size=80) + 2 * truth
    roles = {"reference": "y", "score": "s", "positive": "1", "replicates": 100}
    found = adjudge.classification({"y": truth, "s": logits}, **roles)
    assert found.outcome.settings.threshold is None
    assert "threshold 0.5" not in str(found).splitlines()[0]
    assert adjudge.classification({"y": truth, "s": logits}, **roles, threshold=1).outcome.settings.threshold == 1
    told = adjudge.classification({"y": truth, "s": 1 / (1 + np.exp(-logits))}, **roles)
    assert told.outcome.settings.threshold == 0.5
