"""What may be asked of a comparison: margins, every two systems, other adjustments and tests; and who may be best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.results import Row
from adjudge.inference.differences.paired_shares import PairedShares, mcnemar, newcombe_paired, not_worse_p
from adjudge.inference.many.multiplicity import benjamini_hochberg, holm

SYSTEMS = ["old", "new", "same", "worst"]


def labels(n: int = 300, seed: int = 5) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)

    def guess(right: float) -> list[str]:
        return ["ny"[code] for code in np.where(rng.random(n) < right, y, 1 - y)]

    old = guess(0.75)
    return {
        "y": ["ny"[code] for code in y],
        "old": old,
        "new": guess(0.86),
        "same": list(old),
        "worst": guess(0.5),
        "part": rng.choice(["a", "b", "c"], n).tolist(),
        "score": y + rng.normal(0, 1, n),
        "person": rng.integers(0, 30, n).tolist(),
    }


def evaluated(**given: Any) -> Any:
    return adjudge.classification(labels(), reference="y", **{"prediction": SYSTEMS, "replicates": 400} | given)


def rows(evaluation: Any, metric: str = "accuracy", **chosen: Any) -> list[Row]:
    wanted = {"slice": "all"} | chosen
    return [r for r in evaluation.table.differences if r.metric == metric and wanted.items() <= _items(r)]


def _items(row: Row) -> Any:
    return {name: getattr(row, name) for name in ("system", "slice", "baseline", "test", "method")}.items()


def counted(first: str, second: str) -> PairedShares:
    table = labels()
    one, two = (np.array(table[name]) == np.array(table["y"]) for name in (first, second))
    return PairedShares(*(int(part.sum()) for part in (one & two, one & ~two, ~one & two, ~one & ~two)))


def test_a_margin_lets_three_things_be_said_with_tangos_p() -> None:
    result = evaluated(prediction=["old", "new"], margin={"accuracy": 0.05})
    claims = {row.test: row for row in rows(result) if row.level < 0.95}
    assert list(claims) == ["not worse by 0.05", "better", "the same within 0.05"]
    pairs = counted("new", "old")
    assert claims["not worse by 0.05"].p == pytest.approx(not_worse_p(pairs, 0.05))
    assert claims["better"].p == pytest.approx(not_worse_p(pairs, 0.0))
    assert claims["the same within 0.05"].p == pytest.approx(
        max(not_worse_p(pairs, 0.05), not_worse_p(pairs.swapped, 0.05))
    )
    assert claims["better"].level == 0.9
    # The limit is beyond the margin exactly when the p-value is small.
    assert (claims["not worse by 0.05"].low >= -0.05) == (claims["not worse by 0.05"].p <= 0.05)


def test_of_a_loss_less_is_better() -> None:
    result = evaluated(prediction=["old", "new"], margin=["error_rate=0.05", "accuracy=0.05"])
    of_errors, of_right = (
        {row.test: row.p for row in rows(result, metric) if row.level < 0.95} for metric in ("error_rate", "accuracy")
    )
    assert of_errors == pytest.approx(of_right)


def test_a_relative_margin_is_of_the_baselines_value() -> None:
    result = evaluated(prediction=["old", "new"], margin={"cohen_kappa": "50%", "accuracy": "90%"})
    claims = {row.test: row.p for row in rows(result, "cohen_kappa") if row.level < 0.95}
    assert claims["not worse by 50 %"] < 0.01
    same = {row.test: row.p for row in rows(result) if row.level < 0.95}
    assert same["the same within 90 %"] < 0.01
    masses = next(panel for panel in result.outcome.panels.tables if panel.title == "How likely a difference matters")
    assert all(sum(part for part in row[3:] if isinstance(part, float)) == pytest.approx(1) for row in masses.rows)


def test_identical_answers_are_the_same_only_as_far_as_rows_say() -> None:
    result = evaluated(prediction=["old", "same"], margin={"cohen_kappa": 0.0001, "accuracy": 0.0001})
    for metric in ("cohen_kappa", "accuracy"):
        claims = {row.test: row.p for row in rows(result, metric) if row.level < 0.95}
        assert claims["the same within 0.0001"] > 0.4
        assert claims["better"] == pytest.approx(0.5)


def test_margin_lines_stand_in_the_forest() -> None:
    result = evaluated(prediction=["old", "new"], margin={"accuracy": 0.02})
    assert result.outcome.panels.forests[0].limits == [-0.02, 0.02]


def test_every_two_systems_are_one_family() -> None:
    every = evaluated(against="all")
    first = [row for row in rows(every) if row.method == "tango"]
    assert len(first) == 6
    assert {row.family for row in first} == {6}
    assert {(row.system, row.baseline) for row in first} >= {("worst", "same"), ("new", "old")}
    for row in first:
        pairs = counted(row.system, str(row.baseline))
        assert row.p == pytest.approx(mcnemar(pairs, mid=True))
        assert row.p_adjusted is not None
        assert row.p_adjusted >= row.p
    by_hand = next(row for row in first if (row.system, row.baseline) == ("new", "old"))
    to_baseline = evaluated().table.find("accuracy", system="new", baseline="old")
    assert (by_hand.estimate, by_hand.low) == (to_baseline.estimate, to_baseline.low)


@pytest.mark.parametrize(("name", "adjust"), [("holm", holm), ("bh", benjamini_hochberg), ("none", np.asarray)])
def test_p_is_adjusted_as_named(name: str, adjust: Any) -> None:
    first = [row for row in rows(evaluated(adjust=name)) if row.method == "tango"]
    assert [row.p_adjusted for row in first] == pytest.approx(adjust([row.p for row in first]).tolist())


def test_other_tests_are_more_rows() -> None:
    result = evaluated(prediction=["old", "new"], tests=["mcnemar", "mcnemar_one_sided", "newcombe"])
    pairs = counted("new", "old")
    told = {row.test: row for row in rows(result)}
    assert told["McNemar's test, exact"].p == pytest.approx(mcnemar(pairs))
    assert told["McNemar's test, exact, better"].p == pytest.approx(mcnemar(pairs, "greater"))
    [newcombe] = rows(result, method="newcombe")
    assert (newcombe.low, newcombe.high) == pytest.approx(newcombe_paired(pairs, 0.95))
    assert result.table.find("accuracy", system="new", baseline="old").method == "tango"


def test_limits_for_all_systems_at_once_are_wider() -> None:
    of_new = {row.method: row for row in rows(evaluated(), system="new")}
    assert of_new["simultaneous"].low < of_new["paired_bootstrap"].low
    assert of_new["simultaneous"].high > of_new["paired_bootstrap"].high


def test_who_may_be_the_best() -> None:
    panel = evaluated().outcome.panels.standings[0]
    assert (panel.metric, panel.better) == ("accuracy", "higher")
    assert [line.system for line in panel.lines] == ["new", "old", "same", "worst"]
    assert [(line.rank_low, line.rank_high) for line in panel.lines] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert [line.letters for line in panel.lines] == ["a", "b", "b", "c"]
    assert [line.may_be_best for line in panel.lines] == [True, False, False, False]
    assert sum(line.probability_best for line in panel.lines) == pytest.approx(1)
    assert len(panel.pairs) == 6
    told = {frozenset((pair.system, pair.baseline)): pair for pair in panel.pairs}
    letters = {line.system: set(line.letters) for line in panel.lines}
    for names, pair in told.items():
        one, two = names
        assert pair.p_adjusted is not None
        assert bool(letters[one] & letters[two]) == (pair.p_adjusted >= 0.05)
    assert told[frozenset(("old", "same"))].p_adjusted == 1


def test_the_lowest_loss_is_best() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(size=200)
    table = {"y": y} | {name: y + rng.normal(0, spread, 200) for name, spread in (("a", 2.0), ("b", 0.5), ("c", 1.0))}
    panels = adjudge.regression(table, reference="y", prediction=["a", "b", "c"], replicates=400).outcome.panels
    error = next(panel for panel in panels.standings if panel.better == "lower")
    assert [line.system for line in error.lines] == ["b", "c", "a"]
    assert error.lines[0].may_be_best
    assert not error.lines[2].may_be_best


def test_slices_that_gain_pay_for_their_number() -> None:
    result = evaluated(prediction=["old", "new"], slices=["part"])
    table = next(panel for panel in result.outcome.panels.tables if panel.title == "Slices that gain and lose")
    raw = [row.p for row in result.table.differences.first_methods() if row.metric == "accuracy" and row.slice != "all"]
    assert sorted(row[7] for row in table.rows) == pytest.approx(sorted(holm(raw).tolist()))
    assert {row[8] for row in table.rows} <= {"gains", "loses", "undecided"}


def test_bounded_means_are_guarded() -> None:
    rng = np.random.default_rng(1)
    relevance = rng.integers(0, 3, 300)
    scores = relevance + rng.normal(0, 1, 300)
    table = {"q": np.repeat(np.arange(50), 6), "rel": relevance, "a": scores, "b": scores + 1}
    row = adjudge.ranking(table, query="q", relevance="rel", score=["a", "b"], at=[5], replicates=200).table.find(
        "ndcg(at=5)", system="b", baseline="a"
    )
    assert row.estimate == 0
    assert row.low < 0 < row.high
    assert row.high == pytest.approx(2.009575 * math.sqrt(2 / (51 * 52)), rel=1e-5)
    assert row.p == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"baseline": "nwe"}, '`baseline` must be one of the systems, not "nwe". Did you mean "new"?'),
        ({"margin": "0.01"}, "`margin` must say of which metric it is, as in accuracy=0.01 or accuracy=1%"),
        ({"margin": ["accuracy"]}, "`margin` must say of which metric it is"),
        ({"margin": {"acuracy": 0.01}}, "accuracy"),
        ({"margin": {"accuracy": 0}}, '`margin` of "accuracy" must be a number above 0'),
        ({"margin": {"accuracy": "-1%"}}, '`margin` of "accuracy" must be a number above 0'),
        ({"margin": {"accuracy": "a bit"}}, '`margin` of "accuracy" must be a number above 0'),
        ({"margin": ["accuracy=1%", "accuracy=2%"]}, "must be given once for each metric"),
        ({"margin": 0.01}, "`margin` must be a dictionary of metrics"),
        ({"against": "everybody"}, '`against` must be one of "baseline", "all", not "everybody".'),
        ({"adjust": "bonferroni"}, '`adjust` must be one of "max_t", "holm"'),
        ({"tests": ["wilcoxen"]}, "`tests` must be one of"),
    ],
)
def test_what_cannot_be_compared_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AdjudgeError) as refused:
        evaluated(**given)
    assert said in str(refused.value)
