"""From the sums of scores to what can be measured: every system in every slice, all under the same draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add

import numpy as np

from adjudge.data.columns import Array
from adjudge.engines.base import WHOLE, SliceKey
from adjudge.evaluation.assemble import slice_name
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.score_collect import Asked, Pilot, Responses, ScoreState
from adjudge.evaluation.score_ranks import ranked, ranks_by_person
from adjudge.inference.resampling import Bootstrap, Replicates, Together, drawn_on_cells
from adjudge.statistics.base import ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.score_features import of_rest
from adjudge.statistics.score_sums import ScoreSums, rater_sums, system_sums
from adjudge.statistics.score_table import ScoreTable
from adjudge.statistics.weights import Weights

# Fewer other responses than this are drawn one by one; more are as good as normal.
FEW_OTHERS = 256


@dataclass(frozen=True)
class Measures:
    """Sums and replicates of the responses in each slice. `kept` are the responses themselves, when in memory."""

    asked: Asked
    state: ScoreState
    pilot: Pilot
    kept: tuple[Responses, ...]
    settings: Bootstrap
    weighted: bool = False
    by_person: bool = False

    def of_part(self, key: SliceKey) -> Iterator[Measured]:
        """Every system, and every two raters, in one slice."""
        centres, sums, rest = self.pilot.centres, self.state.parts[key].sums[""], self._rest(key, "")
        drawn = _Drawn(sums, rest, self.settings, slice_name(key))
        for system in self.asked.forms:
            yield self._measured(system, key, system_sums(system, sums, centres, rest), drawn)
        for name in self.pairs:
            if len(self.asked.raters) > 2:
                sums, rest = self.state.parts[key].sums[name], self._rest(key, name)
                drawn = _Drawn(sums, rest, self.settings, f"{slice_name(key)}/{name}")
            yield self._measured(name, key, rater_sums(name, sums, centres, rest), drawn)

    @cached_property
    def pairs(self) -> list[str]:
        """Every two raters who scored a response in common."""
        return [name for name in self.asked.pairs if self.state.whole.tables[name].rows]

    def table(self, system: str, key: SliceKey = WHOLE) -> ScoreTable | None:
        """How often each point met each other, over all points that the system and its reference have anywhere."""
        whole = self.state.whole.tables.get(system)
        if whole is None or whole.crowded:
            return None
        return self.state.parts[key].tables[system].spanning(whole.low, whole.size)

    def _rest(self, key: SliceKey, name: str) -> LinearSums | None:
        """The other responses, so that the slice can be judged against everybody."""
        part = self.state.parts[key]
        if key == WHOLE or part.rests:
            return part.rests.get(name)
        needed = of_rest(self.asked.forms if name == "" else ())
        whole, mine = self.state.whole.sums[name], part.sums[name]
        others = whole.rows - mine.rows
        if others == 0:
            return None
        if others > FEW_OTHERS:
            return whole.only(needed).without(mine.only(needed))
        levels = [p for other, p in self.state.parts.items() if other[0] == key[0] and other != key]
        return reduce(add, (part.sums[name].only(needed) for part in levels))

    def _measured(self, system: str, key: SliceKey, sums: ScoreSums, drawn: _Drawn) -> Measured:
        statistics: Together = {ScoreSums: sums, NumberPairs: sums.numbers}
        groups, smooth = [drawn.replicates(sums)], []
        table, stream = self.table(system, key), f"{system}/{slice_name(key)}"
        if table is not None and table.counts.any():
            statistics[Confusion] = table.confusion(self.asked.step)
            groups.append(self._table_replicates(system, key, statistics[Confusion], stream))
            if not self.by_person:
                smooth.append(self._on_cells(statistics[Confusion], "bayesian", stream))
        if key == WHOLE and system.endswith("_trim") and system in self.asked.forms and self.kept:
            first, second = (np.concatenate(of) for of in zip(*(r.two_scores(system) for r in self.kept), strict=True))
            statistics[RatingVectors] = ranked(first, second, self._weights)
            if self.by_person:
                groups.append(ranks_by_person(first, second, self._weights, self._keys, self.settings))
        return Measured(
            system=system,
            slice=slice_name(key),
            rows=self.state.parts[key].rows
            if system in self.asked.forms
            else self.state.parts[key].tables[system].rows,
            statistics=statistics,
            bootstrap=tuple(groups),
            bayesian=tuple(smooth),
            positive=None,
            notes={},
            refused={},
            clustered=self.by_person,
        )

    @property
    def _weights(self) -> Weights:
        cases = [r.scored.weight for r in self.kept if r.scored.weight is not None]
        return Weights(sum(len(r.scored) for r in self.kept), np.concatenate(cases) if cases else None)

    @property
    def _keys(self) -> np.ndarray:
        return np.concatenate([r.scored.candidates for r in self.kept if r.scored.candidates is not None])

    def _on_cells(self, table: Confusion, kind: str, stream: str) -> Replicates:
        """Drawn on its cells, as independent responses may be."""
        if not self.weighted:
            return drawn_on_cells(table, _only_table, kind, self.settings, f"table/{stream}")
        plain, derive = in_effective_rows(table)
        kind = "poisson" if kind == "multinomial" else kind
        return drawn_on_cells(plain, derive, kind, self.settings, f"table/{stream}")

    def _table_replicates(self, system: str, key: SliceKey, table: Confusion, stream: str) -> Replicates:
        """Drawn on its cells, or person by person."""
        if not self.by_person:
            return self._on_cells(table, self.settings.weights, stream)
        (responses,) = self.kept
        first, second, rows = responses.two_in_steps(system, responses.rows_of(key))
        size, low = len(table.categories), self.state.whole.tables[system].low
        cells = ((first - low) * size + (second - low)).astype(np.int64)
        one_hot = np.zeros((len(cells), size**2))
        one_hot[np.arange(len(cells)), cells] = 1.0
        names = tuple(str(cell) for cell in range(size**2))
        sums = LinearSums.collect(names, one_hot, self._weights.of_rows(rows), self._keys[rows])

        def derived(found: LinearSums) -> Together:
            counts = np.maximum(found.totals, 0.0).reshape(*found.totals.shape[:-1], size, size)
            return {Confusion: replace(table, counts=counts)}

        people = float(ratio(sums.totals.sum() ** 2, sums.products.sum()))
        return drawn_on_cells(sums, derived, self.settings.weights, self.settings, f"table/{stream}", units=people)


def in_effective_rows(table: Confusion) -> tuple[Confusion, Callable[[Confusion], Together]]:
    """A table of weighted rows as one of equally weighty ones, cell by cell, and the way back.

    A cell of weights w counts as (Σ w)² / Σ w² rows of Σ w² / Σ w each: drawn independently, its total has the mean and
    the variance that it has when its rows are drawn.
    """
    typical = float(np.nan_to_num(ratio(table.squares.sum(), table.counts.sum()), nan=1.0))
    one: Array = np.where(table.counts > 0, ratio(table.squares, table.counts), typical)
    plain = replace(table, counts=table.counts / one)

    def back(drawn: Confusion) -> Together:
        return {Confusion: replace(drawn, counts=drawn.counts * one)}

    return plain, back


@dataclass(frozen=True)
class _Drawn:
    """Replicates of one slice's sums, drawn once for all systems."""

    sums: LinearSums
    rest: LinearSums | None
    settings: Bootstrap
    stream: str

    @cached_property
    def drawn(self) -> tuple[LinearSums, LinearSums | None]:
        """The slice's replicates and the rest's."""
        how = (self.settings.weights, self.settings.replicates, self.settings.seed)
        rest = None if self.rest is None else self.rest.resampled(*how, f"scores/{self.stream}/rest")
        return self.sums.resampled(*how, f"scores/{self.stream}"), rest

    def replicates(self, sums: ScoreSums) -> Replicates:
        """One system's view of them."""

        def tiles() -> Iterator[Together]:
            totals, others = self.drawn
            rest = None if sums.rest is None or others is None else replace(sums.rest, sums=others)
            drawn = replace(sums, sums=totals, rest=rest)
            yield {ScoreSums: drawn, NumberPairs: drawn.numbers}

        def left_out() -> tuple[Together, Array]:
            left, rows = sums.without_one()
            return {ScoreSums: left, NumberPairs: left.numbers}, rows

        return Replicates(tiles, {ScoreSums: sums, NumberPairs: sums.numbers}, left_out)


def _only_table(table: Confusion) -> Together:
    return {Confusion: table}
