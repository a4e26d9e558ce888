"""The cheapest threshold, by `costs` of classification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.written import csv_file

import adjudge
from adjudge.cli.main import main

COSTS = {"fp": 1, "fn": 5}


def table(rows: int = 300) -> dict[str, list[Any]]:
    r = np.random.default_rng(8)
    spam = r.random(rows) < 0.3
    return {
        "label": np.where(spam, "spam", "ham").tolist(),
        "a": np.clip(0.5 * spam + 0.5 * r.random(rows), 0, 1).round(2).tolist(),
        "b": np.clip(0.2 * spam + 0.8 * r.random(rows), 0, 1).round(2).tolist(),
        "weight": r.integers(1, 4, rows).tolist(),
        "person": (np.arange(rows) // 5).tolist(),
    }


def evaluated(given: Any = None, **asked: Any) -> Any:
    asked = {"reference": "label", "score": "a", "positive": "spam", "costs": COSTS, "replicates": 200} | asked
    return adjudge.classification(given or table(), **asked)


def cheapest(result: Any, place: int = 0) -> dict[str, Any]:
    return dict(result.panels["The cheapest threshold"].records()[place])


def test_the_cheapest_threshold_is_that_of_a_walk_over_all() -> None:
    rows = table()
    spam, score = np.array(rows["label"]) == "spam", np.array(rows["a"])
    by_hand = {t: float(np.mean(np.where(score >= t, ~spam, 5 * spam))) for t in sorted(set(rows["a"]))}
    found = cheapest(evaluated())
    assert found["here"] == pytest.approx(min(by_hand.values()))
    assert by_hand[found["threshold"]] == pytest.approx(found["here"])
    assert found["cost there"] == pytest.approx(float(np.mean(np.where(score >= 0.5, ~spam, 5 * spam))))
    assert found["low"] < found["elsewhere"] < found["high"]
    assert found["here"] < found["elsewhere"]
    for row in evaluated().panels["Expected cost by threshold"].records():
        assert row["y"] == pytest.approx(by_hand[row["x"]])
        assert row["low"] <= row["y"] <= row["high"]


def test_the_decision_curve_has_both_lines() -> None:
    rows = table()
    spam, score = np.array(rows["label"]) == "spam", np.array(rows["a"])
    lines = {(row["series"], round(row["x"], 2)): row["y"] for row in evaluated().panels["Decision curve"].records()}
    assert lines["a", 0.2] == pytest.approx((spam & (score >= 0.2)).mean() - (~spam & (score >= 0.2)).mean() / 4)
    assert lines["taking all", 0.2] == pytest.approx(spam.mean() - (~spam).mean() / 4)
    assert lines["taking none", 0.2] == 0


def test_two_systems_are_paired() -> None:
    result = evaluated(score=["a", "b"])
    [row] = result.panels["Differences in cost"].records()
    assert (row["system"], row["baseline"]) == ("b", "a")
    assert row["difference"] == pytest.approx(cheapest(result, 1)["elsewhere"] - cheapest(result)["elsewhere"])
    assert 0 < row["low"] < row["difference"] < row["high"]


def test_weights_and_clusters() -> None:
    rows = table()
    repeated = {name: np.repeat(values, rows["weight"]).tolist() for name, values in rows.items()}
    weighed, longer = cheapest(evaluated(weight="weight")), cheapest(evaluated(repeated))
    assert weighed["here"] == pytest.approx(longer["here"])
    assert weighed["high"] - weighed["low"] > longer["high"] - longer["low"]
    together = cheapest(evaluated(repeated, cluster="person"))
    assert together["here"] == pytest.approx(longer["here"])
    assert together["high"] - together["low"] > longer["high"] - longer["low"]


def test_streamed_from_a_file(tmp_path: Path) -> None:
    csv_file(tmp_path / "t.csv", table())
    assert cheapest(evaluated(str(tmp_path / "t.csv"), engine="stream")) == cheapest(evaluated())


def test_scores_that_are_no_probabilities_have_no_decision_curve() -> None:
    rows = table()
    result = evaluated(rows | {"a": [10 * score for score in rows["a"]]}, threshold=5.0)
    assert cheapest(result)["here"] == pytest.approx(cheapest(evaluated())["here"])
    assert "Decision curve" not in result.panels


def test_nothing_to_choose_between() -> None:
    rows = table()
    alone = cheapest(evaluated(rows | {"label": ["ham"] * 300}))
    assert alone["threshold"] is None
    assert alone["here"] == 0
    assert "The cheapest threshold" not in evaluated(costs=None).panels


def test_the_first_screen_and_the_page_say_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    csv_file(tmp_path / "t.csv", table())
    words = f"classification {tmp_path}/t.csv --reference label --score a b --positive spam --costs fp=1 fn=5"
    assert main([*words.split(), "--replicates", "200", "--html", f"{tmp_path}/page.html"]) == 0
    assert "cheapest from" in capsys.readouterr().out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for title in ("What decisions cost", "Expected cost by threshold", "Decision curve", "The cheapest threshold"):
        assert title in page
    assert "--costs fp=1 fn=5" in page  # the command that makes it again


def test_the_cost_curve_is_the_lower_envelope_of_all_thresholds_and_no_better_than_both_trivial_ones() -> None:
    rows = evaluated().panels["Cost curve"].records()
    lines = [row for row in rows if not str(row["series"]).startswith("taking")]
    by_share = {round(row["x"], 2): row for row in lines}
    assert by_share[0.0]["y"] == by_share[1.0]["y"] == 0.0, "taking none, or all, errs in nothing there"
    assert all(row["low"] <= row["y"] <= row["high"] for row in lines)
    assert by_share[0.5]["y"] < 0.5
