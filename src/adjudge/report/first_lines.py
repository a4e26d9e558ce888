"""The first screen as lines of text: at most 100 columns, in any encoding, whatever the labels hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adjudge.report import words
from adjudge.report.answer import (
    MARKS,
    Answer,
    Block,
    Cell,
    ForestBlock,
    ForestRow,
    GridBlock,
    LimitsBlock,
    ListBlock,
    MatrixBlock,
)

WIDEST, NARROW = 100, 80
LONGEST = 40
HANG = 17  # where the text of a finding begins
STRIP = 23
LABEL = 5  # letters of a head above a matrix
ASCII_MARKS = {
    "beyond": "[X]",
    "looks": "[!]",
    "undecided": "[?]",
    "few": "[.]",
    "undefined": "[-]",
    "within": "[ok]",
    "plain": "[*]",
}
STYLES = {"beyond": "red", "looks": "yellow", "within": "green"}
_ASCII = {
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "-",
    "…": "~",
    "∞": "inf",
    "“": '"',
    "”": '"',
    "’": "'",
    "α": "a",
    "κ": "k",
}
_ASCII |= {
    "±": "+/-",
    "│": "|",
    "┊": ":",
    "─": "-",
    "●": "o",
    "→": "->",
    "×": "x",
    "█": "#",
    "²": "2",
    "≥": ">=",
    "≤": "<=",
}
_TO_ASCII = str.maketrans(_ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """One line, with the style of all of it, or of the mark that it shows."""

    text: str
    style: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed on: so many columns, in some encoding."""

    width: int
    encoding: str = "utf-8"
    ascii: bool = False

    def shown(self, text: str, most: int = 2000) -> str:
        """Text in characters that can be shown, none of which moves the cursor."""
        text = words.visible(text, most)
        text = text.translate(_TO_ASCII) if self.ascii else text
        return text.encode(self.encoding, "backslashreplace").decode(self.encoding)

    def mark(self, mark: str) -> str:
        """How a state is drawn."""
        return "" if not mark else ASCII_MARKS[mark] if self.ascii else MARKS[mark]

    def wrapped(self, text: str, first: str = "", indent: int = 0) -> list[str]:
        """Text broken between words; one that is longer than a line is broken inside."""
        from rich.cells import cell_len, chop_cells

        lines, line = [], first
        for piece in _unbroken(text):
            word = piece
            start = line if not line.strip() or line.endswith(" ") else f"{line} "
            if cell_len(start) + cell_len(word) > self.width and line.strip():
                lines.append(line.rstrip())
                start = " " * indent
            while cell_len(start) + cell_len(word) > self.width:
                room = max(8, self.width - cell_len(start))
                pieces = chop_cells(word, room)
                lines.append(start + pieces[0])
                start, word = " " * indent, "".join(pieces[1:])
            line = start + word
        return [*lines, line.rstrip()]

    def fitted(self, text: str, room: int) -> str:
        """Text cut to some room."""
        from rich.cells import cell_len, set_cell_size

        if cell_len(text) <= room:
            return text
        return set_cell_size(text, max(1, room - 1)).rstrip() + ("~" if self.ascii else "…")

    def ending(self, text: str, room: int) -> str:
        """The end of a name that has no room: what parts it from the others stands there."""
        from rich.cells import cell_len

        while cell_len(text) > room and len(text) > 1:
            text = text[2:] if text[0] in "~…" else text[1:]
            text = ("~" if self.ascii else "…") + text
        return text


def _unbroken(text: str) -> list[str]:
    """Words, with intervals and percentages in one piece.

    >>> _unbroken("87.7 % [82.6, 91.5] of 212")
    ['87.7 %', '[82.6, 91.5]', 'of', '212']
    """
    kept: list[str] = []
    for word in text.split(" "):
        open_bracket = kept and kept[-1].startswith("[") and "]" not in kept[-1] and len(kept[-1]) < 16
        if kept and (word.startswith("%") or open_bracket):
            kept[-1] = f"{kept[-1]} {word}"
        else:
            kept.append(word)
    return kept


