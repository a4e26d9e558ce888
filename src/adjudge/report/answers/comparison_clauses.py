"""Clauses about two systems: the paired difference, turned so that more is better."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from adjudge.evaluation.answers.claims import LEANS, LEAST_UNITS, lean_of
from adjudge.report.answers.clauses import (
    Case,
    Clause,
    always,
    change_text,
    limits_of,
    same,
    too_few,
    undefined,
    undefined_text,
)


def _said(case: Case) -> bool:
    """Enough is known to say something of a comparison."""
    return case.known and not same(case) and not too_few(case)


def better(case: Case) -> bool:
    """The whole interval is above 0, after adjustment."""
    return _said(case) and case.evidence.low > 0 and case.survives


def worse(case: Case) -> bool:
    """The whole interval is below 0, after adjustment."""
    return _said(case) and case.evidence.high < 0 and case.survives


def inside(case: Case) -> bool:
    """The interval at 1 - 2α lies within the margin on both sides."""
    return _said(case) and case.margin is not None and -case.margin <= case.inner[0] and case.inner[1] <= case.margin


def not_worse(case: Case) -> bool:
    """The one-sided limit is no further below 0 than the margin."""
    return _said(case) and case.margin is not None and case.inner[0] >= -case.margin


def leans(case: Case) -> bool:
    """It leans to one side, after paying for the number of looks."""
    if not _said(case) or case.evidence.estimate == 0:
        return False
    side = (0.0, math.inf) if case.evidence.estimate < 0 else (-math.inf, 0.0)
    return case.family * (1 - lean_of(case.evidence, side)) <= LEANS


def _within_margin(case: Case, *, sides: int = 2) -> tuple[Case, str]:
    """The interval that decided, where the usual one reaches beyond a margin: that at 1 - 2α, which is then named.

    A margin is met by one-sided limits at the level 1 - α; the interval beside it must not seem to say otherwise.
    """
    one, margin = case.evidence, case.margin
    assert margin is not None
    if -margin <= one.low and (sides == 1 or one.high <= margin):
        return case, ""
    low, high = case.inner
    return replace(case, evidence=replace(one, low=low, high=high)), f" ({100 * (2 * one.level - 1):.6g} % interval)"


def _than(case: Case) -> str:
    """Beside whom, and by what, where the figure's unit does not tell: shares differ by points."""
    return f"than {case.b}" + ("" if case.unit.difference or not case.label else f" in {case.label}")


def _amount(case: Case) -> str:
    """A difference whose direction a word tells: without signs."""
    one, unit = case.evidence, case.unit
    places = unit.places(one.low, one.high)
    low, high = sorted((abs(one.low), abs(one.high)))
    span = unit.span(low, high, places, limits=[limit for limit in limits_of(case) if limit >= 0])
    return f"{unit.change(abs(one.estimate), places, signed=False)} {span}"


def _size(case: Case, value: float) -> str:
    return f"{case.unit.factor * value:g}"


def _points(case: Case, value: float) -> str:
    suffix = case.unit.difference
    return _size(case, value) + (suffix[:-1] if suffix.endswith("s") and case.unit.factor * value == 1 else suffix)


def _possible(case: Case) -> str:
    """How large a difference may be where none was seen."""
    one, unit = case.evidence, case.unit
    start = f"{case.a} and {case.b} give the same answers on all {one.n:,} {case.units}"
    if math.isnan(one.high):
        return f"{start}."
    largest = max(abs(one.low), abs(one.high))
    if case.margin is not None and largest <= case.margin:
        return f"{start}, the same within {_points(case, case.margin)}."
    shown = unit.change(largest, max(1, unit.places(one.low, one.high)), signed=False)
    return f"{start}; a true difference of up to {shown} is possible."


def _few_differ(case: Case) -> str:
    one = case.evidence
    wide = case.known and one.n >= LEAST_UNITS and (one.differing is None or one.differing >= LEAST_UNITS)
    if wide:
        return f"Too few to say: {case.a} and {case.b} share {one.n:,} {case.units}: {change_text(case)}."
    if one.differing is not None and one.n >= LEAST_UNITS:
        return f"Too few to say: {case.a} and {case.b} differ on {one.differing} of {one.n:,} {case.units}."
    return f"Too few to say: {case.a} and {case.b} share {one.n:,} {case.one_unit if one.n == 1 else case.units}."


def _small(word: str) -> Callable[[Case], str]:
    """Shown, yet within what matters."""

    def says(case: Case) -> str:
        less = f"less than the {_size(case, case.margin or 0)} that matters"
        shown, level = _within_margin(case)
        return f"{case.a} is {word} {_than(case)} by {_amount(shown)}{level}, {less}."

    return says


def _not_worse(case: Case) -> str:
    shown, level = _within_margin(case, sides=1)
    return f"{case.a} is not worse {_than(case)}: {change_text(shown)}{level}, margin {_size(case, case.margin or 0)}."


def _equivalent(case: Case) -> str:
    shown, level = _within_margin(case)
    return f"{case.a} and {case.b} are the same within {_points(case, case.margin or 0)}: {change_text(shown)}{level}."


def _looks(case: Case) -> str:
    side = "better" if case.evidence.estimate > 0 else "worse"
    return f"{case.a} looks {side} {_than(case)}: {change_text(case)}, undecided."


def _undecided(case: Case) -> str:
    if not case.known:
        return f"Undecided whether {case.a} or {case.b} is better: {case.evidence.note or 'no interval'}."
    end = "" if case.margin is not None else "; no margin was set"
    figure = _than(case).removeprefix(f"than {case.b}")
    return f"Undecided whether {case.a} or {case.b} is better{figure}: {change_text(case)}{end}."


COMPARISON = (
    Clause("undefined", undefined, undefined_text),
    Clause("same", same, _possible),
    Clause("too few", too_few, _few_differ),
    Clause("better, small", lambda c: better(c) and inside(c), _small("better")),
    Clause("worse, small", lambda c: worse(c) and inside(c), _small("worse")),
    Clause("better", better, lambda c: f"{c.a} is better {_than(c)} by {_amount(c)}."),
    Clause("worse", worse, lambda c: f"{c.a} is worse {_than(c)} by {_amount(c)}."),
    Clause("equivalent", inside, _equivalent),
    Clause("not worse", not_worse, _not_worse),
    Clause("looks", leans, _looks),
    Clause("undecided", always, _undecided),
)
"""Two systems, in the order of priority."""
