"""One system's scores beside the raters', as sums: what every metric of automated scoring is a formula of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from adjudge.data.arrays import rated_and_scored
from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Statistic, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.numbers.pairs import OF_TWO, NumberPairs
from adjudge.statistics.numbers.two_numbers import Centred
from adjudge.statistics.scores.features import (
    HUMAN,
    OF_SPREAD,
    OF_TRUTH,
    POINTS,
    TOLERANCES,
    TRUTH,
    ScalePoints,
)
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.scores.views import Margins, TrueScore, TwoScores
from adjudge.statistics.weights import Weights

# A share of pairs without a point this small is what rounding leaves of none.
ALL_PAIRS = 1e-10


@dataclass(frozen=True)
class ScoreSums(Statistic[Responses, ScorePilot]):
    """One system's view of totals that it may share with others, or the raters' own view, read as a system's.

    Views: `machine` (first rater and system, on all responses the first rater scored), `human` (raters with one
    another, every pair of ratings of a response), `double` (as `machine`, on responses with a second rating) and
    `truth`. Of raters beside one another there is the machine's view alone.

    Laws: those of `ScoreTotals`.

    >>> sums = ScoreSums.of_arrays(np.array([[1.0, 2.0], [3.0, 3.0]]), np.array([1.5, 3.0]))
    >>> float(sums.machine.n), float(sums.human.shift), float(sums.truth.ratings)
    (2.0, 0.5, 4.0)
    """

    totals: ScoreTotals
    system: str | None = "system"  # None: the raters beside one another

    replicated: ClassVar[tuple[str, ...]] = ("totals",)

    @classmethod
    def summing(cls, responses: Responses, pilot: ScorePilot | None = None) -> Callable[[Weights], ScoreSums]:
        """What turns weights into the sums of these responses."""
        sums = ScoreTotals.summing(responses, pilot)
        return lambda weights: cls(sums(weights))

    @classmethod
    def summing_arrays(
        cls, first: object, second: object = None, *, positive: object = None, categories: object = None
    ) -> tuple[int, Callable[[Weights], ScoreSums]]:
        """Of a list of ratings, or a matrix with a column for each rater, and a system's scores."""
        ratings, scores = rated_and_scored(first, second)
        return len(ratings), lambda weights: cls.of_scores(ratings, scores, weights)

    @classmethod
    def of_scores(
        cls,
        ratings: Array,
        scores: Array | None,
        weights: Weights | None = None,
        unit_keys: Keys | None = None,
    ) -> ScoreSums:
        """The sums of a matrix of ratings (NaN where not rated) and of one system's scores."""
        columns = {"system": np.full(len(ratings), np.nan) if scores is None else scores}
        responses = Responses(ratings, columns, unit_keys)
        pilot = ScorePilot.of(responses, ScalePoints(frozenset(columns)))
        return cls.collect(responses, Weights(len(ratings)) if weights is None else weights, pilot)

    def __add__(self, other: Self) -> Self:
        return replace(self, totals=self.totals + other.totals)

    def scaled(self, unit: float) -> Self:
        """The same responses with all weights multiplied."""
        return replace(self, totals=self.totals.scaled(unit))

    @property
    def sums(self) -> LinearSums:
        """The sums by name."""
        return self.totals.sums

    @property
    def centres(self) -> tuple[float, float]:
        """What was subtracted from the ratings and from the system's scores."""
        return self.totals.centres[HUMAN], self.totals.centres[HUMAN if self.system is None else self.system]

    @property
    def rows(self) -> int:
        """How many responses; of raters beside one another, those with two ratings."""
        return self.totals.twice if self.system is None else self.totals.rows

    @property
    def counts(self) -> Array:
        """What the rated responses weigh together."""
        return self.sums.of(self._counted)

    @property
    def squares(self) -> Array:
        """Their squared weights: the same as `counts` when every response counts one."""
        return self.sums.squares_of(self._counted)

    @property
    def _counted(self) -> str:
        return f"{TRUTH} {'multiple' if self.system is None else 'responses'}"

    @property
    def weights(self) -> Array | None:
        """What the rated responses of each unit weigh, while units are kept."""
        return None if self.sums.kept is None else self.sums.kept[:, self.sums.places[self._counted]]

    def same_rows_as(self, other: Self) -> bool:
        """Whether both are views of the same totals, each response in turn."""
        return self.totals is other.totals

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of units: responses, or people who have several."""
        return np.asarray(ratio(self.counts**2, self.squares))

    @property
    def by_cluster(self) -> bool:
        """Whether the rows of a cluster were summed together."""
        return self.sums.keys is not None

    @property
    def view(self) -> str:
        """The name of the view of first rater and system."""
        return HUMAN if self.system is None else f"machine {self.system}"

    @cached_property
    def machine(self) -> TwoScores:
        """First rater and system."""
        two = self.numbers.two  # whose spreads other metrics ask for as well
        return self._scores_of(self.view, two.x, two.y)

    @cached_property
    def numbers(self) -> NumberPairs:
        """First rater and system as reference and prediction."""
        places = [self.sums.places[f"{self.view} {name}"] for name in OF_TWO]
        return NumberPairs(self.sums.at(places, OF_TWO), self.centres)

    @cached_property
    def double(self) -> TwoScores:
        """First rater and system, where there is a second rating."""
        return self._pair(f"double {self.system}", self.centres[1])

    @cached_property
    def human(self) -> TwoScores:
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
        rest = self.totals.rest
        of = {name: self.sums.of(f"{self.view} {name}") for name in OF_SPREAD}
        if rest is not None:
            of = {name: total + rest.of(f"{self.view} {name}") for name, total in of.items()}
        return (
            Centred(of["n"], of["x"], of["xx"], self.centres[0]),
            Centred(of["n"], of["y"], of["yy"], self.centres[1]),
        )

    def spread_about_mean(self, sums: LinearSums, scales: Sequence[ArrayLike]) -> Array:
        """Squared standard error of the mean of y / its scale − x / its scale over some of the responses."""
        of = {name: float(sums.of(f"{self.view} {name}")) for name in ("n", "x", "y")}
        factors = {"x": -float(ratio(1, scales[0])), "y": float(ratio(1, scales[1]))}
        mean = ratio(sum(of[name] * factor for name, factor in factors.items()), of["n"])
        places = np.array([sums.places[f"{self.view} {name}"] for name in ("x", "y", "n")])
        adds = np.array([*factors.values(), -float(mean)])
        return np.asarray(ratio(np.maximum(adds @ sums.products[places[:, None], places] @ adds, 0.0), of["n"] ** 2))

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

    def _pair(self, view: str, centre: float) -> TwoScores:
        """Two scores side by side; the raters' own are the same for every system of these totals."""
        if view not in self.totals.pairs:
            self.totals.pairs[view] = self._made_pair(view, centre)
        return self.totals.pairs[view]

    def _made_pair(self, view: str, centre: float) -> TwoScores:
        n, x, xx, y, yy = (self.sums.of(f"{view} {name}") for name in ("n", "x", "xx", "y", "yy"))
        return self._scores_of(view, Centred(n, x, xx, self.centres[0]), Centred(n, y, yy, centre))

    def _scores_of(self, view: str, x: Centred, y: Centred) -> TwoScores:
        within = {tolerance: self.sums.of(f"{view} within {tolerance:g}") for tolerance in TOLERANCES}
        return TwoScores(x, y, self.sums.of(f"{view} xy"), within, self.sums.squares_of(f"{view} n"))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates; a slice and the rest are drawn apart."""
        return replace(self, totals=self.totals.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Self, Array]:
        """The sums without each unit of the slice in turn."""
        left, rows = self.totals.without_one()
        return replace(self, totals=left), rows
