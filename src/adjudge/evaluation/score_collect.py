"""From scored responses to sums that add: block by block, whatever the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.collect_scores import Scored
from adjudge.data.columns import Array
from adjudge.data.labels import ordered
from adjudge.data.score_types import Scaling, ScoreScale, score_types
from adjudge.engines.base import WHOLE, SliceKey
from adjudge.statistics.error_cells import ErrorCells, cuts_of
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.score_described import Descriptives
from adjudge.statistics.score_features import MOST_POINTS, Points, ScoreFeatures, centres_of, of_rest
from adjudge.statistics.score_sums import merged_sums
from adjudge.statistics.score_table import ScoreTable
from adjudge.statistics.weights import Weights

APART = " · "
PAIR = " × "

Rows = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """What the responses are: who scored, on which scale, by which systems, in which slices."""

    raters: tuple[str, ...]
    systems: tuple[str, ...]
    scale: ScoreScale | None
    scalings: Mapping[str, Scaling]
    slice_names: tuple[str, ...]

    @cached_property
    def forms(self) -> dict[str, tuple[str, str]]:
        """Every form of every system's score, by name: "engine · raw_trim" → ("engine", "raw_trim")."""
        made = {name: score_types(np.zeros(0), self.scale, self.scalings.get(name)) for name in self.systems}
        return {f"{name}{APART}{form}": (name, form) for name, forms in made.items() for form in forms}

    def main_forms(self, *, rounded: bool) -> dict[str, str]:
        """Of each system the form that further analyses use: trimmed, or trimmed and rounded, scaled if it was."""
        wanted = ("scale_trim_round", "raw_trim_round") if rounded else ("scale_trim", "raw_trim", "scale", "raw")
        found: dict[str, str] = {}
        for system in self.systems:
            names = [f"{system}{APART}{form}" for form in wanted if f"{system}{APART}{form}" in self.forms]
            if names:
                found[system] = names[0]
        return found

    @property
    def rounded_forms(self) -> tuple[str, ...]:
        """The forms whose scores are points of the scale."""
        return tuple(name for name, (_, form) in self.forms.items() if form.endswith("_round"))

    @property
    def pairs(self) -> dict[str, tuple[int, int]]:
        """Every two raters, by name."""
        return {
            PAIR.join((self.raters[a], self.raters[b])): (a, b) for a, b in combinations(range(len(self.raters)), 2)
        }

    @property
    def step(self) -> float:
        """The step of the scale."""
        return 1.0 if self.scale is None else self.scale.step

    def in_steps(self, values: Array) -> Array:
        """Scores as whole numbers of steps."""
        return np.asarray(np.rint(values / self.step))


@dataclass(frozen=True)
class Responses:
    """Scored responses with every form of every system's score."""

    asked: Asked
    scored: Scored

    @cached_property
    def forms(self) -> dict[str, Array]:
        """The scores of each form."""
        asked = self.asked
        made = {
            name: score_types(raw, asked.scale, asked.scalings.get(name)) for name, raw in self.scored.systems.items()
        }
        return {name: made[system][form] for name, (system, form) in asked.forms.items()}

    @cached_property
    def ratings(self) -> Array:
        """The raters' scores; a response that the first did not score starts with the first it has."""
        ratings = self.scored.ratings
        if np.isfinite(ratings[:, 0]).all():
            return ratings
        order = np.argsort(~np.isfinite(ratings), axis=1, kind="stable")
        return np.take_along_axis(ratings, order, axis=1)

    @property
    def reference(self) -> Array:
        """The human score of each response."""
        return np.asarray(self.ratings[:, 0])

    @property
    def weights(self) -> Weights:
        """What each response counts."""
        return Weights(len(self.scored), self.scored.weight)

    def rows_of(self, key: SliceKey) -> Rows:
        """The responses of a slice."""
        if key == WHOLE:
            return np.arange(len(self.scored))
        labels = self.scored.slices[self.asked.slice_names.index(key[0])]
        return np.flatnonzero(labels.are(key[1]))

    def two_scores(self, system: str) -> tuple[Array, Array]:
        """The reference and what is held against it: a system's scores, or the second rater's."""
        if system in self.forms:
            return self.reference, self.forms[system]
        a, b = self.asked.pairs[system]
        return self.scored.ratings[:, a], self.scored.ratings[:, b]

    def two_in_steps(self, system: str, rows: Rows) -> tuple[Array, Array, Rows]:
        """Both in whole steps, on those of the responses that have both."""
        first, second = self.two_scores(system)
        rows = rows[np.isfinite(first[rows]) & np.isfinite(second[rows])]
        return self.asked.in_steps(first[rows]), self.asked.in_steps(second[rows]), rows

    def views(self) -> Iterator[tuple[SliceKey, Rows | None]]:
        """Everybody, None, and the responses of each level of each slice."""
        yield WHOLE, None
        for column, labels in zip(self.asked.slice_names, self.scored.slices, strict=True):
            order = np.argsort(labels.codes, kind="stable")
            ends = np.cumsum(np.bincount(labels.codes, minlength=len(labels.categories)))
            for level, start, end in zip(labels.categories, [0, *ends[:-1]], ends, strict=True):
                if end > start:
                    yield (column, level), order[start:end]


