"""Scores of responses by people and by several systems, as sums: the state that every view of scores is read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.linear_sums import LinearSums, Overlap, by_cluster
from adjudge.statistics.numbers.two_numbers import move
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.scores.features import (
    HUMAN,
    MACHINES,
    MOST_POINTS,
    OF_SPREAD,
    POINTS,
    TRUTH,
    ScalePoints,
    ScoreFeatures,
    centres_of,
    of_rest,
)
from adjudge.statistics.scores.views import TwoScores
from adjudge.statistics.weights import Weights

# Fewer other responses than this are drawn one by one; more are as good as normal.
FEW_OTHERS = 256
NO_POINTS = ScalePoints()


@dataclass(frozen=True)
class ScorePilot:
    """What the first responses decide for all: what to subtract before squaring, and which scores are points."""

    centres: Mapping[str, float]
    points: ScalePoints = NO_POINTS
    in_slices: bool = False  # without what is looked at over all responses only

    @classmethod
    def of(cls, responses: Responses, points: ScalePoints | None = None) -> ScorePilot:
        """From the first responses."""
        return cls(centres_of(responses.ratings, responses.scores), NO_POINTS if points is None else points)


@dataclass(frozen=True)
class ScoreTotals(OfLinearSums[Responses, ScorePilot]):
    """Several systems' scores beside the raters', summed over rated responses about `centres`.

    Systems that are summed together share every draw. A slice that is judged against everybody also has the `rest`, the
    other responses, which are drawn apart. Where people are drawn, their responses must not be cut between parts; what
    a person has in a slice and beside it is its `overlap`.

    Laws: those of `LinearSums`; `+` moves the other part to the constants of this one.

    >>> responses = Responses(np.array([[1.0, 2.0], [3.0, 3.0]]), {"engine": np.array([1.5, 3.0])})
    >>> totals = ScoreTotals.collect(responses, Weights(2))
    >>> totals.rows, totals.twice, float((totals + totals).total)
    (2, 2, 4.0)
    """

    centres: Mapping[str, float]
    twice: int  # responses with two ratings or more, whatever they weigh
    rest: LinearSums | None = None
    overlap: Overlap | None = None

    replicated: ClassVar[tuple[str, ...]] = ("sums", "rest")

    @classmethod
    def summing(cls, judgements: Responses, pilot: ScorePilot | None = None) -> Callable[[Weights], ScoreTotals]:
        """What turns weights into the sums of these responses."""
        pilot = ScorePilot.of(judgements) if pilot is None else pilot
        features, rated = _features(judgements, pilot), _times_rated(judgements)
        rows = np.flatnonzero(rated)
        values = features.values if len(rows) == len(rated) else features.values.T.take(rows, axis=1).T
        people, twice = judgements.people, int((rated > 1).sum())
        keys = people if people is None or len(rows) == len(rated) else people[rows]

        def sums(weights: Weights) -> ScoreTotals:
            of_rated = weights if len(rows) == len(rated) else weights.of_rows(rows)
            return cls(_sums_of(features, values, of_rated, keys), pilot.centres, twice)

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Responses, weights: Weights, levels: Codes, size: int, pilot: ScorePilot | None = None
    ) -> list[Self | None]:
        """Sum the responses of each level, from values that are worked out once."""
        pilot = ScorePilot.of(judgements) if pilot is None else pilot
        features, rated = _features(judgements, pilot), _times_rated(judgements)
        rows = np.flatnonzero(rated)
        order = rows[np.argsort(levels[rows], kind="stable")]
        ends = np.cumsum(np.bincount(levels[rows], minlength=size))
        sorted_values, sorted_weights = features.values.T.take(order, axis=1), weights.of_rows(order)
        keys = None if judgements.people is None else judgements.people[order]
        overlaps = None if keys is None else _Overlaps.of(features, sorted_values, sorted_weights, keys)
        parts: list[Self | None] = []
        for start, end, known in zip([0, *ends[:-1]], ends, np.bincount(levels, minlength=size), strict=True):
            if not known:
                parts.append(None)
                continue
            some = np.arange(start, end)
            sums = _sums_of(
                features,
                sorted_values[:, start:end].T,
                sorted_weights.of_rows(some),
                None if keys is None else keys[start:end],
            )
            twice = int((rated[order[start:end]] > 1).sum())
            overlap = None if overlaps is None else overlaps.of_rows(some)
            parts.append(cls(sums, pilot.centres, twice, overlap=overlap))
        return parts

    def __add__(self, other: Self) -> Self:
        if (self.rest is None) != (other.rest is None) or (self.overlap is None) != (other.overlap is None):
            raise SettingError("Sums of a slice must be added to sums of a slice.")
        other = other.about(self.centres)
        return replace(
            self,
            sums=merged_sums(self.sums, other.sums),
            twice=self.twice + other.twice,
            rest=None if self.rest is None or other.rest is None else self.rest + other.rest,
            overlap=None if self.overlap is None or other.overlap is None else self.overlap + other.overlap,
        )

    def about(self, centres: Mapping[str, float]) -> Self:
        """The same sums about other constants."""
        if centres == self.centres:
            return self
        if set(centres) != set(self.centres):
            raise SettingError("Sums must be of the same systems in all parts.")
        rest, overlap = self.rest, self.overlap
        return replace(
            self,
            sums=self.sums.mapped(_moving(self.sums.names, self.centres, centres)),
            rest=None if rest is None else rest.mapped(_moving(rest.names, self.centres, centres)),
            overlap=None if overlap is None else overlap.mapped(_moving(self.of_rest, self.centres, centres)),
            centres=centres,
        )

    @cached_property
    def pairs(self) -> dict[str, TwoScores]:
        """Two scores side by side, by view, once they were asked for."""
        return {}

    @property
    def of_rest(self) -> tuple[str, ...]:
        """What is needed of other responses."""
        return of_rest(system for system in self.centres if f"machine {system} n" in self.sums.places)

    @cached_property
    def _beside(self) -> LinearSums:
        """The sums that are needed of responses beside a slice."""
        return self.sums.only(self.of_rest)

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """The sums of a slice with those of all other responses beside them."""
        every, mine = whole.about(self.centres)._beside, self._beside
        left = every.rows - mine.rows
        if left == 0:
            return replace(self, rest=None)
        if self.overlap is not None or left > FEW_OTHERS:
            return replace(self, rest=every.without(mine, self.overlap))
        first, *more = (level.about(self.centres)._beside for level in others())
        return replace(self, rest=first.with_all(more))

    @property
    def total(self) -> Array:
        """What the rated responses weigh together, (…)."""
        return self.sums.of(f"{TRUTH} responses")

    @property
    def squares(self) -> Array:
        """The squared weights of the units: responses, or people who have several."""
        return self.sums.squares_of(f"{TRUTH} responses")

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units."""
        return np.asarray(ratio(self.total**2, self.squares))

    def scaled(self, unit: float) -> Self:
        """The same responses with all weights multiplied."""
        return replace(
            self,
            sums=self.sums.scaled(unit),
            rest=None if self.rest is None else self.rest.scaled(unit),
            overlap=None if self.overlap is None else self.overlap.scaled(unit),
        )

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates; a slice and the rest are drawn apart."""
        rest = None if self.rest is None else self.rest.resampled(kind, replicates, seed, f"{stream}/rest")
        return replace(self, sums=self.sums.resampled(kind, replicates, seed, stream), rest=rest)


@dataclass(frozen=True)
class _Overlaps:
    """All people of a block with their sums, to hold those of a slice against."""

    values: Array  # (responses, names), weighted
    keys: Keys
    everybody: tuple[Keys, Array, NDArray[np.int64]]

    @classmethod
    def of(cls, features: ScoreFeatures, values: Array, weights: Weights, keys: Keys) -> _Overlaps:
        """From what the responses add to all sums, (different values, responses)."""
        systems = dict.fromkeys(name.removesuffix(" n")[8:] for name in features.names if _is_system(name))
        place = [features.place[features.names.index(name)] for name in of_rest(systems)]
        chosen = values[place].T if weights.case is None else values[place].T * weights.case[:, None]
        return cls(chosen, keys, _people(chosen, keys))

    def of_rows(self, rows: NDArray[np.int64]) -> Overlap:
        """What the people of some responses have in all."""
        return Overlap.of(self.everybody, _people(self.values[rows], self.keys[rows]))


def _is_system(name: str) -> bool:
    return name.startswith("machine ") and name.endswith(" n")


def _people(values: Array, keys: Keys) -> tuple[Keys, Array, NDArray[np.int64]]:
    people, sums = by_cluster(values, keys)
    return people, sums, np.bincount(np.searchsorted(people, keys), minlength=len(people))


def _times_rated(responses: Responses) -> NDArray[np.int64]:
    return np.asarray(np.isfinite(responses.ratings).sum(1))


def _features(responses: Responses, pilot: ScorePilot) -> ScoreFeatures:
    """What each response adds; worked out once for the whole and all slices."""
    place = (tuple(pilot.centres.items()), pilot.points)
    features = responses.worked_out.once(
        place, lambda: ScoreFeatures.of(responses.ratings, responses.scores, pilot.centres, pilot.points)
    )
    return features.in_slices if pilot.in_slices else features


def _sums_of(features: ScoreFeatures, values: Array, weights: Weights, keys: Keys | None) -> LinearSums:
    """The sums by name of some responses: of values that are alike in the whole block, once for all their names."""
    different = tuple(map(str, range(values.shape[1])))
    return LinearSums.collect(different, values, weights, keys).at(features.place, features.names)


def _moving(names: Sequence[str], old: Mapping[str, float], new: Mapping[str, float]) -> Array:
    """The map of sums that moves their constants."""
    matrix, place = np.eye(len(names)), {name: number for number, name in enumerate(names)}
    ratings = old[HUMAN] - new[HUMAN]
    views = [(HUMAN, ratings)]
    views += [(f"{m} {system}", old[system] - new[system]) for m in MACHINES for system in old if system != HUMAN]
    for view, scores in views:
        if f"{view} n" in place:
            move(matrix, {name: place[f"{view} {name}"] for name in OF_SPREAD}, ratings, scores)
    if f"{TRUTH} ratings" in place:
        total, first, second = (place[f"{TRUTH} {name}"] for name in ("ratings", "first", "second"))
        matrix[total, [first, second]] = ratings, ratings**2
        matrix[first, second] = 2 * ratings
    return matrix


def merged_sums(first: LinearSums, second: LinearSums) -> LinearSums:
    """The sums of both parts, which may have met different points of the scale; too many points are not kept."""
    if first.names == second.names:
        return first + second
    names = dict.fromkeys([*first.names, *second.names])
    views = [name.removesuffix("same") for name in names if name.startswith(f"{POINTS} ") and name.endswith(" same")]
    for view in views:
        if sum(name.startswith(f"{view}x at ") for name in names) > MOST_POINTS:
            names = dict.fromkeys(name for name in names if not name.startswith(view))
    return first.over(tuple(names)) + second.over(tuple(names))
