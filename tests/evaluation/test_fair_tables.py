"""Tables without a mistake on which a check once spoke: no chance of many columns, few rows or large numbers is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge


def serious(evaluation: Any) -> list[str]:
    return [f"{check.key}: {check.sentence}" for check in evaluation.checks if check.severity == "serious"]


def test_measurements_of_which_nearly_all_differ() -> None:
    """Where each value stands once, values stand together in any order: C37 took that for a sorted column."""
    for seed in range(10):
        random = np.random.default_rng(seed)
        sizes = random.gamma(6, 5, 60)
        table = {name: np.round(sizes * np.exp(random.normal(0, 0.1, 60)), 2) for name in ("one", "other")}
        table["one"][7] = table["one"][30]  # of the first rater, one value stands twice
        given: dict[str, Any] = {"raters": ["one", "other"], "measurement": "interval", "replicates": 100}
        assert serious(adjudge.agreement(table, **given)) == []


@pytest.mark.parametrize("seed", [4, 10])
def test_the_lowest_point_among_many_raters_who_guess(seed: int) -> None:
    """Of 780 pairs of columns, in one the rows with a 0 look like any other rows: C22 took 0 for a missing value."""
    random = np.random.default_rng(seed)
    random.integers(0, 3, 30)
    answers = random.integers(0, 3, (30, 40))
    names = [f"r{k:02}" for k in range(40)]
    table = dict(zip(names, answers.T, strict=True))
    given: dict[str, Any] = {"raters": names, "measurement": "interval", "replicates": 100}
    assert serious(adjudge.agreement(table, **given)) == []


def amounts(seed: int, spread: float, error: float) -> dict[str, Any]:
    """Amounts that are far larger in a few rows, and predictions that are some share of them off."""
    random = np.random.default_rng(seed)
    sizes = random.normal(size=int(np.exp(random.uniform(np.log(20), np.log(100)))))
    amount = 100 * np.exp(spread * sizes)
    return {"paid": np.round(amount, 2), "told": np.round(amount * np.exp(random.normal(0, error, len(sizes))), 2)}


@pytest.mark.parametrize(("spread", "error"), [(2.0, 1.0), (1.0, 1.0), (1.5, 1.5)])
def test_amounts_of_many_sizes(spread: float, error: float) -> None:
    """A few large rows make the correlation, both spreads and empty steps between ratios: C12 took that for a unit."""
    spoken = [
        serious(adjudge.regression(amounts(seed, spread, error), reference="paid", prediction="told", replicates=100))
        for seed in range(40)
    ]
    assert sum(map(bool, spoken)) == 0, [one for one in spoken if one]


def test_large_amounts_in_rows_next_to_one_another() -> None:
    """Two large numbers, one in each column and in the row after: C37 took their correlation for a shift."""
    random = np.random.default_rng(5)
    paid = random.gamma(3, 10, 120)
    told = paid * np.exp(random.normal(0, 0.5, 120))
    paid[60], told[61] = 40_000.0, 30_000.0
    table = {"paid": np.round(paid, 1), "told": np.round(told, 1)}
    found = adjudge.regression(table, reference="paid", prediction="told", replicates=100).checks
    assert "C37" not in [check.key for check in found]
