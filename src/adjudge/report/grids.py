"""Panels as rows of text: what the HTML, Markdown and terminal tables of a panel have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import BarPanel, ForestPanel, MatrixPanel, TablePanel, finite_of
from adjudge.report import words
from adjudge.report.tables import TableRow

MOST_COLUMNS = 8
NO_VALUE = "none of them defined"
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as it is shown. `numbers` are the columns that hold numbers; `more` says what is not shown."""

    title: str
    note: str
    head: list[str]
    numbers: list[int]
    rows: list[list[str]]
    more: str = ""


def table_grid(panel: TablePanel, rows: int, columns: int = 12, text: int = 240) -> Grid:
    """The first rows and columns of a list to act on; a column of empty text is not worth its room.

    >>> grid = table_grid(TablePanel("Items", "", ["item", "spread"], [["a", 0.5], ["b", None]]), rows=1)
    >>> grid.rows, grid.numbers, grid.more
    ([['a', '0.500']], [1], '1 more row is left out.')
    """
    filled = [j for j in range(len(panel.columns)) if any(_at(row, j) != "" for row in panel.rows)]
    head = [words.visible(panel.columns[j], text) for j in filled[:columns]]
    shown = [[_at(row, j) for j in filled[:columns]] for row in panel.rows[:rows]]
    columns_shown = [[row[j] for row in shown] for j in range(len(head))]
    supported = _supported(head, columns_shown)
    texts = [_column(values, text, supported.get(j)) for j, values in enumerate(columns_shown)]
    left = [
        *([plural(len(panel.rows) - rows, "more row")] if len(panel.rows) > rows else []),
        *([plural(len(filled) - columns, "more column")] if len(filled) > columns else []),
    ]
    one = len(left) == 1 and left[0].startswith("1 ")
    return Grid(
        title=words.visible(panel.title, 200),
        note=words.visible(panel.note, 600),
        head=head,
        numbers=[j for j in range(len(head)) if _numeric([row[j] for row in shown])],
        rows=[list(cells) for cells in zip(*texts, strict=True)],
        more=f"{' and '.join(left)} {'is' if one else 'are'} left out." if left else "",
    )


def _at(row: Sequence[Value], place: int) -> Value:
    return row[place] if place < len(row) else None


def _numeric(values: Sequence[Value]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)


def _supported(head: Sequence[str], columns: Sequence[Sequence[Value]]) -> dict[int, int]:
    """The decimals of columns that are an estimate, its low and its high end: those that most rows support."""
    decimals: dict[int, int] = {}
    for j in range(len(head) - 2):
        if list(head[j + 1 : j + 3]) != ["low", "high"]:
            continue
        rows = zip(*columns[j : j + 3], strict=True)
        known = [row for row in rows if all(isinstance(one, float) and math.isfinite(one) for one in row)]
        places = [words.decimals(*map(float, row)) for row in known if row[1] != row[2]]
        if places:
            decimals |= dict.fromkeys((j, j + 1, j + 2), max(places, key=places.count))
    return decimals


def _column(values: Sequence[Value], text: int, supported: int | None = None) -> list[str]:
    """A column as text, its numbers with the same decimals: those that intervals support, or about three digits of the
    largest."""
    if supported is not None:
        return [words.fixed(v, supported) if isinstance(v, float) else _cell(v, supported, text) for v in values]
    numbers = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value)]
    largest = max(numbers, default=0.0)
    whole = all(number.is_integer() for number in numbers) and largest > 1
    places = 0 if whole else min(6, max(0, 3 - _power(largest))) if largest else 3
    return [_cell(value, places, text) for value in values]


def _power(largest: float) -> int:
    """The power of ten that sets a column's decimals: none between 0.1 and 10, where coefficients live."""
    return math.floor(math.log10(largest)) + (largest < 1)


