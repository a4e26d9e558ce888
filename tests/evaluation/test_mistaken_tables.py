"""Tables as people spoil them, beside ones that look alike and are as they should be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge

RANDOM = np.random.default_rng(11)
N = 300
ROWS = np.arange(N)
LABEL = RANDOM.choice(["cat", "dog", "cow"], N, p=[0.5, 0.3, 0.2])
GUESS = np.where(RANDOM.random(N) < 0.85, LABEL, RANDOM.choice(["cat", "dog", "cow"], N))
YES = (RANDOM.random(N) < 0.35).astype(int)
SAID = np.where(RANDOM.random(N) < 0.9, YES, 1 - YES)
POINTS = np.clip(RANDOM.integers(0, 5, N)[:, None] + RANDOM.choice([-1, 0, 0, 1], (N, 3)), 0, 4)
OFTEN = np.array(["never", "rarely", "sometimes", "often", "always"])
WORDS = np.array(["no", "yes", "nein", "ja"])
BY_LABEL = {"reference": "y", "prediction": "p"}
RATERS = {"raters": ["r1", "r2", "r3"]}


def said(table: dict[str, Any], task: str, **given: Any) -> dict[str, str]:
    """The gravest severity of each check that speaks."""
    columns = {name: list(values) for name, values in table.items()}
    found = adjudge.evaluate(columns, task, **given, replicates=100).checks
    return {check.key: check.severity for check in reversed(found)}


def of_labels(y: Any, p: Any, **given: Any) -> dict[str, str]:
    return said({"y": y, "p": p}, "classification", **BY_LABEL, **given)


def of_raters(ratings: Any, **given: Any) -> dict[str, str]:
    return said({f"r{k + 1}": ratings[:, k] for k in range(3)}, "agreement", **RATERS, **given)


def named(values: Any, **names: str) -> list[str]:
    return [names.get(value, value) for value in values]


@pytest.mark.parametrize(
    ("y", "p", "key"),
    [
        (LABEL, named(GUESS, cat="c\u0430t"), "C2"),  # a Cyrillic letter
        (named(LABEL, cat="café"), named(GUESS, cat="cafe"), "C2"),
        (named(LABEL, cat="café"), named(GUESS, cat="cafÃ©"), "C2"),
        (np.where(ROWS % 10 == 0, "cat;dog", LABEL), GUESS, "C2"),
        (LABEL, [f"{g} (0.{k})" if k % 6 == 0 else g for k, g in enumerate(GUESS)], "C2"),
        (LABEL, named(GUESS, cat="kitty"), "C39"),
        (np.where(YES, "yes", "no"), WORDS[(ROWS % 2) * 2 + SAID], "C39"),
        (LABEL, np.where(ROWS % 2, np.char.add("__label__", GUESS), GUESS), "C39"),
        (2 * YES - 1, SAID, "C39"),
        (np.where(ROWS % 9 == 0, "unlabeled", LABEL), GUESS, "C22"),
        (np.where(ROWS % 20 == 0, 999, YES), SAID, "C22"),
        (np.where(ROWS % 6 == 0, -1, YES), SAID, "C22"),
        (["true label", *LABEL], ["model output", *GUESS], "C32"),
        (["[class]", *LABEL], ["[class]", *GUESS], "C32"),
        ([*LABEL, "Subtotal"], [*GUESS, "300"], "C32"),
    ],
)
def test_labels_that_were_spoilt_are_said_first(y: Any, p: Any, key: str) -> None:
    assert of_labels(y, p)[key] == "serious"


@pytest.mark.parametrize(
    ("y", "p"),
    [
        (named(LABEL, cat="ma", dog="má", cow="mà"), named(GUESS, cat="ma", dog="má", cow="ma")),  # three words
        (LABEL, np.where(RANDOM.random(N) < 0.1, "other", GUESS)),  # a label for what is hard, everywhere
        (LABEL, np.where(ROWS % 25 == 0, "very big cat", GUESS)),
        (np.where(ROWS % 6 == 0, -1, YES), np.where(ROWS % 6 == 0, 0, SAID)),  # -1, 0 and 1, and -1 is never answered
        (np.where(ROWS == 7, "rare", LABEL), np.where(ROWS == 9, "odd", GUESS)),
        (np.where(YES, "total loss", "none such"), np.where(SAID, "total loss", "none such")),
        (np.where(ROWS % 4 == 0, "black, white", LABEL), np.where(ROWS % 4 == 0, "black, white", GUESS)),
    ],
)
def test_labels_that_look_like_it_are_ordinary(y: Any, p: Any) -> None:
    assert "serious" not in of_labels(y, p).values()


def test_a_class_whose_rows_weigh_nothing_is_no_reason_to_stop() -> None:
    table = {"y": list(YES), "p": list(SAID), "w": list(YES)}
    found = adjudge.classification(table, **BY_LABEL, weight="w", replicates=100)
    assert found["accuracy"].value == pytest.approx(SAID[YES == 1].mean())


@pytest.mark.parametrize("scale", [sorted(OFTEN), ["sometimes", "never", "rarely", "always", "often"]])
def test_an_order_that_was_given_wrongly_is_said_first(scale: list[str]) -> None:
    assert of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)["C3"] == "serious"


def test_two_neighbours_that_were_swapped_are_remarked() -> None:
    scale = ["never", "sometimes", "rarely", "often", "always"]
    assert of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)["C3"] == "remark"


@pytest.mark.parametrize("scale", [list(OFTEN), list(OFTEN[::-1])])
def test_the_right_order_is_no_mistake_from_either_end(scale: list[str]) -> None:
    assert "C3" not in of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)
    guessing = OFTEN[RANDOM.choice(5, (N, 3), p=[0.4, 0.05, 0.1, 0.05, 0.4])]
    assert "C3" not in of_raters(guessing, measurement="ordinal", scale=scale)


def test_numbers_in_the_order_of_texts_are_said_first() -> None:
    scale = sorted(map(str, range(8, 13)))
    assert of_raters(POINTS + 8, measurement="ordinal", scale=scale)["C3"] == "serious"


@pytest.mark.parametrize(
    ("third", "key"),
    [
        ((POINTS[:, 2] + 1) * 2, "C12"),
        (POINTS[:, 2] / 4, "C12"),
        (POINTS[:, :2].sum(1), "C38"),
    ],
)
def test_a_rater_on_another_scale_or_the_sum_of_others_is_said_first(third: Any, key: str) -> None:
    ratings = np.column_stack([POINTS[:, 0] + 1, POINTS[:, 1] + 1, third])
    if key == "C38":
        ratings = np.column_stack([POINTS[:, :2], third])
    assert of_raters(ratings, measurement="interval")[key] == "serious"


def test_a_rater_who_names_labels_otherwise_is_said_first() -> None:
    words = np.array(["low", "mid", "high"])
    ratings = words[np.clip(POINTS[:, :1] // 2 + RANDOM.choice([-1, 0, 0, 0, 0, 0, 1], (N, 3)), 0, 2)]
    assert "serious" not in of_raters(ratings).values()
    ratings[:, 2] = named(ratings[:, 2], low="high", high="low")
    assert of_raters(ratings)["C39"] == "serious"


def test_items_that_a_rater_skipped_are_said_first() -> None:
    words = np.array(["low", "mid", "high", "top", "out"])[POINTS]
    words[::9, 0] = "skip"
    assert of_raters(words)["C22"] == "serious"


def test_the_share_of_one_row_is_a_share() -> None:
    value = RANDOM.normal(50, 10, N)
    table = {"y": list(value), "m": list(value + 1e-9 * RANDOM.normal(size=N))}
    found = adjudge.regression(table, reference="y", prediction="m", replicates=100).checks
    assert not [check.sentence for check in found if "One row makes" in check.sentence]
