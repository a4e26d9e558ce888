"""Threads of this machine: runs of spans are decoded and summed side by side."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from adjudge.data.memory import share_memory
from adjudge.engines.spread import SpanRun

Result = TypeVar("Result")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Threads:
    """So many threads; 0: as many as there are processors. One run more than threads is ahead of what is added."""

    many: int = 0
    name: str = "threads"

    in_process: ClassVar[bool] = True  # nothing is written out to be sent

    def map(self, work: Callable[[SpanRun], Result], runs: Sequence[SpanRun]) -> Iterator[tuple[SpanRun, Result]]:
        """What work makes of each run, in their order."""
        many = self.many or processors()
        waiting: deque[tuple[SpanRun, Future[Result]]] = deque()
        share_memory()
        pool = ThreadPoolExecutor(many)
        try:
            for run in runs:
                waiting.append((run, pool.submit(work, run)))
                if len(waiting) > many:  # while one is added, every thread has another
                    first, result = waiting.popleft()
                    yield first, result.result()
            while waiting:
                first, result = waiting.popleft()
                yield first, result.result()
        finally:
            pool.shutdown(cancel_futures=True)
