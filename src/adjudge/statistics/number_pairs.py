"""Reference and prediction as numbers, as sums: what most metrics of regression are formulas of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from adjudge.data.numbers import Numbers, numbers_of
from adjudge.statistics.base import Array, Statistic, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.two_numbers import Centred, TwoNumbers, middle, move
from adjudge.statistics.weights import Weights

Centres = tuple[float, float]
# Two numbers about their constants, and how far apart they are: of any two columns.
OF_TWO = ("n", "x", "y", "xx", "yy", "xy", "squared", "absolute")
# Errors about their own constant; relative and logarithmic errors, with the weight of the rows that have none.
OF_ERRORS = ("error", "spread", "percentage", "zero", "symmetric", "log", "no_log")
# Where a prediction has an interval.
OF_BOUNDS = ("bounded", "covered", "width")

Combination = Mapping[str, float]


@dataclass(frozen=True)
class NumberPairs(Statistic):
    """References x and predictions y, summed over rows.

    x and y are summed about `centres`, which are carried along; `+` moves the other part to the constants of this one.
    What was not summed, such as the bounds of intervals where there are none, is NaN.

    Laws: those of `LinearSums`.

    >>> pairs = NumberPairs.of_arrays([1, 2, 6], [1, 3, 4])
    >>> float(pairs.of("squared")), round(float(pairs.errors.mean), 4), float(pairs.two.x.mean)
    (5.0, -0.3333, 3.0)
    """

    sums: LinearSums
    centres: Centres

    @classmethod
    def summing_arrays(
        cls, first: Any, second: Any = None, *, positive: Any = None, categories: Any = None
    ) -> tuple[int, Callable[[Weights], Self]]:
        """The sums of two arrays of numbers; see `numbers_of` for prediction intervals."""
        numbers = numbers_of(first, second)
        return len(numbers), cls.summing(numbers)

    @classmethod
    def pilot(cls, numbers: Numbers) -> Centres:
        """The constants to sum about, from the first rows."""
        return middle(numbers.reference), middle(numbers.prediction)

    @classmethod
    def summing(cls, judgements: Numbers, pilot: Centres | None = None) -> Callable[[Weights], Self]:
        """What turns weights into the sums of these rows, about the pilot's constants or their own."""
        centres = cls.pilot(judgements) if pilot is None else pilot
        columns = _columns(judgements, centres)
        names, values = tuple(columns), np.stack(list(columns.values()), axis=1)
        return lambda weights: cls(LinearSums.collect(names, values, weights), centres)

    def __add__(self, other: Self) -> Self:
        return replace(self, sums=self.sums + other.moved(self.centres).sums)

    def moved(self, centres: Centres) -> Self:
        """The same sums about other constants."""
        if centres == self.centres:
            return self
        matrix, place = np.eye(len(self.sums.names)), self.sums.places
        x, y = (old - new for old, new in zip(self.centres, centres, strict=True))
        move(matrix, place, x, y)
        if "error" in place:
            n, error, spread = (place[name] for name in ("n", "error", "spread"))
            matrix[n, [error, spread]] = y - x, (y - x) ** 2
            matrix[error, spread] = 2 * (y - x)
        return replace(self, sums=self.sums.mapped(matrix), centres=centres)

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.sums.rows

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return np.asarray(ratio(self.of("n") ** 2, self.sums.squares_of("n")))

    def of(self, name: str) -> Array:
        """The total of one value, (…); NaN where it was not summed."""
        if name not in self.sums.places:
            return np.full(self.sums.totals.shape[:-1], np.nan)
        return self.sums.of(name)

    def mean_of(self, values: Combination) -> Array:
        """The mean over rows of a fixed combination of values, (…).

        >>> float(NumberPairs.of_arrays([1, 2, 6], [1, 3, 4]).mean_of({"absolute": 1.0}))
        1.0
        """
        totals = [self.of(name) * factor for name, factor in values.items()]
        return np.asarray(ratio(sum(totals), self.of("n")))

    def squares_of(self, values: Combination) -> Array:
        """The sum over units of the square of what a unit adds to a combination of totals."""
        factors = np.zeros(len(self.sums.names))
        for name, factor in values.items():
            factors[self.sums.places[name]] += factor
        return np.asarray(np.maximum(factors @ self.sums.products @ factors, 0.0))

    @property
    def signed_error(self) -> Combination:
        """Prediction less reference, as a combination of what was summed."""
        step = self.centres[1] - self.centres[0]
        return {"error": 1.0, "n": step} if "error" in self.sums.places else {"y": 1.0, "x": -1.0, "n": step}

    @cached_property
    def two(self) -> TwoNumbers:
        """The means and spreads of reference and prediction, and how they go together."""
        n, of = self.of("n"), self.of
        x, y = Centred(n, of("x"), of("xx"), self.centres[0]), Centred(n, of("y"), of("yy"), self.centres[1])
        return TwoNumbers(x, y, of("xy"))

    @cached_property
    def errors(self) -> Centred:
        """Prediction less reference: mean and spread."""
        centre = self.centres[1] - self.centres[0]
        if "error" in self.sums.places:
            return Centred(self.of("n"), self.of("error"), self.of("spread"), centre)
        spread = self.of("xx") + self.of("yy") - 2 * self.of("xy")
        return Centred(self.of("n"), self.of("y") - self.of("x"), spread, centre)

    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""
        return replace(self, sums=self.sums.scaled(unit))

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of all sums together."""
        return replace(self, sums=self.sums.resampled(kind, replicates, seed, stream))

    def without_one(self) -> tuple[Self, Array]:
        """The sums without each row in turn."""
        left, rows = self.sums.without_one()
        return replace(self, sums=left), rows

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return replace(parts[0], sums=LinearSums.stacked([part.moved(parts[0].centres).sums for part in parts]))

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        return replace(self, sums=self.sums.tile(start, stop))


def _columns(numbers: Numbers, centres: Centres) -> dict[str, Array]:
    """What each row adds to each sum."""
    reference, prediction = numbers.reference, numbers.prediction
    x, y = reference - centres[0], prediction - centres[1]
    with np.errstate(over="ignore", invalid="ignore"):
        off = numbers.errors
        squared = off**2
        two = (np.ones(len(x)), x, y, x**2, y**2, x * y, squared, np.abs(off))
        about = off - (centres[1] - centres[0])
        errors = (about, about**2, *_relative(reference, prediction), *_logarithmic(reference, prediction))
    columns = dict(zip((*OF_TWO, *OF_ERRORS), (*two, *errors), strict=True))
    return columns | _bounded(numbers)


def _relative(reference: Array, prediction: Array) -> tuple[Array, Array, Array]:
    """|error| beside the reference, whether that is zero, and |error| beside the mean size of both."""
    size, both = np.abs(reference), np.abs(reference) + np.abs(prediction)
    off = np.abs(prediction - reference)
    with np.errstate(divide="ignore"):
        percentage = np.where(size > 0, off / np.where(size > 0, size, 1.0), 0.0)
        symmetric = np.where(both > 0, 2 * off / np.where(both > 0, both, 1.0), 0.0)
    return percentage, (size == 0) * 1.0, symmetric


def _logarithmic(reference: Array, prediction: Array) -> tuple[Array, Array]:
    """Squared difference of log(1 + value), and whether there is no such logarithm."""
    none = (reference <= -1) | (prediction <= -1)
    step: Array = np.log1p(np.where(none, 0.0, prediction)) - np.log1p(np.where(none, 0.0, reference))
    return step**2, np.where(none, 1.0, 0.0)


def _bounded(numbers: Numbers) -> dict[str, Array]:
    """Of rows whose prediction has an interval: whether it holds the reference, and how wide it is."""
    if numbers.lower is None or numbers.upper is None:
        return {}
    given = np.isfinite(numbers.lower) & np.isfinite(numbers.upper)
    covered = given & (numbers.lower <= numbers.reference) & (numbers.reference <= numbers.upper)
    width = np.where(given, numbers.upper - numbers.lower, 0.0)
    return dict(zip(OF_BOUNDS, (given * 1.0, covered * 1.0, width), strict=True))
