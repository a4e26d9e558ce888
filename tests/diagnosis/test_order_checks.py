"""Rows that are not independent, slices with few rows, and of which more is left out: by hand, and by enumeration."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import fisher_exact, hypergeom

import adjudge
from adjudge.data.runs import Runs
from adjudge.diagnosis.checks.order import likeness
from adjudge.diagnosis.checks.slices import chance_of
from adjudge.errors import AdjudgeError

random = np.random.default_rng(20)
ROWS = 600
LABEL = random.integers(0, 2, ROWS)
USER = np.repeat(np.arange(60), 10)
EASY = random.random(60) < 0.5
GUESS = np.where(random.random(ROWS) < np.where(EASY[USER], 0.98, 0.5), LABEL, 1 - LABEL)
MIXED = random.permutation(ROWS)


def found(table: dict[str, Any], task: str = "classification", **asked: Any) -> dict[str, str]:
    e = adjudge.evaluate(table, task, replicates=100, **asked)
    return {f"{check.key} {check.severity}": check.sentence for check in e.checks}


def test_runs_are_expected_as_all_orders_have_them() -> None:
    """All orders of 3 wrong rows among 8."""
    runs = []
    for places in combinations(range(8), 3):
        wrong = np.zeros(8, dtype=bool)
        wrong[list(places)] = True
        runs.append(Runs.of(wrong).runs)
    one = Runs.of(np.array([True] * 3 + [False] * 5))
    assert (one.runs, one.wrong, one.rows) == (2, 3, 8)
    assert one.expected == pytest.approx(np.mean(runs))
    assert one.fewer == pytest.approx((np.mean(runs) - 2 - 0.5) / np.std(runs))


def test_runs_of_parts_are_those_of_the_whole() -> None:
    wrong = random.random(50) < 0.3
    for cut in range(51):
        assert Runs.of(wrong[:cut]) + Runs.of(wrong[cut:]) == Runs.of(wrong)
    assert Runs.of(wrong[:0]).fewer == 0.0


def test_likeness_is_that_of_an_analysis_of_variance() -> None:
    group, wrong = random.integers(0, 7, 60), random.random(60) < 0.4
    parts = [wrong[group == g].astype(float) for g in range(7)]
    sizes = np.array([len(part) for part in parts])
    between = sum(len(p) * (p.mean() - wrong.mean()) ** 2 for p in parts) / 6
    within = sum(((p - p.mean()) ** 2).sum() for p in parts) / (60 - 7)
    size = (60 - (sizes**2).sum() / 60) / 6
    assert likeness(wrong, group).correlation == pytest.approx((between - within) / (between + (size - 1) * within))


def test_likeness_by_chance_has_mean_zero_and_deviation_one() -> None:
    group = np.repeat(np.arange(40), 5)
    drawn = [likeness(random.random(200) < 0.3, group).deviations for _ in range(400)]
    assert abs(np.mean(drawn)) < 0.25
    assert 0.8 < np.std(drawn) < 1.2


def test_what_is_left_out_by_chance_is_fishers_test() -> None:
    for lost, of_level, all_lost, rows in ((5, 20, 9, 200), (9, 20, 9, 200), (1, 3, 2, 10)):
        table = [[lost, of_level - lost], [all_lost - lost, rows - of_level - all_lost + lost]]
        assert chance_of(lost, of_level, all_lost, rows) == pytest.approx(fisher_exact(table, "greater").pvalue)
        assert chance_of(lost, of_level, all_lost, rows) == pytest.approx(
            float(hypergeom.sf(lost - 1, rows, all_lost, of_level))
        )


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_a_column_that_nobody_asked_for_tells_whose_rows_are_alike(engine: str) -> None:
    noise = random.integers(0, 40, ROWS)
    table = {"y": LABEL[MIXED], "p": GUESS[MIXED], "user": [f"u{u}" for u in USER[MIXED]], "noise": noise}
    told = found(table, reference="y", prediction="p", engine=engine)
    assert 'cluster="user"' in told["C15 remark"]
    assert not any(key.startswith("C15") for key in found(table, reference="y", prediction="p", cluster="user"))
    alone = {name: table[name] for name in ("y", "p", "noise")}
    assert not any(key.startswith("C15") for key in found(alone, reference="y", prediction="p", engine=engine))


def test_an_unused_column_that_cannot_be_read_is_no_reason_to_stop() -> None:
    table = {"y": LABEL, "p": GUESS, "odd": [[1, [2]]] * ROWS}
    assert "C15 remark" not in found(table, reference="y", prediction="p")


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_errors_in_stretches(engine: str) -> None:
    told = found({"y": LABEL, "p": GUESS}, reference="y", prediction="p", engine=engine)
    assert "come in stretches" in told["C16 remark"]
    mixed = {"y": LABEL[MIXED], "p": GUESS[MIXED]}
    assert "C16 remark" not in found(mixed, reference="y", prediction="p", engine=engine)
    numbers = {"y": np.sort(random.normal(size=300)), "m": random.normal(size=300) / 9}
    assert "C16 remark" in found(numbers, "regression", reference="y", prediction="m", engine=engine)


def test_a_score_decides_at_its_threshold_and_one_that_is_not_decided_has_no_errors() -> None:
    score = np.where(np.arange(ROWS) < 300, LABEL + 3.0, 4.5 - LABEL)
    asked = {"reference": "y", "score": "s"}
    assert "C16 remark" not in found({"y": LABEL, "s": score}, **asked)
    assert "C16 remark" in found({"y": LABEL, "s": score}, threshold=3.75, **asked)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_one_level_is_left_out_more_than_others(engine: str) -> None:
    part = np.where(np.arange(ROWS) % 4 == 0, "de", "en")
    label = [None if row % 20 == 0 else one for row, one in enumerate(LABEL.tolist())]
    asked = {"reference": "y", "prediction": "p", "slices": ["part"], "engine": engine}
    told = found({"y": label, "p": GUESS, "part": part}, **asked)
    assert told["C7 serious"].startswith('20 % of "de" (part) is left out, 0 % of the rest.')
    evenly = [None if row % 21 == 0 else one for row, one in enumerate(LABEL.tolist())]
    assert "C7 serious" not in found({"y": evenly, "p": GUESS, "part": part}, **asked)


def test_levels_with_few_rows() -> None:
    part = ["rare" if row < 9 else "often" for row in range(ROWS)]
    told = found({"y": LABEL, "p": GUESS, "part": part}, reference="y", prediction="p", slices=["part"])
    assert told["C10 remark"] == '1 slice has fewer than 10 rows, too few to say much: "rare (part)".'


def test_scores_beyond_the_scale_are_counted_and_many_are_serious() -> None:
    human = np.tile(np.arange(1, 7), 40)
    system = human.astype(float)
    system[:4] = (0.4, 9.0, 6.6, 6.4)
    asked = {"raters": "h", "prediction": "m", "min": 1, "max": 6}
    told = found({"h": human, "m": system}, "scoring", **asked)
    assert told["C19 remark"].startswith(
        '1.2 % of the scores of "m" lie outside the scale from 1 to 6 (1 below 1, 2 above 6)'
    )
    assert "C19 serious" in found({"h": human, "m": 2 * system}, "scoring", **asked)


def test_human_scores_that_few_responses_have() -> None:
    human = np.repeat([1, 2, 3, 4], [50, 50, 50, 12])
    told = found({"h": human, "m": human + 0.1}, "scoring", raters="h", prediction="m")
    assert "a human score of 4 (12)" in told["C10 remark"]


def test_copies_of_rounded_scores_and_scores_of_few_steps() -> None:
    score = np.round(random.random(300), 4)
    label = (random.random(300) < score).astype(int)
    again = np.concatenate([np.arange(300), np.arange(60)])
    assert "C5 remark" in found({"y": label[again], "s": score[again]}, reference="y", score="s")
    assert "C5 remark" not in found({"y": label, "s": np.round(score, 2)}, reference="y", score="s")
    leaves = random.random(30)[random.integers(0, 30, 300)]
    assert "C5 remark" not in found({"y": label, "s": leaves}, reference="y", score="s")


def test_many_real_labels_pass_and_names_do_not() -> None:
    labels = np.array([f"class {k}" for k in range(150)])
    truth = random.integers(0, 150, 3000)
    guess = np.where(random.random(3000) < 0.7, truth, random.integers(0, 150, 3000))
    asked = {"reference": "y", "prediction": "p", "metrics": ["accuracy"]}
    assert found({"y": labels[truth], "p": labels[guess]}, **asked).keys() <= {"C10 remark"}
    assert found({"y": truth, "p": guess}, **asked).keys() <= {"C10 remark"}, "numbers of classes are labels too"
    others = np.where(random.random(3000) < 0.4, truth, 1000 + random.integers(0, 300, 3000))
    for odd in (np.round(random.random(3000), 3), others, np.arange(3000) // 1.3):
        with pytest.raises(AdjudgeError, match="must hold labels"):
            found({"y": truth, "p": odd}, **asked)


def test_a_confidence_names_nobody() -> None:
    wrong = LABEL != GUESS
    confidence = np.where(wrong, 0.55, 0.85) + random.integers(0, 30, ROWS) / 100
    told = found({"y": LABEL, "p": GUESS, "confidence": confidence}, reference="y", prediction="p")
    assert not any(key.startswith("C15") for key in told)
    users = found({"y": LABEL, "p": GUESS, "user": (100 * confidence).round()}, reference="y", prediction="p")
    assert "C15 remark" in users
