"""Where the sums run: one pass over the rows for the union of all statistics, no metric in sight.

Every engine walks the same tree: rows are cut into blocks by their number, blocks are added up in their order to spans
of sixteen, and spans in their order to the whole. So every engine gives the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import reduce
from itertools import groupby
from operator import add
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.adding import added_by_key
from adjudge.data.counting import counted_rows
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.keys import RowKeys
from adjudge.data.reading import Block, Place, Reading
from adjudge.data.source import Batch, Source
from adjudge.data.table_facts import Watched, table_facts
from adjudge.engines.crossing import Crossed
from adjudge.errors import SettingError, check_size
from adjudge.statistics.base import AnyStatistic, of_given_units
from adjudge.statistics.weights import Draws, Weights

SliceKey = tuple[str, str]  # a slice column and one of its levels
WHOLE: SliceKey = ("", "")
ANY_SLICE: SliceKey = ("any", "any")
SPAN_BLOCKS = 16
Progress = Callable[[str, int, int], None]  # what, how much more, of how much (0: unknown)
Summed = TypeVar("Summed", bound=AnyStatistic)

EVERYWHERE, WHOLE_ONLY, SLICES_ONLY = "everywhere", "whole only", "slices only"


@dataclass(frozen=True, slots=True)
class Tally:
    """One statistic of one view of the judgements, and how it is summed.

    What a block must know before it is summed is made once, from the first rows, and travels here: `pilot` for the
    sums themselves (the centres of scores), `grid` for replicates of rows (the cells of a curve). Sums carry both on.
    """

    view: str
    statistic: type[AnyStatistic]
    where: str = EVERYWHERE
    by_rows: bool = False  # replicates are drawn row by row, in the pass; otherwise on the cells, after it
    smooth: bool = False  # also under Bayesian weights, when drawn by rows
    holds_units: bool = False  # grows with the number of units: left out where the table is not at hand
    pilot: object = field(default=None, compare=False)
    slice_pilot: object = field(default=None, compare=False)  # for slices, where less is summed of them
    grid: object = field(default=None, compare=False)
    tells: tuple[Tally, ...] = field(default=(), compare=False)  # what follows from its sums once all are added

    def covers(self, key: SliceKey) -> bool:
        """Whether it is summed over this slice."""
        return self.where == EVERYWHERE or (self.where == WHOLE_ONLY) == (key == WHOLE)

    def told_by_slices(self, block: Block) -> bool:
        """Whether the levels of a slice add up to the whole, to the last bit: its rows are then not summed again."""
        plain = self.where == EVERYWHERE and self.slice_pilot is None
        return plain and (block.times is None or block.once) and self.statistic.adds_exactly and block.weight is None

    def pilot_of(self, key: SliceKey) -> object:
        """What is known before the whole, or a slice, is summed."""
        return self.pilot if key == WHOLE or self.slice_pilot is None else self.slice_pilot


@dataclass(frozen=True, slots=True)
class SumPlan:
    """What to sum in one pass: which statistics, over which slices, and which of them under which draws."""

    tallies: tuple[Tally, ...]
    slices: tuple[str, ...] = ()
    draws: tuple[tuple[Draws, tuple[Tally, ...]], ...] = ()
    watched: Watched | None = None  # which columns are looked at for mistakes

    @property
    def by_rows(self) -> tuple[Tally, ...]:
        """The statistics that are also summed under explicit draws."""
        return tuple(dict.fromkeys(tally for _, under in self.draws for tally in under))

    @property
    def of_cells(self) -> bool:
        """Whether rows that stand for several each tell all of it."""
        return not self.draws and all(tally.statistic.is_of_cells for tally in self.tallies)

    @property
    def replicate_count(self) -> int:
        """How many replicates each row is summed in."""
        return sum(draws.replicates for draws, _ in self.draws)

    def without_units(self) -> SumPlan:
        """The part that can be summed without holding the table."""
        return SumPlan(
            tuple(tally for tally in self.tallies if not tally.holds_units),
            self.slices,
            tuple((draws, tuple(t for t in under if not t.holds_units)) for draws, under in self.draws),
            self.watched,
        )


@dataclass(frozen=True, slots=True)
class Collected:
    """The facts and sums of some rows. Adds like the statistics in it."""

    facts: Facts = field(default_factory=Facts)
    sums: dict[tuple[SliceKey, Tally], AnyStatistic] = field(default_factory=dict)
    replicates: dict[tuple[SliceKey, Tally, str], AnyStatistic] = field(default_factory=dict)  # by kind of draws
    tallies: list[Tally] = field(
        default_factory=list, compare=False, repr=False
    )  # of the sums, once they were looked up

    def __add__(self, other: Collected) -> Collected:
        sums, replicates = added_by_key(self.sums, other.sums), added_by_key(self.replicates, other.replicates)
        return Collected(self.facts + other.facts, sums, replicates)

    def with_wholes(self) -> Collected:
        """The same with every whole that its slices tell, from the slice column that has the fewest levels."""
        missing = dict.fromkeys(t for _, t in self.sums if t.where == EVERYWHERE and (WHOLE, t) not in self.sums)
        if not missing:
            return self
        keys = [key for key in self.slices() if key != WHOLE]
        levels = Counter(column for column, _ in keys)
        fewest = min(levels, key=levels.__getitem__)
        wholes = {
            (WHOLE, tally): reduce(add, [self.sums[key, tally] for key in keys if key[0] == fewest])
            for tally in missing
        }
        return Collected(self.facts, wholes | self.sums, self.replicates)

    def with_told(self) -> Collected:
        """The same with what follows from other sums in their place."""
        if not any(tally.tells for _, tally in self.sums):
            return self
        sums: dict[tuple[SliceKey, Tally], AnyStatistic] = {}
        for (key, tally), value in self.sums.items():
            several = [(place, one) for place, one in enumerate(tally.tells) if one.covers(key)]
            sums |= {(key, one): value.derived(place, whole=key == WHOLE) for place, one in several}
            sums |= {} if tally.tells else {(key, tally): value}
        return Collected(self.facts, sums, self.replicates)

    def slices(self) -> list[SliceKey]:
        """Every slice that has rows, the whole first, levels in their natural order."""
        levels: dict[str, set[str]] = {}
        for (column, level), _ in self.sums:
            levels.setdefault(column, set()).add(level)
        return [(column, level) for column, names in levels.items() for level in ordered_labels(names)]

    def find(self, view: str, statistic: type[Summed], key: SliceKey = WHOLE) -> Summed | None:
        """The sums of a view; None if there are none."""
        if not self.tallies:  # of many slices, looking through all their sums for each would take longest
            self.tallies.extend(dict.fromkeys(tally for _, tally in self.sums))
        values = (self.sums.get((key, t)) for t in self.tallies if (t.view, t.statistic) == (view, statistic))
        return next((value for value in values if isinstance(value, statistic)), None)

    def sums_of(self, view: str, statistic: type[Summed], key: SliceKey = WHOLE) -> Summed:
        """The sums of a view, which there are."""
        sums = self.find(view, statistic, key)
        assert sums is not None, f"nothing was summed of {view}"
        return sums

    def replicates_of_view(self, view: str, statistic: type[Summed], key: SliceKey = WHOLE) -> Summed | None:
        """The replicates of a view that were summed under explicit weights; None if there are none."""
        named = ((k, t.view, t.statistic, kind) for k, t, kind in self.replicates)
        places = dict(zip(named, self.replicates.values(), strict=True))
        values = (places.get((key, view, statistic, kind)) for kind in ("poisson", "bayesian"))
        return next((value for value in values if isinstance(value, statistic)), None)

    def scaled(self, unit: float) -> Collected:
        """The same sums with all weights multiplied."""
        sums = {key: value.scaled(unit) for key, value in self.sums.items()}
        return Collected(self.facts, sums, {key: value.scaled(unit) for key, value in self.replicates.items()})


Planner = Callable[[Block], SumPlan]
Summing = dict[tuple[SliceKey, Tally], Callable[[Weights], AnyStatistic]]


class Engine(Protocol):
    """Where the sums run."""

    @property
    def name(self) -> str:
        """What reports call it."""

    @property
    def holds_table(self) -> bool:
        """Whether the units themselves may be kept, and rows that belong together may stand anywhere."""

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan that is made for the first rows, in one pass over the source."""


