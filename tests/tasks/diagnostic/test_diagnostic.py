"""Diagnostic evaluations by hand: kinds of cases, templates, known failures, what flips, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.data.judgements.cases import Cases, CaseText
from adjudge.errors import AdjudgeError
from adjudge.inference.many.levels_together import LevelMean, levels_at_once
from adjudge.statistics.suites.case_outcomes import CaseList
from adjudge.statistics.weights import Weights


def evaluated(table: Any, **given: Any) -> adjudge.Evaluation:
    settings = {"phenomenon": "what", "expect": "want", "prediction": ["old", "new"], "replicates": 100} | given
    return adjudge.evaluate(table, "diagnostic", **{k: v for k, v in settings.items() if v is not None})


def records(evaluation: adjudge.Evaluation, title: str) -> list[dict[str, Any]]:
    table = next(table for table in evaluation.outcome.panels.tables if table.title == title)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def rate(evaluation: adjudge.Evaluation, system: str = "new", **where: Any) -> Any:
    return evaluation.table.find("failure_rate", system=system, **where)


def plain(cases: int = 40, seed: int = 1) -> dict[str, list[Any]]:
    random = np.random.default_rng(seed)
    want = random.choice(["a", "b"], cases)
    other = np.where(want == "a", "b", "a")
    return {
        "id": [f"c{row}" for row in range(cases)],
        "what": [("dates", "names")[row % 2] for row in range(cases)],
        "want": want.tolist(),
        "old": np.where(random.random(cases) < 0.2, other, want).tolist(),
        "new": np.where(random.random(cases) < 0.3, other, want).tolist(),
    }


CHANGED = {
    "what": ["typos"] * 6,
    "kind": [None, "inv", "inv", None, "inv", "dir"],
    "group": ["g1", "g1", "g1", "g2", "g2", "g2"],
    "want": [None, None, None, None, None, "up"],
    "old": ["x", "x", "x", "y", "y", "y"],
    "new": ["x", "x", "z", "y", "y", "y"],
    "p_old": [0.5, 0.5, 0.5, 0.5, 0.5, 0.45],
    "p_new": [0.5, 0.5, 0.5, 0.5, 0.5, 0.35],
}
ASKED = {"kind": "kind", "group": "group", "score": ["p_old", "p_new"]}


def test_an_expected_answer_that_is_not_given_fails() -> None:
    table = plain()
    found = evaluated(table)
    failed = [want != said for want, said in zip(table["want"], table["new"], strict=True)]
    row = rate(found)
    assert row.estimate == sum(failed) / 40
    exact = stats.binomtest(sum(failed), 40).proportion_ci(method="exact")
    assert [row.low, row.high] == pytest.approx([exact.low, exact.high], abs=1e-12)
    assert rate(found, slice="what = dates").estimate == sum(failed[::2]) / 20


def test_labels_meet_by_value() -> None:
    found = evaluated({"what": ["n"] * 2, "want": ["1", "2"], "old": ["1.0", "2"], "new": ["1", "3"]})
    assert (rate(found, "old").estimate, rate(found).estimate) == (0.0, 0.5)


def test_a_change_that_changes_the_answer_fails_and_one_expansion_fails_its_case() -> None:
    found = evaluated(CHANGED, **ASKED)
    # Three cases: the invariance of g1 (two changes), that of g2, and the direction of g2.
    assert found.outcome.settings.choices["Cases"] == "3"
    assert rate(found, "old").estimate == 0.0  # a drop of 0.05 is within the tolerance of 0.1
    assert rate(found).estimate == pytest.approx(2 / 3)
    each = evaluated(CHANGED, unit="expansion", **ASKED)
    assert each.outcome.settings.choices["Cases"] == "4"
    assert rate(each).estimate == 0.5


def test_the_tolerance_of_scores_is_met_by_what_equals_it() -> None:
    assert rate(evaluated(CHANGED, tolerance=0.15, **ASKED)).estimate == pytest.approx(1 / 3)
    assert rate(evaluated(CHANGED, tolerance=0.149, **ASKED)).estimate == pytest.approx(2 / 3)


def test_scores_alone_must_stay_within_the_tolerance() -> None:
    table = {
        "what": ["t"] * 3, "kind": [None, "inv", "inv"], "group": ["g"] * 3, "first": [1, 0, 0],
        "p_old": [0.2, 0.25, 0.31], "p_new": [0.2, 0.2, 0.2],
    }  # fmt: skip
    given = {"prediction": None, "expect": None, "score": ["p_old", "p_new"], "unit": "expansion"}
    found = evaluated(table, kind="kind", group="group", original="first", **given)
    assert (rate(found, "p_old").estimate, rate(found, "p_new").estimate) == (0.5, 0.0)


def test_an_original_that_expects_an_answer_is_a_case_itself() -> None:
    table = {"what": ["t"] * 2, "kind": ["mft", "inv"], "group": ["g", "g"], "want": ["a", None],
             "old": ["a", "a"], "new": ["b", "b"]}  # fmt: skip
    found = evaluated(table, kind="kind", group="group")
    assert found.outcome.settings.choices["Cases"] == "2"
    assert rate(found).estimate == 0.5


def test_what_has_no_original_or_no_answer_is_left_out_and_counted() -> None:
    table = {"what": ["t"] * 5, "kind": ["mft", "inv", "mft", "mft", "mft"], "group": [None, "g", None, None, None],
             "want": ["a", None, None, "a", "a"], "old": ["a", "a", "a", None, "b"], "new": ["a"] * 5}  # fmt: skip
    found = evaluated(table, kind="kind", group="group")
    assert dict(found.outcome.data.left_out) == {
        'expect "want" is missing': 1,
        'group "group" has no original': 1,
        'prediction "old" is missing, in the row or its original': 1,
    }
    assert found.outcome.settings.choices["Cases"] == "2"


def test_templates_widen_the_interval() -> None:
    table = plain(200) | {"template": [f"t{row // 20}" for row in range(200)]}
    table["new"] = [want if row // 20 % 3 else "wrong" for row, want in enumerate(table["want"])]
    alone, together = rate(evaluated(table)), rate(evaluated(table, template="template"))
    assert together.method == "korn_graubard_unseen"
    assert alone.estimate == together.estimate
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_known_failure_is_listed_and_not_counted() -> None:
    table = plain() | {"known": ["yes", "no"] + [None] * 38}
    table["want"][:2], table["old"][:2], table["new"][:2] = ["a", "a"], ["b", "a"], ["a", "a"]
    found = evaluated(table, known_failure="known", case="id")
    assert found.outcome.settings.choices["Cases"] == "39"
    [known] = records(found, "Known failures")
    assert (known["case"], known["what"]) == ("c0", "passes now, remove its mark")
    assert records(found, "Broken cases")[0]["case"] == "c0"


def test_fixed_and_broken_by_phenomenon() -> None:
    table = plain(400)
    found = evaluated(table, case="id")
    failed = {name: np.array(table[name]) != np.array(table["want"]) for name in ("old", "new")}
    [dates] = [row for row in records(found, "Fixed and broken by what") if row["level"] == "dates"]
    part = np.array(table["what"]) == "dates"
    fixed, broken = (int((part & a & ~b).sum()) for a, b in (failed.values(), reversed(failed.values())))
    assert (dates["fixed"], dates["broken"], dates["net"]) == (fixed, broken, fixed - broken)
    assert dates["p"] == pytest.approx(stats.binomtest(fixed, fixed + broken).pvalue, abs=1e-12)
    assert dates["adjusted p"] >= dates["p"]
    listed = [row for row in records(found, "Broken cases") if row["what"] == "broken"]
    assert len(listed) == int((~failed["old"] & failed["new"]).sum())
    spread = next(row for row in records(found, "Fixed and broken") if row["figure"] == "Spread over what")
    cells = [[int(row["fixed"]), int(row["broken"])] for row in records(found, "Fixed and broken by what")]
    assert spread["value"] == pytest.approx(stats.chi2_contingency(cells, correction=False).pvalue, abs=1e-12)


def test_systems_swapped_change_sides() -> None:
    table = plain(200)
    one, two = evaluated(table), evaluated(table, prediction=["new", "old"])
    sides = [{row["figure"]: row["value"] for row in records(e, "Fixed and broken")} for e in (one, two)]
    assert (sides[0]["Fixed"], sides[0]["Broken"], sides[0]["Net"]) == (
        sides[1]["Broken"], sides[1]["Fixed"], -sides[1]["Net"]
    )  # fmt: skip
    assert sides[0]["Churn"] == sides[1]["Churn"]


def test_a_system_beside_itself_changes_nothing() -> None:
    found = evaluated(plain() | {"same": plain()["old"]}, prediction=["old", "same"])
    figures = {row["figure"]: row for row in records(found, "Fixed and broken")}
    assert (figures["Fixed"]["value"], figures["Broken"]["value"], figures["Churn"]["value"]) == (0, 0, 0.0)
    assert figures["Negative flip rate"]["high"] > 0


def test_the_old_system_run_again_is_the_floor() -> None:
    table = plain()
    table["again"] = ["b" if row == 3 else said for row, said in enumerate(table["old"])]
    table["want"][3] = table["old"][3] = "a"
    [floor] = records(evaluated(table, repeats="again"), "old beside itself")
    assert floor["broken"] == 1
    assert floor["negative flip rate"] == pytest.approx(1 / 40)


def test_what_the_suite_does_not_cover_is_shown() -> None:
    table = plain(4) | {"kind": ["mft"] * 4, "from": ["real", "made", "real", "real"]}
    table = {name: [*column, "coreference" if name == "what" else None] for name, column in table.items()}
    found = evaluated(table, kind="kind", origin="from", case="id")
    covered = records(found, "What the suite covers")
    assert [row["phenomenon"] for row in covered] == ["coreference", "dates", "names"]
    assert covered[0]["cases"] == 0
    assert covered[1]["mft, made"] == 0
    assert covered[2]["inv, real"] == 0
    assert not found.outcome.data.left_out


def test_weights_count_and_their_unit_does_not() -> None:
    table = plain() | {"w": [float(1 + row % 3) for row in range(40)]}
    failed = np.array(table["new"]) != np.array(table["want"])
    row = rate(evaluated(table, weight="w"))
    assert row.estimate == pytest.approx(np.average(failed, weights=table["w"]))
    ten = rate(evaluated(table | {"w": [10 * w for w in table["w"]]}, weight="w"))
    assert [ten.estimate, ten.low, ten.high] == pytest.approx([row.estimate, row.low, row.high], rel=1e-12)


def test_a_single_system_and_a_gate() -> None:
    found = evaluated(plain(), prediction="new", require=["failure_rate <= 0.9"])
    assert found.outcome.systems == ["new"]
    assert [one.verdict for one in found.outcome.gate or ()] == ["passed"]
    assert math.isfinite(rate(found).low)


def test_flips_of_another_task() -> None:
    table = plain(100)
    found = adjudge.classification(table, reference="want", prediction=["old", "new"], slices=["what"], replicates=100)
    figures = {row["figure"]: row["value"] for row in records(found, "Fixed and broken")}
    failed = {name: np.array(table[name]) != np.array(table["want"]) for name in ("old", "new")}
    assert figures["Broken"] == int((~failed["old"] & failed["new"]).sum())
    assert {row["level"] for row in records(found, "Fixed and broken by what")} == {"dates", "names"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"kind": "want"}, "`kind` must be mft "),
        ({"unit": "row"}, "`unit` must be case or expansion"),
        ({"tolerance": -1.0}, "`tolerance` must not be negative"),
        ({"known_failure": "want"}, "`known_failure` must say yes or no"),
        ({"original": "id"}, "`group` must be given with `original`"),
        ({"phenomenon": "nothing"}, "phenomenon"),
        ({"repeats": ["old"]}, "`repeats` must be other columns"),
        ({"metrics": ["accuracy"]}, "not about cases"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(AdjudgeError, match=says):
        evaluated(plain(), **given)


@pytest.mark.parametrize(
    ("changed", "given", "says"),
    [
        ({}, {"group": None}, "`group` must be given"),
        ({}, {"score": None}, "`score` must be given where cases are dir"),
        ({"want": [None, None, None, None, None, "sideways"]}, {}, "up or down"),
        ({"kind": [None, "inv", "inv", None, None, "dir"]}, {}, "one original each"),
    ],
)
def test_changes_that_cannot_be_judged_are_refused(changed: dict[str, Any], given: dict[str, Any], says: str) -> None:
    with pytest.raises(AdjudgeError, match=says):
        evaluated(CHANGED | changed, **(ASKED | given))


def test_lists_of_cases_add_in_any_order() -> None:
    told = [CaseText(f"c{row}", "dates", "mft", "a", ("a", "b")) for row in range(30)]
    failed = np.random.default_rng(3).random((30, 2)) < 0.5
    cases = Cases(failed, failed.astype(np.int64), None, np.array(told, dtype=object))
    whole = CaseList.collect(cases, Weights(30), (0, (1,), False))
    parts = [
        CaseList.collect(cases.of_rows(rows), Weights(15), (0, (1,), False)) for rows in np.arange(30).reshape(2, 15)
    ]
    assert whole == parts[0] + parts[1] == parts[1] + parts[0]


def test_every_way_to_perturb_is_judged_at_once() -> None:
    """Thirty originals, perturbed in three ways; the update fails one of them half the time."""
    rows: dict[str, list[Any]] = {name: [] for name in ("g", "what", "kind", "want", "v1", "v2")}
    ways = ("none", "case", "typos", "order")
    for original in range(30):
        for way in ways:
            wrong = way == "typos" and original % 2 == 0
            kind, want = ("mft", "a") if way == "none" else ("inv", None)
            for name, cell in zip(rows, (original, way, kind, want, "a", "b" if wrong else "a"), strict=True):
                rows[name].append(cell)
    made = adjudge.diagnostic(
        rows, phenomenon="what", kind="kind", group="g", expect="want", prediction=["v1", "v2"], replicates=100
    )
    frame = made.panels["Every phenomenon at once"].to_pandas().set_index("level")
    assert frame.loc["typos", "net rate"] == -0.5
    # By hand: 30 units, SS = 7.5 and two imagined rows; as wide as for one level, or more.
    error = np.sqrt((7.5 + 2) / (31 * 32))
    reach = frame.loc["typos", "high"] - frame.loc["typos", "net rate"]
    assert 2.045 * error < reach < 2.76 * error  # t(29) at 95 % and at 99 %
    assert frame.loc["typos", "verdict"] == "worse"
    assert frame.loc["typos", "adjusted p"] < 0.001
    quiet = frame.drop("typos")
    assert (quiet["verdict"] == "undecided").all()
    assert (quiet["adjusted p"] == 1).all()
    assert (quiet["low"] < 0).all()
    assert (quiet["high"] > 0).all()
    assert made.panels["Every kind at once"].to_pandas().set_index("level").loc["mft", "net rate"] == 0


def test_levels_without_a_change_move_by_themselves() -> None:
    still = LevelMean(0.0, np.zeros(20), 20.0, 20.0, np.arange(20, dtype=np.uint64))
    moved = LevelMean(-0.5, np.tile([-0.5, 0.5], 10), 20.0, 20.0, np.arange(20, dtype=np.uint64))
    both = levels_at_once([still, moved], 0.95, 1, "here")
    assert both.p[0] == 1
    assert both.p[1] >= moved.p
    assert both.limits[0][0] < 0 < both.limits[0][1]
    assert both.limits == levels_at_once([still, moved], 0.95, 1, "here").limits


def test_two_labels_that_are_swapped_are_said_first() -> None:
    """Who fails nearly all cases of two labels alike knows the answers, and calls them by each other's names."""
    expected = ["yes", "no"] * 60
    swapped = ["no", "yes"] * 58 + ["yes", "no"] * 2
    roles: dict[str, Any] = {"expect": "expect", "phenomenon": "about", "replicates": 100}
    table = {"expect": expected, "old": swapped, "new": expected[:60] + swapped[:60], "about": ["p", "q", "r"] * 40}
    made = adjudge.diagnostic(table, prediction=["old", "new"], **roles)
    assert [(check.key, check.severity) for check in made.checks] == [("C3", "serious")]
    assert made.checks[0].sentence.startswith('"old" is right in 3 % of the cases, of which 50 % expect the rarer of')
    few = {name: column[:6] for name, column in table.items()}
    assert not [check for check in adjudge.diagnostic(few, prediction="old", **roles).checks if check.key == "C3"]


def test_an_answer_that_is_searched_is_said() -> None:
    table = {"expect": ["yes", "no"] * 60, "new": ["yes", "no", "no"] * 40, "about": ["p", "q", "r"] * 40}
    made = adjudge.diagnostic(
        table, expect="expect", prediction="new", phenomenon="about", search=["expect"], search_null=0, replicates=100
    )
    assert [check.severity for check in made.checks if check.key == "C33"] == ["remark"]
