"""The blocks of the first screen as they are drawn in HTML: places in percent and shades, from numbers that are there.

They are tables and SVG written by the templates: they show without a script, print, and take the page's colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudge.evaluation.panels import finite, finite_of
from adjudge.report import words
from adjudge.report.answers.answer import (
    Block,
    Cell,
    ForestBlock,
    ForestRow,
    GridBlock,
    LimitsBlock,
    ListBlock,
    MatrixBlock,
    SideColumn,
    Tick,
)

_SHADE = 0.55  # the strongest shade: ink reads on it with a contrast of 5 at least
_AIR = 0.06
_BROAD_COLUMNS = 6
_MANY_LABELS, _FEW_LABELS = 8, 4  # of a matrix that is as wide as its neighbour; of one with every margin
_MARGINS = 2
_UPRIGHT, _UPRIGHT_OF_FEW = 3, 10  # letters of a column's name that stands as it is, above many columns and above few


@dataclass(frozen=True, slots=True)
class Placed:
    """A label on an axis: where it stands in percent, and to which side it runs."""

    place: float
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Side:
    """The part of an axis beyond a limit, in percent."""

    start: float
    width: float


@dataclass(frozen=True, slots=True)
class StripScale:
    """What the strips of one block share."""

    least: float
    most: float
    ticks: list[Placed] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    beyond: list[Side] = field(default_factory=list)
    zero: float | None = None

    def place(self, value: float) -> float:
        """Where a value stands, in percent.

        >>> StripScale(0.0, 2.0).place(0.5)
        25.0
        """
        return _percent(value, self.least, self.most)


@dataclass(frozen=True, slots=True)
class Strip:
    """One estimate with its interval on a scale; `label` is what a screen reader says."""

    label: str
    mark: str
    point: float | None
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of a forest with its strip, under the name that it is shown by, and its column where there are several."""

    row: ForestRow
    strip: Strip
    name: str
    column: str


@dataclass(frozen=True, slots=True)
class DrawnForest:
    """A forest; `more` are the rows that the first screen cuts: they share its scale, and may run off its ends."""

    block: ForestBlock
    head: str
    scale: StripScale
    rows: list[DrawnRow]
    more: list[DrawnRow]
    kind: str = "forest"


@dataclass(frozen=True, slots=True)
class Tile:
    """A cell of a matrix: its text, how strongly it is shaded, and in which tone: right or wrong."""

    text: str
    shade: float
    tone: str
    marked: bool


@dataclass(frozen=True, slots=True)
class DrawnMatrix:
    """A matrix; `upright` column names are short enough to stand as they are. A broad one has few `margins`."""

    block: MatrixBlock
    tiles: list[list[Tile]]
    upright: bool
    dense: bool
    margins: list[SideColumn]
    kind: str = "matrix"


@dataclass(frozen=True, slots=True)
class DrawnGrid:
    """A grid; `strips` holds, for each row, the strips of its cells or None."""

    block: GridBlock
    head: str
    names: dict[str, str]  # by which rows are shown
    columns: dict[str, str]  # of which they are values, where there are several
    scale: StripScale
    rows: list[list[tuple[Cell, Strip | None]]]
    more: list[list[tuple[Cell, Strip | None]]]
    pictured: list[bool]  # by column
    judged: bool  # whether rows are judged: their words stand in a last column
    kind: str = "grid"


@dataclass(frozen=True, slots=True)
class Plain:
    """A block that is text alone."""

    block: LimitsBlock | ListBlock
    kind: str