def no_progress(what: str, more: int, of: int) -> None:
    """Nobody is told."""


def sum_batch(
    batch: Batch, reading: Reading, place: Place, plan: SumPlan, progress: Progress = no_progress
) -> Collected:
    """All sums of one batch of rows; those that are alike are read once where nothing else tells them apart."""
    few = counted_rows(batch) if plan.of_cells and reading.countable else None
    block = reading.read(batch if few is None else few, place.first_row)
    return sum_block(looked_at(block, batch, plan, place, few), plan, progress)


def looked_at(block: Block, batch: Batch, plan: SumPlan, place: Place, counted: Batch | None = None) -> Block:
    """The same block, with what the columns of its batch tell of mistakes; `counted` is the batch by distinct rows."""
    if plan.watched is None:
        return block
    table = table_facts(batch, plan.watched, place.first_row, place.number, counted)
    return replace(block, facts=replace(block.facts, table=table))


def sum_block(block: Block, plan: SumPlan, progress: Progress = no_progress) -> Collected:
    """All sums of one block of rows; of a block without a complete row, its facts."""
    if not block.rows:
        return Collected(block.facts)
    weights = Weights(block.rows, block.weight) if block.times is None else _of_cells(block, plan)
    sums: dict[tuple[SliceKey, Tally], AnyStatistic] = {}
    for tally in plan.tallies:
        judgements, statistic = block.views[tally.view], of_given_units(tally.statistic)
        if tally.where != SLICES_ONLY and not (plan.slices and tally.told_by_slices(block)):
            sums[WHOLE, tally] = statistic.collect(judgements, weights, tally.pilot)
        if tally.where != WHOLE_ONLY:
            by = [(levels.codes, len(levels.categories)) for levels in block.slices]
            parts = statistic.collect_slices(judgements, weights, by, tally.pilot_of(ANY_SLICE))
            for name, levels, of_slice in zip(plan.slices, block.slices, parts, strict=True):
                named = zip(levels.categories, of_slice, strict=True)
                sums |= {((name, level), tally): part for level, part in named if part is not None}
    return Collected(block.facts, sums, _replicates(block, plan, progress))


