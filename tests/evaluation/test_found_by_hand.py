"""Mistakes that were made by hand at one door after another: each is said first, and its look-alike is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

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


LIKERT = {"ann": RATED["r0"], "ben": RATED["r1"], "eva": RATED["r2"]}
AMOUNTS = {"y": DRAWN.gamma(4, 25, ROWS)}
AMOUNTS["p"] = AMOUNTS["y"] * np.exp(DRAWN.normal(0, 0.1, ROWS))


@pytest.mark.parametrize(
    ("task", "table", "given", "usual", "meant"),
    [
        (
            "agreement",
            LIKERT,
            {"raters": [*LIKERT], "measurement": "ordinal"},
            "krippendorff_alpha",
            "(measurement=ordinal)",
        ),
        (
            "regression",
            AMOUNTS,
            {"reference": "y", "prediction": "p", "quantile": 0.9},
            "pinball_loss",
            "(quantile=0.9)",
        ),
        (
            "ranking",
            {"q": QUERY, "rel": GRADES, "s": SCORES},
            {"query": "q", "relevance": "rel", "score": "s", "at": [3]},
            "ndcg",
            "(at=3)",
        ),
        (
            "failures",
            {"h": AMOUNTS["y"], "f": GRADES},
            {"exposure": "h", "failures": "f", "stopped": "failure"},
            "mean_time_between_failures",
            "(stopped=failure)",
        ),
    ],
)
def test_a_metric_that_does_not_follow_a_setting(
    task: str, table: dict[str, Any], given: dict[str, Any], usual: str, meant: str
) -> None:
    for asked in ({"metrics": [usual]}, {"require": f"{usual} {'<=' if 'loss' in usual else '>='} 0.01"}):
        found = adjudge.evaluate(table, task, **given, **asked, replicates=100)
        assert said(found, "C40") == "serious"
        assert usual + meant in next(check.sentence for check in found.checks if check.key == "C40")
    assert said(adjudge.evaluate(table, task, **given, metrics=[usual + meant], replicates=100), "C40") is None
    assert said(adjudge.evaluate(table, task, **given, replicates=100), "C40") is None


def test_a_join_by_a_name_that_several_rows_have() -> None:
    key = np.repeat(np.arange(ROWS // 2), 2)
    left, right = np.repeat(np.arange(ROWS), 2), (np.arange(ROWS)[:, None] // 2 * 2 + [0, 1]).reshape(-1)
    for task, one, other in (("regression", *AMOUNTS.values()), ("classification", LABELS[TRUTH], LABELS[RATED["r0"]])):
        table = {"k": key[left], "y": np.asarray(one)[left], "p": np.asarray(other)[right]}
        roles = {"reference": "y", "prediction": "p", "replicates": 100}
        assert said(adjudge.evaluate(table, task, **roles), "C5") == "serious"
        assert said(adjudge.evaluate(table, task, **roles, cluster="k"), "C5") is None
        plain = {"k": key, "y": one, "p": other}
        assert said(adjudge.evaluate(plain, task, **roles), "C5") is None


def test_merged_cells_of_a_spreadsheet() -> None:
    table: dict[str, Any] = {"y": LABELS[TRUTH], "p": LABELS[RATED["r0"]]}
    roles = {"reference": "y", "prediction": "p", "replicates": 100}
    for every in (4, 40):
        table["part"] = [f"part {row // every}" if row % every == 0 else None for row in range(ROWS)]
        found = adjudge.classification(table, **roles, slices="part")
        assert "merged cells" in next(check.sentence for check in found.checks if check.key == "C7")
    table["part"] = [f"part {row // 40}" for row in range(ROWS)]
    table["remark"] = ["odd" if row % 11 == 5 else None for row in range(ROWS)]
    assert said(adjudge.classification(table, **roles, slices=["part", "remark"]), "C7") is None


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("51.2*", "a sign behind it"),
        ("10-20", "the form of a range"),
        ("4/5", "a slash"),
        ("12:30", "the form of a time"),
        ("2024-01-31", "the form of a date"),
        ("1,5E+01", "a comma"),
    ],
)
def test_cells_that_are_nearly_numbers(cell: str, what: str) -> None:
    table = {"y": [cell] * 20 + [f"{y:.1f}" for y in AMOUNTS["y"][20:]], "p": AMOUNTS["p"]}
    found = adjudge.regression(table, reference="y", prediction="p", replicates=100)
    assert f'but "{cell}" has {what}' in next(check.sentence for check in found.checks if check.key == "C20")


def test_weights_of_which_one_is_nearly_all() -> None:
    weighed = {**AMOUNTS, "w": np.where(np.arange(ROWS) == 4, 1e6, 1.0), "v": np.arange(1, ROWS + 1) ** 1.5}
    roles = {"reference": "y", "prediction": "p", "replicates": 100}
    assert said(adjudge.regression(weighed, **roles, weight="w"), "C20") == "serious"
    assert said(adjudge.regression(weighed, **roles, weight="v"), "C20") is None


def test_versions_that_are_one_number(tmp_path: Path) -> None:
    versions, scores = np.array(["1.1", "1.10", "2"]), np.array(["0.5", "1.0", "2.5"])
    roles = {"reference": "y", "prediction": "p", "replicates": 100}
    table = {"y": versions[TRUTH], "p": versions[RATED["r0"]]}
    csv.write_csv(pa.table(table), tmp_path / "t.csv")
    for source in (table, tmp_path / "t.csv"):
        found = adjudge.classification(source, **roles)
        assert said(found, "C2") == "serious"
        assert '"1.1" and "1.10" in "y" count as one label' in str(found)
    assert said(adjudge.agreement(table, raters=["y", "p"], replicates=100), "C2") == "serious"
    plain = {"y": scores[TRUTH], "p": scores[RATED["r0"]].astype(float)}
    assert said(adjudge.classification(plain, **roles), "C2") is None
    words = {name: np.where(values == "2", "none yet", values) for name, values in table.items()}
    assert said(adjudge.classification(words, **roles), "C2") != "serious"


def test_the_mean_of_raters_has_points_between_those_of_the_scale() -> None:
    table = {
        "mean": (RATED["r0"] + RATED["r1"]) / 2 + 1,
        "one": RATED["r0"] + 1.0,
        "e": RATED["r2"] + DRAWN.random(ROWS),
    }
    roles = {"prediction": "e", "min": 1, "max": 3, "replicates": 100}
    found = adjudge.scoring(table, raters="mean", **roles)
    assert "lie between the points of the scale, such as 1.5" in str(found)
    assert not [c for c in adjudge.scoring(table, raters="mean", step=0.5, **roles).checks if "between" in c.sentence]
    assert not [c for c in adjudge.scoring(table, raters="one", **roles).checks if "between" in c.sentence]


def test_how_sure_a_system_is_of_any_label_is_no_score_of_one() -> None:
    spam = DRAWN.random(400) < 0.35
    chance = 1 / (1 + np.exp(-np.where(spam, 1.3, -1.0) - DRAWN.normal(size=400)))
    table = {
        "y": np.where(spam, "spam", "ham"),
        "sure": np.maximum(chance, 1 - chance),
        "s": chance,
        "near": 0.5 + chance / 2,
    }
    roles = {"reference": "y", "positive": "spam", "replicates": 100}
    found = adjudge.classification(table, score="sure", **roles)
    assert said(found, "C13") == "serious"
    assert "are they those of the predicted label" in str(found)
    for name in ("s", "near"):
        assert said(adjudge.classification(table, score=name, **roles), "C13") != "serious"


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        (lambda y, p: np.abs(p - y), "serious"),
        (lambda y, p: p / 4 * np.exp(0.5 * np.sin(np.arange(len(p)))), "serious"),
        (lambda y, p: p / 2.54, "serious"),
        (lambda y, p: p * 1.609, "remark"),
        (lambda y, p: p * 1.2, None),
        (lambda y, p: y.mean() + 0.3 * (p - y.mean()), None),
    ],
)
def test_predictions_of_another_size(change: Callable[..., Any], severity: str | None) -> None:
    table = {"y": AMOUNTS["y"], "p": change(AMOUNTS["y"], AMOUNTS["p"])}
    assert said(adjudge.regression(table, reference="y", prediction="p", replicates=100), "C12") == severity


@pytest.mark.parametrize("turn", [360, 2 * np.pi, 24])
def test_angles_that_are_a_turn_apart(turn: float) -> None:
    angle, roles = DRAWN.uniform(0, turn, 300), {"reference": "y", "prediction": "p", "replicates": 100}
    near = angle + DRAWN.normal(0, turn / 30, 300)
    found = adjudge.regression({"y": angle, "p": near % turn}, **roles)
    assert "are these angles, or hours" in str(found)
    for other in (near.clip(0, turn), DRAWN.permutation(angle)):
        plain = adjudge.regression({"y": angle, "p": other}, **roles)
        assert not [check for check in plain.checks if "angles" in check.sentence]


def test_systems_that_are_stacked_in_one_table() -> None:
    names = [f"i{row}" for row in range(ROWS)]
    truth = {"labels": LABELS[TRUTH], "numbers": AMOUNTS["y"]}
    for task, kind in (("classification", "labels"), ("regression", "numbers")):
        long = {
            "item": np.tile(names, 3),
            "model": np.repeat(["A", "B", "C"], ROWS),
            "y": np.tile(truth[kind], 3),
            "p": np.concatenate([truth[kind], np.roll(truth[kind], 1), truth[kind][::-1]]),
        }
        order = np.random.default_rng(2).permutation(3 * ROWS)
        roles = {"reference": "y", "prediction": "p", "replicates": 100}
        for table in (long, {name: values[order] for name, values in long.items()}):
            found = adjudge.evaluate(table, task, **roles)
            assert 'for each of 3 values of "model"' in str(found)
        own = adjudge.evaluate(long, task, **roles, slices="model", cluster="item")
        assert not [check for check in own.checks if "systems, or runs" in check.sentence]
        halves = {**long, "y": np.random.default_rng(3).permutation(long["y"])}
        other = adjudge.evaluate(halves, task, **roles)
        assert not [check for check in other.checks if "systems, or runs" in check.sentence]


def test_designs_that_repeat_are_no_stacked_systems() -> None:
    place = np.arange(ROWS)
    for label in (LABELS[place % 2], np.sort(LABELS[place % 3])):
        table = {"y": label, "p": LABELS[RATED["r0"]], "code": np.unique(label, return_inverse=True)[1]}
        table["turn"] = place // 2 % 2 if label[0] != label[1] else place % 2
        found = adjudge.classification(table, reference="y", prediction="p", replicates=100)
        assert not [check for check in found.checks if "systems, or runs" in check.sentence]


def test_rows_that_a_system_was_trained_on() -> None:
    table = {"y": LABELS[TRUTH], "p": LABELS[RATED["r0"]], "split": np.where(np.arange(ROWS) < 80, "Train", "test")}
    roles = {"reference": "y", "prediction": "p", "replicates": 100}
    found = adjudge.classification(table, **roles)
    assert '"split" says "Train" in 80 of 120 rows' in str(found)
    assert said(adjudge.classification(table, **roles, slices="split"), "C30") is None
    assert said(adjudge.agreement(table, raters=["y", "p"], replicates=100), "C30") is None
    table["split"] = np.where(np.arange(ROWS) < 80, "dev", "test")
    assert said(adjudge.classification(table, **roles), "C30") is None


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        (["18-25", "18–25", "26-35"], "count as 2 levels"),
        (["1-5", "6-10", "10-Jun"], "did a spreadsheet turn it into a date"),
        (["1-5", "6-10", "2024-11-15"], "did a spreadsheet turn it into a date"),
        (["2024-01-05", "2024-01-06", "2024-01-07"], None),
        (["1-5", "6-10", "11+"], None),
    ],
)
def test_levels_that_a_spreadsheet_changed(levels: list[str], told: str | None) -> None:
    table = {"y": LABELS[TRUTH], "p": LABELS[RATED["r0"]], "age": np.array(levels)[RATED["r1"]]}
    found = adjudge.classification(table, reference="y", prediction="p", slices="age", replicates=100)
    sentences = [check.sentence for check in found.checks if check.key == "C2"]
    assert [told in one for one in sentences] == [True] if told else not sentences


def test_ids_and_references_of_two_files_meet_by_value(tmp_path: Path) -> None:
    yes, told = TRUTH > 0, RATED["r0"] > 0
    tables = {
        "a": {"id": np.arange(ROWS), "y": yes.astype(float), "p": yes.astype(float)},
        "b": {"id": np.arange(ROWS).astype(float), "y": yes.astype(int), "p": told},
    }
    for name, table in tables.items():
        csv.write_csv(pa.table(table), tmp_path / f"{name}.csv")
    text = (tmp_path / "b.csv").read_text().splitlines()
    (tmp_path / "b.csv").write_text("\n".join([text[0], *(line.replace(",", ".0,", 1) for line in text[1:])]))
    roles = {"task": "classification", "reference": "y", "prediction": "p", "id": "id", "replicates": 100}
    for first, second in (tables.values(), (tmp_path / "a.csv", tmp_path / "b.csv")):
        found = adjudge.compare(first, second, names=["a", "b"], **roles)
        assert found.outcome.data.rows == ROWS
        assert not found.left_out
