"""The crossed cells of a table, with their meaning: what is saved, added, sliced again, and what SQL counts.

A cell is every row with the same slice levels, and the same in whatever else the task counts rows by: reference,
predictions and cells of scores, ratings, votes, outcomes. A cell of scores has the number floor(score · 2ᵏ), which is
exact in binary arithmetic and so the same from every engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from adjudge.data.cubes.counted import check_levels
from adjudge.data.cubes.number_labels import numbers_of_labels
from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Numbers, Text, check_request
from adjudge.data.values import encodable
from adjudge.errors import InputError, SettingError, listed, quoted

Cells = NDArray[np.int64]
Sums = NDArray[np.float64]

FORMAT = "adjudge.cube/1"
KEY = b"adjudge.cube"
BITS, MOST_BITS = 12, 24  # a score in [0, 1] falls into one of 4,096 cells, and 1 into one of its own
MOST_CELLS = 5_000_000
# Rows of all cells, whose sums must be exact; and of those that are read one by one, which takes hours.
MOST_ROWS, MOST_ONE_BY_ONE = 2**53, 10**11
MISSING, INFINITE, UNREADABLE, BEYOND = range(-(2**31), -(2**31) + 4)  # in place of a score's cell
SUMS = ("score_sum", "loss_sum", "error_sum")  # over the rows of a cell: score, surprise, squared error; weighted
WEIGHTS, SQUARES, BAG = "w", "w2", "bag"  # the weight of a cell's rows, its squares, and which units they are of
ROWS_IN_BAGS = "(bag of rows)"
AT_ONCE = 2**20  # cells of blocks are joined when there are so many of them


class CubeSystem(msgspec.Struct, frozen=True):
    """A system, with the columns that its answers were in."""

    name: str
    prediction: str | None = None
    score: str | None = None


class CubeMeaning(msgspec.Struct, frozen=True, kw_only=True):
    """What the cells are of."""

    format: str = FORMAT
    task: str
    unit: str = "row"
    reference: str = ""  # none where raters are held against one another
    systems: tuple[CubeSystem, ...] = ()
    slices: tuple[str, ...]
    raters: tuple[str, ...] = ()
    keys: dict[str, str] = {}  # of rows that are read one by one: columns of the file, and of the table
    numbers: tuple[str, ...] = ()  # those of them that are numbers
    guarded: tuple[str, ...] = ()  # those of them of which, in each slice, none may be rare where a cube is shared
    rounded: dict[str, float] = {}  # columns of the table whose numbers were, to multiples of a step
    settings: dict[str, object] = {}  # how else what the cells hold is read
    positive: str | None = None
    weight: str | None = None
    cluster: str | None = None
    bags: int = 0  # of clusters, or of rows that differ in weight; 0: every row counts one, and stands for itself
    bits: int = BITS  # cells of scores are 2 to the power of minus this wide
    sources: dict[str, str] = {}  # by fingerprint, what each was called
    merged: tuple[str, ...] = ()  # what was joined so that no cell is small
    versions: dict[str, str] = {}

    @property
    def label_columns(self) -> dict[str, str]:
        """The columns of labels in the file, each with the column of the table that it was."""
        columns = {name: name for name in self.slices}
        if self.of_rows:
            return columns | {f"rating:{name}": name for name in self.raters} | self.keys
        columns["reference"] = self.reference
        return columns | {f"prediction:{s.name}": s.prediction for s in self.systems if s.prediction is not None}

    @property
    def of_rows(self) -> bool:
        """Whether a cell holds everything of its rows, which are then read one by one; otherwise, sums over them."""
        return bool(self.raters or self.keys)

    @property
    def rare(self) -> tuple[str, ...]:
        """The columns of the file whose combinations must not be rare where the cube is shared."""
        return (*self.slices, *(self.guarded if self.of_rows else ("reference",)))

    @property
    def given(self) -> dict[str, object]:
        """The roles and settings that the cells are evaluated with, but for slices."""
        if self.of_rows:
            raters = {"raters": list(self.raters)} if self.raters else {}
            return {**raters, "engine": "stream", **self.settings}
        systems = {
            one.name: {
                role: column
                for role, column in (("prediction", one.prediction), ("score", one.score))
                if column is not None
            }
            for one in self.systems
        }
        units = {"positive": self.positive, "weight": self.weight, "cluster": self.unit_column}
        known = {role: value for role, value in units.items() if value is not None}
        return {"reference": self.reference, "systems": systems, **known}

    @property
    def unit_column(self) -> str | None:
        """What bags are read as: the column of clusters, or a name of their own."""
        own = self.cluster if self.cluster is not None else ROWS_IN_BAGS
        return own if self.bags else None


@dataclass(frozen=True)
class Cube(Remarks):
    """Cells as columns: labels by role, cells of scores, how many rows, and sums over them.

    It is a source of rows that stand for several each, in one block: what is known inside cells adds only as cells.
    """

    meaning: CubeMeaning
    labels: Mapping[str, Text]  # by column of the file
    cells: Mapping[str, Cells]  # by system
    sums: Mapping[str, Sums]  # by system, (cells, 3)
    n: Cells
    more: Mapping[str, object] = field(default_factory=dict)  # members of the file that a later version added
    name: str = "cube"
    doubts: tuple[str, ...] = ()  # whether they are counts, of cells that were counted elsewhere

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns of the table that was counted."""
        systems = [name for one in self.meaning.systems for name in (one.prediction, one.score) if name is not None]
        units = [name for name in (self.meaning.weight, self._unit) if name is not None]
        return tuple(dict.fromkeys([*self.meaning.label_columns.values(), *systems, *units]))

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
                columns[name] = self._scores(next(one.name for one in self.meaning.systems if one.score == name))
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

    def _scores(self, system: str) -> Numbers:
        cells = self.cells[system]
        values = np.where(cells == INFINITE, np.inf, np.where(cells <= BEYOND, np.nan, cells / 2.0**self.meaning.bits))
        return Numbers(values, cells == UNREADABLE, self.sums.get(system))

    def __add__(self, other: Cube) -> Cube:
        """The cells of both tables; the same table twice is refused."""
        if twice := sorted({*self.meaning.sources} & {*other.meaning.sources} - {""}):
            raise InputError(
                f"A table must be counted once, but {quoted(self.meaning.sources[twice[0]])} is in both cubes. "
                "Leave one out."
            )
        mine, theirs = (replace_meaning(cube.meaning, sources={}, versions={}, merged=()) for cube in (self, other))
        if mine != theirs:
            differing = [name for name in mine.__struct_fields__ if getattr(mine, name) != getattr(theirs, name)]
            raise InputError(
                f"Cubes must be of the same roles and cells to be added, but they differ in {listed(differing)}. "
                "Count the tables alike."
            )
        sources = dict(sorted((self.meaning.sources | other.meaning.sources).items()))
        merged = tuple(dict.fromkeys(self.meaning.merged + other.meaning.merged))
        return joined_cubes(replace_meaning(self.meaning, sources=sources, merged=merged), [self, other])

    def chosen(self, column: str, levels: Sequence[str]) -> Cube:
        """The cells in which a slice column has one of these levels."""
        if column not in self.meaning.slices:
            raise InputError(
                f"`where` must name a slice column of the cube, which are {listed(self.meaning.slices)}, not "
                f"{quoted(column)}."
            )
        text = self.labels[column]
        check_levels(column, levels, text.labels)
        rows = np.flatnonzero(np.isin(text.codes, [text.labels.index(level) for level in levels]))
        return replace(
            self,
            labels={name: one.of_rows(rows) for name, one in self.labels.items()},
            cells={name: one[rows] for name, one in self.cells.items()},
            sums={name: one[rows] for name, one in self.sums.items()},
            n=self.n[rows],
        )

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
        columns |= {f"cell:{name}": pa.array(cells, pa.int32()) for name, cells in self.cells.items()}
        columns["n"] = pa.array(self.n, pa.int64())
        for name, sums in self.sums.items():
            parts = (WEIGHTS, SQUARES) if name == WEIGHTS else [f"{what}:{name}" for what in SUMS]
            columns |= {part: pa.array(sums[:, place]) for place, part in enumerate(parts)}
        # Members in the order of their names, and systems in their own.
        document = dict(sorted({**self.more, **msgspec.to_builtins(self.meaning)}.items()))
        table = pa.table(encodable(columns)).replace_schema_metadata({KEY: msgspec.json.encode(encodable(document))})
        buffer = BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        return buffer.getvalue()


def replace_meaning(meaning: CubeMeaning, **changes: object) -> CubeMeaning:
    """The same with other members."""
    return msgspec.structs.replace(meaning, **changes)


def check_names(meaning: CubeMeaning) -> None:
    """Refuse slices that have the name of another column of the file, or are the units that bags are of."""
    own = replace_meaning(meaning, slices=()).label_columns
    if taken := sorted({*meaning.slices} & {*own, BAG, "n"}):
        raise SettingError(
            f"A slice of a cube must not be called {quoted(taken[0])}, which the file calls something else. Rename it."
        )
    if meaning.cluster in meaning.slices:
        raise SettingError(
            f"A slice of a cube must not be what rows are drawn by, but {quoted(meaning.cluster)} is, and is kept in "
            "bags. Leave it out, or copy it under another name."
        )


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
