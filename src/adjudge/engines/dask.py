"""Dask: runs of spans as tasks of a `distributed.Client`, a few for each thread at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable
from uuid import uuid4

from adjudge.engines.spread import SpanRun
from adjudge.errors import SettingError

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
# Tasks of each thread that wait or are done ahead of what is added.
AHEAD = 4
# Pages of its own on any port that is free, and no lines of a log: what fails is said in a sentence.
OF_THIS_MACHINE = {"processes": True, "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}


class Future(Protocol[Result_co]):
    """A task, as Dask has it."""

    def result(self) -> Result_co:
        """What it gives, once it is done."""


@runtime_checkable
class Client(Protocol):
    """What is asked of a `distributed.Client`."""

    def nthreads(self) -> Mapping[str, int]:
        """Threads by worker."""

    def submit(self, work: Callable[[SpanRun], Result], run: SpanRun, /, *, key: str, pure: bool) -> Future[Result]:
        """One more task."""

    def cancel(self, futures: Sequence[Future[object]]) -> None:
        """Tasks that are needed no longer."""


@dataclass(frozen=True)
class Dask:
    """A client of a Dask cluster; adjudge must be installed on its workers."""

    client: Client
    name: str = "dask"

    def map(self, work: Callable[[SpanRun], Result], runs: Sequence[SpanRun]) -> Iterator[tuple[SpanRun, Result]]:
        """What work makes of each run, in their order. Dask does the work of a worker that is lost again."""
        token, waiting = uuid4().hex, deque[tuple[SpanRun, Future[Result]]]()
        most = AHEAD * max(sum(self.client.nthreads().values()), 1)
        try:
            for run in runs:
                # A key of its own: Dask would write out all that the work knows to make one.
                waiting.append((run, self.client.submit(work, run, key=f"adjudge-{token}-{run.number}", pure=False)))
                if len(waiting) >= most:
                    yield _done(waiting)
            while waiting:
                yield _done(waiting)
        finally:
            self.client.cancel([future for _, future in waiting])


def _done(waiting: deque[tuple[SpanRun, Future[Result]]]) -> tuple[SpanRun, Result]:
    run, future = waiting.popleft()
    try:
        return run, future.result()
    except Exception as error:
        raise SettingError(f"Dask must carry out the work, but a task failed: {error}.") from error


@contextmanager
def connect(address: str | None) -> Iterator[Dask]:
    """The cluster at an address, or one of this machine, whose processes end after it."""
    try:
        import distributed
    except ImportError:
        raise SettingError(
            'engine="dask" must have Dask, but it is not installed. Install it: pip install "adjudge[dask]".'
        ) from None
    client: Any = distributed.Client  # which has no types
    try:
        connected = client(address) if address else client(**OF_THIS_MACHINE)
    except Exception as error:  # of its own kinds, and whatever starting processes ends in
        must = "`master` must be the address of a Dask scheduler" if address else "Dask must start processes here"
        raise SettingError(f"{must}, but: {str(error).rstrip('.')}.") from error
    with connected:
        yield Dask(connected)
