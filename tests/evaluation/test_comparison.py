"""Two or more systems in one table are compared: paired, adjusted for how many there are, in every task."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import SettingError
from adjudge.inference.differences.paired_shares import PairedShares, mcnemar, tango


def labels(n: int = 400, seed: int = 3) -> dict[str, Any]:
    """A reference and three systems; `old` and `same` say the same."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)

    def guess(right: float) -> list[str]:
        answer = np.where(rng.random(n) < right, y, rng.integers(0, 3, n))
        return [f"c{code}" for code in answer]

    old = guess(0.7)
    return {
        "y": [f"c{code}" for code in y],
        "old": old,
        "new": guess(0.85),
        "same": list(old),
        "part": rng.choice(["a", "b"], n).tolist(),
        "person": rng.integers(0, 25, n).tolist(),
        "weight": rng.uniform(0.5, 2, n),
    }


SYSTEMS = ["old", "new", "same"]


def test_accuracy_is_compared_by_pairs_of_right_and_wrong() -> None:
    table = labels()
    row = adjudge.classification(table, reference="y", prediction=["old", "new"]).table.find(
        "accuracy", system="new", baseline="old"
    )
    right = {name: np.array(table[name]) == np.array(table["y"]) for name in ("old", "new")}
    both, neither = int((right["old"] & right["new"]).sum()), int((~right["old"] & ~right["new"]).sum())
    only_new = int((right["new"] & ~right["old"]).sum())
    pairs = PairedShares(both, only_new, len(table["y"]) - both - neither - only_new, neither)
    assert row.estimate == pytest.approx(right["new"].mean() - right["old"].mean())
    assert (row.low, row.high) == pytest.approx(tango(pairs, 0.95))
    assert (row.method, row.test, row.family) == ("tango", "McNemar's test, mid-p", 1)
    assert row.p == row.p_adjusted == pytest.approx(mcnemar(pairs, mid=True))
    assert row.differing == sum(a != b for a, b in zip(table["old"], table["new"], strict=True))


def test_recall_is_compared_on_the_rows_of_its_label() -> None:
    table = labels()
    result = adjudge.classification(table, reference="y", prediction=["old", "new"]).table
    mine = np.array(table["y"]) == "c1"
    old, new = (np.array(table[name])[mine] == "c1" for name in ("old", "new"))
    pairs = PairedShares(*(int(cell.sum()) for cell in (old & new, new & ~old, old & ~new, ~old & ~new)))
    row = result.find("recall", system="new", category="c1", baseline="old")
    assert (row.low, row.high) == pytest.approx(tango(pairs, 0.95))


def test_the_same_answers_differ_in_nothing_and_are_not_certain() -> None:
    result = adjudge.classification(labels(), reference="y", prediction=SYSTEMS).table
    row = result.find("accuracy", system="same", baseline="old")
    assert (row.estimate, row.differing, row.p, row.p_adjusted) == (0, 0, 1, 1)
    assert row.low < 0 < row.high
    kappa = result.find("cohen_kappa", system="same", baseline="old")
    assert kappa.estimate == 0
    assert kappa.low < 0 < kappa.high
    assert "differ on only 0" in kappa.note


def test_systems_beside_each_other_are_paid_for() -> None:
    result = adjudge.classification(labels(), reference="y", prediction=SYSTEMS).table
    row = result.find("accuracy", system="new", baseline="old")
    assert row.family == 2
    assert row.p_adjusted >= row.p


def test_the_baseline_may_be_named() -> None:
    result = adjudge.classification(labels(), reference="y", prediction=["old", "new"], baseline="new").table
    turned = adjudge.classification(labels(), reference="y", prediction=["old", "new"]).table
    row, other = result.find("accuracy", system="old", baseline="new"), turned.find("accuracy", baseline="old")
    assert (row.estimate, row.low, row.high) == pytest.approx((-other.estimate, -other.high, -other.low))
    with pytest.raises(SettingError, match=r'`baseline` must be one of the systems, not "nwe"\. Did you mean "new"'):
        adjudge.classification(labels(), reference="y", prediction=["old", "new"], baseline="nwe")
    with pytest.raises(SettingError, match="single system"):
        adjudge.classification(labels(), reference="y", prediction="old", baseline="old")


@pytest.mark.parametrize("more", [{"weight": "weight"}, {"cluster": "person"}, {"slices": ["part"]}])
def test_weights_clusters_and_slices(more: dict[str, Any]) -> None:
    table = labels()
    result = adjudge.classification(table, reference="y", prediction=["old", "new"], **more).table
    of_each = result.estimates
    for row in result.differences.first_methods():
        system, baseline = (
            of_each.find(
                row.metric, system=name, slice=row.slice, **({"category": row.category} if row.category else {})
            )
            for name in (row.system, str(row.baseline))
        )
        assert row.estimate == pytest.approx(system.estimate - baseline.estimate, nan_ok=True)
        assert math.isnan(row.low) or row.low <= row.estimate <= row.high
    if "slices" in more:
        assert {row.slice for row in result.differences} == {"all", "part = a", "part = b"}
    else:
        assert result.find("accuracy", system="new", baseline="old").method == "guarded_t"


