"""Several systems on the same units: on how many one fares better than another, and the first of them by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.data.judgements.unit_losses import Losing, UnitLosses, as_losses
from adjudge.data.reading import Units
from adjudge.statistics.base import Array, Codes, check_same_pilot
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights

MOST_FLIPS = 20


class Changed(NamedTuple):
    """A unit on which two systems fare differently: what the first of them said, and the second."""

    name: str
    reference: str
    before: str
    after: str


@dataclass(frozen=True)
class PairedUnits(Undrawn[Units, tuple[Losing, int]]):
    """How many units each system does without loss, better than each other, and differently; whatever they weigh.

    The pilot is what turns judgements into what each unit cost, and the place of the system whose flips are kept.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.
    """

    groups: tuple[str, ...]
    units: Array  # (groups,)
    flawless: Array  # (groups, systems), without loss
    better: Array  # (groups, systems, systems): the first loses less than the second
    differing: Array  # (systems, systems)
    fixed: tuple[tuple[Changed, ...], ...]  # by system: done better than the system whose flips are kept
    broken: tuple[tuple[Changed, ...], ...]
    rows: int
    kept: int  # the place of that system

    is_of_cells = True

    @classmethod
    def summing(cls, judgements: Units, pilot: tuple[Losing, int] | None = None) -> Callable[[Weights], Self]:
        """Counted once: weights change nothing."""
        losses, kept = (as_losses(judgements), 0) if pilot is None else (pilot[0](judgements), pilot[1])
        return partial(cls._counted, losses, kept)

    @classmethod
    def _counted(cls, unit_losses: UnitLosses, kept: int, weights: Weights) -> Self:
        losses, size = unit_losses.losses, unit_losses.losses.shape[1]
        groups = ("",) if unit_losses.groups is None else unit_losses.groups.categories
        codes = np.zeros(len(losses), dtype=np.int64) if unit_losses.groups is None else unit_losses.groups.codes

        def by_group(hits: NDArray[np.bool_] | Array) -> Array:
            amounts = hits if weights.times is None else hits * weights.times
            return np.bincount(codes, weights=amounts, minlength=len(groups)).astype(np.float64)

        better, differing = np.zeros((len(groups), size, size)), np.zeros((size, size))
        for one in range(size):
            for two in range(one + 1, size):
                better[:, one, two] = by_group(losses[:, one] < losses[:, two])
                better[:, two, one] = by_group(losses[:, two] < losses[:, one])
                differ = unit_losses.answers[:, one] != unit_losses.answers[:, two]
                differing[one, two] = differing[two, one] = by_group(differ).sum()
        flawless = np.stack([by_group(losses[:, system] == 0) for system in range(size)], axis=1)
        changed = [_changed(unit_losses, kept, system) for system in range(size)]
        fixed, broken = (tuple(one[side] for one in changed) for side in (0, 1))
        return cls(
            groups, by_group(np.ones(len(losses))), flawless, better, differing, fixed, broken, weights.rows, kept
        )

    def __add__(self, other: Self) -> Self:
        check_same_pilot("The system whose flips are kept", self.kept, other.kept)
        groups = ordered_labels({*self.groups, *other.groups})
        one, two = self._over(groups), other._over(groups)
        return replace(
            one,
            units=one.units + two.units,
            flawless=one.flawless + two.flawless,
            better=one.better + two.better,
            differing=one.differing + two.differing,
            fixed=tuple(_first(a + b) for a, b in zip(one.fixed, two.fixed, strict=True)),
            broken=tuple(_first(a + b) for a, b in zip(one.broken, two.broken, strict=True)),
            rows=one.rows + two.rows,
        )

    def _over(self, groups: tuple[str, ...]) -> Self:
        """The same over more groups."""
        if groups == self.groups:
            return self
        place = positions(self.groups, groups)

        def wider(values: Array) -> Array:
            all_groups = np.zeros((len(groups), *values.shape[1:]))
            all_groups[place] = values
            return all_groups

        return replace(
            self, groups=groups, units=wider(self.units), flawless=wider(self.flawless), better=wider(self.better)
        )

    def scaled(self, unit: float) -> Self:
        """The same: units are counted, not weighed."""
        return self

    def shares(self, one: int, two: int, group: str | None = None) -> tuple[float, float, float, float]:
        """How many units both do without loss, only the first, only the second, and neither; of one group or all."""
        places = slice(None) if group is None else [self.groups.index(group)] if group in self.groups else []
        units, flawless = float(self.units[places].sum()), self.flawless[places].sum(axis=0)
        only_one, only_two = (float(self.better[places, i, j].sum()) for i, j in ((one, two), (two, one)))
        both = float(flawless[one]) - only_one
        return both, only_one, only_two, units - both - only_one - only_two

    def outcome(self, one: int, two: int) -> tuple[int, int, int]:
        """On how many units the first fares better than the second, the same, and worse."""
        wins, losses = (round(float(self.better[:, i, j].sum())) for i, j in ((one, two), (two, one)))
        return wins, round(float(self.units.sum())) - wins - losses, losses


def _changed(losses: UnitLosses, kept: int, system: int) -> tuple[tuple[Changed, ...], tuple[Changed, ...]]:
    """The first units by name that a system does better, and worse, than the one whose flips are kept."""
    if losses.names is None or system == kept:
        return (), ()
    ours, theirs = losses.losses[:, system], losses.losses[:, kept]
    names = [losses.names.categories[code] for code in losses.names.codes.tolist()]

    def first(units: Codes) -> tuple[Changed, ...]:
        chosen = sorted(units.tolist(), key=lambda unit: _order(names[unit]))[:MOST_FLIPS]
        return tuple(
            Changed(names[u], losses.label_of(u, -1), losses.label_of(u, kept), losses.label_of(u, system))
            for u in chosen
        )

    return first(np.flatnonzero(ours < theirs)), first(np.flatnonzero(ours > theirs))


def _order(name: str) -> tuple[int, str]:
    """Shorter names first, so that numbers come in their order."""
    return len(name), name


def _first(changed: tuple[Changed, ...]) -> tuple[Changed, ...]:
    return tuple(sorted(changed, key=lambda one: (*_order(one.name), one))[:MOST_FLIPS])
