"""The numbers of several systems, summed together: what they have in common is in the products of their sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from adjudge.data.judgements.numbers import NumbersTogether
from adjudge.statistics.base import Array
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.numbers.pairs import Centres, NumberPairs
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class JointNumbers(OfLinearSums[NumbersTogether, tuple[Centres, ...]]):
    """The sums of each system side by side, so that all are drawn at once: many rows cost no more than few.

    Laws: those of `LinearSums`.

    >>> y = np.array([1.0, 2.0, 6.0])
    >>> both = JointNumbers.collect(NumbersTogether(y, (np.array([1.0, 3, 4]), y)), Weights(3))
    >>> [float(both.of_system(place).of("squared")) for place in (0, 1)]
    [5.0, 0.0]
    """

    centres: tuple[Centres, ...]  # of each system
    own: tuple[str, ...]  # what is summed of each

    counting = "0/n"

    @classmethod
    def pilot(cls, numbers: NumbersTogether) -> tuple[Centres, ...]:
        """The constants to sum about, from the first rows."""
        return tuple(NumberPairs.pilot(one) for one in numbers.each)

    @classmethod
    def summing(
        cls, judgements: NumbersTogether, pilot: tuple[Centres, ...] | None = None
    ) -> Callable[[Weights], Self]:
        """What turns weights into the sums of these rows."""
        centres = cls.pilot(judgements) if pilot is None else pilot
        pairs = zip(judgements.each, centres, strict=True)
        each = [NumberPairs.summing(numbers, about) for numbers, about in pairs]
        values = [summing.args[0] for summing in each if isinstance(summing, partial)]
        return partial(cls._summed, values, centres)

    @classmethod
    def _summed(cls, values: Sequence[dict[str, Array]], centres: tuple[Centres, ...], weights: Weights) -> Self:
        own = tuple(values[0])
        names = [f"{place}/{name}" for place in range(len(values)) for name in own]
        with np.errstate(over="ignore", invalid="ignore"):
            columns = np.array([column for of_one in values for column in of_one.values()]).T
            return cls(LinearSums.collect(names, columns, weights), centres, own)

    def __add__(self, other: Self) -> Self:
        return replace(self, sums=self.sums + other.moved(self.centres).sums)

    def moved(self, centres: tuple[Centres, ...]) -> Self:
        """The same sums about other constants."""
        if centres == self.centres:
            return self
        size = len(self.own)
        matrix = np.eye(size * len(centres))
        for place, about in enumerate(centres):
            plain = LinearSums(self.own, np.zeros(size), np.zeros((size, size)), np.eye(size), 0, size)
            moved = NumberPairs(plain, self.centres[place]).moved(about).sums.kept
            assert moved is not None
            matrix[place * size : (place + 1) * size, place * size : (place + 1) * size] = moved
        return replace(self, sums=self.sums.mapped(matrix), centres=centres)

    def of_system(self, place: int) -> NumberPairs:
        """The sums of one system, for each replicate if there are any."""
        own = self.sums.only([f"{place}/{name}" for name in self.own])
        return NumberPairs(replace(own, names=self.own), self.centres[place])

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return super().stacked([part.moved(parts[0].centres) for part in parts])


def system_at(place: int) -> Callable[[JointNumbers], NumberPairs]:
    """What gives one system's part."""
    return lambda joint: joint.of_system(place)
