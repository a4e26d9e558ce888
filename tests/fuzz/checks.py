"""What must hold of an answer, of a refusal, and of all that is printed."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

import adjudge
from adjudge.evaluation.take_away.exports import to_csv, to_json, to_latex
from adjudge.evaluation.take_away.saving import loaded, saved
from adjudge.report import html, markdown, terminal

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Defect(AssertionError):
    """What must hold of an answer does not."""


def check_message(message: str) -> None:
    """A refusal is one line, a sentence or a command; where no task or several fit a file, they are listed in lines."""
    if re.match(r"No task fits |The names of its columns do not say|[^\n]* could be read in \d+ ways;", message):
        check_printed(message)
        return
    if (
        not message
        or "\n" in message
        or UNSAFE.search(message)
        or re.search(r"\"\?\.(?=\s|$)", message)  # two signs end it
        or not (message.endswith((".", "?", "!", ".)", " -h")) or re.search(r"\. Run: adjudge \S.*$", message))
    ):
        raise Defect(f"a refusal must be one line of safe text, not {message!r}")
    if len(message) > 3000:
        raise Defect(f"a refusal must be short, not {len(message)} characters: {message[:300]!r}")


def check_outputs(random: Random, evaluation: adjudge.Evaluation, *, damaged: bool = False) -> None:
    """Every form of an evaluation can be had, is well-formed, and holds no character that acts on its reader."""
    outcome = evaluation.outcome
    json.loads(to_json(outcome), parse_constant=_refuse_constant)
    content = saved(outcome)
    json.loads(content, parse_constant=_refuse_constant)
    rows = list(csv.reader(io.StringIO(to_csv(outcome.table), newline="")))
    if any(len(row) != len(rows[0]) for row in rows) or len(rows) != len(outcome.table) + 1:
        raise Defect("a CSV file must read back row by row")
    for row in () if damaged else outcome.table:
        if row.low > row.estimate or row.estimate > row.high:
            raise Defect(f"an interval must hold its estimate, not {row}")
        if math.isnan(row.estimate) and not row.note:
            raise Defect(f"what is undefined must say why: {row}")
    repr(evaluation)
    if random.random() < 0.3:
        shown = io.StringIO()
        everything, width = random.random() < 0.5, random.choice((80, 80, 80, 140, 40, 9, 1))
        terminal.render(evaluation.summary, Console(file=shown, width=width, color_system=None), everything=everything)
        check_printed(shown.getvalue())
        check_printed(markdown.render(evaluation.summary))
        check_printed(to_latex(outcome.table))
    if random.random() < 0.1:
        html.render(evaluation.summary)


def check_printed(text: str) -> None:
    if unsafe := UNSAFE.search(text.replace("\u200d", "")):
        raise Defect(
            f"what is printed must be safe, but {unsafe[0]!r} is in {text[max(0, unsafe.start() - 40) :][:80]!r}"
        )


def _refuse_constant(constant: str) -> Any:
    raise Defect(f"JSON has no {constant}")


def check_saved_again(evaluation: adjudge.Evaluation, path: Path) -> None:
    """What is saved comes back whole."""
    evaluation.save(path)
    if saved(*loaded(path)) != path.read_bytes():
        raise Defect("what is saved must come back whole")
