"""Arrays that are probably a mistake are refused, or said to be one, by metrics, `estimate` and `evaluate` alike."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import adjudge
from adjudge import estimate, metrics
from adjudge.errors import AdjudgeError

RANDOM = np.random.default_rng(2)
Y = RANDOM.choice(["a", "b"], 300)
P = np.where(RANDOM.random(300) < 0.8, Y, "a")
TRUE, NEAR = pd.Series(Y), pd.Series(P)
SHUFFLED = NEAR.sample(frac=1, random_state=0)
SCORES = RANDOM.random(300)
YES = (Y == "a").astype(int)
CHANCE = 1 / (1 + np.exp(-(2 * YES - 1 + RANDOM.normal(size=300))))
NUMBER = RANDOM.normal(50, 10, 300)
GUESS = NUMBER + RANDOM.normal(0, 4, 300)
POINTS = RANDOM.integers(1, 6, 300)
THREE = np.clip(POINTS[:, None] + RANDOM.integers(-1, 2, (300, 3)), 1, 5)
LISTS = [[3, 2, 1, 0, 0]] * 60
TREATED = RANDOM.choice(["control", "pill"], 300)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: metrics.accuracy(TRUE, SHUFFLED), "in different orders"),
        (lambda: estimate("accuracy", TRUE, SHUFFLED), "in different orders"),
        (lambda: adjudge.evaluate(TRUE, SHUFFLED), "in different orders"),
        (lambda: metrics.accuracy(TRUE[5:105], TRUE[6:106]), "only some are the same"),
        (lambda: adjudge.evaluate({"y": TRUE, "p": SHUFFLED}, reference="y", prediction="p"), "in different orders"),
        (lambda: estimate("accuracy", (Y == "a").astype(int), SCORES), "must be labels, as the 2 of `reference` are"),
        (lambda: estimate("accuracy", np.eye(2)[(Y == "a").astype(int)], P), "must be one label for each row"),
        (lambda: estimate("accuracy", Y, P, categories=["a"]), "must name every label"),
        (lambda: estimate("cohen_kappa", POINTS, POINTS + 10), 'none in common.* give ok="C1"'),
        (lambda: estimate("accuracy", Y, P, ok="C99"), "must be keys of checks"),
        (lambda: estimate("accuracy", Y, P, level=0.05), "must be 0.5 or more"),
    ],
)
def test_it_is_refused(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(AdjudgeError, match=sentence):
        call()


def test_ordinary_arrays_are_taken() -> None:
    expected = estimate("accuracy", Y, P).value
    assert estimate("accuracy", TRUE, NEAR).value == expected
    assert estimate("accuracy", TRUE.iloc[::-1], NEAR.iloc[::-1]).value == expected
    # Rows that were drawn keep their names, and predictions of them have none: they are met by their place.
    assert estimate("accuracy", TRUE.iloc[::-1], pd.Series(P[::-1], index=range(5_000, 5_300))).value == expected
    assert estimate("accuracy", Y, P, categories=["a", "b", "c"]).value == expected
    assert estimate("accuracy", Y, P, level=0.5).value == expected
    texts = [f"answer {row}" for row in range(300)]
    assert estimate("accuracy", texts, texts[:200] + ["no"] * 100).value == pytest.approx(2 / 3)
    versions = [f"{row}.5" for row in range(300)]
    assert estimate("accuracy", versions, versions[:200] + ["1.5"] * 100).value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("call", "key"),
    [
        (lambda **how: estimate("roc_auc", YES, 1 - CHANCE, **how), "C3"),
        (lambda **how: estimate("roc_auc", Y, 1 - CHANCE, positive="a", **how), "C3"),
        (lambda **how: estimate("brier_score", YES, 100 * CHANCE, **how), "C12"),
        (lambda **how: estimate("average_precision", YES, YES, **how), "C4"),
        (lambda **how: estimate("accuracy", Y, Y, **how), "C4"),
        (lambda **how: estimate("accuracy", Y, np.roll(P, 1), **how), "C37"),
        (lambda **how: estimate("accuracy", Y, P, weights=np.arange(2_000, 2_300), **how), "C25"),
        (lambda **how: estimate("matthews_correlation", np.where(SCORES < 0.1, "NA", Y), P, **how), "C22"),
        (lambda **how: estimate("rmse", NUMBER, 1_000 * GUESS, **how), "C12"),
        (lambda **how: estimate("max_error", np.sort(NUMBER), GUESS, **how), "C37"),
        (lambda **how: estimate("rmse", pd.Series(NUMBER), pd.Series(np.arange(300)), **how), "C34"),
        (lambda **how: estimate("krippendorff_alpha", RANDOM.multinomial(5, [0.2, 0.3, 0.5], 300), **how), "C23"),
        (lambda **how: estimate("icc", THREE * [1, 1, -1], **how), "C3"),
        (lambda **how: estimate("gwet_ac2", THREE * [1, 1, -1], **how), "C3"),
        (lambda **how: estimate("cohen_kappa(weighting=quadratic)", THREE[:, 0], 6 - THREE[:, 1], **how), "C3"),
        (lambda **how: estimate("prmse", THREE[:, :2], -POINTS + RANDOM.normal(size=300), **how), "C3"),
        (lambda **how: estimate("ndcg", LISTS, [[1, 2, 3, 4, 5]] * 60, **how), "C3"),
        (lambda **how: estimate("qini", SCORES, YES * 0 + 1.0, treatment=TREATED, **how), "C8"),
        (lambda **how: estimate("preference_accuracy", ["a", "b"] * 60, ["a", "b"] * 60, **how), "C4"),
        (lambda **how: estimate("judge_assisted_mean", [1, 0] * 60, [100, 0] * 60, **how), "C12"),
    ],
)
def test_an_estimate_says_first_what_looks_like_a_mistake(call: Callable[..., Any], key: str) -> None:
    said = call()
    assert any(f"({key})" in sentence for sentence in said.checks), said.checks
    assert f"\nCheck the data first: {said.checks[0]}" in str(said)
    assert not any(f"({key})" in sentence for sentence in call(ok=key).checks)


@pytest.mark.parametrize(
    "call",
    [
        lambda: estimate("roc_auc", YES, CHANCE),
        lambda: estimate("roc_auc", Y, np.stack([CHANCE, 1 - CHANCE], axis=1), positive="a", categories=["a", "b"]),
        lambda: estimate("log_loss", YES, CHANCE.round(2)),
        lambda: estimate("accuracy", Y, P, weights=SCORES),
        lambda: estimate("rmse", NUMBER, GUESS),
        lambda: estimate("icc", THREE),
        lambda: estimate("krippendorff_alpha(measurement=ordinal)", THREE.tolist()),
        lambda: estimate("krippendorff_alpha", [["a", "b", None], ["a", "a", "a"], ["b", "b", "b"]] * 20),
        lambda: estimate("prmse", THREE[:, :2], POINTS + RANDOM.normal(size=300)),
        lambda: estimate("ndcg", LISTS, RANDOM.random((60, 5)) - np.arange(5) / 10),
        lambda: estimate("qini", YES, SCORES, treatment=TREATED),
        lambda: estimate("preference_accuracy", RANDOM.choice(["a", "b"], 90), RANDOM.choice(["a", "b"], 90)),
        lambda: estimate("judge_assisted_mean", np.where(SCORES < 0.5, YES, np.nan), CHANCE),
        lambda: estimate("set_alpha", [[{"a"}, {"a", "b"}], [{"b"}, {"b"}]] * 20),
        lambda: estimate("failure_rate", ["a"] * 40, ["a"] * 30 + ["b"] * 10),
    ],
)
def test_an_estimate_of_ordinary_arrays_says_nothing_else(call: Callable[[], Any]) -> None:
    assert call().checks == ()


def test_of_a_million_rows_the_first_are_looked_at() -> None:
    label = np.tile(YES, 1_000)
    assert "(C4)" in estimate("accuracy", label, label).checks[0]


def test_looking_at_arrays_warns_of_nothing() -> None:
    reference, prediction = [1e-300, -1e-300, 2e-300] * 10, [1e10, 2e10, -3e10] * 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        adjudge.estimate(metrics.mean_absolute_error, reference, prediction)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "conger_kappa", "light_kappa"])
def test_raters_who_spell_labels_otherwise_are_refused_whatever_the_coefficient(name: str) -> None:
    rows = [[*labels] for labels in ("xxX", "yyY", "xyX", "xxX", "yxY")] * 8
    with pytest.raises(AdjudgeError, match=r'none in common.*"X" and "x" differ only in case'):
        estimate(name, rows)
