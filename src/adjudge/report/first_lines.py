"""The first screen as lines of text: at most 40 of 80 columns or more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from adjudge.evaluation.answers.answering import plural
from adjudge.report import words
from adjudge.report.answers.answer import Answer, Block, ForestBlock, GridBlock, roomy
from adjudge.report.blocks.text import block_lines
from adjudge.report.sheet import NARROW, Sheet, SheetLine

LONGEST, LONGEST_REMARK = 40, 2
HANG, MOST_HANG = 17, 24  # where the text of a finding begins


def lines_of(answer: Answer, sheet: Sheet) -> list[SheetLine]:
    """The whole first screen; the last blocks give way to the line that says where they are.

    On a sheet that is narrower than 80 columns only those that can be spared do. The first remark of the data check
    is told where it is short and no block gives way to it.
    """
    answer = replace(answer, blocks=sorted((block for block in answer.blocks if not roomy(block)), key=_spare))
    kept, lines = _fitted(answer, sheet, 0)
    if answer.remarks and len(list(sheet.wrapped(sheet.shown(answer.remarks[0]), "Check ", 6))) <= LONGEST_REMARK:
        also_kept, with_remark = _fitted(answer, sheet, 1)
        return with_remark if also_kept == kept and len(with_remark) <= max(LONGEST, len(lines)) else lines
    return lines


def whole_lines(answer: Answer, sheet: Sheet) -> list[SheetLine]:
    """The first screen above everything else: no block and no row is cut, and nothing points to `--all`."""
    return list(
        _lines(
            replace(
                answer,
                findings=[replace(finding, text=_below(finding.text)) for finding in answer.findings],
                blocks=[_uncut(block) for block in answer.blocks if not roomy(block)],
                remarks=[],  # they follow in full
                more=answer.more.partition(" · ")[2],
            ),
            sheet,
        )
    )


def _uncut(block: Block) -> Block:
    if isinstance(block, ForestBlock) and block.more:
        return replace(block, rows=[*block.rows, *block.more], more=[], rest="")
    if isinstance(block, GridBlock) and block.more:
        return replace(block, rows=[*block.rows, *block.more], more=[], rest="")
    return replace(block, rest=_below(block.rest))


def _below(text: str) -> str:
    return text.replace(": --all", ", below")


def _fitted(answer: Answer, sheet: Sheet, remarks: int) -> tuple[int, list[SheetLine]]:
    """As many blocks as there is room for, beside so many remarks, and the lines of the screen with these."""
    lines: list[SheetLine] = []
    for kept in range(len(answer.blocks), -1, -1):
        left = [re.split(r": | \(", block.title)[0] for block in answer.blocks[kept:] if block.title]
        if hidden := len(answer.remarks) - remarks:
            left.append(f"{plural(hidden, 'more remark' if remarks else 'remark')} of the data check")
        more = answer.more.replace("--all: ", f"--all: {', '.join(left)}, ", 1) if left else answer.more
        shown = replace(answer, blocks=answer.blocks[:kept], remarks=answer.remarks[:remarks], more=more)
        lines = list(_lines(shown, sheet))
        spared = kept == 0 or not _spare(answer.blocks[kept - 1])
        if kept <= 1 or len(lines) <= LONGEST or (sheet.width < NARROW and spared):
            break
    return kept, lines


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
    if answer.steps or answer.remarks or answer.doubt or answer.more:
        yield SheetLine("")
    for place, step in enumerate(answer.steps, 1):
        start = f"Next  {place}. " if place == 1 else f"      {place}. "
        command = f" {step.command}" if step.command else ""
        for text in sheet.wrapped(sheet.shown(step.text + command), start, 9):
            yield SheetLine(text)
    for name, text in (("Check ", " ".join(answer.remarks)), ("Doubt ", answer.doubt), ("More  ", answer.more)):
        if text:
            yield from (SheetLine(one, "dim") for one in sheet.wrapped(sheet.shown(text), name, 6))
