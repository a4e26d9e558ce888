"""Many small groups, and groups of one, are not said to be scored otherwise where nothing differs."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.labels import Labels
from adjudge.diagnosis.fairness import ScoreFairness, score_fairness


def fairness_of(random: np.random.Generator, sizes: tuple[int, ...], moved: float = 0.0) -> ScoreFairness:
    """Normal errors of one spread; those of the last group are moved."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    human = 3.5 + random.standard_normal(len(group))
    system = human + 0.4 * random.standard_normal(len(group)) + 0.4 * moved * (group == len(sizes) - 1)
    names = tuple(f"g{place:02d}" for place in range(len(sizes)))
    return score_fairness(human, system, Labels(group, names))


def test_a_group_of_one_has_no_doubt_that_is_known() -> None:
    """A single response is fitted exactly: its group was told apart in 78 of 100 tables, as if it were sure."""
    found = [fairness_of(np.random.default_rng([1, seed]), (60, 20, 1)) for seed in range(300)]
    last = found[0].difference.coefficients[-1]
    assert np.isfinite(last.estimate)
    assert np.isnan([last.low, last.high, last.p]).all()
    for name in ("difference", "conditional"):
        assert np.mean([getattr(one, name).p < 0.05 for one in found]) <= 0.09


@pytest.mark.parametrize("sizes", [(5,) * 25, (200, 9, 8, 7, 7, 6, 6, 5, 4, 3)])
def test_many_small_groups_raise_no_alarm(sizes: tuple[int, ...]) -> None:
    """Welch's test alone: 17 and 11 %. Of 300 tables a share of 5 % is known to ± 2.5 points."""
    found = [fairness_of(np.random.default_rng([2, seed]), sizes) for seed in range(300)]
    for name in ("difference", "conditional"):
        assert np.mean([getattr(one, name).p < 0.05 for one in found]) <= 0.075


def test_a_small_group_that_differs_is_seen() -> None:
    found = [fairness_of(np.random.default_rng([3, seed]), (60, 30, 12, 12), 1.5) for seed in range(100)]
    assert np.mean([one.difference.p < 0.05 for one in found]) >= 0.85