@dataclass(frozen=True)
class Pilot:
    """What the first block decides so that the sums of all blocks fit together: what to subtract, where to cut."""

    centres: dict[str, float]
    cuts: Array

    @classmethod
    def of(cls, block: Responses) -> Pilot:
        """From the first responses that stay."""
        return cls(centres_of(block.ratings, block.forms), cuts_of(block.reference, block.scored.weight))


@dataclass(frozen=True)
class PartSums:
    """The sums of one slice. `sums` and `rests` are by two raters' names, or "" for the systems and all raters."""

    rows: int
    double: int  # responses with two ratings or more
    sums: dict[str, LinearSums]
    rests: dict[str, LinearSums]  # the others', when people are drawn who may have responses in both
    tables: dict[str, ScoreTable]  # by rounded form and by two raters

    def __add__(self, other: PartSums) -> PartSums:
        return PartSums(
            self.rows + other.rows,
            self.double + other.double,
            {name: merged_sums(self.sums[name], other.sums[name]) for name in self.sums},
            {name: merged_sums(self.rests[name], other.rests[name]) for name in self.rests},
            {name: self.tables[name] + other.tables[name] for name in self.tables},
        )

    def scaled(self, unit: float) -> PartSums:
        """The same sums with all weights multiplied."""
        sums, rests, tables = (_scaled(of, unit) for of in (self.sums, self.rests, self.tables))
        return replace(self, sums=sums, rests=rests, tables=tables)


@dataclass(frozen=True)
class ScoreState:
    """All sums of some responses. Adds like the statistics in it."""

    read: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    unused: dict[str, int] = field(default_factory=dict)  # ratings whose responses stay
    parts: dict[SliceKey, PartSums] = field(default_factory=dict)
    described: dict[str, Descriptives] = field(default_factory=dict)
    errors: dict[tuple[str, str], ErrorCells] = field(default_factory=dict)  # by form and slice column
    at_points: dict[tuple[str, str], ErrorCells] = field(default_factory=dict)  # the same from rounded human scores
    points: tuple[float, ...] = ()  # the lowest of the human scores
    weight: float = 0.0
    whole_weights: bool = True

    def __add__(self, other: ScoreState) -> ScoreState:
        return ScoreState(
            self.read + other.read,
            _merged(self.left_out, other.left_out),
            _merged(self.unused, other.unused),
            _merged(self.parts, other.parts),
            _merged(self.described, other.described),
            _merged(self.errors, other.errors),
            _merged(self.at_points, other.at_points),
            tuple(sorted({*self.points, *other.points})[:MOST_POINTS]),
            self.weight + other.weight,
            self.whole_weights and other.whole_weights,
        )

    @property
    def whole(self) -> PartSums:
        """The sums of all responses."""
        return self.parts[WHOLE]

    def keys(self) -> list[SliceKey]:
        """Everybody, and each slice, levels in their natural order."""
        columns: dict[str, list[str]] = {}
        for column, level in self.parts:
            columns.setdefault(column, []).append(level)
        return [(column, level) for column, levels in columns.items() for level in ordered(levels)]

    def in_responses(self) -> ScoreState:
        """Sums in which weights that are not all whole numbers weigh as much as there are responses."""
        unit = 1.0 if self.whole_weights else self.whole.rows / self.weight
        if unit == 1.0:
            return self
        scaled = {name: _scaled(getattr(self, name), unit) for name in ("parts", "described", "errors", "at_points")}
        return replace(self, **scaled)  # type: ignore[arg-type]


