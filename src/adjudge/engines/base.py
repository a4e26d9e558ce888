"""Where the sums run: one pass over the rows for the union of all statistics, no metric in sight.

Every engine walks the same tree: rows are cut into blocks by their number, blocks are added up in their order to spans
of eight, and spans in their order to the whole. So every engine gives the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from operator import add
from typing import Protocol, TypeVar

from adjudge.data.adding import added_by_key
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.reading import Block, Reading
from adjudge.data.source import Source
from adjudge.data.table_facts import Watched
from adjudge.statistics.base import AnyStatistic
from adjudge.statistics.weights import Draws

SliceKey = tuple[str, str]  # a slice column and one of its levels
WHOLE: SliceKey = ("", "")
ANY_SLICE: SliceKey = ("any", "any")
SPAN_BLOCKS = 8
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
