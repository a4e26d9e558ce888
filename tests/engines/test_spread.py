"""Spans summed by any scheduler, of Parquet files cut in any way, give the bits of a stream."""

from __future__ import annotations

import os
import pickle
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.bits import digest_of
from tests.engines.test_any_scheduler import BLOCK, CASES, FEWER, OF_SPAN, ROWS, table

from adjudge import __version__
from adjudge.data.reading import batches_between, batches_of
from adjudge.data.remarks import Remarks
from adjudge.data.source import numbered, open_source
from adjudge.data.tables import files
from adjudge.engines.choice import engine_for
from adjudge.engines.spread import SpanRun, Spread, runs_of
from adjudge.engines.threads import Threads
from adjudge.engines.transport import sealed_states, unsealed
from adjudge.errors import InputError, SettingError
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.walk import collect
from adjudge.tasks import task_named

# Files by their numbers of rows, and rows of a row group.
LAYOUTS = {"one group": ([ROWS], ROWS), "small groups": ([ROWS], 300), "files": ([1, 1_999, 0, 2_500, 500], 1_700)}


@cache
def columns() -> pa.Table:
    return pa.table(table())


def written(folder: Path, layout: str = "files") -> Path:
    """The table of every case, as Parquet files."""
    sizes, group = LAYOUTS[layout]
    start = 0
    for number, size in enumerate(sizes):
        pq.write_table(columns()[start : start + size], folder / f"{number}.parquet", row_group_size=group)
        start += size
    assert start == ROWS
    return folder


def asked(
    case: str, folder: Path, monkeypatch: pytest.MonkeyPatch, engine: Any = "stream", block: int = BLOCK
) -> Request:
    checked = request(
        task_named(case.split(":", maxsplit=1)[0]), str(folder), replicates=100, engine=engine, **CASES[case]
    )
    monkeypatch.setattr(type(checked.study.reading), "block_rows", block)
    return checked


@dataclass(frozen=True)
class Shuffled:
    """Runs in any order, everything sent as bytes."""

    seed: int = 1
    name: str = "shuffled"

    def map(self, work: Callable[[SpanRun], Any], runs: Sequence[SpanRun]) -> Iterator[tuple[SpanRun, Any]]:
        sent = pickle.dumps(work)
        for run in random.Random(self.seed).sample(runs, len(runs)):
            yield run, pickle.loads(pickle.dumps(pickle.loads(sent)(pickle.loads(pickle.dumps(run)))))


@pytest.mark.parametrize("case", CASES)
def test_the_same_bits_in_any_order(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path)
    for module in ("base", "spread"):
        monkeypatch.setattr(f"adjudge.engines.{module}.SPAN_BLOCKS", OF_SPAN)
    stream = digest_of(collect(asked(case, folder, monkeypatch, block=FEWER)))
    assert digest_of(collect(asked(case, folder, monkeypatch, Shuffled(), FEWER))) == stream


