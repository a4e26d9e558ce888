"""The first screen as lines of text: at most 40 of 100 columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudge.report import words
from adjudge.report.answer import Answer, GridBlock
from adjudge.report.first_blocks import block_lines
from adjudge.report.sheet import WIDEST, Line, Sheet

LONGEST = 40
HANG = 17  # where the text of a finding begins


def lines_of(answer: Answer, sheet: Sheet) -> list[Line]:
    """The whole first screen; the last blocks give way to the line that says where they are.

    On a narrow sheet only those that can be spared do.
    """
    for kept in range(len(answer.blocks), 0, -1):
        left = [block.title for block in answer.blocks[kept:] if block.title]
        more = " · ".join(part for part in (answer.more, f"also {', '.join(left)}: --all" if left else "") if part)
        lines = list(_lines(replace(answer, blocks=answer.blocks[:kept], more=more), sheet))
        last = answer.blocks[kept - 1]
        spare = isinstance(last, GridBlock) and last.spare
        if len(lines) <= LONGEST or (sheet.width < WIDEST and not spare):
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
