"""Text files that are written while they are read: refused, or told truly of the bytes the fingerprint is of."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from tests.data.test_files import written

import adjudge
from adjudge.data.blocks import reblocked
from adjudge.data.source import Batch, open_source
from adjudge.data.tables import csv_batches, files
from adjudge.errors import InputError
from adjudge.report.evaluation import Evaluation

ROWS = 40_000
Change = Callable[[Path], None]


def content(right: int, rows: int = ROWS) -> bytes:
    """A table in which so many rows of a hundred are answered rightly; all such tables are equally long."""
    cells = (b"yes,yes\n" if place % 100 < right else b"yes,not\n" for place in range(rows))
    return b"label,guess\n" + b"".join(cells)


def packed(path: Path, text: bytes) -> bytes:
    return gzip.compress(text, 1, mtime=0) if path.suffix == ".gz" else text


def cut(path: Path) -> None:
    """In the middle of a row, which then has one cell."""
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(packed(path, b"yes,yes\n" * 100))


def overwrite(path: Path) -> None:
    """In place, as long as before, with the time of the last change set back."""
    before = path.stat()
    with path.open("r+b") as file:
        file.write(packed(path, content(right=10)))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path) -> None:
    """By another file of the same age that takes its name."""
    before, other = path.stat(), path.with_name("other")
    other.write_bytes(packed(path, content(right=10)))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.rename(path)


def replace_by_other_columns(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(packed(path, b"a,b,c\n" + b"1,2,3\n" * ROWS))
    other.rename(path)


def remove(path: Path) -> None:
    path.unlink()


CHANGES: tuple[Change, ...] = (cut, empty, append, overwrite, replace, replace_by_other_columns, remove)


@pytest.mark.parametrize("after", [0, 1, 20, 40])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_a_change_between_blocks_is_refused(
    name: str, change: Change, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first block of forty, among them, and after the last."""
    monkeypatch.setattr(csv_batches, "BLOCK", 1 << 11)  # so that little of the file is read ahead
    path = written(tmp_path / name, packed(Path(name), content(right=90)))

    def changing(pieces: Iterable[Batch], rows: int) -> Iterator[Batch]:
        blocks = reblocked(pieces, ROWS // 40)
        for number, block in enumerate(blocks):
            if number == after:
                change(path)
            yield block
        if after == 40:
            change(path)

    monkeypatch.setattr(files, "reblocked", changing)
    with pytest.raises(InputError) as refused:
        adjudge.evaluate(path, reference="label", prediction="guess", engine="stream")
    gone = f'"{name}" cannot be read: No such file or directory.'
    assert "must not change while it is read" in str(refused.value) or (change is remove and str(refused.value) == gone)


def test_a_change_while_the_first_lines_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign between cells is that of the file that is read."""
    path = written(tmp_path / "t.csv", content(right=90))
    looked_at = files.delimited_as

    def changing(*arguments: object) -> object:
        found = looked_at(*arguments)  # type: ignore[arg-type]
        path.write_bytes(content(right=10).replace(b",", b";"))
        return found

    monkeypatch.setattr(files, "delimited_as", changing)
    source = open_source(path)
    with pytest.raises(InputError, match="must not change while it is read"):
        list(source.batches(source.column_names, []))


def fingerprint(text: bytes) -> str:
    return "sha256:" + sha256(len(text).to_bytes(8, "little") + text).hexdigest()[:16]


def asked(path: Path) -> Evaluation | InputError:
    try:
        return adjudge.evaluate(path, reference="label", prediction="guess", engine="stream", replicates=100)
    except InputError as error:
        return error


def test_whoever_writes_meanwhile_is_caught_or_told_truly(tmp_path: Path) -> None:
    """A thread replaces the file and adds to it, sooner and later, while it is evaluated again and again."""
    path, done = written(tmp_path / "t.csv", content(right=90)), threading.Event()
    texts = [content(right=90), content(right=10)]
    texts += [text + b"yes,yes\n" * 100 for text in texts]
    known = {fingerprint(text): text.count(b"yes,yes\n") / (text.count(b"\n") - 1) for text in texts}

    def write() -> None:
        turn = 0
        while not done.wait(0.03 * (turn % 20)):
            turn += 1
            other = written(tmp_path / "other", texts[turn % 2])
            other.rename(path)
            if turn % 3 == 0:
                append(path)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for turn in range(13):
            if turn == 12:
                done.set()
                writer.join()
            said = asked(path)
            assert turn < 12 or isinstance(said, Evaluation)
            if isinstance(said, Evaluation):
                assert said["accuracy"].value == known[said.outcome.data.fingerprint]
            else:
                assert "must not change while it is read" in str(said)
    finally:
        done.set()
        writer.join()
