"""Verdicts in a terminal: the verdict first, then each requirement with the limit that decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.evaluation.verdicts import FAILED, PASSED, Judgement
from adjudge.report import gate_words, words
from adjudge.report.gate_words import Line

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {PASSED: "bold green", FAILED: "bold red"}
NAME = 34


def show(judgement: Judgement, code: int | None = None, console: Console | None = None) -> None:
    """Print the verdicts, on the given console or on standard output.

    >>> from rich.console import Console
    >>> from adjudge.evaluation.verdicts import Verdict
    >>> judgement = Judgement("a", "passed", (Verdict("good", "", "passed", "it is"),))
    >>> show(judgement, 0, Console(width=70, color_system=None))
    Gate a · 1 requirement judged · exit 0
    <BLANKLINE>
    PASSED. 1 passed.
      ✓ passed       good: it is
    """
    from rich.console import Console

    console = console or Console()
    _print(console, gate_words.title(judgement) + ("" if code is None else f" · exit {code}"), "dim")
    console.print()
    _print(console, judgement.headline, STYLES.get(judgement.verdict, "bold yellow"))
    for line in gate_words.lines(judgement):
        _print(console, line_text(line))
    told = [*gate_words.proven(judgement), *gate_words.next_steps(judgement)]
    if told:
        console.print()
    for sentence in told:
        _print(console, sentence)


def line_text(line: Line) -> str:
    """One requirement on one line."""
    indent = "                 " if line.level else "  "
    mark = "" if line.level else f"{line.mark} {line.verdict:<12} "
    figures = f" {line.estimate}, {line.limit}, needed {line.bound}" if line.estimate != "–" else ""
    n = f", n {line.n}" if line.n != "–" else ""
    sign = f"{line.mark} " if line.level and line.mark else ""
    why = f": {line.why}" if (line.why and line.verdict != PASSED) or (not figures and line.why) else ""
    return f"{indent}{mark}{sign}{line.name}{figures}{n}{why}"


def _print(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    encoding = console.encoding or "ascii"
    plain = words.visible(text, most=1000)
    console.print(Text(plain.encode(encoding, "backslashreplace").decode(encoding), style=style))