@pytest.mark.parametrize("many", [3, 16, 17, 40])
def test_first_blocks_without_a_usable_row_are_looked_at_alike(
    many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, without = many * BLOCK + 700, many * BLOCK + 5
    labels = [None if row < without else "ab"[row % 2] for row in range(rows)]
    numbered_rows = pa.table({"y": pa.array(labels), "p": ["ab"[row % 3 % 2] for row in range(rows)]})
    pq.write_table(numbered_rows, tmp_path / "rows.parquet", row_group_size=900)
    digests = set()
    for engine in ("memory", "stream", Threads(2), Shuffled()):
        checked = request(task_named("classification"), str(tmp_path), reference="y", prediction="p", engine=engine)
        monkeypatch.setattr(type(checked.study.reading), "block_rows", BLOCK)
        collected = collect(checked)
        assert sum((collected.facts.table.labels["p"].counts or {}).values()) == rows - max(many - 16, 0) * BLOCK
        digests.add(digest_of(collected))
    assert len(digests) == 1


@pytest.mark.parametrize(
    "case",
    [
        "classification: a score and slices",
        "agreement: in rows, items together",
        "ranking: two systems and slices, weighted",
    ],
)
def test_the_same_bits_of_any_layout(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = set()
    for layout, engine in zip(LAYOUTS, ("stream", Threads(2), Threads(4)), strict=True):
        (folder := tmp_path / layout).mkdir()
        digests.add(digest_of(collect(asked(case, written(folder, layout), monkeypatch, engine))))
    assert len(digests) == 1


def test_files_are_fingerprinted_by_whoever_reads_their_first_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same fingerprint as of one reader; the driver opens no file again, and nobody hashes one twice."""
    folder = written(tmp_path)
    for module in ("base", "spread"):
        monkeypatch.setattr(f"adjudge.engines.{module}.SPAN_BLOCKS", OF_SPAN)
    case, hashed = "classification: a score and slices", list[Path]()
    alone = asked(case, folder, monkeypatch, block=FEWER).source.fingerprint()

    def counted(path: Path, of: str, columns: Sequence[str]) -> str:
        hashed.append(path)
        return plain(path, of, columns)

    plain = files.file_digest
    monkeypatch.setattr(files, "file_digest", counted)
    for engine in (Threads(2), Shuffled()):
        spread = asked(case, folder, monkeypatch, engine, FEWER)
        assert not hashed
        collect(spread)
        assert sorted(hashed) == sorted(Path(path).resolve() for path in folder.glob("*.parquet"))
        assert spread.source.fingerprint() == alone
        assert len(hashed) == len(list(folder.glob("*.parquet")))
        hashed.clear()
    (folder / "0.parquet").rename(folder / "9.parquet")  # other rows come first
    assert asked(case, folder, monkeypatch, block=FEWER).source.fingerprint() != alone


def test_every_thread_has_a_run_while_one_is_added_and_no_more_have_begun() -> None:
    """What a run sums is held until those before it are added: memory goes by the runs that have begun."""
    begun: list[SpanRun] = []
    runs = [SpanRun(number, number, number + 1) for number in range(6)]
    for place, (run, _) in enumerate(Threads(2).map(begun.append, runs)):
        most = min(place + 3, len(runs))
        until = time.monotonic() + 20
        while len(begun) < most and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(0.02)  # so that whatever else may begin does
        assert (run.number, len(begun)) == (place, most)
    assert sorted(begun) == runs


def test_blocks_of_rows_that_are_counted_are_larger() -> None:
    rows = {"a": ["x", "y"] * 20, "b": ["x", "x"] * 20, "w": [1.0, 2.0] * 20, "s": [0.2, 0.7] * 20}
    task = task_named("classification")
    counted = request(task, rows, reference="a", prediction="b", score="s", positive="y").study.reading
    weighted = request(task, rows, reference="a", prediction="b", weight="w").study.reading
    assert (counted.block_rows, weighted.block_rows) == (2**18, 2**17)


def test_blocks_of_items_are_the_same_from_anywhere() -> None:
    """Items longer than blocks, rows without an item, an item over the edge of a span."""
    random_numbers = random.Random(5)
    items: list[str | None] = []
    while len(items) < 900:
        name = None if random_numbers.random() < 0.1 else f"i{len(items)}"
        items += [name] * random_numbers.choice([1, 2, 3, 40, 95])

    @dataclass(frozen=True)
    class Reading:
        block_rows: int = 10
        together: str = "item"

        def texts(self) -> tuple[str, ...]:
            return ("item",)

        def numbers(self) -> tuple[str, ...]:
            return ()

    @dataclass(frozen=True)
    class Numbered(Remarks):
        items: tuple[str | None, ...]
        first: int = 0
        last: int = 0

        @property
        def edges(self) -> tuple[int, ...]:
            return (0, len(self.items))

        def between(self, first: int, last: int) -> Any:
            return replace(self, first=first, last=last)

        def batches(self, texts: Any, numbers: Any, rows: int) -> Any:
            return open_source({"item": self.items[self.first : self.last]}).batches(texts, numbers, rows)

    def shown(batches: Any) -> list[Any]:
        items = [(place, batch.columns["item"]) for place, batch in batches]
        return [(place, [None if code < 0 else text.labels[code] for code in text.codes]) for place, text in items]

    source: Any = Numbered(tuple(items), 0, len(items))
    reading: Any = Reading()
    whole = shown(batches_of(source, reading, gather=False))
    for length in (1, 3, 16):
        runs = [(first, first + length) for first in range(0, -(-len(items) // 10), length)]
        assert [block for run in runs for block in shown(batches_between(source, reading, run, 10))] == whole


def test_spans_of_one_row_group_are_one_run() -> None:
    assert [run[1:] for run in runs_of([0, 100], 10)] == [(0, 10)]
    assert [run[1:] for run in runs_of([0, 10, 20, 30], 10)] == [(0, 1), (1, 2), (2, 3)]
    assert [run[1:] for run in runs_of([0, 1, 2, 35], 10)] == [(0, 4)]  # nearly a span would be decoded again
    assert [run[1:] for run in runs_of([0, 9, 35], 10)] == [(0, 1), (1, 4)]
    assert runs_of([0, 0], 10) == []


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a stream refuses it, from the first row on which it is so; and tables without numbers of rows."""
    given = {"reference": "colour", "prediction": "guess", "id": "person", "replicates": 100}
    task = task_named("classification")
    folder = written(tmp_path)
    sentences = []
    for engine in ("stream", Shuffled(seed=2), Threads(2)):
        with pytest.raises(InputError) as refused:
            collect(request(task, str(folder), engine=engine, **given))
        sentences.append(str(refused.value))
    assert len(set(sentences)) == 1
    with pytest.raises(SettingError, match="must be Parquet files"):
        collect(request(task, {"a": ["x"]}, reference="a", prediction="a", engine=Threads(2)))
    with pytest.raises(SettingError, match="`engine` must be"):
        request(task, {"a": ["x"]}, reference="a", prediction="a", engine=7)
    with pytest.raises(SettingError, match="`master` must be given with"):
        request(task, {"a": ["x"]}, reference="a", prediction="a", master="spark://here:7077")


def test_a_file_that_changes_or_goes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = "classification: labels and slices"
    checked = asked(case, written(tmp_path), monkeypatch, Threads(2))
    last = tmp_path / "3.parquet"
    os.utime(last, (1, 1))
    with pytest.raises(InputError, match="must not change"):
        collect(checked)
    known = numbered(checked.source)
    assert known is not None
    last.unlink()
    with pytest.raises(InputError, match="every worker can open"):
        list(known.between(3_000, 3_010).batches(["guess"], []))


def test_large_files_are_spread_over_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_source(str(written(tmp_path)))
    assert engine_for("auto", "auto", source).name == "stream"
    assert engine_for("auto", "auto", open_source({"a": [1]})).name == "memory"
    monkeypatch.setattr("adjudge.engines.choice.LARGE", 1_000)
    assert engine_for("auto", "auto", source).name == "threads"
    assert engine_for("auto", "memory", source).name == "memory"
    assert isinstance(engine_for(Threads(3), "auto", source), Spread)


def test_another_version_is_refused_before_anything_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a worker that is asked, and by the driver that is answered; nothing but states is opened."""

    @dataclass(frozen=True)
    class Older:
        name: str = "older"

        def map(self, work: Any, runs: Sequence[SpanRun]) -> Iterator[tuple[SpanRun, Any]]:
            for run in runs:
                with monkeypatch.context() as there:
                    there.setattr("adjudge.engines.transport.__version__", "0.0.1")
                    yield run, work(run)

    with pytest.raises(SettingError, match=f"same adjudge, but one has .*0.0.1.*|{__version__}") as refused:
        collect(asked("classification: labels and slices", written(tmp_path), monkeypatch, Older()))
    assert "0.0.1" in str(refused.value)
    assert __version__ in str(refused.value)
    with pytest.raises(SettingError, match="must be a state of adjudge"):
        unsealed(pickle.dumps(1))
    with pytest.raises(SettingError, match="holds posix"):
        unsealed(sealed_states(os.system))
