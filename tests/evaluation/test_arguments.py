"""Whatever is given to a door, it answers or says in one sentence why not."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError, SettingError
from adjudge.evaluation.asking.arguments import SHARED, checked_arguments
from adjudge.evaluation.declaration import Role
from adjudge.evaluation.request import request
from adjudge.tasks import task_named, task_names
from adjudge.tasks.agreement.difference import SETTINGS, TEAMS

TABLE = {
    "h1": [1, 2, 3, 2, 4, 5],
    "h2": [1, 3, 3, 2, 4, 4],
    "m": [1.2, 2.2, 2.7, 2.1, 4.2, 4.4],
    "label": ["a", "b", "a", "b", "a", "b"],
    "guess": ["a", "b", "b", "b", "a", "a"],
}
ASKED: dict[str, dict[str, Any]] = {
    "classification": {"reference": "label", "prediction": "guess"},
    "agreement": {"raters": ["label", "guess"]},
    "scoring": {"raters": ["h1", "h2"], "prediction": "m", "min": 1, "max": 6},
}
GIVEN: list[Any] = [
    *(5, 3.5, True, object(), b"x", 1j, -1, 0, 10**400, float("nan"), float("inf"), lambda: 0),
    *("", "a", "1", "h1", "m", "nan", "metrics", [], (), {}, set("ab"), [None], [1.5], [[]], [b"h1"], ("h1", 2)),
    *({"a": object()}, {"a": 1}, {1.5: "m"}, {"m": "h1"}, {"m": {"prediction": 5}}, {"m": {"score": [1]}}),
    *(["a=1"], ["=1"], ["a="], {"smd": [1]}, {"h1": None}, {"h1": [None]}, {"smd": 10**400}, ["smd=1e999"]),
    *(np.float64(3), np.array([1, 2]), np.array(["h1"]), np.array(3.0), ["m", "m"], ["accuracy"]),
]
NAMES = [
    (task, declared.name)
    for task in ASKED
    if task in task_names()
    for declared in (*task_named(task).roles, *task_named(task).settings, *SHARED)
]


def refused_in_one_sentence(act) -> None:
    said = ""
    try:
        act()
    except AdjudgeError as error:
        said = str(error)
    assert " at 0x" not in said
    assert "\n" not in said


@pytest.mark.parametrize(("task", "name"), NAMES)
def test_a_door_never_ends_in_an_error_of_python(task: str, name: str) -> None:
    for value in GIVEN:
        refused_in_one_sentence(lambda value=value: request(task_named(task), TABLE, **{**ASKED[task], name: value}))


@pytest.mark.parametrize("name", [declared.name for declared in (*TEAMS, *SETTINGS)])
def test_nor_does_the_difference_of_two_teams(name: str) -> None:
    asked = {"first": ["label", "guess"], "second": ["guess", "label"], "replicates": 100}
    for value in GIVEN:
        if not (name == "replicates" and isinstance(value, int)):
            refused_in_one_sentence(lambda value=value: adjudge.agreement_difference(TABLE, **{**asked, name: value}))


@pytest.mark.parametrize("value", [5, object(), [], b"x", {"a": 1}], ids=["5", "object", "list", "bytes", "dict"])
def test_nor_do_tables_and_tasks(value: Any) -> None:
    with pytest.raises(AdjudgeError):
        adjudge.evaluate(value, **ASKED["classification"])
    with pytest.raises(SettingError):
        adjudge.evaluate(TABLE, value)
    with pytest.raises(SettingError):
        adjudge.evaluate(TABLE, progress=value, **ASKED["classification"])


@pytest.mark.parametrize("name", ["level", "replicates", "seed", "bootstrap", "method", "positive", "categories"])
def test_nor_does_an_estimate(name: str) -> None:
    matrix = [[1, 2], [2, 2], [3, 3], [1, 1]]
    for value in GIVEN:
        if not (name in ("replicates", "seed") and isinstance(value, int)):
            for metric in (adjudge.metrics.prmse, adjudge.metrics.fleiss_kappa):
                asked = {"replicates": 100, name: value}
                refused_in_one_sentence(
                    lambda metric=metric, asked=asked: (
                        adjudge.estimate(metric, matrix, [1, 2, 3, 1], **asked)
                        if metric.name == "prmse"
                        else adjudge.estimate(metric, matrix, **asked)
                    )
                )


def test_columns_may_be_called_by_numbers() -> None:
    table = {"0": TABLE["h1"], "1": TABLE["h2"], "2": TABLE["m"]}
    asked = {"raters": np.array([0, 1]), "prediction": 2, "metrics": "rmse", "replicates": 100}
    by_number = adjudge.evaluate(table, "scoring", **asked)
    by_name = adjudge.evaluate(table, "scoring", **{**asked, "raters": ["0", "1"], "prediction": "2"})
    assert by_number.table.records() == by_name.table.records()


@pytest.mark.parametrize("name", ["confidence", "reference", "references", "nothing_like_it"])
@pytest.mark.parametrize("task", ["agreement", "scoring"])
def test_the_function_of_a_task_refuses_names_in_the_words_of_evaluate(task: str, name: str) -> None:
    with pytest.raises(SettingError) as by_name:
        adjudge.evaluate(TABLE, task, **{name: 0.9})
    with pytest.raises(SettingError) as by_function:
        getattr(adjudge, task)(TABLE, **{name: 0.9})
    assert str(by_function.value).partition(" and ")[0] == str(by_name.value).partition(" and ")[0]  # " and 33 more"


def test_the_function_of_a_task_shows_its_own_names() -> None:
    assert list(inspect.signature(adjudge.agreement).parameters)[:3] == ["table", "raters", "item"]
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'reference'"):
        adjudge.classification(TABLE, prediction="guess")


@pytest.mark.parametrize(
    "raters", [["ann", None], [None, "ben"], ["ann", 1.5, "ben"], ["ann", ["ben"]], {"ann", "ben"}]
)
def test_a_list_with_one_wrong_part_is_refused_as_a_whole(raters: object) -> None:
    role = Role("raters", "columns", many=True)
    with pytest.raises(SettingError, match="`raters` must be"):
        checked_arguments("a task", [role], [], {"raters": raters})
    assert checked_arguments("a task", [role], [], {"raters": (one for one in ("ann", "ben"))}) == {
        "raters": ["ann", "ben"]
    }