def lines_of(answer: Answer, sheet: Sheet) -> list[Line]:
    """The whole first screen; on a wide sheet the last blocks give way to the line that says where they are."""
    for kept in range(len(answer.blocks), 0, -1):
        left = [block.title for block in answer.blocks[kept:] if block.title]
        more = " · ".join(part for part in (answer.more, f"also {', '.join(left)}: --all" if left else "") if part)
        lines = list(_lines(replace(answer, blocks=answer.blocks[:kept], more=more), sheet))
        if len(lines) <= LONGEST or sheet.width < WIDEST:
            return lines
    return list(_lines(answer, sheet))


def _lines(answer: Answer, sheet: Sheet) -> Iterator[Line]:
    """Every line of a first screen."""
    for text in sheet.wrapped(sheet.shown(" · ".join(answer.top)), indent=2):
        yield Line(text, "dim")
    yield Line("")
    for check in answer.checks:
        for text in sheet.wrapped(sheet.shown(f"{words.CHECK_FIRST}: {check}")):
            yield Line(text, "bold yellow")
    for text in sheet.wrapped(sheet.shown(answer.headline)):
        yield Line(text, "bold")
    for finding in answer.findings:
        start = f"  {sheet.mark(finding.mark)} {sheet.shown(finding.word)} "
        start = start.ljust(HANG)
        for place, text in enumerate(sheet.wrapped(sheet.shown(finding.text), start, HANG)):
            yield Line(text, mark=finding.mark if place == 0 else "")
    for block in answer.blocks:
        yield Line("")
        yield from block_lines(block, sheet)
    if answer.steps or answer.doubt or answer.more:
        yield Line("")
    for place, step in enumerate(answer.steps, 1):
        start = f"Next  {place}. " if place == 1 else f"      {place}. "
        command = f" {step.command}" if step.command else ""
        for text in sheet.wrapped(sheet.shown(step.text + command), start, 9):
            yield Line(text)
    for name, text in (("Doubt ", answer.doubt), ("More  ", answer.more)):
        if text:
            yield from (Line(one, "dim") for one in sheet.wrapped(sheet.shown(text), name, 6))


def block_lines(block: Block, sheet: Sheet) -> Iterator[Line]:
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
        yield from (Line(text, "dim") for text in sheet.wrapped(sheet.shown(block.rest), "  ", 2))


def _forest(block: ForestBlock, sheet: Sheet) -> Iterator[Line]:
    wide = sheet.width >= NARROW and bool(block.ticks)
    name = _widest([row.name for row in block.rows], sheet, 30 if wide else 20)
    texts = [max(_cells(sheet.shown(row.texts[i])) for row in block.rows) for i in range(3)]
    title = sheet.shown(f"{block.title}{', ' + block.axis.partition(', ')[2] if ', ' in block.axis else ''}")
    before = 2 + name + 2 + texts[0] + 2 + texts[1] + 2 + texts[2] + 2
    room = min(STRIP, sheet.width - before - 14)
    wide = wide and room >= 11
    head = sheet.fitted(title, before - 1 if wide else sheet.width)
    yield Line((_pad(head, before) + (_scale(block, room, sheet) if wide else "")).rstrip(), "bold")
    for row in block.rows:
        n, value, span = (_pad(sheet.shown(text), texts[i], right=True) for i, text in enumerate(row.texts[:3]))
        start = f"  {_pad(sheet.ending(sheet.shown(row.name), name), name)}  {n}  {value}"
        word = f"{sheet.mark(row.mark)} {sheet.shown(row.word)}"
        if wide:
            text = f"{start}  {span}  {_strip(row, block, room, sheet)}  "
            yield Line(text + sheet.fitted(word, sheet.width - _cells(text)), mark=row.mark)
        elif sheet.width >= NARROW:
            yield Line(f"{start}  {span}  {sheet.fitted(word, sheet.width - before)}", mark=row.mark)
        else:
            yield Line(sheet.fitted(f"{start}  {span}", sheet.width))
            yield Line(sheet.fitted(f"    {word}", sheet.width), mark=row.mark)


