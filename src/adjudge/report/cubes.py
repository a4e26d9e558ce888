"""Cubes from Python: count a table once, evaluate its cells as often as there are questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.errors import InputError, SettingError, listed, quoted
from adjudge.report.evaluation import Evaluation, evaluate
from adjudge.tasks import task_named


def evaluate_cube(cube: Any, slices: Sequence[str] = (), **settings: object) -> Evaluation:
    """The ordinary evaluation of a cube's cells, by any of its slice columns.

    >>> table = {"label": ["a", "a", "b"], "guess": ["a", "b", "b"], "site": ["x", "y", "y"]}
    >>> cube = cube_of(evaluate(table, reference="label", prediction="guess", slices="site"))
    >>> evaluate_cube(cube, ["site"]).get("accuracy", slice="site = y").value
    0.5
    """
    meaning, known = cube.meaning, listed(cube.meaning.slices)
    for name in slices:
        if name not in meaning.slices and not all(part.strip() in meaning.slices for part in name.split("×")):
            raise SettingError(f"`slices` must be columns of the cube, which are {known}, not {quoted(name)}.")
    if meaning.raters:
        chosen = {"slices": list(slices)} if slices else {}
        raters = {"raters": list(meaning.raters), "engine": "stream", **chosen, **meaning.settings}
        return evaluate(cube, meaning.task, **raters | settings)
    systems = {
        one.name: {
            role: column
            for role, column in (("prediction", one.prediction), ("score", one.score))
            if column is not None
        }
        for one in meaning.systems
    }
    units = {"weight": meaning.weight, "cluster": meaning.unit_column}
    given = {"slices": list(slices) or None, "positive": meaning.positive, **units, **settings}
    roles = {name: value for name, value in given.items() if value is not None}
    return evaluate(cube, meaning.task, reference=meaning.reference, systems=systems, **roles)


def cube_of(evaluation: Evaluation, bits: int = 12) -> Any:
    """The crossed cells of the table that was evaluated, over all its slice columns; scores in cells of 1/2^bits."""
    task = task_named(evaluation.outcome.task)
    if task.cells is None:
        raise SettingError(
            f"A cube must be of a task that counts cells of labels, scores or ratings, but {task.name} has other sums "
            "than counts of cells. Evaluate the table."
        )
    if evaluation.request is None:
        raise InputError("A cube must be made from the table, which a saved evaluation does not hold. Evaluate again.")
    return task.cells(evaluation.request, bits)
