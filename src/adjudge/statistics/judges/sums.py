"""Values of people on some rows and of a judge on all, as sums: what judge-assisted estimates are formulas of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np

from adjudge.data.judgements.judged import JudgedValues, judged_values
from adjudge.statistics.base import Array, ratio, remainder, steady_product
from adjudge.statistics.cells import PRIOR_MASS, generator
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.of_linear_sums import OfLinearSums
from adjudge.statistics.weights import Weights

# Of rows with a label: people h and the judge j. Of the others: the judge k.
NAMES = ("n", "h", "j", "hh", "hj", "jj", "m", "k", "kk")


@dataclass(frozen=True)
class JudgedSums(OfArrays[JudgedValues, None], OfLinearSums[JudgedValues, None]):
    """Sums over rows with a label and over the others, and the ends of the values.

    Laws: those of `LinearSums`.

    >>> sums = JudgedSums.of_arrays([1, 0, None, None], [1, 1, 1, 0])
    >>> float(sums.of("n")), float(sums.of("m")), sums.scale
    (2.0, 2.0, 1.0)
    """

    least: float
    most: float
    whole: bool = True  # whether all values are whole numbers: 0 and 1, or grades

    read_arrays = staticmethod(judged_values)

    @classmethod
    def summing(cls, judgements: JudgedValues, pilot: None = None) -> Callable[[Weights], Self]:
        """What turns weights into the sums of these rows."""
        labelled = ~np.isnan(judgements.human)
        n, m = labelled * 1.0, ~labelled * 1.0
        h, j, k = np.where(labelled, judgements.human, 0.0), judgements.judge * n, judgements.judge * m
        values = np.column_stack([n, h, j, h * h, h * j, j * j, m, k, k * k])
        ends = judgements.least.min(initial=np.inf), judgements.most.max(initial=-np.inf)

        whole = bool((np.rint(h) == h).all() and (np.rint(judgements.judge) == judgements.judge).all())
        return partial(cls._summed, values, (float(ends[0]), float(ends[1]), whole))

    @classmethod
    def _summed(cls, values: Array, seen: tuple[float, float, bool], weights: Weights) -> Self:
        return cls(LinearSums.collect(NAMES, values, weights), *seen)

    def __add__(self, other: Self) -> Self:
        least, most = min(self.least, other.least), max(self.most, other.most)
        return replace(self, sums=self.sums + other.sums, least=least, most=most, whole=self.whole and other.whole)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates of all sums together; for "bayesian", with prior labels added."""
        draws = replace(self, sums=self.sums.resampled(kind, replicates, seed, stream))
        return draws.smoothed(self, seed, f"{stream}/prior") if kind == "bayesian" else draws

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Replicates with labels of 0 and 1 added that favour no answer of people or judge; other values know no prior.

        As in a table of two labels and two answers: `PRIOR_MASS` labels, in units of a label of `plain`.
        """
        if not plain.two_valued:
            return self
        of_kind = np.zeros((4, len(NAMES)))
        for kind, (h, j) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
            of_kind[kind, :6] = 1, h, j, h * h, h * j, j * j
        one = float(np.nan_to_num(ratio(plain.sums.squares_of("n"), plain.of("n"))))
        mass = generator(seed, stream).standard_gamma(PRIOR_MASS / 4, size=(len(self.sums.totals), 4))
        return replace(self, sums=replace(self.sums, totals=self.sums.totals + steady_product(mass * one, of_kind)))

    @property
    def total(self) -> Array:
        """The weight of all rows, (…)."""
        return np.asarray(self.of("n") + self.of("m"))

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of all rows."""
        return np.asarray(ratio(self.total**2, self.sums.squared({"n": 1.0, "m": 1.0})))

    @property
    def drawn_units(self) -> float:
        """Kish's effective number of labels: what the doubt depends on."""
        return self.effective("n")

    @property
    def scale(self) -> float:
        """How far one value can be from another, as far as was seen."""
        return max(self.most - self.least, 0.0)

    @property
    def unseen(self) -> float:
        """How large a disagreement that was not seen may be: the scale; of finer numbers, two deviations at most."""
        if self.whole:
            return self.scale
        n, of = self.of("n"), self.of
        variance = float(np.nan_to_num(ratio(remainder(of("hh"), ratio(of("h") ** 2, n)), n)))
        return float(min(self.scale, 2 * np.sqrt(max(variance, 0.0))))

    @property
    def two_valued(self) -> bool:
        """Whether all values are 0 or 1: their squares sum up to themselves."""
        pairs = (("hh", "h"), ("jj", "j"), ("kk", "k"))
        return (
            self.least >= 0
            and self.most <= 1
            and all((remainder(self.of(square), self.of(value)) == 0).all() for square, value in pairs)
        )

    def of(self, name: str) -> Array:
        """The total of one value, (…)."""
        return self.sums.of(name)

    def effective(self, over: str) -> float:
        """Kish's effective number of the rows with a label (n), or without (m)."""
        return float(np.nan_to_num(ratio(float(np.mean(self.of(over))) ** 2, self.sums.squares_of(over))))

    @cached_property
    def weight(self) -> Array:
        """How much the judge counts, λ between 0 and 1, (…).

        cov(h, j) / ((1 + n/N) var(j)), the variance over all rows; 0 where there is nothing to tell it from.
        """
        n, m, of = self.of("n"), self.of("m"), self.of
        together = ratio(remainder(of("hj"), ratio(of("h") * of("j"), n)), n - 1)
        every, mean = n + m, of("j") + of("k")
        spread = ratio(remainder(of("jj") + of("kk"), ratio(mean**2, every)), every - 1)
        slope = np.nan_to_num(ratio(together, (1 + ratio(n, m)) * spread))
        return np.asarray(np.where((n > 1) & (m > 1), np.clip(slope, 0.0, 1.0), 0.0))

    @cached_property
    def estimate(self) -> Array:
        """λ mean(judge, no label) + mean(people − λ judge), (…)."""
        others = np.nan_to_num(ratio(self.of("k"), self.of("m")))
        return np.asarray(ratio(self.of("h") - self.weight * self.of("j"), self.of("n")) + self.weight * others)

    def error(self, weight: float) -> float:
        """The standard error where the judge counts so much: guarded by two imagined disagreements of full length."""
        n, m = self.effective("n"), self.effective("m")
        middle = float(ratio(self.of("h") - weight * self.of("j"), self.of("n")))
        left = float(self.sums.squared({"h": 1.0, "j": -weight, "n": -middle})) * n**2 / float(self.of("n")) ** 2
        of_people = (left + 2 * self.unseen**2) / ((n + 1) * (n + 2))
        if not weight:
            return float(np.sqrt(of_people))
        far = {"k": 1.0, "m": -float(ratio(self.of("k"), self.of("m")))}
        of_judge = float(ratio(self.sums.squared(far) / self.of("m") ** 2 * m, m - 1))
        return float(np.sqrt(of_people + weight**2 * of_judge))

    @property
    def worth(self) -> float:
        """How many labels alone would tell as much."""
        n, weight = self.effective("n"), float(self.weight)
        error = (
            self.error(weight) if n > 1 and self.scale > 0 else 0.0
        )  # 0, too, where squares are too small to be told
        return n * (self.error(0.0) / error) ** 2 if error > 0 else n

    @property
    def apart(self) -> float:
        """How far the judge's means on rows with and without a label lie apart, in standard errors; NaN: unknown.

        The larger of two: as each side varies itself, and as all rows do, of which few skewed ones may miss the tail.
        """
        n, m = self.effective("n"), self.effective("m")
        if min(n, m) < 2:
            return np.nan
        means = [float(ratio(self.of(value), self.of(over))) for value, over in (("j", "n"), ("k", "m"))]
        errors = [
            float(self.sums.squared({value: 1.0, over: -mean})) / float(self.of(over)) ** 2 * size / (size - 1)
            for value, over, mean, size in zip("jk", "nm", means, (n, m), strict=True)
        ]
        every, mean = float(self.of("n") + self.of("m")), float(self.of("j") + self.of("k"))
        spread = float(remainder(self.of("jj") + self.of("kk"), ratio(mean**2, every))) / every
        of_all = spread * (1 / n + 1 / m) * (n + m) / (n + m - 1)
        return float(ratio(means[0] - means[1], np.sqrt(max(sum(errors), of_all))))
