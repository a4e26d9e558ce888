"""Scores of responses by people and by a system, as sums: what every metric of automated scoring is a formula of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.keys import Keys
from adjudge.errors import SettingError
from adjudge.statistics.base import Array
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.score_views import Centred, Pair, TrueScore
from adjudge.statistics.weights import Weights

TOLERANCES = (0.0, 0.5, 1.0)
# Two scores written with decimals are as far apart as they look, but for rounding.
ROUNDING = 1e-9
OF_PAIR = ("n", "x", "y", "xx", "yy", "xy", "squared", "absolute", *(f"within {t:g}" for t in TOLERANCES))
OF_TRUTH = ("responses", "multiple", "ratings", "squares", "first", "second", "within")
OF_SPREAD = ("n", "x", "y", "xx", "yy")
HUMAN, TRUTH = "human", "truth"


@dataclass(frozen=True)
class ScoreSums:
    """One system's scores beside the raters', summed over responses.

    Views: `machine` (first rater and system, on all responses the first rater scored), `human` (raters with one
    another, every pair of ratings of a response), `double` (as `machine`, on responses with a second rating) and
    `truth`. `rest` are the other responses, so that a slice can be judged against everybody; they are drawn apart.

    Laws: those of `LinearSums`. Several systems may be summed together and then share every draw.

    >>> sums = ScoreSums.of_arrays(np.array([[1.0, 2.0], [3.0, 3.0]]), np.array([1.5, 3.0]))
    >>> float(sums.machine.n), float(sums.human.shift), float(sums.truth.ratings)
    (2.0, 0.5, 4.0)
    """

    sums: LinearSums
    centres: tuple[float, float]  # of ratings, of the system's scores
    system: str = "system"
    rest: ScoreSums | None = None
    alone: bool = True  # whether no other system was summed beside it
    view: str | None = None  # what to call the machine's view; the raters' own, to read them as a system

    @classmethod
    def of_arrays(
        cls,
        ratings: Array,
        scores: Array | None,
        weights: Weights | None = None,
        unit_keys: Keys | None = None,
        rest: ScoreSums | None = None,
    ) -> ScoreSums:
        """The sums of a matrix of ratings (NaN where not rated) and of one system's scores."""
        columns = {"system": np.full(len(ratings), np.nan) if scores is None else scores}
        features = ScoreFeatures.of(ratings, columns)
        return replace(features.system("system", features.sums(weights, unit_keys)), rest=rest)

    def __add__(self, other: Self) -> Self:
        if (self.rest is None) != (other.rest is None):
            raise SettingError("Sums of a slice must be added to sums of a slice.")
        there = other.sums if other.centres == self.centres else other.moved(self.centres).sums
        rest = None if self.rest is None or other.rest is None else self.rest + other.rest
        return replace(self, sums=self.sums + there, rest=rest)

    def moved(self, centres: tuple[float, float]) -> Self:
        """The same sums about other constants."""
        if not self.alone:
            raise SettingError("Systems that were summed together must have the same centres in all parts.")
        matrix = np.eye(len(self.sums.names))
        ratings, scores = self.centres[0] - centres[0], self.centres[1] - centres[1]
        place = self.sums.places
        for view, x, y in ((HUMAN, ratings, ratings), *((f"{v} {self.system}", ratings, scores) for v in MACHINES)):
            n, first, second = (place[f"{view} {name}"] for name in ("n", "x", "y"))
            xx, yy, xy = (place[f"{view} {name}"] for name in ("xx", "yy", "xy"))
            matrix[n, [first, second, xx, yy, xy]] = x, y, x**2, y**2, x * y
            matrix[first, [xx, xy]] = 2 * x, y
            matrix[second, [yy, xy]] = 2 * y, x
        total, first, second = (place[f"{TRUTH} {name}"] for name in ("ratings", "first", "second"))
        matrix[total, [first, second]] = ratings, ratings**2
        matrix[first, second] = 2 * ratings
        return replace(self, sums=self.sums.mapped(matrix), centres=centres)

    @property
    def rows(self) -> int:
        """How many responses."""
        return self.sums.rows

    @property
    def counts(self) -> Array:
        """What the rated responses weigh together."""
        return self.sums.of(f"{TRUTH} responses")

    @property
    def squares(self) -> Array:
        """Their squared weights: the same as `counts` when every response counts one."""
        return self.sums.squares_of(f"{TRUTH} responses")

    @cached_property
    def machine(self) -> Pair:
        """First rater and system."""
        return self._pair(self.view or f"machine {self.system}", self.centres[1])

    @cached_property
    def double(self) -> Pair:
        """First rater and system, where there is a second rating."""
        return self._pair(f"double {self.system}", self.centres[1])

    @cached_property
    def human(self) -> Pair:
        """Every two ratings of a response."""
        return self._pair(HUMAN, self.centres[0])

    @cached_property
    def truth(self) -> TrueScore:
        """What the ratings say of the true score."""
        parts = {name: self.sums.of(f"{TRUTH} {name}") for name in OF_TRUTH}
        return TrueScore(**parts, **{name: self.sums.of(f"{name} {self.system}") for name in ("scored", "gap")})

    @cached_property
    def everybody(self) -> tuple[Centred, Centred]:
        """The two scores of the machine's view over these responses and the rest."""
        view = self.view or f"machine {self.system}"
        parts = [self] if self.rest is None else [self, self.rest]
        of = {name: sum((part.sums.of(f"{view} {name}") for part in parts), np.zeros(())) for name in OF_SPREAD}
        return (
            Centred(of["n"], of["x"], of["xx"], self.centres[0]),
            Centred(of["n"], of["y"], of["yy"], self.centres[1]),
        )

    def _pair(self, view: str, centre: float) -> Pair:
        of = {name: self.sums.of(f"{view} {name}") for name in OF_PAIR}
        return Pair(
            Centred(of["n"], of["x"], of["xx"], self.centres[0]),
            Centred(of["n"], of["y"], of["yy"], centre),
            of["xy"],
            of["squared"],
            of["absolute"],
            {tolerance: of[f"within {tolerance:g}"] for tolerance in TOLERANCES},
            self.sums.squares_of(f"{view} n"),
        )

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates; a slice and the rest are drawn apart."""
        rest = None if self.rest is None else self.rest.resampled(kind, replicates, seed, f"{stream}/rest")
        return replace(self, sums=self.sums.resampled(kind, replicates, seed, stream), rest=rest)

    def without_one(self) -> tuple[Self, Array]:
        """The sums without each unit of the slice in turn."""
        left, rows = self.sums.without_one()
        return replace(self, sums=left), rows

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same responses, one after another."""
        rests = [part.rest for part in parts if part.rest is not None]
        rest = ScoreSums.stacked(rests) if rests else None
        return replace(parts[0], sums=LinearSums.stacked([part.sums for part in parts]), rest=rest)

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        rest = None if self.rest is None else self.rest.tile(start, stop)
        return replace(self, sums=self.sums.tile(start, stop), rest=rest)


