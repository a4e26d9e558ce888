"""How rows become pairs of numbers, and which columns are a system's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut, Rows, label_keys, number_column
from adjudge.data.judgements.numbers import NumbersTogether, PredictedNumbers
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.unit_losses import JOINTLY, UnitLosses
from adjudge.data.judgements.value_columns import ValueColumns
from adjudge.data.keys import Keys, RowKeys, digest_of, keys_of_fine_rows, keys_of_numbers
from adjudge.data.reading import Units, Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import MOST_NUMBER, Batch
from adjudge.data.systems import as_list
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.asking.arguments import shown
from adjudge.evaluation.declaration import Given

# Views of a system's numbers as what functions of the user's own are called with, of all systems' numbers together, and
# of these and the reference as raters'; no column is called so.
VALUES = "\0values of "
TOGETHER, RANKS = "\0numbers of all systems", "\0ranks"


@dataclass(frozen=True, slots=True)
class NumberSystem:
    """Where one system's predictions are, and the ends of its prediction intervals, if it has any."""

    name: str
    prediction: str
    lower: str | None = None
    upper: str | None = None

    @property
    def roles(self) -> dict[str, str]:
        """Which column plays which role."""
        columns = {"prediction": self.prediction, "lower": self.lower, "upper": self.upper}
        return {role: column for role, column in columns.items() if column is not None}

    @property
    def bounds(self) -> tuple[str, ...]:
        """The columns of lower and upper ends; none without intervals."""
        return tuple(end for end in (self.lower, self.upper) if end is not None)


@dataclass(frozen=True, kw_only=True)
class NumberReading(RowReading):
    """Which columns hold the reference, and each system's predictions."""

    reference: str
    systems: tuple[NumberSystem, ...]

    as_numbers: ClassVar[str] = "reference, prediction, lower, upper, "

    def answers(self) -> Iterator[RoleColumn]:
        """The reference and the predictions; a row stays without the ends of an interval."""
        yield RoleColumn("reference", self.reference, number=True)
        for system in self.systems:
            for role, column in system.roles.items():
                yield RoleColumn(role, column, number=True, needed=role == "prediction")

    def unused(self, batch: Batch, left_out: LeftOut) -> dict[str, int]:
        """Rows that stay though their prediction has no interval, counted by the first reason that holds."""
        counts: dict[str, int] = {}
        for lower, upper in (system.bounds for system in self.systems if system.bounds):
            without = LeftOut(left_out.keep.copy())
            self.drop_unusable(without, batch, RoleColumn("lower", lower, number=True))
            self.drop_unusable(without, batch, RoleColumn("upper", upper, number=True))
            ends = [number_column(batch, end).values for end in (lower, upper)]
            without.drop(ends[0] > ends[1], f"lower {quoted(lower)} lies above upper {quoted(upper)}")
            counts |= without.reasons
        return counts

    def digests(self, views: Views, units: Keys | RowKeys) -> dict[str, int]:
        """Of predictions, where there are several systems."""
        names = [system.name for system in self.systems] if views and len(self.systems) > 1 else []
        return {name: digest_of(np.asarray(units), keys_of_numbers(views[name].prediction)) for name in names}

    def wrong(self, views: Views) -> dict[str, NDArray[np.bool_]]:
        """Predictions above the reference: what lies on one side tells as much as what is wrong."""
        return {s.name: np.asarray(views[s.name].prediction > views[s.name].reference) for s in self.systems}

    def twins(self, views: Views) -> Keys | None:
        """Of the reference and all predictions, where some have many decimals."""
        each = [views[system.name] for system in self.systems]
        return keys_of_fine_rows([each[0].reference, *(one.prediction for one in each)])

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Each system's numbers, the same as plain columns, and all of them as ranks."""
        views: dict[str, Units] = {}
        predictions = []
        reference = number_column(batch, self.reference).values[rows]
        clusters = None if self.cluster is None else label_keys(batch, self.cluster, rows)
        for system in self.systems:
            prediction, *ends = (number_column(batch, column).values[rows] for column in system.roles.values())
            ends = [np.where(np.abs(end) <= MOST_NUMBER, end, np.nan) for end in ends]
            name, (lower, upper) = system.name, ends or (None, None)
            predictions.append(prediction)
            views[name] = PredictedNumbers(reference, prediction, lower, upper, clusters)
            views[f"{VALUES}{name}"] = ValueColumns(reference, prediction)
        who = ("reference", *(f"prediction {place}" for place in range(len(predictions))))
        values, codes = np.unique(np.concatenate([reference, *predictions]), return_inverse=True)
        views[RANKS] = Ratings(codes.reshape(len(who), -1).T, (), who, values, clusters=clusters)
        answers = np.stack(predictions, axis=1)
        views[JOINTLY] = UnitLosses(np.abs(answers - reference[:, None]), answers)
        if len(self.systems) > 1:
            views[TOGETHER] = NumbersTogether(reference, tuple(answers.T))
        return views, {}


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
