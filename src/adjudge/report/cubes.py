"""Cubes from Python: count a table once, evaluate its cells as often as there are questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.errors import InputError, SettingError, listed, literal, quoted
from adjudge.evaluation.asking.settings import checked_form, named_numbers
from adjudge.evaluation.cubes.widths import OF_CELLS, CellWidths
from adjudge.evaluation.declaration import Given, Task
from adjudge.report.evaluation import Evaluation, evaluate
from adjudge.tasks import task_named


# `Any`: a cube, of a room that reports do not import.
def evaluate_cube(cube: Any, slices: Sequence[str] = (), **settings: object) -> Evaluation:
    """The ordinary evaluation of a cube's cells, by any of its slice columns.

    >>> table = {"label": ["a", "a", "b"], "guess": ["a", "b", "b"], "site": ["x", "y", "y"]}
    >>> cube = cube_of(evaluate(table, reference="label", prediction="guess", slices="site"))
    >>> evaluate_cube(cube, ["site"]).get("accuracy", slice="site = y").value
    0.5
    """
    if not hasattr(cube, "meaning"):
        raise InputError(f"A cube must be one that `cube_of` gave, not {literal(cube)}. A file: adjudge reslice FILE.")
    meaning, known = cube.meaning, listed(cube.meaning.slices)
    named = checked_form("slices", "columns", slices)
    slice_names = named if isinstance(named, list) else [str(named)]
    for name in slice_names:
        if name not in meaning.slices and not all(part.strip() in meaning.slices for part in name.split("×")):
            raise SettingError(f"`slices` must be columns of the cube, which are {known}, not {quoted(name)}.")
    task = task_named(meaning.task)
    declared = {role.name for role in task.roles} | {one.name for one in task.settings if not one.by_hand}
    if strange := sorted({*meaning.given} - declared - {"engine", "systems"}):
        raise InputError(f"A cube must be evaluated by what its task takes, but this one asks for {listed(strange)}.")
    if missing := settings.pop("missing", None):
        words = checked_form("missing", "words", missing)
        cube = cube.with_missing(words if isinstance(words, list) else [str(words)])
    if beyond := sorted({*settings} - {*OF_CELLS, "engine"}):
        raise SettingError(
            f"`{beyond[0]}` cannot be asked of cells, which are read as they were counted. Count the table again, or "
            "evaluate it."
        )
    chosen = {"slices": slice_names} if slice_names else {}
    given: Given = {**meaning.given, **chosen, **settings}
    return evaluate(cube, meaning.task, **given)


def uncounted(task: Task) -> SettingError:
    """The refusal of a cube of a task whose rows are not counted in cells."""
    return SettingError(f"A cube must be of rows that are counted, but those of {task.name} are not: {task.uncounted}.")


# `Any`: the same.
def cube_of(
    evaluation: Evaluation, bits: int | None = None, cube_steps: Mapping[str, float] | Sequence[str] | None = None
) -> Any:
    """The crossed cells of the table that was evaluated, over all its slice columns; scores in cells of 1/2^bits (12).

    `cube_steps` gives columns of numbers that rows are counted by a step each, to multiples of which they are rounded.
    """
    if not isinstance(evaluation, Evaluation):
        raise InputError(f"A cube must be of an evaluation, not of {literal(evaluation)}. Evaluate the table first.")
    task = task_named(evaluation.outcome.task)
    if task.cells is None:
        raise uncounted(task)
    if evaluation.request is None:
        raise InputError("A cube must be made from the table, which a saved evaluation does not hold. Evaluate again.")
    cube = task.cells(evaluation.request, CellWidths(bits, named_numbers("cube_steps", cube_steps)))
    data = evaluation.outcome.data
    return cube.of_table(data.rows, data.used, data.left_out)
