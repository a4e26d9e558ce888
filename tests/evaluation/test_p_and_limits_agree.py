"""A law of every difference: p is below 1 − level exactly where its interval leaves out 0, whatever the task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from bench.false_alarms.verdicts import three_systems
from bench.heldout import everyday_comparisons as two

import adjudge
from adjudge.inference.differences.same_verdict import p_by_limits, same_verdict
from adjudge.metrics import parse
from adjudge.metrics.base import Direction

Draw = Callable[[np.random.Generator, int], dict[str, Any]]
LABELS = {"reference": "y", "prediction": ["m", "s"]}
SCORES = {"reference": "y", "score": ["p", "s"], "positive": "yes"}
OF_LABELS = {"accuracy": 0.02, "cohen_kappa": 0.02, "f_score(average=macro)": 0.03}
OF_SCORES = {"roc_auc": 0.02, "log_loss": 0.02, "average_precision": 0.03, "brier_score": 0.01, "f_score": 0.02}
CASES: dict[str, tuple[str, Draw, int, dict[str, Any]]] = {
    "labels": ("classification", two.prompt_changed, 90, LABELS | {"margin": OF_LABELS}),
    "scores": ("classification", two.tails_differ, 90, SCORES | {"margin": OF_SCORES}),
    "weights": ("classification", two.surveyed_twice, 90, SCORES | {"weight": "w", "margin": OF_SCORES}),
    "clusters": ("classification", two.chats, 40, SCORES | {"cluster": "c", "margin": OF_SCORES}),
    "three systems": ("classification", three_systems, 60, {"reference": "y", "prediction": ["m", "s", "t"]}),
    "numbers": ("regression", two.shrunk, 60, LABELS | {"margin": {"rmse": 0.1, "r_squared": 0.02}}),
    "numbers in clusters": ("regression", two.sensors_twice, 25, LABELS | {"cluster": "c"}),
    "essays": (
        "scoring",
        two.sharper_engine,
        60,
        {"raters": ["h1", "h2"], "prediction": ["e", "s"], "min": 1, "max": 4, "zeros": "keep"},
    ),
    "lists": (
        "ranking",
        two.top_three,
        40,
        {"query": "q", "relevance": "rel", "score": ["m", "s"], "margin": {"ndcg(at=10)": 0.02}},
    ),
    "failures": ("failures", two.long_tailed_twice, 30, {"exposure": "hours", "failures": ["f", "s"]}),
}


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("case", CASES)
def test_p_values_and_limits_of_every_difference_say_the_same(case: str, engine: str) -> None:
    """Before it was a law, 37 of 4,826 differences did not: p = .026 beside [−.08, 1.15], .0625 beside [.002, .11]."""
    task, draw, n, roles = CASES[case]
    seen = 0
    for seed in range(3):
        table = draw(np.random.default_rng([n, seed]), n)
        found = adjudge.evaluate(table, task, replicates=200, engine=engine, **roles)
        firsts: dict[tuple[str, ...], adjudge.Row] = {}
        for row in found.table.differences:
            if row.level == 0.95:
                firsts.setdefault((row.metric, row.system, str(row.baseline), row.category), row)
            elif row.p is not None and np.isfinite(row.high - row.low):
                assert (row.p < 0.05) == _shown(row), row
        for row in firsts.values():
            if row.p is not None and np.isfinite(row.high - row.low):
                seen += 1
                assert (row.p < 0.05) == (row.low > 0 or row.high < 0), row
    assert seen >= 3


def _shown(row: adjudge.Row) -> bool:
    """Whether the limits of a claim about a margin say that it is met."""
    low, high = (row.low, row.high) if parse(row.metric).direction is Direction.HIGHER else (-row.high, -row.low)
    claim = str(row.test)
    if claim == "better":
        return low > 0
    margin = float(claim.rpartition(" ")[2])
    return low > -margin and (high < margin or not claim.startswith("the same"))


@pytest.mark.parametrize(
    ("case", "margins"),
    [
        ("labels", OF_LABELS),
        ("scores", OF_SCORES),
        ("clusters", {"accuracy": 0.02, "log_loss": 0.02, "roc_auc": 0.02}),
        ("numbers", {"rmse": 0.1, "mean_absolute_error": 0.1, "r_squared": 0.02}),
        ("lists", {"ndcg(at=10)": 0.02, "mean_reciprocal_rank": 0.02}),
    ],
)
def test_a_margin_is_met_from_where_the_limit_lies_on(case: str, margins: dict[str, float]) -> None:
    """Of margins that are 1 % wider than the limit is away, and 1 % narrower."""
    task, draw, n, roles = CASES[case]
    table = draw(np.random.default_rng([n, 1]), n)

    def claims(given: dict[str, float]) -> dict[str, adjudge.Row]:
        found = adjudge.evaluate(table, task, metrics=list(given), replicates=200, **roles | {"margin": given})
        return {row.metric: row for row in found.table.differences if str(row.test).startswith("not worse")}

    def short_of(row: adjudge.Row) -> float:
        return -row.low if parse(row.metric).direction is Direction.HIGHER else row.high

    away = {metric: short_of(row) for metric, row in claims(margins).items()}
    away = {metric: how_far for metric, how_far in away.items() if how_far > 0}
    assert len(away) >= 2
    for wider, is_met in ((1.01, True), (0.99, False)):
        for metric, row in claims({metric: wider * how_far for metric, how_far in away.items()}).items():
            assert row.p is not None
            assert (row.p < 0.05) is _shown(row) is is_met, metric


def test_four_rows_that_all_speak_for_one_system_are_not_shown_by_either() -> None:
    """McNemar's mid-p of four to nothing is .0625; Tango's interval by itself leaves out 0, as χ² = 4 has p = .0455."""
    truth = ["yes"] * 50 + ["no"] * 50
    first = ["no"] * 4 + truth[4:]
    found = adjudge.classification(
        {"y": truth, "m": first, "s": truth}, reference="y", prediction=["m", "s"], metrics=["accuracy"]
    )
    row = next(row for row in found.table.differences if row.method == "tango")
    assert row.p == pytest.approx(0.0625)
    assert row.low < 0 < row.high


def test_the_more_doubtful_of_two_is_believed() -> None:
    """An end that the p-value says is where the value is as many standard errors from 0 as p has it."""
    p, (low, high) = same_verdict(0.2, 0.1, (0.01, 0.5), 0.95)
    assert (p, high) == (0.1, 0.5)
    assert low == pytest.approx(0.2 * (1 - 1.959964 / 1.644854), abs=1e-6)
    assert same_verdict(-0.2, 0.1, (-0.5, -0.01), 0.95)[1] == pytest.approx((-0.5, -low))
    assert same_verdict(0.2, 0.01, (-0.1, 0.5), 0.95)[0] == pytest.approx(p_by_limits(0.2, (-0.1, 0.5), 0.95))
    assert p_by_limits(0.2, (-0.1, 0.5), 0.95) == pytest.approx(0.1914, abs=1e-4)  # 1.96 × 2/3 standard errors
    for p, ends in ((0.01, (0.1, 0.3)), (0.3, (-0.1, 0.3)), (float("nan"), (0.1, 0.3))):
        assert same_verdict(0.2, p, ends, 0.95)[1] == ends
    assert same_verdict(0.2, 1.0, (0.1, 0.3), 0.95)[1] == (0.0, 0.3)
    assert same_verdict(0.2, 0.999, (0.1, 0.3), 0.95)[1][0] == pytest.approx(-0.2), "no further than limits are apart"
    assert same_verdict(0.0, 0.01, (-0.1, 0.1), 0.95)[0] == 1.0


def test_one_sided_limits_of_areas_are_those_of_their_own_level() -> None:
    """The interval beside a margin is one of 90 %: it was that of 95 % of areas under ROC curves."""
    table = two.tails_differ(np.random.default_rng(4), 150)
    found = adjudge.classification(table, **SCORES, metrics=["roc_auc"], margin={"roc_auc": 0.05}, replicates=200)
    usual = next(row for row in found.table.differences if row.method == "square_and_add" and row.level == 0.95)
    claim = next(row for row in found.table.differences if row.level == 0.9)
    assert claim.method == "square_and_add"
    for end in ("low", "high"):
        ratio = (getattr(claim, end) - claim.estimate) / (getattr(usual, end) - usual.estimate)
        assert ratio == pytest.approx(1.644854 / 1.959964, rel=1e-4)
