"""Many workers: spans of a table are summed anywhere, in any order, and added in the order of the table.

A scheduler is anything with one method, `map`. What it carries is small: a run of spans goes out as three numbers, and
one state for each span comes back. Work has no memory, so a scheduler may do it again after a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.memory import release_all, release_memory
from adjudge.data.reading import Reading, batches_between
from adjudge.data.source import NumberedSource, Source, numbered
from adjudge.engines.base import SPAN_BLOCKS, Collected, Planner, Progress, SumPlan, spans_of, whole_of
from adjudge.engines.blocks import sum_batch
from adjudge.engines.local import WAITING_BLOCKS, blocks_of
from adjudge.engines.transport import sealed_states, unsealed
from adjudge.errors import AdjudgeError, SettingError, quoted

Result = TypeVar("Result")
# What comes back of a run: its sums, or why they are refused, in bytes from another process.
Sent: TypeAlias = bytes | list[Collected] | AdjudgeError


class SpanRun(NamedTuple):
    """Neighbouring spans that one task sums: from one number up to another."""

    number: int
    first: int
    last: int


class Scheduler(Protocol):
    """Where runs are summed."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def map(self, work: Callable[[SpanRun], Result], runs: Sequence[SpanRun]) -> Iterable[tuple[SpanRun, Result]]:
        """What work makes of each run, in any order; work travels as a pickle, results as bytes.

        A scheduler whose workers share this process says so with `in_process = True`: nothing is written out for it.
        """


@dataclass(frozen=True)
class Starting:
    """A scheduler that is started for one pass over a table and ended after it, however the pass ends."""

    name: str
    start: Callable[[], AbstractContextManager[Scheduler]]


# A run is so many times as long as what is decoded again for the next one.
REPEATED = 4


def runs_of(edges: Sequence[int], span_rows: int) -> list[SpanRun]:
    """The spans of a table in runs: a row group is decoded from its beginning, so few may begin far inside one.

    >>> runs_of([0, 3, 12], 4)
    [SpanRun(number=0, first=0, last=1), SpanRun(number=1, first=1, last=3)]
    """
    starts = np.arange(0, edges[-1], span_rows)
    again = starts - np.asarray(edges)[np.searchsorted(edges, starts, side="right") - 1]
    firsts: list[int] = []
    for span, rows in enumerate(again.tolist()):
        if not firsts or rows * REPEATED <= (span - firsts[-1]) * span_rows:
            firsts.append(span)
    return [SpanRun(number, first, last) for number, (first, last) in enumerate(pairwise([*firsts, len(starts)]))]


@dataclass(frozen=True)
class Work:
    """What a worker does with a run; all that it knows."""

    source: NumberedSource
    reading: Reading
    plan: SumPlan | None
    block_rows: int  # as the driver cuts
    first_block: int = 0  # that is looked at and summed; of those before it, facts alone are told

    def __call__(self, run: SpanRun) -> list[Collected] | AdjudgeError:
        """The sums of each span of a run, or why they are refused: a scheduler would hide the sentence."""
        try:
            with np.errstate(all="ignore"):
                return [span for _, span in spans_of(self._blocks(run))]
        except AdjudgeError as error:
            return error

    def _blocks(self, run: SpanRun) -> Iterator[tuple[int, Collected]]:
        blocks = (run.first * SPAN_BLOCKS, run.last * SPAN_BLOCKS)
        begun = self.source.between(blocks[0] * self.block_rows, blocks[1] * self.block_rows).digests()
        yield blocks[0], Collected(Facts(digests_of_files=begun))
        for place, batch in batches_between(self.source, self.reading, blocks, self.block_rows):
            if self.plan is None or place.number < self.first_block:
                yield place.number, Collected(self.reading.read(batch, place.first_row).facts)
            else:
                yield place.number, sum_batch(batch, self.reading, place, self.plan)


@dataclass(frozen=True)
class Sealed:
    """The same work for another process: what it is told, and what it answers, are bytes of one version of adjudge."""

    work: bytes

    def __call__(self, run: SpanRun) -> bytes:
        """The sums, or why they are refused: also because they were asked for by another version."""
        try:
            work = unsealed(self.work)
            assert isinstance(work, Work)
            return sealed_states(work(run))
        except AdjudgeError as error:
            return sealed_states(error)
        finally:
            release_memory()


@dataclass(frozen=True)
class Spread:
    """An engine over any scheduler, of tables whose rows have numbers before they are read: Parquet files."""

    scheduler: Scheduler | Starting
    holds_table: bool = False

    @property
    def name(self) -> str:
        """That of the scheduler."""
        return self.scheduler.name

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        """All sums of the plan, which is made once, of the first rows."""
        table = by_numbers(source, self.name)
        work = Work(table, reading, *_plan(table, reading, planner))
        runs = runs_of(table.edges, reading.block_rows * SPAN_BLOCKS)
        with self._done(work, runs) as done:
            whole = whole_of(_spans(runs_in_order(done), progress))
        table.learn(whole.facts.digests_of_files)  # and the same facts as where nobody told them
        whole = replace(whole, facts=replace(whole.facts, digests_of_files={}))
        release_all()
        return whole

    @contextmanager
    def _done(self, work: Work, runs: Sequence[SpanRun]) -> Iterator[Iterable[tuple[SpanRun, Sent]]]:
        """What workers send; no task waits any longer when this ends, and nothing runs that was started for it."""
        chosen = self.scheduler
        with chosen.start() if isinstance(chosen, Starting) else nullcontext(chosen) as scheduler:
            here = getattr(scheduler, "in_process", False)
            done: Iterable[tuple[SpanRun, Sent]] = scheduler.map(work if here else Sealed(sealed_states(work)), runs)
            try:
                yield done
            finally:
                if isinstance(done, Generator):
                    done.close()


def by_numbers(source: Source, engine: str) -> NumberedSource:
    """The table by the numbers of its rows; one that has none before it is read is refused."""
    if (table := numbered(source)) is not None:
        return table
    raise SettingError(
        f'The table must be Parquet files when engine="{engine}", because only their rows are numbered before they are '
        f'read, but {quoted(source.name)} is not. Convert it, or use engine="stream".'
    )


def _plan(source: Source, reading: Reading, planner: Planner) -> tuple[SumPlan | None, int, int]:
    """What is summed, None where no row is complete; of how many rows a block is, and the first that is looked at."""
    for place, block in blocks_of(source, reading, gather=False):
        if block.rows:
            return planner(block).without_units(), reading.block_rows, place.number - WAITING_BLOCKS
    return None, reading.block_rows, 0


def _spans(results: Iterable[Sent], progress: Progress) -> Iterator[Collected]:
    for sent in results:
        result = unsealed(sent) if isinstance(sent, bytes) else sent
        if isinstance(result, AdjudgeError):
            raise result
        assert isinstance(result, list)
        for span in result:
            progress("reading", span.facts.read, 0)
            yield span


def runs_in_order(results: Iterable[tuple[SpanRun, Result]]) -> Iterator[Result]:
    """Results by the numbers of their runs; those that come early are held.

    >>> list(runs_in_order([(SpanRun(1, 1, 2), "b"), (SpanRun(0, 0, 1), "a")]))
    ['a', 'b']
    """
    early: dict[int, Result] = {}
    number = 0
    for run, result in results:
        early[run.number] = result
        while number in early:
            yield early.pop(number)
            number += 1
