"""Plans: golden numbers through the front door, pilots, refusals and files."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError

# decisions F.1 and F.2: exhaustive search (scipy), R's power.prop.test and power.t.test, Connor 1987, Clopper–Pearson
GOLDEN: list[tuple[str, dict[str, Any], int]] = [
    ("accuracy >= 0.85", {"expect": 0.90}, 304),
    ("error_rate <= 0.15", {"expect": 0.10}, 304),
    ("accuracy", {"difference": 0.04, "differing": 0.12}, 587),
    ("accuracy", {"difference": -0.04, "differing": 0.12}, 587),
    ("accuracy", {"expect": 0.75, "against": 0.5, "power": 0.9}, 77),
    ("ndcg", {"difference": 0.2, "deviation": 1.0}, 199),
    ("ndcg of new >= old - 0.02", {"difference": 0.0, "deviation": 0.3, "power": 0.9}, 1929),
    ("accuracy of new >= old - 0.02", {"differing": 0.10}, 1546),
    ("accuracy", {"expect": 0.9, "half_width": 0.02}, 868),
    ("accuracy >= 0.95", {"expect": 1.0}, 59),
    ("accuracy >= 0.99", {"expect": 1.0}, 299),
    ("accuracy >= 0.999", {"expect": 1.0}, 2995),
]


@pytest.mark.parametrize(("question", "given", "rows"), GOLDEN)
def test_golden_plans(question: str, given: dict[str, Any], rows: int) -> None:
    assert adjudge.plan(question, **given).rows == rows


def test_what_can_never_pass_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """200 of 200 prove 0.985 (F.2)."""
    planned = adjudge.plan("accuracy >= 0.99", expect=0.995, rows=200)
    assert "It cannot pass: not even 200 right of 200 would prove it." in planned.answer
    assert planned.table[0].passed == 0
    assert main(["plan", "accuracy >= 0.99", "--expect", "0.995", "--rows", "200"]) == 3
    assert "cannot pass" in capsys.readouterr().out


def test_the_exact_power_of_pairs_is_told() -> None:
    assert "80.7 %" in adjudge.plan("accuracy", difference=0.04, differing=0.12).answer


def test_how_often_systems_differ_may_be_unknown() -> None:
    planned = adjudge.plan("accuracy of new >= old - 0.02")
    assert [row.rows for row in planned.table] == [310, 773, 1546, 3092]
    assert planned.answer.startswith("It depends")


def test_clusters_and_parts_multiply() -> None:
    alone = adjudge.plan("recall[spam] >= 0.8", expect=0.9)
    part = adjudge.plan("recall[spam] >= 0.8", expect=0.9, part=0.1)
    assert "rows that the metric counts are meant" in str(alone)
    assert "rows that the metric counts are meant" not in str(part)
    both = adjudge.plan("recall[spam] >= 0.8", expect=0.9, part=0.1, cluster_size=20, correlation=0.3)
    assert alone.rows is not None
    assert part.rows == 10 * alone.rows
    assert both.rows == 67 * alone.rows
    assert both.table[0].clusters == -(-67 * alone.rows // 20)


def test_at_least_ten_clusters_and_of_a_requirement_as_many_as_a_gate_asks_for() -> None:
    planned = adjudge.plan("accuracy >= 0.5", expect=0.95, cluster_size=50, correlation=0.0)
    assert planned.rows == 1500
    assert planned.table[0].clusters == 30
    alone = adjudge.plan("accuracy", expect=0.95, cluster_size=50, correlation=0.0, half_width=0.1)
    assert (alone.rows, alone.table[0].clusters) == (500, 10)


def test_every_slice_passes_together() -> None:
    planned = adjudge.plan("every language: accuracy >= 0.8", expect=0.85, slices=20)
    first = planned.table[0]
    assert first.passed is not None
    assert first.passed**20 >= 0.8
    assert first.rows == 20 * (first.units or 0)
    uneven = adjudge.plan("every language: accuracy >= 0.8", expect=0.85, slices=20, smallest=0.01)
    assert uneven.rows == 100 * (first.units or 0)


def test_both_neighbours_are_shown() -> None:
    table = adjudge.plan("accuracy >= 0.9", expect=0.94).table
    assert [row.assumption for row in table][-2:] == ["expect 0.93", "expect 0.95"]
    assert (table[-2].rows or 0) > (table[0].rows or 0) > (table[-1].rows or 0)


def test_between_two_bounds_takes_more_than_one() -> None:
    with pytest.raises(AdjudgeError):
        adjudge.plan("accuracy >= 0.8 and <= 0.9", expect=0.85)
    same = adjudge.plan("accuracy of new >= old - 0.02", difference=0.0, differing=0.1)
    assert same.rows == 1546


@pytest.fixture(scope="module")
def pilot() -> dict[str, list[str]]:
    random = np.random.default_rng(5)
    label = random.choice(["ham", "spam"], 200, p=[0.7, 0.3])
    other = np.where(label == "spam", "ham", "spam")
    systems = {name: np.where(random.random(200) < right, label, other) for name, right in (("a", 0.88), ("b", 0.97))}
    return {"label": label.tolist(), **{name: said.tolist() for name, said in systems.items()}}


ROLES: dict[str, Any] = {"reference": "label", "prediction": ["a", "b"], "positive": "spam"}


def test_from_an_evaluation(pilot: dict[str, list[str]], tmp_path: Path) -> None:
    evaluation = adjudge.classification(pilot, **ROLES)
    planned = adjudge.plan("f_score[spam] of a >= 0.7", pilot=evaluation)
    assert planned.rows is not None
    saved = evaluation.save(tmp_path / "pilot.adjudge")
    assert adjudge.plan("f_score[spam] of a >= 0.7", pilot=saved).records() == planned.records()
    row = evaluation.table.find("f_score", system="a", category="spam")
    # n solves √n (estimate − 0.7) = (z₀.₉₅ + z₀.₈) usual / z₀.₉₇₅ + further / √n, in terms of 200 rows.
    usual, further = (row.high - row.low) / 2, ((row.estimate - row.low) - (row.high - row.estimate)) / 2
    gap, both = row.estimate - 0.7, 2.486475 * usual / 1.959964
    root = (both + math.sqrt(both**2 + 4 * gap * further)) / (2 * gap)
    assert further > 0
    assert planned.rows == pytest.approx(200 * root**2, abs=1)


def test_from_a_table_by_simulation(pilot: dict[str, list[str]]) -> None:
    """The simulated chance of a share agrees with the exact one, and the same seed gives the same plan."""
    asked: dict[str, Any] = {"pilot": pilot, "samples": 40, **ROLES}
    planned = adjudge.plan("accuracy of a >= 0.8", rows=300, **asked)
    truth = float(np.mean(np.array(pilot["label"]) == np.array(pilot["a"])))
    exact = adjudge.plan("accuracy >= 0.8", expect=truth, rows=300)
    assert planned.table[0].passed == pytest.approx(exact.table[0].passed, abs=0.2)
    assert planned.records() == adjudge.plan("accuracy of a >= 0.8", rows=300, **asked).records()


def test_a_chance_that_all_tables_show_is_known_to_one_table(pilot: dict[str, list[str]]) -> None:
    """All of 20 pass: the standard error is that of one that does not, 1 / 20."""
    [row] = adjudge.plan("accuracy of b >= 0.5", rows=60, pilot=pilot, samples=20, **ROLES).table
    assert (row.passed, row.note) == (1.0, "20 tables drawn from the pilot; standard error of a chance 0.05")


def test_two_systems_by_simulation(pilot: dict[str, list[str]]) -> None:
    planned = adjudge.plan("f_score[spam] of b >= a", pilot=pilot, samples=20, **ROLES)
    assert planned.rows is not None
    assert 10 < planned.rows < 400
    assert len({row.units for row in planned.table}) == len(planned.table) > 2
    assert "20 tables drawn from the pilot" in planned.answer


def test_clusters_are_drawn_whole(pilot: dict[str, list[str]]) -> None:
    grouped = {**pilot, "user": [f"u{row // 5}" for row in range(200)]}
    planned = adjudge.plan(
        "accuracy of a >= 0.8", pilot=grouped, samples=20, rows=500, cluster="user", id="user", **ROLES
    )
    assert planned.table[0].clusters == 100
    assert planned.table[0].rows == 500


def test_queries_are_drawn_whole() -> None:
    random = np.random.default_rng(1)
    table = {
        "q": np.repeat(np.arange(40), 5).tolist(),
        "rel": random.integers(0, 3, 200).tolist(),
        "m": random.random(200).tolist(),
    }
    planned = adjudge.plan(
        "ndcg(at=5)", half_width=0.05, pilot=table, samples=20, task="ranking", query="q", relevance="rel", score="m"
    )
    assert planned.table[0].units == planned.table[0].rows
    assert planned.table[0].half_width == pytest.approx(0.05, abs=0.012)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("accuracy", {"expect": 0.9}, "must be asked something"),
    ("accuracy >= 0.9", {}, "`expect` must be given"),
    ("accuracy >= 0.9", {"expect": 1.5}, "from 0 to 1"),
    ("accuracy >= 0.9", {"expect": "high"}, "`expect` must be a number"),
    ("accuracy >= 0.9", {"expect": float("nan")}, "`expect` must be a number"),
    ("ndcg", {"difference": 0.02, "deviation": 30}, "`deviation` must be at most 1"),
    ("ndcg", {"expect": 0.5, "half_width": 0.02, "deviation": 0.6}, "`deviation` must be at most 0.5"),
    ("every x: accuracy >= 0.8", {"expect": 0.85, "slices": 20, "smallest": 0.9}, "`smallest` must be at most 1 / 20"),
    ("accuracy >= 0.9", {"expect": 0.95, "power": 1.0}, "`power` must lie between 0 and 1"),
    ("accuracy", {"expect": 0.9, "half_width": 0}, "`half_width` must be a number above 0"),
    ("accuracy >= 0.9", {"expect": 0.95, "rows": 0}, "`rows` must be a whole number"),
    ("accurcy >= 0.9", {"expect": 0.95}, 'Did you mean "accuracy"'),
    ("accuracy > 0.9", {"expect": 0.95}, "use >="),
    ("f_score[spam] >= 0.8", {"expect": 0.9}, "has no formula to plan with"),
    ("roc_auc[spam] >= 0.8", {"expect": 0.9}, "`part` must be given"),
    ("ndcg >= 0.5", {"expect": 0.6}, "`deviation` must be given"),
    ("accuracy", {"difference": 0.1, "differing": 0.05}, "`differing` must be at least the difference"),
    ("accuracy", {"difference": 0.0, "differing": 0.05}, "must be expected to differ"),
    ("every language: accuracy >= 0.8", {"expect": 0.9}, "`slices` must say how many"),
    ("accuracy >= 0.8", {"expect": 0.9, "slices": 3}, "must go with a requirement of `every`"),
    ("accuracy >= 0.8", {"expect": 0.9, "cluster_size": 3}, "must be given together"),
    ("accuracy >= 0.8", {"expect": 0.9, "color": 3}, "A plan takes no"),
    ("gap(accuracy, gender) <= 0.05", {"expect": 0.02}, "plan `every` slice instead"),
    ("", {}, "must be asked a requirement or a metric"),
    ("cost_per_right(cost, right) <= 3", {"expect": 2.0}, "has no formula to plan with"),
]


@pytest.mark.parametrize(("question", "given", "told"), REFUSED)
def test_refusals(question: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(AdjudgeError, match=None) as caught:
        adjudge.plan(question, **given)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_wrong_side_is_an_answer() -> None:
    planned = adjudge.plan("accuracy >= 0.9", expect=0.85)
    assert planned.rows is None
    assert "with more rows it would more likely fail" in planned.answer


def test_a_plan_without_a_number_prints_no_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    adjudge.plan("accuracy >= 0.9", expect=0.85).show()
    printed = capsys.readouterr().out
    assert "No number of rows is enough" in printed
    assert "assumption" not in printed


def test_a_truth_so_near_that_millions_are_needed_is_not_called_the_wrong_side() -> None:
    for question, given in (
        ("accuracy >= 0.9", {"expect": 0.9001}),
        ("mean_absolute_error", {"difference": 0.002, "deviation": 30}),
    ):
        planned = adjudge.plan(question, **given)
        assert planned.rows is None
        assert "more than 5,000,000 units" in planned.answer
        assert "fail" not in planned.answer


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {form: tmp_path / f"plan.{form}" for form in ("json", "csv", "markdown")}
    options = [word for form, path in names.items() for word in (f"--{form}", str(path))]
    assert main(["plan", "accuracy >= 0.9", "--expect", "0.93", *options]) == 0
    assert capsys.readouterr().out.startswith("593 rows: if accuracy is 0.93")
    document = json.loads(names["json"].read_text())
    assert document["plan"][0]["rows"] == 593
    rows = list(csv.DictReader(io.StringIO(names["csv"].read_text())))
    assert rows[0]["rows"] == "593"
    assert rows[0]["method"] == "clopper_pearson"
    assert names["markdown"].read_text().startswith("# Plan: accuracy &gt;= 0.9\n\n593 rows")


def test_the_command_takes_a_pilot(
    pilot: dict[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("label,a,b\n" + "".join(f"{x},{y},{z}\n" for x, y, z in zip(*pilot.values(), strict=True)))
    roles = ["--task", "classification", "--reference", "label", "--prediction", "a", "b", "--positive", "spam"]
    command = ["plan", "f_score[spam] of a >= 0.7", "--pilot", str(path), "--samples", "20", "--rows", "100", *roles]
    assert main(command) == 0
    assert "20 tables drawn" in capsys.readouterr().out
    assert main(["plan", "accuracy of a >= 0.7", "--pilot", str(path), *roles[2:]]) == 2
    assert "`--task` must say" in capsys.readouterr().err
    assert main(["plan", "accuracy >= 0.9", "--expect", "0.93", "--colour", "red"]) == 2
    assert "--colour" in capsys.readouterr().err
    assert main(["plan", "accuracy of a >= 0.7", "--pilot", str(path), "--json", str(path), *roles]) == 2
    assert "a file of its own" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("question", "given", "rows"),
    [
        # The rule of order statistics, ln α / ln p: 59 and 299 (decisions.json, latency_percentiles).
        ("p95(ms) <= 800", {"expect": 1.0}, 59),
        ("p99(ms) <= 800", {"expect": 1.0}, 299),
        # The exact binomial test that "at least 0.85" takes if 0.90 is true (plan_binomial_gate).
        ("quantile(0.85)(ms) <= 800", {"expect": 0.90}, 304),
        # By scipy's chi2.ppf: 3 failures pass in 200 · χ²₀.₉₅(8) / 2 = 1550.7 hours, 4 in 1830.7; the power of 80 %
        # holds from there on: P(Poisson(1830 / 700) ≤ 3) = .73, P(Poisson(2102 / 700) ≤ 4) = .82.
        ("mean_time_between_failures(hours, failures) >= 200", {"expect": 700.0}, 1831),
        # Our own: by Student's test 127, of which 74 % of 600 gamma distributed tables pass.
        ("mean(cents) <= 2", {"expect": 1.8, "deviation": 0.9}, 165),
    ],
)
def test_columns_are_planned_by_the_limits_that_judge_them(question: str, given: dict[str, float], rows: int) -> None:
    assert adjudge.plan(question, **given).rows == rows


@pytest.mark.parametrize("metric", ["judge_assisted_mean", "accuracy"])
def test_a_judge_saves_labels_in_a_plan_as_its_correlation_says(metric: str) -> None:
    alone = adjudge.plan(f"{metric} >= 0.8", expect=0.85, judge_correlation=0.0, judged=2_000).rows
    helped = adjudge.plan(f"{metric} >= 0.8", expect=0.85, judge_correlation=0.8, judged=10**9).rows
    assert helped / alone == pytest.approx(1 - 0.8**2, rel=0.03), "1 − ρ² where the judge sees very many rows"
    with pytest.raises(AdjudgeError, match="`judge_correlation` and `judged` must be given together"):
        adjudge.plan(f"{metric} >= 0.8", expect=0.85, judged=100)


def test_a_metric_that_a_judge_helps_with_is_planned_with_its_judge() -> None:
    with pytest.raises(AdjudgeError, match="`judge_correlation` must be given"):
        adjudge.plan("judge_assisted_mean >= 0.8", expect=0.85)
