"""Reference and prediction as numbers, as sums: what most metrics of regression are formulas of.

Beside the sums, the largest errors: what can be said of a tail when rows are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np

from adjudge.data.judgements.numbers import PredictedNumbers, predicted_numbers
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.numbers.two_numbers import Centred, TwoNumbers, middle, move
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.weights import Weights

# More than the root of the number of rows, up to a hundred thousand rows.
MOST_LARGEST = 320


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest values of each kind, falling; values are not negative, and zeros fill up.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; two parts, added, equal the whole.

    >>> part = Largest.collect({"over": np.array([1.0, 4.0, 2.0])}, None)
    >>> (part + part).of({"over": 2.0})[:3].tolist()
    [8.0, 8.0, 4.0]
    """

    names: tuple[str, ...]
    values: Array  # (kinds, MOST_LARGEST)

    @classmethod
    def collect(cls, columns: Mapping[str, Array], case: Array | None) -> Self:
        """From a value of each kind for every row; rows without weight do not count."""
        rows = np.stack(list(columns.values()))
        return cls(tuple(columns), _largest(rows if case is None else rows[:, case > 0]))

    def __add__(self, other: Self) -> Self:
        return replace(self, values=_largest(np.concatenate([self.values, other.values], axis=1)))

    def of(self, factors: Mapping[str, float]) -> Array:
        """The largest of several kinds together, each times a factor, falling."""
        chosen = [self.values[self.names.index(name)] * factor for name, factor in factors.items()]
        return np.asarray(_largest(np.concatenate(chosen)[None])[0])


def _largest(rows: Array) -> Array:
    if rows.shape[1] > MOST_LARGEST:
        rows = np.partition(rows, rows.shape[1] - MOST_LARGEST, axis=1)[:, -MOST_LARGEST:]
    falling = -np.sort(-rows, axis=1)
    return np.asarray(np.pad(falling, ((0, 0), (0, MOST_LARGEST - falling.shape[1]))))


Centres = tuple[float, float]
# Two numbers about their constants, and how far apart they are: of any two columns.
OF_TWO = ("n", "x", "y", "xx", "yy", "xy", "squared", "absolute")
# Errors about their own constant; relative and logarithmic errors, with the weight of the rows that have none.
OF_ERRORS = ("error", "spread", "percentage", "zero", "symmetric", "log", "no_log")
OF_TAILS = ("percentage", "symmetric", "log")
# Where a prediction has an interval.
OF_BOUNDS = ("bounded", "covered", "width")

Combination = Mapping[str, float]
Named = dict[str, Array]


