"""Sentences of the first screen that a reader could take for something else: who, of what, and how many."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.cli.init import drafted_config
from adjudge.data.source import open_source
from adjudge.data.tables.profiles import profiles_of
from adjudge.report.first_lines import lines_of
from adjudge.report.sheet import Sheet

FAST = {"replicates": 200}


def _answer(evaluation: Any) -> Any:
    return evaluation.summary.answer


def test_without_a_rater_does_not_read_as_below() -> None:
    random = np.random.default_rng(7)
    truth = random.choice(["ok", "spam", "unclear"], 300, p=[0.6, 0.3, 0.1])
    raters = {}
    for name, right in (("ann", 0.95), ("ben", 0.95), ("eva", 0.4)):
        raters[name] = np.where(random.random(300) < right, truth, random.choice(["ok", "spam", "unclear"], 300))
    headline = _answer(adjudge.agreement(raters, raters=list(raters), **FAST)).headline
    assert headline.endswith("is below 0.67, the least Krippendorff asks for; without eva it is shown to reach it.")


def test_weights_are_no_rows_to_read() -> None:
    random = np.random.default_rng(2)
    label = random.choice(["stay", "churn"], 300)
    score = np.clip(np.where(label == "churn", 0.6, 0.4) + random.normal(0, 0.2, 300), 0.02, 0.98)
    table = {"label": label, "score": score, "w": random.uniform(0.5, 4, 300)}
    given: dict[str, Any] = {"reference": "label", "score": "score", "positive": "churn", **FAST}
    weighted, plain = (_answer(adjudge.evaluate(table, **given, **more)).steps for more in ({"weight": "w"}, {}))
    missed = int(((label == "churn") & (score < 0.5)).sum())
    assert weighted[0].text == "Read the missed rows, worst first:"
    assert plain[0].text == f"Read the {missed} missed rows, worst first:"


def test_a_slice_that_gains_more_is_not_the_first_to_read() -> None:
    random = np.random.default_rng(3)
    truth, size = random.integers(0, 2, 1200), random.integers(0, 6, 1200)
    old = np.where(random.random(1200) < np.where(size == 5, 0.7, 0.86), truth, 1 - truth)
    new = np.where(random.random(1200) < 0.92, truth, 1 - truth)
    table = {"label": truth, "old": old, "new": new, "size": size}
    answer = _answer(adjudge.evaluate(table, reference="label", prediction=["old", "new"], slices=["size"], **FAST))
    wrong = int((new != truth).sum())
    assert "size" not in answer.headline
    assert [step.text for step in answer.steps] == [f"Read the {wrong} wrong rows of new:"]


def test_queries_without_a_relevant_item_are_counted() -> None:
    random = np.random.default_rng(4)
    query = np.repeat(np.arange(40), 6)
    grade = np.where(query < 7, 0, random.integers(0, 3, 240))
    grade[42::6] = 1  # the others have something to find
    table = {"query": query, "grade": grade, "bm25": grade + random.normal(0, 1, 240)}
    answer = _answer(adjudge.ranking(table, query="query", relevance="grade", score="bm25", **FAST))
    assert "40 queries, 7 without a relevant item left out" in answer.top
    hardest = next(block for block in answer.blocks if block.title.startswith("hardest"))
    assert (hardest.title, hardest.rest) == ("hardest queries (3 of 33)", "30 more: --items items.csv")


def test_of_two_systems_the_one_that_is_off_is_named() -> None:
    random = np.random.default_rng(5)
    y = random.normal(100, 20, 400)
    table = {"y": y, "a": y + random.normal(0, 15, 400), "b": y + random.normal(0, 15, 400)}
    answer = _answer(adjudge.regression(table, reference="y", prediction=["a", "b"], **FAST))
    assert answer.headline.startswith(("Undecided whether b or a is better in RMSE: ", "b looks "))
    assert ", but b is too " in answer.headline
    assert "--margin rmse=2%" not in [step.command for step in answer.steps], "it would settle nothing"
    assert "; no margin was set" in answer.headline or "looks" in answer.headline


@pytest.mark.parametrize(("margin", "said"), [(None, "Undecided"), ("2%", "b and a are the same within ")])
def test_a_margin_is_asked_for_where_it_settles_and_once_given_it_does(margin: str | None, said: str) -> None:
    random = np.random.default_rng(5)
    y = random.normal(100, 20, 2000)
    a = y + random.normal(0, 15, 2000)
    table = {"y": y, "a": a, "b": a + random.normal(0, 0.5, 2000)}
    given = {} if margin is None else {"margin": {"rmse": margin}}
    answer = _answer(adjudge.regression(table, reference="y", prediction=["a", "b"], **FAST, **given))
    assert answer.headline.startswith(said)
    assert ("--margin rmse=2%" in [step.command for step in answer.steps]) == (margin is None)


def test_two_systems_that_differ_on_two_rows_are_not_asked_for_a_margin() -> None:
    label = ["a", "b"] * 30
    table = {"label": label, "old": label, "new": ["b", "a", *label[2:]]}
    answer = _answer(adjudge.classification(table, reference="label", prediction=["old", "new"], **FAST))
    assert answer.headline.endswith("Too few to say: new and old differ on 2 of 60 rows.")
    assert answer.steps[0].text == "Collect more rows before reading these figures."
    assert not any("--margin" in (step.command or "") for step in answer.steps)


def test_regions_that_err_the_other_way_are_not_counted_with_the_worst() -> None:
    random = np.random.default_rng(8)
    y = random.uniform(0, 100, 800)
    table = {"y": y, "model": np.where(y > 50, y - 8, y + 6) + random.normal(0, 2, 800)}
    answer = _answer(adjudge.regression(table, reference="y", prediction="model", **FAST))
    off = next(finding.text for finding in answer.findings if finding.word == "off")
    assert ": +" in off
    assert ": −" in off
    worst = answer.headline.partition(", but ")[2]
    same = off.count(": −" if "too low" in worst else ": +")
    assert ("more region" in worst) == (same > 1)


def test_a_drafted_section_is_a_file_once_its_marks_are_taken_away(tmp_path: Path) -> None:
    """Of two ways to read a table each is commented out as a whole, headings of what may be set included."""
    table = {"diagnosis": ["ill", "well"] * 30, "model": np.linspace(0.01, 0.99, 60)}
    text = drafted_config("t.csv", profiles_of(open_source(table)))
    section = text[text.index("# [classification]") : text.index("# Or this:")]
    lines = [line.removeprefix("#").removeprefix(" ") for line in section.splitlines()]
    assert tomllib.loads("\n".join(lines))["classification"]["reference"] == "diagnosis"


def test_more_labels_than_a_matrix_holds_are_a_grid_once() -> None:
    random = np.random.default_rng(6)
    truth = random.integers(0, 15, 900)
    said = np.where(random.random(900) < 0.8, truth, random.integers(0, 15, 900))
    answer = _answer(adjudge.evaluate({"label": truth, "guess": said}, reference="label", prediction="guess", **FAST))
    (grid,) = answer.blocks
    assert grid.columns == ["label", "n", "F", "95 %", "precision", "recall", "most taken for"]
    label = int(grid.rows[0][0].text)
    assert grid.rows[0][5].text == f"{(said[truth == label] == label).mean():.0%}".replace("%", " %")
    assert len(grid.rows) == 12


def test_confused_labels_count_items_and_not_pairs_of_ratings() -> None:
    first = ["joy"] * 12 + ["fear"] * 12 + ["joy"] * 5
    second = ["joy"] * 12 + ["fear"] * 12 + ["fear"] * 5
    table = {"r1": first, "r2": second, "r3": first}
    findings = _answer(adjudge.agreement(table, raters=["r1", "r2", "r3"], **FAST)).findings
    (said,) = [one.text for one in findings if one.word == "confused"]
    assert "fear / joy, both given to 5 items" in said


def test_points_of_a_scale_are_asked_for() -> None:
    random = np.random.default_rng(8)
    first = random.integers(1, 6, 80)
    table = {"r1": first, "r2": np.clip(first + random.choice([-1, 0, 1], 80), 1, 5)}
    steps = {
        how: [step.command for step in _answer(adjudge.agreement(table, raters=["r1", "r2"], **more, **FAST)).steps]
        for how, more in {"nominal": {}, "ordinal": {"measurement": "ordinal"}}.items()
    }
    assert steps["nominal"][0] == "--measurement ordinal"
    assert "--measurement ordinal" not in steps["ordinal"]
    table["r1"] = ["off topic" if place == 3 else str(one) for place, one in enumerate(first)]
    with_a_word = _answer(adjudge.agreement(table, raters=["r1", "r2"], **FAST))
    assert with_a_word.steps[0].command == "--measurement ordinal --missing 'off topic'"


def test_the_best_of_models_is_not_called_too_low_where_the_reference_is_high() -> None:
    """What is known is predicted, the rest is noise: no region of the predictions is off."""
    random = np.random.default_rng(9)
    known = random.normal(50, 10, 2_000)
    price = known + random.normal(0, 10, 2_000)
    good = _answer(adjudge.regression({"price": price, "model": known}, reference="price", prediction="model", **FAST))
    assert "too" not in good.headline
    table = {"price": price, "model": np.where(known > 60, known - 8, known)}
    off = _answer(adjudge.regression(table, reference="price", prediction="model", **FAST))
    assert "too low where it predicts" in off.headline


def test_the_first_remark_of_the_data_check_is_told_where_there_is_room() -> None:
    labels = [["a", "b", "a&b", "c"][place % 4] for place in range(80)]
    other = [label if place % 3 else "c" for place, label in enumerate(labels)]
    screen = _screen(adjudge.agreement({"ann": labels, "ben": other}, raters=["ann", "ben"], **FAST))
    (start,) = (place for place, line in enumerate(screen) if line.startswith("Check "))
    assert screen[start].startswith('Check "a&b" counts as one label')
    assert 'measurement="sets"' in " ".join(screen[start : start + 2])
    assert not any("remark of the data check" in line for line in screen)


def test_a_long_remark_is_left_to_all() -> None:
    long = "Many words that nobody reads on a first screen. " * 5
    answer = replace(_answer(adjudge.evaluate(_labels(), reference="y", prediction="p", **FAST)), remarks=[long])
    text = [line.text for line in lines_of(answer, Sheet(100, "utf-8", False))]
    assert not any(line.startswith("Check ") for line in text)
    assert any("--all: 1 remark of the data check, " in line for line in text)


def test_a_word_for_a_missing_value_is_no_label_to_explain() -> None:
    random = np.random.default_rng(3)
    truth = random.choice(["joy", "fear", "calm"], 200)
    raters = {
        name: [str(random.choice(["n/a", one], p=[0.3, 0.7])) if random.random() < 0.9 else "joy" for one in truth]
        for name in ("ann", "ben", "eva")
    }
    answer = _answer(adjudge.agreement(raters, raters=list(raters), **FAST))
    told = [finding.text for finding in answer.findings if finding.word == "confused"]
    assert not any("n/a" in text for text in (*told, *(step.text for step in answer.steps)))


def test_a_missed_limit_stands_in_the_headline_of_scoring() -> None:
    random = np.random.default_rng(4)
    true = random.normal(3.5, 1.1, 400)
    table = {name: np.clip((true + random.normal(0, 0.6, 400)).round(), 1, 6) for name in ("h1", "h2")}
    table["engine"] = true + random.normal(0, 0.8, 400)
    answer = _answer(adjudge.scoring(table, raters=["h1", "h2"], prediction="engine", min=1, max=6, **FAST))
    assert answer.headline.endswith(", but exact and adjacent agreement miss their limits.")
    assert "scale 1 to 6" in answer.top


def test_two_systems_stand_beside_the_constant_answer() -> None:
    label = np.array(["ham"] * 90 + ["spam"] * 10)
    table = {"y": label, "old": label[::-1], "new": np.where(np.arange(100) % 9, label, "ham")}
    figures = _answer(adjudge.evaluate(table, reference="y", prediction=["old", "new"], **FAST)).findings[0].text
    assert figures.endswith("; always answering ham gets 90 %")


def test_two_raters_have_one_kappa_and_no_table_of_pairs() -> None:
    table = _labels()
    answer = _answer(adjudge.agreement(table, raters=["y", "p"], **FAST))
    assert not any(block.title.startswith("each pair") for block in answer.blocks)


def test_slices_that_have_no_room_are_told_by_their_values() -> None:
    random = np.random.default_rng(5)
    column = "the language of the customer"
    table = {**_labels(400), column: random.choice(["Brazilian Portuguese", "German", "Canadian French"], 400)}
    screen = _screen(adjudge.evaluate(table, reference="y", prediction="p", slices=[column], **FAST), width=80)
    assert any(line.startswith("  Canadian French ") for line in screen)


def _labels(rows: int = 60) -> dict[str, list[str]]:
    label = [("a", "b", "c")[place % 3] for place in range(rows)]
    return {"y": label, "p": ["a" if place % 5 == 0 else one for place, one in enumerate(label)]}


def _screen(evaluation: Any, width: int = 100) -> list[str]:
    return [line.text for line in lines_of(_answer(evaluation), Sheet(width, "utf-8", False))]


def _percentages() -> dict[str, Any]:
    random = np.random.default_rng(6)
    label = random.choice(["no", "yes"], 300, p=[0.7, 0.3])
    scores = {
        name: np.clip(random.normal(np.where(label == "yes", 50 + gap, 50 - gap), 15), 1, 99)
        for name, gap in (("old", 2), ("new", 15))
    }
    return {"label": label, **scores}


@pytest.mark.parametrize("more", [{}, {"metrics": ["roc_auc"]}])
def test_scores_that_decide_nothing_are_compared_by_how_they_rank(more: dict[str, Any]) -> None:
    given = {"reference": "label", "score": ["old", "new"], "positive": "yes", **more, **FAST}
    answer = _answer(adjudge.evaluate(_percentages(), **given))
    assert answer.headline.startswith("new is better than old in ROC AUC by ")
    (figures,) = (finding.text for finding in answer.findings if "ROC AUC" in finding.text)
    assert "fixed" not in figures
    assert "better" not in figures  # rows are not better or worse by how they rank


def test_a_forest_of_nothing_is_not_drawn() -> None:
    given = {"reference": "label", "score": ["old", "new"], "positive": "yes", "metrics": ["accuracy"], **FAST}
    table = {**_percentages(), "part": ["x", "y", "z"] * 100}
    answer = _answer(adjudge.evaluate(table, slices=["part"], **given))
    assert answer.headline.startswith("Undefined: accuracy of new has no value")
    assert not answer.blocks


def test_many_rows_of_few_people_say_nothing_and_the_answer_says_why() -> None:
    """An interval of half of all shares, or of all differences of shares, is too wide to be read."""
    people = [f"p{row // 12}" for row in range(60)]
    truth = ["a", "b"] * 30
    right = [answer if row // 12 in (0, 2) else "ab"[answer == "a"] for row, answer in enumerate(truth)]
    old = [answer if row // 12 in (1, 3) else "ab"[answer == "a"] for row, answer in enumerate(truth)]
    table = {"label": truth, "old": old, "new": right, "person": people}
    given: dict[str, Any] = {"reference": "label", "cluster": "person", **FAST}
    of_one = _answer(adjudge.evaluate(table, prediction="new", **given)).headline
    of_two = _answer(adjudge.evaluate(table, prediction=["old", "new"], **given)).headline
    assert re.fullmatch(r"Too few to say: 60 rows, 40 % right \[\d+, \d\d\]\.", of_one)
    assert re.fullmatch(r"Too few to say: new and old share 60 rows: 0 points \[−\d+, \+\d+\]\.", of_two)