Drawn = DrawnForest | DrawnMatrix | DrawnGrid | Plain


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One row of the page: a block, or two beside each other."""

    blocks: list[Drawn]
    layout: str


def evidence(blocks: Iterable[Block]) -> list[EvidenceRow]:
    """Blocks in rows: a broad one alone, narrow ones in pairs, the wider of two kinds on the left.

    >>> a, b = (ListBlock(name, ["item"], [["x"]]) for name in "ab")
    >>> [len(row.blocks) for row in evidence([a, b, a])]
    [2, 1]
    """
    rows: list[list[Drawn]] = []
    open_row = False
    for block in map(drawing_of, blocks):
        if _is_broad(block):
            rows.append([block])
            open_row = False
        elif open_row:
            rows[-1].append(block)
            open_row = False
        else:
            rows.append([block])
            open_row = True
    return [EvidenceRow(row, _layout(row)) for row in rows]


def _is_broad(block: Drawn) -> bool:
    return block.kind == "limits" or (isinstance(block, DrawnGrid) and len(block.block.columns) > _BROAD_COLUMNS)


def _layout(row: list[Drawn]) -> str:
    if len(row) == 1:
        return "broad" if _is_broad(row[0]) else "alone"
    kinds = [block.kind for block in row]
    if any(isinstance(block, DrawnMatrix) and len(block.block.column_names) > _MANY_LABELS for block in row):
        return "even"
    return "wide-left" if kinds[1] == "matrix" else "wide-right" if kinds[0] == "matrix" else "even"


def drawing_of(block: Block) -> Drawn:
    """A block with the places and shades its template needs."""
    if isinstance(block, ForestBlock):
        return _forest(block)
    if isinstance(block, MatrixBlock):
        return _matrix(block)
    if isinstance(block, GridBlock):
        return _shaded(block) if block.shaded else _grid(block)
    return Plain(block, block.kind)


def _forest(block: ForestBlock) -> DrawnForest:
    every, first = [*block.rows, *block.more], max(block.on_page.rows, len(block.rows))
    values = [value for row in every[:first] for value in (row.estimate, row.low, row.high)]
    scale = _scale([*values, block.against, *block.limits], block.ticks, block.limits, block.against)
    said = f", limits {' and '.join(map(words.short, block.limits))}" if block.limits else ""
    head, names = words.names_by_value(block.one, [row.name for row in every if not row.whole])
    columns = _columns(block.one, head, names)

    def row(one: ForestRow) -> DrawnRow:
        numbers = " ".join(one.texts[1:3])
        strip = _strip(f"{one.name}: {numbers}{said}", one.mark, (one.low, one.estimate, one.high), scale)
        return DrawnRow(one, strip, names.get(one.name, one.name), columns.get(one.name, ""))

    return DrawnForest(block, head, scale, [row(one) for one in every[:first]], [row(one) for one in every[first:]])


def _grid(block: GridBlock) -> DrawnGrid:
    every, first = [*block.rows, *block.more], max(block.on_page.rows, len(block.rows))
    values = [value for row in every[:first] for cell in row for value in cell.strip or ()]
    scale = _scale([*values, *block.limits], block.ticks, block.limits, None)

    def row(cells: list[Cell]) -> list[tuple[Cell, Strip | None]]:
        name = cells[0].text if cells else ""
        return [
            (
                cell,
                _strip(f"{name}: {cell.text} {cell.interval}".strip(), cell.mark or cells[0].mark, cell.strip, scale),
            )
            if cell.strip
            else (cell, None)
            for cell in cells
        ]

    judged = any(row[0].word for row in every if row)
    pictured = [any(j < len(row) and row[j].strip for row in every) for j in range(len(block.columns))]
    shown, more = [row(one) for one in every[:first]], [row(one) for one in every[first:]]
    head, names = words.names_by_value(block.columns[0], [row[0].text for row in every if row])
    return DrawnGrid(block, head, names, _columns(block.columns[0], head, names), scale, shown, more, pictured, judged)


def _columns(head: str, shown: str, names: dict[str, str]) -> dict[str, str]:
    """Of which column each value is, where the head of the table does not say it; of crossed ones both stand elsewhere.

    >>> _columns("slice", "slice", {"a = yes": "yes", "b = no": "no"}), _columns("slice", "a", {"a = yes": "yes"})
    ({'a = yes': 'a', 'b = no': 'b'}, {})
    """
    columns = {name: name.partition(" = ")[0] for name in names} if shown == head else {}
    return {name: column for name, column in columns.items() if " × " not in column}


def _strip(label: str, mark: str, ends: tuple[float | None, float | None, float | None], scale: StripScale) -> Strip:
    low, estimate, high = map(finite, ends)
    if estimate is None:
        return Strip(label, mark, None, None, None)
    bounded = low is not None or high is not None or any(value is not None and math.isinf(value) for value in ends)
    return Strip(
        label,
        mark,
        scale.place(estimate),
        (0.0 if low is None else scale.place(low)) if bounded else None,
        (100.0 if high is None else scale.place(high)) if bounded else None,
    )


def _scale(
    values: Iterable[float | None], ticks: Iterable[Tick], limits: list[float], against: float | None
) -> StripScale:
    known = finite_of([*values, *(tick.value for tick in ticks)])
    least, most = (min(known), max(known)) if known else (0.0, 1.0)
    air = (most - least) * _AIR or 0.5
    least, most = least - air, most + air
    placed = [Placed(_percent(tick.value, least, most), tick.text, "middle") for tick in ticks]
    lines = sorted(_percent(limit, least, most) for limit in finite_of(limits))
    zero = _percent(against, least, most) if against is not None and math.isfinite(against) else None
    return StripScale(least, most, placed, lines, _beyond(lines, zero), zero)


def _beyond(limits: list[float], zero: float | None) -> list[Side]:
    """The far sides: outside of two limits, or beyond a single one as seen from the value to compare with."""
    if len(limits) == 2:
        return [Side(0.0, limits[0]), Side(limits[1], round(100.0 - limits[1], 2))]
    if len(limits) == 1 and zero is not None and zero != limits[0]:
        return [Side(0.0, limits[0]) if limits[0] < zero else Side(limits[0], round(100.0 - limits[0], 2))]
    return []


def _matrix(block: MatrixBlock) -> DrawnMatrix:
    marked = set(block.marked)
    tiles = []
    for i, row in enumerate(block.counts):
        total = sum(finite_of(row))
        tiles.append([_tile(count, total, _tone(block, i, j), (i, j) in marked) for j, count in enumerate(row)])
    labels = len(block.column_names)
    # Of many labels the grid below tells the rest.
    margins = block.margins[: len(block.margins) if labels <= _FEW_LABELS else _MARGINS]
    margins = margins[-1:] if labels > _MANY_LABELS else margins
    longest = max(map(len, block.column_names), default=0)
    upright = longest <= (_UPRIGHT if labels > _FEW_LABELS else _UPRIGHT_OF_FEW)
    return DrawnMatrix(block, tiles, upright, 39 * labels + 45 * len(margins) > 390, margins)


def _tone(block: MatrixBlock, i: int, j: int) -> str:
    """Right on the diagonal; in an ordered scale one step beside it is less wrong than two."""
    if block.row_names[i] == block.column_names[j]:
        return "right"
    near = block.ordinal and abs(i - j) < 2
    return "near" if near else "wrong"


def _tile(count: float, total: float, tone: str, marked: bool) -> Tile:
    if not math.isfinite(count) or count == 0:
        return Tile("·" if count == 0 else words.MISSING, 0.0, "none", marked)
    share = count / total if total else 0.0
    # The root lets small shares of errors be seen beside each other.
    strength = share if tone == "right" else math.sqrt(share) * (0.5 if tone == "near" else 1.0)
    return Tile(
        words.count(count), round(_SHADE * min(1.0, strength), 3), "right" if tone == "right" else "wrong", marked
    )


def _shaded(block: GridBlock) -> DrawnMatrix:
    """Every two of the same names: the higher the bluer; red where a figure is below half of the median."""
    known = sorted(cell.value for row in block.rows for cell in row if cell.value is not None)
    edge = known[len(known) // 2] / 2 if known else 0.0

    def tile(cell: Cell) -> Tile:
        if cell.value is None:
            return Tile(cell.text, 0.0, "none", False)
        strength, tone = (1.0 - cell.value, "wrong") if cell.value < edge else (cell.value, "right")
        return Tile(cell.text, round(_SHADE * min(1.0, max(0.0, strength)) ** 2, 3), tone, False)

    names, tiles = block.columns[1:], [[tile(cell) for cell in row[1:]] for row in block.rows]
    rows = [row[0].text for row in block.rows]
    square = MatrixBlock(block.title, rows, names, [], corner=block.columns[0], note=block.note, rest=block.rest)
    return DrawnMatrix(square, tiles, max(map(len, names), default=0) <= _UPRIGHT, len(names) > _MANY_LABELS, [])


def _percent(value: float, least: float, most: float) -> float:
    return round(min(100.0, max(0.0, (value - least) / (most - least) * 100)), 2) if most > least else 50.0