def test_pairing_makes_intervals_of_alike_systems_short() -> None:
    rng = np.random.default_rng(8)
    y = rng.normal(size=500)
    noise = rng.normal(0, 0.5, 500)
    table = {"y": y, "a": y + noise, "b": y + 0.97 * noise}
    row = adjudge.regression(table, reference="y", prediction=["a", "b"]).table.find("rmse", system="b", baseline="a")
    alone = adjudge.regression(table, reference="y", prediction="a").table.find("rmse")
    assert row.high - row.low < (alone.high - alone.low) / 5
    assert row.high < 0


def test_ranked_lists_are_compared_by_query() -> None:
    rng = np.random.default_rng(4)
    relevance = rng.integers(0, 3, 240)
    table = {
        "q": np.repeat(np.arange(40), 6),
        "rel": relevance,
        "a": relevance + rng.normal(0, 3, 240),
        "b": relevance + rng.normal(0, 0.5, 240),
    }
    row = adjudge.ranking(table, query="q", relevance="rel", score=["a", "b"]).table.find(
        "ndcg(at=5)", system="b", baseline="a"
    )
    assert row.low > 0
    assert (row.method, row.test) == ("johnson", "Johnson's t, paired draws")


def test_scores_are_compared_form_by_form() -> None:
    rng = np.random.default_rng(5)
    human = rng.integers(1, 7, 200)
    table = {"h": human, "one": human + rng.normal(0, 1.5, 200), "two": human + rng.normal(0, 0.3, 200)}
    result = adjudge.scoring(table, raters=["h"], prediction=["one", "two"], min=1, max=6).table
    compared = {(row.system, row.baseline) for row in result.differences}
    assert compared
    assert all(system.replace("two", "one") == baseline for system, baseline in compared)
    assert any(row.metric == "quadratic_weighted_kappa" and row.low > 0 for row in result.differences)


def test_engines_give_the_same_differences() -> None:
    tables = [
        adjudge.classification(labels(), reference="y", prediction=SYSTEMS, slices=["part"], engine=engine).table
        for engine in ("memory", "stream")
    ]
    assert list(tables[0].differences) == list(tables[1].differences)


def test_a_difference_is_shown_first_and_can_be_taken_away(capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = adjudge.classification(labels(), reference="y", prediction=["old", "new"], slices=["part"])
    evaluation.show()
    assert "new is better than old by 9 points" in " ".join(capsys.readouterr().out.split())
    evaluation.show(everything=True)
    assert "Comparison with old" in capsys.readouterr().out
    forest = evaluation.outcome.panels.forests[0]
    assert [line.name for line in forest.lines] == ["new", "part = a", "part = b"] or forest.lines[0].name == "new"
    frame = evaluation.to_pandas()
    assert frame["p_adjusted"].notna().sum() == sum(r.p_adjusted is not None for r in evaluation.table)


def test_one_system_has_no_comparison() -> None:
    evaluation = adjudge.classification(labels(), reference="y", prediction="old")
    assert not list(evaluation.table.differences)
    assert not any("Comparison" in forest.title for forest in evaluation.outcome.panels.forests)


def test_a_saved_comparison_comes_back(tmp_path: Any) -> None:
    evaluation = adjudge.classification(labels(), reference="y", prediction=["old", "new"])
    evaluation.save(tmp_path / "two.adjudge")
    again = adjudge.load(tmp_path / "two.adjudge").table
    assert [repr(row) for row in again] == [repr(row) for row in evaluation.table]


def test_figures_of_weighted_labels_differ_by_the_guarded_t() -> None:
    """Few heavy rows hold most of what two systems differ by: draws of them reach too short a way."""
    random = np.random.default_rng(4)
    yes = random.random(120) < 0.4
    table = {"y": np.where(yes, "a", "b"), "w": np.where(np.arange(120) < 7, 12.0, 1.0)}
    for name in ("m", "s"):
        table[name] = np.where(yes == (random.random(120) < 0.8), "a", "b")
    settings = {"reference": "y", "prediction": ["m", "s"], "metrics": ["cohen_kappa"], "replicates": 300}
    found = list(adjudge.classification(table, weight="w", **settings).table.differences)
    assert (found[0].method, found[0].test) == ("guarded_t", "guarded t")
    assert "paired_bootstrap" in {row.method for row in found}
    plain = list(adjudge.classification({k: table[k] for k in ("y", "m", "s")}, **settings).table.differences)
    assert plain[0].method == "paired_bootstrap"
