"""How errors follow one another in the order of the table, in numbers that add."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Runs:
    """Of rows in their order: how many are wrong, and how many runs of equal neighbours there are.

    >>> a, b = Runs.of(np.array([True, True, False])), Runs.of(np.array([False, True]))
    >>> (a + b).runs, (b + a).runs
    (3, 3)
    """

    rows: int = 0
    wrong: int = 0
    runs: int = 0
    ends: tuple[bool, bool] = (False, False)  # whether the first row is wrong, and the last

    @classmethod
    def of(cls, wrong: NDArray[np.bool_]) -> Runs:
        """Of rows of which these are wrong."""
        if not len(wrong):
            return cls()
        runs = 1 + int(np.count_nonzero(wrong[1:] != wrong[:-1]))
        return cls(len(wrong), int(np.count_nonzero(wrong)), runs, (bool(wrong[0]), bool(wrong[-1])))

    def __add__(self, other: Runs) -> Runs:
        if not (self.rows and other.rows):
            return self if self.rows else other
        met = self.ends[1] == other.ends[0]
        return Runs(
            self.rows + other.rows,
            self.wrong + other.wrong,
            self.runs + other.runs - met,
            (self.ends[0], other.ends[1]),
        )

    @property
    def expected(self) -> float:
        """How many runs there would be in a random order (Wald and Wolfowitz 1940)."""
        return 1 + 2 * self.wrong * (self.rows - self.wrong) / self.rows if self.rows else 0.0

    @property
    def fewer(self) -> float:
        """By how many standard deviations there are fewer runs than in a random order, half a run given away."""
        free = self.expected - 1
        variance = free * (free - 1) / (self.rows - 1) if self.rows > 1 else 0.0
        return (self.expected - self.runs - 0.5) / math.sqrt(variance) if variance > 0 else 0.0
