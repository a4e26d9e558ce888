"""Answers that were sorted, scores that were filled in, weights made of errors: said first, and look-alikes are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import adjudge
from adjudge.data.number_facts import ValueCounts
from adjudge.data.pair_facts import PairFacts
from adjudge.data.table_facts import Pair
from adjudge.diagnosis.checks.moved import labels_sorted_alone

RANDOM = np.random.default_rng(3)
N = 1_500
LABEL = RANDOM.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
GUESS = np.where(RANDOM.random(N) < 0.8, LABEL, RANDOM.choice(["a", "b", "c"], N))
BLIND = RANDOM.permutation(LABEL)
YES = RANDOM.random(N) < 0.3
SCORE = np.clip(0.25 * YES + RANDOM.normal(0.4, 0.2, N), 0.001, 0.999)
SOME = RANDOM.random(N) < 0.2
WORD = np.where(YES, "yes", "no")
DECIDED = np.where(RANDOM.random(N) < 0.8, WORD, np.where(YES, "no", "yes"))


def serious(table: dict[str, Any], engine: str = "memory", **given: Any) -> set[str]:
    found = adjudge.evaluate(table, **given, replicates=100, engine=engine).checks
    return {check.key for check in found if check.severity == "serious"}


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_answers_that_were_sorted_on_their_own(engine: str) -> None:
    roles = {"reference": "y", "prediction": "p"}
    assert serious({"y": LABEL, "p": np.sort(GUESS)}, engine, **roles) == {"C37"}
    assert serious({"y": LABEL, "p": np.sort(GUESS)[::-1]}, engine, **roles) == {"C37"}
    for order in (np.arange(N), np.argsort(GUESS, kind="stable"), np.argsort(LABEL, kind="stable")):
        assert serious({"y": LABEL[order], "p": GUESS[order]}, engine, **roles) == set()
    assert serious({"y": np.sort(LABEL), "p": BLIND}, engine, **roles) == set()  # a guess, and a sorted table
    assert serious({"y": LABEL, "p": BLIND}, engine, **roles) == set()


def test_a_rater_who_was_sorted_on_his_own() -> None:
    grades = RANDOM.integers(1, 6, 300)
    second = np.clip(grades + RANDOM.integers(-1, 2, 300), 1, 5)
    assert "C37" in serious({"a": grades, "b": np.sort(second)}, task="agreement", raters=["a", "b"])
    assert serious({"a": grades, "b": second}, task="agreement", raters=["a", "b"]) == set()


@pytest.mark.parametrize("filled", [0.0, 1.0])
@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_scores_that_were_filled_in_at_an_end(filled: float, engine: str) -> None:
    roles = {"reference": "y", "score": "s", "positive": "yes"}
    assert serious({"y": WORD, "s": np.where(SOME, filled, SCORE)}, engine, **roles) == {"C22"}
    assert serious({"y": WORD, "s": SCORE}, engine, **roles) == set()
    assert serious({"y": WORD, "s": np.clip(2 * SCORE - 0.5, 0, 1)}, engine, **roles) == set()  # cut off at both ends
    sifted = np.where(RANDOM.random(N) < np.where(YES, 0.05, 0.4), 0, SCORE)  # a filter that is right
    assert serious({"y": WORD, "s": sifted}, engine, **roles) == set()


def test_weights_that_were_made_of_the_errors() -> None:
    roles = {"reference": "y", "prediction": "p", "weight": "w"}
    for right, wrong in ((1.0, 10.0), (1.0, 0.1)):
        weights = np.where(WORD == DECIDED, right, wrong)
        assert serious({"y": WORD, "p": DECIDED, "w": weights}, **roles) == {"C25"}
    for weights in (np.where(YES, 3.3, 1.0), np.full(N, 0.3), RANDOM.gamma(2, 1, N)):
        assert serious({"y": WORD, "p": DECIDED, "w": weights}, **roles) == set()


def test_weights_of_more_labels_than_a_table_has_room_for() -> None:
    """Pairs of labels are listed then."""
    names = np.array([f"L{k:03}" for k in RANDOM.integers(0, 300, 1_500)])
    told = np.where(RANDOM.random(1_500) < 0.7, names, RANDOM.permutation(names))
    roles = {"reference": "y", "prediction": "p", "weight": "w", "ok": ["C14"]}
    weights = np.where(names == told, 1.0, 10.0)
    assert "C25" in serious({"y": names, "p": told, "w": weights}, **roles)
    assert "C25" not in serious({"y": names, "p": told, "w": RANDOM.gamma(2, 1, 1_500)}, **roles)


def test_where_a_table_is_cut_makes_no_label_sorted() -> None:
    """Stretches as long as a block look sorted within each of them."""
    table = PairFacts.of_labels(np.repeat([0, 1], 7), np.arange(14) % 2)
    cut = [PairFacts.of_labels(np.full(7, k % 2), RANDOM.integers(0, 2, 7)) for k in range(40)]
    columns = [ValueCounts({"a": 140, "b": 140})] * 2
    assert table.turns == (1.0, 13.0, 1.0)
    assert [*labels_sorted_alone(Pair("y", "p"), sum(cut[1:], cut[0]), columns)] == []


VOTES = np.array(["a", "b", "tie"])[RANDOM.choice(3, 240, p=[0.45, 0.45, 0.1])]
TURNED = {"a": "b", "b": "a", "tie": "tie"}


def test_votes_that_were_swapped_from_some_row_on() -> None:
    same = np.where(RANDOM.random(240) < 0.85, VOTES, "a")
    half = [vote if row < 120 else TURNED[vote] for row, vote in enumerate(same.tolist())]
    found = adjudge.preference({"preferred_text": VOTES, "j": half}, reference="preferred_text", replicates=100)
    assert [check.key for check in found.checks if check.severity == "serious"] == ["C3"]
    assert "in one part of the rows and against it in another" in str(found)
    clean = adjudge.preference({"preferred_text": VOTES, "j": same}, reference="preferred_text", replicates=100)
    assert not [check for check in clean.checks if check.severity == "serious"]


@pytest.mark.parametrize("seed", range(6))
def test_series_that_drift_apart_were_not_turned_round(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    walks = {name: drawn.normal(size=1_500).cumsum() for name in ("y", "p")}
    found = adjudge.regression(walks, reference="y", prediction="p", replicates=100)
    assert "C3" not in [check.key for check in found.checks if "in one part of the rows" in check.sentence]


ENDS = RANDOM.random(240) < 0.5
TOLD = np.where(RANDOM.random(240) < 0.8, ENDS, ~ENDS)


@pytest.mark.parametrize(
    "label", [lambda p: p.astype(int), lambda p: p.astype(float), lambda p: np.where(p, "true", "false")]
)
@pytest.mark.parametrize("change", [lambda p: np.roll(p, 1), np.sort])
def test_labels_meet_by_value_where_their_order_is_looked_at(label: Any, change: Any, tmp_path: Path) -> None:
    answers = label(change(TOLD))
    pq.write_table(pa.table({"y": ENDS, "p": answers}), tmp_path / "t.parquet")
    csv.write_csv(pa.table({"y": ENDS.astype(float), "p": answers}), tmp_path / "t.csv")
    for table in ({"y": ENDS, "p": answers}, tmp_path / "t.parquet", tmp_path / "t.csv"):
        found = adjudge.classification(table, reference="y", prediction="p", replicates=100)
        assert ("C37", "serious") in [(check.key, check.severity) for check in found.checks]


def test_a_score_that_was_sorted_on_its_own_is_remarked() -> None:
    found = adjudge.classification({"y": WORD, "s": np.sort(SCORE)}, reference="y", score="s", replicates=100)
    assert [check.severity for check in found.checks if check.key == "C37"] == ["remark"]
    order = np.argsort(SCORE)
    plain = adjudge.classification({"y": WORD[order], "s": SCORE[order]}, reference="y", score="s", replicates=100)
    assert "C37" not in [check.key for check in plain.checks]


def test_a_rater_whose_points_were_shifted_is_said_once() -> None:
    points = np.random.default_rng(2).integers(1, 6, 400)
    other = np.where(np.random.default_rng(3).random(400) < 0.8, points, 6 - points)
    table = {"ann": points, "ben": np.roll(other, 1)}
    for measurement in ("nominal", "ordinal"):  # they are looked at as labels and as numbers
        found = adjudge.agreement(table, raters=["ann", "ben"], measurement=measurement, replicates=100).checks
        [said] = [check for check in found if check.key == "C37"]
        assert said.severity == "serious"
