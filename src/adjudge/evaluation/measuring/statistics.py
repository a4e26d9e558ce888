"""From the sums of a pass to what metrics divide: the statistics of each view in each slice, with their replicates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from adjudge.data.cubes.bags import BAGS
from adjudge.engines.base import WHOLE, Collected, SliceKey, Tally
from adjudge.errors import SettingError
from adjudge.evaluation.declaration import Basis, View
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import slice_name
from adjudge.inference.resampling import (
    JACKKNIFE_GROUPS,
    SMOOTH,
    Bootstrap,
    Replicates,
    Together,
    clusters_drawn,
    drawn_by_rows,
    drawn_on_cells,
    drawn_tiles,
    tile_size,
)
from adjudge.inference.weighted_cells import weighed
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.weights import Draws

Value = TypeVar("Value")
# What is drawn together is summed at once: larger tiles than those that formulas are worked out on.
JOINT_CELLS = 2**22


def row_draws(settings: Bootstrap) -> str:
    """The kind of weights drawn row by row."""
    return "bayesian" if settings.kind == "bayesian" else "poisson"


def draws_of(
    tallies: Sequence[Tally], settings: Bootstrap, *, in_bags: bool = False
) -> tuple[tuple[Draws, tuple[Tally, ...]], ...]:
    """Which tallies are summed under which explicit draws; units in bags also without each bag."""
    by_rows = tuple(tally for tally in tallies if tally.by_rows)
    kinds = [(row_draws(settings), by_rows)]
    if row_draws(settings) != "bayesian":
        kinds.append(("bayesian", tuple(tally for tally in by_rows if tally.smooth)))
    draws = [(Draws(kind, settings.replicates, settings.seed), under) for kind, under in kinds]
    if settings.kind == "bca":
        draws.append((Draws("jackknife", JACKKNIFE_GROUPS, settings.seed), by_rows))
    if in_bags:
        draws.append((Draws("bags", BAGS, settings.seed), by_rows))
    return tuple((draw, under) for draw, under in draws if under)


@dataclass(frozen=True)
class ViewStatistics:
    """The statistics of any view in any slice. Views of the same sums share their replicates."""

    request: Request
    collected: Collected
    views: Sequence[View] = ()
    replicates_of: dict[tuple[SliceKey, Tally, str, str], list[object]] = field(default_factory=dict)
    together: dict[tuple[SliceKey, Tally, str], dict[Basis, list[AnyStatistic]]] = field(default_factory=dict)
    judged: dict[tuple[SliceKey, Tally], AnyStatistic] = field(
        default_factory=dict
    )  # sums of a slice, held against everybody's

    def of(self, view: View, key: SliceKey) -> Measured:
        """One view in one slice."""
        bases = [(basis, self._value(basis, key)) for basis in view.bases if (key, basis.tally) in self.collected.sums]
        derived = [basis.derive(value) for basis, value in bases]
        statistics: Together = {}
        for of_basis in derived:
            statistics |= of_basis
        kinds = (row_draws(self.request.bootstrap), self.request.bootstrap.weights)
        metrics = view.metrics_of(whole=key == WHOLE)
        smooth = {metric.over for metric in metrics if SMOOTH & {*metric.intervals}}
        every = [(*pair, of_basis) for pair, of_basis in zip(bases, derived, strict=True)]
        resampled = [one for one in every if "bootstrap" in one[0].replicates]
        smoothed = [one for one in every if smooth & one[2].keys() and "bayesian" in one[0].replicates]
        return Measured(
            system=view.name,
            slice=slice_name(key),
            rows=next(iter(statistics.values())).rows if statistics else 0,
            statistics=statistics,
            bootstrap=tuple(self._replicates(*one, key, kinds) for one in resampled),
            bayesian=tuple(self._replicates(*one, key, ("bayesian", "bayesian")) for one in smoothed),
            positive=view.positive,
            notes=view.notes(statistics),
            refused=dict(view.refused),
            clustered=self.request.study.clustered,
        )

    def find(self, view: View, key: SliceKey, statistic: type[Value]) -> Value | None:
        """One statistic of a view in a slice, None if there is none; nothing else is worked out, and nothing drawn."""
        bases = (basis for basis in view.bases if (key, basis.tally) in self.collected.sums)
        derived = (basis.derive(self._value(basis, key)) for basis in bases)
        return next((of_basis[statistic] for of_basis in derived if statistic in of_basis), None)

    def forget(self) -> None:
        """Drop what was drawn: the next slice has its own."""
        self.replicates_of.clear()
        self.together.clear()
        self.judged.clear()

    def _value(self, basis: Basis, key: SliceKey) -> AnyStatistic:
        """The sums of a basis, as the view sees them."""
        value = self._judged(basis.tally, key)
        return value if basis.project is None else basis.project(value)

    def _judged(self, tally: Tally, key: SliceKey) -> AnyStatistic:
        """The sums of a slice, as they are held against everybody's; worked out once for all views."""
        sums = self.collected.sums
        if key == WHOLE or (WHOLE, tally) not in sums:
            return sums[key, tally]

        def others() -> list[AnyStatistic]:
            return [v for (k, t), v in sums.items() if k[0] == key[0] and k != key and t == tally]

        if (key, tally) not in self.judged:
            self.judged[key, tally] = sums[key, tally].in_whole(sums[WHOLE, tally], others)
        return self.judged[key, tally]

    def _replicates(
        self, basis: Basis, value: AnyStatistic, derived: Together, key: SliceKey, kinds: tuple[str, str]
    ) -> Replicates:
        row_kind, cell_kind = kinds
        if basis.joint is not None:
            return self._jointly(basis, value, key, cell_kind)
        draws = self._explicit(basis, key, row_kind)
        if draws is None:
            return self._on_cells(basis, value, derived, key, cell_kind)
        settings, base = self.request.bootstrap, value.in_cells_of(draws)
        units = clusters_drawn(draws) if self.request.study.clustered else None
        units = None if units is None or math.isnan(units) else units
        draws = base.with_draws(draws)

        def smoothed(tile: AnyStatistic, start: int) -> AnyStatistic:
            """Prior mass falls into cells of its own in each replicate: in all of them at once it would fill them."""
            return tile.smoothed(value, settings.seed, _stream(basis, key) + (f"/{start}" if start else ""))

        jackknife = self._explicit(basis, key, "jackknife")
        left_out = None if jackknife is None else base.with_draws(jackknife)
        in_bags = self._explicit(basis, key, "bags")
        bags = None if in_bags is None else base.with_draws(in_bags)
        of_rows, smooth = ("rows", row_kind), smoothed if row_kind == "bayesian" else None
        given = (base, draws, left_out, basis.derive, settings)
        return drawn_by_rows(*given, units=units, source=of_rows, bags=bags, smooth=smooth)

    def _jointly(self, basis: Basis, value: AnyStatistic, key: SliceKey, kind: str) -> Replicates:
        """Replicates of all that is drawn together; this view's part of them."""
        assert basis.joint is not None
        tally, seed = basis.joint[0], self.request.bootstrap.seed
        base = value.in_cells_of(_part(basis, self.collected.sums[key, tally]))

        def tiles() -> Iterator[Together]:
            if (key, tally, kind) not in self.together:
                self.together[key, tally, kind] = self._replicates_together(key, tally, kind)
            for place, part in enumerate(self.together[key, tally, kind][basis]):
                draws = base.with_draws(part)
                if kind == "bayesian":
                    draws = draws.smoothed(value, seed, f"{_stream(basis, key)}/{place}")
                yield basis.derive(draws)

        def left_out() -> tuple[Together, Array]:
            raise SettingError("Replicates drawn together have none without one unit: rows must be drawn for that.")

        return Replicates(tiles, basis.derive(base), left_out, source=("together", tally, kind))

    def _replicates_together(self, key: SliceKey, tally: Tally, kind: str) -> dict[Basis, list[AnyStatistic]]:
        """The parts of all views, from one pass over the draws."""
        bases = [basis for view in self.views for basis in view.bases if basis.joint and basis.joint[0] == tally]
        joint, settings = self.collected.sums[key, tally], self.request.bootstrap
        parts: dict[Basis, list[AnyStatistic]] = {basis: [] for basis in bases}
        stream, size = f"{tally.statistic.__name__}/{key[0]}/{key[1]}", tile_size(joint, JOINT_CELLS)
        for draws in drawn_tiles(weighed(joint), kind, settings, stream, size):
            views = {
                of_view: of_view(draws) for of_view in dict.fromkeys(basis.joint[1] for basis in bases if basis.joint)
            }
            for basis in bases:
                assert basis.joint is not None
                part = views[basis.joint[1]]
                parts[basis].append(part if basis.project is None else basis.project(part))
        return parts

    def _explicit(self, basis: Basis, key: SliceKey, kind: str) -> AnyStatistic | None:
        draws = self.collected.replicates.get((key, basis.tally, kind))
        return draws if draws is None or basis.project is None else basis.project(draws)

    def _on_cells(self, basis: Basis, value: AnyStatistic, derived: Together, key: SliceKey, kind: str) -> Replicates:
        """Replicates drawn on the cells; a few are kept for the other views of the same sums."""
        base = value if basis.coarsen is None else basis.coarsen(value)
        cells, settings, stream = weighed(base), self.request.bootstrap, _stream(basis, key)
        whole = derived if base is value else basis.derive(base)
        replicates = drawn_on_cells(cells, basis.derive, kind, settings, stream, whole=whole, units=base.drawn_units)
        if basis.project is not None:
            return replicates
        place = (key, basis.tally, basis.name, kind)
        replicates = replace(replicates, source=place if basis.coarsen is None else None)

        def kept_tiles() -> Iterator[Together]:
            if place not in self.replicates_of:
                self.replicates_of[place] = list(drawn_tiles(cells, kind, settings, stream))
            return map(basis.derive, self.replicates_of[place])

        return replace(replicates, tiles=kept_tiles) if tile_size(cells) >= settings.replicates else replicates


def _part(basis: Basis, joint: AnyStatistic) -> AnyStatistic:
    """What a view sees of sums that several views share."""
    assert basis.joint is not None
    part: AnyStatistic = basis.joint[1](joint)
    return part if basis.project is None else basis.project(part)


def _stream(basis: Basis, key: SliceKey) -> str:
    return f"{basis.name}/{key[0]}/{key[1]}"
