"""Trade-offs between characteristics: every system measured in each, under the same draws, and what follows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from adjudge.data.dialect import opened
from adjudge.data.keys import keys_of_labels, keys_of_rows
from adjudge.data.source import Numbers, Source, Text, whole_batch
from adjudge.errors import BadValue, ColumnNotFound, SettingError, did_you_mean, listed, literal, quoted
from adjudge.inference.many.pareto import (
    ImaginedUnits,
    ParetoPlace,
    best_by_weights,
    change_of_winner,
    fronts,
    parts,
    utilities,
)
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.in_use import COLUMNS
from adjudge.statistics.base import Array
from adjudge.statistics.weights import Draws, Weights

KEYS = ("characteristic", "metric", "column", "better", "worst", "target", "weight")
SYSTEM = "{system}"
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Axis:
    """A characteristic as it is traded: a metric of columns, in whose names {system} stands for each system."""

    characteristic: str
    metric: Metric
    column: tuple[str, ...]
    higher: bool
    worst: float | None = None
    target: float | None = None
    weight: float | None = None

    def turned(self, values: Array) -> Array:
        """Values so that higher is better."""
        return values if self.higher else -values


def axis_of(entry: object) -> Axis:
    """A characteristic from an entry of a file.

    >>> axis_of({"characteristic": "efficiency", "metric": "mean", "column": "{system}_ms"}).higher
    False
    """
    if not isinstance(entry, Mapping):
        raise SettingError(f"[[tradeoff]] must be a table of keys, not {literal(entry)}.")
    for key in entry:
        if key not in KEYS:
            raise SettingError(
                f"A key of [[tradeoff]] must be a known one, not {quoted(key)}. {did_you_mean(str(key), KEYS)}"
            )
    for key in ("characteristic", "metric", "column"):
        if key not in entry:
            raise SettingError(f"[[tradeoff]] must have the keys characteristic, metric and column, but has no {key}.")
    column = entry["column"]
    columns = (column,) if isinstance(column, str) else tuple(column) if isinstance(column, list | tuple) else ()
    if not all(isinstance(name, str) for name in columns):
        raise SettingError(f"`column` must be the name of a column, or a list of names, not {literal(column)}.")
    if not any(SYSTEM in name for name in columns):
        raise SettingError(f"`column` must hold {SYSTEM}, where the name of each system stands, not {listed(columns)}.")
    metric = parse(str(entry["metric"]))
    higher = {"higher": True, "lower": False, None: metric.direction is not Direction.LOWER}.get(entry.get("better"))
    if higher is None or metric.by_category or metric.direction is Direction.NEAREST:
        raise SettingError(f"`metric` must have one better side, and be one number; {metric!r} is not. Name another.")
    for key in ("worst", "target", "weight"):
        if entry.get(key) is not None and not (isinstance(entry[key], int | float) and math.isfinite(entry[key])):
            raise SettingError(f"`{key}` must be a number, not {literal(entry[key])}.")
    if entry.get("weight") is not None and entry["weight"] < 0:
        raise SettingError(f"`weight` must be 0 or more, not {literal(entry['weight'])}.")
    axis = Axis(
        str(entry["characteristic"]),
        metric,
        columns,
        higher,
        *(entry.get(key) for key in ("worst", "target", "weight")),
    )
    if (axis.worst is None) != (axis.target is None) or (axis.worst is not None and axis.worst == axis.target):
        raise SettingError("`worst` and `target` must both be there, and differ: utility goes from one to the other.")
    if axis.worst is not None and axis.target is not None:
        _check_ends(axis, axis.worst, axis.target)
    return axis


def _check_ends(axis: Axis, worst: float, target: float) -> None:
    """Refuse a target that is the worse of the two, and ends that no value reaches."""
    low, high = axis.metric.range
    if (target > worst) != axis.higher:
        side = "higher" if axis.higher else "lower"
        raise SettingError(
            f"`target` of {quoted(axis.characteristic)} must be {side} than `worst`, since {side} is better, but they "
            f"are {target:g} and {worst:g}. Swap them, or give `better`."
        )
    if not low <= min(worst, target) or not max(worst, target) <= high:
        percentage = f" Write {target / 100:g} for {target:g} %." if (low, high) == (0, 1) and 1 < target <= 100 else ""
        raise SettingError(
            f"`worst` and `target` of {quoted(axis.characteristic)} must be values of {axis.metric!r}, from {low:g} to "
            f"{high:g}, not {worst:g} and {target:g}.{percentage}"
        )


@dataclass(frozen=True)
class Tradeoffs:
    """What was traded: values and joint draws (draws, systems, characteristics), as they are."""

    systems: tuple[str, ...]
    axes: tuple[Axis, ...]
    values: Array
    draws: Array
    level: float
    seed: int
    units: int  # rows, or clusters

    @property
    def _turned(self) -> tuple[Array, Array]:
        sign = np.array([1.0 if axis.higher else -1.0 for axis in self.axes])
        return self.values * sign, self.draws * sign

    @property
    def fronts(self) -> list[ParetoPlace]:
        """Where each system stands: dominated, on the front, or undecided."""
        ends = np.array([axis.metric.range for axis in self.axes])
        spans = np.where(np.isfinite(ends).all(1), ends[:, 1] - ends[:, 0], 0.0)
        return fronts(*self._turned, alpha=1 - self.level, unseen=ImaginedUnits(spans, self.units))

    def interval(self, system: int, axis: int) -> tuple[float, float]:
        """The limits of one value."""
        return _ends(self.draws[:, system, axis], self.level)

    @property
    def changes(self) -> list[list[int]]:
        """Of each version after the first, what each characteristic gained on the one before: 1, −1, or 0 if unsure."""
        _, draws = self._turned
        changes = []
        for place in range(1, len(self.systems)):
            away = draws[:, place] - draws[:, place - 1]
            ends = [_ends(away[:, axis], self.level) for axis in range(len(self.axes))]
            changes.append([1 if low > 0 else -1 if high < 0 else 0 for low, high in ends])
        return changes

    @property
    def matrix(self) -> list[list[tuple[int, int]]]:
        """For every two characteristics, how many steps changed both alike (helped), and how many apart (hurt)."""
        steps = self.changes
        size = range(len(self.axes))
        return [
            [
                (sum(s[a] * s[b] > 0 for s in steps), sum(s[a] * s[b] < 0 for s in steps)) if a != b else (0, 0)
                for b in size
            ]
            for a in size
        ]

    @property
    def sentences(self) -> list[str]:
        """Which characteristics went apart, in words."""
        sentences = []
        for place, step in enumerate(self.changes, start=1):
            for a, b in combinations(range(len(self.axes)), 2):
                if step[a] * step[b] < 0:
                    won, lost = (a, b) if step[a] > 0 else (b, a)
                    names = self.axes[won].characteristic, self.axes[lost].characteristic
                    sentences.append(
                        f"{self.systems[place]} gains {names[0]} and loses {names[1]} beside {self.systems[place - 1]}."
                    )
        return sentences

    def as_dict(self) -> dict[str, object]:
        """All of it in plain things, for programs: by version, by two characteristics, and the utility."""
        names = [axis.characteristic for axis in self.axes]
        values = [
            {"system": system, "characteristic": axis.characteristic, "metric": axis.metric.name_with_parameters,
             "value": float(self.values[place, at]), "low": low, "high": high}
            for place, system in enumerate(self.systems)
            for at, axis in enumerate(self.axes)
            for low, high in [self.interval(place, at)]
        ]  # fmt: skip
        places = [
            {"system": name, "state": one.state, "undominated": one.undominated,
             "by": None if one.by is None else self.systems[one.by]}
            for name, one in zip(self.systems, self.fronts, strict=True)
        ]  # fmt: skip
        matrix = [
            {"characteristics": [names[a], names[b]], "alike": self.matrix[a][b][0], "apart": self.matrix[a][b][1]}
            for a, b in combinations(range(len(names)), 2)
        ]
        utility = None if (result := self.utility) is None else self._told_utility(result)
        return {"values": values, "systems": places, "matrix": matrix, "sentences": self.sentences, "utility": utility}

    def _told_utility(self, utility: Utility) -> dict[str, object]:
        each = zip(self.systems, utility.values, utility.limits, utility.best, strict=True)
        turning = zip(self.axes, utility.turning, strict=True)
        return {
            "systems": [
                {"system": name, "value": value, "low": low, "high": high, "best": best}
                for name, value, (low, high), best in each
            ],
            "turning": [
                {"characteristic": axis.characteristic, "weight": one[0], "winner": self.systems[one[1]]}
                for axis, one in turning
                if one is not None
            ],
        }

    @property
    def utility(self) -> Utility | None:
        """The weighted utility, where every characteristic has its worst, its target and its weight."""
        if any(axis.worst is None or axis.target is None or axis.weight is None for axis in self.axes):
            return None
        worst, target, weights = (
            np.array([getattr(axis, name) for axis in self.axes], dtype=np.float64)
            for name in ("worst", "target", "weight")
        )
        if (weights < 0).any() or weights.sum() <= 0:
            raise SettingError("Weights of characteristics must not be negative, nor all zero.")
        draws = utilities(self.draws, worst, target, weights)
        ends = [_ends(draws[:, place], self.level) for place in range(len(self.systems))]
        shares = parts(self.values, worst, target)
        return Utility(
            utilities(self.values, worst, target, weights).tolist(),
            ends,
            best_by_weights(shares, self.seed).tolist(),
            change_of_winner(shares, weights),
        )


@dataclass(frozen=True, slots=True)
class Utility:
    """How useful each system is: with limits, how often it is best whatever the weights, and what would change that."""

    values: list[float]
    limits: list[tuple[float, float]]
    best: list[float]
    turning: list[tuple[float, int] | None]  # by characteristic: the weight at which another system wins, and which


def _ends(draws: Array, level: float) -> tuple[float, float]:
    known = draws[~np.isnan(draws)]
    if not len(known):
        return math.nan, math.nan
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def traded(table: object, systems: Sequence[str], axes: Sequence[Axis], *, cluster: str | None) -> Tradeoffs:
    """Every system in every characteristic, under the same Bayesian weights of rows, or of clusters."""
    settings, source = Bootstrap(), opened(table)
    if len(systems) < 2 or len(set(systems)) < len(systems) or len(axes) < 2:
        raise SettingError("There must be two systems and two characteristics at least, each once, to trade.")
    named = {
        (system, axis): [name.replace(SYSTEM, system) for name in axis.column] for system in systems for axis in axes
    }
    columns_read = list(dict.fromkeys(name for columns in named.values() for name in columns))
    for name in [*columns_read, *([cluster] if cluster else [])]:
        if name not in source.column_names:
            raise ColumnNotFound("column", name, source.column_names)
    columns = _columns(source, named)
    rows = len(next(iter(columns.values())))
    keys = keys_of_rows(0, rows) if cluster is None else keys_of_labels(tuple(_texts(source, cluster)))
    values, draws = np.zeros((len(systems), len(axes))), np.zeros((settings.replicates, len(systems), len(axes)))
    for place, system in enumerate(systems):
        for at, axis in enumerate(axes):
            first, *rest = (columns[name, axis.metric.name in COLUMNS] for name in named[system, axis])
            count, sums = axis.metric.over.summing_arrays(
                first, rest[0] if rest else None, positive=None, categories=None, **axis.metric.array_options
            )
            values[place, at] = float(axis.metric.values(sums(Weights(count))))
            done = 0
            for weights in Draws("bayesian", settings.replicates, settings.seed).tiles(keys, None):
                replicates = axis.metric.values(sums(weights))
                draws[done : done + len(replicates), place, at] = replicates
                done += len(replicates)
    if np.isnan(values).any():
        raise BadValue("Every system must have a value in every characteristic, but one is undefined.")
    return Tradeoffs(tuple(systems), tuple(axes), values, draws, LEVEL, settings.seed, len(np.unique(keys)))


def _columns(
    source: Source, named: Mapping[tuple[str, Axis], Sequence[str]]
) -> dict[tuple[str, bool], Array | list[str]]:
    """Every column as its metric reads it: numbers of what is measured in use, labels otherwise."""
    columns: dict[tuple[str, bool], Array | list[str]] = {}
    for (_, axis), names in named.items():
        for name in names:
            numeric = axis.metric.name in COLUMNS
            if (name, numeric) not in columns:
                columns[name, numeric] = _numbers(source, name) if numeric else _texts(source, name)
    return columns


def _numbers(source: Source, name: str) -> Array:
    column = whole_batch(source, [], [name]).columns[name]
    assert isinstance(column, Numbers)
    if column.unreadable.any() or np.isnan(column.values).any() or np.isinf(column.values).any():
        raise BadValue(f"{quoted(name)} must hold a number in every row to be traded, but it does not. Leave rows out.")
    return column.values


def _texts(source: Source, name: str) -> list[str]:
    column = whole_batch(source, [name], []).columns[name]
    assert isinstance(column, Text)
    if (column.codes < 0).any():
        raise BadValue(f"{quoted(name)} must say something in every row to be traded, but it does not. Leave rows out.")
    return [column.labels[code] for code in column.codes]