def _cell(value: Value, places: int, text: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return words.MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return words.visible(value, text)
    if isinstance(value, int) or (places == 0 and math.isfinite(value)):
        return with_minus(round(value), ",d") if abs(value) < 1e15 else with_minus(value, ".3e")
    return words.rough(value, places)


def matrix_places(panel: MatrixPanel) -> int:
    """How many decimals the cells of a matrix have: two for a coefficient, none for a percentage."""
    known = finite_of(chain(*panel.values))
    least, most = matrix_limits(panel)
    if known and all(value.is_integer() for value in map(float, known)) and most - least > 2:
        return 0
    return 2 if most - least <= 2 else 1 if most - least <= 20 else 0


def matrix_limits(panel: MatrixPanel) -> tuple[float, float]:
    """The ends of a matrix's scale: its own, or those of its values where it has none."""
    known = finite_of(chain(*panel.values))
    least, most = panel.limits
    least = least if math.isfinite(least) else min(known, default=0.0)
    most = most if math.isfinite(most) else max(known, default=1.0)
    return (least, most) if most > least else (least, least + 1.0)


def matrix_cell(value: float | None, places: int) -> str:
    """The value in a cell, or a dash where there is none."""
    return words.MISSING if not words.known(value) else words.fixed(value, places)


def matrix_grid(panel: MatrixPanel) -> Grid:
    """A small matrix as a table; of a large one, a sentence."""
    title, note = words.visible(panel.title, 200), words.visible(panel.note, 600)
    if len(panel.columns) > MOST_COLUMNS:
        return Grid(title, note, [], [], [], matrix_words(panel))
    places = matrix_places(panel)
    head = ["", *map(words.visible, panel.columns)]
    rows = [
        [words.visible(name), *(matrix_cell(value, places) for value in values)]
        for name, values in zip(panel.rows, panel.values, strict=True)
    ]
    return Grid(title, note, head, list(range(1, len(head))), rows)


def matrix_words(panel: MatrixPanel) -> str:
    """The size and the ends of a large matrix, in words."""
    ends = matrix_ends(panel)
    elsewhere = "; the HTML report draws them" if ends != NO_VALUE else ""
    return f"{len(panel.rows):,} × {len(panel.columns):,} values, {ends}{elsewhere}."


def matrix_ends(panel: MatrixPanel) -> str:
    """The least and the largest value of a matrix, and where they stand.

    >>> matrix_ends(MatrixPanel("", "", ["a; b"], ["c", "d"], [[0.25, 0.5]], [], [], [], (0.0, 1.0)))
    'from 0.25 (a; b, c) to 0.50 (a; b, d)'
    """
    known = [
        (value, row, column)
        for row, values in zip(panel.rows, panel.values, strict=True)
        for column, value in zip(panel.columns, values, strict=True)
        if value is not None and math.isfinite(value)
    ]
    if not known:
        return NO_VALUE
    places = matrix_places(panel)
    lowest, highest = min(known, key=lambda one: one[0]), max(known, key=lambda one: one[0])
    ends = [
        f"{words.fixed(value, places)} ({words.visible(row, 40)}, {words.visible(column, 40)})"
        for value, row, column in (lowest, highest)
    ]
    return f"from {ends[0]} to {ends[1]}"


def are_shares(panel: BarPanel) -> bool:
    """Whether the bars can be read in percent."""
    return all(0 <= value <= 1 for value in finite_of(chain(*panel.values)))


def bar_text(value: float | None, *, shares: bool) -> str:
    """The height of a bar as text."""
    if value is None or not math.isfinite(value):
        return words.MISSING
    return words.share_text(value) if shares else words.rough(value, 3) if abs(value) < 10 else words.count(value)


def bar_grid(panel: BarPanel) -> Grid:
    """The bars as a table, series beside each other; below each other when there are many."""
    title, note = words.visible(panel.title, 200), words.visible(panel.note, 600)
    shares = are_shares(panel)
    texts = [[bar_text(value, shares=shares) for value in values] for values in panel.values]
    if len(panel.series) <= MOST_COLUMNS:
        head, names, rows = panel.series, panel.categories, [list(cells) for cells in zip(*texts, strict=True)]
    elif len(panel.categories) <= MOST_COLUMNS:
        head, names, rows = panel.categories, panel.series, texts
    else:
        size = f"{len(panel.series):,} series of {len(panel.categories):,} categories"
        return Grid(title, note, [], [], [], f"{size}; the HTML report draws them.")
    shown = [[words.visible(name), *cells] for name, cells in zip(names, rows, strict=True)]
    return Grid(title, note, ["", *map(words.visible, head)], list(range(1, len(head) + 1)), shown)


def forest_rows(panel: ForestPanel, most: int) -> list[TableRow]:
    """The numbers of a forest, line by line."""
    return [
        TableRow(
            system="",
            name="",
            slice=words.visible(line.name) or '""',
            estimate=words.number_text(line.estimate, line.low, line.high),
            interval=words.interval_text(line.low, line.high, line.estimate)
            if words.known(line.low) or words.known(line.high)
            else words.MISSING,
            baseline=words.MISSING,
            n=words.count(line.n),
            method="",
            note=words.visible(line.note, 300),
            defined=words.known(line.estimate),
        )
        for line in panel.lines[:most]
    ]