def _ends(block: ForestBlock) -> tuple[float, float]:
    return block.ticks[0].value, block.ticks[-1].value


def _place(value: float, block: ForestBlock, room: int) -> int:
    low, high = _ends(block)
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


def _matrix(block: MatrixBlock, sheet: Sheet) -> Iterator[Line]:
    if sheet.width < NARROW:
        yield from _confusions(block, sheet)
        return
    heads = distinct([sheet.shown(name) for name in block.column_names], 12 if len(block.column_names) == 2 else LABEL)
    marked = set(block.marked)
    texts = [[_count(value, (i, j) in marked) for j, value in enumerate(row)] for i, row in enumerate(block.counts)]
    widths = [max(_cells(head), *(len(row[j]) for row in texts)) for j, head in enumerate(heads)]
    margins = [[sheet.shown(f"{c.text} {sheet.mark(c.mark)}".rstrip()) for c in one.cells] for one in block.margins]
    names = [sheet.shown(one.name) for one in block.margins]
    wide = [max(_cells(name), *map(_cells, column)) for name, column in zip(names, margins, strict=True)]
    corner = sheet.shown(block.corner)
    room = max(8, sheet.width - 2 - sum(widths) - len(widths) - sum(wide) - 2 * len(wide) - 1)
    first = min(room, max(_cells(corner) - 2, *(_cells(sheet.shown(name)) for name in block.row_names)))
    while wide and 2 + first + sum(widths) + len(widths) + sum(wide) + 2 * len(wide) > sheet.width:
        wide.pop()
    if 2 + first + sum(widths) + len(widths) + sum(wide) + 2 * len(wide) > sheet.width:
        yield from _confusions(block, sheet)
        return
    head = _pad(sheet.fitted(corner, first + 2), first + 2)
    head += "".join(f" {_pad(text, width, right=True)}" for text, width in zip(heads, widths, strict=True))
    head += "".join(f"  {_pad(text, width, right=True)}" for text, width in zip(names, wide, strict=False))
    yield Line(head, "bold")
    for i, name in enumerate(block.row_names):
        text = f"  {_pad(sheet.fitted(sheet.shown(name), first), first)}"
        text += "".join(f" {_pad(cell, width, right=True)}" for cell, width in zip(texts[i], widths, strict=True))
        text += "".join(f"  {_pad(column[i], width, right=True)}" for column, width in zip(margins, wide, strict=False))
        yield Line(text)


def _count(value: float, marked: bool) -> str:
    """A count, with a sign before one that stands out."""
    return "." if value == 0 else f"{'>' if marked else ''}{words.count(value)}"


def distinct(names: Sequence[str], most: int) -> list[str]:
    """Names cut to a few letters, without the words that all begin with, and longer where they would be the same.

    >>> distinct(["delivery", "billing"], 5), distinct(["label 10", "label 11"], 5)
    (['deliv', 'billi'], ['10', '11'])
    """
    words_of = [name.split(" ")[:-1] for name in names]
    same = len(names) > 1 and all(one == words_of[0] for one in words_of)
    start = len(" ".join(words_of[0])) + 1 if same and words_of[0] else 0
    for letters in range(most, 13):
        cut = [name[start : start + letters].rstrip() for name in names]
        if len(set(cut)) == len(set(names)):
            return cut
    return [str(place + 1) for place in range(len(names))]


def _confusions(block: MatrixBlock, sheet: Sheet) -> Iterator[Line]:
    """Where a matrix has no room: its largest confusions."""
    every = [
        (value, block.row_names[i], block.column_names[j])
        for i, row in enumerate(block.counts)
        for j, value in enumerate(row)
        if i != j and value > 0
    ]
    every.sort(key=lambda entry: -entry[0])
    yield Line(sheet.fitted(sheet.shown("largest confusions"), sheet.width), "bold")
    for value, one, other in every[:5]:
        text = f"  {sheet.shown(one)} taken for {sheet.shown(other)}"
        yield Line(sheet.fitted(f"{text}  {words.count(value)}", sheet.width))
    if len(every) > 5:
        yield Line(f"  {len(every) - 5:,} more: --all", "dim")


