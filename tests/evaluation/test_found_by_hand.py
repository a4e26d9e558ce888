"""Mistakes that were made by hand at one door after another: each is said first, and its look-alike is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.report.evaluation import Evaluation

ROWS = 120
DRAWN = np.random.default_rng(12)
LABELS = np.array(["cat", "dog", "bird"])
TRUTH = DRAWN.integers(0, 3, ROWS)
RATED = {f"r{place}": np.where(DRAWN.random(ROWS) < 0.8, TRUTH, DRAWN.integers(0, 3, ROWS)) for place in range(3)}
QUERY = np.repeat(np.arange(30), 4)
GRADES = DRAWN.integers(0, 3, ROWS)
SCORES = GRADES + DRAWN.normal(size=ROWS)


def said(found: Evaluation, key: str) -> str | None:
    return next((check.severity for check in found.checks if check.key == key), None)


def test_raters_in_columns_that_are_given_as_rows() -> None:
    wide = {"item": [f"i{row}" for row in range(ROWS)], **{name: LABELS[codes] for name, codes in RATED.items()}}
    found = adjudge.agreement(wide, item="item", rater="r0", rating="r1", replicates=100)
    assert said(found, "C7") == "serious"
    assert "None of 120 items has two ratings" in str(found)
    assert said(adjudge.agreement(wide, raters=["r0", "r1"], replicates=100), "C7") is None


@pytest.mark.parametrize("sign", [",", ";", " | ", "+"])
def test_several_labels_in_two_orders(sign: str) -> None:
    kinds = np.array([f"a{sign}b", "c", "d"])
    one, two = kinds[RATED["r0"]], kinds[RATED["r1"]]
    turned = np.where(np.arange(ROWS) % 2 == 0, np.char.replace(two, f"a{sign}b", f"b{sign}a"), two)
    assert said(adjudge.agreement({"a": one, "b": turned}, raters=["a", "b"], replicates=100), "C2") == "serious"
    roles = {"reference": "a", "prediction": "b", "replicates": 100}
    assert said(adjudge.classification({"a": one, "b": turned}, **roles), "C2") == "serious"
    assert said(adjudge.classification({"a": one, "b": two}, **roles), "C2") is None
    both = {"a": turned, "b": turned[::-1]}
    assert said(adjudge.classification(both, **roles), "C2") == "remark"


def test_numbers_with_a_comma_are_not_several_labels() -> None:
    kinds = np.array(["1,2", "2,1", "3,0"])
    table = {"a": kinds[RATED["r0"]], "b": kinds[RATED["r1"]]}
    assert said(adjudge.classification(table, reference="a", prediction="b", replicates=100), "C2") is None


def test_grades_of_which_none_is_relevant() -> None:
    table = {"q": QUERY, "rel": DRAWN.random(ROWS), "s": SCORES}
    roles = {"query": "q", "relevance": "rel", "score": "s", "replicates": 100}
    found = adjudge.ranking(table, **roles)
    assert said(found, "C19") == "serious"
    assert "Check the data first: No item counts as relevant" in str(found)
    assert said(adjudge.ranking(table, **roles, relevant_from=0.5), "C19") is None
    assert said(adjudge.ranking(table | {"rel": GRADES}, **roles), "C19") is None
    nothing = adjudge.ranking(table | {"rel": np.zeros(ROWS)}, **roles)
    assert 'No item counts as relevant: "rel" goes up to 0' in str(nothing)


def test_sets_that_nothing_parts() -> None:
    kinds = np.array(["fast;cheap", "fast", "cheap;safe"])
    table = {"a": kinds[RATED["r0"]], "b": kinds[RATED["r1"]]}
    roles: dict[str, Any] = {"raters": ["a", "b"], "measurement": "sets", "replicates": 100}
    assert said(adjudge.agreement(table, **roles, separator="|"), "C2") == "serious"
    assert said(adjudge.agreement(table, **roles, separator=";"), "C2") is None
    names = np.array(["Smith, John", "Smith, Jane", "Miller, Ann"])
    named = {"a": names[RATED["r0"]], "b": names[RATED["r1"]]}
    assert said(adjudge.agreement(named, **roles, separator=";"), "C2") is None


def test_a_rater_who_measures_in_pounds() -> None:
    kilograms = 50 + 10 * np.random.default_rng(8).normal(size=(2, 200))
    first, second = kilograms[0], kilograms[0] + 0.2 * (kilograms[1] - 50)
    roles: dict[str, Any] = {"raters": ["a", "b"], "measurement": "interval", "replicates": 100}
    assert said(adjudge.agreement({"a": first, "b": second * 2.2}, **roles), "C12") == "serious"
    assert said(adjudge.agreement({"a": first, "b": second}, **roles), "C12") is None
    assert said(adjudge.agreement({"a": first, "b": second * 1.3}, **roles), "C12") is None, "a generous rater"


def test_chosen_and_rejected_texts_tell_nothing_of_position() -> None:
    lengths = DRAWN.integers(5, 60, (2, ROWS))
    table = {"one": ["x" * n for n in lengths[0]], "two": ["y" * n for n in lengths[1]]}
    roles = {"reference": "choice", "text_a": "one", "text_b": "two", "replicates": 100}
    assert said(adjudge.preference(table | {"choice": ["a"] * ROWS}, **roles), "C8") == "remark"
    mixed = np.where(DRAWN.random(ROWS) < 0.5, "a", "b")
    assert said(adjudge.preference(table | {"choice": mixed}, **roles), "C8") is None


def test_a_phenomenon_for_each_case_is_a_name() -> None:
    table = {"case": [f"case {row}" for row in range(ROWS)], "kind": LABELS[TRUTH]}
    table |= {"want": LABELS[GRADES], "got": LABELS[np.where(DRAWN.random(ROWS) < 0.8, GRADES, 0)]}
    roles = {"expect": "want", "prediction": "got", "replicates": 100}
    assert said(adjudge.diagnostic(table, phenomenon="case", **roles), "C33") == "serious"
    assert said(adjudge.diagnostic(table, phenomenon="kind", **roles), "C33") is None


def test_parameters_may_stand_in_quotation_marks() -> None:
    wide = {name: codes.astype(float) for name, codes in RATED.items()}
    roles = {"raters": [*wide], "measurement": "interval", "replicates": 100}
    names = ["icc(form=A,k)", "icc(form='A,k')", 'icc(form="A,k")']
    values = [adjudge.agreement(wide, **roles, metrics=name).table.find("icc(form=A,k)").estimate for name in names]
    assert len(set(values)) == 1