def _merged(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: a[key] + b[key] if key in a and key in b else a.get(key, b.get(key)) for key in {**a, **b}}


def _scaled(sums: dict[Any, Any], unit: float) -> dict[Any, Any]:
    return {key: value.scaled(unit) for key, value in sums.items()}


def collect(block: Responses, pilot: Pilot) -> ScoreState:
    """All sums of a block of responses; of an empty one, what was left out."""
    scored, asked, weight = block.scored, block.asked, block.scored.weight
    seen = ScoreState(scored.read, scored.left_out, scored.without_second)
    if not len(scored):
        return seen
    columns = {f"human {name}": scored.ratings[:, place] for place, name in enumerate(asked.raters)} | block.forms
    return replace(
        seen,
        parts=_parts(block, pilot),
        described={name: Descriptives.of(values, weight) for name, values in columns.items()},
        errors=_errors(block, block.reference, pilot),
        at_points=_errors(block, asked.in_steps(block.reference) * asked.step, pilot),
        points=tuple(np.unique(block.reference)[:MOST_POINTS].tolist()),
        weight=float(len(scored) if weight is None else weight.sum()),
        whole_weights=weight is None or bool((weight == np.rint(weight)).all()),
    )


def _errors(block: Responses, human: Array, pilot: Pilot) -> dict[tuple[str, str], ErrorCells]:
    scored, weight = block.scored, block.scored.weight
    return {
        (form, column): ErrorCells.collect(
            human, block.forms[form], labels.codes, labels.categories, cuts=pilot.cuts, weights=weight
        )
        for form in block.asked.main_forms(rounded=False).values()
        for column, labels in zip(block.asked.slice_names, scored.slices, strict=True)
    }


def _parts(block: Responses, pilot: Pilot) -> dict[SliceKey, PartSums]:
    asked = block.asked
    points = Points(frozenset(asked.rounded_forms), lambda values: asked.in_steps(values) * asked.step)
    every = np.ones(len(block.scored), dtype=np.bool_)
    features: dict[str, tuple[ScoreFeatures, Truths]] = {}
    features[""] = (ScoreFeatures.of(block.ratings, block.forms, pilot.centres, points), every)
    if len(asked.raters) > 2:
        for name, pair in asked.pairs.items():
            two = block.scored.ratings[:, pair]
            features[name] = (ScoreFeatures.of(two, {}, pilot.centres), np.asarray(np.isfinite(two).all(1)))
    return {key: _part(block, features, rows) for key, rows in block.views()}


def _part(block: Responses, features: dict[str, tuple[ScoreFeatures, Truths]], rows: Rows | None) -> PartSums:
    """The sums of some responses; `features` come with the responses that they are of."""
    scored = block.scored
    inside = np.arange(len(scored)) if rows is None else rows
    others = inside[:0] if rows is None or scored.candidates is None else _other_rows(rows, len(scored))

    def summed(name: str, of: Rows) -> LinearSums:
        made, known = features[name]
        chosen = of[known[of]]
        return (made if rows is None else made.in_slices).sums(
            block.weights, scored.candidates, None if len(chosen) == len(scored) else chosen
        )

    tables = {}
    for system in (*block.asked.rounded_forms, *block.asked.pairs):
        first, second, found = block.two_in_steps(system, inside)
        tables[system] = ScoreTable.collect(first, second, None if scored.weight is None else scored.weight[found])
    needed = {name: of_rest(block.forms if name == "" else ()) for name in features}
    return PartSums(
        rows=len(inside),
        double=int((np.isfinite(scored.ratings[inside]).sum(1) > 1).sum()),
        sums={name: summed(name, inside) for name in features},
        rests={name: summed(name, others).only(needed[name]) for name in features if len(others)},
        tables=tables,
    )


def _other_rows(rows: Rows, size: int) -> Rows:
    left = np.ones(size, dtype=np.bool_)
    left[rows] = False
    return np.flatnonzero(left)
