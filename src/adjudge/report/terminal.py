"""The report in a terminal: readable at eighty columns, in any encoding, whatever the labels hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import ForestLine, ForestPanel, finite_of
from adjudge.report import grids, tables, words
from adjudge.report.answers.answer import Answer
from adjudge.report.first_lines import lines_of, whole_lines
from adjudge.report.gates import terminal as gate_terminal
from adjudge.report.grids import Grid
from adjudge.report.sheet import STYLES, WIDEST, Sheet, standard_output
from adjudge.report.summary import MetricLine, SliceGroup, Summary

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MOST_LIST_COLUMNS = 7
MOST_TYPED = 2000  # letters of a command that can be typed as it stands
_BAR = 13
_ASCII = str.maketrans({"–": "-", "—": "-", "·": "-", "…": "~", "∞": "inf", "“": '"', "”": '"', "’": "'"})


def render(summary: Summary, console: Console | None = None, *, everything: bool = False) -> None:
    """Print the report, on the given console or on standard output: the first screen, or everything.

    >>> from adjudge.evaluation.panels import Panels
    >>> from rich.console import Console
    >>> nothing = Panels([], [], [], [], [])
    >>> empty = Summary("Spam", "binary", "", [], [], [], [], nothing, 3, 2, [], [], [])
    >>> render(empty, Console(width=60, color_system=None))
    <BLANKLINE>
    Spam
    2 of 3 rows used
    """
    console = console or standard_output()
    gate, answer = summary.checks_first
    if gate is not None:
        gate_terminal.show(gate, console=console)
        console.print()
    if answer is not None:
        _print_first(console, answer, everything=everything)
    if summary.answer is None or everything:
        _print_everything(console, summary)


def _print_first(console: Console, answer: Answer, *, everything: bool) -> None:
    """The first screen, its marks in the colour of their state."""
    sheet = Sheet(min(WIDEST, console.width), console.encoding or "ascii", _ascii_only(console))
    for line in (whole_lines if everything else lines_of)(answer, sheet):
        text = _text(console, line.text, line.style)
        mark = sheet.mark(line.mark)
        if mark and line.mark in STYLES and (place := line.text.find(mark)) >= 0:
            text.stylize(STYLES[line.mark], place, place + len(mark))
        console.print(text, no_wrap=True, crop=False, overflow="ignore")


def _print_everything(console: Console, summary: Summary) -> None:
    """Every table there is, uncut."""
    console.print()
    if summary.answer is None:
        _print(console, summary.title, style="bold")
        used = f"{words.count(summary.rows_used)} of {plural(summary.rows_read, 'row')} used"
        _print(console, used, style="dim")
    for system, lines in tables.by_system(summary.metrics, summary.systems):
        _print_metrics(console, system if len(summary.systems) > 1 else "", lines)
    for group in filter(lambda group: group.lines, summary.slices):
        _print_slices(console, group)
    _print_panels(console, summary)
    _print_facts(console, summary)


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(_text(console, words.visible(text, most=1000), style))


def _text(console: Console, text: str, style: str = "") -> Text:
    """Text exactly as it is, in characters the terminal can show."""
    from rich.text import Text

    encoding = console.encoding or "ascii"
    plain = text.translate(_ASCII) if _ascii_only(console) else text
    return Text(plain.encode(encoding, "backslashreplace").decode(encoding), style=style)


def _ascii_only(console: Console) -> bool:
    return bool(console.options.ascii_only)


def _table(
    console: Console, *columns: str, text: Sequence[int], bare: Sequence[int] = (), right: Sequence[int] = ()
) -> Table:
    """An empty table: the columns in `text` fold, the others hold numbers and keep their width."""
    from rich import box
    from rich.table import Table

    plain = _ascii_only(console)
    style = box.ASCII2 if plain else box.SIMPLE_HEAD
    table = Table(box=style, padding=(0, 0 if plain else 1, 0, 0), pad_edge=False, show_edge=plain)
    for i, name in enumerate(columns):
        head = _text(console, name)
        if i in text and i in right:
            table.add_column(head, min_width=6, overflow="fold", justify="right")
        elif i in text:
            table.add_column(head, min_width=8, overflow="fold")
        else:
            table.add_column(head, justify="left" if i in bare else "right", no_wrap=True)
    return table


def _print_metrics(console: Console, system: str, lines: list[MetricLine]) -> None:
    console.print()
    if system:
        _print(console, system, style="bold")
    level = words.level_text(lines[0].level)
    bare = not any(words.known(line.baseline) for line in lines)
    columns = ["metric", "estimate", level, *([] if bare else ["baseline"]), "n", "method"]
    table = _table(console, *columns, text=[0, len(columns) - 1])
    notes: dict[str, list[str]] = {}
    for line in lines:
        row = tables.row(line)
        # The short name of the method: the long one would break over three lines at eighty columns.
        method = words.visible(line.method).replace("_", " ") if row.method != words.MISSING else words.MISSING
        cells = [row.name, row.estimate, row.interval, *([] if bare else [row.baseline]), row.n, method]
        table.add_row(*(_text(console, cell, "" if row.defined else "yellow") for cell in cells))
        if row.note:
            notes.setdefault(row.note, []).append(row.name)
    console.print(table)
    for note, names in notes.items():
        _print(console, f"{', '.join(names)}: {note}", style="dim")


def _print_slices(console: Console, group: SliceGroup) -> None:
    shown = tables.worst_first(tables.levels(group))
    lines = [line for level in shown for line in level.lines]
    several = any(tables.series_name(line, lines) for line in lines)
    console.print()
    _print(console, f"{words.visible(group.label)} by {words.visible(group.column)}", style="bold")
    names = ["level", *(["system"] if several else []), "estimate", "interval", "n", ""]
    table = _table(console, *names, text=[0, 1] if several else [0], bare=[len(names) - 1])
    for level in shown:
        for i, line in enumerate(level.lines):
            row = tables.row(line)
            series = [tables.series_name(line, lines)] if several else []
            bar = _bar(console, line, _ends(lines))
            cells = [level.name if i == 0 else "", *series, row.estimate, row.interval, row.n, bar]
            table.add_row(*(_text(console, cell, "" if row.defined else "yellow") for cell in cells))
    console.print(table)


def _ends(lines: Sequence[MetricLine | ForestLine]) -> tuple[float, float]:
    values = finite_of(x for line in lines for x in (line.low, line.high, line.estimate))
    return (min(values), max(values)) if values else (0.0, 0.0)


def _bar(console: Console, line: MetricLine | ForestLine, ends: tuple[float, float]) -> str:
    """The interval drawn in characters, between the lowest and the highest end of its table."""
    start, end = ends
    if line.estimate is None or not math.isfinite(line.estimate) or end <= start:
        return ""
    blank, dash, point = (" ", "-", "o") if _ascii_only(console) else (" ", "─", "●")

    def place(value: float | None) -> int:
        value = line.estimate if value is None or math.isnan(value) else value
        return round(min(1.0, max(0.0, ((value or 0.0) - start) / (end - start))) * (_BAR - 1))

    cells = [blank] * _BAR
    low, high = place(line.low), place(line.high)
    cells[low : high + 1] = dash * (high + 1 - low)
    cells[place(line.estimate)] = point
    return "".join(cells)


def _print_panels(console: Console, summary: Summary) -> None:
    panels = summary.panels
    for matrix in panels.matrices:
        _print_grid(console, grids.matrix_grid(matrix))
    for forest in filter(lambda forest: forest.lines, panels.forests):
        _print_forest(console, forest)
    for bars in panels.bars:
        _print_grid(console, grids.bar_grid(bars))
    for rows in panels.tables:
        grid = grids.table_grid(rows, len(rows.rows), MOST_LIST_COLUMNS, text=60)
        _print_grid(console, replace(grid, more=grid.more and f"{grid.more} The page has them: --html page.html"))


def _print_heading(console: Console, title: str, note: str) -> None:
    console.print()
    _print(console, title, style="bold")
    if note:
        _print(console, note, style="dim")


def _print_grid(console: Console, grid: Grid) -> None:
    if not grid.rows and not grid.more:
        return
    _print_heading(console, grid.title, grid.note)
    if grid.rows:
        # Heads fold in every column: names are longer than the numbers below them.
        table = _table(console, *grid.head, text=range(len(grid.head)), right=grid.numbers)
        for row in grid.rows:
            table.add_row(*(_text(console, cell) for cell in row))
        console.print(table)
    if grid.more:
        _print(console, grid.more, style="dim")


def _print_forest(console: Console, panel: ForestPanel) -> None:
    against = f"Compare with {words.short(panel.against)}." if words.known(panel.against) else ""
    _print_heading(console, panel.title, f"{words.visible(panel.note, 600)} {against}".strip())
    table = _table(
        console, "name", words.visible(panel.axis, 40), "interval", "n", "", text=[0, 1], right=[1], bare=[4]
    )
    shown, notes = panel.lines, []
    for row, line in zip(grids.forest_rows(panel, len(shown)), shown, strict=True):
        cells = [row.slice, row.estimate, row.interval, row.n, _bar(console, line, _ends(shown))]
        table.add_row(*(_text(console, cell, "" if row.defined else "yellow") for cell in cells))
        notes += [f"{row.slice}: {row.note}"] if row.note else []
    console.print(table)
    for note in notes:
        _print(console, note, style="dim")


def _print_facts(console: Console, summary: Summary) -> None:
    if summary.left_out:
        console.print()
        _print(console, "Left out", style="bold")
        for fact in summary.left_out:
            _print(console, f"  {words.visible(fact.name)}: {words.visible(fact.value)}")
    if summary.remarks:
        console.print()
        _print(console, "Data check", style="bold")
        for fact in summary.remarks:
            _print(console, f"  {fact.name} {words.visible(fact.value, most=600)}")
    if summary.how:
        console.print()
        texts = [
            f"{words.visible(fact.name)} {words.visible(fact.value, MOST_TYPED if fact.typed else 120)}"
            for fact in summary.how
        ]
        _print(console, " · ".join(texts), style="dim")