MACHINES = ("machine", "double")


@dataclass(frozen=True)
class ScoreFeatures:
    """What each response adds to the sums of several systems: worked out once, summed over any responses.

    Systems that are summed together share every draw.
    """

    names: tuple[str, ...]
    values: Array  # (responses, names)
    centres: dict[str, float]

    @classmethod
    def of(
        cls, ratings: Array, systems: Mapping[str, Array], centres: Mapping[str, float] | None = None
    ) -> ScoreFeatures:
        """Of a matrix of ratings (NaN where not rated) and the scores of each system (NaN where it gave none).

        `centres` are what to subtract before squaring: by system, and of the ratings under "human".
        """
        about = centres_of(ratings, systems) if centres is None else dict(centres)
        names, columns = _of_people(ratings, about[HUMAN])
        for name, scores in systems.items():
            more, found = _of_system(name, ratings, scores, (about[HUMAN], about[name]))
            names += more
            columns += found
        return cls(tuple(names), np.array(columns).T, about)

    def sums(
        self, weights: Weights | None = None, unit_keys: Keys | None = None, rows: NDArray[np.int64] | None = None
    ) -> LinearSums:
        """The sums over all responses, or over some."""
        values = self.values if rows is None else self.values.T.take(rows, axis=1).T  # column by column: in step
        keys = unit_keys if rows is None or unit_keys is None else unit_keys[rows]
        return LinearSums.collect(self.names, values, Weights(len(values)) if weights is None else weights, keys)

    @cached_property
    def in_slices(self) -> ScoreFeatures:
        """Without the view of double-scored responses alone, which is looked at over all responses only."""
        kept = [place for place, name in enumerate(self.names) if not name.startswith("double ")]
        return replace(self, names=tuple(self.names[place] for place in kept), values=self.values[:, kept])

    @property
    def of_rest(self) -> tuple[str, ...]:
        """What is needed of other responses to judge a slice against everybody."""
        views = (HUMAN, *(f"machine {name}" for name in self.centres if name != HUMAN))
        return tuple(f"{view} {name}" for view in views for name in OF_SPREAD)

    def system(self, name: str, sums: LinearSums, rest: LinearSums | None = None) -> ScoreSums:
        """One system's view of such sums."""
        centres = (self.centres[HUMAN], self.centres[name])
        others = None if rest is None else ScoreSums(rest, centres, name)
        return ScoreSums(sums, centres, name, others, alone=len(self.centres) == 2)

    def raters(self, name: str, sums: LinearSums, rest: LinearSums | None = None) -> ScoreSums:
        """The raters beside one another, read as a system is; only the machine's view is there."""
        centres = (self.centres[HUMAN], self.centres[HUMAN])
        others = None if rest is None else ScoreSums(rest, centres, name, view=HUMAN)
        return ScoreSums(sums, centres, name, others, view=HUMAN)


