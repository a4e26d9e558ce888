"""Where the sums run: one pass over the rows for the union of all statistics, no metric in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.data.columns import Columns
from adjudge.data.labels import ordered
from adjudge.data.prepare import Preparation
from adjudge.data.source import Source
from adjudge.statistics.base import Array
from adjudge.statistics.curve import Curves
from adjudge.statistics.weights import Draws, Weights

SliceKey = tuple[str, str]
WHOLE: SliceKey = ("", "")
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One statistic of one system."""

    statistic: type[Any]
    system: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What to sum: which statistics, over which slices, and which of them under explicit draws.

    Statistics without explicit draws draw their replicates on their cells, after the pass.
    """

    wanted: tuple[Wanted, ...]
    draws: tuple[tuple[Draws, tuple[Wanted, ...]], ...] = ()
    slice_names: tuple[str, ...] = ()
    cells: int = 256
    cuts: tuple[float, ...] = ()

    @property
    def by_rows(self) -> tuple[Wanted, ...]:
        """The statistics that are also summed under explicit draws."""
        return tuple(dict.fromkeys(wanted for _, under in self.draws for wanted in under))


@dataclass(frozen=True, slots=True)
class Collected:
    """The sums of some rows. Adds like the statistics in it."""

    read: int = 0
    rows: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    statistics: dict[tuple[SliceKey, Wanted], Any] = field(default_factory=dict)
    replicates: dict[tuple[SliceKey, Wanted, str], Any] = field(default_factory=dict)

    def __add__(self, other: Collected) -> Collected:
        return Collected(
            self.read + other.read,
            self.rows + other.rows,
            _merged(self.left_out, other.left_out),
            ordered({*self.labels, *other.labels}),
            _merged(self.statistics, other.statistics),
            _merged(self.replicates, other.replicates),
        )

    def slices(self) -> list[SliceKey]:
        """Every slice that has rows, the whole first, levels in their natural order."""
        columns: dict[str, list[str]] = {}
        for (column, level), _ in self.statistics:
            columns.setdefault(column, []).append(level)
        return [(column, level) for column, levels in columns.items() for level in ordered(levels)]


class Engine(Protocol):
    """Where the sums run."""

    name: str

    def collect(self, source: Source, preparation: Preparation, plan: Plan, progress: Progress) -> Collected:
        """All sums of the plan, in one pass over the source."""


def fold(source: Source, preparation: Preparation, plan: Plan, progress: Progress, rows_in_a_block: int) -> Collected:
    """Block by block, in the order of the table: `state = state + block`."""
    state, grids = Collected(), None
    for columns in preparation.blocks(source, rows_in_a_block):
        if grids is None:
            grids = grids_of(columns, plan)
        state = state + collect_block(columns, plan, grids)
        progress(columns.read)
    return state


def grids_of(columns: Columns, plan: Plan) -> dict[Wanted, tuple[Array, ...]]:
    """The cells in which curves are replicated row by row: from the first rows, alike on every engine."""
    first = np.arange(min(columns.rows, PILOT_ROWS))
    grids = {}
    for wanted in plan.by_rows:
        if wanted.statistic is Curves:
            pilot = Curves.collect(columns.systems[wanted.system].of_rows(first), Weights(len(first)))
            grids[wanted] = tuple(curve.grid(plan.cells, plan.cuts) for curve in pilot.curves)
    return grids


PILOT_ROWS = 131_072


def collect_block(columns: Columns, plan: Plan, grids: dict[Wanted, tuple[Array, ...]]) -> Collected:
    """All sums of one block of rows."""
    views = list(_views(columns, plan.slice_names))
    plain = Weights(columns.rows, columns.weight)
    statistics = {
        (key, wanted): wanted.statistic.collect(columns.systems[wanted.system].of_rows(rows), plain.of_rows(rows))
        for key, rows in views
        for wanted in plan.wanted
    }
    labels = columns.systems[0].labels
    replicates = _replicates(columns, plan, grids, views)
    return Collected(columns.read, columns.rows, columns.left_out, labels, statistics, replicates)


def _replicates(
    columns: Columns,
    plan: Plan,
    grids: dict[Wanted, tuple[Array, ...]],
    views: list[tuple[SliceKey, NDArray[np.int64]]],
) -> dict[tuple[SliceKey, Wanted, str], Any]:
    summing = {
        (key, wanted): wanted.statistic.summing(columns.systems[wanted.system].of_rows(rows), grids.get(wanted, ()))
        for key, rows in views
        for wanted in plan.by_rows
    }
    made: dict[tuple[SliceKey, Wanted, str], Any] = {}
    for draws, under in plan.draws:
        tiles: dict[tuple[SliceKey, Wanted], list[Any]] = {(key, wanted): [] for key, _ in views for wanted in under}
        for weights in draws.tiles(columns.keys, columns.weight):
            for key, rows in views:
                part = weights if key == WHOLE else weights.of_rows(rows)
                for wanted in under:
                    tiles[key, wanted].append(summing[key, wanted](part))
        for (key, wanted), parts in tiles.items():
            made[key, wanted, draws.kind] = wanted.statistic.stacked(parts)
    return made


def _views(columns: Columns, names: tuple[str, ...]) -> Iterator[tuple[SliceKey, NDArray[np.int64]]]:
    """The rows of the whole and of each slice."""
    yield WHOLE, np.arange(columns.rows)
    for name, levels in zip(names, columns.slices, strict=True):
        order = np.argsort(levels.codes, kind="stable")
        ends = np.cumsum(np.bincount(levels.codes, minlength=len(levels.categories)))
        for level, start, end in zip(levels.categories, [0, *ends[:-1]], ends, strict=True):
            yield (name, level), order[start:end]


def _merged(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: a[key] + b[key] if key in a and key in b else a.get(key, b.get(key)) for key in {**a, **b}}
