"""Many workers: spans of a table are summed anywhere, in any order, and added in the order of the table.

A scheduler is anything with one method, `map`. What it carries is small: a run of spans goes out as three numbers, and
one state for each span comes back. Work has no memory, so a scheduler may do it again after a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from adjudge import __version__
from adjudge.data.reading import Reading, batches_between
from adjudge.data.source import NumberedSource, Source, numbered
from adjudge.engines.base import SPAN_BLOCKS, Collected, Plan, Planner, Progress, spans_of, sum_block, whole_of
from adjudge.engines.local import blocks_of
from adjudge.errors import AdjudgeError, SettingError, quoted

Result = TypeVar("Result")


class Run(NamedTuple):
    """Neighbouring spans that one task sums: from one number up to another."""

    number: int
    first: int
    last: int


class Scheduler(Protocol):
    """Where runs are summed."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def map(self, work: Callable[[Run], Result], runs: Sequence[Run]) -> Iterable[tuple[Run, Result]]:
        """What work makes of each run, in any order; work and results travel as pickles."""


def runs_of(edges: Sequence[int], span_rows: int) -> list[Run]:
    """The spans of a table, those together that begin in the same row group: a group is decoded from its beginning.

    >>> runs_of([0, 3, 12], 4)
    [Run(number=0, first=0, last=1), Run(number=1, first=1, last=3)]
    """
    starts = np.arange(0, edges[-1], span_rows)
    groups = np.searchsorted(edges, starts, side="right").tolist()
    together = [list(spans) for _, spans in groupby(range(len(starts)), key=groups.__getitem__)]
    return [Run(number, spans[0], spans[-1] + 1) for number, spans in enumerate(together)]


@dataclass(frozen=True)
class Work:
    """What a worker does with a run; all that it knows."""

    source: NumberedSource
    reading: Reading
    plan: Plan | None
    block_rows: int  # as the driver cuts
    version: str = field(default=__version__)

    def __call__(self, run: Run) -> list[Collected] | AdjudgeError:
        """The sums of each span of a run, or why they are refused: a scheduler would hide the sentence."""
        if self.version != __version__:
            return SettingError(
                f"Every worker must have the same adjudge, but one has {__version__} and the driver {self.version}. "
                "Install one version everywhere."
            )
        try:
            with np.errstate(all="ignore"):
                return [span for _, span in spans_of(self._blocks(run))]
        except AdjudgeError as error:
            return error

    def _blocks(self, run: Run) -> Iterator[tuple[int, Collected]]:
        blocks = (run.first * SPAN_BLOCKS, run.last * SPAN_BLOCKS)
        for place, batch in batches_between(self.source, self.reading, blocks, self.block_rows):
            block = self.reading.read(batch, place.first_row)
            yield place.number, Collected(block.facts) if self.plan is None else sum_block(block, self.plan)


@dataclass(frozen=True)
class Spread:
    """An engine over any scheduler, of tables whose rows have numbers before they are read: Parquet files."""

    scheduler: Scheduler
    holds_table: bool = False

    @property
    def name(self) -> str:
        """That of the scheduler."""
        return self.scheduler.name

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan, which is made once, of the first rows."""
        table = by_numbers(source, self.name)
        work = Work(table, reading, _plan(table, reading, planner), reading.block_rows)
        runs = runs_of(table.edges, reading.block_rows * SPAN_BLOCKS)
        return whole_of(_spans(in_order(self.scheduler.map(work, runs)), progress))


def by_numbers(source: Source, engine: str) -> NumberedSource:
    """The table by the numbers of its rows; one that has none before it is read is refused."""
    if (table := numbered(source)) is not None:
        return table
    raise SettingError(
        f'The table must be Parquet files when engine="{engine}", because their rows have numbers before they are '
        f'read, but {quoted(source.name)} is not. Convert it, or use engine="stream".'
    )


def _plan(source: Source, reading: Reading, planner: Planner) -> Plan | None:
    """What is summed; None where no row is complete."""
    for _, block in blocks_of(source, reading, gather=False):
        if block.rows:
            return planner(block).without_units()
    return None


def _spans(results: Iterable[Any], progress: Progress) -> Iterator[Collected]:
    for result in results:
        if isinstance(result, AdjudgeError):
            raise result
        for span in result:
            progress("reading", span.facts.read, 0)
            yield span


def in_order(results: Iterable[tuple[Run, Result]]) -> Iterator[Result]:
    """Results by the numbers of their runs; those that come early are held.

    >>> list(in_order([(Run(1, 1, 2), "b"), (Run(0, 0, 1), "a")]))
    ['a', 'b']
    """
    early: dict[int, Result] = {}
    number = 0
    for run, result in results:
        early[run.number] = result
        while number in early:
            yield early.pop(number)
            number += 1
