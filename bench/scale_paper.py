"""The page for 10¹¹ rows: what one core is measured to take, multiplied.

    python -m bench.scale_paper [--spans 4] [--rows 1e11] [--workers 1000]

Makes Parquet files of so many spans as `bench.scale` does (label, answer, score, two slice columns with 16 levels), and
measures in this process, in processor seconds: reading and summing a row, measuring 17 views, the bytes that a span
returns, adding a span on the driver (opening its bytes included), and the bytes and seconds of the fingerprint. Then it
prints what docs/scale.md has under "On paper"; nothing is run at that size.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from bench.scale import COLUMNS, SLICES, make_files, roles_of, warmed_up

LABELS, LEVELS, BITS = 2, (12, 4), 12  # of the made files; cells of scores that SQL counts
CELL_BYTES = 9 * 8  # five keys and four sums


@dataclass
class Recording:
    """A scheduler of one worker in this process, which keeps the bytes that come back."""

    name: str = "recording"
    sent: list[bytes] = field(default_factory=list)

    def map(self, work: Callable[[Any], bytes], runs: Sequence[Any]) -> Iterator[tuple[Any, bytes]]:
        """What work makes of each run, in order."""
        for run in runs:
            self.sent.append(work(run))
            yield run, self.sent[-1]


@dataclass(frozen=True)
class Constants:
    """What one core takes, in seconds and bytes."""

    span_rows: int
    row: float  # reading and summing
    measure: float  # 17 views
    span_bytes: int
    add: float  # a span, on the driver
    row_bytes: float  # of the columns that are read, in the files
    byte: float  # of the fingerprint


def measured(folder: Path, columns: tuple[str, ...], rows: int) -> Constants:
    """The constants of one design."""
    from adjudge.data.tables.fingerprints import chunks
    from adjudge.engines.base import SPAN_BLOCKS, Collected
    from adjudge.evaluation.request import request
    from adjudge.evaluation.walk import collect, measure
    from adjudge.tasks import task_named

    recording, task = Recording(), task_named("classification")
    warmed_up(folder, roles_of(columns, 200, "stream"))
    asked = request(task, str(folder), **roles_of(columns, 200, "stream"))
    started = time.process_time()
    collected = collect(asked)
    summed = time.process_time()
    asked.source.fingerprint()
    printed = time.process_time()
    measure(asked, collected)
    done = time.process_time()
    collect(request(task, str(folder), **roles_of(columns, 200, None), engine=recording))
    began = time.process_time()
    reduce(add, (span for sent in recording.sent for span in opened(sent)), Collected())
    added = time.process_time() - began
    read = (*asked.study.reading.texts(), *asked.study.reading.numbers())
    size = sum(length for path in folder.glob("*.parquet") for _, length in chunks(path, read))
    spans = -(-rows // (span_rows := asked.study.reading.block_rows * SPAN_BLOCKS))
    return Constants(
        span_rows,
        (summed - started) / rows,
        done - printed,
        sum(map(len, recording.sent)) // spans,
        added / spans,
        size / rows,
        (printed - summed) / size,
    )


def opened(sent: bytes) -> list[Any]:
    """The sums of each span of a run."""
    from adjudge.engines.transport import unsealed

    spans = unsealed(sent)
    assert isinstance(spans, list)
    return spans


def in_units(seconds: float) -> str:
    """Seconds, minutes or hours.

    >>> in_units(0.31), in_units(90), in_units(7200)
    ('0.3 s', '90 s', '2.0 h')
    """
    return (
        f"{seconds:.{int(seconds < 1)}f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def page(constants: dict[str, Constants], rows: float, workers: int) -> Iterator[str]:
    """The lines of the page."""
    for which, one in constants.items():
        yield (
            f"{which}: {one.row * 1e6:.3f} µs a row, {one.measure:.1f} s to measure, {one.span_rows:,} rows a span, "
            f"{one.span_bytes / 1e6:,.4f} MB a span, {one.add * 1e3:.2f} ms to add one, "
            f"{one.row_bytes:.1f} bytes a row in what is read of files, "
            f"{one.byte * 1e9:.2f} ns a byte of the fingerprint"
        )
    yield ""
    yield "| | " + " | ".join(constants) + " |"
    yield "|---|" + "---|" * len(constants)
    every: dict[str, Callable[[Constants], str]] = {
        "spans, tasks": lambda one: f"{-(-rows // one.span_rows):,.0f}",
        "processor time": lambda one: f"{in_units(rows * one.row)}; {in_units(rows * one.row / workers)} a worker",
        "returned to the driver": lambda one: f"{-(-rows // one.span_rows) * one.span_bytes / 1e9:,.1f} GB",
        "added on the driver": lambda one: in_units(-(-rows // one.span_rows) * one.add),
        "fingerprint of what is read, on the workers": lambda one: (
            f"{rows * one.row_bytes / 1e12:.1f} TB; {in_units(rows * one.row_bytes * one.byte)}; "
            f"{in_units(rows * one.row_bytes * one.byte / workers)} a worker"
        ),
        "measured on the driver": lambda one: f"{one.measure:.1f} s",
        "shuffled between workers": lambda one: "nothing",
    }
    for what, told in every.items():
        yield f"| {what} | " + " | ".join(map(told, constants.values())) + " |"
    cells = LABELS**2 * (2**BITS + 1)
    for levels in LEVELS:
        cells *= levels
    yield ""
    yield (
        f"by SQL: at most {cells:,} cells of {CELL_BYTES} bytes, {cells * CELL_BYTES / 1e6:.0f} MB a worker and "
        f"{cells * CELL_BYTES * workers / 1e9:.0f} GB of all"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale_paper", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spans", type=int, default=4, help="spans of rows to measure with")
    parser.add_argument("--rows", type=float, default=1e11)
    parser.add_argument("--workers", type=int, default=1_000)
    chosen = parser.parse_args()
    rows = chosen.spans * 2**22
    with tempfile.TemporaryDirectory(prefix="adjudge-scale-") as name:
        make_files(Path(name), rows)
        constants = {which: measured(Path(name), columns, rows) for which, columns in COLUMNS.items()}
    print(f"{rows:,} rows, {len(SLICES)} slice columns, 17 views; processor seconds of one core")
    print("\n".join(page(constants, chosen.rows, chosen.workers)))


if __name__ == "__main__":
    main()
