"""What each response adds to the sums of scores: worked out once, summed over any responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array
from adjudge.statistics.numbers.pairs import OF_TWO
from adjudge.statistics.numbers.two_numbers import middle

TOLERANCES = (0.0, 0.5, 1.0)
# Two scores written with decimals are as far apart as they look, but for rounding.
ROUNDING = 1e-9
OF_PAIR = (*OF_TWO, *(f"within {t:g}" for t in TOLERANCES))
OF_TRUTH = ("responses", "multiple", "ratings", "squares", "first", "second", "within")
OF_SPREAD = ("n", "x", "y", "xx", "yy", "xy")
HUMAN, TRUTH, POINTS = "human", "truth", "points"
MACHINES = ("machine", "double")
# What is looked at over all responses only.
OF_WHOLE = ("double ", f"{POINTS} ")
# Scores of more values than this are not compared as categories.
MOST_POINTS = 60

Truths = NDArray[np.bool_]
Named = list[tuple[str, Array]]


@dataclass(frozen=True)
class ScalePoints:
    """Which scores are compared as categories too: those of some systems, each brought to its point of the scale."""

    systems: frozenset[str] = frozenset()
    step: float | None = None  # of the scale; None: scores are taken as they are

    def rounded(self, values: Array) -> Array:
        """Scores at the nearest point; what is rounded to zero from below is zero."""
        return (values if self.step is None else np.rint(values / self.step) * self.step) + 0.0


@dataclass(frozen=True)
class ScoreFeatures:
    """What each response adds to the sums of several systems.

    Systems that are summed together share every draw. Values that are alike in all responses, such as those of forms
    that trimming does not touch, are held and summed once.
    """

    names: tuple[str, ...]
    values: Array  # (responses, different values)
    place: tuple[int, ...]  # which of them each name has
    centres: dict[str, float]

    @classmethod
    def of(
        cls,
        ratings: Array,
        systems: Mapping[str, Array],
        centres: Mapping[str, float] | None = None,
        points: ScalePoints | None = None,
    ) -> ScoreFeatures:
        """Of a matrix of ratings (NaN where not rated) and the scores of each system (NaN where it gave none).

        `centres` are what to subtract before squaring: by system, and of the ratings under "human".
        """
        about = centres_of(ratings, systems) if centres is None else dict(centres)
        named = named_features(ratings, systems, about, points)
        return cls(tuple(name for name, _ in named), *_different([column for _, column in named]), about)

    @cached_property
    def in_slices(self) -> ScoreFeatures:
        """Without what is looked at over all responses only: double-scored ones alone, and points of the scale."""
        named = zip(self.names, self.place, strict=True)
        kept = {name: place for name, place in named if not name.startswith(OF_WHOLE)}
        columns = sorted(set(kept.values()))
        values = self.values.T[columns].T  # column by column, as they are stored
        return replace(self, names=tuple(kept), values=values, place=tuple(map(columns.index, kept.values())))


def named_features(
    ratings: Array, systems: Mapping[str, Array], centres: Mapping[str, float], points: ScalePoints | None = None
) -> Named:
    """What each response adds, by name, about these centres."""
    named = _of_people(ratings, centres[HUMAN])
    for name, scores in systems.items():
        named += _of_system(name, ratings, scores, (centres[HUMAN], centres[name]))
    if points is not None and points.systems and ratings.shape[1] > 1:
        named += _of_points(ratings, systems, points)
    return named


def _different(columns: Sequence[Array]) -> tuple[Array, tuple[int, ...]]:
    """The columns that differ in any bit, side by side, and which of them each column is."""
    chosen: list[NDArray[np.int64]] = []
    place, looks = [], dict[bytes, list[int]]()
    for column in columns:
        bits = column.view(np.int64)
        alike = looks.setdefault(bits[:: max(len(bits) // 64, 1)].tobytes(), [])
        number = next((number for number in alike if np.array_equal(chosen[number], bits)), len(chosen))
        if number == len(chosen):
            chosen.append(bits)
            alike.append(number)
        place.append(number)
    return np.array(chosen).view(np.float64).T, tuple(place)


def of_rest(systems: Iterable[str]) -> tuple[str, ...]:
    """What is needed of other responses to judge a slice against everybody.

    >>> of_rest(["a"])[-1]
    'machine a xy'
    """
    views = (HUMAN, *(f"machine {name}" for name in systems))
    return tuple(f"{view} {name}" for view in views for name in OF_SPREAD)


def centres_of(ratings: Array, systems: Mapping[str, Array]) -> dict[str, float]:
    """A middle value of the ratings and of each system: one that the order of rows does not change."""
    return {HUMAN: middle(ratings)} | {name: middle(scores) for name, scores in systems.items()}


def _of_people(ratings: Array, centre: float) -> Named:
    rated = np.isfinite(ratings)
    times = rated.sum(1).astype(np.float64)
    centred = np.where(rated, ratings - centre, 0.0)
    mean = centred.sum(1) / np.maximum(times, 1.0)
    within = np.where(rated, (centred - mean[:, None]) ** 2, 0.0).sum(1)
    columns = [(times > 0) * 1.0, (times > 1) * 1.0, times, times**2, times * mean, times * mean**2, within]
    pairs = [np.zeros(len(ratings)) for _ in OF_PAIR]
    for a, b in combinations(range(ratings.shape[1]), 2):
        more = _pair_values(ratings[:, a], ratings[:, b], rated[:, a] & rated[:, b], (centre, centre))
        pairs = [sums + add for sums, add in zip(pairs, more, strict=True)]
    names = [*(f"{TRUTH} {name}" for name in OF_TRUTH), *(f"{HUMAN} {name}" for name in OF_PAIR)]
    return list(zip(names, columns + pairs, strict=True))


def _of_system(name: str, ratings: Array, scores: Array, centres: tuple[float, float]) -> Named:
    rated, scored = np.isfinite(ratings), np.isfinite(scores)
    first, again = _beside_system(ratings, scores)
    machine = _pair_values(ratings[:, 0], scores, first, centres)
    double = machine if np.array_equal(first, again) else [np.where(again, column, 0.0) for column in machine]
    times = np.where(scored, rated.sum(1), 0).astype(np.float64)
    known = times > 0
    mean = np.where(rated, ratings - centres[0], 0.0).sum(1) / np.maximum(times, 1.0)
    gap = np.where(known, times * (mean + centres[0] - np.where(scored, scores, 0.0)) ** 2, 0.0)
    views = zip(MACHINES, (machine, double), strict=True)
    named = [
        (f"{view} {name} {value}", column) for view, of in views for value, column in zip(OF_PAIR, of, strict=True)
    ]
    return [*named, (f"scored {name}", known * 1.0), (f"gap {name}", gap)]


def _beside_system(ratings: Array, scores: Array) -> tuple[Truths, Truths]:
    """Which responses system and first rater both scored, and which of these have a second rating."""
    first = np.isfinite(ratings[:, 0]) & np.isfinite(scores)
    return first, first & (np.isfinite(ratings).sum(1) > 1)


def _pair_values(x: Array, y: Array, both: Truths, centres: tuple[float, float]) -> list[Array]:
    """What each response adds to the sums of a pair of scores; nothing where one of them is missing."""
    apart = np.where(both, x - y, 0.0)
    far = np.abs(apart)
    x, y = np.where(both, x - centres[0], 0.0), np.where(both, y - centres[1], 0.0)
    near = [(both & (far <= tolerance + ROUNDING)) * 1.0 for tolerance in TOLERANCES]
    return [both * 1.0, x, y, x**2, y**2, x * y, apart**2, far, *near]


def _of_points(ratings: Array, systems: Mapping[str, Array], points: ScalePoints) -> Named:
    """What kappas are made of: scores that are the same, and how often each score is given on either side."""
    people = points.rounded(ratings)
    named: dict[str, Array] = {}
    for a, b in combinations(range(ratings.shape[1]), 2):
        both = np.isfinite(people[:, a]) & np.isfinite(people[:, b])
        for name, column in _point_values(people[:, a], people[:, b], both):
            label = f"{POINTS} {HUMAN} {name}"
            named[label] = named[label] + column if label in named else column
    for system in systems:
        if system in points.systems:
            scores = points.rounded(systems[system])
            for view, both in zip(MACHINES, _beside_system(people, scores), strict=True):
                columns = _point_values(people[:, 0], scores, both)
                named |= {f"{POINTS} {view} {system} {name}": column for name, column in columns}
    return list(named.items())


def _point_values(x: Array, y: Array, both: Truths) -> Named:
    """Nothing at all when there are too many points: the sums then fall short of the pairs, which shows."""
    values = np.unique(np.concatenate([x[both], y[both]]))
    if len(values) > MOST_POINTS:
        return []
    sides = (("x", x), ("y", y))
    margins = [
        (f"{side} at {value!r}", (both & (of == value)) * 1.0) for side, of in sides for value in values.tolist()
    ]
    return [("same", (both & (x == y)) * 1.0), *margins]