@dataclass(frozen=True)
class NumberPairs(OfArrays[PredictedNumbers, Centres], OfLinearSums[PredictedNumbers, Centres]):
    """References x and predictions y, summed over rows, the rows of a cluster together.

    x and y are summed about `centres`, which are carried along; `+` moves the other part to the constants of this one.
    What was not summed, such as the bounds of intervals where there are none, is NaN.

    Laws: those of `LinearSums`.

    >>> pairs = NumberPairs.of_arrays([1, 2, 6], [1, 3, 4])
    >>> float(pairs.of("squared")), round(float(pairs.errors.mean), 4), float(pairs.two.x.mean)
    (5.0, -0.3333, 3.0)
    """

    centres: Centres
    largest: Largest | None = None  # errors by sign, and relative ones: what their tails are told from

    read_arrays = staticmethod(predicted_numbers)

    @classmethod
    def pilot(cls, numbers: PredictedNumbers) -> Centres:
        """The constants to sum about, from the first rows."""
        return middle(numbers.reference), middle(numbers.prediction)

    @classmethod
    def summing(cls, judgements: PredictedNumbers, pilot: Centres | None = None) -> Callable[[Weights], Self]:
        """What turns weights into the sums of these rows, about the pilot's constants or their own."""
        centres = cls.pilot(judgements) if pilot is None else pilot
        columns = _columns(judgements, centres)
        off = judgements.errors
        sizes = {"over": np.maximum(off, 0.0), "under": np.maximum(-off, 0.0)} | {n: columns[n] for n in OF_TAILS}
        return partial(cls._summed, columns, sizes, (centres, judgements.clusters))

    @classmethod
    def _summed(cls, columns: Named, sizes: Named, about: tuple[Centres, Keys | None], weights: Weights) -> Self:
        values, (centres, clusters) = np.array(list(columns.values())).T, about
        with np.errstate(over="ignore", invalid="ignore"):  # squares of the largest numbers are infinite
            # Draws say what each row counts, and need no cluster.
            sums = LinearSums.collect(tuple(columns), values, weights, clusters if weights.draws is None else None)
        return cls(sums, centres, Largest.collect(sizes, weights.case))

    def __add__(self, other: Self) -> Self:
        largest = None if self.largest is None or other.largest is None else self.largest + other.largest
        return replace(self, sums=self.sums + other.moved(self.centres).sums, largest=largest)

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

    def same_rows_as(self, other: Self) -> bool:
        """Whether both are of the same rows in the same order, as far as units are kept: references and weights tell.

        >>> pairs, others = (NumberPairs.of_arrays([1, 2, 6], guess) for guess in ([1, 3, 4], [2, 2, 5]))
        >>> pairs.same_rows_as(others), pairs.same_rows_as(NumberPairs.of_arrays([2, 1, 6], [3, 1, 4]))
        (True, False)
        """
        first, second = self.sums.kept, other.sums.kept
        if first is None or second is None or self.centres[0] != other.centres[0]:
            return False
        places = [self.sums.places[name] for name in ("n", "x", "xx")]
        return first.shape == second.shape and bool((first[:, places] == second[:, places]).all())

    @property
    def by_cluster(self) -> bool:
        """Whether the rows of a cluster were summed together."""
        return self.sums.keys is not None

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
        return self.sums.squared(values)

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
        spread = remainder(self.of("xx") + self.of("yy"), 2 * self.of("xy"))
        return Centred(self.of("n"), self.of("y") - self.of("x"), spread, centre)

    @property
    def around_mean(self) -> Combination:
        """The squared deviation of the reference from its mean, as a combination of what was summed."""
        step = float(np.nan_to_num(ratio(self.of("x"), self.of("n"))))
        return {"xx": 1.0, "x": -2 * step, "n": step**2}

    @property
    def squared_error(self) -> Combination:
        """The squared deviation of the error from its mean, as a combination of what was summed."""
        step = float(np.nan_to_num(ratio(self.errors.first, self.of("n"))))
        if "error" in self.sums.places:
            return {"spread": 1.0, "error": -2 * step, "n": step**2}
        return {"xx": 1.0, "yy": 1.0, "xy": -2.0, "y": -2 * step, "x": 2 * step, "n": step**2}

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same rows, one after another."""
        return super().stacked([part.moved(parts[0].centres) for part in parts])


def _columns(numbers: PredictedNumbers, centres: Centres) -> Named:
    """What each row adds to each sum."""
    reference, prediction = numbers.reference, numbers.prediction
    x, y = reference - centres[0], prediction - centres[1]
    with np.errstate(over="ignore", invalid="ignore"):
        off = numbers.errors
        absolute = np.abs(off)
        two = (np.ones(len(x)), x, y, x * x, y * y, x * y, off * off, absolute)
        about = off - (centres[1] - centres[0])
        relative, logarithmic = _relative(reference, prediction, absolute), _logarithmic(reference, prediction)
        errors = (about, about * about, *relative, *logarithmic)
    columns = dict(zip((*OF_TWO, *OF_ERRORS), (*two, *errors), strict=True))
    return columns | _bounded(numbers)


def _relative(reference: Array, prediction: Array, off: Array) -> tuple[Array, Array, Array]:
    """|error| beside the reference, whether that is zero, and |error| beside the mean size of both."""
    size = np.abs(reference)
    zero, both = size == 0, size + np.abs(prediction)
    percentage, symmetric = np.zeros(len(size)), np.zeros(len(size))
    np.divide(off, size, out=percentage, where=~zero)
    np.divide(off, both, out=symmetric, where=both > 0)
    symmetric *= 2
    return percentage, zero * 1.0, symmetric


def _logarithmic(reference: Array, prediction: Array) -> tuple[Array, Array]:
    """Squared difference of log(1 + value), and whether there is no such logarithm."""
    none = np.minimum(reference, prediction) <= -1
    if none.any():
        reference, prediction = np.where(none, 0.0, reference), np.where(none, 0.0, prediction)
    step: Array = np.log1p(prediction)
    step -= np.log1p(reference)
    step *= step
    return step, np.where(none, 1.0, 0.0)


def _bounded(numbers: PredictedNumbers) -> Named:
    """Of rows whose prediction has an interval: whether it holds the reference, and how wide it is.

    Bounds that are missing or the wrong way round are no interval.
    """
    if numbers.lower is None or numbers.upper is None:
        return {}
    given = np.isfinite(numbers.lower) & np.isfinite(numbers.upper) & (numbers.lower <= numbers.upper)
    covered = given & (numbers.lower <= numbers.reference) & (numbers.reference <= numbers.upper)
    width = np.where(given, numbers.upper - numbers.lower, 0.0)
    return dict(zip(OF_BOUNDS, (given * 1.0, covered * 1.0, width), strict=True))