def _of_cells(block: Block, plan: SumPlan) -> Weights:
    """What rows count that stand for several each; what they do not tell is refused, such as draws without bags."""
    is_drawn = plan.draws and isinstance(block.keys, RowKeys)
    if is_drawn or block.times is None or not all(tally.statistic.is_of_cells for tally in plan.tallies):
        raise SettingError(
            "Cells must tell what is asked, but they do not hold rows: draws row by row, a score for each label and "
            "metrics of your own need the table itself. Leave them out, or evaluate the table."
        )
    return Weights.standing_for(block.times, block.weight, block.squares)


def _replicates(block: Block, plan: SumPlan, progress: Progress) -> dict[tuple[SliceKey, Tally, str], AnyStatistic]:
    """The sums under explicit draws, a tile of draws at a time."""
    if not plan.draws:
        return {}
    parts = dict(_parts(block, plan.slices))
    crossed = Crossed.of(block, plan.slices)
    at_once = [tally for tally in plan.by_rows if crossed is not None and tally.statistic.draws_by_level]
    summing: Summing = {
        (key, tally): of_given_units(tally.statistic).summing(
            block.views[tally.view].of_rows(rows), tally.pilot_of(key) if tally.grid is None else tally.grid
        )
        for key, rows in parts.items()
        for tally in plan.by_rows
        if tally.covers(key) and (key == WHOLE or tally not in at_once)
    }
    replicates: dict[tuple[SliceKey, Tally, str], AnyStatistic] = {}
    case = block.times.astype(np.float64) if block.weight is None and block.times is not None else block.weight
    _check_replicates(block, plan, parts, summing, at_once)
    for draws, under in plan.draws:
        places = [(key, tally) for key in parts for tally in under if tally.covers(key)]
        tiles: dict[tuple[SliceKey, Tally], list[AnyStatistic]] = {place: [] for place in places}
        for weights in draws.tiles(np.asarray(block.keys), case):
            count = 0 if weights.draws is None else weights.draws.shape[-1]
            one_by_one = [place for place in places if place[1] not in at_once]
            of_parts = {key: weights if key == WHOLE else weights.of_rows(parts[key]) for key, _ in one_by_one}
            for key, tally in one_by_one:
                tiles[key, tally].append(summing[key, tally](of_parts[key]))
            for tally in (tally for tally in at_once if tally in under):
                for key, sums in _by_level(block, tally, weights, crossed).items():
                    if tally.covers(key):
                        tiles[key, tally].append(sums)
            progress("drawing", block.facts.read * count, plan.replicate_count)
        for (key, tally), stack in tiles.items():
            replicates[key, tally, draws.kind] = tally.statistic.stacked(stack)
    return replicates


