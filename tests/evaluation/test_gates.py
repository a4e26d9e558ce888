"""Gates: what each verdict needs, and the laws that no verdict breaks."""

from __future__ import annotations

import datetime
import sys
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError, SettingError
from adjudge.evaluation.gates.file import evidence_verdicts, gate_of
from adjudge.evaluation.gates.judging import Looks
from adjudge.evaluation.gates.requirement_scope import levels_of
from adjudge.evaluation.gates.requirement_text import parsed, written
from adjudge.evaluation.gates.requirements import Requirement

LINES = [
    "accuracy >= 0.85",
    'recall[spam] >= 0.9 where language = "de de"',
    "accuracy of new >= old - 0.01",
    "accuracy of new >= old + 2%",
    "log_loss of new <= old + 0.01",
    "every language: accuracy >= 0.8",
    'every "my language": recall["a b"] of "my system" >= 0.8',
    "gap(accuracy, gender) <= 0.05",
    "gap(recall[spam], gender) <= 0.05",
    "p95(latency_ms) <= 800",
    "mean(latency_ms) <= 300",
    "accuracy between 0.8 and 0.9",
    "accuracy of new within 0.01 of old",
    "negative_flip_rate of new against old <= 0.01",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_back(line: str) -> None:
    once = parsed(line)
    assert parsed(written(once)) == once


def answers(right: int, rows: int, label: str = "a") -> tuple[list[str], list[str]]:
    return [label] * rows, [label] * right + ["wrong"] * (rows - right)


def table(**levels: tuple[int, int]) -> dict[str, list[str]]:
    """Rows of several levels, of each so many right of so many."""
    columns: dict[str, list[str]] = {"label": [], "guess": [], "level": []}
    for name, (right, rows) in levels.items():
        label, guess = answers(right, rows)
        columns["label"] += label
        columns["guess"] += guess
        columns["level"] += [name] * rows
    return columns


def judged(data: dict[str, Any], *requirements: Any, **given: Any) -> adjudge.Verdicts:
    roles = {"reference": "label", "prediction": "guess", "metrics": "accuracy", "replicates": 200, **given}
    return adjudge.Gate.of(*requirements).run(data, **roles)


def test_the_four_verdicts_and_their_codes() -> None:
    assert judged(table(x=(190, 200)), "accuracy >= 0.9").exit_code == 0
    assert judged(table(x=(150, 200)), "accuracy >= 0.9").exit_code == 1
    assert judged(table(x=(182, 200)), "accuracy >= 0.9").exit_code == 3
    nothing = judged(table(x=(190, 200)), {"metric": "accuracy", "at_least": 0.9, "when": "level = z"})
    assert [one.verdict for one in nothing] == ["not applicable"]
    assert nothing.exit_code == 3


def test_fewer_units_than_asked_for_decide_nothing() -> None:
    for right in (29, 0):
        [verdict] = judged(table(x=(right, 29)), "accuracy >= 0.5")
        assert verdict.verdict == "inconclusive"
        assert "29" in verdict.why
    [verdict] = judged(table(x=(29, 29)), {"metric": "accuracy", "at_least": 0.5, "minimum_n": 0})
    assert verdict.verdict == "passed"


def test_every_level_by_itself() -> None:
    rows = table(good=(200, 200), few=(10, 10), bad=(100, 200))
    verdicts = judged(rows, "every level: accuracy >= 0.9")
    [verdict] = verdicts
    assert {leaf.slice: leaf.verdict for leaf in verdict.levels} == {
        "level = good": "passed",
        "level = few": "inconclusive",
        "level = bad": "failed",
    }
    assert verdict.verdict == "failed"
    assert verdicts.exit_code == 1
    warned = judged(table(good=(200, 200), few=(10, 10)), "every level: accuracy >= 0.9")
    assert [one.verdict for one in warned] == ["inconclusive"]
    assert warned.exit_code == 0, "undecided levels are a warning unless told otherwise"
    blocked = judged(
        table(good=(200, 200), few=(10, 10)),
        {"metric": "accuracy", "every": "level", "at_least": 0.9, "undecided": "block"},
    )
    assert blocked.exit_code == 3


def test_failing_pays_for_the_number_of_requirements_and_passing_does_not() -> None:
    rows = table(x=(171, 200))  # p = 0.036 of 0.9 or more: below 0.05 alone, not among many
    [alone] = judged(rows, "accuracy >= 0.9")
    assert alone.verdict == "failed"
    many = judged(rows, *["accuracy >= 0.9"] * 5)
    assert {one.verdict for one in many} == {"inconclusive"}
    assert all(one.p_failed_adjusted == pytest.approx(5 * one.p_failed) for one in many if one.p_failed)
    assert (
        judged(table(x=(187, 200)), *["accuracy >= 0.9"] * 5).passed
        == judged(table(x=(187, 200)), "accuracy >= 0.9").passed
    )


def test_a_gap_is_of_all_pairs_at_once() -> None:
    [near] = judged(table(a=(950, 1000), b=(940, 1000), c=(945, 1000)), "gap(accuracy, level) <= 0.05")
    assert near.verdict == "passed"
    assert near.estimate == pytest.approx(0.01)
    [far] = judged(table(a=(950, 1000), b=(800, 1000)), "gap(accuracy, level) <= 0.05")
    assert far.verdict == "failed"
    [few] = judged(table(a=(950, 1000), b=(20, 20)), "gap(accuracy, level) <= 0.5")
    assert few.verdict == "inconclusive"


def test_judging_takes_as_long_for_each_of_many_requirements() -> None:
    def steps_of(number: int) -> int:
        gate = adjudge.Gate.of(*(f"accuracy >= {0.5 + 0.4 * k / number:.5f}" for k in range(number)))
        roles = {"reference": "label", "prediction": "guess", "metrics": "accuracy", "replicates": 200}
        evaluation, steps = gate.evaluate(table(x=(95, 100)), **roles), 0

        def counted(*_: object) -> None:
            nonlocal steps
            steps += 1

        sys.setprofile(counted)
        try:
            gate.judge(evaluation)
        finally:
            sys.setprofile(None)
        return steps

    assert steps_of(240) < 5 * steps_of(60)


def test_what_is_not_there() -> None:
    rows = table(x=(95, 100))
    [absent] = judged(rows, "accuracy >= 0.5 where level = y")
    assert (absent.verdict, absent.why) == ("inconclusive", 'there is no level = y (there are: "x")')
    [misspelled] = judged(table(north=(95, 100)), "accuracy >= 0.5 where level = norht")
    assert misspelled.why == 'there is no level = norht (did you mean "north"?)'
    labels = {"label": ["a"] * 60 + ["b"] * 60, "guess": ["b"] * 120, "level": ["x"] * 60 + ["y"] * 60}
    [never] = judged(labels, "precision[a] >= 0.5")
    assert never.verdict == "inconclusive"
    assert "answers" in never.why
    [each] = judged(labels, "every level: recall[a] >= 0.5")
    assert {leaf.slice: leaf.verdict for leaf in each.levels} == {"level = x": "failed", "level = y": "not applicable"}


def test_must_when_and_reasons() -> None:
    entry = {"metric": "accuracy", "at_least": 0.9, "must": False, "owner": "ann", "reason": "law"}
    verdicts = judged(table(x=(100, 200)), entry, "accuracy >= 0.1")
    assert [one.verdict for one in verdicts] == ["failed", "passed"]
    assert verdicts.exit_code == 0
    assert next(iter(verdicts)).owner == "ann"
    [role] = judged(table(x=(100, 200)), {"metric": "accuracy", "at_least": 0.1, "when": "weight"})
    assert role.verdict == "not applicable"


@pytest.mark.parametrize("when", ["guess = z", "levle", "levle = x", "refernce"])
def test_a_condition_that_can_never_hold_is_refused(when: str) -> None:
    entry = {"metric": "accuracy", "at_least": 0.1, "when": when}
    with pytest.raises(SettingError, match="`when` must name a role, a slice column or a slice"):
        judged(table(x=(100, 200)), entry, slices="level")
    [other] = judged(table(x=(100, 200)), {**entry, "when": "language = de"}, slices="level")
    assert other.verdict == "not applicable"


def test_more_rows_are_told() -> None:
    [verdict] = judged(table(x=(180, 200)), "accuracy >= 0.85")
    assert verdict.verdict == "passed" or verdict.units_needed == 304 - 200
    [verdict] = judged(table(x=(90, 100)), "accuracy >= 0.85")
    assert verdict.units_needed == 304 - 100
    assert verdict.would_pass_at == verdict.limit
    [wrong] = judged(table(x=(84, 100)), "accuracy >= 0.85")
    assert wrong.units_needed is None
    assert "more likely fail" in wrong.why


def two(seed: int = 1, rows: int = 300, loss: float = 0.0) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    label = random.choice(["a", "b"], rows)
    old = np.where(random.random(rows) < 0.9, label, "c")
    new = np.where(random.random(rows) < loss, "c", old)
    return {"label": label, "old": old, "new": new}


SAME: dict[str, Any] = {
    "reference": "label",
    "prediction": ["old", "new"],
    "metrics": "accuracy",
    "replicates": 500,
}
METRICS = ("accuracy", "cohen_kappa", "balanced_accuracy")


@pytest.mark.parametrize("metric", METRICS)
def test_the_same_answers_are_not_certainly_the_same(metric: str) -> None:
    """A system against itself: no difference, an interval with width, better never shown."""
    rows = two()
    better = {"metric": metric, "system": "new", "versus": "old", "claim": "better"}
    not_worse = {"metric": metric, "system": "new", "versus": "old", "margin": 0.1}
    tight = {"metric": metric, "system": "new", "versus": "old", "margin": 1e-6}
    first, second, third = adjudge.Gate.of(better, not_worse, tight).run(rows, **SAME)
    assert first.estimate == 0.0
    assert first.low is not None
    assert first.high is not None
    assert first.low < 0 < first.high
    assert [first.verdict, second.verdict, third.verdict] == ["inconclusive", "passed", "inconclusive"]


def test_the_three_claims_and_relative_margins() -> None:
    rows = two(rows=2_000, loss=0.05)
    entries = [
        {"metric": "accuracy", "system": "new", "versus": "old", "margin": 0.08},
        {"metric": "accuracy", "system": "new", "versus": "old", "margin": 0.02},
        {"metric": "accuracy", "system": "new", "versus": "old", "margin": 0.08, "claim": "same"},
        {"metric": "accuracy", "system": "new", "versus": "old", "claim": "better"},
        {"metric": "accuracy", "system": "new", "versus": "old", "margin": 0.1, "relative": True},
        {"metric": "error_rate", "system": "new", "versus": "old", "margin": 0.08},
        {"metric": "error_rate", "system": "new", "versus": "old", "margin": 0.02},
    ]
    words = [one.verdict for one in adjudge.Gate.of(*entries).run(rows, **SAME)]
    assert words == ["passed", "failed", "passed", "failed", "passed", "passed", "failed"]


@pytest.mark.parametrize("seed", range(2))
def test_passed_and_failed_exclude_each_other_and_a_tighter_bound_never_helps(seed: int) -> None:
    rows = two(seed, 120, 0.1)
    order = {"failed": 0, "inconclusive": 1, "passed": 2}
    for metric in ("accuracy of new", "cohen_kappa of new"):
        bounds = np.linspace(0.5, 0.99, 9)
        words = [
            order[next(iter(adjudge.Gate.of(f"{metric} >= {bound:.3f}").run(rows, **SAME))).verdict]
            for bound in (bounds if metric.startswith("acc") else bounds[::4])
        ]
        assert words == sorted(words, reverse=True)


def test_weights_in_other_units_change_nothing() -> None:
    random = np.random.default_rng(3)
    rows = two(rows=200, loss=0.05) | {"w": random.integers(1, 4, 200).astype(float)}
    gate = adjudge.Gate.of("accuracy of new >= 0.8", "accuracy of new >= old - 0.1", "cohen_kappa of new >= 0.5")
    ones = [(v.estimate, v.low, v.high, v.verdict) for v in gate.run(rows, **SAME, weight="w")]
    tens = [(v.estimate, v.low, v.high, v.verdict) for v in gate.run(rows | {"w": 10 * rows["w"]}, **SAME, weight="w")]
    for one, ten in zip(ones, tens, strict=True):
        assert one[:3] == pytest.approx(ten[:3])
        assert one[3] == ten[3]


def test_a_saved_evaluation_is_judged_later(tmp_path: Any) -> None:
    rows = table(x=(182, 200))
    plain = adjudge.evaluate(rows, reference="label", prediction="guess")
    plain.save(tmp_path / "plain.adjudge")
    later = adjudge.Gate.of("accuracy >= 0.85").judge(adjudge.load(tmp_path / "plain.adjudge"))
    assert later.passed, "a 95 % interval proves at least as much as the gate asks"
    with pytest.raises(AdjudgeError, match="must hold a limit"):
        adjudge.Gate.of({"metric": "accuracy", "at_least": 0.85, "confidence": 0.999}).judge(plain)
    kept = adjudge.evaluate(rows, reference="label", prediction="guess", require="accuracy >= 0.85")
    kept.save(tmp_path / "kept.adjudge")
    again = adjudge.load(tmp_path / "kept.adjudge")
    assert again.outcome.gate == kept.outcome.gate
    assert adjudge.Gate.of("accuracy >= 0.85").judge(again).table[0]["limit"] == kept.outcome.gate.verdicts[0].limit


def test_columns_and_a_judge() -> None:
    random = np.random.default_rng(5)
    rows = {**table(x=(190, 200)), "ms": random.exponential(100, 200), "judge": ["a"] * 200}
    rows["label"] = ["a"] * 60 + [None] * 140
    verdicts = list(
        judged(
            rows,
            "p95(ms) <= 800",
            "mean(ms) <= 150",
            {"metric": "accuracy", "at_least": 0.8, "judge": "judge"},
            "every level: p50(ms) <= 100",
        )
    )
    assert [one.verdict for one in verdicts] == ["passed", "passed", "passed", "passed"]
    assert [one.method for one in verdicts[:3]] == ["order_statistics", "jackknife_hill", "judge_assisted"]
    [few] = judged({**table(x=(40, 40)), "ms": [1.0] * 40}, "p95(ms) <= 800")
    assert few.verdict == "inconclusive"


def test_planned_looks_and_any_number_of_them() -> None:
    planned = Requirement("accuracy", at_least=0.85, looks=4)
    assert [round(level, 5) for level in levels_of(planned)] == sorted(round(level, 5) for level in levels_of(planned))[
        ::-1
    ]
    gate = adjudge.Gate.of({"metric": "accuracy", "at_least": 0.85, "looks": 4})
    evaluation = gate.evaluate(table(x=(182, 200)), reference="label", prediction="guess")
    words = [next(iter(gate.judge(evaluation, looks=Looks({0: k})))).verdict for k in (1, 2, 3, 4, 5)]
    assert words == ["inconclusive", "inconclusive", "passed", "passed", "inconclusive"]
    [often] = judged(table(x=(290, 300)), {"metric": "accuracy", "at_least": 0.85, "looks": "any"})
    assert (often.verdict, often.method) == ("passed", "e_value")
    [once] = judged(table(x=(182, 200)), {"metric": "accuracy", "at_least": 0.85, "looks": "any"})
    assert once.verdict == "inconclusive", "any number of looks asks for more"
    [kappa] = judged(table(x=(182, 200), y=(1, 1)), {"metric": "cohen_kappa", "at_least": 0.1, "looks": "any"})
    assert kappa.verdict == "inconclusive"


def test_other_candidates_on_the_same_rows() -> None:
    gate = adjudge.Gate.of({"metric": "accuracy", "at_least": 0.85, "reuse": "bonferroni"})
    evaluation = gate.evaluate(table(x=(182, 200)), reference="label", prediction="guess")
    assert gate.judge(evaluation).passed
    assert not gate.judge(evaluation, looks=Looks(earlier=13)).passed


def test_evidence_is_declared_and_never_passed() -> None:
    gate = gate_of(
        {
            "gate": {"require": ["portability"]},
            "evidence": [
                {"characteristic": "integrity", "statement": "reviewed", "expires": datetime.date(2027, 1, 1)},
                {"characteristic": "usability", "expires": "2026-01-01", "must": True},
            ],
        }
    )
    verdicts = evidence_verdicts(gate, datetime.date(2026, 11, 16))
    assert [(one.verdict, one.blocks) for one in verdicts] == [
        ("declared", False),
        ("expired", True),
        ("missing", True),
    ]


def test_same_input_same_bytes() -> None:
    rows = two(rows=100, loss=0.1)
    gate = adjudge.Gate.of("cohen_kappa of new >= old - 0.2", "accuracy of new >= 0.5")
    assert gate.run(rows, **SAME).to_json() == gate.run(rows, **SAME).to_json()


def test_clusters_count_as_units() -> None:
    random = np.random.default_rng(2)
    cluster = np.repeat(np.arange(20), 20)
    right = np.repeat(random.random(20) < 0.9, 20)
    rows = {"label": ["a"] * 400, "guess": np.where(right, "a", "b"), "who": cluster.astype(str)}
    [by_rows] = judged(rows, {"metric": "accuracy", "at_least": 0.5, "minimum_n": 10})
    [by_cluster] = judged(rows, {"metric": "accuracy", "at_least": 0.5, "minimum_n": 10}, cluster="who")
    assert by_cluster.method == "korn_graubard"
    assert by_cluster.n == pytest.approx(20, abs=2)
    assert by_cluster.limit is not None
    assert by_rows.limit is not None
    assert by_cluster.limit < by_rows.limit - 0.05
    [few] = judged(rows, "accuracy >= 0.5", cluster="who")
    assert few.verdict == "inconclusive", "20 clusters are fewer than 30"


@pytest.mark.parametrize("metric", ["cohen_kappa", "cohen_kappa(weighting=quadratic)"])
def test_points_of_scores_are_judged_as_the_same_labels_are(metric: str) -> None:
    """Kappa of rounded scores: drawn with imagined responses on which the two differ, as classification draws it."""
    random = np.random.default_rng(5)
    human = random.integers(1, 5, 400)
    old = np.where(random.random(400) < 0.8, human, random.integers(1, 5, 400))
    new = np.where(random.random(400) < 0.02, random.integers(1, 5, 400), old)
    rows = {"human": human, "old": old, "new": new}
    gate = adjudge.Gate.of({"metric": metric, "system": "new", "versus": "old", "margin": 0.05})
    (labels,) = gate.run(rows, **SAME | {"reference": "human", "metrics": metric})
    scores = {"raters": ["human"], "prediction": ["old", "new"], "min": 1, "max": 4, "metrics": metric}
    (points,) = gate.run(rows, task="scoring", replicates=500, **scores)
    assert points.method == labels.method == "paired_bayesian"
    assert (points.low, points.high) == pytest.approx((labels.low, labels.high), abs=1e-12)
    by_weight = {**rows, "w": random.gamma(2.0, 1.0, 400)}  # no cell can be smoothed, and few responses differ
    (weighted,) = gate.run(by_weight, task="scoring", replicates=500, weight="w", **scores)
    assert weighted.verdict == "inconclusive"
    assert "the two differ on only" in weighted.why
