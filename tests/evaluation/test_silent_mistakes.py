"""Inputs that are probably a mistake, in every task: each is said first. Clean tables beside them say nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import checked

import adjudge

RANDOM = np.random.default_rng(5)
N = 120
LABEL = RANDOM.choice(["cat", "dog", "cow"], N)
GUESS = np.where(RANDOM.random(N) < 0.8, LABEL, "cat")
TRUE = RANDOM.normal(50, 10, N)
NEAR = TRUE + RANDOM.normal(0, 4, N)
GRADE = np.clip(np.round(RANDOM.normal(3.5, 1.2, N)), 1, 6).astype(int)
SECOND = np.clip(GRADE + RANDOM.integers(-1, 2, N), 1, 6)
ENGINE = np.clip(GRADE + RANDOM.normal(0, 0.6, N), 0.6, 6.4)
YES = (RANDOM.random(N) < 0.4).astype(int)
QUERY = [f"q{row // 4}" for row in range(N)]
RELEVANCE = np.tile([2, 1, 0, 0], N // 4)
ORDER = RELEVANCE + RANDOM.normal(0, 0.7, N)
VOTE = RANDOM.choice(["text_a", "text_b"], N)
NAMES = [f"n{row}" for row in range(N)]

CLASSES: dict[str, Any] = {"label": LABEL, "guess": GUESS}
NUMBERS: dict[str, Any] = {"true": TRUE, "near": NEAR}
GRADES: dict[str, Any] = {"h1": GRADE, "h2": SECOND, "e": ENGINE}
LISTS: dict[str, Any] = {"query": QUERY, "relevance": RELEVANCE, "score": ORDER}
JUDGED: dict[str, Any] = {"people": YES, "judge": np.where(RANDOM.random(N) < 0.85, YES, 1 - YES)}
ARMS: dict[str, Any] = {"bought": YES, "mail": RANDOM.integers(0, 2, N), "score": RANDOM.normal(size=N)}
VOTES: dict[str, Any] = {"a": NAMES, "b": NAMES[::-1], "human": VOTE, "judge": np.where(YES, VOTE, VOTE[::-1])}
SUITE: dict[str, Any] = {"case": NAMES, "what": ["x", "y"] * (N // 2), "expect": LABEL, "new": GUESS}

NOMINAL = {"measurement": "nominal"}

ROLES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "classification": (CLASSES, {"reference": "label", "prediction": "guess"}),
    "regression": (NUMBERS, {"reference": "true", "prediction": "near"}),
    "scoring": (GRADES, {"raters": ["h1", "h2"], "prediction": "e", "min": 1, "max": 6}),
    "agreement": (GRADES, {"raters": ["h1", "h2"], "measurement": "interval"}),
    "ranking": (LISTS, {"query": "query", "relevance": "relevance", "score": "score", "metrics": "ndcg"}),
    "judges": (JUDGED, {"reference": "people", "judge": "judge"}),
    "uplift": (ARMS, {"outcome": "bought", "treatment": "mail", "score": "score"}),
    "preference": (VOTES, {"reference": "human", "annotators": ["judge"], "text_a": "a", "text_b": "b"}),
    "diagnostic": (SUITE, {"case": "case", "phenomenon": "what", "expect": "expect", "prediction": ["new"]}),
}


def checks(task: str, changed: dict[str, Any], **given: Any) -> dict[str, str]:
    """The gravest severity of each check that speaks."""
    table, roles = ROLES[task]
    return checked(table | changed, task, **roles | given)


def with_value(values: Any, value: Any, every: int = 10) -> list[Any]:
    return [value if row % every == 0 else one for row, one in enumerate(values)]


@pytest.mark.parametrize("task", ROLES)
def test_clean_tables_say_nothing_serious(task: str) -> None:
    assert not {key for key, severity in checks(task, {}).items() if severity == "serious"}


@pytest.mark.parametrize(
    ("task", "changed", "given", "key"),
    [
        ("regression", {"near": NEAR / 100}, {}, "C12"),
        ("regression", {"near": NEAR * 1000}, {}, "C12"),
        ("regression", {"near": NEAR + 20_200_101}, {}, "C12"),
        ("regression", {"true": with_value(TRUE, -999)}, {}, "C22"),
        ("agreement", {"h1": with_value(GRADE, -9)}, {}, "C22"),
        ("agreement", {"h1": with_value(GRADE, 99)}, {"measurement": "nominal"}, "C22"),
        ("agreement", {"h2": 7 - SECOND}, {}, "C3"),
        ("agreement", {"id": NAMES}, {"slices": ["id"]}, "C33"),
        ("scoring", {"h1": with_value(GRADE, -1)}, {}, "C19"),
        ("classification", {}, {"cluster": "label"}, "C33"),
        ("classification", {"id": NAMES}, {"slices": ["id"]}, "C33"),
        (
            "classification",
            {"label": [*LABEL, "label", *LABEL], "guess": [*GUESS, "guess", *GUESS]},
            {},
            "C32",
        ),
        ("ranking", {"score": -ORDER}, {}, "C3"),
        ("ranking", {"score": [1.0] * N}, {}, "C8"),
        ("ranking", {"query": NAMES}, {}, "C8"),
        ("judges", {"judge": 1 - JUDGED["judge"]}, {}, "C3"),
        ("judges", {"judge": YES}, {}, "C4"),
        ("uplift", {"score": ARMS["mail"] + 0.1 * ARMS["score"]}, {}, "C31"),
        ("preference", {"judge": VOTE}, {}, "C4"),
        ("preference", {"judge": ["text_a"] * N}, {}, "C8"),
        ("diagnostic", {"new": [guess.upper() for guess in GUESS]}, {}, "C2"),
        ("diagnostic", {"new": ["cat"] * N}, {}, "C8"),
        ("diagnostic", {"new": RANDOM.integers(0, 3, N)}, {}, "C1"),
        ("diagnostic", {"old": GUESS}, {"prediction": ["old", "new"]}, "C24"),
        ("diagnostic", {}, {"case": "what"}, "C33"),
        ("scoring", {"h2": GRADE}, {}, "C4"),
        ("scoring", {"h2": 7 - SECOND}, {}, "C3"),
        ("scoring", {"h2": [3] * N}, {}, "C8"),
        ("scoring", {}, {"raters": ["e"], "prediction": "h1"}, "C34"),
        ("scoring", {}, {"weight": "h1"}, "C33"),
        ("scoring", {"e": np.arange(N)}, {}, "C34"),
        ("scoring", {name: [*GRADES[name], sum(GRADES[name])] for name in GRADES}, {}, "C32"),
        ("ranking", {"score": RELEVANCE, "relevance": np.abs(ORDER)}, {}, "C34"),
        ("ranking", {}, {"score": "relevance"}, "C33"),
        ("agreement", {"h2": GRADE, "h3": SECOND}, {"raters": ["h1", "h2", "h3"], **NOMINAL}, "C17"),
        ("agreement", {"h1": LABEL, "h2": GUESS, "h3": GUESS + "s"}, {"raters": ["h1", "h2", "h3"], **NOMINAL}, "C1"),
        ("agreement", {"item": NAMES[: N // 2] * 2}, {"item": "item"}, "C6"),
        ("regression", {"near": np.arange(N)}, {}, "C34"),
        ("regression", {"near": (NEAR - 50) / 8}, {}, "C12"),
        ("regression", {"true": [5] * N}, {}, "C8"),
        ("regression", {"low": NEAR + 5, "high": NEAR - 5}, {"lower": "low", "upper": "high"}, "C34"),
        ("regression", {"low": [5] * N, "high": [6] * N}, {"lower": "low", "upper": "high"}, "C34"),
        ("regression", {}, {"weight": "true"}, "C33"),
        ("judges", {"judge": [1] * N}, {}, "C8"),
        ("uplift", {"score": [1] * N}, {}, "C8"),
        ("uplift", {"bought": [1] * N}, {}, "C8"),
        ("preference", {"b": NAMES}, {}, "C35"),
        ("preference", {}, {"text_b": "a"}, "C33"),
    ],
)
def test_a_likely_mistake_is_said_first(task: str, changed: dict[str, Any], given: dict[str, Any], key: str) -> None:
    assert checks(task, changed, **given)[key] == "serious"


def test_scores_that_are_decisions_are_told_apart_from_copies() -> None:
    roles = {"prediction": None, "reference": "y", "score": "s", "positive": 1}
    for scores, found in ((YES.astype(float), "serious"), (with_value(YES.astype(float), 0.0), "remark")):
        said = checks("classification", {"y": YES, "s": scores}, **roles)
        assert said.get("C4" if found == "serious" else "C13") == found


def test_the_reference_as_a_slice_is_remarked() -> None:
    assert checks("classification", {}, slices=["label"])["C33"] == "remark"


RATED = [{"item": f"i{item}", "rater": f"r{rater}", "rating": LABEL[item]} for item in range(N) for rater in range(2)]


def test_items_and_raters_the_wrong_way_round_are_said_first() -> None:
    for item, rater, said in (("item", "rater", False), ("rater", "item", True)):
        found = adjudge.agreement(RATED, item=item, rater=rater, rating="rating", replicates=100, ok=["C4"]).checks
        assert [check.sentence for check in found if check.key == "C34"] == (
            [
                '"rater" is `item` and "item" is `rater`, but their names say the opposite. Are the two swapped?',
                "2 items and 120 raters: are `item` and `rater` swapped?",
            ]
            if said
            else []
        )


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("names", [NAMES, [f"n{row // 2}" for row in range(N)]])
def test_clusters_of_one_are_remarked(names: list[str], engine: str) -> None:
    said = checks("classification", {"who": names}, cluster="who", engine=engine)
    assert said.get("C33") == ("remark" if names is NAMES else None)


def test_a_threshold_that_no_score_reaches_is_said_first() -> None:
    roles = {"prediction": None, "reference": "y", "score": "s", "positive": 1}
    scores = np.clip(0.3 * YES + 0.5 * RANDOM.random(N), 0, 1)
    for threshold, said in ((0.5, None), (50, "serious"), (-1, "serious")):
        assert checks("classification", {"y": YES, "s": scores}, **roles, threshold=threshold).get("C8") == said


def test_answers_in_another_order_are_remarked() -> None:
    rows = 1200
    label = RANDOM.choice(["cat", "dog", "cow"], rows)
    number = RANDOM.normal(size=rows)
    order = RANDOM.permutation(rows)
    grades = {"h1": np.repeat([1, 2, 3, 4], rows // 4), "e": np.repeat([1.2, 2.1, 3.3, 3.9], rows // 4)}
    for columns, roles in (
        ({"a": label, "b": label[order]}, {"reference": "a", "prediction": "b"}),
        ({"a": label == "cat", "b": number}, {"reference": "a", "score": "b", "positive": True}),
        ({"task": "regression", "a": number, "b": number[order]}, {"reference": "a", "prediction": "b"}),
        ({"task": "scoring", **grades, "h2": grades["h1"][order]}, {"raters": ["h1", "h2"], "prediction": "e"}),
    ):
        task = str(columns.pop("task", "classification"))
        found = adjudge.evaluate({name: list(of) for name, of in columns.items()}, task, **roles, replicates=100).checks
        assert "C36" in {check.key for check in found if check.severity == "remark"}


def test_a_reference_that_never_varies_is_remarked() -> None:
    assert checks("classification", {"label": ["cat"] * N})["C8"] == "remark"


def test_always_the_first_answer_is_remarked() -> None:
    assert checks("preference", {"human": ["text_a"] * N})["C8"] == "remark"
