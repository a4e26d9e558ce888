"""The section of the page that shows a gate: its verdict, and each requirement with its limits and its bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

from adjudge.evaluation.verdicts import Judgement
from adjudge.report import gate_words
from adjudge.report.gate_words import Line
from adjudge.report.page import Bar, Section

MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class VerdictSection(Section):
    """A section whose lines are verdicts: each with a picture of the gate's interval, the bound as its tick."""

    verdicts: tuple[tuple[Line, Bar | None], ...] = ()


def verdict_section(judgement: Judgement | None) -> Section | None:
    """The section, where anything is required."""
    if judgement is None:
        return None
    lines = gate_words.lines(judgement)
    told = [judgement.headline, *gate_words.proven(judgement), *gate_words.next_steps(judgement)]
    return VerdictSection(
        "verdicts",
        "requirements",
        "Requirements",
        "Requirements",
        "What must hold, and whether these rows show it. The end of the line decides; the tick is the bound.",
        sentences=told[:20],
        verdicts=tuple((line, bar(line)) for line in lines[:MOST_LINES]),
        left_out=max(0, len(lines) - MOST_LINES),
    )


def bar(line: Line) -> Bar | None:
    """Where the interval, the estimate and the bound lie on a track that holds them all."""
    places = [one for one in (line.low, line.high, line.point, line.tick) if one is not None and math.isfinite(one)]
    if line.low is None or line.high is None or line.point is None or len(places) < 3:
        return None
    low, high = min(places), max(places)
    room = (high - low) * 0.08 or 1.0
    start, length = low - room, high - low + 2 * room

    def percent(value: float) -> float:
        return round(100 * (value - start) / length, 2)

    tick = None if line.tick is None else percent(line.tick)
    return Bar(percent(line.low), round(percent(line.high) - percent(line.low), 2), percent(line.point), tick)
