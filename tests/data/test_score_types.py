"""Score types and what is left out before scoring."""

from __future__ import annotations

import numpy as np
import pytest
from adjudge.data.collect_scores import ScoreRoles, ScoreRules, read_scored
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.score_types import RAW, SCALED, Scaling, ScoreScale, score_types
from adjudge.data.source import open_source
from adjudge.errors import AdjudgeError

TABLE = {
    "h1": ["3", "x", None, "0", "4", "2", "5", "3", "inf", "1"],
    "h2": ["3", "2", "1", "2", "0", "y", None, "3", "2", "1"],
    "engine": ["3.2", "2", "1", "2", None, "2.2", "bad", "inf", "2", "1.5"],
    "ok": ["1", "1", "1.0", "1", "1", "1", "1", "1", "1", "0"],
    "who": ["a", "a", "a", "b", "b", "b", "c", "c", "c", "a"],
    "l1": ["NA", "None", "01", "1", "St. Ives", "NA", "x", "x", "x", "x"],
}
ROLES = ScoreRoles(("h1", "h2"), {"engine": "engine"}, flags={"ok": ("1",)}, slices=(("l1",),))


def read(table=TABLE, roles=ROLES, rules=None):
    return read_scored(open_source(table), roles, rules)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.sampled_from([0.5, 1.0]))
def test_the_six_forms_follow_from_one_another(values: list[float], step: float) -> None:
    raw, scale = np.array(values), ScoreScale(1, 6, step)
    forms = score_types(raw, scale, Scaling(3.0, 2.0, 3.5, 1.0))
    assert tuple(forms) == RAW + SCALED
    for names in (RAW, SCALED):
        plain, trimmed, rounded = (forms[name] for name in names)
        assert (trimmed == scale.trimmed(plain)).all()
        assert (np.abs(trimmed - plain)[(plain >= 1) & (plain <= 6)] == 0).all()
        assert set(rounded) <= set(np.arange(1, 6 + step, step))
        assert (np.abs(rounded - trimmed) <= step / 2 + 1e-12).all()
    assert forms["scale"] == pytest.approx((raw - 3) / 2 + 3.5)


def test_halves_round_to_even_and_the_tolerance_is_that_of_the_step() -> None:
    assert ScoreScale(1, 6).rounded(np.array([0.5, 1.5, 2.5, 3.5])).tolist() == [0, 2, 2, 4]
    assert ScoreScale(1, 6).slack == 0.4998
    assert ScoreScale(1, 6, 0.5).slack == pytest.approx(0.2499)
    assert ScoreScale(1, 6, tolerance=0).trimmed(np.array([6.2, 0.9])).tolist() == [6, 1]


def test_responses_are_left_out_in_order_each_with_its_reason() -> None:
    found = read()
    assert found.left_out == {
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
    assert found.read == len(found) + sum(found.left_out.values())
    assert np.isnan(found.ratings[1, 1])  # "y" leaves no response out
    assert 'rating "h2" is not a number' in found.without_second
    assert found.slices[0].categories == ("NA",)


def test_zeros_can_stay() -> None:
    assert 3 in read(rules=ScoreRules(zeros=True)).rows


def test_candidates_with_too_few_responses_are_counted_after_the_rest() -> None:
    roles = ScoreRoles(("h1",), {"engine": "engine"}, candidate="who")
    found = read(roles=roles, rules=ScoreRules(min_items=2))
    assert found.rows.tolist() == [0, 9]
    assert found.left_out['candidate "who" has fewer than 2 responses left'] == 1


def test_any_rater_can_be_the_reference() -> None:
    table = {"a": [None, 2, None], "b": [3, 1, None], "m": [3, 2, 1]}
    roles = ScoreRoles(("a", "b"), {"m": "m"})
    assert read(table, roles).rows.tolist() == [1]
    found = read(table, roles, ScoreRules(reference="any"))
    assert found.rows.tolist() == [0, 1]
    assert found.left_out == {"no rater's score can be used": 1}


@pytest.mark.parametrize("flag", [1, "1", "1.0"])
def test_flags_compare_as_numbers_where_they_can(flag) -> None:
    roles = ScoreRoles(("h1",), {"engine": "engine"}, flags={"ok": (str(flag),)})
    assert read(roles=roles).rows.tolist() == [0, 5]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ScoreScale(6, 1), "`min` must be below `max`"),
        (lambda: ScoreScale(1, 6, 0), "`step` must be above 0"),
        (lambda: ScoreScale(1, np.inf), "finite ends"),
        (lambda: ScoreScale(1, 6, tolerance=-1), "`tolerance` must be at least 0"),
        (lambda: Scaling(1, 0, 1, 1), "needs scores that vary"),
        (lambda: Scaling(np.nan, 1, 1, 1), "`system_mean` of the scaling must be a finite number"),
        (lambda: Scaling.of_training(np.array([1.0]), np.array([1.0, 2])), "at least two human scores"),
        (lambda: ScoreRules(min_items=0), "`min_items` must be at least 1"),
        (lambda: ScoreRules(reference="best"), "`reference` must be one of"),
        (lambda: read(rules=ScoreRules(min_items=2)), "`min_items` needs `candidate`"),
        (lambda: read({**TABLE, "h1": ["0"] * 10}), "all 10 were left out"),
        (lambda: read({name: [] for name in TABLE}), "must have rows"),
        (lambda: ROLES.checked(["h1", "h2", "engin"]), 'no column "engine". Did you mean "engin"'),
        (lambda: ScoreRoles((), {"m": "m"}).checked(["m"]), "`raters` must name one column or more"),
        (lambda: ScoreRoles(("a", "a"), {"m": "m"}).checked(["m", "a"]), "each once"),
        (lambda: ScoreRoles(("a",), {}).checked(["a"]), "`prediction` must name"),
        (lambda: ScoreRoles(("a",), {"m": "a"}).checked(["a"]), "given as both"),
        (lambda: read(roles=ScoreRoles(("h1",), {"engine": "engine"}, id="who")), "name each response once"),
        (lambda: read(roles=ScoreRoles(("h1",), {"engine": "engine"}, id="h2")), "has blanks"),
        (lambda: read(roles=ScoreRoles(("h1",), {"engine": "engine"}, slices=(("h1",),))), "also be a slice"),
    ],
)
def test_what_cannot_be_read_is_said(call, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        call()
