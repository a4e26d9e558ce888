"""Rows of the table of results as a table to read, in a console and in a notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.evaluation.results import Row

MOST_ROWS, MOST_LETTERS = 20, 30
HEAD = ("system", "slice", "category", "metric", "estimate", "low", "high", "n", "method")


def table_text(rows: Sequence[Row]) -> str:
    """The first rows in columns, and how many more there are."""
    cells = _cells(rows)
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = [
        "  ".join(
            text.rjust(width) if place in _numbers(cells[0]) else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join([*lines, *_more(rows)])


def table_html(rows: Sequence[Row]) -> str:
    """The same as an HTML table."""
    head, *body = _cells(rows)
    right = _numbers(head)

    def line(cells: list[str], tag: str) -> str:
        side = dict.fromkeys(right, ' style="text-align:right"')
        return "".join(f"<{tag}{side.get(place, '')}>{escape(text)}</{tag}>" for place, text in enumerate(cells))

    lines = "".join(f"<tr>{line(cells, 'td')}</tr>" for cells in body)
    more = "".join(f"<p>{escape(text)}</p>" for text in _more(rows))
    return f"<table><thead><tr>{line(head, 'th')}</tr></thead><tbody>{lines}</tbody></table>{more}"


def _numbers(head: list[str]) -> list[int]:
    return [place for place, name in enumerate(head) if name in ("estimate", "low", "high", "n")]


def _more(rows: Sequence[Row]) -> list[str]:
    left = len(rows) - MOST_ROWS
    return (
        [f"{len(rows):,} rows; {left:,} {'is' if left == 1 else 'are'} not shown: .where(metric=…), .to_pandas()"]
        if left > 0
        else []
    )


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    """Heads and rows as text; a column in which nothing stands is left out."""
    shown = [[_cell(row, name) for name in HEAD] for row in rows[:MOST_ROWS]]
    filled = [place for place, name in enumerate(HEAD) if name == "metric" or any(row[place] for row in shown)]
    return [[HEAD[place] for place in filled], *([row[place] for place in filled] for row in shown)]


def _cell(row: Row, name: str) -> str:
    value = getattr(row, name)
    if name == "n":
        return f"{value:,}"
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{_places(row)}f}".replace("-", "−")
    text = "".join(letter if letter.isprintable() else "·" for letter in str(value))
    if name == "system" and row.baseline is not None:
        text = f"{text} − {row.baseline}"
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _places(row: Row) -> int:
    """Two digits of half the interval; three decimals where there is none."""
    half = (row.high - row.low) / 2
    if not (half > 0 and math.isfinite(half)):
        return 3
    return min(6, max(0, 1 - math.floor(math.log10(half * (1 + 1e-9)))))
