"""Mistakes of spreadsheets, joins and units that are said first, each beside an ordinary table that looks like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import checks_of, collect
from adjudge.tasks import task_named

RANDOM = np.random.default_rng(5)
ROWS = 400
CODE = RANDOM.integers(0, 3, ROWS)
SAID = np.where(RANDOM.random(ROWS) < 0.8, CODE, RANDOM.integers(0, 3, ROWS))
WORD, ANSWER = np.array(["cat", "dog", "fox"])[CODE], np.array(["cat", "dog", "fox"])[SAID]
NUMBER = RANDOM.lognormal(3, 0.6, ROWS)
GUESS = NUMBER * np.exp(RANDOM.normal(0, 0.15, ROWS))
HOURS = RANDOM.exponential(100, ROWS)
FAILURES = RANDOM.poisson(HOURS / 50)
LEVEL = RANDOM.normal(3, 1, ROWS)
ONE, TWO, THREE = (LEVEL + RANDOM.normal(0, 0.4, ROWS) for _ in range(3))
TREATED = RANDOM.integers(0, 2, ROWS)
SCORE = RANDOM.normal(size=ROWS)
BOUGHT = (RANDOM.random(ROWS) < 1 / (1 + np.exp(1 - 1.5 * TREATED * SCORE))).astype(int)
VOTE = RANDOM.choice(["a", "b"], ROWS)
OTHER = np.where(VOTE == "a", "b", "a")
ALIKE = np.where(RANDOM.random(ROWS) < 0.8, VOTE, OTHER)

LABELS = {"reference": "y", "prediction": "p"}
WATCHED = {"exposure": "t", "failures": "f"}
RATED = {"raters": ["a", "b", "c"], "measurement": "interval"}
ARMS = {"outcome": "y", "treatment": "t", "score": "s"}
VOTES = {"reference": "r", "annotators": ["x"]}


def found(task: str, table: dict[str, Any], asked: dict[str, Any]) -> list[Check]:
    question = request(task_named(task), table, **asked)
    return checks_of(question, collect(question))


def with_figures(values: np.ndarray, *figures: float) -> list[float]:
    return [*values, values.mean(), *figures]


@pytest.mark.parametrize(
    ("task", "table", "asked", "key", "severity"),
    [
        ("classification", {"y": [*WORD, "Summe"], "p": [*ANSWER, "400"]}, LABELS, "C32", SERIOUS),
        ("classification", {"y": [*WORD, "Gesamt"], "p": [*ANSWER, "Gesamt"]}, LABELS, "C32", SERIOUS),
        ("classification", {"y": np.where(SCORE > 1, "keine Angabe", WORD), "p": ANSWER}, LABELS, "C22", SERIOUS),
        ("classification", {"y": np.where(SCORE > 1, "#NV", WORD), "p": ANSWER}, LABELS, "C22", SERIOUS),
        (
            "classification",
            {"y": np.where(SCORE > 1.3, 9, np.where(SCORE < -1.3, 8, CODE)), "p": SAID},
            LABELS,
            "C22",
            SERIOUS,
        ),
        (
            "regression",
            {"y": with_figures(NUMBER, NUMBER.std()), "p": with_figures(GUESS, GUESS.std())},
            LABELS,
            "C32",
            SERIOUS,
        ),
        (
            "regression",
            {"y": with_figures(NUMBER, 1, 2, 3, 4), "p": with_figures(GUESS, 1, 2, 3, 4)},
            LABELS,
            "C32",
            SERIOUS,
        ),
        ("failures", {"t": 1.7e9 + RANDOM.random(ROWS) * 1e6, "f": FAILURES}, WATCHED, "C34", SERIOUS),
        ("agreement", {"a": ONE, "b": 10 * TWO, "c": THREE}, RATED, "C12", SERIOUS),
        ("agreement", {"a": ONE, "b": TWO + 100, "c": THREE}, RATED, "C12", SERIOUS),
        ("uplift", {"y": BOUGHT, "t": 1 - TREATED, "s": SCORE}, ARMS, "C3", SERIOUS),
        ("uplift", {"y": BOUGHT, "t": TREATED, "s": -SCORE}, ARMS, "C3", SERIOUS),
        ("uplift", {"y": 1 - BOUGHT, "t": TREATED, "s": SCORE}, ARMS, "C3", SERIOUS),
        ("uplift", {"y": BOUGHT * TREATED, "t": TREATED, "s": SCORE}, ARMS, "C8", SERIOUS),
        ("preference", {"r": VOTE, "x": np.where(np.arange(ROWS) % 2, VOTE, OTHER)}, VOTES, "C36", REMARK),
    ],
)
def test_it_is_said(task: str, table: dict[str, Any], asked: dict[str, Any], key: str, severity: str) -> None:
    assert (key, severity) in {(check.key, check.severity) for check in found(task, table, asked)}


@pytest.mark.parametrize(
    ("task", "table", "asked"),
    [
        ("classification", {"y": np.where(WORD == "cat", "media", WORD), "p": ANSWER}, LABELS),
        ("classification", {"y": np.where(SCORE > 1, "no answer", WORD), "p": ANSWER}, LABELS),
        ("classification", {"y": RANDOM.integers(0, 10, ROWS), "p": RANDOM.integers(0, 8, ROWS)}, LABELS),
        ("regression", {"y": with_figures(NUMBER, 20), "p": [*GUESS, 21.5, 20]}, LABELS),
        ("regression", {"y": np.round(NUMBER), "p": np.round(GUESS)}, LABELS),
        ("failures", {"t": HOURS, "f": FAILURES}, WATCHED),
        ("agreement", {"a": ONE, "b": 3 * TWO, "c": THREE + 1}, RATED),
        ("uplift", {"y": BOUGHT, "t": TREATED, "s": SCORE}, ARMS),
        ("uplift", {"y": BOUGHT, "t": TREATED, "s": RANDOM.normal(size=ROWS)}, ARMS),
        ("uplift", {"y": (RANDOM.random(ROWS) < 0.01 * TREATED).astype(int), "t": TREATED, "s": SCORE}, ARMS),
        ("preference", {"r": VOTE, "x": ALIKE}, VOTES),
    ],
)
def test_nothing_serious_is_said_of_what_looks_like_it(task: str, table: dict[str, Any], asked: dict[str, Any]) -> None:
    keys = ("C3", "C8", "C12", "C22", "C32", "C34", "C36")
    assert not [check for check in found(task, table, asked) if check.key in keys and check.severity == SERIOUS]


@pytest.mark.parametrize("heavy", [True, False])
def test_rows_that_weigh_nothing_make_no_copy(heavy: bool) -> None:
    wrong = WORD != ANSWER
    few = np.flatnonzero(~wrong)[:8]
    weights = np.zeros(ROWS) if heavy else np.where(wrong, 0.0, 1.0)
    weights[few] = 1.0
    checks = found("classification", {"y": WORD, "p": ANSWER, "w": weights}, {**LABELS, "weight": "w"})
    said = [check.sentence for check in checks if check.key == "C4"]
    assert said == ([] if heavy else ['"p" equals the reference in all that weigh of 400 rows. Is it a copy?'])
