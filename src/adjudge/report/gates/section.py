"""A gate on the page: its verdict above the answer, and a fold with each requirement, its limits and its bound."""

from __future__ import annotations

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.gates.verdicts import DECLARED, EXPIRED, FAILED, INCONCLUSIVE, MISSING, PASSED, Judgement
from adjudge.evaluation.panels import finite_of
from adjudge.report.answers.answer import Finding
from adjudge.report.gates import words as gate_words
from adjudge.report.gates.words import RequirementLine
from adjudge.report.page import Bar, ColumnHead, FactList, Limits, PageTable, Part, Section, TableCell, left_out
from adjudge.report.summary import Fact

_MARKS = {PASSED: "within", INCONCLUSIVE: "undecided", DECLARED: "plain"} | dict.fromkeys(
    (FAILED, EXPIRED, MISSING), "beyond"
)
_COLUMNS = [
    ColumnHead("Requirement"),
    ColumnHead("Verdict"),
    ColumnHead("Estimate", number=True),
    ColumnHead("Limit", number=True),
    ColumnHead("Bound", number=True),
    ColumnHead("Picture of the limits and the bound", picture=True),
    ColumnHead("n", number=True),
    ColumnHead("Limit by"),
    ColumnHead("Why"),
]


def verdict_banner(judgement: Judgement | None) -> Finding | None:
    """The verdict of a gate in one line, which leads to its requirements."""
    if judgement is None:
        return None
    return Finding(_MARKS.get(judgement.verdict, "undefined"), judgement.verdict, judgement.headline)


def verdict_section(judgement: Judgement | None, limits: Limits) -> Section | None:
    """The fold, where anything is required."""
    if judgement is None:
        return None
    lines = gate_words.lines(judgement)
    sentences = [*gate_words.proven(judgement), *map(str, gate_words.next_steps(judgement))]
    more = left_out(len(lines) - limits.rows, "line")
    parts: list[Part] = [PageTable("", _COLUMNS, [_row(line) for line in lines[: limits.rows]], more=more)]
    if sentences:
        parts.append(FactList([Fact("Note", sentence) for sentence in sentences[:20]]))
    return Section(
        "requirements",
        "Requirements",
        parts,
        judgement.headline,
        plural(len(judgement.ordered), "requirement"),
        "What must hold, and whether these rows show it. The end of the line decides; the hollow tick is the bound.",
    )


def _row(line: RequirementLine) -> list[TableCell]:
    texts = [TableCell(text) for text in (line.estimate, line.limit, line.bound)]
    return [
        TableCell(f"{'– ' if line.level else ''}{line.name}"),
        TableCell(line.verdict, mark=_MARKS.get(line.verdict, "undefined") if line.verdict else ""),
        *texts,
        TableCell("", bar=bar(line)),
        *(TableCell(text) for text in (line.n, line.method, line.why)),
    ]


def bar(line: RequirementLine) -> Bar | None:
    """Where the interval, the estimate and the bound lie on a track that holds them all."""
    places = finite_of((line.low, line.high, line.point, line.tick))
    if line.low is None or line.high is None or line.point is None or len(places) < 3:
        return None
    low, high = min(places), max(places)
    room = (high - low) * 0.08 or 1.0
    start, length = low - room, high - low + 2 * room

    def percent(value: float) -> float:
        return round(100 * (value - start) / length, 2)

    tick = None if line.tick is None else percent(line.tick)
    return Bar(percent(line.low), round(percent(line.high) - percent(line.low), 2), percent(line.point), tick)