def centres_of(ratings: Array, systems: Mapping[str, Array]) -> dict[str, float]:
    """A middle value of the ratings and of each system: one that the order of rows does not change."""

    def middle(values: Array) -> float:
        finite = values[np.isfinite(values)]
        return float(np.median(finite)) if finite.size else 0.0

    return {HUMAN: middle(ratings)} | {name: middle(scores) for name, scores in systems.items()}


def _of_people(ratings: Array, centre: float) -> tuple[list[str], list[Array]]:
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
    return names, columns + pairs


def _of_system(name: str, ratings: Array, scores: Array, centres: tuple[float, float]) -> tuple[list[str], list[Array]]:
    rated, scored = np.isfinite(ratings), np.isfinite(scores)
    first = rated[:, 0] & scored
    machine = _pair_values(ratings[:, 0], scores, first, centres)
    again = first & (rated.sum(1) > 1)
    double = [np.where(again, column, 0.0) for column in machine]
    times = np.where(scored, rated.sum(1), 0).astype(np.float64)
    known = times > 0
    mean = np.where(rated, ratings - centres[0], 0.0).sum(1) / np.maximum(times, 1.0)
    gap = np.where(known, times * (mean + centres[0] - np.where(scored, scores, 0.0)) ** 2, 0.0)
    views = zip(MACHINES, (machine, double), strict=True)
    named = [
        (f"{view} {name} {value}", column) for view, of in views for value, column in zip(OF_PAIR, of, strict=True)
    ]
    named += [(f"scored {name}", known * 1.0), (f"gap {name}", gap)]
    return [label for label, _ in named], [column for _, column in named]


def _pair_values(x: Array, y: Array, both: NDArray[np.bool_], centres: tuple[float, float]) -> list[Array]:
    """What each response adds to the sums of a pair of scores; nothing where one of them is missing."""
    apart = np.where(both, x - y, 0.0)
    far = np.abs(apart)
    x, y = np.where(both, x - centres[0], 0.0), np.where(both, y - centres[1], 0.0)
    near = [(both & (far <= tolerance + ROUNDING)) * 1.0 for tolerance in TOLERANCES]
    return [both * 1.0, x, y, x**2, y**2, x * y, apart**2, far, *near]


@dataclass(frozen=True, slots=True)
class Descriptives:
    """How many scores there are, where they lie and how far they spread (N − 1)."""

    n: int
    mean: float
    sd: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Array) -> Descriptives:
        """Of the scores that are there.

        >>> Descriptives.of(np.array([1.0, 2.0, np.nan, 3.0]))
        Descriptives(n=3, mean=2.0, sd=1.0, low=1.0, high=3.0)
        """
        known = values[np.isfinite(values)]
        if not len(known):
            return cls(0, np.nan, np.nan, np.nan, np.nan)
        mean = float(known.mean())
        sd = float(np.sqrt(((known - mean) ** 2).sum() / (len(known) - 1))) if len(known) > 1 else np.nan
        return cls(len(known), mean, sd, float(known.min()), float(known.max()))
