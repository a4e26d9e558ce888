"""Every column that was given is told to the reader by its role, whatever the task."""

from __future__ import annotations

from importlib.resources import files

import pytest

import adjudge
from adjudge.tasks import task_named, task_names


@pytest.mark.parametrize("name", task_names())
def test_what_was_given_is_told(name: str) -> None:
    task = task_named(name)
    assert task.demo is not None
    given = {role.name for role in task.roles} & {*task.demo.given} - {"slices", "split"}
    result = adjudge.evaluate(str(files("adjudge") / "demo" / task.demo.file), name, replicates=100, **task.demo.given)
    assert {role.partition(" of ")[0] for role in result.outcome.data.roles} >= given


def test_a_column_that_is_sliced_by_is_told_by_its_own_role() -> None:
    table = {"what": ["a", "b"] * 20, "fine": ["x", "y", "z", "w"] * 10, "want": ["p"] * 40, "m": ["p", "q"] * 20}
    roles = {"phenomenon": "what", "test": "fine", "expect": "want", "prediction": "m"}
    assert adjudge.diagnostic(table, **roles, replicates=100).outcome.data.roles == roles