def _by_level(block: Block, tally: Tally, weights: Weights, crossed: Crossed | None) -> dict[SliceKey, AnyStatistic]:
    """The sums of the whole and of every slice under draws, which are summed once, by combination of levels."""
    assert crossed is not None
    pilot = tally.pilot if tally.grid is None else tally.grid
    statistic, judgements = of_given_units(tally.statistic), block.views[tally.view]
    cells = statistic.collect_by(judgements, weights, crossed.codes, crossed.size, pilot)
    members = {WHOLE: range(crossed.size), **crossed.members}
    return {key: reduce(add, [cell for one in of if (cell := cells[one]) is not None]) for key, of in members.items()}


# Numbers in all replicates of all slices, 4 GiB: they are held until every row is read.
MOST_REPLICATES = 2**29


def _check_replicates(
    block: Block, plan: SumPlan, parts: dict[SliceKey, NDArray[np.int64]], summing: Summing, at_once: list[Tally]
) -> None:
    """Refuse replicates that cannot be held, told from one of each."""
    one, held = Weights(block.rows, block.weight, np.ones((block.rows, 1))), 0
    times = {tally: sum(draws.replicates for draws, under in plan.draws if tally in under) for tally in plan.by_rows}
    for (key, tally), of_weights in summing.items():
        alike = len(parts) if tally in at_once else 1
        held += _numbers_in(of_weights(one.of_rows(parts[key]))) * times[tally] * alike
        check_size(held, f"{max(times.values()):,} replicates of {len(parts):,} slices", MOST_REPLICATES)


def _numbers_in(value: object) -> int:
    """How many numbers one replicate holds."""
    if isinstance(value, np.ndarray):
        return value.size if value.shape[:1] == (1,) else 0
    named = [getattr(value, one.name) for one in fields(value)] if is_dataclass(value) else ()
    return sum(_numbers_in(part) for part in (value if isinstance(value, (tuple, list)) else named))


def _parts(block: Block, names: tuple[str, ...]) -> Iterator[tuple[SliceKey, NDArray[np.int64]]]:
    """The rows of the whole and of each slice."""
    yield WHOLE, np.arange(block.rows)
    for name, levels in zip(names, block.slices, strict=True):
        order = np.argsort(levels.codes, kind="stable")
        ends = np.cumsum(np.bincount(levels.codes, minlength=len(levels.categories)))
        for level, start, end in zip(levels.categories, [0, *ends[:-1]], ends, strict=True):
            if end > start:
                yield (name, level), order[start:end]


def added(blocks: Iterable[tuple[int, Collected]]) -> Collected:
    """The whole, from its blocks in their order, each with its number."""
    return whole_of(span for _, span in spans_of(blocks))


def spans_of(blocks: Iterable[tuple[int, Collected]]) -> Iterator[tuple[int, Collected]]:
    """Blocks in their order, added up to spans, each with its number."""
    for number, several in groupby(blocks, lambda block: block[0] // SPAN_BLOCKS):
        yield number, reduce(add, (block for _, block in several))


def whole_of(spans: Iterable[Collected]) -> Collected:
    """The whole, from its spans in their order."""
    return reduce(add, spans, Collected()).with_wholes().with_told()
