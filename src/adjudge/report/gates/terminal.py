"""Verdicts in a terminal: the verdict first, then each requirement with the limit that decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.evaluation.gates.verdicts import FAILED, PASSED, Judgement
from adjudge.report import words
from adjudge.report.answers.answer import Step
from adjudge.report.gates import words as gate_words
from adjudge.report.gates.words import RequirementLine
from adjudge.report.sheet import standard_output

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

INDENT = 17  # of what is said of a requirement, after its verdict, where no verdict is longer
STEP = 9  # of what to do next
STYLES = {PASSED: "bold green", FAILED: "bold red"}


def show(
    judgement: Judgement,
    code: int | None = None,
    console: Console | None = None,
    steps: Sequence[Step] = (),
    *,
    file: str = "FILE",
) -> None:
    """Print the verdicts and what to do next, on the given console or on standard output; `file` has what is required.

    >>> from rich.console import Console
    >>> from adjudge.evaluation.gates.verdicts import Verdict
    >>> judgement = Judgement("a", "passed", (Verdict("good", "", "passed", "it is"),))
    >>> show(judgement, 0, Console(width=70, color_system=None))
    Gate a · 1 requirement judged · exit 0
    <BLANKLINE>
    PASSED. 1 passed.
      ✓ passed       good: it is
    """
    console = console or standard_output()
    _print(console, gate_words.title(judgement) + ("" if code is None else f" · exit {code}"), "dim")
    console.print()
    for sentence in judgement.checks:
        _print(console, f"{words.CHECK_FIRST}: {sentence}", "bold yellow")
    _print(console, judgement.headline, STYLES.get(judgement.verdict, "bold yellow"))
    lines = gate_words.lines(judgement)
    starts = ["" if line.level else f"  {line.mark} {line.verdict} " for line in lines]
    indent = max([INDENT, *map(len, starts)])
    for start, line in zip(starts, lines, strict=True):
        _print_hanging(console, start, line_text(line), indent)
    proven, advice = gate_words.proven(judgement), [*gate_words.next_steps(judgement, file), *steps]
    if proven or advice:
        console.print()
    for sentence in proven:
        _print(console, sentence)
    for place, step in enumerate(advice, 1):
        _print_hanging(console, f"{'Next  ' if place == 1 else '      '}{place}. ", step.text, STEP)
        if step.command:  # in one line, however long, so that it can be copied
            command = _text(console, " " * STEP + step.command)
            console.print(command, no_wrap=True, crop=False, overflow="ignore")


def _print_hanging(console: Console, start: str, text: str, indent: int) -> None:
    """What is said after a beginning; what does not fit the line goes on below it."""
    parts = _text(console, text).wrap(console, max(console.width - indent, 20), overflow="fold")
    for place, part in enumerate(parts):
        part.rstrip()
        console.print(_text(console, (start if place == 0 else "").ljust(indent)) + part)


def line_text(line: RequirementLine) -> str:
    """What is said of one requirement: its figures, and what they do not tell."""
    sign = f"{line.mark} " if line.level and line.mark else ""
    what = f"{line.metric} " if line.metric else ""
    figures = f": {what}{line.estimate} ({line.limit}), needed {line.bound}, n {line.n}" if line.estimate != "–" else ""
    more = f"; {line.more}" if line.more and figures else f": {line.more}" if line.more else ""
    return f"{sign}{line.name}{figures}{more}"


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(_text(console, text, style))


def _text(console: Console, text: str, style: str = "") -> Text:
    from rich.text import Text

    encoding = console.encoding or "ascii"
    plain = words.visible(text, most=1000)
    return Text(plain.encode(encoding, "backslashreplace").decode(encoding), style=style)
