"""Labels and levels that are spelled in two ways by a slip of the keys, and codes that only people have."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import SettingError
from adjudge.report.evaluation import Evaluation

DRAWN = np.random.default_rng(9)
ROWS = 200
LABELS = np.array(["neutral", "positive", "negative"])
TRUTH = DRAWN.integers(0, 3, ROWS)
POINTS = DRAWN.integers(1, 6, ROWS)
WORDS = ["", "poor", "weak", "fair", "good", "best"]


def said(found: Evaluation, key: str, words: str = "") -> str | None:
    return next((one.severity for one in found.checks if one.key == key and words in one.sentence), None)


def answers() -> Any:
    return LABELS[np.where(DRAWN.random(ROWS) < 0.85, TRUTH, DRAWN.integers(0, 3, ROWS))].astype(object)


def raters(one: Any, other: Any, **given: Any) -> Evaluation:
    return adjudge.agreement({"a": one, "b": other}, raters=["a", "b"], replicates=100, **given)


def test_labels_and_levels_that_are_misspelled() -> None:
    typed, group = answers(), np.where(np.arange(ROWS) % 2, "female", "male").astype(object)
    typed[[5, 9]] = "nuetral", "postive"
    group[7] = "femlae"
    roles: dict[str, Any] = {"reference": "a", "prediction": "b", "replicates": 100}
    table = {"a": typed, "b": answers(), "g": group}
    assert said(adjudge.classification(table, **roles), "C2", '"nuetral" beside "neutral"') == "remark"
    assert said(adjudge.classification(table, **roles, slices=["g"]), "C2", '"femlae" beside "female"') == "remark"
    assert said(raters(typed, answers()), "C2", '"postive" beside "positive"') == "remark"


@pytest.mark.parametrize("rare", ["group b", "neutra1", "unsure", "positives or negatives"])
def test_a_rare_label_of_its_own_is_not_misspelled(rare: str) -> None:
    typed = answers()
    typed[TRUTH == 0], typed[5] = "group a", rare
    assert said(raters(typed, answers()), "C2") is None


def test_points_with_their_words_and_without() -> None:
    rated = [np.clip(POINTS + DRAWN.integers(-1, 2, ROWS), 1, 5) for _ in range(2)]
    full = [[f"{point} - {WORDS[point]}" for point in each] for each in rated]
    mixed = [[long if row % 3 else long[0] for row, long in enumerate(each)] for each in full]
    assert said(raters(*mixed), "C2", "numbers with their words") == "serious"
    assert said(raters(*full), "C2") is None
    parts = [[f"{point}" if row % 2 else f"{point}.1" for row, point in enumerate(each)] for each in rated]
    assert said(raters(*parts), "C2") is None


def test_accents_that_are_signs_of_their_own() -> None:
    one = np.array(["café", "thé", "eau"])[TRUTH]
    sentence = next(
        check.sentence for check in raters(one, [unicodedata.normalize("NFD", label) for label in one]).checks
    )
    assert "differ only in whether accents are signs of their own" in sentence


def test_lists_that_differ_in_blanks_are_not_in_another_order() -> None:
    one = ['["a", "b"]' if point > 3 else '["a"]' for point in POINTS]
    other = [cell.replace(" ", "") for cell in one]
    sentence = next(check.sentence for check in raters(one, other).checks if check.key == "C2")
    assert "have the same parts. If they mean the same, write them one way" in sentence


def test_sets_with_blanks_between_labels() -> None:
    cells = np.array(["red blue", "red", "blue", "green red", "blue green", "green"])
    with pytest.raises(SettingError, match='separator=" "'):
        raters(cells[POINTS - 1], cells[POINTS[::-1] - 1], measurement="sets")
    names = np.array(["New York", "New Jersey", "Texas", "Ohio", "Maine", "Utah"])
    assert said(raters(names[POINTS], names[POINTS[::-1]], measurement="sets"), "C2") is None


def test_a_code_that_people_have_and_the_judge_never() -> None:
    judge = DRAWN.integers(0, 2, ROWS)
    human = np.where(DRAWN.random(ROWS) < 0.3, judge, -1)
    roles: dict[str, Any] = {"reference": "h", "judge": "j", "positive": "1", "replicates": 100}
    found = adjudge.evaluate({"h": human, "j": judge}, "judges", **roles)
    assert said(found, "C22", 'missing=["-1"]') == "serious"
    signs = adjudge.evaluate({"h": human, "j": np.where(DRAWN.random(ROWS) < 0.1, -1, judge)}, "judges", **roles)
    assert said(signs, "C22") is None


def test_requirements_and_words_of_yaml(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    one = '"metric": "recall", "at_least": 0.8'
    for text, words in (
        (f'{{"requirement": {{{one}}}}}', "`requirement` must be a list.* a dash before each in YAML"),
        (
            f'{{"requirement": [{{{one}, "category": false}}]}}',
            "`category` must be text, not False. Put it in quotation",
        ),
    ):
        file.write_text(text)
        with pytest.raises(SettingError, match=words):
            adjudge.Gate.read(file)
