"""Replicates of one statistic: on its cells where they hold whole units, and otherwise of the units themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from adjudge.data.keys import keys_of_rows
from adjudge.errors import SettingError
from adjudge.inference.resampling import JACKKNIFE_GROUPS, Bootstrap, Replicates, Together, drawn_on_cells
from adjudge.inference.weighted_cells import weighed
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Draws, Weights

# Cells in which replicates of a curve are drawn when there are many more distinct scores, and a score kept apart.
CELLS = 256
CUTS = (0.5,)


@dataclass(frozen=True, slots=True)
class UnitsToDraw:
    """The units behind a statistic: how many, what turns their weights into it in given cells, and case weights."""

    summing: Callable[[tuple[Array, ...] | None], tuple[int, Callable[[Weights], AnyStatistic]]]
    case: Array | None = None


def replicates_of(
    statistic: AnyStatistic, units: UnitsToDraw | None, kind: str, settings: Bootstrap, stream: str = "units"
) -> Replicates:
    """Replicates under multinomial, poisson or bayesian weights."""
    base, over = statistic, type(statistic)
    pilot: tuple[Array, ...] | None = None
    if isinstance(statistic, Curves):
        pilot = tuple(curve.grid(CELLS, CUTS) for curve in statistic.curves)
        base = statistic.onto(pilot)
    if _cells_hold_units(statistic):
        cells = weighed(base)
        return drawn_on_cells(
            cells,
            lambda value: {over: value},
            kind,
            settings,
            stream,
            whole={over: base},
            units=getattr(base, "drawn_units", None),
        )

    def sums_under(draws: Draws) -> Iterator[AnyStatistic]:
        if units is None:
            raise SettingError("Replicates of scores of several categories, or with weights, need the rows themselves.")
        rows, sums = units.summing(pilot)
        for weights in draws.tiles(keys_of_rows(0, rows), units.case):
            yield base.with_draws(sums(weights))

    def tiles() -> Iterator[Together]:
        drawn_as = "bayesian" if kind == "bayesian" else "poisson"
        return ({over: sums} for sums in sums_under(Draws(drawn_as, settings.replicates, settings.seed)))

    def left_out() -> tuple[Together, Array]:
        groups = Draws("jackknife", JACKKNIFE_GROUPS, settings.seed)
        return {over: over.stacked(list(sums_under(groups)))}, np.ones(JACKKNIFE_GROUPS)

    return Replicates(tiles, {over: base}, left_out)


def _cells_hold_units(statistic: AnyStatistic) -> bool:
    """Whether a unit is in one cell: not in the curves of several categories, nor in mean losses."""
    return len(statistic.curves) == 1 if isinstance(statistic, Curves) else not isinstance(statistic, Losses)
