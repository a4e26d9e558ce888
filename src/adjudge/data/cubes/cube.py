"""The crossed cells of a table, with their meaning: what is saved, added, sliced again, and what SQL counts.

A cell is every row with the same slice levels, and the same in whatever else the task counts rows by: reference,
predictions and cells of scores (`grid.py`), ratings, votes, outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from adjudge.data.cubes.counted import check_levels
from adjudge.data.cubes.grid import BEYOND, INFINITE, UNREADABLE, Cells
from adjudge.data.cubes.meaning import BAG, CELL, KEY, SUMMED, SUMS, WEIGHTS, CubeMeaning, replace_meaning
from adjudge.data.cubes.number_labels import numbers_of_labels
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.keys import keys_of_labels, mixed
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Numbers, Text, check_request
from adjudge.data.values import encodable
from adjudge.errors import InputError, listed, quoted

Sums = NDArray[np.float64]

MOST_CELLS = 5_000_000
# Rows of all cells, whose sums must be exact; and of those that are read one by one, which takes hours.
MOST_ROWS, MOST_ONE_BY_ONE = 2**53, 10**11
DERIVED = "labels"  # a member of the file that its cells tell, for whoever reads it otherwise
FORMER = ("bits", "guarded", "small_cells")  # members that earlier versions wrote
CONTENT = "cells:"  # before a digest of what was counted
ONCE_IN_A_MILLION = np.log(1e6)
AT_ONCE = 2**20  # cells of blocks are joined when there are so many of them


@dataclass(frozen=True)
class Cube(Remarks):
    """Cells as columns: labels by role, cells of scores, how many rows, and sums over them.

    It is a source of rows that stand for several each, in one block: what is known inside cells adds only as cells.
    """

    meaning: CubeMeaning
    labels: Mapping[str, Text]  # by column of the file
    cells: Mapping[str, Cells]  # by score
    sums: Mapping[str, Sums]  # by score, (cells, 3)
    n: Cells
    more: Mapping[str, object] = field(default_factory=dict)  # members of the file that a later version added
    name: str = "cube"
    doubts: tuple[str, ...] = ()  # whether they are counts, of cells that were counted elsewhere

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns of the table that was counted."""
        scores = self.meaning.scored.values()
        units = [name for name in (self.meaning.weight, self._unit) if name is not None]
        return tuple(dict.fromkeys([*self.meaning.label_columns.values(), *scores, *units]))

    @property
    def _unit(self) -> str | None:
        """What bags are read as."""
        return self.meaning.unit_column

    @property
    def notes(self) -> tuple[str, ...]:
        """Which numbers are not as they were."""
        return tuple(
            f"{quoted(name)} was rounded to multiples of {step:g} when rows were counted: each number is within "
            f"{step / 2:g} of what it was."
            for name, step in self.meaning.rounded.items()
        )

    @property
    def counted(self) -> bool:
        """Its rows are counts."""
        return True

    @property
    def ordered(self) -> bool:
        """Cells are in the order of their keys: that of the rows is not kept."""
        return False

    def fingerprint(self) -> str:
        """Of the tables that were counted."""
        return " + ".join(self.meaning.sources)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """All cells as one block; where they hold everything of rows, as many rows as there were, block by block."""
        check_request([*texts, *numbers], self.column_names, rows)
        if self.meaning.of_rows:
            yield from self._one_by_one(texts, numbers, rows)
            return
        columns: dict[str, Text | Numbers] = {name: self._text(name) for name in texts}
        weights = self.sums.get(WEIGHTS)
        for name in numbers:
            if name == self.meaning.weight and weights is not None:
                columns[name] = Numbers(weights[:, 0])
            else:
                scores = {column: score for score, column in self.meaning.scored.items()}
                columns[name] = self._scores(scores[name])
        yield Batch(len(self.n), columns, self.n, squares=None if weights is None else weights[:, 1])

    def _one_by_one(self, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
        """Every row of the table, those of one bag, and in it those that are alike, one after another."""
        order = np.arange(len(self.n)) if self._unit is None else np.argsort(self.labels[BAG].codes, kind="stable")
        ends = np.cumsum(self.n[order])
        values = {name: numbers_of_labels(self._text(name)) for name in numbers}
        for start in range(0, int(self.n.sum()), rows):
            places = np.arange(start, min(start + rows, int(ends[-1])))
            cell = order[np.searchsorted(ends, places, side="right")]
            columns: dict[str, Text | Numbers] = {name: one.of_rows(cell) for name, one in values.items()}
            columns |= {name: self._text(name).of_rows(cell) for name in texts}
            yield Batch(len(cell), columns)

    def _text(self, name: str) -> Text:
        """A column of the table as labels; how scores were written is not kept."""
        # A column that is a role and a slice is in the file as both.
        own = {column: own for own, column in self.meaning.label_columns.items()}
        known = self.labels.get(BAG if name == self._unit else own.get(name, ""))
        return Text(np.full(len(self.n), -1), ()) if known is None else known

    def _scores(self, name: str) -> Numbers:
        cells = self.cells[name]
        lows = self.meaning.grid(name).lows(cells)
        values = np.where(cells == INFINITE, np.inf, np.where(cells <= BEYOND, np.nan, lows))
        sums, weights = self.sums.get(name), self.sums.get(WEIGHTS)
        each = self.n if weights is None else weights[:, 0]
        means = None if sums is None else sums / np.where(each > 0, each, 1)[:, None]
        return Numbers(values, cells == UNREADABLE, means)

    def __add__(self, other: Cube) -> Cube:
        """The cells of both tables; the same table twice is refused."""
        meaning = self.meaning + other.meaning
        both = [name for name in self.more if name in other.more and self.more[name] != other.more[name]]
        if both:
            raise InputError(
                f"Cubes must say the same in what this version does not know, but they differ in {listed(both)}. Use "
                "the adjudge that wrote them."
            )
        return replace(joined_cubes(meaning, [self, other]), more={**self.more, **other.more})

    def chosen(self, column: str, levels: Sequence[str]) -> Cube:
        """The cells in which a slice column has one of these levels."""
        if column not in self.meaning.slices:
            raise InputError(
                f"`where` must name a slice column of the cube, which are {listed(self.meaning.slices)}, not "
                f"{quoted(column)}."
            )
        text = self.labels[column]
        check_levels(column, levels, text.labels)
        return self.of_cells(np.flatnonzero(np.isin(text.codes, [text.labels.index(level) for level in levels])))

    def with_missing(self, words: Sequence[str]) -> Cube:
        """The same cells, in which these words stand for what is missing."""
        labels = {}
        for name, text in self.labels.items():
            gone = np.array([*(name != BAG and label in words for label in text.labels), False])
            labels[name] = Text(np.where(gone[text.codes], -1, text.codes), text.labels)
        cube = cube_of_cells(self.meaning, labels, self.cells, self.sums, self.n)
        return replace(self, labels=cube.labels, cells=cube.cells, sums=cube.sums, n=cube.n)

    def of_cells(self, rows: Cells) -> Cube:
        """Some of the cells."""
        return replace(
            self,
            labels={name: one.of_rows(rows) for name, one in self.labels.items()},
            cells={name: one[rows] for name, one in self.cells.items()},
            sums={name: one[rows] for name, one in self.sums.items()},
            n=self.n[rows],
        )

    @property
    def _told(self) -> dict[str, object]:
        """What the cells tell by themselves: the order of labels."""
        beside = {*self.meaning.slices, *self.meaning.numbers, BAG}
        return {DERIVED: {name: list(text.labels) for name, text in self.labels.items() if name not in beside}}

    @property
    def held(self) -> dict[str, str]:
        """By digest, each table that was counted, and all of them together, which may be one elsewhere."""
        contents = self.meaning.contents
        total = sum(int(digest.removeprefix(CONTENT), 16) for digest in contents) % 2**64
        return {f"{CONTENT}{total:016x}": self.name, **contents} if contents else {}

    def of_table(self, read: int, used: int, left_out: Mapping[str, int]) -> Cube:
        """The same, which says how many rows of its table were read, used, and left out by reason."""
        rows = replace_meaning(self.meaning, rows_read=read, rows_used=used, left_out=dict(left_out))
        return replace(self, meaning=rows)

    def to_bytes(self) -> bytes:
        """The file: rows in order of all keys, so the same data give the same bytes."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns: dict[str, object] = {}
        for name, text in self.labels.items():
            codes = pa.array(text.codes, pa.int32(), mask=text.codes < 0)
            if name == BAG and self.meaning.bags:
                numbers = np.array([*map(int, text.labels), 0], dtype=np.uint8)
                columns[name] = pa.array(numbers[text.codes], pa.uint8(), mask=text.codes < 0)
                continue
            columns[name] = pa.DictionaryArray.from_arrays(codes, pa.array(encodable(text.labels), pa.string()))
        columns |= {f"{CELL}:{name}": pa.array(cells, pa.int32()) for name, cells in self.cells.items()}
        columns["n"] = pa.array(self.n, pa.int64())
        for name, sums in self.sums.items():
            parts = SUMMED if name == WEIGHTS else [f"{what}:{name}" for what in SUMS]
            columns |= {part: pa.array(sums[:, place]) for place, part in enumerate(parts)}
        # Members in the order of their names, and systems in their own.
        document = dict(sorted({**self.more, **msgspec.to_builtins(self.meaning), **self._told}.items()))
        table = pa.table(encodable(columns)).replace_schema_metadata({KEY: msgspec.json.encode(encodable(document))})
        buffer = BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        return buffer.getvalue()


def added_up(meaning: CubeMeaning, parts: Iterable[Cube]) -> Cube:
    """One cube of those of all blocks, few of which are held at once."""
    waiting: list[Cube] = []
    for part in parts:
        waiting.append(part)
        if len(waiting) > 1 and sum(len(one.n) for one in waiting) > AT_ONCE:
            waiting = [joined_cubes(meaning, waiting)]
    return joined_cubes(meaning, waiting)


def joined_cubes(meaning: CubeMeaning, parts: Sequence[Cube]) -> Cube:
    """One cube of several with the same columns."""
    first = parts[0]
    return cube_of_cells(
        meaning,
        {name: _aligned([part.labels[name] for part in parts]) for name in first.labels},
        {name: np.concatenate([part.cells[name] for part in parts]) for name in first.cells},
        {name: np.concatenate([part.sums[name] for part in parts]) for name in first.sums},
        np.concatenate([part.n for part in parts]),
    )


def cube_of_cells(
    meaning: CubeMeaning, labels: Mapping[str, Text], cells: Mapping[str, Cells], sums: Mapping[str, Sums], n: Cells
) -> Cube:
    """A cube of rows or cells: equal ones are one, and stand in the order of their keys."""
    labels = {name: _aligned([text]) for name, text in labels.items()}
    keys = [*(text.codes for text in labels.values()), *cells.values()]
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    starts = np.flatnonzero(new)
    _check_cells(len(starts), labels, cells)
    if (rows := n.sum(dtype=np.float64)) > (most := MOST_ONE_BY_ONE if meaning.of_rows else MOST_ROWS):
        raise InputError(f"Cells must be of at most {most:,} rows together, but these are of {rows:,.0f}. Count again.")
    first = order[starts]
    return Cube(
        meaning,
        {name: text.of_rows(first) for name, text in labels.items()},
        {name: one[first] for name, one in cells.items()},
        {name: np.add.reduceat(one[order], starts, axis=0) if len(starts) else one for name, one in sums.items()},
        np.add.reduceat(n[order], starts) if len(starts) else n,
    )


def with_contents(cube: Cube) -> Cube:
    """The cube of one table, which says by a digest what was counted, where two tables hardly have that by chance.

    The digest is a sum over rows, whatever their order was and the format of the file. The chance that two Poisson
    counts with mean n are equal is about 1 / √(4πn); all cells together must have less than one in a million.
    """
    counts = cube.n[cube.n > 0]
    if 0.5 * np.log(4 * np.pi * counts).sum() <= ONCE_IN_A_MILLION:
        return cube
    keys = np.zeros(len(cube.n), dtype=np.uint64)
    for name, text in cube.labels.items():
        if name != BAG:  # which may go by the order of rows
            keys = mixed(keys ^ keys_of_labels((*text.labels, ""))[text.codes] ^ (text.codes < 0).astype(np.uint64))
    for cells in cube.cells.values():
        keys = mixed(keys ^ mixed(cells.astype(np.uint64)))
    digest = int((mixed(keys) * cube.n.astype(np.uint64)).sum(dtype=np.uint64))
    name = next(iter(cube.meaning.sources.values()), cube.name)
    return replace(cube, meaning=replace_meaning(cube.meaning, contents={f"{CONTENT}{digest:016x}": name}))


def _check_cells(many: int, labels: Mapping[str, Text], cells: Mapping[str, Cells]) -> None:
    """Refuse more cells than can be looked at at once."""
    if many > MOST_CELLS:
        sizes = {name: len(text.labels) for name, text in labels.items()}
        sizes |= {name: len(np.unique(one)) for name, one in cells.items()}
        widest = max(sizes, key=sizes.__getitem__)
        raise InputError(
            f"A cube must have at most {MOST_CELLS:,} cells, but this one has {many:,}, most of them through "
            f"{quoted(widest)}. Leave it out, round it, or ask for fewer cells of scores."
        )


def _aligned(parts: Sequence[Text]) -> Text:
    """Pieces of one column, over the labels in use, in their natural order."""
    used = [{part.labels[code] for code in np.unique(part.codes).tolist() if code >= 0} for part in parts]
    labels = ordered_labels(set[str]().union(*used))
    place = {label: code for code, label in enumerate(labels)}
    # The extra last place is what a missing value's code, -1, picks.
    tables = [np.array([*(place.get(label, -1) for label in part.labels), -1], dtype=np.int64) for part in parts]
    return Text(np.concatenate([table[part.codes] for table, part in zip(tables, parts, strict=True)]), labels)
