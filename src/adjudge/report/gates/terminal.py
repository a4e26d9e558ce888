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

INDENT = 17  # of what is said of a requirement, after its verdict
STYLES = {PASSED: "bold green", FAILED: "bold red"}


def show(
    judgement: Judgement, code: int | None = None, console: Console | None = None, steps: Sequence[Step] = ()
) -> None:
    """Print the verdicts and what to do next, on the given console or on standard output.

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
    for line in gate_words.lines(judgement):
        _print_line(console, line)
    sentences = [*gate_words.proven(judgement), *gate_words.next_steps(judgement)]
    sentences += [f"{step.text} {step.command or ''}".strip() for step in steps]
    if sentences:
        console.print()
    for sentence in sentences:
        _print(console, sentence)


def _print_line(console: Console, line: RequirementLine) -> None:
    """One requirement; what does not fit the line goes on below its beginning."""
    first = "" if line.level else f"  {line.mark} {line.verdict}"
    parts = _text(console, line_text(line)).wrap(console, max(console.width - INDENT, 20), overflow="fold")
    for place, part in enumerate(parts):
        part.rstrip()
        console.print(_text(console, first if place == 0 else "").append(" " * INDENT)[:INDENT] + part)


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
