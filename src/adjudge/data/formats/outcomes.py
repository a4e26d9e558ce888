"""Answers of a system with what a scorer made of them: what follows for the roles of a task."""

from __future__ import annotations

from collections.abc import Sequence

RIGHT, WRONG = "right", "wrong"
# References with more different texts than this are texts, not classes.
MOST_CLASSES = 50
Columns = dict[str, list[object]]


def with_outcome(
    columns: Columns, scorers: Sequence[str], system: str, *, unit: str = "id", only: bool = False
) -> tuple[Columns, dict[str, object]]:
    """The columns and the roles that they play, so that a row is right exactly where the first scorer says so.

    Where the prediction equals the reference just there, these are compared. Otherwise (any of several answers is
    right, or capitals do not count) what was accepted is: the prediction where it is right, else the first reference.
    Texts of many kinds are no classes: of them it is only told whether each is right; so it is of all, with `only`.
    """
    roles: dict[str, object] = {unit: "item"}
    reference, prediction = columns["reference"], columns["prediction"]
    right = next((columns[name] for name in scorers if _is_yes_or_no(columns[name])), None)
    plain = all(isinstance(value, (str, type(None))) for value in reference)
    same = [a == b for a, b in zip(reference, prediction, strict=True)]
    if right is None or (not only and plain and _agree(right, same)):
        return columns, roles | {"reference": "reference", "systems": {system: {"prediction": "prediction"}}}
    accepted: list[object] = [_accepted(*row) for row in zip(reference, prediction, right, strict=True)]
    if not only and len(set(accepted)) <= MOST_CLASSES and not any(value is None for value in prediction):
        columns = {**columns, "accepted": accepted}
        return columns, roles | {"reference": "accepted", "systems": {system: {"prediction": "prediction"}}}
    columns = {**columns, "expected": [RIGHT] * len(right)}
    columns["outcome"] = [None if one is None else RIGHT if one else WRONG for one in right]
    # Of answers that are right or wrong there is one thing to say.
    shares = {"metrics": ["accuracy"]}
    return columns, roles | shares | {"reference": "expected", "systems": {system: {"prediction": "outcome"}}}


def without_texts(columns: Columns, start: str) -> Columns:
    """The columns without those, of names that start so, of which half of the rows or more have a value of their own.

    >>> without_texts({"doc.topic": ["a", "a", "b", "b"], "doc.q": ["1", "2", "3", "4"]}, "doc.")
    {'doc.topic': ['a', 'a', 'b', 'b']}
    """
    return {
        name: values
        for name, values in columns.items()
        if not name.startswith(start) or 2 * len(set(map(repr, values))) <= len(values)
    }


def _agree(right: Sequence[object], same: Sequence[bool]) -> bool:
    """Whether a scorer calls right just what is the same."""
    return all(said is None or bool(said) == equal for said, equal in zip(right, same, strict=True))


def _accepted(reference: object, prediction: object, right: object) -> str | None:
    if right is None:
        return None
    first = reference[0] if isinstance(reference, list) and reference else reference
    if right:
        return str(prediction)
    return f"not {first}" if first == prediction else None if first is None else str(first)


def _is_yes_or_no(values: Sequence[object]) -> bool:
    known = {value for value in values if value is not None and not isinstance(value, (list, dict))}
    return bool(known) and known <= {0, 1}