def _grid(block: GridBlock, sheet: Sheet) -> Iterator[Line]:
    yield from (Line(text, "bold") for text in sheet.wrapped(sheet.shown(block.title)))
    rows = [[cell.text for cell in row] for row in block.rows]
    marks = [row[0] for row in block.rows]
    yield from _table(block.columns, rows, block.numbers, marks, sheet)


def _list(block: ListBlock, sheet: Sheet) -> Iterator[Line]:
    yield from (Line(text, "bold") for text in sheet.wrapped(sheet.shown(block.title)))
    yield from _table(block.columns, block.rows, block.numbers, [Cell("")] * len(block.rows), sheet)


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], marks: Sequence[Cell], sheet: Sheet
) -> Iterator[Line]:
    """Columns side by side; the first gives way where there is no room, then the last are left to --all."""
    shown = [[sheet.shown(text) for text in row] for row in (head, *rows)]
    ends = [f"{sheet.mark(cell.mark)} {sheet.shown(cell.word)}".strip() for cell in marks]
    widths = [max(_cells(row[j]) for row in shown) for j in range(len(head))]
    widest = max(map(_cells, ends), default=0)
    end = min(widest, 30) + 2 if widest else 0
    while len(widths) > 2 and 2 + min(widths[0], 12) + sum(widths[1:]) + 2 * len(widths) + end > sheet.width:
        if end > 4:
            end = 4  # the mark alone
        else:
            widths.pop()
    widths[0] = max(1, min(widths[0], sheet.width - 2 - sum(widths[1:]) - 2 * (len(widths) - 1) - end))
    for place, row in enumerate(shown):
        parts = [
            _pad(sheet.fitted(text, width), width, right=j in right)
            for j, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        text = "  " + "  ".join(parts)
        cell = marks[place - 1] if place else Cell("")
        if place and end:
            text += (
                f"  {sheet.fitted(ends[place - 1], sheet.width - _cells(text) - 2)}"
                if end > 4
                else (f" {sheet.mark(cell.mark)}")
            )
        yield Line(sheet.fitted(text.rstrip(), sheet.width), "bold" if not place else "", cell.mark)


def _limits(block: LimitsBlock, sheet: Sheet) -> Iterator[Line]:
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
        max(_cells(heads[j]), _cells(limits[j]), *(max(map(_cells, row[j])) for row in cells))
        for j in range(len(heads))
    ]
    name = max(5, _widest([row.name for row in block.rows], sheet, 20))
    while len(widths) > 1 and 2 + name + sum(widths) + 2 * len(widths) > sheet.width:
        widths.pop()
    first = [heads, limits]
    for place, texts in enumerate(first):
        start = _pad("  limit" if place else "  " + sheet.fitted(sheet.shown(block.title), name), 2 + name)
        yield Line(start + _row(texts, widths), "bold" if not place else "dim")
    for row, own in zip(block.rows, cells, strict=True):
        start = f"  {_pad(sheet.fitted(sheet.shown(row.name), name), name)}"
        yield Line(start + _row([one[0] for one in own], widths))
        yield Line(" " * (2 + name) + _row([one[1] for one in own], widths), "dim")
    if len(widths) < len(heads):
        yield Line(f"  {len(heads) - len(widths)} more limits: --all", "dim")


def _row(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {_pad(text, width)}" for text, width in zip(texts, widths, strict=False)).rstrip()


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _pad(text: str, width: int, *, right: bool = False) -> str:
    space = " " * max(0, width - _cells(text))
    return space + text if right else text + space


def _widest(names: Sequence[str], sheet: Sheet, most: int) -> int:
    return min(most, max((_cells(sheet.shown(name)) for name in names), default=1))
