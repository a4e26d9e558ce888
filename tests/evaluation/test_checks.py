"""The data check: what looks like a mistake is refused, or said above the numbers, in every output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError

RANDOM = np.random.default_rng(3)
ROWS = 300
LABEL = [("a", "b", "c")[k] for k in RANDOM.integers(0, 3, ROWS)]
GUESS = [label if RANDOM.random() < 0.8 else "a" for label in LABEL]
BINARY = RANDOM.integers(0, 2, ROWS)
SCORE = np.clip(0.25 + 0.5 * BINARY + RANDOM.normal(0, 0.15, ROWS), 0.01, 0.99)


def evaluated(table: dict[str, Any], task: str = "classification", **given: Any) -> Any:
    return adjudge.evaluate(table, task, replicates=100, **given)


def found(table: dict[str, Any], task: str = "classification", **given: Any) -> dict[str, str]:
    return {check.key: check.severity for check in evaluated(table, task, **given).checks}


def decided(label: Any, guess: Any, **given: Any) -> dict[str, str]:
    return found({"label": label, "guess": guess}, reference="label", prediction="guess", **given)


def refused(match: str, table: dict[str, Any], task: str = "classification", **given: Any) -> None:
    for engine in ("memory", "stream"):
        with pytest.raises(AdjudgeError, match=match):
            evaluated(table, task, engine=engine, **given)


def test_a_clean_table_is_silent() -> None:
    assert decided(LABEL, GUESS) == {}
    assert found({"label": BINARY, "p": SCORE}, reference="label", score="p") == {}


@pytest.mark.parametrize(
    ("label", "guess", "seen"),
    [
        (["Malignant", "Benign"] * 30, ["malignant", "benign"] * 30, '"benign" and "Benign" differ only in case'),
        ([0, 1] * 30, ["no", "yes"] * 30, '"no", "yes" against "0", "1"'),
        (["1", "01"] * 30, ["1.0", "1.00"] * 30, "number format"),
        (["a", "b"] * 30, ["x", "y"] * 30, 'ok="C1"'),
        (["1", "0"] * 30, ["1.0", "0.0", "NA"] * 20, 'Numbers meet by value once "NA" is declared missing'),
        (["1", "0"] * 30, ["0.1", "0.3", "0.6"] * 20, "give the column as `score`"),
    ],
)
def test_labels_that_cannot_meet_stop(label: list[Any], guess: list[Any], seen: str) -> None:
    refused(seen, {"label": label, "guess": guess}, reference="label", prediction="guess")
    both = {"label": label, "good": label, "guess": guess}
    refused('of "guess" must', both, reference="label", prediction=["good", "guess"])
    assert "C1" not in decided(label, guess, ok="C1")
    refused("must use the labels of the other raters", {"a": label, "b": guess}, "agreement", raters=["a", "b"])


def test_a_score_given_as_a_prediction_stops_before_anything_is_counted() -> None:
    table = {"label": BINARY, "p": SCORE, "name": [f"row {row}" for row in range(ROWS)]}
    refused("Give it as `score`", table, reference="label", prediction="p")
    refused('`reference` "name" must hold labels, but it has 300', table, reference="name", prediction="label")
    many = [f"intent {k % 160}" for k in range(ROWS)]
    refused("160 different values", {"label": many, "guess": many}, reference="label", prediction="guess")
    assert decided(many, many, ok=["C14", "C4"]).keys() == {"C10"}


def test_labels_that_nearly_meet_are_named() -> None:
    shouted = [label.upper() if place % 7 == 0 else label for place, label in enumerate(GUESS)]
    assert decided(LABEL, shouted)["C2"] == "serious"
    assert decided([*LABEL, "A", "a"], [*GUESS, "A", "a"])["C2"] == "remark"
    assert found({"a": LABEL, "b": shouted}, "agreement", raters=["a", "b"])["C2"] == "serious"


@pytest.mark.parametrize("word", ["NA", "null", "-", "N/A", "None", "nan"])
def test_words_for_what_is_missing_are_serious(word: str) -> None:
    odd = [word if place % 20 == 0 else label for place, label in enumerate(LABEL)]
    assert decided(odd, GUESS)["C22"] == "serious"
    assert found({"a": odd, "b": GUESS}, "agreement", raters=["a", "b"])["C22"] == "serious"
    assert found({"a": odd, "b": GUESS}, "agreement", raters=["a", "b"], measurement="sets")["C22"] == "serious"


def test_a_label_without_its_score_column() -> None:
    table = {"label": LABEL, **{name: [float(one == name) for one in GUESS] for name in "abc"}}
    assert found(table, reference="label", score={"a": "a", "b": "b"})["C21"] == "serious"
    assert "C21" not in found(table, reference="label", score={"a": "a", "b": "b", "c": "c"})


def test_what_runs_the_wrong_way_round() -> None:
    assert found({"label": BINARY, "p": 1 - SCORE}, reference="label", score="p")["C3"] == "serious"
    assert decided(BINARY, 1 - (SCORE > 0.5))["C3"] == "serious"
    assert "C3" not in decided(BINARY, RANDOM.integers(0, 2, ROWS))


def test_scores_on_another_scale() -> None:
    assert found({"label": BINARY, "p": 100 * SCORE}, reference="label", score="p")["C12"] == "serious"
    low = {"label": BINARY, "p": SCORE / 5}
    assert found(low, reference="label", score="p")["C13"] == "remark"


def test_answers_that_say_nothing_or_too_much() -> None:
    assert decided(LABEL, ["a"] * ROWS)["C8"] == "serious"
    assert decided(LABEL, LABEL)["C4"] == "serious"
    assert decided(["a"] * 290 + ["b"] * 10, ["a"] * 280 + ["b"] * 20)["C11"] == "remark"
    assert decided([*LABEL, *["d"] * 6], [*GUESS, *["a"] * 6]) == {"C9": "remark", "C10": "remark"}


def test_many_rows_left_out() -> None:
    few, many = ([None if place % step == 0 else one for place, one in enumerate(LABEL)] for step in (15, 4))
    assert decided(few, GUESS) == {"C7": "remark"}
    assert decided(many, GUESS) == {"C7": "serious"}


def raters(**columns: Any) -> dict[str, str]:
    table = {name: [("a", "b", "c")[k] for k in codes] for name, codes in columns.items()}
    return found(table, "agreement", raters=list(columns))


def test_raters_who_do_not_look() -> None:
    truth = RANDOM.integers(0, 3, ROWS)
    one, two, three = (np.where(RANDOM.random(ROWS) < 0.8, truth, RANDOM.integers(0, 3, ROWS)) for _ in range(3))
    assert raters(ann=one, ben=two, eva=three) == {}
    assert raters(ann=one, ben=two, eva=one * 0)["C8"] == "serious"
    assert raters(ann=one, ben=two, eva=np.where(np.arange(ROWS) % 40, 0, three + 1) % 3)["C18"] == "remark"
    assert raters(ann=one, ben=two, eva=two)["C17"] == "serious"
    assert raters(ann=one, ben=one)["C4"] == "serious"


def test_counts_are_no_ratings() -> None:
    counts = RANDOM.multinomial(5, [0.5, 0.3, 0.2], 60)
    table = {name: counts[:, place].tolist() for place, name in enumerate("xyz")}
    assert found(table, "agreement", raters=["x", "y", "z"])["C23"] == "serious"


def test_repeated_ratings() -> None:
    table = {"item": [1, 1, 2, 2, 1, *range(3, 40)], "rater": ["a", "b", "a", "b", "a", *["a"] * 37]}
    table["rating"] = ["x", "y"] * 21
    assert found(table, "agreement", item="item", rater="rater", rating="rating")["C6"] == "remark"


def test_serious_checks_stand_in_every_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = {"label": ["NA" if place % 20 == 0 else label for place, label in enumerate(LABEL)], "guess": GUESS}
    e = evaluated(odd, reference="label", prediction="guess")
    first = "Check the data first:"
    e.show()
    page, text, data = (tmp_path / name for name in ("r.html", "r.md", "r.json"))
    e.report(page), e.write_markdown(text), e.write_json(data)
    shown = capsys.readouterr().out
    assert shown.index(first) < shown.index("guess is better than always")
    shown = page.read_text()
    assert shown.index(first.rstrip(":")) < shown.index("<h1>guess is better than always")
    assert text.read_text().index(first) < text.read_text().index("### guess is better than always")
    assert json.loads(data.read_text())["checks"][0]["key"] == "C22"
    assert first in repr(e)
    assert first in e._repr_html_()
    assert adjudge.load(e.save(tmp_path / "r.adjudge")).checks == e.checks
    quiet = evaluated(odd, reference="label", prediction="guess", ok="C22")
    assert first not in repr(quiet)
    with pytest.raises(AdjudgeError, match="keys of checks"):
        evaluated(odd, reference="label", prediction="guess", ok="C99")


def test_checks_are_the_same_from_a_stream() -> None:
    odd = {"label": ["NA" if place % 20 == 0 else label for place, label in enumerate(LABEL)], "guess": GUESS}
    both = [evaluated(odd, reference="label", prediction="guess", engine=one).checks for one in ("memory", "stream")]
    assert both[0] == both[1] != []


def test_identical_systems() -> None:
    other = [*GUESS[:-1], "c" if GUESS[-1] == "a" else "a"]
    table = {"label": LABEL, "old": GUESS, "new": GUESS, "third": other}
    assert found(table, reference="label", prediction=["old", "third"]) == {}
    assert found(table, reference="label", prediction=["old", "third", "new"])["C24"] == "serious"
    numbers = {"y": SCORE, "m": SCORE + 0.1 * BINARY, "n": SCORE + 0.1 * BINARY}
    assert found(numbers, "regression", reference="y", prediction=["m", "n"])["C24"] == "serious"
    assert found(SCORED | {"same": SCORED["engine"]}, "scoring", raters=["h1", "h2"], prediction=["engine", "same"])[
        "C24"
    ] == ("serious")


NUMBERS = {"y": RANDOM.normal(5, 2, ROWS)}
NUMBERS["m"] = NUMBERS["y"] + RANDOM.normal(0, 1, ROWS)
TRUTH = RANDOM.normal(3.5, 1, ROWS)
SCORED = {
    "h1": np.clip(np.rint(TRUTH + RANDOM.normal(0, 0.5, ROWS)), 1, 6),
    "h2": np.clip(np.rint(TRUTH + RANDOM.normal(0, 0.5, ROWS)), 1, 6),
    "engine": np.clip(TRUTH + RANDOM.normal(0, 0.4, ROWS), 0.6, 6.4),
}


def test_numbers() -> None:
    def of(prediction: Any) -> dict[str, str]:
        return found({"y": NUMBERS["y"], "m": prediction}, "regression", reference="y", prediction="m")

    assert of(NUMBERS["m"]) == {}
    noise, around = np.random.default_rng(36).normal(size=ROWS), np.asarray(NUMBERS["y"]) - np.mean(NUMBERS["y"])
    assert of(noise - around * (noise @ around) / (around @ around)) == {"C36": "remark"}, "nothing in common"
    assert of(-NUMBERS["m"])["C3"] == "serious"
    assert of(-NUMBERS["y"])["C3"] == "serious"
    assert of(NUMBERS["y"])["C4"] == "serious"
    assert of([3.0] * ROWS)["C8"] == "serious"


def test_scores_of_responses() -> None:
    def of(engine: Any) -> dict[str, str]:
        roles = {"raters": ["h1", "h2"], "prediction": "engine", "min": 1, "max": 6}
        return found(SCORED | {"engine": engine}, "scoring", **roles)

    assert of(SCORED["engine"]) == {"C10": "remark"}, "few have a human score of 1, or of 6"
    assert of(7 - SCORED["engine"])["C3"] == "serious"
    assert of(SCORED["h1"])["C4"] == "serious"
    assert of([3.0] * ROWS)["C8"] == "serious"
    assert of(SCORED["engine"] * 2)["C19"] == "serious"


def test_weights_that_are_names() -> None:
    table = {"label": LABEL, "guess": GUESS, "w": list(range(7_000, 7_000 + ROWS)), "v": [1, 2, 5] * 100}
    for task, given in (
        ("classification", {"reference": "label", "prediction": "guess"}),
        ("agreement", {"raters": ["label", "guess"]}),
    ):
        assert found(table, task, weight="w", **given)["C25"] == "serious"
        assert found(table, task, weight="v", **given) == {}


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_rows_that_stand_twice(engine: str) -> None:
    def twice(table: dict[str, Any]) -> dict[str, Any]:
        return {name: [*values, *values[:20]] for name, values in table.items()}

    scored = {"label": BINARY.tolist(), "p": SCORE.tolist()}
    for table, task, given in (
        (scored, "classification", {"reference": "label", "score": "p"}),
        (
            {name: values.tolist() for name, values in NUMBERS.items()},
            "regression",
            {"reference": "y", "prediction": "m"},
        ),
        ({n: v.tolist() for n, v in SCORED.items()}, "scoring", {"raters": ["h1", "h2"], "prediction": "engine"}),
    ):
        asked = given | {"engine": engine, "ok": "C10"}
        found_once, found_twice = (found(t, task, **asked) for t in (table, twice(table)))
        assert (found_once, found_twice) == ({}, {"C5": "remark"})
    rounded = {"label": BINARY.tolist(), "p": SCORE.round(2).tolist()}
    assert found(rounded, reference="label", score="p", engine=engine) == {}


def test_weights_of_any_size_are_checked() -> None:
    table = {"a": ["x", "y"] * 20, "b": ["x"] * 40, "w": [1e49] * 40}
    evaluation = adjudge.agreement(table, raters=["a", "b"], weight="w", replicates=100)
    assert any(check.key == "C8" for check in evaluation.checks)
