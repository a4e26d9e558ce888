"""Before a gate is run: the chance of each requirement, what can never pass, and how many rows it takes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.plans import PlannedRequirement
from adjudge.report.gates.plan import GatePlan


def plan(*requirements: object, **given: object) -> GatePlan:
    return adjudge.Gate.of(*requirements).plan(**given)  # type: ignore[arg-type]


def test_what_can_never_pass_is_said_with_exit_code_3() -> None:
    planned = plan("accuracy >= 0.99", rows=200)  # 200 of 200 prove 0.985
    [one] = planned
    assert (one.can_pass, planned.exit_code) == (False, 3)
    assert "not even 200 right of 200" in one.note
    assert planned.headline.startswith("CANNOT PASS with 200 rows")
    assert plan("accuracy >= 0.985", rows=200).exit_code == 0
    allowed = plan({"metric": "accuracy", "at_least": 0.99, "undecided": "allow"}, rows=200)
    assert (next(iter(allowed)).can_pass, allowed.exit_code) == (False, 0), "it stops nothing"


def test_a_gate_that_expects_nothing_is_told_to() -> None:
    planned = plan("accuracy >= 0.9", "f_score[a] of new >= old - 0.01", rows=500)
    assert planned.headline == (
        "Nothing is known yet of 500 rows. Say what to `expect` of 2 requirements, or give a pilot."
    )


def test_chances_and_rows_are_those_of_a_plan_of_one_requirement() -> None:
    [one] = plan({"metric": "accuracy", "at_least": 0.85, "expect": 0.90}, rows=304)
    alone = adjudge.plan("accuracy >= 0.85", expect=0.90, rows=304).table[0]
    assert (one.passed, one.failed) == pytest.approx((alone.passed, alone.failed))
    assert one.passed == pytest.approx(0.8357, abs=1e-4)
    assert one.rows_needed == 304
    assert one.passed + one.inconclusive + one.failed == pytest.approx(1)


def test_every_level_must_pass_each_with_its_own_rows(tmp_path: Path) -> None:
    table = {"y": ["a"] * 500, "l": ["de"] * 400 + ["fi"] * 100}
    [both] = plan({"metric": "accuracy", "every": "l", "at_least": 0.8, "expect": 0.9}, table=table)
    alone = [adjudge.plan("accuracy >= 0.8", expect=0.9, rows=rows).table[0].passed or 0.0 for rows in (400, 100)]
    assert both.units == 100
    assert both.passed == pytest.approx(alone[0] * alone[1])
    [named] = plan({"metric": "accuracy", "slice": "l = fi", "at_least": 0.8, "expect": 0.9}, table=table)
    assert named.passed == pytest.approx(alone[1])
    [few] = plan({"metric": "accuracy", "slice": "l = fi", "at_least": 0.8, "minimum_n": 200}, table=table)
    assert not few.can_pass
    with pytest.raises(AdjudgeError, match="must be a column of the table"):
        plan({"metric": "accuracy", "every": "lang", "at_least": 0.8}, table=table)


def test_pairs_quantiles_and_what_no_plan_is_known_of() -> None:
    pairs, latency, looked, gap = plan(
        {
            "metric": "accuracy",
            "system": "new",
            "versus": "old",
            "margin": 0.02,
            "expect": {"value": 0, "differing": 0.1},
        },
        "p95(milliseconds) <= 800",
        {"metric": "accuracy", "at_least": 0.8, "looks": "any"},
        "gap(accuracy, l) <= 0.1",
        rows=40,
    )
    assert pairs.rows_needed == adjudge.plan("accuracy of new >= old - 0.02", differing=0.1).rows
    assert (latency.can_pass, latency.rows_needed) == (False, 59)
    assert looked.passed is None
    assert "any number of looks" in looked.note
    assert "plan `every` slice instead" in gap.note


def test_without_an_expected_value_the_value_that_would_pass_is_told() -> None:
    [one] = plan("accuracy >= 0.85", rows=304)
    assert one.passes_from == pytest.approx(0.9, abs=0.003)
    assert one.passed is None
    [error] = plan("error_rate <= 0.15", rows=304)
    assert error.passes_from == pytest.approx(0.1, abs=0.003)


def test_planned_looks_are_paid_for() -> None:
    once, often = plan(
        {"metric": "accuracy", "at_least": 0.85, "expect": 0.9},
        {"metric": "accuracy", "at_least": 0.85, "expect": 0.9, "looks": [100, 200, 304]},
        rows=304,
    )
    assert once.passed is not None
    assert often.passed is not None
    assert often.passed <= once.passed
    assert (often.rows_needed or 0) >= (once.rows_needed or 0)


def test_a_pilot_tells_what_is_expected() -> None:
    table = {"y": ["a", "b", "b", "b"] * 50, "p": ["a", "b", "b", "a"] * 50}
    pilot = adjudge.classification(table, reference="y", prediction="p", replicates=100)
    accuracy, recall = plan("accuracy >= 0.6", "recall[a] >= 0.5", rows=200, pilot=pilot)
    assert accuracy.expected == 0.75
    assert recall.units == 50, "a quarter of the rows are of that category"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = tmp_path / "gate.toml"
    gate.write_text('[gate]\nname = "r"\n[[requirement]]\nmetric = "accuracy"\nat_least = 0.99\nexpect = 0.995\n')
    out = tmp_path / "plan.json"
    assert main(["gate", str(gate), "--plan", "--rows", "200", "--json", str(out)]) == 3
    assert capsys.readouterr().out.startswith("CANNOT PASS with 200 rows: accuracy >= 0.99.")
    [one] = json.loads(out.read_text())["requirements"]
    assert one["can_pass"] is False
    assert main(["gate", str(gate), "--plan"]) == 0
    assert "rows are needed to pass" in capsys.readouterr().out
    assert main(["gate", str(gate), "--plan", "--rows", "200", "--strict", "--quiet"]) == 1
    assert main(["gate", str(gate), "--rows", "200"]) == 2
    assert "must come with --plan" in capsys.readouterr().err
    assert main(["gate", str(gate), "--plan", "--junit", str(tmp_path / "a.xml")]) == 2


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"looks": [200, 100]}, "`looks` must be numbers of units that grow"),
        ({"looks": []}, "`looks` must be numbers of units that grow"),
        ({"looks": 0}, '`looks` must be a number from 1 to 50, numbers of units that grow, or "any"'),
        ({"looks": ["a"]}, "`looks` must be a whole number"),
        ({"expect": "high"}, "`expect` must be a number"),
        ({"expect": {"valu": 0.9}}, 'Did you mean "value"'),
        ({"expect": {"value": True}}, "`expect` must be a number"),
        ({"spending": "all"}, "`spending` must be one of"),
        ({"spending": "pocock"}, "`spending` must go with a planned number of `looks`"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_any_data(more: dict[str, object], words: str) -> None:
    with pytest.raises(AdjudgeError) as refused:
        adjudge.Gate.of({"metric": "accuracy", "at_least": 0.9, **more})
    assert words in str(refused.value)


def test_more_rows_than_there_can_be_are_refused() -> None:
    with pytest.raises(AdjudgeError, match="from 1 to 1,000,000,000,000"):
        plan("accuracy >= 0.9", rows=10**21)


def test_a_column_of_slices_without_a_level() -> None:
    table = {"y": ["a", "b"] * 10, "p": ["a", "b"] * 10, "g": [None] * 20}
    gate = adjudge.Gate.of({"metric": "accuracy", "at_least": 0.5, "every": "g", "expect": {"value": 0.8}})
    assert len(gate.plan(table=table).requirements) == 1


@pytest.mark.parametrize(("many", "more"), [(4, ""), (5, " and 1 more"), (9, " and 5 more")])
def test_four_requirements_are_named_and_the_rest_counted(many: int, more: str) -> None:
    never = [PlannedRequirement(f"r{place}", "", rows=100, can_pass=False) for place in range(many)]
    unmet = [replace(one, can_pass=True, expected=0.5) for one in never]
    assert GatePlan("gate", tuple(never)).headline == f"CANNOT PASS with 100 rows: r0, r1, r2, r3{more}."
    assert GatePlan("gate", tuple(unmet)).headline == (
        f"No number of rows is enough: the expected value does not meet r0, r1, r2, r3{more}."
    )
