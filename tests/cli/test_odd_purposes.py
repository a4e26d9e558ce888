"""What a careless purpose asks: refused in a sentence, or left open; never a number that means nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.errors import AdjudgeError

LOG: dict[str, list[Any]] = {
    "ms": [100 + row for row in range(60)],
    "cents": [1 + row % 3 for row in range(60)],
    "right": [int(row % 9 > 0) for row in range(60)],
    "below": [-row for row in range(60)],
    "zero": [0] * 60,
    "one": ["a"] * 60,
    "failures": [int(row == 7) for row in range(60)],
}


def held(requirement: str, log: dict[str, list[Any]] = LOG, **roles: str) -> Any:
    table = {"name": "log", "characteristic": "efficiency", "requirement": [requirement], **roles}
    return adjudge.adequacy({"table": [table]}, {"log": log})


@pytest.mark.parametrize(
    ("requirement", "roles", "said"),
    [
        ("mean_time_between_failures(below, failures) >= 1", {}, "must be 0 or more"),
        ("mean_time_between_failures(ms, below) >= 1", {}, "a whole number from 0 on"),
        ("cost_per_right(cents, ms) <= 2", {}, "must be 1 or 0 in the second column"),
        ("mean(ms) <= inf", {}, "must be a finite number"),
        ("mean(ms) <= nan", {}, "must be a finite number"),
        ("mean(ms) <= 1e400", {}, "must be a finite number"),
        ("robustness_drop(right, right) <= 0.1", {}, "must be different columns"),
        ("pass_hat_k(k=2)(right by right) >= 0.1", {}, "as numbers or as names"),
        ("mean(ms) <= 800", {"weight": "below"}, "must not be negative"),
        ("p95(ms) <= 800", {"weight": "below"}, "must not be negative"),
        ("p95(ms) <= 800", {"weight": "zero"}, "must be above 0 in some rows"),
    ],
)
def test_what_means_nothing_is_refused(requirement: str, roles: dict[str, str], said: str) -> None:
    with pytest.raises(AdjudgeError, match=said):
        held(requirement, **roles)


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdjudgeError, match="must have rows"):
        held("mean(ms) <= 800", {"ms": []})


@pytest.mark.parametrize("requirement", ["p95(ms) <= 800", "mean(ms) <= 800", "success_rate(right) >= 0.1"])
def test_one_cluster_shows_nothing(requirement: str) -> None:
    found = held(requirement, cluster="one")
    assert found.exit_code == 3
    assert "one cluster" in next(iter(found)).why


def test_what_is_only_declared_is_not_fit() -> None:
    said = {"characteristic": "portability", "statement": "runs anywhere", "owner": "us", "date": "2026-01-02"}
    found = adjudge.adequacy({"purpose": {"name": "mail"}, "evidence": [said]})
    assert found.exit_code == 3
    assert not found.passed
    assert "Nothing was judged of mail" in found.to_markdown()


def test_a_weight_of_a_trade_is_not_below_nothing() -> None:
    axes = [{"characteristic": name, "metric": "mean", "column": "{system}", "weight": -1} for name in ("cost", "time")]
    with pytest.raises(AdjudgeError, match="`weight` must be 0 or more"):
        adjudge.tradeoffs({"a": [1, 2], "b": [2, 3]}, ["a", "b"], axes)


def test_a_table_is_named_once_and_a_file_is_text(tmp_path: Path, adjudge_cli: Any) -> None:
    purpose = tmp_path / "purpose.toml"
    purpose.write_bytes(b"[purpose]\nname = '\xe9'\n")
    said = adjudge_cli("adequacy", purpose)
    assert (said.code, "line 2 holds the byte 0xe9" in said.err) == (2, True)
    said = adjudge_cli("adequacy", purpose, "--data", "log=a.csv", "log=b.csv")
    assert (said.code, "named twice" in said.err) == (2, True)
