"""Columns that something is required of are looked at as those of a task are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError

RANDOM = np.random.default_rng(3)
MS = np.round(RANDOM.lognormal(5.8, 0.3, 400))
CENTS = RANDOM.uniform(0.5, 1.5, 400)
RIGHT = (RANDOM.random(400) < 0.9).astype(int)
HOURS = RANDOM.uniform(100, 200, 60).round(1)
FAILED = RANDOM.poisson(0.2, 60)
WATCHED = "mean_time_between_failures(hours, failed) >= 100"


def said(table: dict[str, Any], requirement: str) -> set[str]:
    purpose = {"table": [{"name": "log", "characteristic": "efficiency", "requirement": [requirement]}]}
    found = adjudge.adequacy(purpose, {"log": {name: list(values) for name, values in table.items()}})
    return {sentence.rpartition("(")[2].rstrip(")") for sentence in found.judgement.checks}


@pytest.mark.parametrize(
    ("ms", "key"),
    [
        (np.where(np.arange(400) < 20, -1, MS), "C22"),
        (1.7e12 + 1000 * np.arange(400), "C34"),
        (np.arange(400), "C34"),
        (np.append(MS[:-1], MS[:-1].sum()), "C32"),
    ],
)
def test_amounts(ms: np.ndarray, key: str) -> None:
    assert key in said({"ms": ms}, "p95(ms) <= 800")


def test_ordinary_amounts_say_nothing() -> None:
    for ms in (MS, np.sort(MS), MS / 1000, np.where(np.arange(400) < 40, 0, MS), RANDOM.integers(-1, 2, 400)):
        assert said({"ms": ms}, "p95(ms) <= 800") == set()


@pytest.mark.parametrize(
    ("hours", "failed", "key"),
    [
        (np.cumsum(HOURS), np.cumsum(FAILED), "C34"),
        (np.where(FAILED > 0, 0, HOURS), FAILED, "C22"),
        (FAILED, np.round(HOURS), "C22"),
    ],
)
def test_times_and_failures(hours: np.ndarray, failed: np.ndarray, key: str) -> None:
    assert key in said({"hours": hours, "failed": failed}, WATCHED)
    assert said({"hours": HOURS, "failed": FAILED}, WATCHED) == set()


def test_costs_below_zero_are_refused() -> None:
    with pytest.raises(AdjudgeError, match="must be 0 or more altogether"):
        said({"cents": -CENTS, "right": RIGHT}, "cost_per_right(cents, right) <= 2")
    assert said({"cents": np.where(RIGHT, CENTS, -CENTS), "right": RIGHT}, "cost_per_right(cents, right) <= 2") == set()


def answers(complaint: int) -> dict[str, Any]:
    """What sixty people say who like it, every second question being a complaint."""
    return {f"q{k + 1}": RANDOM.integers(0, 2, 60) + (complaint if k % 2 else 4) for k in range(10)}


def test_answers_on_usability_that_were_turned_round() -> None:
    required = f"system_usability({', '.join(f'q{k + 1}' for k in range(10))}) >= 40"
    assert "C3" not in said(answers(1), required)
    assert "C3" in said(answers(4), required)


def test_a_running_total_of_amounts_is_remarked() -> None:
    purpose = {"table": [{"name": "log", "characteristic": "efficiency", "requirement": ["p95(ms) <= 800000"]}]}
    found = adjudge.adequacy(purpose, {"log": {"ms": list(MS.cumsum())}})
    assert any(check.key == "C34" for outcome in found.outcomes.values() for check in outcome.checks)
