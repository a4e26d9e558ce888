"""The first screen as lines of text: at most 40 of 80 columns or more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from adjudge.report import words
from adjudge.report.answers.answer import Answer, Block, GridBlock, roomy
from adjudge.report.blocks.text import block_lines
from adjudge.report.sheet import NARROW, Sheet, SheetLine

LONGEST = 40
HANG, MOST_HANG = 17, 24  # where the text of a finding begins


def lines_of(answer: Answer, sheet: Sheet) -> list[SheetLine]:
    """The whole first screen; the last blocks give way to the line that says where they are.

    On a sheet that is narrower than 80 columns only those that can be spared do.
    """
    answer = replace(answer, blocks=sorted((block for block in answer.blocks if not roomy(block)), key=_spare))
    lines = [] if answer.blocks else list(_lines(answer, sheet))
    for kept in range(len(answer.blocks), 0, -1):
        left = [re.split(r": | \(", block.title)[0] for block in answer.blocks[kept:] if block.title]
        more = " · ".join(part for part in (answer.more, f"also {', '.join(left)}: --all" if left else "") if part)
        lines = list(_lines(replace(answer, blocks=answer.blocks[:kept], more=more), sheet))
        if len(lines) <= LONGEST or (sheet.width < NARROW and not _spare(answer.blocks[kept - 1])):
            break
    return lines


def _spare(block: Block) -> bool:
    return isinstance(block, GridBlock) and block.spare


def _lines(answer: Answer, sheet: Sheet) -> Iterator[SheetLine]:
    """Every line of a first screen."""
    for text in sheet.wrapped(sheet.shown(" · ".join(answer.top)), indent=2):
        yield SheetLine(text, "dim")
    yield SheetLine("")
    for start, check in words.checks_first(answer.checks, sheet.mark("looks")):
        for text in sheet.wrapped(sheet.shown(check), start, 4 if start.startswith(" ") else 0):
            yield SheetLine(text, "bold yellow")
    for text in sheet.wrapped(sheet.shown(answer.headline)):
        yield SheetLine(text, "bold")
    starts = [f"  {sheet.mark(finding.mark)} {sheet.shown(finding.word)} " for finding in answer.findings]
    hang = min(MOST_HANG, max([HANG, *map(len, starts)]))
    for finding, start in zip(answer.findings, starts, strict=True):
        for place, text in enumerate(sheet.wrapped(sheet.shown(finding.text), start.ljust(hang), hang)):
            yield SheetLine(text, mark=finding.mark if place == 0 else "")
    for block in answer.blocks:
        yield SheetLine("")
        yield from block_lines(block, sheet)
    if answer.steps or answer.doubt or answer.more:
        yield SheetLine("")
    for place, step in enumerate(answer.steps, 1):
        start = f"Next  {place}. " if place == 1 else f"      {place}. "
        command = f" {step.command}" if step.command else ""
        for text in sheet.wrapped(sheet.shown(step.text + command), start, 9):
            yield SheetLine(text)
    for name, text in (("Doubt ", answer.doubt), ("More  ", answer.more)):
        if text:
            yield from (SheetLine(one, "dim") for one in sheet.wrapped(sheet.shown(text), name, 6))
