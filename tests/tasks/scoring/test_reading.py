"""Which responses are left out before scoring, and what is said of columns that cannot be read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.data.source import open_source
from adjudge.errors import AdjudgeError
from adjudge.tasks.scoring.reading import CleanScores, ScoreReading

TABLE = {
    "h1": ["3", "x", None, "0", "4", "2", "5", "3", "inf", "1"],
    "h2": ["3", "2", "1", "2", "0", "y", None, "3", "2", "1"],
    "engine": ["3.2", "2", "1", "2", None, "2.2", "bad", "inf", "2", "1.5"],
    "ok": ["1", "1", "1.0", "1", "1", "1", "1", "1", "1", "0"],
    "who": ["a", "a", "a", "b", "b", "b", "c", "c", "c", "a"],
    "l1": ["NA", "None", "01", "1", "St. Ives", "NA", "x", "x", "x", "x"],
}
ROLES = ScoreReading(("h1", "h2"), {"engine": "engine"}, flags={"ok": ("1",)}, slices=(("l1",),))


def read(table=TABLE, roles=ROLES, **rules) -> CleanScores:
    reading = replace(roles, **rules).checked(list(table))
    (batch,) = open_source(table).batches(reading.texts(), reading.numbers())
    return reading.cleaned(batch)


def scored(table=TABLE, **more) -> adjudge.Evaluation:
    return adjudge.scoring(table, **{"raters": ["h1"], "prediction": "engine", "replicates": 100} | more)


def test_responses_are_left_out_in_order_each_with_its_reason() -> None:
    found = read()
    assert found.left_out.reasons == {
        'flag "ok" is not "1"': 1,
        'human score "h1" is not a number': 1,
        'human score "h1" is missing': 1,
        'human score "h1" is infinite': 1,
        'human score "h1" is zero': 1,
        'system score "engine" is not a number': 1,
        'system score "engine" is missing': 1,
        'system score "engine" is infinite': 1,
    }
    assert found.rows.tolist() == [0, 5]
    assert len(TABLE["h1"]) == len(found.rows) + sum(found.left_out.reasons.values())
    assert np.isnan(found.ratings[1, 1])  # "y" leaves no response out
    assert 'rating "h2" is not a number' in found.unused


def test_zeros_can_stay() -> None:
    assert 3 in read(zeros=True).rows


def test_candidates_with_too_few_responses_are_counted_after_the_rest() -> None:
    roles = ScoreReading(("h1",), {"engine": "engine"}, candidate="who")
    found = read(roles=roles, min_items=2)
    assert found.rows.tolist() == [0, 9]
    assert found.left_out.reasons['candidate "who" has fewer than 2 responses left'] == 1


def test_any_rater_can_be_the_reference() -> None:
    table = {"a": [None, 2, None], "b": [3, 1, None], "m": [3, 2, 1]}
    roles = ScoreReading(("a", "b"), {"m": "m"})
    assert read(table, roles).rows.tolist() == [1]
    found = read(table, roles, rated_by="any")
    assert found.rows.tolist() == [0, 1]
    assert found.left_out.reasons == {"no rater's score can be used": 1}


@pytest.mark.parametrize("flag", [1, "1", "1.0"])
def test_flags_compare_as_numbers_where_they_can(flag) -> None:
    roles = ScoreReading(("h1",), {"engine": "engine"}, flags={"ok": (str(flag),)})
    assert read(roles=roles).rows.tolist() == [0, 5]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: read(candidate="who", min_items=0), "`min_items` must be at least 1"),
        (lambda: read(rated_by="best"), "`rated_by` must be one of"),
        (lambda: read(min_items=2), "`min_items` needs `candidate`"),
        (lambda: scored({**TABLE, "h1": ["0"] * 10}), "all 10 were left out"),
        (lambda: scored({name: [] for name in TABLE}), "must have rows"),
        (lambda: scored(prediction="engin"), 'no column "engin". Did you mean "engine"'),
        (lambda: ScoreReading((), {"m": "m"}).checked(["m"]), "`raters` must name one column or more"),
        (lambda: ScoreReading(("a", "a"), {"m": "m"}).checked(["m", "a"]), "each once"),
        (lambda: scored(prediction=None), "`prediction` must be given"),
        (lambda: ScoreReading(("a",), {"m": "a"}).checked(["a"]), "given as both"),
        (lambda: scored(id="who"), "must be different for each response"),
        (lambda: scored(id="h2"), "must be filled in for every response"),
        (lambda: scored(slices=["h1"]), "also be a slice"),
    ],
)
def test_what_cannot_be_read_is_said(call, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        call()
