"""Levels of one column judged at once: limits that hold for all of them, where the same units may be in several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from adjudge.data.keys import Keys
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.many.multiplicity import level_together, max_t
from adjudge.statistics.base import Array, steady_product
from adjudge.statistics.cells import generator

DRAWS = 10_000
LEAST_P = 1e-15  # as far as normal quantiles are told


@dataclass(frozen=True, slots=True)
class LevelMean:
    """The mean of some values in one level: what each unit adds to it, and how many rows are behind it.

    `parts` is what each unit has more than the mean would give its rows, `weight` that of all rows. No two
    rows are further apart than 1. `keys` name the units where they may have rows in other levels, too.
    """

    value: float
    parts: Array
    weight: float
    rows: float
    keys: Keys | None = None

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.parts)

    @property
    def error(self) -> float:
        """The standard error by unit, guarded by two imagined rows that are as far off as can be."""
        g, guard = self.units, 2 * (self.weight / self.units) ** 2 * self.units / self.rows
        variance = g**2 / ((g + 1) * (g + 2)) * (float(self.parts @ self.parts) + guard)
        return float(np.sqrt(variance)) / self.weight

    @property
    def p(self) -> float:
        """How likely a mean as far from 0 is where it is 0: Student's."""
        from scipy.special import stdtr

        return float(2 * stdtr(self.units - 1, -abs(self.value) / self.error))


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Limits of every level that hold for all at once, and p-values that pay for all."""

    limits: list[tuple[float, float]]
    p: Array


def levels_at_once(levels: Sequence[LevelMean], level: float, seed: int, stream: str) -> AtOnce:
    """Step-down max-T (Westfall and Young 1993): units are drawn with normal multipliers, in all their levels together.

    Two levels of the same units move together, so that less is paid than for as many levels of different ones.

    >>> apart = LevelMean(-0.2, np.tile([-0.7, 0.3], 20), 40.0, 40.0)
    >>> same = LevelMean(-0.2, np.tile([-0.7, 0.3], 20), 40.0, 40.0, np.arange(40, dtype=np.uint64))
    >>> [levels_at_once([one, one], 0.95, 1, "doctest").p.round(2).tolist() for one in (apart, same)]
    [[0.06, 0.06], [0.03, 0.03]]
    """
    draws = _standardised(levels, generator(seed, stream))
    single = np.clip([one.p for one in levels], LEAST_P, 1.0)
    distance = np.array([-NormalDist().inv_cdf(p / 2) for p in single])
    together = level_together(draws, level)
    reaches = [student_quantile(together, one.units - 1) * one.error for one in levels]
    limits = [(one.value - reach, one.value + reach) for one, reach in zip(levels, reaches, strict=True)]
    return AtOnce(limits, np.maximum(max_t(distance, draws, np.ones(len(levels))).p, single))


def _standardised(levels: Sequence[LevelMean], random: np.random.Generator) -> Array:
    """Draws of every level's mean in standard errors, (draws, levels)."""
    if any(one.keys is None for one in levels):  # units of their own
        return random.standard_normal((DRAWS, len(levels)))
    keys = np.unique(np.concatenate([one.keys for one in levels if one.keys is not None]))
    parts = np.zeros((len(keys), len(levels)))
    for place, one in enumerate(levels):
        assert one.keys is not None
        parts[np.searchsorted(keys, one.keys), place] = one.parts
    sizes = np.sqrt((parts**2).sum(0))
    standard = np.divide(parts, sizes, out=np.zeros_like(parts), where=sizes > 0)
    draws = steady_product(random.standard_normal((DRAWS, len(keys))), standard)
    draws[:, sizes == 0] = random.standard_normal((DRAWS, int((sizes == 0).sum())))
    return draws
