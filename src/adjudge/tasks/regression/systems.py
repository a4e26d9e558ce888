"""Which columns are a system's: predicted numbers, and the ends of prediction intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.data.systems import as_list
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.arguments import shown
from adjudge.evaluation.declaration import Given
from adjudge.tasks.regression.reading import NumberSystem

ROLES = ("prediction", "lower", "upper")
SHAPE = "`systems` must map each name to its columns, {'prediction': …, 'lower': …, 'upper': …},"


def number_systems(given: Given) -> tuple[NumberSystem, ...]:
    """The systems that were named: by lists of columns, or one by one.

    >>> number_systems({"prediction": ["m1", "m2"]})[1]
    NumberSystem(name='m2', prediction='m2', lower=None, upper=None)
    >>> number_systems({"systems": {"new": {"prediction": "m", "lower": "l", "upper": "u"}}})
    (NumberSystem(name='new', prediction='m', lower='l', upper='u'),)
    """
    columns = {role: tuple(map(str, as_list(given.get(role)))) for role in ROLES}
    systems = given.get("systems")
    if systems is None:
        return _in_lists(**columns)
    if any(columns.values()):
        raise SettingError(
            "Systems must be given either as `systems` or as `prediction`, `lower` and `upper`, but both are here. "
            "Leave one out."
        )
    if not isinstance(systems, Mapping) or not systems:
        raise SettingError(f"{SHAPE} not {shown(systems)}.")
    return tuple(_named(str(name), answers) for name, answers in systems.items())


def _in_lists(prediction: Sequence[str], lower: Sequence[str], upper: Sequence[str]) -> tuple[NumberSystem, ...]:
    if not prediction:
        raise SettingError("`prediction` must be given: the column of predicted numbers.")
    if len(set(prediction)) < len(prediction):
        raise SettingError(
            f"`prediction` must name different columns, not {listed(prediction)}. Name systems with `systems`."
        )
    if len(lower) != len(upper) or (lower and len(lower) != len(prediction)):
        raise SettingError(
            "`lower` and `upper` must each name one column per prediction, or be left out, but there are "
            f"{len(lower)} and {len(upper)} for {len(prediction)}."
        )
    ends = zip(lower, upper, strict=True) if lower else [(None, None)] * len(prediction)
    return tuple(NumberSystem(name, name, *pair) for name, pair in zip(prediction, ends, strict=True))


def _named(name: str, answers: object) -> NumberSystem:
    given = {"prediction": answers} if isinstance(answers, str) else answers
    columns = {role: c for role, c in given.items() if c is not None} if isinstance(given, Mapping) else {}
    if not columns.keys() <= set(ROLES) or "prediction" not in columns:
        raise SettingError(f"{SHAPE} but {quoted(name)} has {shown(answers)}.")
    if ("lower" in columns) != ("upper" in columns):
        raise SettingError(f"`lower` and `upper` must be given together, but {quoted(name)} has one of them only.")
    return NumberSystem(name, **{role: str(column) for role, column in columns.items()})
