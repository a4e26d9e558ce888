"""Pairs of answers as one annotator chose between them: how many, which answer, and how long the answers are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.pair_votes import ChosenPairs, chosen_pairs
from adjudge.data.judgements.votes import A, B
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.weights import Weights

# What is averaged, and over which pairs: those with a choice, with a choice and both lengths, with unequal lengths.
OVER = {
    "chose_a": "chose",
    "length_a": "measured",
    "length_b": "measured",
    "chosen": "measured",
    "rejected": "measured",
    "longer": "unequal",
}
PAIRS, CHOSE = "pairs", "chose"
NAMES = (PAIRS, *dict.fromkeys(OVER.values()), *OVER)


@dataclass(frozen=True)
class ChoiceSums(OfArrays[ChosenPairs, None], OfLinearSums[ChosenPairs, None]):
    """Sums of what each pair adds; a unit is a pair, or all pairs of a prompt, which must not be cut between parts.

    Laws: those of `LinearSums`.

    >>> sums = ChoiceSums.of_arrays(["a", "b", "tie"], [[10, 20], [30, 30], [5, 1]])
    >>> [float(sums.mean(value)) for value in ("chose_a", "chosen", "longer")]
    [0.5, 20.0, 0.0]
    """

    seconds: Array  # (values,), squares of what pairs add, by weight
    squares: Array  # (values,), squared weights of the pairs that have a value

    counting = PAIRS
    read_arrays = staticmethod(chosen_pairs)

    @classmethod
    def summing(cls, judgements: ChosenPairs, pilot: None = None) -> Callable[[Weights], ChoiceSums]:
        """What turns weights into the sums; values are worked out once for all weights."""
        values, prompts = _values(judgements), judgements.prompts
        alone = prompts is None or len(np.unique(prompts)) == len(prompts)
        known = np.stack([values[:, NAMES.index(OVER.get(name, name))] for name in NAMES], axis=-1)

        def sums(weights: Weights) -> ChoiceSums:
            case = np.ones(len(values)) if weights.case is None else weights.case
            linear = LinearSums.collect(NAMES, values, weights, None if alone else prompts)
            return cls(linear, (values**2 * case[:, None]).sum(0), (known * case[:, None] ** 2).sum(0))

        return sums

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            sums=self.sums + other.sums,
            seconds=self.seconds + other.seconds,
            squares=self.squares + other.squares,
        )

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of pairs."""
        return np.asarray(ratio(self.total**2, self.squares[NAMES.index(PAIRS)]))

    def over(self, value: str) -> Array:
        """The weight of the pairs that have a value, (…)."""
        return self.sums.of(OVER[value])

    def mean(self, value: str) -> Array:
        """The mean over the pairs that have the value, (…)."""
        return np.asarray(ratio(self.sums.of(value), self.over(value)))

    def spread(self, value: str) -> Array:
        """The mean squared distance from the mean."""
        mean = self.mean(value)
        square = ratio(self.seconds[NAMES.index(value)], self.over(value))
        # What rounding leaves of none is none.
        return np.asarray(np.where(square - mean**2 <= 1e-13 * square, 0.0 * square, square - mean**2))

    def effective_pairs(self, value: str) -> Array:
        """How many independent pairs the mean of a value is worth: Kish's number, or less where prompts differ."""
        over = self.over(value)
        kish = np.asarray(ratio(over**2, self.squares[NAMES.index(value)]))
        prompts = self.sums.units
        if not 1 < prompts < self.rows or self.sums.totals.ndim > 1:
            return kish
        apart = self.sums.squared({value: 1.0, OVER[value]: -float(np.nan_to_num(self.mean(value)))})
        between = ratio(apart, over**2) * prompts / (prompts - 1)
        return np.asarray(np.fmin(kish, ratio(self.spread(value), between)))

    def freedom(self, value: str) -> float:
        """Degrees of freedom of what prompts vary by, fewer where these are of unequal size (Bell and McCaffrey 2002).

        Infinite where every pair is a prompt of its own.
        """
        if not 1 < self.sums.units < self.rows or self.sums.kept is None:
            return math.inf
        pairs = self.sums.kept[:, self.sums.places[OVER[value]]]
        return max(float(np.nan_to_num(ratio((pairs**2).sum() ** 2, (pairs**4).sum()))) - 1, 1.0)

    def scaled(self, unit: float) -> Self:
        """The same pairs with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit), seconds=self.seconds * unit, squares=self.squares * unit**2)


def _values(pairs: ChosenPairs) -> Array:
    """What each pair adds to each sum: nothing where it has no such value."""
    chose_a, chose = pairs.votes == A, (pairs.votes == A) | (pairs.votes == B)
    measured = chose & np.isfinite(pairs.lengths).all(1)
    first, second = (np.where(measured, length, 0.0) for length in pairs.lengths.T)
    chosen, rejected = np.where(chose_a, first, second), np.where(chose_a, second, first)
    columns = {
        PAIRS: np.ones(len(pairs)),
        CHOSE: chose,
        "measured": measured,
        "unequal": measured & (first != second),
        "chose_a": chose_a,
        "length_a": first,
        "length_b": second,
        "chosen": chosen,
        "rejected": rejected,
        "longer": chosen > rejected,
    }
    return np.stack([np.asarray(columns[name], dtype=np.float64) for name in NAMES], axis=-1)
