"""Parquet files by the numbers of their rows: their footers say how many each row group has."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from adjudge.data.blocks import reblocked
from adjudge.data.foreign import refusing
from adjudge.data.remarks import MadeOfAnother
from adjudge.data.source import ROWS, Batch, check_request
from adjudge.data.tables.file_formats import FORMATS, parquet_pieces
from adjudge.data.tables.files import Files
from adjudge.errors import InputError, quoted


@dataclass(frozen=True, slots=True)
class NumberedFiles(MadeOfAnother):
    """Some of the rows of files, wherever the files can be opened under the same names."""

    files: Files
    groups: tuple[tuple[int, ...], ...]  # rows of each row group, file by file
    first: int
    last: int

    def origin(self) -> Files:
        """The files."""
        return self.files

    @property
    def edges(self) -> tuple[int, ...]:
        """Where row groups begin, and the end."""
        return tuple(accumulate((rows for groups in self.groups for rows in groups), initial=0))

    def between(self, first: int, last: int) -> NumberedFiles:
        """Some of the rows."""
        return replace(self, first=first, last=last)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns in blocks that begin with the first of these rows."""
        check_request([*texts, *numbers], self.column_names, rows)
        return reblocked(self._pieces(texts, numbers, rows), rows)

    def digests(self) -> dict[int, str]:
        """Those of the files whose first row is one of these, by place; of one without a row, with the row after it."""
        starts = accumulate((sum(groups) for groups in self.groups), initial=0)
        begun = [place for place, start in zip(range(len(self.groups)), starts, strict=False) if self._has(start)]
        known = {place: self.files.digest(place) for place in begun}
        for place in begun:
            self._check(self.files.paths[place], ())
        return known

    def _has(self, row: int) -> bool:
        return self.first <= row < self.last

    def learn(self, digests: Mapping[int, str]) -> None:
        """Take digests of files that were made elsewhere."""
        self.files.digests.update(digests)

    def _pieces(self, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
        """Row groups that hold some of the rows; a group is decoded from its beginning, there is no other way in."""
        start = 0
        for path, groups in zip(self.files.paths, self.groups, strict=True):
            starts = list(accumulate(groups, initial=start))
            some = [k for k, size in enumerate(groups) if starts[k] < self.last and starts[k] + size > self.first]
            start = starts[-1]
            if not some:
                continue
            self._check(path, [*texts, *numbers])
            row = max(starts[some[0]], self.first)
            for piece in parquet_pieces(path, texts, numbers, rows, some, skipped=row - starts[some[0]]):
                if tail := min(self.last - row, piece.rows):
                    yield piece[:tail]
                row += piece.rows
                if row >= self.last:
                    break

    def _check(self, path: Path, columns: Sequence[str]) -> None:
        """What is read must be there, the same as where the work was planned, and have the same columns."""
        try:
            now = os.stat(path)
        except OSError:
            raise InputError(
                f"Files must be where every worker can open them under the same name, but {quoted(path.name)} is not "
                "there for one. Put them into a folder that all share."
            ) from None
        if (now.st_size, now.st_mtime_ns) != self.files.states[path][2:4]:
            raise InputError(
                f"A file must not change while it is read, but {quoted(path.name)} did. Wait until it is written, or "
                "copy it first."
            )
        if path != self.files.paths[0]:
            self.files.check_alike(path, columns)


def numbered_files(files: Files) -> NumberedFiles | None:
    """The files with their numbers of rows; None where a format does not tell them."""
    if files.format is not FORMATS[".parquet"]:
        return None
    import pyarrow.parquet as pq

    groups = []
    for path in files.paths:
        with refusing(path.name):
            footer = pq.read_metadata(path)
            groups.append(tuple(footer.row_group(place).num_rows for place in range(footer.num_row_groups)))
    absolute = {path: Path(os.path.abspath(path)) for path in files.paths}
    everywhere = replace(
        files,
        paths=tuple(absolute.values()),
        states={absolute[path]: state for path, state in files.states.items()},
    )
    return NumberedFiles(everywhere, tuple(groups), 0, sum(map(sum, groups)))
