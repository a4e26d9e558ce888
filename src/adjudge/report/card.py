"""An evaluation in a notebook: what it says as text, and as a small card with one picture."""

from __future__ import annotations

from html import escape

from adjudge.report import words
from adjudge.report.answers.answer import (
    MARKS,
    Answer,
    Block,
    ForestBlock,
    GridBlock,
    LimitsBlock,
    ListBlock,
    MatrixBlock,
)

LARGEST = 15_000  # bytes of a card
ROWS, LABELS = 8, 12
DOORS = "e.report('page.html') · e.show() · e.table · e.items · e.panels"
COLOURS = {"beyond": "#b3261e", "looks": "#8a5300", "within": "#1d6b3a"}
STYLE = "font-family:system-ui,sans-serif;max-width:60em;line-height:1.45"


def as_text(answer: Answer | None) -> str:
    """The top line, the headline and the findings.

    >>> print(as_text(Answer(["Spam", "a"], [], "a is better.", [], [], [], "", "")))
    Spam · a
    a is better.
    """
    if answer is None:
        return "nothing was measured"
    lines = [" · ".join(answer.top)]
    lines += [start + check for start, check in words.checks_first(answer.checks, MARKS["looks"])]
    lines += [answer.headline]
    lines += [f"  {MARKS[one.mark]} {one.word:<14} {one.text}" for one in answer.findings]
    return "\n".join(words.visible(line, 2000) for line in lines)


def as_html(answer: Answer | None) -> str:
    """The same with the lead block as one picture; styles stand in the tags, and nothing is loaded."""
    if answer is None:
        return "<p>nothing was measured</p>"
    parts = [
        f'<div style="{STYLE}">',
        f'<div style="opacity:.75;font-size:.85em">{_text(" · ".join(answer.top))}</div>',
        *(f'<div style="color:#8a5300"><b>{words.CHECK_FIRST}: {_text(check)}</b></div>' for check in answer.checks),
        f'<div style="font-size:1.2em;margin:.3em 0"><b>{_text(answer.headline, 600)}</b></div>',
        *(_finding(one.mark, one.word, one.text) for one in answer.findings),
    ]
    lead = _titled(answer.blocks[0]) if answer.blocks else ""
    end = f'<div style="opacity:.75;font-size:.85em;margin-top:.4em"><code>{DOORS}</code></div></div>'
    small = "".join([*parts, lead, end])
    return small if len(small.encode()) <= LARGEST else "".join([*parts, end])


def _finding(mark: str, word: str, text: str) -> str:
    colour = f"color:{COLOURS[mark]}" if mark in COLOURS else ""
    symbol = f'<span style="{colour}" aria-hidden="true">{MARKS[mark]}</span>'
    return f"<div>{symbol} <b>{_text(word)}</b> {_text(text, 500)}</div>"


def _text(text: str, most: int = 200) -> str:
    return escape(words.visible(text, most))


def _titled(block: Block) -> str:
    """The first block below what it is about."""
    unit = block.axis.partition(", ")[2] if isinstance(block, ForestBlock) else ""
    title = ", ".join(filter(None, (block.title, unit)))
    return (f'<div style="margin-top:.5em"><b>{_text(title)}</b></div>' if title else "") + _lead(block)


def _lead(block: Block) -> str:
    """The first block: a forest as a picture, anything else as a table."""
    if isinstance(block, ForestBlock):
        return _forest(block)
    if isinstance(block, MatrixBlock):
        names = ["", *block.column_names[:LABELS]]
        rows = [
            [name, *map(words.count, row[:LABELS])] for name, row in zip(block.row_names, block.counts, strict=True)
        ]
        return _table(names, rows[:LABELS])
    if isinstance(block, LimitsBlock):
        rows = [
            [row.name, *(f"{cell.text} {MARKS.get(cell.mark, '')} {cell.interval}" for cell in row.cells)]
            for row in block.rows
        ]
        return _table(["", *block.columns], rows[:ROWS])
    if isinstance(block, GridBlock):
        return _table(block.columns, [[cell.text for cell in row] for row in block.rows[:ROWS]])
    assert isinstance(block, ListBlock)
    return _table(block.columns, block.rows[:ROWS])


def _table(head: list[str], rows: list[list[str]]) -> str:
    cells = "".join(f'<th scope="col" style="text-align:right;padding:0 .5em">{_text(name, 24)}</th>' for name in head)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="text-align:right;padding:0 .5em">{_text(text, 60)}</td>' for text in row)
        + "</tr>"
        for row in rows
    )
    return f'<table style="margin-top:.5em"><tr>{cells}</tr>{body}</table>'


def _forest(block: ForestBlock) -> str:
    rows, line, left, width = block.rows[:ROWS], 22, 330, 260
    if not block.ticks:
        return ""
    low, high = block.ticks[0].value, block.ticks[-1].value

    def x(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(left + width * min(1.0, max(0.0, share)), 1)

    height = line * (len(rows) + 1)
    texted = 'text-anchor="middle" font-size="11" fill="currentColor"'
    parts = [f'<text x="{x(tick.value)}" y="14" {texted}>{_text(tick.text)}</text>' for tick in block.ticks]
    places = [
        *((value, "4 3") for value in block.limits),
        *([(block.against, "0")] if block.against is not None else []),
    ]
    for value, dashes in places:
        stroke = f'stroke="currentColor" stroke-dasharray="{dashes}" opacity=".5"'
        parts.append(f'<line x1="{x(value)}" x2="{x(value)}" y1="20" y2="{height}" {stroke}/>')
    for place, row in enumerate(rows):
        y = line * (place + 1) + 14
        caption = f"{row.name}  {row.texts[1]} {row.texts[2]}"
        parts.append(f'<text x="0" y="{y}" font-size="12" fill="currentColor">{_text(caption, 52)}</text>')
        if row.estimate is None:
            continue
        ends = [row.estimate if end is None else end for end in (row.low, row.high)]
        colour = COLOURS.get(row.mark, "#1a5fb4")
        parts.append(
            f'<line x1="{x(ends[0])}" x2="{x(ends[1])}" y1="{y - 4}" y2="{y - 4}" stroke="#1a5fb4" stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{x(row.estimate)}" cy="{y - 4}" r="4" fill="{colour}"/>')
    label = _text(f"{block.title}: " + "; ".join(f"{row.name} {row.texts[1]} {row.texts[2]}" for row in rows), 600)
    size = f'width="{left + width + 20}" height="{height + 6}" style="max-width:100%"'
    return f'<svg role="img" aria-label="{label}" {size}>{"".join(parts)}</svg>'
