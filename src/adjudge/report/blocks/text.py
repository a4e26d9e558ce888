"""The blocks of the first screen as lines of text: forests, matrices, grids, limits and lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.evaluation.answers.answering import plural
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
)
from adjudge.report.sheet import NARROW, Sheet, SheetLine, columns_wide, pad, widest

STRIP = 23
LABEL = 5  # letters of a head above a matrix


def block_lines(block: Block, sheet: Sheet) -> Iterator[SheetLine]:
    """One block, whatever its kind."""
    if isinstance(block, ForestBlock):
        yield from _forest(block, sheet)
    elif isinstance(block, MatrixBlock):
        yield from _matrix(block, sheet)
    elif isinstance(block, GridBlock):
        yield from _grid(block, sheet)
    elif isinstance(block, LimitsBlock):
        yield from _limits(block, sheet)
    else:
        yield from _list(block, sheet)
    if block.rest:
        yield from (SheetLine(text, "dim") for text in sheet.wrapped(sheet.shown(block.rest), "  ", 2))


def _forest(block: ForestBlock, sheet: Sheet) -> Iterator[SheetLine]:
    wide = sheet.width >= NARROW and bool(block.ticks)
    most = 30 if wide else 20
    names = {row.name: row.name for row in block.rows}
    if any(columns_wide(sheet.shown(one)) > most for one in names):  # then without the names of their columns
        names |= words.names_by_value("", [row.name for row in block.rows if not row.whole])[1]
    name = widest(list(names.values()), sheet, most)
    texts = [max(columns_wide(sheet.shown(row.texts[i])) for row in block.rows) for i in range(3)]
    title = sheet.shown(f"{block.title}{', ' + block.axis.partition(', ')[2] if ', ' in block.axis else ''}")
    before = 2 + name + 2 + texts[0] + 2 + texts[1] + 2 + texts[2] + 2
    longest = max(columns_wide(sheet.shown(row.word)) for row in block.rows) + 4
    room = min(STRIP, sheet.width - before - min(longest, 30))
    wide = wide and room >= 11
    head = sheet.fitted(title, before - 1 if wide else sheet.width)
    yield SheetLine((pad(head, before) + (_scale(block, room, sheet) if wide else "")).rstrip(), "bold")
    for row in block.rows:
        n, value, span = (pad(sheet.shown(text), texts[i], right=True) for i, text in enumerate(row.texts[:3]))
        start = f"  {pad(sheet.ending(sheet.shown(names[row.name]), name), name)}  {n}  {value}"
        word = f"{sheet.mark(row.mark)} {sheet.shown(row.word)}"
        if wide:
            text = f"{start}  {span}  {_strip(row, block, room, sheet)}  "
            yield SheetLine(text + sheet.fitted(word, sheet.width - columns_wide(text)), mark=row.mark)
        elif sheet.width >= NARROW:
            yield SheetLine(f"{start}  {span}  {sheet.fitted(word, sheet.width - before)}", mark=row.mark)
        else:
            yield SheetLine(sheet.fitted(f"{start}  {span}", sheet.width))
            yield SheetLine(sheet.fitted(f"    {word}", sheet.width), mark=row.mark)


def _place(value: float, block: ForestBlock, room: int) -> int:
    low, high = (block.ticks[0].value, block.ticks[-1].value)
    share = (value - low) / (high - low) if high > low else 0.5
    return round(min(1.0, max(0.0, share)) * (room - 1))


def _scale(block: ForestBlock, room: int, sheet: Sheet) -> str:
    """The labels of the ticks, above their places."""
    cells = [" "] * (room + 4)
    for tick in block.ticks:
        text = sheet.shown(tick.text)
        start = max(0, min(room + 4 - len(text), _place(tick.value, block, room) - len(text) // 2))
        if all(cell == " " for cell in cells[max(0, start - 1) : start + len(text)]):
            cells[start : start + len(text)] = list(text)
    return "".join(cells).rstrip()


def _strip(row: ForestRow, block: ForestBlock, room: int, sheet: Sheet) -> str:
    """An interval drawn in characters, with the limits it is held against."""
    cells = [" "] * room
    for limit in block.limits:
        cells[_place(limit, block, room)] = ":" if sheet.ascii else "┊"
    if block.against is not None:
        cells[_place(block.against, block, room)] = "|" if sheet.ascii else "│"
    if row.estimate is None:
        return "".join(cells)
    low = _place(row.estimate if row.low is None else row.low, block, room)
    high = _place(row.estimate if row.high is None else row.high, block, room)
    for place in range(low, high + 1):
        if cells[place] == " ":
            cells[place] = "-" if sheet.ascii else "─"
    cells[_place(row.estimate, block, room)] = "o" if sheet.ascii else "●"
    return "".join(cells)


def _matrix(block: MatrixBlock, sheet: Sheet) -> Iterator[SheetLine]:
    """Counts with heads of five letters, or of fewer; where there is no room for these, the largest confusions."""
    for letters in (12,) if len(block.column_names) == 2 else (LABEL, LABEL - 1, LABEL - 2):
        if sheet.width >= NARROW and (lines := list(_table_of_counts(block, letters, sheet))):
            yield from lines
            return
    yield from _confusions(block, sheet)


def _table_of_counts(block: MatrixBlock, letters: int, sheet: Sheet) -> Iterator[SheetLine]:
    """The lines of a matrix; none where there is no room."""
    rows = [sheet.shown(name) for name in block.row_names]
    heads = distinct_blocks([sheet.shown(name) for name in block.column_names], letters)
    if heads is None:
        heads = [str(place) for place in range(1, len(block.column_names) + 1)]
        rows = [f"{place} {name}" for place, name in enumerate(rows, 1)]
    marked = set(block.marked)
    texts = [
        [_count(value, (i, j) in marked, sheet) for j, value in enumerate(row)] for i, row in enumerate(block.counts)
    ]
    widths = [max(columns_wide(head), *(len(row[j]) for row in texts)) for j, head in enumerate(heads)]
    margins = [[sheet.shown(f"{c.text} {sheet.mark(c.mark)}".rstrip()) for c in one.cells] for one in block.margins]
    names = [sheet.shown(one.name) for one in block.margins]
    wide = [max(columns_wide(name), *map(columns_wide, column)) for name, column in zip(names, margins, strict=True)]
    corner = sheet.shown(block.corner)
    room = max(8, sheet.width - 2 - sum(widths) - len(widths) - sum(wide) - 2 * len(wide) - 1)
    first = min(room, max(columns_wide(corner) - 2, *map(columns_wide, rows)))
    while wide and 2 + first + sum(widths) + len(widths) + sum(wide) + 2 * len(wide) > sheet.width:
        wide.pop()
    if 2 + first + sum(widths) + len(widths) + sum(wide) + 2 * len(wide) > sheet.width:
        return
    start = _alike(rows) if max(map(columns_wide, rows)) > first else 0
    head = pad(sheet.fitted(corner, first + 2), first + 2)
    head += "".join(f" {pad(text, width, right=True)}" for text, width in zip(heads, widths, strict=True))
    head += "".join(f"  {pad(text, width, right=True)}" for text, width in zip(names, wide, strict=False))
    yield SheetLine(head, "bold")
    for i, name in enumerate(rows):
        text = f"  {pad(sheet.fitted(name[start:], first), first)}"
        text += "".join(f" {pad(cell, width, right=True)}" for cell, width in zip(texts[i], widths, strict=True))
        text += "".join(f"  {pad(column[i], width, right=True)}" for column, width in zip(margins, wide, strict=False))
        yield SheetLine(text)
    if marked and block.stands_out:
        yield SheetLine(sheet.fitted(f"  > {block.stands_out}", sheet.width), "dim")


def _count(value: float, marked: bool, sheet: Sheet) -> str:
    """A count, with a sign before one that stands out."""
    return ("." if sheet.ascii else "·") if value == 0 else f"{'>' if marked else ''}{words.count(value)}"


def distinct_blocks(names: Sequence[str], most: int) -> list[str] | None:
    """Names cut to a few letters, without the words that all begin with, and longer where they would be the same.

    None where a dozen letters do not tell them apart.

    >>> distinct_blocks(["delivery", "billing"], 5), distinct_blocks(["label 10", "label 11"], 5)
    (['deliv', 'billi'], ['10', '11'])
    """
    start = _alike(names)
    for letters in range(most, 13):
        cut = [name[start : start + letters].rstrip() for name in names]
        if len(set(cut)) == len(set(names)):
            return cut
    return None


def _alike(names: Sequence[str]) -> int:
    """How many letters are the words that all names begin with.

    >>> _alike(["topic_billing", "topic_legal"]), _alike(["delivery", "delay"])
    (6, 0)
    """
    first, last = min(names, default=""), max(names, default="")
    same = next((place for place, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), 0)
    return max(first.rfind(sign, 0, same) for sign in " _-/.:") + 1


def _confusions(block: MatrixBlock, sheet: Sheet) -> Iterator[SheetLine]:
    """Where a matrix has no room: its largest confusions."""
    every = [
        (value, block.row_names[i], block.column_names[j])
        for i, row in enumerate(block.counts)
        for j, value in enumerate(row)
        if i != j and value > 0
    ]
    every.sort(key=lambda entry: -entry[0])
    yield SheetLine(sheet.fitted(sheet.shown("largest confusions"), sheet.width), "bold")
    for value, one, other in every[:5]:
        text = f"  {sheet.shown(one)} taken for {sheet.shown(other)}"
        yield SheetLine(sheet.fitted(f"{text}  {words.count(value)}", sheet.width))
    if len(every) > 5:
        yield SheetLine(f"  {len(every) - 5:,} more: --all", "dim")


def _grid(block: GridBlock, sheet: Sheet) -> Iterator[SheetLine]:
    yield from (SheetLine(text, "bold") for text in sheet.wrapped(sheet.shown(block.title)))
    rows = [[cell.text for cell in row] for row in block.rows]
    marks = [row[0] for row in block.rows]
    lines = list(_table(block.columns, rows, block.numbers, marks, sheet))
    head, short = words.names_by_value(block.columns[0], [row[0] for row in rows])
    if short and any(name not in line.text for name, line in zip(short, lines[1:], strict=True)):  # without room
        rows = [[short[name], *others] for name, *others in rows]
        lines = list(_table([head, *block.columns[1:]], rows, block.numbers, marks, sheet))
    yield from lines


def _list(block: ListBlock, sheet: Sheet) -> Iterator[SheetLine]:
    yield from (SheetLine(text, "bold") for text in sheet.wrapped(sheet.shown(block.title)))
    yield from _table(block.columns, block.rows, block.numbers, [Cell("")] * len(block.rows), sheet)


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], marks: Sequence[Cell], sheet: Sheet
) -> Iterator[SheetLine]:
    """Columns side by side; the first gives way where there is no room, then the last are left to --all."""
    shown = [[sheet.shown(text) for text in row] for row in (head, *rows)]
    ends = [f"{sheet.mark(cell.mark)} {sheet.shown(cell.word)}".strip() for cell in marks]
    widths = [max(columns_wide(row[j]) for row in shown) for j in range(len(head))]
    longest = max(map(columns_wide, ends), default=0)
    end = min(longest, 30) + 2 if longest else 0
    while len(widths) > 2 and 2 + min(widths[0], 12) + sum(widths[1:]) + 2 * len(widths) + end > sheet.width:
        if end > 4:
            end = 4  # the mark alone
        else:
            widths.pop()
    widths[0] = max(1, min(widths[0], sheet.width - 2 - sum(widths[1:]) - 2 * (len(widths) - 1) - end))
    for place, row in enumerate(shown):
        parts = [
            pad(sheet.fitted(text, width) if j else sheet.named(text, width), width, right=j in right)
            for j, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        text = "  " + "  ".join(parts)
        cell = marks[place - 1] if place else Cell("")
        if place and end:
            text += (
                f"  {sheet.fitted(ends[place - 1], sheet.width - columns_wide(text) - 2)}"
                if end > 4
                else (f" {sheet.mark(cell.mark)}")
            )
        yield SheetLine(sheet.fitted(text.rstrip(), sheet.width), "bold" if not place else "", cell.mark)


def _limits(block: LimitsBlock, sheet: Sheet) -> Iterator[SheetLine]:
    """Two lines a system: figures with their marks, and intervals below."""
    heads = [sheet.shown(name) for name in block.columns]
    limits = [sheet.shown(text) for text in block.limits]
    cells = [
        [
            (f"{sheet.shown(c.text)} {sheet.mark(c.mark)}".rstrip(), sheet.shown(c.interval).replace(", ", ","))
            for c in row.cells
        ]
        for row in block.rows
    ]
    widths = [
        max(columns_wide(heads[j]), columns_wide(limits[j]), *(max(map(columns_wide, row[j])) for row in cells))
        for j in range(len(heads))
    ]
    name = max(5, widest([row.name for row in block.rows], sheet, 20))
    while len(widths) > 1 and 2 + name + sum(widths) + 2 * len(widths) > sheet.width:
        widths.pop()
    first = [heads, limits]
    for place, texts in enumerate(first):
        start = pad("  limit" if place else "  " + sheet.fitted(sheet.shown(block.title), name), 2 + name)
        yield SheetLine(start + _row(texts, widths), "bold" if not place else "dim")
    for row, own in zip(block.rows, cells, strict=True):
        start = f"  {pad(sheet.named(sheet.shown(row.name), name), name)}"
        yield SheetLine(start + _row([one[0] for one in own], widths))
        yield SheetLine(" " * (2 + name) + _row([one[1] for one in own], widths), "dim")
    if len(widths) < len(heads):
        yield SheetLine(f"  {plural(len(heads) - len(widths), 'more limit')}: --all", "dim")


def _row(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {pad(text, width)}" for text, width in zip(texts, widths, strict=False)).rstrip()
