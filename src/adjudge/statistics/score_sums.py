"""Scores of responses by people and by a system, as sums: what every metric of automated scoring is a formula of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from adjudge.data.arrays import rated_and_scored
from adjudge.data.columns import checked_weights
from adjudge.data.keys import Keys
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Sums, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.score_features import (
    HUMAN,
    MACHINES,
    MOST_POINTS,
    OF_PAIR,
    OF_SPREAD,
    OF_TRUTH,
    POINTS,
    TOLERANCES,
    TRUTH,
    Points,
    ScoreFeatures,
)
from adjudge.statistics.score_views import Centred, Margins, Pair, TrueScore
from adjudge.statistics.weights import Weights

# A share of pairs without a point this small is what rounding leaves of none.
ALL_PAIRS = 1e-10


@dataclass(frozen=True)
class ScoreSums(Sums):
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
        first: Any,
        second: Any = None,
        *,
        weights: Any = None,
        positive: Any = None,
        categories: Any = None,
    ) -> ScoreSums:
        """Of a list of ratings, or a matrix with a column for each rater, and a system's scores."""
        ratings, scores = rated_and_scored(first, second)
        return cls.of_scores(ratings, scores, Weights(len(ratings), checked_weights(weights, len(ratings))))

    @classmethod
    def of_scores(
        cls,
        ratings: Array,
        scores: Array | None,
        weights: Weights | None = None,
        unit_keys: Keys | None = None,
        rest: ScoreSums | None = None,
    ) -> ScoreSums:
        """The sums of a matrix of ratings (NaN where not rated) and of one system's scores."""
        columns = {"system": np.full(len(ratings), np.nan) if scores is None else scores}
        features = ScoreFeatures.of(ratings, columns, points=Points(frozenset(columns)))
        return replace(system_sums("system", features.sums(weights, unit_keys), features.centres), rest=rest)

    def __add__(self, other: Self) -> Self:
        if (self.rest is None) != (other.rest is None):
            raise SettingError("Sums of a slice must be added to sums of a slice.")
        there = other.sums if other.centres == self.centres else other.moved(self.centres).sums
        rest = None if self.rest is None or other.rest is None else self.rest + other.rest
        return replace(self, sums=joined(self.sums, there), rest=rest)

    def scaled(self, unit: float) -> Self:
        """The same responses with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit), rest=None if self.rest is None else self.rest.scaled(unit))

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

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units: responses, or people who have several."""
        return np.asarray(ratio(self.counts**2, self.squares))

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

    def margins(self, view: str) -> Margins | None:
        """What kappa is made of, for the raters ("human") or a system's view; None unless all points were compared."""
        of = view if view == HUMAN else f"{view} {self.system}"
        begin = f"{POINTS} {of} "
        if f"{begin}same" not in self.sums.places:
            return None
        points = sorted(
            name.removeprefix(f"{begin}x at ") for name in self.sums.names if name.startswith(f"{begin}x at ")
        )
        at = {side: [self.sums.places[f"{begin}{side} at {point}"] for point in points] for side in "xy"}
        # Of the units themselves, not of a draw: normal draws of sums that follow from one another differ a little.
        pairs = self.sums.products[self.sums.places[f"{of} n"]]
        if pairs[at["x"]].sum() < (1 - ALL_PAIRS) * pairs[self.sums.places[f"{of} n"]]:
            return None
        x, y = (self.sums.totals[..., places] for places in at.values())
        return Margins(self.sums.of(f"{of} n"), self.sums.of(f"{begin}same"), x, y)

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


def system_sums(name: str, sums: LinearSums, centres: Mapping[str, float], rest: LinearSums | None = None) -> ScoreSums:
    """One system's view of sums that it may share with others."""
    about = (centres[HUMAN], centres[name])
    others = None if rest is None else ScoreSums(rest, about, name)
    return ScoreSums(sums, about, name, others, alone=len(centres) == 2)


def rater_sums(name: str, sums: LinearSums, centres: Mapping[str, float], rest: LinearSums | None = None) -> ScoreSums:
    """The raters beside one another, read as a system is; only the machine's view is there."""
    about = (centres[HUMAN], centres[HUMAN])
    others = None if rest is None else ScoreSums(rest, about, name, view=HUMAN)
    return ScoreSums(sums, about, name, others, view=HUMAN)


def joined(first: LinearSums, second: LinearSums) -> LinearSums:
    """The sums of both parts, which may have met different points of the scale; too many points are not kept."""
    if first.names == second.names:
        return first + second
    names = dict.fromkeys([*first.names, *second.names])
    views = [name.removesuffix("same") for name in names if name.startswith(f"{POINTS} ") and name.endswith(" same")]
    for view in views:
        if sum(name.startswith(f"{view}x at ") for name in names) > MOST_POINTS:
            names = dict.fromkeys(name for name in names if not name.startswith(view))
    return first.over(tuple(names)) + second.over(tuple(names))
