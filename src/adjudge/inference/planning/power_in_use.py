"""What will be shown of failures, and of few labels that a judge helps with."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial

from adjudge.inference.planning.power import Aim, MeanOutlook

MOST_FAILURES = 5_000


@dataclass(frozen=True, slots=True)
class ExposureOutlook:
    """A mean time between failures, judged by the chi-square limits of a Poisson count; units are of exposure.

    With r failures in T, the lower limit 2T / χ²₁₋α(2r + 2) reaches a bound from T = bound · χ²₁₋α(2r + 2) / 2 on.

    >>> from adjudge.inference.planning.power import units_for
    >>> units_for(ExposureOutlook(math.inf), Aim(200.0), 0.8)
    600
    """

    truth: float
    method: str = "garwood"

    def exposure(self, failures: int, aim: Aim) -> float:
        """How long one must watch to pass with so many failures, or, at most a bound, may watch."""
        from scipy.special import chdtri

        freedom, tail = (2 * failures + 2, aim.alpha) if aim.at_least else (2 * failures, 1 - aim.alpha)
        return aim.bound * float(chdtri(freedom, tail)) / 2 if freedom else 0.0

    def passes(self, units: int, aim: Aim) -> float:
        """Summed over all numbers of failures that pass."""
        failures = 0
        if aim.at_least:
            while self.exposure(failures, aim) <= units:
                failures += 1
            return self._chance(failures - 1, units, aim) if failures else 0.0
        while self.exposure(failures, aim) < units:
            failures += 1
        return self._chance(failures - 1, units, aim)

    def _chance(self, failures: int, exposure: float, aim: Aim) -> float:
        """Of at most so many failures; of more, where the time between them is to be at most a bound."""
        from scipy.special import pdtr

        few = float(pdtr(failures, exposure / self.truth))
        return few if aim.at_least else 1 - few

    def from_then(self, aim: Aim, power: float) -> int | None:
        """Units after the last that have less power.

        Power rises where one more failure may pass, and falls until the next may; at most a bound, it falls where one
        more must be seen. Its lowest values rise, but for what whole units add: once the exposure itself has the power
        there, all that follow do.
        """
        since = max(1, math.ceil(self.exposure(0, aim)))
        for failures in range(MOST_FAILURES):
            chance = partial(self._chance, failures, aim=aim)
            ends = [self.exposure(one, aim) for one in (failures, failures + 1)]
            units = range(*(math.ceil(end) if aim.at_least else math.floor(end) + 1 for end in ends))
            if units and chance(units[-1 if aim.at_least else 0]) < power:
                since = units.stop if aim.at_least else units.start + bisect_left(units, power, key=chance)
            if chance(ends[1 if aim.at_least else 0]) >= power:
                return since
        return None

    def half_width(self, units: int, level: float) -> float:
        """Half of what the limits of the expected number of failures span."""
        from scipy.special import chdtri

        failures, error = units / self.truth, (1 - level) / 2
        if not failures >= 1:  # without any there is no upper limit
            return math.inf
        low, high = (2 * units / float(chdtri(*of)) for of in ((2 * failures + 2, error), (2 * failures, 1 - error)))
        return (high - low) / 2


@dataclass(frozen=True, slots=True)
class JudgedOutlook:
    """A mean of few labels that a judge of `judged` more rows helps with, by Student's t.

    σ² / n · (1 − ρ² N / (n + N)) is what PPI++ leaves of the variance with its best weight, ρ being the correlation of
    labels and judge, N the rows that only the judge sees.

    >>> from adjudge.inference.planning.power import units_for
    >>> [units_for(one, Aim(0.8), 0.8) for one in (JudgedOutlook(0.85, 0.36, 0.8, 2_000), MeanOutlook(0.85, 0.36))]
    [130, 322]
    """

    truth: float
    deviation: float
    correlation: float
    judged: float
    method: str = "judge_assisted"

    def _of(self, units: int) -> MeanOutlook:
        left = 1 - self.correlation**2 * self.judged / (units + self.judged)
        return MeanOutlook(self.truth, self.deviation * math.sqrt(max(left, 1e-12)))

    def passes(self, units: int, aim: Aim) -> float:
        """As a mean of labels that deviate less."""
        return self._of(units).passes(units, aim)

    def half_width(self, units: int, level: float) -> float:
        """Student's interval."""
        return self._of(units).half_width(units, level)
