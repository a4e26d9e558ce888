"""Arrays for one metric: what the laws repeat, weigh, swap and rename."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.metrics.base import Metric
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class Rows:
    """Arrays for one metric, units along the first axis."""

    first: np.ndarray
    second: np.ndarray | None = None
    categories: tuple[str, ...] | None = None  # in the order of the scale, or of the columns of scores
    positive: str | None = None  # what a single score speaks of
    weights: np.ndarray | None = None
    rest: Rows | None = None  # everybody else, where a slice is judged against everybody

    def __len__(self) -> int:
        return len(self.first)

    def of(self, place: np.ndarray) -> Rows:
        """These units, repeated or left out as told."""
        weights = None if self.weights is None else self.weights[place]
        second = None if self.second is None else self.second[place]
        return replace(self, first=self.first[place], second=second, weights=weights)

    def weighing(self, weights: np.ndarray | None) -> Rows:
        return replace(self, weights=weights)

    def repeated(self, times: np.ndarray) -> Rows:
        return self.of(np.repeat(np.arange(len(self)), times.astype(np.int64)))

    def renamed(self, names: dict[str, str]) -> Rows:
        """The same rows with other labels."""
        return replace(
            self,
            first=_renamed(self.first, names),
            second=_renamed(self.second, names),
            categories=_renamed(self.categories, names),
            positive=_renamed(self.positive, names),
        )


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return names[value]
    if isinstance(value, np.ndarray):
        new = value.copy()
        for place in np.ndindex(value.shape if value.dtype == object else ()):
            if value.dtype == object:
                new[place] = _renamed(value[place], names)
        return new
    if isinstance(value, (list, set, tuple)):
        return type(value)(_renamed(one, names) for one in value)
    return value


def objects(values: list[Any]) -> np.ndarray:
    """An array of any objects, by unit."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@dataclass(frozen=True)
class Making:
    """How many units, how many of their answers are off (0: none, 1: all), and of what shape they are."""

    size: int
    amount: float
    wide: bool = True  # three categories or raters, with gaps where there can be; else two
    even: bool = False  # all categories occur
    mirrored: bool = False  # off to the other side, where there is one: too low and not too high

    def codes(self, random: np.random.Generator, count: int) -> np.ndarray:
        even = random.permutation(np.arange(self.size) % count)
        return even if self.even else random.integers(0, count, self.size)

    def gaps(self, random: np.random.Generator, raters: int) -> np.ndarray:
        """Where a rating is missing: of the first rater never, where all that can occur does."""
        missing = random.random((self.size, raters)) < (0.2 if self.wide else 0.0)
        missing[:, :1] &= not self.even
        return missing


Answers = Callable[[Metric, np.random.Generator, Making], Rows]


@dataclass(frozen=True)
class Examples:
    """What the laws need to know of a statistic."""

    answers: Answers
    degenerate: Callable[[Metric], dict[str, Rows]]  # the first of them has no units
    swapped: Callable[[Rows], Rows | None]  # None where the two sides are of different kinds
    summed: Callable[[Metric, Rows, Weights], Any] | None = None  # where draws take more than arrays
    arguments: Callable[[Rows], tuple[Any, Any]] = lambda rows: (rows.first, rows.second)
    options: Callable[[Rows], dict[str, Any]] = lambda rows: {}  # how the arrays are read
