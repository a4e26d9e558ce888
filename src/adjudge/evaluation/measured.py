"""From sums to what can be measured: the statistics of a view in a slice, with their replicates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudge.engines.base import WHOLE, Collected, SliceKey, Tally
from adjudge.evaluation.declaration import Basis, View
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import slice_name
from adjudge.inference.resampling import (
    JACKKNIFE_GROUPS,
    Bootstrap,
    Replicates,
    Together,
    clusters_drawn,
    drawn_by_rows,
    tile_size,
)
from adjudge.inference.weighted_cells import weighed
from adjudge.statistics.base import Array
from adjudge.statistics.weights import Draws


def row_draws(settings: Bootstrap) -> str:
    """The kind of weights drawn row by row."""
    return "bayesian" if settings.kind == "bayesian" else "poisson"


def draws_of(tallies: Sequence[Tally], settings: Bootstrap) -> tuple[tuple[Draws, tuple[Tally, ...]], ...]:
    """Which tallies are summed under which explicit draws."""
    by_rows = tuple(tally for tally in tallies if tally.by_rows)
    kinds = [(row_draws(settings), by_rows)]
    if row_draws(settings) != "bayesian":
        kinds.append(("bayesian", tuple(tally for tally in by_rows if tally.smooth)))
    draws = [(Draws(kind, settings.replicates, settings.seed), under) for kind, under in kinds]
    if settings.kind == "bca":
        draws.append((Draws("jackknife", JACKKNIFE_GROUPS, settings.seed), by_rows))
    return tuple((draw, under) for draw, under in draws if under)


@dataclass(frozen=True)
class Measures:
    """Every view of the sums, slice by slice. Views of the same sums share what is drawn of them."""

    request: Request
    collected: Collected
    drawn: dict[tuple[SliceKey, Tally, str, str], list[Any]] = field(default_factory=dict)

    def of(self, view: View, key: SliceKey) -> Measured:
        """One view in one slice."""
        bases = [(basis, self._value(basis, key)) for basis in view.bases if (key, basis.tally) in self.collected.sums]
        statistics: Together = {}
        for basis, value in bases:
            statistics |= basis.derive(value)
        usual = (row_draws(self.request.bootstrap), self.request.bootstrap.weights)

        def replicates(name: str, kinds: tuple[str, str]) -> tuple[Replicates, ...]:
            offered = [(basis, value) for basis, value in bases if name in basis.replicates]
            return tuple(self._replicates(basis, value, key, kinds) for basis, value in offered)

        return Measured(
            system=view.name,
            slice=slice_name(key),
            rows=bases[0][1].rows if bases else 0,
            statistics=statistics,
            bootstrap=replicates("bootstrap", usual),
            bayesian=replicates("bayesian", ("bayesian", "bayesian")),
            positive=view.positive,
            notes=view.notes(statistics),
            refused=dict(view.refused),
            clustered=self.request.study.clustered,
        )

    def forget(self) -> None:
        """Drop what was drawn: the next slice has its own."""
        self.drawn.clear()

    def _value(self, basis: Basis, key: SliceKey) -> Any:
        """The sums of a basis, as the view sees them."""
        sums = self.collected.sums
        value = sums[key, basis.tally]
        if key != WHOLE and (WHOLE, basis.tally) in sums:

            def others() -> list[Any]:
                return [v for (k, t), v in sums.items() if t == basis.tally and k[0] == key[0] and k != key]

            value = value.in_whole(sums[WHOLE, basis.tally], others)
        return value if basis.project is None else basis.project(value)

    def _replicates(self, basis: Basis, value: Any, key: SliceKey, kinds: tuple[str, str]) -> Replicates:
        row_kind, cell_kind = kinds
        draws = self._explicit(basis, key, row_kind)
        if draws is None:
            return self._on_cells(basis, value, key, cell_kind)
        settings, base = self.request.bootstrap, value.in_cells_of(draws)
        units = clusters_drawn(draws) if self.request.study.clustered else None
        units = None if units is None or math.isnan(units) else units
        draws = base.with_draws(draws)
        if row_kind == "bayesian":
            draws = draws.smoothed(value, settings.seed, _stream(basis, key))
        jackknife = self._explicit(basis, key, "jackknife")
        left_out = None if jackknife is None else base.with_draws(jackknife)
        return drawn_by_rows(base, draws, left_out, basis.derive, settings, units=units)

    def _explicit(self, basis: Basis, key: SliceKey, kind: str) -> Any:
        draws = self.collected.replicates.get((key, basis.tally, kind))
        return draws if draws is None or basis.project is None else basis.project(draws)

    def _on_cells(self, basis: Basis, value: Any, key: SliceKey, kind: str) -> Replicates:
        """Replicates drawn on the cells; a few are kept for the other views of the same sums."""
        base = value if basis.coarsen is None else basis.coarsen(value)
        cells, settings = weighed(base), self.request.bootstrap
        place = (key, basis.tally, basis.name, kind)

        def drawn() -> Iterator[Any]:
            size = tile_size(cells)
            for start in range(0, settings.replicates, size):
                count = min(size, settings.replicates - start)
                yield cells.resampled(kind, count, settings.seed, f"{_stream(basis, key)}/{kind}/{start}")

        def tiles() -> Iterator[Together]:
            shared = basis.project is None and tile_size(cells) >= settings.replicates
            if shared and place not in self.drawn:
                self.drawn[place] = list(drawn())
            return map(basis.derive, self.drawn[place] if shared else drawn())

        def left_out() -> tuple[Together, Array]:
            left, rows = cells.without_one()
            return basis.derive(left), rows

        return Replicates(tiles, basis.derive(base), left_out, units=base.drawn_units)


def _stream(basis: Basis, key: SliceKey) -> str:
    return f"{basis.name}/{key[0]}/{key[1]}"
