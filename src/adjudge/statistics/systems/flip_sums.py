"""What each of several systems fixes and breaks beside one of them, where rows weigh differently or belong together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Self

import numpy as np

from adjudge.data.judgements.unit_losses import Losing, UnitLosses, as_losses
from adjudge.data.reading import Units
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.systems.counted_flips import FLIPS, CountedFlips, flip_columns, flip_names
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class DrawnSums(LinearSums):
    """Sums whose units are not kept, but were drawn: what a unit adds varies in the draws as much as it is squared.

    A unit's multiplicity has variance 1, so Σ u² is the variance of the drawn sums of u.
    """

    replicates: Array = field(kw_only=True)  # (replicates, D)

    def squared(self, values: Mapping[str, float]) -> Array:
        """The sum over units of the square of what a unit adds to a combination of totals."""
        factors = np.array([values.get(name, 0.0) for name in self.names])
        return np.asarray((self.replicates @ factors).var())


@dataclass(frozen=True)
class FlipSums(CountedFlips[Units, tuple[Losing, int, bool]]):
    """The weight of units that both systems do well, only this one, only the first, neither, and differently.

    The pilot is what turns judgements into losses, the place of the system that flips are counted from, and whether a
    unit is right or wrong; otherwise it is done as well, better or worse, and never by neither.

    Laws: those of `LinearSums`.

    >>> losses = UnitLosses(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 2], [2, 1], [1, 2]]))
    >>> sums = FlipSums.collect(losses, Weights(3, np.array([1.0, 2.0, 1.0])), (lambda one: one, 0, True))
    >>> sums.flips(1).totals.tolist()
    [0.0, 2.0, 2.0, 0.0, 4.0]
    """

    @classmethod
    def summing(cls, judgements: Units, pilot: tuple[Losing, int, bool] | None = None) -> Callable[[Weights], FlipSums]:
        """What turns weights into sums of these units."""
        losing, kept, right_or_wrong = pilot or (None, 0, True)
        losses = as_losses(judgements) if losing is None else losing(judgements)
        names, values = _values(losses, kept, right_or_wrong)

        def sums(weights: Weights) -> FlipSums:
            linear = LinearSums.collect(names, values, weights, losses.together)
            return cls(linear, float(len(values) if weights.case is None else (weights.case**2).sum()), kept)

        return sums

    def flips(self, place: int, draws: Self | None = None) -> LinearSums:
        """What became of units from the first system to another; with draws, how that varies with what was drawn."""
        kept = super().flips(place)
        if draws is None:
            return kept
        totals = draws.flips(place).totals
        total = totals[:, : len(FLIPS) - 1].sum(axis=1)
        units = max(round(float(np.nan_to_num(ratio(total.mean() ** 2, total.var())))), 1)
        return DrawnSums(FLIPS, kept.totals, kept.products, None, kept.rows, units, replicates=totals)

    @property
    def total(self) -> Array:
        """The weight of all units, (…)."""
        return np.asarray(self.sums.totals[..., : len(FLIPS) - 1].sum(axis=-1))


def _values(losses: UnitLosses, kept: int, right_or_wrong: bool) -> tuple[list[str], Array]:
    """What each unit adds to each sum."""
    places = range(losses.losses.shape[1])
    columns = [flip_columns(losses.losses, losses.answers, kept, place, right_or_wrong) for place in places]
    return [name for place in places for name in flip_names(place)], np.stack([*chain(*columns)], axis=1)
